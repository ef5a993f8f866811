/* manifest_provider.c - resolving the names of a provider's events; see manifest_provider.h. */
#include "manifest_provider.h"

#include <stdlib.h>

#include "event_name.h"
#include "fields.h"
#include "standard.h"

/* ---- What numbers are called ---- */

static enum standard standard_of(enum node_attribute what)
{
    switch (what) {
    case ATTRIBUTE_LEVEL: return STANDARD_LEVEL;
    case ATTRIBUTE_OPCODE: return STANDARD_OPCODE;
    case ATTRIBUTE_CHANNEL: return STANDARD_CHANNEL;
    case ATTRIBUTE_TASK: return STANDARD_TASK;
    default: return STANDARD_KEYWORD;
    }
}

static const char *find_value(const named_list *list, uint64_t value)
{
    uint32_t low = 0, high = list->n;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (list->at[middle].value < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low < list->n && list->at[low].value == value ? list->at[low].name : NULL;
}

const char *provider_name_of(const manifest_provider *p, enum node_attribute what, uint64_t value)
{
    const named_list *own = what == ATTRIBUTE_TASK     ? &p->tasks
                            : what == ATTRIBUTE_OPCODE ? &p->opcodes
                            : what == ATTRIBUTE_LEVEL  ? &p->levels
                                                       : &p->channels;
    const char *name = find_value(own, value);

    if (name || what == ATTRIBUTE_TASK) return name; /* the task `None` is no name */
    return standard_name(standard_of(what), value);
}

/* ---- The parts of a provider ---- */

typedef struct maker {
    draft *of;
    manifest_provider *made;
    node *from;
    directory tasks, opcodes, levels, keywords, channels, channel_names, templates;
    template_maps maps;
} maker;

/* The number that a part stands for: 1, and *v; a channel that is imported has Windows' number for its name. */
static int part_value(const node *part, enum node_attribute what, uint64_t most, uint64_t *v)
{
    enum node_attribute from = what == ATTRIBUTE_KEYWORDS ? ATTRIBUTE_MASK : ATTRIBUTE_VALUE;
    const char *text = node_get(part, from), *name = node_get(part, ATTRIBUTE_NAME);

    if (!text && what == ATTRIBUTE_CHANNEL) text = node_get(part, ATTRIBUTE_ID);
    if (text) return what == ATTRIBUTE_KEYWORDS ? text_mask(text, v) : text_number(text, most, v);
    return name && what != ATTRIBUTE_KEYWORDS && standard_find(standard_of(what), name, v);
}

/* Channels may leave their number to the compiler. */
static int is_unnumbered(const node *part)
{
    return part->kind == NODE_CHANNEL && !node_get(part, ATTRIBUTE_VALUE) && !node_get(part, ATTRIBUTE_ID);
}

/* What a part is called; made once. Windows' own parts keep their names, whatever a dump's messages call them; the name
   of a channel is what people open it by. */
static const char *part_name(draft *d, node *part, enum node_attribute what)
{
    const char *name = node_get(part, ATTRIBUTE_NAME);
    uint64_t unused;
    const char *known = name && !strncmp(name, "win:", 4) ? standard_find(standard_of(what), name, &unused) : NULL;

    if (part->was_made) return part->made;
    part->was_made = 1;
    if (known)
        part->made = known;
    else if (name && part->kind == NODE_CHANNEL)
        part->made = draft_keep(d, name);
    else
        part->made = draft_display(d, part);
    return part->made;
}

typedef struct ranked_name {
    named pair;
    uint32_t place;
} ranked_name;

static int by_value_then_place(const void *a, const void *b)
{
    const ranked_name *x = a, *y = b;

    if (x->pair.value != y->pair.value) return x->pair.value < y->pair.value ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

static void sort_named(draft *d, named *list, uint32_t n)
{
    ranked_name *order = n ? draft_scratch(d, n * sizeof *order) : NULL;

    if (!order) return;
    for (uint32_t i = 0; i < n; i++) order[i] = (ranked_name){ list[i], i };
    qsort(order, n, sizeof *order, by_value_then_place);
    for (uint32_t i = 0; i < n; i++) list[i] = order[i].pair;
}

/* All parts of a kind as numbers and names. */
static named_list parts(draft *d, const node *parent, enum node_kind kind, enum node_attribute what)
{
    named_list made = { 0 };
    uint32_t n = 0;

    for (const node *c = parent->first; c; c = c->next) n += c->kind == kind;
    named *list = n ? draft_new(d, n * sizeof *list) : NULL;
    if (!list) return made;
    for (node *c = parent->first; c; c = c->next) {
        if (c->kind != kind) continue;
        const char *name = part_name(d, c, what);
        uint64_t value;
        if (is_unnumbered(c)) continue;
        if (!part_value(c, what, UINT64_MAX, &value)) {
            const char *text = node_get(c, what == ATTRIBUTE_KEYWORDS ? ATTRIBUTE_MASK : ATTRIBUTE_VALUE);
            if (text)
                draft_fault(d, c, "has the value \"%.*s\", which is no number", text_clip(text), text);
            else
                draft_fault(d, c, "has no value");
        } else if (name) {
            list[made.n++] = (named){ value, name };
        }
    }
    sort_named(d, list, made.n);
    made.at = list;
    return made;
}

static const tw_names *keyword_names(draft *d, const node *provider)
{
    named_list list = parts(d, provider, NODE_KEYWORD, ATTRIBUTE_KEYWORDS);
    tw_name *pairs = list.n ? draft_scratch(d, list.n * sizeof *pairs) : NULL;

    if (!pairs) return NULL;
    for (uint32_t i = 0; i < list.n; i++) pairs[i] = (tw_name){ list.at[i].value, list.at[i].name };
    return fields_names(d->memory, pairs, list.n, 1);
}

/* ---- The attributes of an event ---- */

/* What an event's attribute means: the part of that name, Windows' own, or a bare number. Sets *v; *part is the part,
   or NULL. 0: the attribute leads nowhere, which is a fault; then *v is left. */
static int look_up(const maker *m, const node *event, enum node_attribute what, const directory *in, uint64_t most,
                   const char *text, uint64_t *v, node **part)
{
    *part = directory_find(in, text);
    if (!*part && what == ATTRIBUTE_CHANNEL) *part = directory_find(&m->channel_names, text);
    if (*part && (part_value(*part, what, most, v) || is_unnumbered(*part))) return 1;
    if (*part) {
        draft_fault(m->of, event, "has %s \"%.*s\", which has no number that fits", attribute_name(what),
                    text_clip(text), text);
        return 0;
    }
    if (standard_find(standard_of(what), text, v) || text_number(text, most, v)) return 1;
    draft_fault(m->of, event, "has %s \"%.*s\", which the provider does not have", attribute_name(what),
                text_clip(text), text);
    return 0;
}

/* What the event's attribute is called: as the part that it names, or by its number. */
static const char *name_for(const maker *m, node *part, enum node_attribute what, uint64_t v)
{
    return part ? part_name(m->of, part, what) : provider_name_of(m->made, what, v);
}

static node *read_task(const maker *m, const node *n, manifest_event *e)
{
    const char *text = node_get(n, ATTRIBUTE_TASK);
    uint64_t v = 0;
    node *part = NULL;

    if (!text || !*text) return NULL;
    if (look_up(m, n, ATTRIBUTE_TASK, &m->tasks, UINT16_MAX, text, &v, &part)) e->task = (uint16_t)v;
    e->task_name = name_for(m, part, ATTRIBUTE_TASK, v);
    return part;
}

static const directory *opcodes_of(draft *d, node *task)
{
    directory *own = task->first && !task->opcodes ? draft_scratch(d, sizeof *own) : NULL;

    if (own) {
        *own = directory_of(d, task, NODE_OPCODE, ATTRIBUTE_NAME);
        task->opcodes = own;
    }
    return task->opcodes;
}

static void read_opcode(const maker *m, const node *n, node *task, manifest_event *e)
{
    const char *text = node_get(n, ATTRIBUTE_OPCODE);
    uint64_t v = 0;
    node *part = NULL;

    if (!text || !*text) return;
    const directory *own = task ? opcodes_of(m->of, task) : NULL;
    int of_task = own && directory_find(own, text); /* goes before one of the provider */
    look_up(m, n, ATTRIBUTE_OPCODE, of_task ? own : &m->opcodes, UINT8_MAX, text, &v, &part);
    e->opcode = (uint8_t)v;
    e->opcode_name = name_for(m, part, ATTRIBUTE_OPCODE, v);
}

static void read_level(const maker *m, const node *n, manifest_event *e)
{
    const char *text = node_get(n, ATTRIBUTE_LEVEL);
    uint64_t v = 0;
    node *part = NULL;

    if (!text || !*text || !look_up(m, n, ATTRIBUTE_LEVEL, &m->levels, UINT8_MAX, text, &v, &part)) return;
    e->level = (uint8_t)v;
    e->level_name = name_for(m, part, ATTRIBUTE_LEVEL, v);
}

static void read_channel(const maker *m, const node *n, manifest_event *e)
{
    const char *text = node_get(n, ATTRIBUTE_CHANNEL);
    uint64_t v = 0;
    node *part = NULL;

    if (!text || !*text || !look_up(m, n, ATTRIBUTE_CHANNEL, &m->channels, UINT8_MAX, text, &v, &part)) return;
    e->channel = (uint8_t)v;
    e->channel_name = name_for(m, part, ATTRIBUTE_CHANNEL, v);
}

/* Names with blanks between; the event's mask is that of all of them. */
static void read_keywords(const maker *m, const node *n, manifest_event *e)
{
    const char *text = node_get(n, ATTRIBUTE_KEYWORDS);
    static const char blanks[] = " \t\r\n,";
    char word[128];

    while (text && *(text += strspn(text, blanks))) {
        size_t length = strcspn(text, blanks);
        uint64_t mask = 0;
        node *part;
        if (length < sizeof word) {
            memcpy(word, text, length);
            word[length] = 0;
            look_up(m, n, ATTRIBUTE_KEYWORDS, &m->keywords, UINT64_MAX, word, &mask, &part);
            e->keyword |= mask;
        } else {
            draft_fault(m->of, n, "has a keyword with a name longer than any");
        }
        text += length;
    }
}

/* Dumps of what a machine knows put the template into the event. */
static void read_template(const maker *m, const node *n, manifest_event *e)
{
    const char *text = node_get(n, ATTRIBUTE_TEMPLATE);
    node *template = text && *text ? directory_find(&m->templates, text) : NULL;

    for (node *c = n->first; c && !template; c = c->next)
        if (c->kind == NODE_TEMPLATE) template = c;
    if (template)
        e->fields = template_read(m->of, template, &m->maps);
    else if (text && *text)
        draft_fault(m->of, n, "has template \"%.*s\", which the provider does not have", text_clip(text), text);
}

static const uint8_t *class_of(const maker *m, const node *task)
{
    const char *text = task ? node_get(task, ATTRIBUTE_EVENT_GUID) : NULL;
    static const uint8_t none[16];
    uint8_t *guid;

    if (!text || !*text) return NULL;
    guid = draft_new(m->of, 16);
    if (!guid || !text_guid(text, guid)) return NULL;
    return memcmp(guid, none, 16) ? guid : NULL;
}

/* 1, or 0 where it is left out. */
static int read_event(const maker *m, const node *n, manifest_event *e)
{
    const char *id = node_get(n, ATTRIBUTE_VALUE), *version = node_get(n, ATTRIBUTE_VERSION);
    uint64_t v;

    if (!id || !text_number(id, UINT16_MAX, &v)) {
        draft_fault(m->of, n, "has no value from 0 to 65535");
        return 0;
    }
    e->id = (uint16_t)v;
    v = 0;
    if (version && !text_number(version, UINT8_MAX, &v)) {
        draft_fault(m->of, n, "has version \"%.*s\", which is none from 0 to 255", text_clip(version), version);
        return 0;
    }
    e->version = (uint8_t)v;
    node *task = read_task(m, n, e);
    read_opcode(m, n, task, e);
    read_level(m, n, e);
    read_channel(m, n, e);
    read_keywords(m, n, e);
    read_template(m, n, e);
    e->class_guid = class_of(m, task);
    e->message = draft_resolve(m->of, node_get(n, ATTRIBUTE_MESSAGE));
    e->name =
        event_name(m->of->memory, node_get(n, ATTRIBUTE_SYMBOL), e->version, e->task_name, e->opcode, e->opcode_name);
    return 1;
}

/* ---- The whole ---- */

typedef struct ranked {
    manifest_event event;
    uint32_t place;
} ranked;

static int by_id_then_version(const void *a, const void *b)
{
    const ranked *x = a, *y = b;

    if (x->event.id != y->event.id) return x->event.id < y->event.id ? -1 : 1;
    if (x->event.version != y->event.version) return x->event.version < y->event.version ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

static void read_events(const maker *m)
{
    manifest_provider *p = m->made;
    uint32_t all = 0, n = 0;

    for (const node *c = m->from->first; c; c = c->next) all += c->kind == NODE_EVENT;
    ranked *order = all ? draft_scratch(m->of, all * sizeof *order) : NULL;
    if (!order) return;
    for (const node *c = m->from->first; c && !m->of->full; c = c->next) {
        if (c->kind != NODE_EVENT || !read_event(m, c, &order[n].event)) continue;
        order[n].place = n;
        n++;
    }
    qsort(order, n, sizeof *order, by_id_then_version);
    p->event = draft_new(m->of, ((size_t)n + 1) * sizeof *p->event);
    if (!p->event) return;
    for (uint32_t i = 0; i < n; i++) {
        const manifest_event *e = &order[i].event;
        if (i && e->id == order[i - 1].event.id && e->version == order[i - 1].event.version) continue;
        p->event[p->nevents++] = *e;
        p->nclassic += e->class_guid != NULL;
    }
}

manifest_provider *provider_read(draft *d, node *of)
{
    const char *guid = node_get(of, ATTRIBUTE_GUID), *name = node_get(of, ATTRIBUTE_NAME);
    manifest_provider *p = draft_new(d, sizeof *p);

    if (!p) return NULL;
    if (!guid || !text_guid(guid, p->guid)) {
        if (guid)
            draft_fault(d, of, "has guid \"%.*s\", which is none", text_clip(guid), guid);
        else
            draft_fault(d, of, "has no guid");
        return NULL;
    }
    p->name = draft_keep(d, name && *name ? name : guid);
    p->levels = parts(d, of, NODE_LEVEL, ATTRIBUTE_LEVEL);
    p->tasks = parts(d, of, NODE_TASK, ATTRIBUTE_TASK);
    p->opcodes = parts(d, of, NODE_OPCODE, ATTRIBUTE_OPCODE);
    p->channels = parts(d, of, NODE_CHANNEL, ATTRIBUTE_CHANNEL);
    p->keywords = keyword_names(d, of);
    maker m = { .of = d,
                .made = p,
                .from = of,
                .tasks = directory_of(d, of, NODE_TASK, ATTRIBUTE_NAME),
                .opcodes = directory_of(d, of, NODE_OPCODE, ATTRIBUTE_NAME),
                .levels = directory_of(d, of, NODE_LEVEL, ATTRIBUTE_NAME),
                .keywords = directory_of(d, of, NODE_KEYWORD, ATTRIBUTE_NAME),
                .channels = directory_of(d, of, NODE_CHANNEL, ATTRIBUTE_CHANNEL_ID),
                .channel_names = directory_of(d, of, NODE_CHANNEL, ATTRIBUTE_NAME),
                .templates = directory_of(d, of, NODE_TEMPLATE, ATTRIBUTE_TEMPLATE_ID),
                .maps = { directory_of(d, of, NODE_VALUE_MAP, ATTRIBUTE_NAME),
                          directory_of(d, of, NODE_BIT_MAP, ATTRIBUTE_NAME) } };
    read_events(&m);
    return p;
}
