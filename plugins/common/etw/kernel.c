/* kernel.c - asking the kernel tables.

   One idea: the rows are sorted by (class, opcode, version), so what is known of an event is a short run of them,
   and the answer is the last row of the run that is not newer than the event, or else the first. */
#include "kernel.h"

#include <stdio.h>

#include "kernel_tables.h"

/* The loader's events belong to class Image, but the kernel logs a load under the group of Process. */
enum { GROUP_PROCESS = 0x03, GROUP_IMAGE = 0x14, OPCODE_LOAD = 10 };

static const kernel_class *class_by_group(unsigned group)
{
    for (unsigned i = 0; i < kernel_class_count; i++) {
        if (kernel_classes[i].group == group && group != KERNEL_NO_GROUP) return &kernel_classes[i];
    }
    return NULL;
}

static const kernel_class *class_by_guid(const uint8_t guid[16])
{
    for (unsigned i = 0; i < kernel_class_count; i++) {
        if (!memcmp(kernel_classes[i].guid, guid, 16)) return &kernel_classes[i];
    }
    return NULL;
}

/* The first row that is not before (class, opcode). */
static unsigned first_row(unsigned class, unsigned opcode)
{
    unsigned low = 0, high = kernel_row_count;

    while (low < high) {
        unsigned middle = low + (high - low) / 2;
        const kernel_row *r = &kernel_rows[middle];

        if (r->class < class || (r->class == class && r->opcode < opcode))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void lay_out(const kernel_class *class, unsigned opcode, unsigned version, unsigned pointer,
                    kernel_layout *out)
{
    unsigned class_index, at, small = pointer == 4;
    const kernel_row *row = NULL;

    memset(out, 0, sizeof *out);
    if (!class) return;
    out->provider = class->name;
    out->guid = class->guid;
    class_index = (unsigned)(class - kernel_classes);
    for (at = first_row(class_index, opcode); at < kernel_row_count; at++) {
        const kernel_row *r = &kernel_rows[at];

        if (r->class != class_index || r->opcode != opcode) break;
        if (row && r->first > version) break;
        row = r;
    }
    if (!row) return;
    out->name = row->name;
    out->known = row->known;
    out->exact = row->known && row->first <= version && version <= row->last;
    out->version = version < row->first ? row->first : version > row->last ? row->last : version;
    out->field = row->field[small];
    out->nfields = row->nfields[small];
}

void kernel_by_group(unsigned group, unsigned opcode, unsigned version, unsigned pointer, kernel_layout *out)
{
    if (group == GROUP_PROCESS && opcode == OPCODE_LOAD) group = GROUP_IMAGE;
    lay_out(class_by_group(group), opcode, version, pointer, out);
}

void kernel_by_guid(const uint8_t guid[16], unsigned opcode, unsigned version, unsigned pointer, kernel_layout *out)
{
    lay_out(class_by_guid(guid), opcode, version, pointer, out);
}

static int give_row(const kernel_row *row, schema_give *give, void *context)
{
    const kernel_class *class = &kernel_classes[row->class];
    unsigned group = class->group == GROUP_IMAGE && row->opcode == OPCODE_LOAD ? GROUP_PROCESS : class->group;
    char key[] = "kernel:00";
    tw_type t = { .size = sizeof t,
                  .provider = class->name,
                  .name = row->name,
                  .origin = row->known ? "built in" : NULL,
                  .why = row->known ? NULL : "its layout is not public",
                  .number = row->opcode,
                  .opcode = row->opcode,
                  .version = row->first,
                  .pointer = 8,
                  .nfields = row->nfields[0],
                  .field = row->field[0] };

    memcpy(t.guid, class->guid, sizeof t.guid);
    if (group != KERNEL_NO_GROUP) {
        snprintf(key, sizeof key, "kernel:%02x", group & 0xFF);
        t.key = key;
    }
    return give(context, &t);
}

int kernel_each(schema_give *give, void *context)
{
    for (unsigned i = 0; i < kernel_row_count; i++) {
        int result = give_row(&kernel_rows[i], give, context);

        if (result != TW_OK) return result;
    }
    return TW_OK;
}

const char *kernel_group_name(unsigned group)
{
    const kernel_class *class = class_by_group(group);

    return class ? class->name : NULL;
}

const uint8_t *kernel_group_guid(unsigned group)
{
    static const uint8_t none[16];
    const kernel_class *class = class_by_group(group);

    return class ? class->guid : none;
}
