/* refuse.c - saying what a file is that is no trace. */
#include "refuse.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../common/etw/buffer.h"
#include "../common/text/utf8.h"

static const struct magic {
    uint8_t n;
    const char *bytes, *what;
} magics[] = {
    { 4, "RlFs",
      "a real-time backup file (it begins with RlFs): buffers of a session that nobody had read yet, without "
      "the header that tells their clock. Record the session to a file instead" },
    { 4, "PK\3\4", "a zip archive: unpack it and give the .etl inside" },
    { 4, "MSCF", "a cabinet archive: unpack it and give the .etl inside" },
    { 6, "7z\xBC\xAF\x27\x1C", "a 7z archive: unpack it and give the .etl inside" },
    { 2, "\x1F\x8B", "gzip-compressed: unpack it first" },
    { 8, "ElfFile\0", "an event log (.evtx)" },
    { 4, "\x0A\x0D\x0D\x0A", "a packet capture (pcapng)" },
    { 4, "PAR1", "a Parquet file" },
    { 2, "MZ", "a Windows program or library" },
};

/* UTF-8 without control characters; the last character may be cut off. */
static int is_text(const uint8_t *at, size_t n)
{
    const uint8_t *end = at + n;
    uint32_t code;

    while (at < end) {
        size_t bytes = utf8_read(at, end, &code);
        if (bytes == 0) return n > 3 && end - at < 4;
        if (code < 0x20 ? code != '\t' && code != '\n' && code != '\r' : code == 0x7F) return 0;
        at += bytes;
    }
    return 1;
}

static int is_zero(const uint8_t *at, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (at[i]) return 0;
    return 1;
}

/* Its first words, printable ASCII only. */
static void quote(const uint8_t *at, size_t n, char out[25])
{
    size_t i = 0;

    for (; i < n && i < 24 && at[i] >= 0x20 && at[i] < 0x7F; i++) out[i] = (char)at[i];
    out[i] = 0;
}

void refuse_words(char out[REFUSE_CAP], const char *name, const uint8_t *head, size_t n, uint64_t size)
{
    char found[16 * 3 + 1] = "", words[25];

    if (size == 0) {
        snprintf(out, REFUSE_CAP, "%s is empty: there is no trace in it", name);
        return;
    }
    for (size_t i = 0; i < sizeof magics / sizeof *magics; i++) {
        if (magics[i].n > n || memcmp(head, magics[i].bytes, magics[i].n) != 0) continue;
        snprintf(out, REFUSE_CAP, "%s is no .etl trace but %s", name, magics[i].what);
        return;
    }
    for (size_t i = 0; i < n && i < 16; i++) snprintf(found + 3 * i, 4, " %02x", head[i]);
    if (is_zero(head, n)) {
        snprintf(out, REFUSE_CAP, "%s is no .etl trace: there are only zero bytes where its header should be", name);
    } else if (is_text(head, n)) {
        quote(head, n, words);
        snprintf(out, REFUSE_CAP, "%s is no .etl trace but text: it begins with \"%s\"", name, words);
    } else if (buffer_log_header_bytes(head, n) > size) {
        snprintf(out, REFUSE_CAP,
                 "%s ends inside its first event, the header that tells its clock: all %" PRIu64
                 " bytes that are there hold no more",
                 name, size);
    } else {
        snprintf(out, REFUSE_CAP,
                 "%s is no .etl trace: there is no ETL header at byte 0 (found%s) and no buffers behind it", name,
                 found);
    }
}
