/* tdh.h - the types of manifest fields.

   Windows numbers how a field lies in the payload (its in-type) and how it is meant (its out-type); manifests, event
   metadata in traces and the built-in provider tables share these numbers, TraceLogging has its own for the latter. One
   idea: a pair of numbers becomes one tw_field, in one place. */
#ifndef ETW_TDH_H
#define ETW_TDH_H

#include "tw_plugin.h"

/* Sets kind, show, bytes_by (and for prefixed types nothing else) of a field of that type by itself: without length or
   count of its own. 0: the in-type is not known; what follows such a field cannot be found. */
int tdh_field(unsigned in_type, unsigned out_type, tw_field *f);
/* Gives it a length: of fixed size, or as the earlier field `index` says. For strings in characters, else bytes. */
void tdh_length_fixed(unsigned in_type, uint32_t length, tw_field *f);
void tdh_length_field(unsigned in_type, uint32_t index, tw_field *f);
/* To be called when the count of a field is set: an array of characters becomes one text of that length. */
void tdh_array(unsigned in_type, tw_field *f);

int tdh_in_type(const char *name);  /* "win:UnicodeString" or without prefix, any case; -1: none */
int tdh_out_type(const char *name); /* "xs:string", "win:HexInt32"; -1: none */

#endif
