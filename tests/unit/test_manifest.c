/* test_manifest.c - manifests written by hand, and payloads written by hand that they describe. */
#include <stdarg.h>

#include "event_name.h"
#include "manifest.h"
#include "payload_kit.h"
#include "record_kit.h"

/* {11223344-5566-7788-99aa-bbccddeeff00}, and others that differ in the last byte, as they lie in a record. */
static const uint8_t guid[16] = { 0x44, 0x33, 0x22, 0x11, 0x66, 0x55, 0x88, 0x77,
                                  0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff, 0x00 };
static const uint8_t other_guid[16] = { 0x44, 0x33, 0x22, 0x11, 0x66, 0x55, 0x88, 0x77,
                                        0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff, 0x01 };
#define GUID  "{11223344-5566-7788-99AA-BBCCDDEEFF00}"
#define OTHER "11223344-5566-7788-99aa-bbccddeeff01"

static manifests *m;
static kit k;
static made_record made;
static tw_type t;
static unsigned version;
static uint64_t faults;
static char why[512];

static void open(void)
{
    m = manifests_new();
    kit_open(&k);
    faults = 0;
}

static void close(void)
{
    manifests_free(m);
    kit_close(&k);
    record_free(&made);
}

static int read_text(const char *xml)
{
    size_t n = strlen(xml);
    char *exact = malloc(n ? n : 1); /* of exactly its size, without a 0 */
    memcpy(exact, xml, n);
    int got = manifests_read(m, exact, n, "test.man", why, sizeof why, &faults);
    free(exact);
    return got;
}

static void must_read(const char *xml)
{
    ck_assert_msg(read_text(xml) == TW_OK, "refused: %s", why);
}

/* A provider with these parts, without faults. */
static void read_parts(const char *parts)
{
    text xml = { 0 };

    text_format(&xml, "<m><provider name=\"P\" guid=\"" GUID "\">%s</provider></m>", parts);
    must_read(xml.at);
    text_free(&xml);
}

/* One event, of id 1, with this template. */
static void read_fields(const char *members)
{
    text xml = { 0 };

    text_format(&xml,
                "<events><event value=\"1\" symbol=\"E\" template=\"T\"/></events>"
                "<templates><template tid=\"T\">%s</template></templates>",
                members);
    read_parts(xml.at);
    text_free(&xml);
}

/* What is known of the event with this payload, in hex. */
static int find(const uint8_t of[16], unsigned id, unsigned v, const char *hex)
{
    uint32_t n = kit_parse(hex, k.bytes);
    record r = record_event(&made, of, id, v, k.bytes, n);

    t = (tw_type){ .size = sizeof t };
    version = v;
    return manifests_find(m, &r, &t, &version);
}

/* The payload of event 1 as text. */
static const char *decoded(const char *hex)
{
    ck_assert_int_eq(find(guid, 1, 0, hex), SCHEMA_EXACT);
    kit_type(&k, t.field, t.nfields, 8);
    kit_hex(&k, hex);
    return kit_text(&k);
}

/* ---- Providers and events ---- */

static const char whole[] =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    "<instrumentationManifest xmlns=\"http://schemas.microsoft.com/win/2004/08/events\">\n"
    " <instrumentation><events>\n"
    "  <provider name=\"Test-Provider\" guid=\"" GUID "\" symbol=\"TEST\" unknown=\"x\">\n"
    "   <channels><importChannel chid=\"SYS\" name=\"System\"/>\n"
    "    <channel name=\"Test-Provider/Debug\" chid=\"DBG\" value=\"0x11\" type=\"Debug\"/></channels>\n"
    "   <levels><level name=\"Chatty\" value=\"16\"/></levels>\n"
    "   <tasks>\n"
    "    <task name=\"TASK_FILE\" value=\"7\" message=\"$(string.Task.File)\">\n"
    "     <opcodes><opcode name=\"Open\" value=\"20\" message=\"$(string.Op.Open)\"/></opcodes></task>\n"
    "    <task name=\"Net\" value=\"8\"/></tasks>\n"
    "   <opcodes><opcode name=\"Open\" value=\"30\"/><opcode name=\"Poll\" value=\"31\"/></opcodes>\n"
    "   <keywords><keyword name=\"IO\" mask=\"0x10\"/><keyword name=\"Slow\" mask=\"0x200\" "
    "message=\"$(string.Key.Slow)\"/></keywords>\n"
    "   <events>\n"
    "    <event value=\"100\" version=\"2\" level=\"win:Warning\" task=\"TASK_FILE\" opcode=\"Open\" "
    "channel=\"DBG\"\n"
    "     keywords=\"IO Slow win:EventlogClassic\" template=\"T\" message=\"$(string.Event.100)\"/>\n"
    "    <event value=\"0x65\" symbol=\"NET_POLL\" level=\"Chatty\" task=\"Net\" opcode=\"Poll\" channel=\"SYS\"/>\n"
    "    <event value=\"102\" task=\"Net\" opcode=\"win:DC_Start\"/>\n"
    "    <event value=\"103\" task=\"Net\" opcode=\"Open\"/>\n"
    "   </events>\n"
    "   <maps><valueMap name=\"Mode\"><map value=\"1\" message=\"$(string.Mode.Read)\"/>\n"
    "     <map value=\"0x2\" message=\"$(string.Mode.Write)\"/></valueMap>\n"
    "    <bitMap name=\"Flags\"><map value=\"0x4\" message=\"$(string.Flag.Four)\"/>\n"
    "     <map value=\"0x1\" message=\"One\"/><map value=\"0x5\" message=\"Both\"/></bitMap></maps>\n"
    "   <templates><template tid=\"T\">\n"
    "    <data name=\"Mode\" inType=\"win:UInt32\" map=\"Mode\"/>\n"
    "    <data name=\"Flags\" inType=\"win:UInt8\" outType=\"win:HexInt8\" map=\"Flags\"/>\n"
    "    <data name=\"Name\" inType=\"win:UnicodeString\" outType=\"xs:string\"/></template></templates>\n"
    "  </provider></events></instrumentation>\n"
    " <localization>\n"
    "  <resources culture=\"de-DE\"><stringTable><string id=\"Task.File\" value=\"Datei\"/>\n"
    "   <string id=\"Op.Open\" value=\"oeffnen\"/></stringTable></resources>\n"
    "  <resources culture=\"en-US\"><stringTable><string id=\"Task.File\" value=\"File IO\"/>\n"
    "   <string id=\"Key.Slow\" value=\"Slow things\"/><string id=\"Mode.Read\" value=\"read \"/>\n"
    "   <string id=\"Mode.Write\" value=\"write\"/><string id=\"Flag.Four\" value=\"4th\"/>\n"
    "   <string id=\"Event.100\" value=\"%3 opened for %1!s!, 100%% &lt;ok&gt;%n\"/></stringTable></resources>\n"
    " </localization>\n"
    "</instrumentationManifest>\n";

START_TEST(all_that_is_said_of_an_event)
{
    must_read(whole);
    ck_assert_uint_eq(faults, 0);
    ck_assert_uint_eq(manifests_providers(m), 1);
    ck_assert_int_eq(find(guid, 100, 2, "02000000 05 41000000"), SCHEMA_EXACT);
    ck_assert_uint_eq(version, 2);
    ck_assert_str_eq(t.provider, "Test-Provider");
    ck_assert_str_eq(t.name, "FileIOoeffnen"); /* the one string that is not there in English */
    ck_assert_str_eq(t.origin, "test.man");
    ck_assert_str_eq(t.message, "%3 opened for %1!s!, 100%% <ok>%n");
    ck_assert_str_eq(t.task_name, "File IO");
    ck_assert_str_eq(t.opcode_name, "oeffnen");
    ck_assert_str_eq(t.level_name, "Warning");
    ck_assert_str_eq(t.channel_name, "Test-Provider/Debug");
    ck_assert_uint_eq(t.nfields, 3);
    ck_assert_uint_eq(t.keywords->n, 2);
    ck_assert_uint_eq(t.keywords->flags, TW_BITS);
    ck_assert_uint_eq(t.keywords->name[0].value, 0x10);
    ck_assert_str_eq(t.keywords->name[0].name, "IO");
    ck_assert_uint_eq(t.keywords->name[1].value, 0x200);
    ck_assert_str_eq(t.keywords->name[1].name, "Slow things");
    ck_assert_ptr_null(t.why);
}
END_TEST

START_TEST(names_of_values_and_bits)
{
    must_read(whole);
    find(guid, 100, 2, "01");
    kit_type(&k, t.field, t.nfields, 8);
    kit_hex(&k, "02000000 05 6100 6200 0000");
    ck_assert_str_eq(kit_text(&k), "Mode=write Flags=One|4th Name=\"ab\"");
    kit_hex(&k, "01000000 0c 0000");
    ck_shows(&k, "Mode", "read"); /* the blank at the end of a message is not meant */
    ck_shows(&k, "Flags", "4th|0x8");
}
END_TEST

START_TEST(names_of_events)
{
    must_read(whole);
    ck_assert_int_eq(find(guid, 101, 0, ""), SCHEMA_EXACT);
    ck_assert_str_eq(t.name, "NET_POLL");
    ck_assert_str_eq(t.task_name, "Net");
    ck_assert_str_eq(t.opcode_name, "Poll");
    ck_assert_str_eq(t.level_name, "Chatty");
    ck_assert_str_eq(t.channel_name, "System");
    ck_assert_uint_eq(t.nfields, 0);
    find(guid, 102, 0, "");
    ck_assert_str_eq(t.name, "NetDCStart");
    ck_assert_str_eq(t.opcode_name, "DCStart");
    find(guid, 103, 0, "");
    ck_assert_str_eq(t.name, "NetOpen"); /* the provider's Open, which another task has, too */
}
END_TEST

START_TEST(an_unknown_event_of_a_known_provider)
{
    must_read(whole);
    record r = record_event(&made, guid, 55, 0, NULL, 0);
    made.at[0x2D] = 31; /* opcode */
    made.at[0x2E] = 8;  /* task */
    made.at[0x2B] = 17; /* channel */
    t = (tw_type){ .size = sizeof t };
    ck_assert_int_eq(manifests_find(m, &r, &t, &version), SCHEMA_NONE);
    ck_assert_str_eq(t.provider, "Test-Provider");
    ck_assert_str_eq(t.task_name, "Net");
    ck_assert_str_eq(t.opcode_name, "Poll");
    ck_assert_str_eq(t.level_name, "Information");
    ck_assert_str_eq(t.channel_name, "Test-Provider/Debug");
    ck_assert_uint_eq(t.keywords->n, 2);
    ck_assert_ptr_null(t.name);
    ck_assert_ptr_null(t.origin);
    ck_assert_int_eq(find(other_guid, 100, 2, ""), SCHEMA_NONE);
    ck_assert_ptr_null(t.provider);
    r = record_event(&made, guid, 100, 2, "", 1); /* the record's opcode is 0, the event's is its own */
    ck_assert_int_eq(manifests_find(m, &r, &t, &version), SCHEMA_EXACT);
    ck_assert_str_eq(t.opcode_name, "oeffnen");
}
END_TEST

START_TEST(what_the_rule_for_names_says)
{
    store s = { 0 };

    ck_assert_str_eq(event_name(&s, "GCStart_V2", 2, "GC", 1, "Start"), "GCStart");
    ck_assert_str_eq(event_name(&s, "GCStart_V2", 1, "GC", 1, "Start"), "GCStart_V2");
    ck_assert_str_eq(event_name(&s, "_V1", 1, NULL, 0, NULL), "_V1");
    ck_assert_str_eq(event_name(&s, NULL, 0, "HTTP Request Trace Task", 12, "RecvReq"),
                     "HTTPRequestTraceTaskRecvReq");
    ck_assert_str_eq(event_name(&s, "", 0, "ProcessStart", 1, "Start"), "ProcessStart");
    ck_assert_str_eq(event_name(&s, NULL, 0, "Start", 1, "Start"), "Start");
    ck_assert_str_eq(event_name(&s, NULL, 0, "art", 1, "Start"), "artStart");
    ck_assert_str_eq(event_name(&s, NULL, 0, "Loop", 0, "Info"), "Loop");
    ck_assert_str_eq(event_name(&s, NULL, 0, NULL, 1, "Start"), "Start");
    ck_assert_str_eq(event_name(&s, NULL, 0, "In/Out", 0, NULL), "In_Out");
    ck_assert_ptr_null(event_name(&s, NULL, 0, NULL, 0, "Info"));
    ck_assert_ptr_null(event_name(&s, " ", 0, "Task", 0, NULL));
    store_free(&s);
}
END_TEST

START_TEST(versions)
{
    read_parts("<event value=\"1\" version=\"2\" symbol=\"Two\"/><event value=\"1\" version=\"5\" symbol=\"Five\"/>"
               "<event value=\"1\" version=\"2\" symbol=\"Again\"/>");
    ck_assert_int_eq(find(guid, 1, 2, ""), SCHEMA_EXACT);
    ck_assert_str_eq(t.name, "Two");
    ck_assert_int_eq(find(guid, 1, 4, ""), SCHEMA_NEAR);
    ck_assert_str_eq(t.name, "Two");
    ck_assert_uint_eq(version, 2);
    ck_assert_int_eq(find(guid, 1, 9, ""), SCHEMA_NEAR);
    ck_assert_str_eq(t.name, "Five");
    ck_assert_int_eq(find(guid, 1, 0, ""), SCHEMA_NEAR);
    ck_assert_str_eq(t.name, "Two");
    ck_assert_int_eq(find(guid, 2, 2, ""), SCHEMA_NONE);
}
END_TEST

START_TEST(several_providers_and_texts)
{
    must_read("<x><provider name=\"A\" guid=\"" GUID "\"><event value=\"1\" symbol=\"A1\"/></provider>"
              "<provider name=\"B\" guid=\"" OTHER "\"><event value=\"1\" symbol=\"B1\"/></provider></x>");
    must_read("<provider name=\"Later\" guid=\"" GUID "\"><event value=\"1\" symbol=\"No\"/>"
              "<event value=\"2\" symbol=\"A2\"/></provider>");
    ck_assert_uint_eq(manifests_providers(m), 2);
    find(guid, 1, 0, "");
    ck_assert_str_eq(t.name, "A1");
    ck_assert_str_eq(t.provider, "A");
    ck_assert_str_eq(t.opcode_name, "Info");
    ck_assert_ptr_null(t.task_name);
    ck_assert_ptr_null(t.channel_name); /* 0 is none */
    find(guid, 2, 0, "");
    ck_assert_str_eq(t.name, "A2");
    find(other_guid, 1, 0, "");
    ck_assert_str_eq(t.name, "B1");
}
END_TEST

static int list(void *context, const tw_type *type)
{
    text_format(context, "%s/%s v%u l%u o%u t%u c%u k%x n%u; ", type->provider, type->name, type->version,
                type->level, type->opcode, type->task, type->channel, (unsigned)type->keyword,
                (unsigned)type->nfields);
    return TW_OK;
}

static int stop_at_once(void *context, const tw_type *type)
{
    (void)type;
    ++*(int *)context;
    return 42;
}

START_TEST(all_types)
{
    text all = { 0 };
    int calls = 0;

    must_read(whole);
    must_read("<provider name=\"Later\" guid=\"" GUID "\"><event value=\"102\"/><event value=\"1\"/></provider>");
    ck_assert_int_eq(manifests_each(m, list, &all), TW_OK);
    ck_assert_str_eq(all.at, "Test-Provider/FileIOoeffnen v2 l3 o20 t7 c17 k210 n3; "
                             "Test-Provider/NET_POLL v0 l16 o31 t8 c8 k0 n0; "
                             "Test-Provider/NetDCStart v0 l0 o3 t8 c0 k0 n0; "
                             "Test-Provider/NetOpen v0 l0 o30 t8 c0 k0 n0; "
                             "Later/1 v0 l0 o0 t0 c0 k0 n0; ");
    ck_assert_int_eq(manifests_each(m, stop_at_once, &calls), 42);
    ck_assert_int_eq(calls, 1);
    text_free(&all);
}
END_TEST

START_TEST(classic_events)
{
    read_parts("<tasks><task name=\"GC\" value=\"1\" eventGUID=\"{" OTHER "}\"/></tasks>"
               "<keywords><keyword name=\"K\" mask=\"2\"/></keywords>"
               "<event value=\"1\" version=\"1\" task=\"GC\" opcode=\"win:Start\" keywords=\"K\" template=\"T\"/>"
               "<event value=\"2\" version=\"1\" task=\"GC\" opcode=\"win:Stop\"/>"
               "<template tid=\"T\"><data name=\"Count\" inType=\"win:UInt32\"/></template>");
    record r = record_classic(&made, other_guid, 1, 1, "\x05\0\0\0", 4);
    t = (tw_type){ .size = sizeof t };
    ck_assert_int_eq(manifests_find(m, &r, &t, &version), SCHEMA_EXACT);
    ck_assert_str_eq(t.provider, "P");
    ck_assert_str_eq(t.name, "GCStart");
    ck_assert_str_eq(t.level_name, "Verbose");
    ck_assert_uint_eq(t.task, 1);
    ck_assert_uint_eq(t.keyword, 2);
    ck_assert_uint_eq(t.nfields, 1);
    r = record_classic(&made, other_guid, 9, 1, NULL, 0);
    t = (tw_type){ .size = sizeof t };
    ck_assert_int_eq(manifests_find(m, &r, &t, &version), SCHEMA_NONE);
    ck_assert_str_eq(t.provider, "P");
    r = record_classic(&made, guid, 1, 1, NULL, 0); /* the provider's own GUID is no class */
    t = (tw_type){ .size = sizeof t };
    ck_assert_int_eq(manifests_find(m, &r, &t, &version), SCHEMA_NONE);
    ck_assert_ptr_null(t.provider);
}
END_TEST

/* What wevtutil prints in XML: numbers in place of names, texts in place of references. */
START_TEST(a_dump_of_what_a_machine_knows)
{
    must_read("<provider name=\"W\" guid=\"" OTHER "\" helpLink=\"http://x/?a&amp;b\" message=\"W\" "
              "xmlns=\"http://schemas.microsoft.com/win/2004/08/events\">"
              "<channels><channel name=\"W/Operational\" id=\"16\" flags=\"0\" message=\"Nice name\"/></channels>"
              "<levels><level name=\"win:Informational\" value=\"4\" message=\"Informationen\"/></levels>"
              "<tasks><task name=\"T\" value=\"3\" message=\"The task\"/></tasks>"
              "<opcodes><opcode name=\"O\" value=\"11\" message=\"does\"/></opcodes>"
              "<keywords><keyword name=\"K\" mask=\"8000000000000000\"/><keyword name=\"L\" mask=\"0x1\"/></keywords>"
              "<events><event value=\"5\" version=\"1\" opcode=\"11\" channel=\"16\" level=\"4\" task=\"3\" "
              "keywords=\"0x8000000000000001\" message=\"Hello %1&#xD;&#xA;\"></event>"
              "<event value=\"6\"><template><data name=\"A\" inType=\"win:UInt8\"/></template></event></events>"
              "</provider>");
    ck_assert_int_eq(find(other_guid, 5, 1, ""), SCHEMA_EXACT);
    ck_assert_str_eq(t.name, "Thetaskdoes");
    ck_assert_str_eq(t.message, "Hello %1");
    ck_assert_str_eq(t.channel_name, "W/Operational");
    ck_assert_str_eq(t.level_name, "Information");
    ck_assert_uint_eq(t.keywords->name[1].value, UINT64_C(0x8000000000000000));
    /* It has a message and nothing is said of its fields: it is named, and others may know more. */
    ck_assert_int_eq(find(other_guid, 5, 1, "0102"), SCHEMA_NONE);
    ck_assert_str_eq(t.name, "Thetaskdoes");
    ck_assert_ptr_null(t.origin);
    ck_assert_int_eq(find(other_guid, 6, 0, "07"), SCHEMA_EXACT);
    ck_assert_uint_eq(t.nfields, 1);
}
END_TEST

/* ---- Templates ---- */

START_TEST(lengths)
{
    read_fields(
        "<data name=\"N\" inType=\"win:UInt16\"/><data name=\"Fixed\" inType=\"win:UnicodeString\" length=\"3\"/>"
        "<data name=\"By\" inType=\"win:UnicodeString\" length=\"N\"/>"
        "<data name=\"Ansi\" inType=\"win:AnsiString\" length=\"0x2\"/>"
        "<data name=\"Bin\" inType=\"win:Binary\" length=\"N\"/>"
        "<data name=\"Addr\" inType=\"win:Binary\" outType=\"win:IPv6\"/>"
        "<data name=\"Rest\" inType=\"win:Binary\"/>");
    ck_assert_uint_eq(faults, 0);
    ck_assert_str_eq(decoded("0200 610062006300 64006500 5859 abcd 20010db8000000000000000000000001 0102030405"),
                     "N=2 Fixed=\"abc\" By=\"de\" Ansi=\"XY\" Bin=0xabcd Addr=2001:db8::1 Rest=0x0102030405");
}
END_TEST

START_TEST(counts)
{
    read_fields("<data name=\"N\" inType=\"win:UInt8\"/><data name=\"Two\" inType=\"win:UInt16\" count=\"2\"/>"
                "<data name=\"By\" inType=\"win:UInt8\" outType=\"win:HexInt8\" count=\"N\"/>"
                "<data name=\"One\" inType=\"win:UInt8\" count=\"1\"/>"
                "<data name=\"Texts\" inType=\"win:UnicodeString\" count=\"N\"/>");
    ck_assert_str_eq(decoded("03 0100 0200 0a0b0c 09 6100 0000 0000 6300 0000"),
                     "N=3 Two=[1, 2] By=[0xa, 0xb, 0xc] One=9 Texts=[\"a\", \"\", \"c\"]");
}
END_TEST

START_TEST(structs)
{
    read_fields("<data name=\"N\" inType=\"win:UInt8\"/><data name=\"L\" inType=\"win:UInt8\"/>"
                "<struct name=\"S\" count=\"N\"><data name=\"L\" inType=\"win:UInt8\"/>"
                "<data name=\"Own\" inType=\"win:AnsiString\" length=\"L\"/>"
                "<struct name=\"In\" count=\"2\"><data name=\"Outer\" inType=\"win:UInt8\" count=\"N\"/></struct>"
                "</struct>"
                "<data name=\"Back\" inType=\"win:AnsiString\" length=\"L\"/>");
    ck_assert_uint_eq(faults, 0);
    ck_assert_str_eq(decoded("02 03 01 41 0102 0304 02 4243 0506 0708 585960"),
                     "N=2 L=3 S=[{L=1 Own=\"A\" In=[{Outer=[1, 2]}, {Outer=[3, 4]}]}, "
                     "{L=2 Own=\"BC\" In=[{Outer=[5, 6]}, {Outer=[7, 8]}]}] Back=\"XY`\"");
}
END_TEST

START_TEST(a_field_that_cannot_be_understood_ends_the_table)
{
    read_parts("\n<event value=\"1\" template=\"T\"/>\n"
               "<template tid=\"T\"><data name=\"A\" inType=\"UInt8\"/>\n"
               "<data name=\"Foo\" inType=\"win:Bar\"/><data name=\"B\" inType=\"win:UInt8\"/></template>");
    ck_assert_uint_eq(faults, 1);
    ck_assert_str_eq(why, "line 4: <data> \"Foo\" has inType \"win:Bar\", which is none");
    ck_assert_int_eq(find(guid, 1, 0, "0102"), SCHEMA_EXACT);
    ck_assert_uint_eq(t.nfields, 1);
}
END_TEST

START_TEST(an_array_that_cannot_be_understood_is_left_out_whole)
{
    read_fields("<data name=\"N\" inType=\"win:UInt8\"/><struct name=\"One\"><data name=\"A\" inType=\"win:UInt8\"/>"
                "<struct name=\"Many\" count=\"N\"><data name=\"B\" inType=\"win:UInt8\"/>"
                "<data name=\"C\" inType=\"win:UInt8\" count=\"Later\"/></struct></struct>"
                "<data name=\"D\" inType=\"win:UInt8\"/>");
    ck_assert_uint_eq(faults, 1);
    ck_assert_ptr_nonnull(strstr(why, "<data> \"C\" has count \"Later\", which is neither a number below 65536 nor a "
                                      "field before it"));
    ck_assert_str_eq(decoded("02 07 01 02"), "N=2 One={A=7} [2 bytes more: 0x0102]");
}
END_TEST

START_TEST(bytes_without_a_length)
{
    read_fields("<data name=\"A\" inType=\"win:UInt8\"/><data name=\"X\" inType=\"win:Binary\"/>"
                "<data name=\"B\" inType=\"win:UInt8\"/>");
    ck_assert_uint_eq(faults, 1);
    ck_assert_ptr_nonnull(
        strstr(why, "<data> \"X\" has bytes or text without a length, so what follows it cannot be found"));
    ck_assert_uint_eq((find(guid, 1, 0, "01020304"), t.nfields), 1);
}
END_TEST

/* The last of a struct, but of each element's. */
START_TEST(bytes_without_a_length_in_an_array)
{
    read_fields("<data name=\"A\" inType=\"win:UInt8\"/><struct name=\"S\" count=\"2\">"
                "<data name=\"X\" inType=\"win:Binary\"/></struct>");
    ck_assert_uint_eq(faults, 1);
    ck_assert_uint_eq((find(guid, 1, 0, "01020304"), t.nfields), 1);
}
END_TEST

START_TEST(references_that_are_no_numbers)
{
    read_fields("<data name=\"A\" inType=\"win:UInt8\" count=\"3\"/><data name=\"X\" inType=\"win:Binary\" "
                "length=\"A\"/>");
    ck_assert_uint_eq(faults, 1);
    ck_assert_ptr_nonnull(strstr(why, "has length \"A\", a field that is no plain number"));
    ck_assert_uint_eq((find(guid, 1, 0, "01020304"), t.nfields), 1);
}
END_TEST

/* An array's members are not seen from outside of it. */
START_TEST(references_into_an_array)
{
    read_fields("<struct name=\"S\" count=\"2\"><data name=\"L\" inType=\"win:UInt8\"/></struct>"
                "<data name=\"X\" inType=\"win:Binary\" length=\"L\"/>");
    ck_assert_uint_eq(faults, 1);
    ck_assert_uint_eq((find(guid, 1, 0, "01020304"), t.nfields), 2);
}
END_TEST

START_TEST(the_call_stack_of_the_runtime)
{
    read_fields("<data name=\"FrameCount\" inType=\"win:UInt32\"/>"
                "<data name=\"Stack\" count=\"2\" inType=\"win:Pointer\"/>");
    ck_assert_str_eq(decoded("03000000 0100000000000000 0200000000000000 0300000000000000"),
                     "FrameCount=3 Stack=[0x1, 0x2, 0x3]");
}
END_TEST

START_TEST(the_users_own_words_are_passed_over)
{
    read_fields("<data name=\"A\" inType=\"win:UInt8\"/><UserData><EventXML xmlns=\"urn:x\"><data>%1</data>"
                "<event value=\"9\"/></EventXML></UserData><data name=\"B\" inType=\"win:UInt8\"/>");
    ck_assert_uint_eq(faults, 0);
    ck_assert_uint_eq((find(guid, 1, 0, "01"), t.nfields), 2);
    ck_assert_int_eq(find(guid, 9, 0, ""), SCHEMA_NONE);
    ck_assert_ptr_null(t.name);
}
END_TEST

START_TEST(too_many_fields)
{
    text members = { 0 };

    for (int i = 0; i < 4097; i++) text_put(&members, "<data name=\"A\" inType=\"win:UInt8\"/>");
    read_fields(members.at);
    ck_assert_uint_eq(faults, 1);
    ck_assert_ptr_nonnull(strstr(why, "<template> \"T\" has more fields than a type of event may have"));
    ck_assert_int_eq(find(guid, 1, 0, "01"), SCHEMA_NONE);
    text_free(&members);
}
END_TEST

START_TEST(structs_too_deep)
{
    text members = { 0 };

    text_put(&members, "<data name=\"A\" inType=\"win:UInt8\"/>");
    for (int i = 0; i < 9; i++) text_put(&members, "<struct name=\"S\">");
    text_put(&members, "<data name=\"B\" inType=\"win:UInt8\"/>");
    for (int i = 0; i < 9; i++) text_put(&members, "</struct>");
    read_fields(members.at);
    ck_assert_uint_eq(faults, 1);
    ck_assert_str_eq(decoded("0102"), "A=1 S={S={S={S={S={S={S={S={}}}}}}}} [1 bytes more: 0x02]");
    text_free(&members);
}
END_TEST

/* ---- Names that lead nowhere ---- */

START_TEST(a_name_that_leads_nowhere_leaves_the_event)
{
    read_parts("<event value=\"1\" symbol=\"E\" task=\"T\" opcode=\"O\" level=\"L\" keywords=\"A B\" channel=\"C\" "
               "template=\"X\"/>");
    ck_assert_uint_eq(faults, 7);
    ck_assert_str_eq(why, "line 1: <event> \"1\" has task \"T\", which the provider does not have");
    ck_assert_int_eq(find(guid, 1, 0, ""), SCHEMA_EXACT);
    ck_assert_str_eq(t.name, "E");
}
END_TEST

START_TEST(events_that_are_left_out)
{
    read_parts("<event symbol=\"E\"/><event value=\"65536\"/><event value=\"1\" version=\"256\"/><event value=\"x\"/>"
               "<event value=\" 2 \"/>");
    ck_assert_uint_eq(faults, 4);
    ck_assert_int_eq(find(guid, 1, 0, ""), SCHEMA_NONE);
    ck_assert_int_eq(find(guid, 2, 0, ""), SCHEMA_EXACT);
}
END_TEST

START_TEST(without_a_table_of_strings)
{
    read_parts("<tasks><task name=\"Tracing\" value=\"1\" message=\"$(string.task_T)\"/></tasks>"
               "<maps><valueMap name=\"M\"><map value=\"7\" message=\"$(string.map_M.Seven)\"/></valueMap></maps>"
               "<event value=\"1\" task=\"Tracing\" message=\"$(string.event_1)\" template=\"T\"/>"
               "<event value=\"2\" message=\"$(mc.2) and $(string.no)\"/>"
               "<template tid=\"T\"><data name=\"A\" inType=\"win:UInt8\" map=\"M\"/></template>");
    ck_assert_uint_eq(faults, 0);
    ck_assert_str_eq(decoded("07"), "A=map_M.Seven");
    ck_assert_str_eq(t.name, "Tracing");
    ck_assert_ptr_null(t.message);
    find(guid, 2, 0, "");
    ck_assert_str_eq(t.message, "$(mc.2) and $(string.no)");
}
END_TEST

START_TEST(strings_within_texts)
{
    must_read("<m><provider name=\"P\" guid=\"" GUID
              "\"><event value=\"1\" message=\"a $(string.X) b $(string.Y)$\"/>"
              "</provider><string id=\"X\" value=\"first\"/><string id=\"Y\" value=\"$(string.X)\"/></m>");
    find(guid, 1, 0, "");
    ck_assert_str_eq(t.message, "a first b $(string.X)$");
}
END_TEST

/* ---- Texts ---- */

/* ASCII as UTF-16, in either order of bytes. */
static int read_wide(const char *xml, int big, int mark)
{
    size_t n = strlen(xml), at = 0;
    uint8_t *wide = malloc(2 * n + 2);

    if (mark) {
        wide[at++] = big ? 0xFE : 0xFF;
        wide[at++] = big ? 0xFF : 0xFE;
    }
    for (size_t i = 0; i < n; i++) {
        wide[at++] = big ? 0 : (uint8_t)xml[i];
        wide[at++] = big ? (uint8_t)xml[i] : 0;
    }
    int got = manifests_read(m, wide, at, "test.man", why, sizeof why, &faults);
    free(wide);
    return got;
}

START_TEST(encodings)
{
    static const char bare[] =
        "<provider name=\"P\" guid=\"" GUID "\"><event value=\"1\" symbol=\"Wide\"/></provider>";
    text declared = { 0 };

    text_format(&declared, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>%s", bare);
    for (int big = 0; big < 2; big++) {
        for (int mark = 0; mark < 2; mark++) {
            ck_assert_msg(read_wide(bare, big, mark) == TW_OK, "%s", why);
            ck_assert_msg(read_wide(declared.at, big, mark) == TW_OK, "%s", why); /* says UTF-8, and is not */
            ck_assert_int_eq(find(guid, 1, 0, ""), SCHEMA_EXACT);
            ck_assert_str_eq(t.name, "Wide");
            manifests_free(m);
            m = manifests_new();
        }
    }
    text_clear(&declared);
    text_format(&declared, "<?xml version=\"1.0\" encoding=\"utf-16\"?>%s", bare); /* is UTF-8 in truth */
    must_read(declared.at);
    text_clear(&declared);
    text_format(&declared, "\xEF\xBB\xBF%s", bare);
    must_read(declared.at);
    text_clear(&declared);
    text_format(&declared, "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><provider name=\"\xFC\" guid=\"%s\"/>",
                OTHER);
    must_read(declared.at);
    find(other_guid, 1, 0, "");
    ck_assert_str_eq(t.provider, "\xC3\xBC");
    text_free(&declared);
}
END_TEST

START_TEST(prefixes_do_not_matter)
{
    must_read("<a:m xmlns:a=\"urn:1\" xmlns:trace=\"urn:2\"><a:provider a:name=\"P\" guid=\"" GUID "\">"
              "<trace:event value=\"1\" symbol=\"E\" template=\"T\"/><a:template tid=\"T\">"
              "<a:data name=\"A\" a:inType=\"trace:uint8\"/></a:template></a:provider></a:m>");
    ck_assert_uint_eq(faults, 0);
    ck_assert_str_eq(decoded("05"), "A=5");
}
END_TEST

static void refused(const char *xml, const char *sentence)
{
    ck_assert_int_eq(read_text(xml), TW_ERROR);
    ck_assert_str_eq(why, sentence);
    ck_assert_uint_eq(faults, 0);
    ck_assert_uint_eq(manifests_providers(m), 0);
}

START_TEST(texts_that_are_refused)
{
    text deep = { 0 }, long_text = { 0 };

    refused("<!DOCTYPE a [<!ENTITY x \"y\">]><provider/>",
            "line 1: a document type, which could define entities, is not accepted");
    refused("<provider name=\"&x;\" guid=\"" GUID "\"/>", "line 1: this is no XML: undefined entity");
    refused("\n\n<a>\n</b>", "line 4: this is no XML: mismatched tag");
    refused("", "line 1: this is no XML: no element found");
    refused("<a><event value=\"1\"/></a>", "there is no <provider> in it, so it is no instrumentation manifest");
    for (int i = 0; i < 65; i++) text_put(&deep, "<a>");
    refused(deep.at, "line 1: elements lie deeper in each other than in any manifest");
    text_free(&deep);
    text_put(&long_text, "<a>\n<string id=\"x\" value=\"");
    while (long_text.n < 257 << 10) text_put(&long_text, "0123456789abcdef");
    text_put(&long_text, "\"/></a>");
    refused(long_text.at, "line 2: a text is longer than any in a manifest");
    text_free(&long_text);
}
END_TEST

/* Each provider is looked at for each type of event, so there is an end to them; what came before stays. */
START_TEST(too_many_providers)
{
    text xml = { 0 };

    text_put(&xml, "<a>");
    for (int i = 0; i < 8000; i++) text_put(&xml, "<provider name=\"P\" guid=\"" GUID "\"/>");
    text_put(&xml, "</a>");
    must_read(xml.at);
    ck_assert_int_eq(read_text(xml.at), TW_ERROR);
    ck_assert_str_eq(why, "with it there would be more than 8192 providers");
    must_read("<provider name=\"Q\" guid=\"" OTHER "\"/>");
    ck_assert_uint_eq(manifests_providers(m), 2);
    text_free(&xml);
}
END_TEST

/* What is cited is cut at 60 bytes, between characters, and at the end of its line. */
START_TEST(names_in_sentences)
{
#define DIGITS57 "123456789012345678901234567890123456789012345678901234567"
    read_parts("<event value=\"1\" task=\"" DIGITS57 "\xE2\x82\xAC\xE2\x82\xAC\"/>");
    ck_assert_str_eq(why,
                     "line 1: <event> \"1\" has task \"" DIGITS57 "\xE2\x82\xAC\", which the provider does not have");
    faults = 0;
    read_parts("<event value=\"1\" task=\"" DIGITS57 "89\xE2\x82\xAC\"/>");
    ck_assert_str_eq(why, "line 1: <event> \"1\" has task \"" DIGITS57 "89\", which the provider does not have");
    read_parts("<event value=\"1\" task=\"a&#10;b\"/>");
    ck_assert_str_eq(why, "line 1: <event> \"1\" has task \"a\", which the provider does not have");
}
END_TEST

START_TEST(providers_that_are_left_out)
{
    ck_assert_int_eq(read_text("<provider name=\"P\"/>"), TW_ERROR);
    ck_assert_str_eq(why, "line 1: <provider> \"P\" has no guid");
    must_read("<a><provider name=\"P\" guid=\"{1122}\"/><provider name=\"Q\" guid=\"" GUID "\"/></a>");
    ck_assert_uint_eq(faults, 1);
    ck_assert_str_eq(why, "line 1: <provider> \"P\" has guid \"{1122}\", which is none");
    ck_assert_uint_eq(manifests_providers(m), 1);
}
END_TEST

static void add(TCase *c)
{
    tcase_add_test(c, all_that_is_said_of_an_event);
    tcase_add_test(c, names_of_values_and_bits);
    tcase_add_test(c, names_of_events);
    tcase_add_test(c, an_unknown_event_of_a_known_provider);
    tcase_add_test(c, what_the_rule_for_names_says);
    tcase_add_test(c, versions);
    tcase_add_test(c, several_providers_and_texts);
    tcase_add_test(c, all_types);
    tcase_add_test(c, classic_events);
    tcase_add_test(c, a_dump_of_what_a_machine_knows);
    tcase_add_test(c, lengths);
    tcase_add_test(c, counts);
    tcase_add_test(c, structs);
    tcase_add_test(c, a_field_that_cannot_be_understood_ends_the_table);
    tcase_add_test(c, an_array_that_cannot_be_understood_is_left_out_whole);
    tcase_add_test(c, bytes_without_a_length);
    tcase_add_test(c, bytes_without_a_length_in_an_array);
    tcase_add_test(c, references_that_are_no_numbers);
    tcase_add_test(c, references_into_an_array);
    tcase_add_test(c, the_call_stack_of_the_runtime);
    tcase_add_test(c, the_users_own_words_are_passed_over);
    tcase_add_test(c, too_many_fields);
    tcase_add_test(c, structs_too_deep);
    tcase_add_test(c, a_name_that_leads_nowhere_leaves_the_event);
    tcase_add_test(c, events_that_are_left_out);
    tcase_add_test(c, without_a_table_of_strings);
    tcase_add_test(c, strings_within_texts);
    tcase_add_test(c, encodings);
    tcase_add_test(c, prefixes_do_not_matter);
    tcase_add_test(c, texts_that_are_refused);
    tcase_add_test(c, too_many_providers);
    tcase_add_test(c, names_in_sentences);
    tcase_add_test(c, providers_that_are_left_out);
}

int main(void)
{
    return kit_run("manifest", add, open, close);
}
