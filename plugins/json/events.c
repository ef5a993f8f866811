/* events.c - json.events: events as JSON, an object a line, the payload's fields as an object in it.

   One idea: what is the same for all events of a type, its head and the names of its fields, is written once, when the
   first of them comes; an event is then a walk over its fields that copies these pieces and writes the values between
   them. The result is valid JSON whatever the payload holds; fields of one name are told apart. */
#include "../common/text/around.h"
#include "../common/text/json.h"

extern const tw_stage json_events;

enum { DEEPEST = 8 /* structs in structs, as the host lets types be published */ };

typedef struct shape { /* of all events of a type */
    page text;         /* the labels of its fields, then its head */
    size_t *label;     /* field i is called label[i] … label[i + 1]; nothing there: it is hidden */
    size_t head;       /* from here to the end: `"provider":…,"version":…` */
} shape;

typedef struct writer {
    tw_self tw;
    tw_output *to;
    int keywords, activity, stacks, numbers;
    page page;
    json json;
    shape *shape[TW_TYPES];
} writer;

// clang-format off
static const tw_option options[] = {
    TW_OPTION(writer, to, TW_OPT_OUTPUT, "-", "the file; one that ends in .zst is compressed"),
    TW_OPTION(writer, keywords, TW_OPT_BOOL, "false", "a member \"keywords\", by their names where they have some"),
    TW_OPTION(writer, activity, TW_OPT_BOOL, "false", "members \"activity\" and \"related\", where an event has these ids"),
    TW_OPTION(writer, stacks, TW_OPT_BOOL, "false", "a member \"stack\", a list of addresses, innermost first, where there is one"),
    TW_OPTION(writer, numbers, TW_OPT_BOOL, "false", "integers of fields as decimal numbers, whatever names their values have"),
    { 0 }
};
// clang-format on

static int open_writer(void *self)
{
    writer *w = self;
    w->json = (json){ .host = TW_HOST(self), .to = &w->page };
    return TW_OK;
}

/* ---- What all events of a type share ---- */

static int is_array(const tw_field *f)
{
    return f->count_by != TW_ONE && f->count_by != TW_IF_LEFT;
}

static int is_hidden(const tw_type *t, uint32_t i)
{
    for (uint32_t k = i + 1; k; k = t->field[k - 1].parent) {
        if (t->field[k - 1].show == TW_SHOW_HIDE) return 1;
    }
    return 0;
}

/* How many fields of that name stand beside field i, before it. */
static uint32_t namesakes(const tw_type *t, uint32_t i)
{
    uint32_t n = 0, first = t->field[i].parent;

    for (uint32_t k = first; k < i; k += 1 + t->field[k].members) n += !strcmp(t->field[k].name, t->field[i].name);
    return n;
}

/* A second `Name` is called `Name#2`. */
static void put_label(page *p, const tw_type *t, uint32_t i)
{
    const char *name = t->field[i].name;
    uint32_t before = namesakes(t, i);

    json_string(p, name, strlen(name));
    if (before && !p->failed) {
        p->n--;
        page_byte(p, '#');
        page_unsigned(p, before + 1);
        page_byte(p, '"');
    }
    page_byte(p, ':');
}

static void put_head(page *p, const tw_type *t)
{
    page_string(p, "\"provider\":");
    json_string(p, t->provider, strlen(t->provider));
    page_string(p, ",\"event\":");
    json_string(p, t->name, strlen(t->name));
    page_string(p, ",\"id\":");
    page_unsigned(p, t->number);
    page_string(p, ",\"version\":");
    page_unsigned(p, t->version);
}

/* NULL: memory ran out, said. */
static const shape *shape_of(writer *w, uint32_t type)
{
    const tw_type *t = w->tw.type[type];
    shape *s = w->shape[type];

    if (s) return s;
    w->shape[type] = s = calloc(1, sizeof *s);
    if (s) s->label = calloc(t->nfields + (size_t)1, sizeof *s->label);
    for (uint32_t i = 0; s && s->label && i < t->nfields; i++) {
        if (!is_hidden(t, i)) put_label(&s->text, t, i);
        s->label[i + 1] = s->text.n;
    }
    if (s && s->label) {
        s->head = s->text.n;
        put_head(&s->text, t);
    }
    if (s && s->label && !s->text.failed) return s;
    tw_fail(w, "out of memory for the names of \"%s\"", t->name);
    return NULL;
}

/* ---- Members beside the fields ---- */

static void put_member(page *p, const char *label)
{
    page_byte(p, ',');
    page_string(p, label);
}

/* A number by its name, if it is the one the type names; nothing where it is 0 and has none. */
static void put_named(writer *w, const tw_event *e, const char *label, uint32_t what, uint64_t of_type,
                      const char *name)
{
    page *p = &w->page;
    uint64_t number = around_number(w, e, what, of_type);

    if (number != of_type || !name) {
        if (!number) return;
        put_member(p, label);
        page_unsigned(p, number);
        return;
    }
    put_member(p, label);
    json_string(p, name, strlen(name));
}

/* The host's text of a value as a JSON string. */
static void put_printed(writer *w, const char *label, const tw_field *field, const tw_value *v)
{
    put_member(&w->page, label);
    json_value(&w->json, field, CELL_PRINT, v);
}

static void put_keywords(writer *w, const tw_event *e)
{
    tw_field field;
    tw_value v;

    around_keywords(w, e, &field, &v);
    put_printed(w, "\"keywords\":", &field, &v);
}

static void put_id(writer *w, const tw_event *e, const char *label, uint32_t what)
{
    tw_value v;

    if (around_id(w, e, what, &v)) put_printed(w, label, NULL, &v);
}

static void put_stack(writer *w, const tw_event *e)
{
    const tw_field frame = { .kind = TW_U64, .show = TW_SHOW_ADDRESS };
    tw_value v;

    if (TW_HOST(w)->extra(w, e, TW_X_STACK, 0, &v) != TW_OK) return;
    tw_field column = frame;
    column.kind = v.kind;
    put_member(&w->page, "\"stack\":");
    json_list(&w->json, &column, &v);
}

static void put_hex(page *p, const uint8_t *at, uint32_t n)
{
    static const char digits[] = "0123456789abcdef";
    char *to = page_room(p, (size_t)n * 2);

    if (!to) return;
    for (uint32_t i = 0; i < n; i++) {
        to[2 * i] = digits[at[i] >> 4];
        to[2 * i + 1] = digits[at[i] & 15];
    }
    p->n += (size_t)n * 2;
}

/* ---- Fields ---- */

typedef struct scope {  /* the object of the fields, or of a struct among them */
    uint32_t next, end; /* fields of it that may still come */
    uint32_t owner;     /* the struct */
} scope;

typedef struct fields { /* a walk being written */
    writer *w;
    const tw_type *type;
    const shape *shape;
    int64_t array;     /* of no structs, that is open, or -1 */
    uint32_t elements; /* of it that are there */
    uint32_t depth;    /* structs that are open */
    scope scope[DEEPEST + 2];
} fields;

static int has_label(const fields *f, uint32_t field)
{
    return f->shape->label[field + 1] > f->shape->label[field];
}

static void begin_member(fields *f, uint32_t field)
{
    page *p = &f->w->page;

    if (p->n && p->at[p->n - 1] != '{') page_byte(p, ',');
    page_put(p, f->shape->text.at + f->shape->label[field], f->shape->label[field + 1] - f->shape->label[field]);
}

/* The fields of the innermost scope before `to` have no value; an array without elements is one nevertheless. */
static void pass_over(fields *f, uint32_t to)
{
    scope *s = &f->scope[f->depth];

    for (; s->next < to; s->next += 1 + f->type->field[s->next].members) {
        if (!is_array(&f->type->field[s->next]) || !has_label(f, s->next)) continue;
        begin_member(f, s->next);
        page_string(&f->w->page, "[]");
    }
}

static void close_array(fields *f)
{
    if (f->array >= 0) page_byte(&f->w->page, ']');
    f->array = -1;
}

/* Closes what does not go on with `field` at `depth`; 1 where the array of structs `field` does. `whole`: nothing was
   cut short, so what did not come is not there. */
static int close_until(fields *f, uint32_t field, uint32_t depth, int whole)
{
    int goes_on = 0;

    if (f->array != (int64_t)field) close_array(f);
    while (f->depth > depth) {
        uint32_t owner = f->scope[f->depth].owner;
        if (whole) pass_over(f, f->scope[f->depth].end);
        f->depth--;
        page_byte(&f->w->page, '}');
        goes_on = owner == field;
        if (!goes_on && is_array(&f->type->field[owner])) page_byte(&f->w->page, ']');
    }
    return goes_on;
}

static int is_integer(uint8_t kind)
{
    return kind >= TW_U8 && kind <= TW_I64;
}

static void put_value(json *j, int numbers, const tw_field *field, const tw_value *v)
{
    tw_field as = *field;
    enum cell cell;

    as.kind = v->kind;
    if (v->show) as.show = v->show;
    if (numbers && is_integer(v->kind)) {
        as.show = TW_SHOW_PLAIN;
        as.names = NULL;
    }
    switch (v->kind) {
    case TW_TICKS:
    case TW_TICK_SPAN: cell = CELL_SIGNED; break;
    case TW_BOOL:
    case TW_BOOL32: cell = as.names ? CELL_PRINT : CELL_BOOL; break;
    default: cell = cell_of_element(&as); break;
    }
    json_value(j, &as, cell, v);
}

static void put_element(fields *f, const tw_walk *walk, const tw_value *v)
{
    uint32_t i = (uint32_t)walk->field;
    const tw_field *field = &f->type->field[i];
    page *p = &f->w->page;
    int goes_on = close_until(f, i, walk->depth, !walk->faults) || f->array == (int64_t)i;

    if (goes_on) {
        page_byte(p, ',');
    } else {
        pass_over(f, i);
        begin_member(f, i);
        if (is_array(field)) page_byte(p, '[');
        f->scope[f->depth].next = i + 1 + field->members;
        f->elements = 0;
    }
    if (v->kind == TW_STRUCT) {
        f->scope[++f->depth] = (scope){ i + 1, i + 1 + field->members, i };
        page_byte(p, '{');
        return;
    }
    if (is_array(field)) {
        f->array = i;
        for (; f->elements < walk->index; f->elements++) page_string(p, "null,"); /* they say that they are none */
        f->elements++;
    }
    put_value(&f->w->json, f->w->numbers, field, v);
}

static void put_fields(writer *w, const tw_type *t, const shape *s, tw_walk *walk)
{
    fields f = { .w = w, .type = t, .shape = s, .array = -1, .scope = { { 0, t->nfields, 0 } } };
    tw_value v;

    page_string(&w->page, ",\"fields\":{");
    while (TW_HOST(w)->next(walk, &v) == TW_OK) {
        if (has_label(&f, (uint32_t)walk->field)) put_element(&f, walk, &v);
    }
    close_until(&f, t->nfields, 0, !walk->faults);
    if (!walk->faults) pass_over(&f, t->nfields);
    page_byte(&w->page, '}');
}

/* What no field covers, and why; and whether a field is cut short. */
static void put_rest(writer *w, const tw_type *t, const tw_event *e, const tw_walk *walk)
{
    page *p = &w->page;
    const char *why = t->why ? t->why : t->nfields ? "more bytes than its fields take" : "no field is known";

    if (walk->left) {
        put_member(p, "\"undecoded\":\"");
        put_hex(p, e->data + (e->bytes - walk->left), walk->left);
        page_byte(p, '"');
    }
    if (walk->left || (t->why && !t->nfields)) {
        put_member(p, "\"why\":");
        json_string(p, why, strlen(why));
    }
    if (walk->faults) put_member(p, "\"cut\":true");
}

/* ---- Events ---- */

static int put_event(writer *w, tw_batch *b, const tw_event *e)
{
    const tw_type *t = w->tw.type[e->type];
    const shape *s = shape_of(w, e->type);
    const tw_host *host = TW_HOST(w);
    page *p = &w->page;
    tw_text message;
    tw_walk walk;

    if (!s) return TW_ERROR;
    page_string(p, "{\"time\":\"");
    page_time(p, host, &w->json.moment, e->time);
    page_string(p, "\",");
    page_put(p, s->text.at + s->head, s->text.n - s->head);
    put_named(w, e, "\"level\":", TW_X_LEVEL, t->level, t->level_name);
    put_named(w, e, "\"task\":", TW_X_TASK, t->task, t->task_name);
    put_named(w, e, "\"opcode\":", TW_X_OPCODE, t->opcode, t->opcode_name);
    if (w->keywords) put_keywords(w, e);
    page_string(p, ",\"pid\":");
    page_unsigned(p, e->pid);
    page_string(p, ",\"tid\":");
    page_unsigned(p, e->tid);
    page_string(p, ",\"cpu\":");
    page_unsigned(p, e->cpu);
    page_string(p, ",\"bytes\":");
    page_unsigned(p, e->bytes);
    if (w->activity) {
        put_id(w, e, "\"activity\":", TW_X_ACTIVITY);
        put_id(w, e, "\"related\":", TW_X_RELATED);
    }
    if (t->message && TW_CAN(host, words) && host->words(w, b, e, TW_WORDS_MESSAGE, &message) == TW_OK) {
        put_member(p, "\"message\":");
        json_string(p, message.at, message.bytes);
    }
    if (host->walk(w, b, e, &walk) == TW_OK) {
        put_fields(w, t, s, &walk);
        put_rest(w, t, e, &walk);
    }
    if (w->stacks) put_stack(w, e);
    page_string(p, "}\n");
    return p->n < PAGE_FULL && !p->failed ? TW_OK : page_write(p, w, w->to);
}

/* What little came is handed on with its batch, so that who reads along does not wait for a page to be full. */
static int write_events(void *self, tw_batch *b)
{
    writer *w = self;
    int status = TW_OK;

    for (uint32_t i = 0; i < b->n && status == TW_OK; i++) status = put_event(w, b, &b->event[i]);
    return status == TW_OK ? page_write(&w->page, self, w->to) : status;
}

static void close_writer(void *self)
{
    writer *w = self;

    for (uint32_t i = 0; i < TW_TYPES; i++) {
        if (!w->shape[i]) continue;
        page_free(&w->shape[i]->text);
        free(w->shape[i]->label);
        free(w->shape[i]);
        w->shape[i] = NULL;
    }
    page_free(&w->page);
    page_free(&w->json.scratch);
}

const tw_stage json_events = {
    .size = sizeof(tw_stage),
    .name = "events",
    .help = "Write events as JSON, an object a line, with their fields as an object in it.",
    .state = sizeof(writer),
    .options = options,
    .open = open_writer,
    .events = write_events,
    .close = close_writer,
};
