/* library.c - whether a file is a whole shared library of this sort of machine; see library.h.

   Offsets are those of the two formats' specifications: the System V ABI with its supplement for x86-64, and Microsoft's
   description of PE. A part of a file is fetched only after it was seen to lie inside. */
#include "library.h"

#include <inttypes.h>
#include <string.h>

#include "os.h"
#include "tw_plugin.h"

typedef struct image { /* a file, or bytes */
    os_file *file;
    const uint8_t *bytes; /* where there is no file */
    uint64_t size;
    text *why;
} image;

static int say(const image *i, const char *format, ...) PRINTF_LIKE(2, 3);

static int say(const image *i, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    text_format_list(i->why, format, args);
    va_end(args);
    return TW_ERROR;
}

static int lies_inside(uint64_t offset, uint64_t n, uint64_t size)
{
    return offset <= size && n <= size - offset;
}

/* Where n bytes from offset on end, as a number to be told. */
static uint64_t end_of(uint64_t offset, uint64_t n)
{
    return n > UINT64_MAX - offset ? UINT64_MAX : offset + n;
}

static int cut_off(const image *i, const char *what, uint64_t offset, uint64_t n)
{
    return say(i, "it is cut off: %s to byte %" PRIu64 ", the file has %" PRIu64, what, end_of(offset, n), i->size);
}

/* Bytes that lie inside. */
static int fetch(const image *i, uint64_t offset, void *to, size_t n)
{
    text fact = { 0 };

    if (!i->file) {
        memcpy(to, i->bytes + offset, n);
        return TW_OK;
    }
    ptrdiff_t got = os_read_at(i->file, offset, to, n, &fact);
    if (got >= 0 && (size_t)got < n) text_put(&fact, "it shrank meanwhile");
    if (fact.n) say(i, "it cannot be read at byte %" PRIu64 ": %s", offset, text_of(&fact));
    text_free(&fact);
    return got >= 0 && (size_t)got == n ? TW_OK : TW_ERROR;
}

/* ---- ELF ---- */

enum {
    ELF_HEADER = 64,
    ELF_SEGMENT = 56, /* an entry of the table of segments */
    ELF_MOST = 512,   /* segments; the loader keeps them on its stack */
    ELF_LIBRARY = 3,
    ELF_X86_64 = 62,
    SEGMENT_LOAD = 1,
    SEGMENT_DYNAMIC = 2,
    PAGE = 4096
};

typedef struct segment {
    uint32_t type;
    uint64_t offset, address, in_file, in_memory, align;
} segment;

static const char *elf_machine(unsigned machine)
{
    switch (machine) {
    case 3: return "x86 with 32 bits";
    case 40: return "ARM with 32 bits";
    case 183: return "ARM with 64 bits";
    case 243: return "RISC-V";
    default: return NULL;
    }
}

static int other_machine(const image *i, const char *name, unsigned number)
{
    if (name) return say(i, "it is for another machine: %s, and this is x86-64", name);
    return say(i, "it is for another machine, number %u, and this is x86-64", number);
}

static int elf_header(const image *i, const uint8_t h[ELF_HEADER])
{
    static const char *const types[] = { "nothing", "an object file", "a program", "", "a core dump" };
    unsigned type = tw_u16(h + 16), machine = tw_u16(h + 18);

    if (h[4] != 2) return other_machine(i, elf_machine(machine) ? elf_machine(machine) : "one with 32 bits", 0);
    if (h[5] != 1) return other_machine(i, "one with the other order of bytes", 0);
    if (machine != ELF_X86_64) return other_machine(i, elf_machine(machine), machine);
    if (type != ELF_LIBRARY)
        return say(i, "it is no shared library but %s", type < 5 ? types[type] : "something else of the format ELF");
    if (h[6] != 1 || tw_u32(h + 20) != 1 || tw_u16(h + 52) != ELF_HEADER || tw_u16(h + 54) != ELF_SEGMENT)
        return say(i, "its header is damaged: it is no ELF of version 1");
    if (!tw_u16(h + 56) || tw_u16(h + 56) > ELF_MOST)
        return say(i, "its header is damaged: it has %u segments", (unsigned)tw_u16(h + 56));
    return TW_OK;
}

static segment segment_of(const uint8_t *s)
{
    return (segment){ tw_u32(s), tw_u64(s + 8), tw_u64(s + 16), tw_u64(s + 32), tw_u64(s + 40), tw_u64(s + 48) };
}

/* A segment that is loaded, behind those that end at address `above`. */
static int load_fits(const image *i, unsigned number, const segment *s, uint64_t *above)
{
    const char *wrong = NULL;

    if (s->in_file > s->in_memory)
        wrong = "is larger in the file than in memory";
    else if (end_of(s->address, s->in_memory) > (uint64_t)1 << 47)
        wrong = "lies where no memory can be";
    else if (s->align < PAGE || s->align & (s->align - 1) || (s->address - s->offset) & (s->align - 1))
        wrong = "lies across the pages of memory";
    else if (s->address < *above)
        wrong = "lies over the one before it";
    if (wrong) return say(i, "its headers are damaged: segment %u %s", number, wrong);
    *above = s->address + s->in_memory;
    return TW_OK;
}

/* Does a part lie in a segment that is loaded, in the file and in memory at the same place of it? */
static int is_loaded(const uint8_t *table, unsigned n, const segment *part)
{
    for (unsigned k = 0; k < n; k++) {
        const segment s = segment_of(table + (size_t)k * ELF_SEGMENT);
        if (s.type == SEGMENT_LOAD && part->address >= s.address &&
            lies_inside(part->address - s.address, part->in_file, s.in_file) &&
            part->offset - s.offset == part->address - s.address)
            return 1;
    }
    return 0;
}

static int elf_segments(const image *i, const uint8_t *table, unsigned n)
{
    uint64_t above = 0, reach = 0;
    int dynamic = 0;

    for (unsigned k = 0; k < n; k++) {
        const segment s = segment_of(table + (size_t)k * ELF_SEGMENT);
        if (s.type == SEGMENT_LOAD && end_of(s.offset, s.in_file) > reach) reach = end_of(s.offset, s.in_file);
    }
    if (reach > i->size) return cut_off(i, "its segments reach", reach, 0);
    for (unsigned k = 0; k < n; k++) {
        const segment s = segment_of(table + (size_t)k * ELF_SEGMENT);
        if (s.type == SEGMENT_LOAD && load_fits(i, k, &s, &above) != TW_OK) return TW_ERROR;
        dynamic += s.type == SEGMENT_DYNAMIC;
    }
    if (!above) return say(i, "its headers are damaged: none of its segments is loaded");
    if (dynamic != 1) return say(i, "it is no shared library: it has no table for linking it at run time");
    for (unsigned k = 0; k < n; k++) {
        const segment s = segment_of(table + (size_t)k * ELF_SEGMENT);
        if (s.type == SEGMENT_DYNAMIC && !is_loaded(table, n, &s))
            return say(i, "its headers are damaged: its table for linking lies in no segment that is loaded");
    }
    return TW_OK;
}

static int elf_check(const image *i)
{
    uint8_t header[ELF_HEADER], table[ELF_MOST * ELF_SEGMENT];

    if (i->size < ELF_HEADER) return cut_off(i, "its header reaches", 0, ELF_HEADER);
    if (fetch(i, 0, header, sizeof header) != TW_OK || elf_header(i, header) != TW_OK) return TW_ERROR;
    uint64_t at = tw_u64(header + 32);
    size_t bytes = (size_t)tw_u16(header + 56) * ELF_SEGMENT;
    if (!lies_inside(at, bytes, i->size)) return cut_off(i, "its table of segments reaches", at, bytes);
    if (fetch(i, at, table, bytes) != TW_OK) return TW_ERROR;
    return elf_segments(i, table, tw_u16(header + 56));
}

/* ---- PE ---- */

enum {
    DOS_HEADER = 64,
    PE_HEADER = 24,    /* the signature and the file header */
    PE_OPTIONAL = 112, /* of PE32+, without the directories */
    PE_SECTION = 40,
    PE_MOST = 96, /* sections, as Windows allows */
    PE_X86_64 = 0x8664,
    PE_PLUS = 0x20B,
    PE_IMAGE = 0x0002, /* characteristics: it can be run, it is a library */
    PE_LIBRARY = 0x2000
};

static const char *pe_machine(unsigned machine)
{
    switch (machine) {
    case 0x14C: return "x86 with 32 bits";
    case 0x1C4: return "ARM with 32 bits";
    case 0xAA64: return "ARM with 64 bits";
    default: return NULL;
    }
}

static int pe_sections(const image *i, uint64_t at, unsigned n)
{
    uint8_t s[PE_SECTION];
    uint64_t reach = 0;

    if (!lies_inside(at, (uint64_t)n * PE_SECTION, i->size))
        return cut_off(i, "its table of sections reaches", at, (uint64_t)n * PE_SECTION);
    for (unsigned k = 0; k < n; k++) {
        if (fetch(i, at + (uint64_t)k * PE_SECTION, s, sizeof s) != TW_OK) return TW_ERROR;
        uint64_t bytes = tw_u32(s + 16), from = tw_u32(s + 20);
        if (bytes && from + bytes > reach) reach = from + bytes;
    }
    return reach > i->size ? cut_off(i, "its sections reach", reach, 0) : TW_OK;
}

static int pe_check(const image *i)
{
    uint8_t dos[DOS_HEADER], h[PE_HEADER + PE_OPTIONAL];

    if (i->size < DOS_HEADER) return cut_off(i, "its header reaches", 0, DOS_HEADER);
    if (fetch(i, 0, dos, sizeof dos) != TW_OK) return TW_ERROR;
    uint64_t at = tw_u32(dos + 60);
    if (!lies_inside(at, sizeof h, i->size)) return cut_off(i, "its header reaches", at, sizeof h);
    if (fetch(i, at, h, sizeof h) != TW_OK) return TW_ERROR;
    unsigned machine = tw_u16(h + 4), sections = tw_u16(h + 6), optional = tw_u16(h + 20), kind = tw_u16(h + 22);
    if (memcmp(h, "PE\0\0", 4) != 0) return say(i, "it is no shared library but an old program of DOS or Windows");
    if (machine != PE_X86_64) return other_machine(i, pe_machine(machine), machine);
    if (!(kind & PE_LIBRARY))
        return say(i, "it is no shared library but %s", kind & PE_IMAGE ? "a program" : "an object file");
    if (optional < PE_OPTIONAL || tw_u16(h + PE_HEADER) != PE_PLUS)
        return say(i, "its header is damaged: it is no PE32+");
    if (!sections || sections > PE_MOST) return say(i, "its header is damaged: it has %u sections", sections);
    if (tw_u32(h + PE_HEADER + 60) > i->size) return cut_off(i, "its headers reach", 0, tw_u32(h + PE_HEADER + 60));
    return pe_sections(i, at + PE_HEADER + optional, sections);
}

/* ---- Any file ---- */

/* Such as a linker's script, a page of an error that was saved, or the pointer to a large file that was not fetched. */
static int is_text(const uint8_t *bytes, size_t n)
{
    for (size_t k = 0; k < n; k++)
        if ((bytes[k] < 0x20 && !strchr("\t\n\f\r", bytes[k])) || bytes[k] == 0x7F || !bytes[k]) return 0;
    return 1;
}

static int check(const image *i, enum library_form form)
{
    uint8_t head[512];
    size_t n = i->size < sizeof head ? (size_t)i->size : sizeof head;

    if (!n) return say(i, "it is empty");
    if (fetch(i, 0, head, n) != TW_OK) return TW_ERROR;
    int elf = n >= 4 && !memcmp(head, "\177ELF", 4), pe = n >= 2 && !memcmp(head, "MZ", 2) && !is_text(head, n);
    if (elf && form == LIBRARY_ELF) return elf_check(i);
    if (pe && form == LIBRARY_PE) return pe_check(i);
    if (pe) return say(i, "it is for another system: Windows");
    if (elf) return say(i, "it is for another system: Linux or one like it");
    return say(i, is_text(head, n) ? "it is no shared library but text" : "it is no shared library");
}

int library_check(const char *path, enum library_form form, text *why)
{
    image i = { .why = why };
    int rc = TW_ERROR;

    if (os_is_special(path)) {
        text_put(why, "it is no file");
    } else if (os_open(path, &i.file, why) == TW_OK) {
        i.size = os_size(i.file);
        rc = check(&i, form);
        os_close(i.file);
    }
    return rc;
}

int library_check_bytes(const void *bytes, size_t n, enum library_form form, text *why)
{
    const image i = { .bytes = bytes, .size = n, .why = why };

    return check(&i, form);
}
