/* container.c - archives, read by libarchive.

   The one idea of container.h means here: sizes, counts and offsets of an archive are the library's to follow and
   nothing is made by them; a member is as long as the bytes that came out of it. Where a fault ends a pass, another
   one goes on behind it, so that a damaged member costs no other one that can be reached without it. */
#include "container.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "encoding.h"
#include "input.h"
#include "spool.h"

enum {
    PIECE = 256 << 10, /* bytes read at once of the archive */
    MOST_PASSES = 64,  /* over an archive with faults */
    MOST_RETRIES = 16  /* of a header, where the library asks for it */
};

typedef struct member {
    char *name;     /* with the archive's, for sentences */
    uint32_t entry; /* number among all entries */
    uint64_t from, bytes;
    text why; /* what went wrong with it */
} member;

struct container {
    uint32_t users;
    tw_input *outer;
    const char *name; /* the outer's */
    member *member;
    uint32_t n;
    int unpacked;
    spool bytes;
};

/* A pass over the archive. */
typedef struct pass {
    struct archive *archive;
    tw_input *outer;
    uint64_t at; /* offset of the next byte that the library gets */
    uint8_t *piece;
} pass;

int container_is(const uint8_t *head, size_t n)
{
    static const struct {
        const char *bytes;
        size_t n;
    } magic[] = {
        { "PK\3\4", 4 }, { "PK\5\6", 4 }, { "PK\7\10", 4 }, { "7z\xBC\xAF\x27\x1C", 6 }, { "MSCF\0\0\0", 8 }
    };

    for (size_t k = 0; k < sizeof magic / sizeof *magic; k++)
        if (n >= magic[k].n && !memcmp(head, magic[k].bytes, magic[k].n)) return 1;
    return 0;
}

/* ---- The library reads from an input ---- */

static la_ssize_t read_piece(struct archive *a, void *context, const void **bytes)
{
    pass *p = context;
    uint64_t size;

    if (os_interrupted()) { /* it may skip through any number of bytes without coming back */
        archive_set_error(a, EIO, "interrupted");
        return ARCHIVE_FATAL;
    }
    ptrdiff_t got = input_read_at(p->outer, p->at, p->piece, PIECE, &size);
    if (got < 0) {
        archive_set_error(a, EIO, "it cannot be read");
        return ARCHIVE_FATAL;
    }
    p->at += (uint64_t)got;
    *bytes = p->piece;
    return got;
}

static la_int64_t skip_bytes(struct archive *a, void *context, la_int64_t n)
{
    pass *p = context;

    (void)a;
    p->at += n > 0 ? (uint64_t)n : 0;
    return n;
}

static la_int64_t seek_place(struct archive *a, void *context, la_int64_t offset, int whence)
{
    pass *p = context;
    uint64_t size = 0;
    uint8_t none;

    (void)a;
    if (input_read_at(p->outer, 0, &none, 0, &size) < 0 || size > INT64_MAX) return ARCHIVE_FATAL;
    int64_t base = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? (int64_t)p->at : (int64_t)size;
    if (offset < -base || offset > INT64_MAX - base) return ARCHIVE_FATAL;
    p->at = (uint64_t)(base + offset);
    return base + offset;
}

static void end_pass(pass *p)
{
    archive_read_free(p->archive);
    free(p->piece);
}

/* TW_OK; the pass is to be ended in any case. */
static int begin_pass(pass *p, tw_input *outer)
{
    *p = (pass){ archive_read_new(), outer, 0, mem_grow(NULL, PIECE) };
    if (!p->archive) return TW_ERROR;
    archive_read_support_format_zip(p->archive);
    archive_read_support_format_7zip(p->archive);
    archive_read_support_format_cab(p->archive);
    archive_read_set_seek_callback(p->archive, seek_place);
    return archive_read_open2(p->archive, p, NULL, read_piece, skip_bytes, NULL) == ARCHIVE_OK ? TW_OK : TW_ERROR;
}

/* TW_OK, TW_END, TW_ERROR. */
static int next_entry(pass *p, struct archive_entry **e)
{
    int rc = ARCHIVE_RETRY;

    for (int k = 0; k < MOST_RETRIES && rc == ARCHIVE_RETRY; k++) rc = archive_read_next_header(p->archive, e);
    return rc == ARCHIVE_EOF ? TW_END : rc == ARCHIVE_OK || rc == ARCHIVE_WARN ? TW_OK : TW_ERROR;
}

/* What the library says is for people, but may quote the archive. */
static void put_fault(pass *p, text *out)
{
    const char *fault = p->archive ? archive_error_string(p->archive) : "no memory";

    if (!fault) fault = "it is cut off or damaged";
    for (size_t n = 0; fault[n] && n < CONTAINER_NAME; n++)
        text_add(out, (unsigned char)fault[n] < ' ' || (unsigned char)fault[n] > '~' ? "?" : &fault[n], 1);
}

/* ---- Names ---- */

static int is_device(const char *part, size_t n)
{
    static const char *const devices[] = { "con", "prn", "aux", "nul", "com", "lpt" };
    size_t dot = 0;

    while (dot < n && part[dot] != '.') dot++;
    while (dot > 0 && part[dot - 1] == ' ') dot--;
    for (size_t k = 0; k < sizeof devices / sizeof *devices; k++) {
        int same = 1, numbered = k >= 4;
        if (dot != 3 + (size_t)numbered) continue;
        for (int c = 0; c < 3; c++) same = same && text_lower(part[c]) == devices[k][c];
        if (same && (!numbered || (part[3] >= '0' && part[3] <= '9'))) return 1;
    }
    return 0;
}

/* 1 where a program that wrote a file of that name would write it elsewhere, or into something else. */
static int leads_away(const char *name)
{
    if (name[0] == '/' || strchr(name, ':')) return 1;
    for (const char *part = name;; part++) {
        size_t n = strcspn(part, "/");
        if ((n == 2 && part[0] == '.' && part[1] == '.') || is_device(part, n)) return 1;
        part += n;
        if (!*part) return 0;
    }
}

/* The name as container_list gives it; *odd: it had control characters in it or was too long. */
static void put_name(struct archive_entry *e, text *out, int *odd)
{
    const char *name = archive_entry_pathname_utf8(e);
    const wchar_t *wide = name ? NULL : archive_entry_pathname_w(e);
    arena memory = { 0 };

    /* On Windows the library keeps names in UTF-16, and knows of no locale that is UTF-8. */
    if (wide && sizeof *wide == 2) name = encoding_utf16(&memory, wide, wcslen(wide) + 1).at; /* with its end */
    if (!name) name = archive_entry_pathname(e);
    if (!name) name = "";
    while (name[0] == '.' && (name[1] == '/' || name[1] == '\\')) name += 2;
    size_t n = strlen(name);
    *odd = n > CONTAINER_NAME;
    tw_text shown = encoding_utf8(&memory, name, *odd ? CONTAINER_NAME : n);
    for (uint32_t i = 0; i < shown.bytes; i++) {
        unsigned char c = (unsigned char)shown.at[i];
        int control = c < ' ' || c == 0x7F;
        *odd |= control;
        text_add(out, control ? "?" : c == '\\' ? "/" : &shown.at[i], 1);
    }
    arena_free(&memory);
}

/* ---- Listing ---- */

static void add_member(container *c, uint32_t entry, const char *name)
{
    text full = { 0 };

    if ((c->n & (c->n - 1)) == 0) c->member = mem_grow(c->member, (c->n ? 2 * (size_t)c->n : 1) * sizeof *c->member);
    text_format(&full, "%s!%s", c->name, name);
    c->member[c->n] = (member){ .name = full.at, .entry = entry };
    c->n++;
}

static void list_entry(container *c, uint32_t number, struct archive_entry *e,
                       int (*each)(void *context, const char *name, enum container_oddity odd), void *context)
{
    enum container_oddity odd = MEMBER_GOOD;
    text name = { 0 };
    int odd_name;
    int type = (int)archive_entry_filetype(e);

    if (type == AE_IFDIR) return;
    put_name(e, &name, &odd_name);
    if (!name.n || name.at[name.n - 1] == '/') {
        text_free(&name);
        return;
    }
    if (archive_entry_is_data_encrypted(e)) odd = MEMBER_LOCKED;
    if (odd_name || leads_away(text_of(&name)) || (type && type != AE_IFREG) || archive_entry_hardlink(e))
        odd = MEMBER_LEADS_AWAY;
    if (each(context, text_of(&name), odd)) add_member(c, number, text_of(&name));
    text_free(&name);
}

int container_list(container *c, int (*each)(void *context, const char *name, enum container_oddity odd),
                   void *context, text *why)
{
    struct archive_entry *e;
    uint32_t number = 0;
    pass p;
    void *before = os_utf8_enter();
    int rc = begin_pass(&p, c->outer);

    while (rc == TW_OK && number < CONTAINER_ENTRIES && (rc = next_entry(&p, &e)) == TW_OK)
        list_entry(c, number++, e, each, context);
    if (rc == TW_ERROR) {
        int locked = p.archive && archive_read_has_encrypted_entries(p.archive) > 0;
        text_format(why, "%s cannot be followed to its end, after %" PRIu32 " entr%s: ", c->name, number,
                    number == 1 ? "y" : "ies");
        put_fault(&p, why);
        if (locked) text_put(why, "; it is encrypted");
        if (*input_error(c->outer)) text_format(why, "; %s", input_error(c->outer));
    } else if (rc == TW_OK) {
        text_format(why, "%s has more than %d entries; the rest is not looked at", c->name, (int)CONTAINER_ENTRIES);
        rc = TW_ERROR;
    }
    end_pass(&p);
    os_utf8_leave(before);
    return rc == TW_ERROR ? TW_ERROR : TW_OK;
}

/* ---- Unpacking ---- */

static void damaged(member *m, pass *p, int rc)
{
    if (m->why.n) return;
    if (rc == ARCHIVE_FAILED && !m->bytes) { /* nothing is wrong with it: it is packed in a way that is not known */
        text_format(&m->why, "%s cannot be unpacked: ", m->name);
        put_fault(p, &m->why);
        return;
    }
    text_format(&m->why,
                "%s is damaged, or its archive is cut off or is only a part: after %" PRIu64 " bytes: ", m->name,
                m->bytes);
    put_fault(p, &m->why);
}

/* TW_OK: on to the next entry, whatever came of this one. TW_ERROR: the pass is over. TW_END: so are all. */
static int unpack_member(container *c, member *m, pass *p)
{
    int rc;

    m->from = c->bytes.size;
    do {
        const void *piece = NULL;
        size_t n = 0;
        la_int64_t unused;
        rc = archive_read_data_block(p->archive, &piece, &n, &unused); /* with a warning there may be bytes, too */
        if (rc != ARCHIVE_OK && rc != ARCHIVE_WARN) break;
        if (n && spool_write(&c->bytes, m->name, piece, n, &m->why) != TW_OK) return TW_END;
        m->bytes = c->bytes.size - m->from;
        if (rc == ARCHIVE_WARN) damaged(m, p, rc);
    } while (rc == ARCHIVE_OK);
    if (rc == ARCHIVE_EOF || rc == ARCHIVE_WARN) return TW_OK;
    damaged(m, p, rc);
    return rc == ARCHIVE_FAILED ? TW_OK : TW_ERROR;
}

/* One pass from member *next on, which then is the first that is still to come. TW_OK: all were reached. */
static int unpack_pass(container *c, uint32_t *next, text *fault)
{
    struct archive_entry *e;
    pass p;
    int rc = begin_pass(&p, c->outer), full = 0;

    for (uint32_t number = 0; rc == TW_OK && *next < c->n; number++) {
        if ((rc = next_entry(&p, &e)) != TW_OK || number != c->member[*next].entry) continue;
        rc = unpack_member(c, &c->member[(*next)++], &p);
        full = rc == TW_END;
    }
    text_clear(fault);
    if (rc == TW_ERROR)
        put_fault(&p, fault);
    else
        text_put(fault, full ? "there was no room for those before it" : "the archive was changed");
    end_pass(&p);
    return rc;
}

/* All members, in as many passes as it takes; where one comes no further than the one before, the rest is lost. */
static void unpack(container *c)
{
    void *before = os_utf8_enter();
    text fault = { 0 };
    uint32_t next = 0;
    int rc = TW_ERROR;

    c->unpacked = 1;
    if (spool_open(&c->bytes, c->name, &fault) == TW_OK) {
        for (int k = 0; k < MOST_PASSES && rc == TW_ERROR && next < c->n; k++) {
            uint32_t first = next;
            rc = unpack_pass(c, &next, &fault);
            if (next == first) break;
        }
    }
    for (; next < c->n; next++)
        text_format(&c->member[next].why, "%s cannot be unpacked: %s", c->member[next].name, text_of(&fault));
    text_free(&fault);
    os_utf8_leave(before);
}

/* ---- What others call ---- */

os_file *container_member(container *c, uint32_t number, uint64_t *from, uint64_t *bytes, text *why)
{
    const member *m = &c->member[number];

    if (!c->unpacked) unpack(c);
    *from = m->from;
    *bytes = m->bytes;
    text_put(why, text_of(&m->why));
    return c->bytes.file;
}

container *container_new(tw_input *outer)
{
    container *c = mem_new(sizeof *c);
    uint64_t size;

    c->users = 1;
    c->outer = outer;
    c->name = input_name(outer, &size);
    return c;
}

container *container_share(container *c)
{
    c->users++;
    return c;
}

void container_leave(container *c)
{
    if (!c || --c->users) return;
    for (uint32_t i = 0; i < c->n; i++) {
        free(c->member[i].name);
        text_free(&c->member[i].why);
    }
    free(c->member);
    spool_close(&c->bytes);
    free(c);
}
