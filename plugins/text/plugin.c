/* plugin.c - the plugin text: tables for people. */
#include "tw_plugin.h"

extern const tw_stage text_grid;

TW_PLUGIN(text, "1.0", "MIT", &text_grid);
