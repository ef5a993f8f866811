/* type.h - event types, and how a payload becomes fields.

   A source publishes each type once, with a table of fields; whoever wants a field gets it lazily
   from the borrowed payload. One idea: all that can be wrong with a field table is checked when it
   is published, all that can be wrong with a payload when it is read, so neither may crash. */
#ifndef TYPE_H
#define TYPE_H

#include "arena.h"
#include "text.h"
#include "tw_plugin.h"

/* Limits, since traces may be hostile. */
enum {
    TYPE_MAX_FIELDS = 4096,     /* of one type */
    TYPE_MAX_DEPTH = 8,         /* structs in structs */
    TYPE_MAX_BYTES = 256 << 20, /* names, helps and fields of all types */
    TYPE_MAX_CELLS = 65536      /* values given by one walk */
};

typedef struct types types;

types *types_new(void);
void types_free(types *r);
uint32_t types_count(const types *r);              /* ids are 1 … count; 0 is the unknown type, present too */
const tw_type *const *types_table(const types *r); /* by id, TW_TYPES entries, never moves */
uint32_t types_publish(types *r, const tw_type *t, text *why);   /* a deep copy; 0: refused, with the reason */
const char *types_intern(types *r, const char *bytes, size_t n); /* equal text, equal pointer; lives as long as r */

/* What decoding needs beside the event. clock may be NULL: then ticks are given as TW_TICKS numbers. */
typedef struct decode {
    arena *memory; /* for text that must be converted; as long as the batch */
    int (*clock)(void *context, const tw_event *e, tw_clock *c);
    void *context;
} decode;

/* In what follows t is a published type, as types_table has it. */
int type_field(const tw_type *t, const char *name); /* index or -1; "Outer.Inner" for a member of a struct */
/* TW_OK, or TW_END where the event has no such value. The value: TEXT8/16 become TW_TEXT, BOOL32 BOOL, POINTER U64,
   FILETIME/SYSTEMTIME/TICKS TW_TIME, TICK_SPAN TW_SPAN; SID, TOKENSID → TW_SID bytes; SOCKADDR, GUID, IP*, BYTES: t.at/t.bytes
   into the payload. An array of scalars (count_by not TW_ONE/TW_IF_LEFT): only by walk. */
int type_get(const tw_type *t, const tw_event *e, int field, const decode *d, tw_value *v);
/* A pass over all values in payload order. A struct is given once for each element, before its members, with kind
   TW_STRUCT and no value; w->index counts elements, w->depth the structs around. Where a field's bytes say that there
   is no value (an optional one, no SID, a FILETIME of 0), nothing is given for it. The first value that is cut short
   ends the pass; of text and bytes the part that is there is given. w->faults counts what was cut short or did not fit,
   w->left the bytes that were not decoded, also before the end. */
void type_walk(const tw_type *t, const tw_event *e, const decode *d, tw_walk *w);
int type_next(tw_walk *w, tw_value *v); /* TW_OK, TW_END */

/* The event's whole payload as text: `Name=value Name=value`, arrays as [a, b], structs as {…}; or where no field is known
   `0x…` hex and the reason in brackets. For people and for the column `payload`. Appended to out. */
void type_text(const tw_type *t, const tw_event *e, const decode *d, text *out);

/* tw_host.print: a value as every sink writes it. */
int value_print(const tw_field *f, const tw_value *v, char *out, size_t cap);

int guid_print(const uint8_t guid[16], char *out); /* 36 lower-case characters and 0; their number */
int guid_parse(const char *s, uint8_t guid[16]);   /* 1 if s is one, in braces or not */

#endif
