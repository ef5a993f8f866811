/* type_pick.c - the types of events that a person's word means.

   One idea: a person knows a part of a name: the provider without the company in front of it, the event alone, its
   number, or a GUID; case does not matter. Only the stage `types` is so free: elsewhere a name means one thing. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bus.h"
#include "layout.h"
#include "stock.h"
#include "text.h"
#include "type.h"

/* The word is the name, its part behind a `-` or a `.`, or a pattern of either. */
static int fits_name(const char *word, const char *name)
{
    char *plain = mem_lower(name, strlen(name));
    int fits = text_fits(word, plain);

    for (const char *c = plain; *c && !fits; c++) fits = (*c == '-' || *c == '.') && text_fits(word, c + 1);
    free(plain);
    return fits;
}

static int fits_provider(const char *word, const tw_type *t)
{
    const char *key = layout_of(t)->key;
    tw_value guid = { .kind = TW_GUID, .t = { (const char *)t->guid, 16, 0 } };
    char written[64] = "";

    if (!*word || fits_name(word, t->provider) || (key && text_fits(word, key))) return 1;
    value_print(NULL, &guid, written, sizeof written);
    return text_fits(word, written);
}

static int fits_event(const char *word, const tw_type *t)
{
    char number[16];

    snprintf(number, sizeof number, "%u", t->number);
    return !strcmp(word, number) || fits_name(word, t->name);
}

static int means(const char *word, const tw_type *t)
{
    size_t n = strcspn(word, "/");
    char *provider = mem_lower(word, n), *event = word[n] ? mem_lower(word + n + 1, strlen(word) - n - 1) : NULL;
    int fits = event ? fits_provider(provider, t) && fits_event(event, t)
                     : fits_provider(provider, t) || fits_name(provider, t->name);

    free(provider);
    free(event);
    return fits;
}

int type_meant(const tw_type *t, const char *const *words)
{
    while (*words && !means(*words, t)) words++;
    return *words != NULL;
}

/* The nearest of all providers and events; NULL: none is near. */
static const char *nearest(const types *all, const char *word)
{
    const char **names = mem_new((2 * (size_t)types_count(all) + 1) * sizeof *names);
    const char *event = strchr(word, '/');
    size_t n = 0;

    for (uint32_t id = 1; id <= types_count(all); id++) {
        const tw_type *t = types_table(all)[id];
        if (!event) names[n++] = t->provider;
        names[n++] = t->name;
    }
    const char *near = text_nearest(event ? event + 1 : word, names, n);
    free((void *)names);
    return near;
}

void type_meant_none(void *self, const char *const *words)
{
    const types *all = bus_types(self);

    for (; *words; words++) {
        uint32_t id = types_count(all);
        while (id && !means(*words, types_table(all)[id])) id--;
        const char *near = id ? NULL : nearest(all, *words);
        if (id) continue;
        if (near)
            tw_log(self, TW_WARNING, "no provider or event is called '%s'; did you mean '%s'?", *words, near);
        else
            tw_log(self, TW_WARNING, "no provider or event is called '%s'; '*' stands for anything", *words);
    }
}
