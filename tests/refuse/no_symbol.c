/* no_symbol.c - refused: it exports no tw_plugin_v1. */
#include "tw_plugin.h"

TW_EXTERN TW_EXPORT const int tw_plugin_v2;
const int tw_plugin_v2 = 2;
