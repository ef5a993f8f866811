/* builtin.c - the tables that come with the program; see builtin.h.

   One idea: everything is sorted when the tables are made, so a provider is found by its GUID, and then its event by
   the id: a short run of rows, one a range of versions. */
#include "builtin.h"

#include "kernel.h"
#include "provider_tables.h"
#include "standard.h"

static const char origin[] = "built in";

/* ---- Finding ---- */

static const provider_table *provider_by_guid(const uint8_t guid[16])
{
    unsigned low = 0, high = provider_count;

    while (low < high) {
        unsigned middle = low + (high - low) / 2;
        int order = memcmp(provider_tables[middle].guid, guid, 16);

        if (!order) return &provider_tables[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

/* The row of the newest version that is not newer than the one asked for, else of the oldest; NULL: no such event. */
static const provider_row *find_row(const provider_table *p, unsigned id, unsigned version)
{
    const provider_row *row = &provider_rows[p->first_row], *end = row + p->nrows, *found = NULL;
    unsigned low = 0, high = p->nrows;

    while (low < high) {
        unsigned middle = low + (high - low) / 2;
        if (row[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    for (row += low; row < end && row->id == id && (!found || row->first <= version); row++) found = row;
    return found;
}

static const char *name_of(const tw_names *names, uint64_t value)
{
    for (uint32_t i = 0; names && i < names->n; i++)
        if (names->name[i].value == value) return names->name[i].name;
    return NULL;
}

/* ---- What is said of an event ---- */

static const char *text_at(const char *words, uint16_t at)
{
    return at ? words + at : NULL;
}

/* The names of the numbers in t; row may be NULL. */
static void name_numbers(const provider_table *p, const provider_row *row, tw_type *t)
{
    int own = row && row->opcode_name && row->opcode == t->opcode;

    t->keywords = p->keywords;
    t->task_name = t->task ? name_of(p->tasks, t->task) : NULL;
    t->level_name = standard_name(STANDARD_LEVEL, t->level);
    t->opcode_name = own ? text_at(provider_row_words, row->opcode_name) : standard_name(STANDARD_OPCODE, t->opcode);
}

static tw_field unpack(const packed_field *p, const tw_field *before)
{
    return (tw_field){ .name = text_at(provider_field_words, p->name),
                       .help = text_at(provider_field_words, p->help),
                       .names = provider_names[p->names],
                       .kind = p->kind,
                       .show = p->show,
                       .depth = p->parent ? (uint8_t)(before[p->parent - 1].depth + 1) : 0,
                       .bytes_by = p->bytes_by,
                       .count_by = p->count_by,
                       .parent = p->parent,
                       .bytes = p->bytes,
                       .count = p->count,
                       .members = p->members };
}

/* 0: only the name is known, or there is no memory for the fields. */
static int use_row(const provider_row *row, store *memory, tw_type *t)
{
    tw_field *field = NULL;

    t->name = text_at(provider_row_words, row->name);
    if (row->first_field == PROVIDER_NO_LAYOUT) return 0;
    if (row->nfields) {
        field = store_new(memory, row->nfields * sizeof *field);
        if (!field) return 0;
    }
    for (uint32_t i = 0; i < row->nfields; i++) field[i] = unpack(&provider_fields[row->first_field + i], field);
    t->field = field;
    t->nfields = row->nfields;
    t->origin = origin;
    return 1;
}

static enum schema_match find_event(const record *r, store *memory, tw_type *t, unsigned *version)
{
    const provider_table *p = provider_by_guid(r->guid);
    const provider_row *row;

    if (!p) return SCHEMA_NONE;
    row = find_row(p, r->id, r->version);
    t->provider = p->name;
    name_numbers(p, row, t);
    if (!row || !use_row(row, memory, t)) return SCHEMA_NONE;
    *version = r->version < row->first ? row->first : r->version > row->last ? row->last : r->version;
    return *version == r->version ? SCHEMA_EXACT : SCHEMA_NEAR;
}

static enum schema_match find_classic(const record *r, tw_type *t, unsigned *version)
{
    kernel_layout l;

    if (r->kind == RECORD_KERNEL)
        kernel_by_group(r->group, r->id, r->version, r->pointer, &l);
    else
        kernel_by_guid(r->guid, r->id, r->version, r->pointer, &l);
    if (l.provider)
        t->provider = l.provider;
    else if (r->guid && builtin_provider(r->guid))
        t->provider = builtin_provider(r->guid);
    if (l.name) t->name = l.name;
    if (l.guid) memcpy(t->guid, l.guid, sizeof t->guid);
    if (!l.known) return SCHEMA_NONE;
    t->field = l.field;
    t->nfields = l.nfields;
    t->origin = origin;
    *version = l.version;
    return l.exact ? SCHEMA_EXACT : SCHEMA_NEAR;
}

int builtin_find(const record *r, store *memory, tw_type *t, unsigned *version)
{
    switch (r->kind) {
    case RECORD_KERNEL:
    case RECORD_CLASSIC: return find_classic(r, t, version);
    case RECORD_EVENT: return find_event(r, memory, t, version);
    default: return SCHEMA_NONE;
    }
}

/* ---- All of them ---- */

static int give_row(const provider_table *p, const provider_row *row, schema_give *give, void *context)
{
    store memory = { 0 };
    int status;
    tw_type t = { .size = sizeof t,
                  .provider = p->name,
                  .number = row->id,
                  .version = row->first,
                  .keyword = row->keyword,
                  .opcode = row->opcode,
                  .level = row->level,
                  .task = row->task,
                  .pointer = 8 };

    memcpy(t.guid, p->guid, sizeof t.guid);
    name_numbers(p, row, &t);
    if (!use_row(row, &memory, &t)) t.why = "its layout is not public";
    status = give(context, &t);
    store_free(&memory);
    return status;
}

int builtin_each(schema_give *give, void *context)
{
    int status = kernel_each(give, context);

    for (unsigned i = 0; i < provider_count; i++) {
        const provider_table *p = &provider_tables[i];

        for (unsigned k = 0; k < p->nrows; k++) {
            if (status != TW_OK) return status;
            status = give_row(p, &provider_rows[p->first_row + k], give, context);
        }
    }
    return status;
}

const char *builtin_provider(const uint8_t guid[16])
{
    const provider_table *p = provider_by_guid(guid);
    kernel_layout l;

    if (p) return p->name;
    kernel_by_guid(guid, 0, 0, 8, &l);
    return l.provider;
}
