/* expr.h - conditions on events: pid == 4 and TransferSize > 64*KiB.

   One idea: an expression is read once into a tree; for each type of event everything that the type decides is
   worked out ahead, and what is left is a short program that touches only the bytes it compares. Most types end
   as a plain yes or no. No condition can loop or call back, and patterns run within bounds, so strangers may write them.

   The language
     names       those of name.h: pid, provider, TransferSize, Outer.Inner, payload.time; `Process ID` in backquotes
     numbers     250  0x1F  0.5  64KiB  5ms  10s, and KiB MiB GiB KB MB GB us ms s min h to multiply by: 64*KiB
     text        'svchost.exe' or "svchost.exe"; a doubled quote stands for one ('it''s'), a backslash for itself.
                 It is read as what it is compared with: a moment ('2026-11-30T08:15'), a GUID, an address
                 ('10.0.0.1') or the name of a number (TransferFlags == 'Nocache')
     others      true, false, null (x == null is not exists(x))
     arithmetic  + - * / %  &      & (bits) binds weaker than + and stronger than ==
     comparison  == ~= (also !=) < <= > >=  in (a, b)  in {a, b}  not in (a, b)
     of text     x starts 'a'   x ends 'a'   x has 'a'   x matches '^a.*[.]exe$' (a regular expression of PCRE2); case
                 matters, in a pattern it does not behind (?i). Flags has 'Nocache' asks for a bit by its name
     conditions  and, or, not, (...), exists(name), and a name that is true or false

   Its meaning
   - Integers are exact from -2^63 to 2^64-1; what leaves that range goes on as a float. `/` divides as on paper: 7/2
     is 3.5. `%` takes the sign of its right side. Division by zero is absent.
   - `time < 10s` counts from the start of the trace; `time < '2026-11-30T08:15'` is a moment in UTC.
   - A name that a type lacks, and a value that an event was cut short of, is absent. A comparison with an absent
     value is false, ~= and `not in` too; `not` of it is true: there are two truth values only.
   - A pattern that takes too long on a text, or meets one of more than 64 KiB, does not match it; that is counted.
   - A comparison that can have no sense (pid == 'x') is refused when it is read, where the kinds are known by then.
     Payload fields are known later: there it is false, and a remark at the end if it had sense for no type at all. */
#ifndef EXPR_H
#define EXPR_H

#include "type.h"

typedef struct expr expr;

/* NULL where `source` is no condition; then why says where and what instead: "column 9: no operator '='; …". */
expr *expr_new(const char *source, text *why);
void expr_free(expr *x); /* x may be NULL */
/* Prepares for events of a type; expr_keep does it for those it finds unprepared. TW_ERROR: too large; why tells. */
int expr_type(expr *x, const tw_type *t, text *why);
/* All events of this type fit from now on, whatever the condition says. */
void expr_let_pass(expr *x, uint32_t type);
/* What is known of a type without looking at an event (after expr_type): 1 all fit, 0 none does, -1 it depends. */
int expr_known(const expr *x, uint32_t type);
/* Leaves in b the events that fit, in their order; where patterns run and the run is stopped, those so far. self: a
   stage's instance, as name_get takes it. */
int expr_keep(expr *x, void *self, tw_batch *b, text *why);
/* Texts so far that patterns gave up on, so that events may be missing. */
uint64_t expr_given_up(const expr *x);
/* What a person should be told when all is over: names that no event had, comparisons that never had sense. */
void expr_remarks(const expr *x, const types *r, void (*each)(void *context, const char *sentence), void *context);

#endif
