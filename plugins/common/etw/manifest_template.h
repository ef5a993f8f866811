/* manifest_template.h - the fields that a template describes.

   One idea: a template is read in the order of the payload, so where something in it cannot be understood the fields
   before it still hold, and the table ends there. */
#ifndef ETW_MANIFEST_TEMPLATE_H
#define ETW_MANIFEST_TEMPLATE_H

#include "manifest_draft.h"

typedef struct template_fields {
    const tw_field *field;
    uint32_t n;
} template_fields;

typedef struct template_maps {
    directory of_values, of_bits;
} template_maps;

/* What the template describes; the same whenever it is asked for again. NULL: no memory. */
const template_fields *template_read(draft *d, node *of, const template_maps *maps);

#endif
