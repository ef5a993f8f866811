/* plugin.c - the plugin etl: Windows event traces as files. */
#include "tw_plugin.h"

extern const tw_stage etl_read_stage, etl_schemas_stage, etl_write_stage;

TW_PLUGIN(etl, "1.0", "MIT", &etl_read_stage, &etl_schemas_stage, &etl_write_stage);
