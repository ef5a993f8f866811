/* search.c - looking through the whole trace for records that describe others.

   What a merged trace says of its events stands behind them, and an EventSource may send its manifest again at the end.
   One idea: all buffers are walked once, header by header, and only when an event is met that needs it. */
#include "read.h"

static void learn_from(etl_read *s, const block *b)
{
    record r;

    for (uint32_t at = ETW_BUFFER_HEADER; at < b->end;) {
        int broken = 0;

        if (record_read(b->at + at, b->end - at, &r) != RECORD_GOOD) return; /* counted when it is read */
        at += (r.size + (ETW_PAD - 1)) & ~(uint32_t)(ETW_PAD - 1);
        if (r.kind != RECORD_EVENT && r.kind != RECORD_CLASSIC) continue;
        if (schemas_learn(&s->learn.known, &r, &broken) && broken) s->tw.count[COUNT_DESCRIPTIONS]++;
    }
}

void read_search(etl_read *s)
{
    s->searched = 1;
    for (size_t i = 0; i < s->index.n && !s->tw.host->stopped(s); i++) {
        const entry *e = &s->index.entry[i];
        block *b = block_open(s->tw.host, s->file[e->file], &s->index.session[e->session], e);

        if (!b) return; /* no memory: the reader meets it again, and says so */
        learn_from(s, b);
        block_let_go(b);
    }
}
