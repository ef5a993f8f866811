/* plugin.c - the plugin json: tables and events as JSON. */
#include "tw_plugin.h"

extern const tw_stage json_write, json_events;

TW_PLUGIN(json, "1.0", "MIT", &json_write, &json_events);
