/* message.h - what an event says: its type's message with its values in it.

   Manifests, TraceLogging and TMF files all bring sentences with places for values. One idea: the walk over the payload
   is made once, and each value waits until the message asks for it.

   The language is the one of Windows' message tables:
     %1 … %99     the value of the n-th field of depth 0, as every sink writes it; of an array all elements, with ", "
                  between them; `?` where the event has no such value. Where the type has no such field it stays as it is.
     %1!spec!     as printf would: flags - + 0 # and blank, width, .precision, one of d i u o x X c p e E f g G a A s S Z;
                  a size (h l w I64 …) may stand before it and changes nothing, since a value knows its own, but for h,
                  which cuts numbers to 16 bits. What a letter cannot write is written as by %1. `x` writes bytes as hex,
                  and a flag of ours, the comma, puts commas between the names of bits.
     %0           ends the message
     %n %r %t %b  line feed, carriage return, tab, blank; % before anything else stands for that: %% %! %.  */
#ifndef MESSAGE_H
#define MESSAGE_H

#include "type.h"

enum { MESSAGE_MAX = 256 << 10 }; /* bytes of one; what is longer ends in … */

/* Appended to out: any characters that are in the message and in the values; nothing where the type has no message. */
void message_text(const tw_type *t, const tw_event *e, const decode *d, text *out);

#endif
