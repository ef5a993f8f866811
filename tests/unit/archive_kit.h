/* archive_kit.h - archives made byte by byte, for tests: a .zip of stored files, and a .cab.

   One idea: a test decides every field that a hostile archive could lie in. Layouts: the .ZIP application note, and
   the published description of the Microsoft cabinet format. */
#ifndef ARCHIVE_KIT_H
#define ARCHIVE_KIT_H

#include <stdint.h>
#include <string.h>
#include <zlib.h>

#include "text.h"

typedef struct zip_file {
    const char *name;
    const void *bytes;
    uint32_t n;
    uint16_t flags, method; /* flag 1: encrypted; method 0: stored, 8: deflated */
    uint32_t crc_off;       /* added to the checksum */
    uint32_t attributes;    /* the upper half is a Unix mode */
} zip_file;

static inline void put_16(text *t, uint32_t v)
{
    const char b[] = { (char)v, (char)(v >> 8) };
    text_add(t, b, 2);
}

static inline void put_32(text *t, uint32_t v)
{
    put_16(t, v & 0xFFFF);
    put_16(t, v >> 16);
}

/* What the local header and the central directory have in common. */
static inline void put_zip_facts(text *t, const zip_file *f)
{
    put_16(t, 20); /* version needed */
    put_16(t, f->flags);
    put_16(t, f->method);
    put_32(t, 0x5C210000); /* time and date */
    put_32(t, (uint32_t)crc32(0, f->bytes, f->n) + f->crc_off);
    put_32(t, f->n);
    put_32(t, f->n);
    put_16(t, (uint32_t)strlen(f->name));
    put_16(t, 0); /* extra fields */
}

static inline void put_zip(text *t, const zip_file *files, uint32_t n)
{
    uint32_t begin[1100], directory;

    for (uint32_t i = 0; i < n; i++) {
        begin[i] = (uint32_t)t->n;
        put_32(t, 0x04034B50);
        put_zip_facts(t, &files[i]);
        text_put(t, files[i].name);
        text_add(t, files[i].bytes, files[i].n);
    }
    directory = (uint32_t)t->n;
    for (uint32_t i = 0; i < n; i++) {
        put_32(t, 0x02014B50);
        put_16(t, 0x0314); /* made by: Unix */
        put_zip_facts(t, &files[i]);
        put_16(t, 0); /* comment */
        put_16(t, 0); /* disk */
        put_16(t, 0);
        put_32(t, files[i].attributes ? files[i].attributes : 0x81A40000);
        put_32(t, begin[i]);
        text_put(t, files[i].name);
    }
    uint32_t bytes = (uint32_t)t->n - directory;
    put_32(t, 0x06054B50);
    put_32(t, 0); /* disks */
    put_16(t, n);
    put_16(t, n);
    put_32(t, bytes);
    put_32(t, directory);
    put_16(t, 0); /* comment */
}

/* All files in one folder of one block: at most 32 KiB. Checksums of 0 are none. mszip: compressed, else stored. */
static inline void put_cab(text *t, const zip_file *files, uint32_t n, int mszip)
{
    enum { HEADER = 36, FOLDER = 8, FILE_ENTRY = 16, BLOCK = 8 };
    static uint8_t packed[40000];
    uint32_t names = 0, at = 0;
    text bytes = { 0 };

    for (uint32_t i = 0; i < n; i++) {
        names += (uint32_t)strlen(files[i].name) + 1;
        text_add(&bytes, files[i].bytes, files[i].n);
    }
    z_stream z = { .next_in = (Bytef *)bytes.at, .next_out = packed + 2, .avail_out = sizeof packed - 2 };
    z.avail_in = (uInt)bytes.n;
    packed[0] = 'C'; /* a block is "CK" and one deflate stream */
    packed[1] = 'K';
    deflateInit2(&z, 6, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY);
    deflate(&z, Z_FINISH);
    uint32_t size = mszip ? 2 + (uint32_t)z.total_out : (uint32_t)bytes.n;
    deflateEnd(&z);

    text_put(t, "MSCF");
    put_32(t, 0);
    put_32(t, HEADER + FOLDER + n * FILE_ENTRY + names + BLOCK + size); /* of the cabinet */
    put_32(t, 0);
    put_32(t, HEADER + FOLDER); /* offset of the first file entry */
    put_32(t, 0);
    put_16(t, 0x0103); /* version */
    put_16(t, 1);      /* folders */
    put_16(t, n);
    put_16(t, 0); /* flags */
    put_32(t, 0); /* set, number in it */
    put_32(t, HEADER + FOLDER + n * FILE_ENTRY + names);
    put_16(t, 1); /* blocks */
    put_16(t, mszip ? 1 : 0);
    for (uint32_t i = 0; i < n; i++) {
        put_32(t, files[i].n);
        put_32(t, at);
        put_16(t, 0);          /* folder */
        put_32(t, 0x00005C21); /* date and time */
        put_16(t, 0x20);       /* attributes */
        text_add(t, files[i].name, strlen(files[i].name) + 1);
        at += files[i].n;
    }
    put_32(t, 0);
    put_16(t, size);
    put_16(t, (uint32_t)bytes.n);
    text_add(t, mszip ? (const char *)packed : bytes.at, size);
    text_free(&bytes);
}

#endif
