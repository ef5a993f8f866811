/* plugin.c - the plugin text: tables, events and their types for people. */
#include "tw_plugin.h"

extern const tw_stage text_grid, text_events, text_types;

TW_PLUGIN(text, "1.0", "MIT", &text_grid, &text_events, &text_types);
