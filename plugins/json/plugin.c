/* plugin.c - the plugin json: tables as JSON. */
#include "tw_plugin.h"

extern const tw_stage json_write;

TW_PLUGIN(json, "1.0", "MIT", &json_write);
