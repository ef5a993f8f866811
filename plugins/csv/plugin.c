/* plugin.c - the plugin csv: tables as comma-separated text. */
#include "tw_plugin.h"

extern const tw_stage csv_write;

TW_PLUGIN(csv, "1.0", "MIT", &csv_write);
