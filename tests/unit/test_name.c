/* test_name.c - what a name means on an event: where its value comes from, and what it is. */
#include "batch.h"
#include "bus.h"
#include "name.h"
#include "payload_kit.h"

static kit k;
static batch_pool *pool;
static tw_batch *batch;
static tw_host host;
static tw_self self;

/* Stands in for the host's own: everything a batch's arena and no clock can tell. */
void bus_decode(void *whom, tw_batch *b, decode *d)
{
    (void)whom;
    *d = (decode){ .memory = batch_memory(b) };
}

/* What a record says of an event: a keyword, an opcode, an activity, its ticks; nothing else. */
static int extra(void *whom, const tw_event *e, uint32_t what, uint32_t item, tw_value *v)
{
    static const char activity[17] = "0123456789abcdef";
    (void)whom;
    (void)item;
    if (!e->record) return TW_END;
    switch (what) {
    case TW_X_KEYWORD: *v = (tw_value){ .kind = TW_U64, .u = 0x40 }; return TW_OK;
    case TW_X_OPCODE: *v = (tw_value){ .kind = TW_U8, .u = 2 }; return TW_OK;
    case TW_X_TICKS: *v = (tw_value){ .kind = TW_U64, .u = 123456 }; return TW_OK;
    case TW_X_ACTIVITY: *v = (tw_value){ .kind = TW_GUID, .t = { .at = activity, .bytes = 16 } }; return TW_OK;
    default: return TW_END;
    }
}

static const tw_name reasons[] = { { 7, "Seven" } };
static const tw_names named = { .size = sizeof named, .n = 1, .name = reasons };
static const tw_field fields[] = {
    FIELD("DiskNumber", TW_U32),
    FIELD("Irp", TW_POINTER),
    FIELD("Delta", TW_I16),
    FIELD("Ratio", TW_F32),
    FIELD("Port", TW_U16, .show = TW_SHOW_PORT),
    FIELD("On", TW_BOOL32),
    FIELD("pid", TW_U32), /* called as a header name is */
    FIELD("S", TW_STRUCT, .members = 1),
    FIELD("Inner", TW_U8, .parent = 8, .depth = 1, .names = &named),
    FIELD("Path", TW_TEXT16),
    FIELD("Flags", TW_U32, .show = TW_SHOW_HEX),
    FIELD("List", TW_U8, .count_by = TW_REST),
};
static const tw_name bits[] = { { 0x40, "Disk" } };
static const tw_names keywords = { .size = sizeof keywords, .n = 1, .flags = TW_BITS, .name = bits };
static const char payload[] = "04000000 efbeadde feff 0000c03f 01bb 01000000 2a000000 07 6100e900 0000 00100000 0102";

static void open_kit(void)
{
    static const uint8_t record[1];
    tw_type t = { .size = sizeof t,
                  .provider = "DiskIo",
                  .name = "Read",
                  .key = "kernel:01",
                  .origin = "built in",
                  .guid = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 },
                  .keyword = 0x80,
                  .number = 10,
                  .version = 3,
                  .opcode = 10,
                  .level = 4,
                  .task = 5,
                  .channel = 6,
                  .pointer = 4,
                  .nfields = COUNT_OF(fields),
                  .field = fields,
                  .message = "disk %1!03d!, port %5",
                  .opcode_name = "Start",
                  .level_name = "Information",
                  .channel_name = "Analytic",
                  .keywords = &keywords };
    kit_open(&k);
    ck_assert_uint_eq(types_publish(k.types, &t, &k.why), 1);
    k.type = types_table(k.types)[1];
    kit_hex(&k, payload);
    k.event.time = 99;
    k.event.type = 1;
    k.event.pid = 1000;
    k.event.tid = 2000;
    k.event.cpu = 3;
    k.event.source = 1;
    k.event.record = record;
    pool = batch_pool_new(4);
    batch = batch_take(pool);
    host = (tw_host){ .size = sizeof host, .extra = extra };
    self = (tw_self){ .host = &host, .type = types_table(k.types) };
}

static void close_kit(void)
{
    batch_let_go(batch);
    batch_pool_free(pool);
    kit_close(&k);
}

static name resolved(const char *word)
{
    name n;
    name_resolve(k.type, word, &n);
    return n;
}

/* The value of a name as text; "(none)" where there is none. */
static const char *got(const char *word)
{
    static char out[1024];
    name n = resolved(word);
    tw_value v;
    if (name_get(&self, batch, &k.event, &n, &v) != TW_OK) return "(none)";
    ck_assert_msg(v.kind == n.kind, "%s: kind %u was promised, %u was given", word, n.kind, v.kind);
    value_print(n.column, &v, out, sizeof out);
    return out;
}

START_TEST(header_names)
{
    static const struct {
        const char *word;
        int from;
        const char *text;
    } expected[] = {
        { "time", NAME_EVENT, "1970-01-01T00:00:00.000000099Z" },
        { "provider", NAME_TYPE, "DiskIo" },
        { "event", NAME_TYPE, "Read" },
        { "name", NAME_TYPE, "DiskIo/Read" },
        { "id", NAME_TYPE, "10" },
        { "version", NAME_TYPE, "3" },
        { "opcode", NAME_EXTRA, "2" },
        { "level", NAME_EXTRA, "4" },
        { "keyword", NAME_EXTRA, "0x40" },
        { "task", NAME_EXTRA, "5" },
        { "channel", NAME_EXTRA, "6" },
        { "pid", NAME_EVENT, "1000" },
        { "tid", NAME_EVENT, "2000" },
        { "cpu", NAME_EVENT, "3" },
        { "bytes", NAME_EVENT, "37" },
        { "origin", NAME_TYPE, "built in" },
        { "key", NAME_TYPE, "kernel:01" },
        { "guid", NAME_TYPE, "04030201-0605-0807-090a-0b0c0d0e0f10" },
        { "source", NAME_EVENT, "1" },
        { "type", NAME_EVENT, "1" },
        { "opcode_name", NAME_CALLED, "2" }, /* the type's name is that of 10 */
        { "level_name", NAME_CALLED, "Information" },
        { "task_name", NAME_CALLED, "5" },
        { "channel_name", NAME_CALLED, "Analytic" },
        { "keywords", NAME_KEYWORDS, "Disk" },
        { "why", NAME_TYPE, "(none)" },
        { "left", NAME_LEFT, "0" },
        { "cut", NAME_CUT, "0" },
        { "raw", NAME_RAW, "04000000efbeaddefeff0000c03f01bb010000002a000000076100e9000000001000000102" },
        { "ticks", NAME_EXTRA, "123456" },
        { "offset", NAME_EXTRA, "(none)" },
        { "activity", NAME_EXTRA, "33323130-3534-3736-3839-616263646566" },
        { "related", NAME_EXTRA, "(none)" },
        { "payload", NAME_PAYLOAD,
          "DiskNumber=4 Irp=0xdeadbeef Delta=-2 Ratio=1.5 Port=443 On=true pid=42 S={Inner=Seven} Path=\"aé\" "
          "Flags=0x1000 "
          "List=[1, 2]" },
        { "message", NAME_MESSAGE, "disk 004, port 443" },
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        ck_assert_msg(name_is_header(expected[i].word), "%s", expected[i].word);
        ck_assert_msg(resolved(expected[i].word).from == expected[i].from, "%s", expected[i].word);
        ck_assert_str_eq(got(expected[i].word), expected[i].text);
    }
    ck_assert(!name_is_header("Time"));
    ck_assert(!name_is_header("DiskNumber"));
    ck_assert(!name_is_header(""));
}
END_TEST

START_TEST(what_the_record_does_not_say)
{
    k.event.record = NULL; /* then what holds for the type */
    ck_assert_str_eq(got("opcode"), "10");
    ck_assert_str_eq(got("keyword"), "0x80");
    ck_assert_str_eq(got("opcode_name"), "Start");
    ck_assert_str_eq(got("keywords"), "0x80");
    ck_assert_str_eq(got("activity"), "(none)");
    ck_assert(resolved("activity").nullable);
    ck_assert(!resolved("opcode").nullable);
    ck_assert(!resolved("pid").nullable);
}
END_TEST

START_TEST(types_without_key_or_origin)
{
    tw_type t = { .size = sizeof t, .provider = "A", .name = "B", .guid = { 1 }, .why = "no schema" };
    k.type = types_table(k.types)[types_publish(k.types, &t, &k.why)];
    k.event.type = 2;
    ck_assert_str_eq(got("key"), "00000001-0000-0000-0000-000000000000");
    ck_assert_str_eq(got("origin"), "(none)");
    ck_assert(resolved("origin").nullable);
    ck_assert_str_eq(got("why"), "no schema");
    ck_assert_str_eq(got("left"), "37");
    ck_assert_str_eq(got("cut"), "0");
    ck_assert_str_eq(got("message"), "(none)");
    ck_assert(resolved("message").nullable);
    ck_assert_int_eq(resolved("DiskNumber").from, NAME_NONE);
    ck_assert_str_eq(got("DiskNumber"), "(none)");
}
END_TEST

START_TEST(numbers_at_fixed_places)
{
    static const struct {
        const char *word;
        int kind;
        uint32_t offset;
        const char *text;
    } expected[] = {
        { "DiskNumber", TW_U32, 0, "4" },
        { "Irp", TW_U32, 4, "0xdeadbeef" },
        { "Delta", TW_I16, 8, "-2" },
        { "Ratio", TW_F32, 10, "1.5" },
        { "payload.pid", TW_U32, 20, "42" },
        { "S.Inner", TW_U8, 24, "Seven" },
        { "payload.S.Inner", TW_U8, 24, "Seven" },
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        name n = resolved(expected[i].word);
        ck_assert_msg(n.from == NAME_FIXED, "%s", expected[i].word);
        ck_assert_uint_eq(n.kind, expected[i].kind);
        ck_assert_uint_eq(n.offset, expected[i].offset);
        ck_assert_ptr_eq(n.column, &k.type->field[n.field]);
        ck_assert_str_eq(got(expected[i].word), expected[i].text);
    }
    kit_hex(&k, "04000000 efbead"); /* cut short */
    ck_assert_str_eq(got("DiskNumber"), "4");
    ck_assert_str_eq(got("Irp"), "(none)");
    ck_assert_str_eq(got("left"), "3");
    ck_assert_str_eq(got("cut"), "1");
}
END_TEST

START_TEST(all_other_fields)
{
    static const struct {
        const char *word;
        int kind;
        const char *text;
    } expected[] = {
        { "Port", TW_U16, "443" }, /* its bytes are swapped, so it is no plain number */
        { "On", TW_BOOL, "true" },     { "Path", TW_TEXT, "aé" },
        { "Flags", TW_U32, "0x1000" }, { "List", TW_U8, "(none)" },
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        name n = resolved(expected[i].word);
        ck_assert_msg(n.from == NAME_FIELD, "%s", expected[i].word);
        ck_assert_uint_eq(n.kind, expected[i].kind);
        ck_assert_str_eq(got(expected[i].word), expected[i].text);
    }
    ck_assert_int_eq(resolved("Inner").from, NAME_NONE);
    ck_assert_int_eq(resolved("payload.Nothing").from, NAME_NONE);
    ck_assert_int_eq(resolved("").from, NAME_NONE);
}
END_TEST

START_TEST(the_nearest_name)
{
    ck_assert_str_eq(name_nearest(k.types, "provdier"), "provider");
    ck_assert_str_eq(name_nearest(k.types, "DiskNumbr"), "DiskNumber");
    ck_assert_str_eq(name_nearest(k.types, "diskNumber"), "DiskNumber");
    ck_assert_ptr_eq(name_nearest(k.types, "Zzzzzzzz"), NULL);
    ck_assert_ptr_eq(name_nearest(k.types, ""), NULL);
}
END_TEST

static void add(TCase *c)
{
    tcase_add_test(c, header_names);
    tcase_add_test(c, what_the_record_does_not_say);
    tcase_add_test(c, types_without_key_or_origin);
    tcase_add_test(c, numbers_at_fixed_places);
    tcase_add_test(c, all_other_fields);
    tcase_add_test(c, the_nearest_name);
}

int main(void)
{
    return kit_run("name", add, open_kit, close_kit);
}
