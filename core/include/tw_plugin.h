/* tw_plugin.h - the whole contract between the host and a plugin.

   A plugin is a shared library that exports one constant, tw_plugin_v1, naming
   its stages. A stage is a source if it can `read`, a server if it has `run` and
   nothing else, otherwise it works on what passes by: events or rows or both.

   The rules
   1. An instance is never entered by two threads at once, though the thread may
      change from call to call. Only `extra` may be called at any time from any
      thread: it looks at e->record and at nothing that changes.
   2. A batch, or a block of rows, is yours while you are called: edit, drop and
      reorder what is in it, but not back in time. What an event points to is
      read-only and lasts with the batch; who changes it puts a copy in its arena.
   3. What is left in it when you return goes on; a stage without the callback
      for something lets that something pass.
   4. Bad input is counted, not fatal. What you cannot go on from is
      `return tw_fail(self, "why")`.
   5. Structs that begin with `size`, and those the host makes, may grow at the
      end; all others stay as they are. Zero means absent.
   6. Text is UTF-8 and belongs to its maker; integers are little-endian; time is
      nanoseconds since 1970 in UTC. 64-bit machines only. */
#ifndef TW_PLUGIN_H
#define TW_PLUGIN_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define TW_ABI_MAJOR 1 /* in the exported symbol's name */
#define TW_ABI_MINOR 1 /* goes up when something is added */
#ifdef __cplusplus
extern "C" {
#endif

/*cdef: LuaJIT reads from here on, so plain declarations only */

enum { TW_OK = 0, TW_END = 1, TW_AGAIN = 2, TW_ERROR = -1 };

/* ---- What data looks like ---------------------------------------------- */

enum tw_kind {
    TW_BOOL = 1, TW_U8, TW_U16, TW_U32, TW_U64, TW_I8, TW_I16, TW_I32, TW_I64,
    TW_F32, TW_F64,
    TW_POINTER,   /* 4 or 8 bytes, by tw_type.pointer; in rows a uint64_t */
    TW_BOOL32,    /* 4 bytes in payloads */
    TW_TIME,      /* int64_t, ns since 1970 */
    TW_SPAN,      /* int64_t, ns */
    TW_TICKS, TW_TICK_SPAN, /* payloads: 8 bytes (or a pointer) of the source's clock;
                     `get` gives TW_TIME, TW_SPAN by the source's `clock` */
    TW_FILETIME, TW_SYSTEMTIME,   /* payloads; `get` gives TW_TIME */
    TW_GUID, TW_IP4, TW_IP6, TW_SOCKADDR,
    TW_SID,       /* 8 + 4n bytes */
    TW_TOKENSID,  /* two pointers, then a SID; 4 zero bytes where there is none */
    TW_TEXT,      /* UTF-8; in rows a tw_text */
    TW_TEXT8, TW_TEXT16,          /* payloads: code page 1252; UTF-16LE */
    TW_BYTES,     /* in rows a tw_text */
    TW_STRUCT     /* payloads: the fields that name this one as `parent` */
};

enum tw_show {    /* how people write it, where its kind does not tell */
    TW_SHOW_PLAIN, TW_SHOW_HEX, TW_SHOW_ADDRESS, TW_SHOW_CODE,
    TW_SHOW_PORT, /* a U16 of a payload is big-endian then; `get` and `walk` give the number */
    TW_SHOW_IP4, TW_SHOW_NTSTATUS, TW_SHOW_WIN32, TW_SHOW_HRESULT, TW_SHOW_PID,
    TW_SHOW_TID, TW_SHOW_CHAR, TW_SHOW_XML, TW_SHOW_JSON, TW_SHOW_HIDE
};

enum tw_extent {  /* where a length (`bytes`) or a count comes from */
    TW_ONE,       /* count: a scalar. bytes: by its kind, or to its terminator */
    TW_FIXED,     /* the number itself; in characters for TEXT16 */
    TW_FIELD,     /* what the earlier field of that index says (same element of a struct, else outer); likewise */
    TW_PREFIX1, TW_PREFIX2, TW_PREFIX4, TW_PREFIX2BE, /* stands before it in the payload, 1, 2, 4 bytes; BE: big-endian */
    TW_REST,      /* to the end of the payload */
    TW_IF_LEFT    /* count: one if bytes are left, else none */
};

typedef struct tw_text { const char *at; uint32_t bytes, unused; } tw_text;
typedef struct tw_list { const void *at; uint32_t n, unused; } tw_list; /* cell of a list column */
typedef struct tw_name { uint64_t value; const char *name; } tw_name;
typedef struct tw_names {   /* what a number is called */
    uint32_t size, n, flags, unused;      /* TW_BITS: names are of bits */
    const tw_name *name;    /* ascending */
} tw_names;

typedef struct tw_field {   /* 64 bytes: a payload's field or a table's column */
    const char     *name;
    const char     *help;
    const tw_names *names;
    uint8_t  kind, show;
    uint8_t  flags;         /* TW_NULLABLE, TW_LIST (columns) */
    uint8_t  depth;         /* of structs around it */
    uint8_t  bytes_by, count_by; /* enum tw_extent */
    uint16_t parent;        /* 1 + index of its struct; 0: none */
    uint32_t bytes, count;  /* number or field index, by the above */
    uint16_t after;         /* host: 1 + the field from whose end offset counts; 0: the start */
    uint16_t members;       /* struct: how many fields follow that belong to it, all levels */
    uint32_t offset;        /* host: filled in when the type is published */
    uint64_t unused[2];
} tw_field;

enum { TW_NULLABLE = 1, TW_LIST = 2, TW_BITS = 1, TW_TYPES = 65536 };
enum { TW_DESCRIBES = 1 /* its events tell how others are read */, TW_CLASSIC = 2 /* named by class and opcode */ };

typedef struct tw_type {    /* one type of event, for good once published */
    uint32_t        size, id;             /* id: the host's; tw_event.type */
    const char     *provider, *name;      /* "DiskIo", "Read" */
    const char     *key;                  /* the source's own name for the provider, if not the guid */
    const char     *origin;               /* which schema: "built in", "in the event", "x.man", NULL none */
    uint8_t         guid[16];
    uint64_t        keyword;
    uint32_t        number;
    uint8_t         version, opcode, level, pointer; /* pointer: 4 or 8 */
    uint16_t        task, channel;
    uint32_t        nfields, flags;       /* TW_DESCRIBES, TW_CLASSIC */
    const tw_field *field;
    const char     *why;                  /* where origin is NULL: why no field is known */
    /* since minor 1: */
    const char     *message;              /* "%1 opened %2!s!": %n is the n-th field of depth 0 */
    const char     *task_name, *opcode_name, *level_name, *channel_name;
    const tw_names *keywords;             /* of its provider: bits */
} tw_type;

typedef struct tw_table {   /* one table of typed columns */
    uint32_t        size, ncols;
    const char     *name, *help;
    const tw_field *col;
} tw_table;

/* ---- What moves -------------------------------------------------------- */

typedef struct tw_event {   /* 48 bytes */
    int64_t         time;
    const uint8_t  *data;   /* payload, where the source found it */
    const uint8_t  *record; /* the source's raw record, for `extra`; or NULL */
    uint32_t        bytes;  /* of payload */
    uint32_t        type;   /* of tw_type; 0: unknown */
    uint32_t        pid, tid;
    uint16_t        cpu;
    uint16_t        source; /* which source of the pipeline */
    uint32_t        flags;
} tw_event;

typedef struct tw_batch {
    uint32_t  n, cap;
    tw_event *event;
    int64_t   upto;         /* nothing earlier than this comes later */
    void     *host;
} tw_batch;

typedef struct tw_rows {    /* columns; a cell is its kind's C type */
    const tw_table *table;
    uint32_t  n, cap;
    void    **col;
    uint8_t **null;         /* null[c][row]; null[c] is 0 where no cell is null */
    void     *host;
} tw_rows;

typedef struct tw_value {   /* 24 bytes */
    uint8_t  kind, show;
    uint16_t unused;
    uint32_t count;         /* elements at t.at, if it is a whole array */
    union { uint64_t u; int64_t i; double f; tw_text t; };
} tw_value;

enum tw_extra {             /* what lies outside the payload; item-th of its kind */
    TW_X_TICKS = 1, TW_X_KEYWORD, TW_X_LEVEL, TW_X_OPCODE, TW_X_TASK, TW_X_CHANNEL,
    TW_X_KERNEL_TIME, TW_X_USER_TIME, TW_X_ACTIVITY, TW_X_RELATED, TW_X_SID,
    TW_X_STACK,             /* addresses, innermost first */
    TW_X_STACK_MATCH, TW_X_STACK_KEY, TW_X_COUNTERS, TW_X_OFFSET /* in the input */,
    TW_X_ITEM = 0x1000      /* + the format's own number: raw bytes */
};

typedef struct tw_clock {   /* how ticks at an event become time */
    int64_t ticks, time;    /* the same moment in both */
    int64_t hz, begin, end; /* of the input, ns since 1970; end 0: not known */
} tw_clock;

typedef struct tw_walk {    /* a pass over an event's fields, in payload order */
    const tw_type  *type;
    const tw_event *event;
    int32_t  field;         /* the one just given */
    uint32_t index, depth;  /* element of it; structs around it */
    uint32_t faults;        /* what was cut short or did not fit */
    uint32_t left;          /* since minor 1: bytes of the payload that no field has taken yet */
    uint64_t host[40];
} tw_walk;

/*cdef end*/

/* ---- What a stage is made of ------------------------------------------- */

typedef struct tw_input tw_input;
typedef struct tw_output tw_output;
enum tw_option_kind {       /* member's C type */
    TW_OPT_BOOL = 1,        /* int */
    TW_OPT_INT,             /* int64_t, "64k", "2M" */
    TW_OPT_FLOAT,           /* double */
    TW_OPT_TEXT,            /* const char * */
    TW_OPT_CHOICE,          /* int, place in help's "a|b|c: ..." */
    TW_OPT_SPAN,            /* int64_t, "5ms" */
    TW_OPT_TIME,            /* int64_t */
    TW_OPT_LIST,            /* const char *const *, ends with NULL */
    TW_OPT_INPUT,           /* tw_input *: a file or, with "-", standard input */
    TW_OPT_INPUTS,          /* tw_input *const *, ends with NULL; help "*.man|*.xml: ...": of archives, folders */
    TW_OPT_OUTPUT,          /* tw_output *: a file, the terminal, an answer */
    TW_OPT_FOLDER           /* const char *; files in it by `create` */
};

typedef struct tw_option {
    const char *name;
    const char *value;      /* default, as a user would write it; NULL: required; "$TRACEWEIR_X": that variable's */
    const char *help;
    uint32_t    kind, offset;
} tw_option;

#define TW_OPTION(type, member, kind, value, help) \
    { #member, value, help, kind, (uint32_t)offsetof(type, member) }

typedef struct tw_counter { const char *name, *help; int severity; } tw_counter;
enum { TW_DEBUG, TW_INFO, TW_WARNING, TW_LOST, TW_SKIPPED, TW_FAULT };
/* LOST: by the recording; SKIPPED: by us, exit status 3 */

typedef struct tw_host tw_host;

typedef struct tw_self {    /* a stage's state begins with this */
    const tw_host        *host;
    void                 *instance;
    uint64_t             *count;   /* one for each of the stage's counters */
    const tw_type *const *type;    /* by tw_event.type, 0 too; never moves */
    uint32_t              previewed, unused; /* a preview pass was made */
} tw_self;

typedef struct tw_stage {
    uint32_t    size, flags;
    const char *name, *help;
    size_t      state;                 /* bytes; zeroed, then options filled in */
    const tw_option      *options;     /* these end with a zeroed one */
    const tw_counter     *counters;
    const char     *const *wants;      /* events it looks at, "Provider/Event", "*" as wildcard;
                                          NULL: all. A batch holds the others, too: it leaves
                                          them in, as they are. */
    const char     *const *preview_wants; /* likewise, in the preview pass */
    const char     *const *reads;      /* names of tables, likewise */
    const tw_table *const *makes;

    int  (*open  )(void *self);
    int  (*read  )(void *self, tw_batch *b);         /* append up to cap; TW_END with the last */
    int  (*rewind)(void *self);                      /* TW_REWIND: read from the start again */
    int  (*extra )(void *self, const tw_event *e, uint32_t what, uint32_t item, tw_value *v);
    int  (*clock )(void *self, const tw_event *e, tw_clock *c);   /* like extra */
    int  (*type  )(void *self, const tw_type *t);    /* one it wants, before its first event */
    int  (*preview)(void *self, tw_batch *b);        /* look only */
    int  (*events)(void *self, tw_batch *b);
    int  (*table )(void *self, const tw_table *t);   /* one it reads, before its first row */
    int  (*rows  )(void *self, tw_rows *r);
    int  (*tick  )(void *self);                      /* now and then, when nothing moves */
    int  (*end   )(void *self);                      /* no more comes: let go of the rest */
    int  (*run   )(void *self);                      /* stands alone: until done or stopped */
    void (*close )(void *self);                      /* after a failed open, too */
} tw_stage;

enum { TW_UNORDERED = 1,    /* a source: may step back in time, so the host sorts */
       TW_REWIND = 2, TW_LIVE = 8 }; /* can `rewind`; what it does not take in time is lost */

typedef struct tw_plugin {
    uint32_t    size;
    uint16_t    minor, needs;          /* made with, and the least it can do with */
    const char *name, *version, *license;
    const tw_stage *const *stages;
} tw_plugin;

/* ---- What the host offers ---------------------------------------------- */

struct tw_host {
    uint32_t size, minor;
    int   (*fail)(void *self, const char *format, ...);            /* TW_ERROR; exit status 1 */
    int   (*misuse)(void *self, const char *format, ...);          /* TW_ERROR; exit status 2 */
    void  (*log)(void *self, int severity, const char *format, ...);
    int   (*stopped)(void *self);                                  /* then return soon */
    void  (*progress)(void *self, uint64_t done, uint64_t total);

    /* types, and what is in and around a payload */
    uint32_t (*publish)(void *self, const tw_type *t);             /* copied; its id; 0: refused, logged */
    int   (*wanted)(void *self, uint32_t type);                    /* by anyone downstream */
    int   (*field)(const tw_type *t, const char *name);            /* index or -1 */
    int   (*get)(void *self, tw_batch *b, const tw_event *e, int field, tw_value *v);
                     /* TW_OK; TW_END: this event has no such value (cut short, optional, in an array) */
    int   (*walk)(void *self, tw_batch *b, const tw_event *e, tw_walk *w);
    int   (*next)(tw_walk *w, tw_value *v);                        /* TW_OK, TW_END */
    int   (*extra)(void *self, const tw_event *e, uint32_t what, uint32_t item, tw_value *v);
    int   (*clock)(void *self, const tw_event *e, tw_clock *c);
    int   (*print)(const tw_field *f, const tw_value *v, char *out, size_t cap); /* UTF-8 as every sink
                     writes it, always ended by 0; the length it needs, like snprintf. f may be NULL */
    /* memory: as long as the batch, the block of rows, or the pipeline */
    void *(*alloc)(tw_batch *b, size_t bytes);
    void *(*cell)(tw_rows *r, size_t bytes);
    void  (*keep)(tw_batch *b, void (*release)(void *), void *arg); /* called by any thread */
    const char *(*intern)(void *self, const char *text, size_t n); /* equal text, equal pointer */
    /* sending on what was not in the batch */
    tw_batch *(*batch)(void *self);
    int   (*emit)(void *self, tw_batch *b);
    tw_rows *(*table)(void *self, const tw_table *t);
    int   (*push)(void *self, tw_rows *r);                         /* and empties it */

    /* files: the host's, so that they are whole or marked */
    const char *(*input)(tw_input *i, uint64_t *bytes);            /* name; bytes ~0: not known */
    const uint8_t *(*at)(tw_input *i, uint64_t offset, size_t n, void **window); /* for keep() */
    void  (*unmap)(void *window);
    ptrdiff_t (*receive)(tw_input *i, void *bytes, size_t n);      /* streams; 0 at the end */
    tw_input  *(*open)(void *self, const char *path);
    tw_output *(*create)(void *self, const char *path);            /* temporary until finish */
    int   (*write)(tw_output *o, const void *bytes, size_t n);
    int   (*rewrite)(tw_output *o, uint64_t offset, const void *bytes, size_t n); /* of what was written before;
                     TW_END where that is not possible: standard output, .zst */
    int   (*finish)(tw_output *o, int keep);                       /* fsync, rename; or drop */

    /* services among the stages of a chain, and of the host: "tw.world/1" */
    int   (*offer)(void *self, const char *id, const void *functions);
    const void *(*extension)(void *self, const char *id);          /* nearest before this stage */
    int   (*words)(void *self, tw_batch *b, const tw_event *e, int what, tw_text *out); /* since minor 1 */
};
enum { TW_WORDS_FIELDS, TW_WORDS_MESSAGE }; /* "Name=value Name=value"; the type's message, TW_END: none */

/* ---- Helpers ----------------------------------------------------------- */

#define TW_HOST(self)        (((tw_self *)(self))->host)
#define TW_CAN(host, what)   ((host)->size > offsetof(tw_host, what) && (host)->what)
#define tw_fail(self, ...)   TW_HOST(self)->fail((self), __VA_ARGS__)
#define tw_log(self, s, ...) TW_HOST(self)->log((self), (s), __VA_ARGS__)
#define tw_count(self, c, n) (void)(((tw_self *)(self))->count[c] += (n))

static inline int tw_has(const tw_event *e, uint32_t at, uint32_t bytes)
{
    return at <= e->bytes && bytes <= e->bytes - at;
}

static inline uint16_t tw_u16(const void *p) { uint16_t v; memcpy(&v, p, sizeof v); return v; }
static inline uint32_t tw_u32(const void *p) { uint32_t v; memcpy(&v, p, sizeof v); return v; }
static inline uint64_t tw_u64(const void *p) { uint64_t v; memcpy(&v, p, sizeof v); return v; }

/* One cell as a value: 1, or 0 where it is null. A list: v->count elements of the column's kind at t.at. */
static inline int tw_cell(const tw_rows *r, uint32_t col, uint32_t row, tw_value *v)
{
    const tw_field *f = &r->table->col[col];
    const uint8_t *at = (const uint8_t *)r->col[col];

    memset(v, 0, sizeof *v);
    v->kind = f->kind;
    v->show = f->show;
    if (r->null[col] && r->null[col][row]) return 0;
    if (f->flags & TW_LIST) {
        tw_list l;
        memcpy(&l, at + row * sizeof l, sizeof l);
        v->t.at = (const char *)l.at;
        v->count = l.n;
        return 1;
    }
    switch (f->kind) {
    case TW_BOOL: case TW_U8: v->u = at[row]; break;
    case TW_I8:  v->i = (int8_t)at[row]; break;
    case TW_U16: v->u = ((const uint16_t *)r->col[col])[row]; break;
    case TW_I16: v->i = ((const int16_t *)r->col[col])[row]; break;
    case TW_U32: case TW_BOOL32: v->u = ((const uint32_t *)r->col[col])[row]; break;
    case TW_I32: v->i = ((const int32_t *)r->col[col])[row]; break;
    case TW_F32: v->f = ((const float *)r->col[col])[row]; break;
    case TW_IP4: v->t.at = (const char *)at + row * 4; v->t.bytes = 4; break;
    case TW_GUID: case TW_IP6: v->t.at = (const char *)at + row * 16; v->t.bytes = 16; break;
    case TW_TEXT: case TW_BYTES: case TW_SID: case TW_SOCKADDR:
        memcpy(&v->t, at + row * sizeof v->t, sizeof v->t); break;
    default: memcpy(&v->u, at + row * 8, 8); break;
    }
    return 1;
}

/* TW_PLUGIN(etl, "1.0", "MIT", &read_stage, &dump_stage); built into the host,
   the same line makes tw_plugin_v1_etl instead. */
#if defined(_WIN32)
#define TW_EXPORT __declspec(dllexport)
#else
#define TW_EXPORT __attribute__((visibility("default")))
#endif
#ifdef __cplusplus
#define TW_EXTERN extern "C"
#else
#define TW_EXTERN extern
#endif
#ifdef TW_BUILTIN
#define TW_SYMBOL(name) tw_plugin_v1_##name
#else
#define TW_SYMBOL(name) tw_plugin_v1
#endif
#define TW_PLUGIN(name, version, license, ...)                                 \
    static const tw_stage *const tw_stages_##name[] = { __VA_ARGS__, NULL };   \
    TW_EXTERN TW_EXPORT const tw_plugin TW_SYMBOL(name);                       \
    const tw_plugin TW_SYMBOL(name) = { sizeof(tw_plugin), TW_ABI_MINOR, 0,    \
        #name, version, license, tw_stages_##name }

#ifdef __cplusplus
}
#endif
#endif
