/* fuzz_library.c - any bytes as a shared library, in both forms: judged without a crash, and refused with a sentence.

   What is found good is good however much follows it, for what is loaded is there; and cut off before its first header
   it is refused. The seeds are the smallest headers that are good, written field by field. */
#include <stdlib.h>
#include <string.h>

#include "library.h"
#include "tw_plugin.h"

static int judge(const uint8_t *bytes, size_t n, enum library_form form)
{
    text why = { 0 };
    int rc = library_check_bytes(bytes, n, form, &why);

    if (rc == TW_OK ? why.n > 0 : rc != TW_ERROR || !why.n) abort();
    text_free(&why);
    return rc;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    for (enum library_form form = LIBRARY_ELF; form <= LIBRARY_PE; form++) {
        if (judge(bytes, n, form) != TW_OK) continue;
        uint8_t *longer = malloc(n + 100);
        memcpy(longer, bytes, n);
        memset(longer + n, 0xAA, 100);
        if (judge(longer, n + 100, form) != TW_OK || judge(longer, 63, form) == TW_OK) abort();
        free(longer);
    }
    return 0;
}
