/* plugin.c - the plugin synth: traces that nobody had to record. */
#include "tw_plugin.h"

extern const tw_stage synth_kernel;

TW_PLUGIN(synth, "1.0", "MIT", &synth_kernel);
