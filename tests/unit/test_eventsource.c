/* test_eventsource.c - manifests in pieces, as EventSources send them. */
#include <check.h>

#include "eventsource.h"
#include "payload_kit.h"
#include "record_kit.h"

static const uint8_t guid[16] = { 0x44, 0x33, 0x22, 0x11, 0x66, 0x55, 0x88, 0x77,
                                  0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff, 0x00 };
static const uint8_t other_guid[16] = { 1 };
#define GUID "{11223344-5566-7788-99aa-bbccddeeff00}"

static eventsources *e;
static manifests *m;
static made_record made;
static tw_type t;
static unsigned version;

static void open(void)
{
    e = eventsources_new();
    m = manifests_new();
}

static void close(void)
{
    eventsources_free(e);
    manifests_free(m);
    record_free(&made);
}

/* A piece as the runtime writes it: format 1, version 1.0, magic 5B, number of pieces, which one, text. */
static record piece_of(const uint8_t of[16], uint32_t pid, unsigned pieces, unsigned number, const void *at, size_t n)
{
    uint8_t payload[4096] = {
        1, 1, 0, 0x5B, (uint8_t)pieces, (uint8_t)(pieces >> 8), (uint8_t)number, (uint8_t)(number >> 8)
    };
    memcpy(payload + 8, at, n);
    record r = record_event(&made, of, 0xFFFE, 1, payload, n + 8);
    record_number(&made, 0x0C, pid, 4);
    record_number(&made, 0x2D, 0xFE, 1);
    record_number(&made, 0x2E, 0xFFFE, 2);
    ck_assert_int_eq(record_read(made.at, made.n, &r), RECORD_GOOD);
    return r;
}

static int give(uint32_t pid, unsigned pieces, unsigned number, const char *text)
{
    record r = piece_of(guid, pid, pieces, number, text, strlen(text));

    ck_assert_int_eq(eventsources_is(&r), 1);
    return eventsources_add(e, &r, m);
}

static const char *name_of(unsigned id)
{
    record r = record_event(&made, guid, id, 0, NULL, 0);

    t = (tw_type){ .size = sizeof t };
    return manifests_find(m, &r, &t, &version) == SCHEMA_EXACT ? t.name : NULL;
}

#define HEAD "<m><provider name=\"Source\" guid=\"" GUID "\">"
#define TAIL "</provider></m>"
#define ONE  HEAD "<event value=\"1\" symbol=\"One\"/>" TAIL

START_TEST(what_is_a_piece)
{
    record r = piece_of(guid, 1, 1, 0, "", 0);

    ck_assert_int_eq(eventsources_is(&r), 1);
    made.at[0x53] = 0x5C; /* magic */
    ck_assert_int_eq(eventsources_is(&r), 0);
    made.at[0x53] = 0x5B;
    made.at[0x50] = 2; /* format */
    ck_assert_int_eq(eventsources_is(&r), 0);
    made.at[0x50] = 1;
    made.at[0x2D] = 0; /* opcode */
    ck_assert_int_eq(eventsources_is(&r), 0);
    r = record_event(&made, guid, 0xFFFE, 1, "\1\1\0\x5B\1\0\0", 7); /* too short */
    record_number(&made, 0x2D, 0xFE, 1);
    record_number(&made, 0x2E, 0xFFFE, 2);
    ck_assert_int_eq(eventsources_is(&r), 0);
}
END_TEST

START_TEST(one_piece)
{
    ck_assert_int_eq(give(1, 1, 0, ONE), 1);
    ck_assert_str_eq(name_of(1), "One");
    ck_assert_str_eq(t.provider, "Source");
    ck_assert_str_eq(t.origin, "in the trace");
    ck_assert_uint_eq(eventsources_unfinished(e), 0);
}
END_TEST

START_TEST(three_pieces)
{
    ck_assert_int_eq(give(1, 3, 0, HEAD "<event val"), 1);
    ck_assert_int_eq(give(1, 3, 1, "ue=\"1\" sym"), 1);
    ck_assert_uint_eq(eventsources_unfinished(e), 1);
    ck_assert_int_eq(give(1, 3, 2, "bol=\"One\"/>" TAIL), 1);
    ck_assert_uint_eq(eventsources_unfinished(e), 0);
    ck_assert_str_eq(name_of(1), "One");
}
END_TEST

START_TEST(processes_at_the_same_time)
{
    ck_assert_int_eq(give(1, 2, 0, HEAD "<event value=\"1\" "), 1);
    ck_assert_int_eq(give(2, 2, 0, HEAD "<event value=\"1\" "), 1);
    ck_assert_int_eq(give(2, 2, 1, "symbol=\"Two\"/>" TAIL), 1);
    ck_assert_int_eq(give(1, 2, 1, "symbol=\"One\"/>" TAIL), 1);
    ck_assert_str_eq(name_of(1), "Two"); /* the first that was complete */
}
END_TEST

START_TEST(pieces_in_any_order)
{
    ck_assert_int_eq(give(1, 3, 2, "bol=\"One\"/>" TAIL), 1);
    ck_assert_int_eq(give(1, 3, 0, HEAD "<event val"), 1);
    ck_assert_int_eq(give(1, 3, 0, HEAD "<event val"), 1); /* of a copy */
    ck_assert_uint_eq(eventsources_unfinished(e), 1);
    ck_assert_int_eq(give(1, 3, 1, "ue=\"1\" sym"), 1);
    ck_assert_uint_eq(eventsources_unfinished(e), 0);
    ck_assert_str_eq(name_of(1), "One");
}
END_TEST

START_TEST(a_set_to_which_another_text_comes)
{
    ck_assert_int_eq(give(1, 2, 0, "<broken"), 1);
    ck_assert_int_eq(give(1, 2, 0, HEAD "<event value=\"1\" "), 1);
    ck_assert_int_eq(give(1, 2, 1, "symbol=\"One\"/>" TAIL), 1);
    ck_assert_str_eq(name_of(1), "One");
    ck_assert_int_eq(give(1, 3, 0, "<broken"), 1);
    ck_assert_int_eq(give(1, 2, 0, HEAD "<event value=\"2\" "), 1);
    ck_assert_int_eq(give(1, 2, 1, "symbol=\"Two\"/>" TAIL), 1);
    ck_assert_str_eq(name_of(2), "Two");
}
END_TEST

START_TEST(pieces_that_cannot_be)
{
    ck_assert_int_eq(give(1, 0, 0, ONE), 0);
    ck_assert_int_eq(give(1, 1, 1, ONE), 0);
    ck_assert_int_eq(give(1, 1025, 0, ONE), 0);
    ck_assert_uint_eq(eventsources_unfinished(e), 1);
    ck_assert_uint_eq(manifests_providers(m), 0);
    ck_assert_int_eq(give(1, 1, 0, ONE), 1);
    ck_assert_uint_eq(eventsources_unfinished(e), 0);
}
END_TEST

START_TEST(copies_and_other_builds)
{
    ck_assert_int_eq(give(1, 1, 0, ONE), 1);
    ck_assert_int_eq(give(2, 1, 0, ONE), 1);
    ck_assert_int_eq(give(3, 1, 0, HEAD "<event value=\"1\" symbol=\"No\"/><event value=\"2\" symbol=\"Two\"/>" TAIL),
                     1);
    ck_assert_str_eq(name_of(1), "One");
    ck_assert_str_eq(name_of(2), "Two");
}
END_TEST

START_TEST(a_broken_manifest)
{
    ck_assert_int_eq(give(1, 1, 0, "<m>"), 0);
    ck_assert_uint_eq(eventsources_unfinished(e), 1);
    record r = piece_of(other_guid, 1, 1, 0, "<m>", 3);
    ck_assert_int_eq(eventsources_add(e, &r, m), 0);
    ck_assert_uint_eq(eventsources_unfinished(e), 2);
}
END_TEST

START_TEST(a_character_in_two_pieces)
{
    ck_assert_int_eq(give(1, 2, 0, HEAD "<event value=\"1\" symbol=\"S\xC3"), 1);
    ck_assert_int_eq(give(1, 2, 1,
                          "\xBC"
                          "d\"/>" TAIL),
                     1);
    ck_assert_str_eq(name_of(1), "S\xC3\xBC"
                                 "d");
}
END_TEST

START_TEST(characters_that_are_broken)
{
    ck_assert_int_eq(give(1, 1, 0, HEAD "<event value=\"1\" symbol=\"S\xC3\"/>" TAIL), 1);
    ck_assert_str_eq(name_of(1), "S\xEF\xBF\xBD");
}
END_TEST

START_TEST(zeros_behind_the_text)
{
    record r = piece_of(guid, 1, 1, 0, ONE "\0\0\0", sizeof ONE + 3);

    ck_assert_int_eq(eventsources_add(e, &r, m), 1);
    ck_assert_str_eq(name_of(1), "One");
}
END_TEST

/* More processes than are kept at once: those that are too many are refused, no memory is taken. */
START_TEST(too_many_at_once)
{
    uint32_t taken = 0;

    for (uint32_t pid = 0; pid < 1000; pid++) taken += (uint32_t)give(pid, 2, 0, "<m>");
    ck_assert_uint_eq(taken, 256);
    ck_assert_int_eq(give(1, 2, 0, HEAD "<event value=\"1\" symbol=\"One\"/>"), 1);
    ck_assert_int_eq(give(1, 2, 1, TAIL), 1);
    ck_assert_str_eq(name_of(1), "One");
    ck_assert_int_eq(give(999, 2, 0, "<m>"), 1);
}
END_TEST

static void add(TCase *c)
{
    tcase_add_test(c, what_is_a_piece);
    tcase_add_test(c, one_piece);
    tcase_add_test(c, three_pieces);
    tcase_add_test(c, processes_at_the_same_time);
    tcase_add_test(c, pieces_in_any_order);
    tcase_add_test(c, a_set_to_which_another_text_comes);
    tcase_add_test(c, pieces_that_cannot_be);
    tcase_add_test(c, copies_and_other_builds);
    tcase_add_test(c, a_broken_manifest);
    tcase_add_test(c, a_character_in_two_pieces);
    tcase_add_test(c, characters_that_are_broken);
    tcase_add_test(c, zeros_behind_the_text);
    tcase_add_test(c, too_many_at_once);
}

int main(void)
{
    return kit_run("eventsource", add, open, close);
}
