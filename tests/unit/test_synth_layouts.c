/* test_synth_layouts.c - the layouts that synth.kernel writes.

   Checked against bytes written by hand from the layouts' public descriptions, those of published test vectors among them,
   and against the tables that the reader decodes with, which were written by others: of every event of every build with
   both pointer sizes nothing is left over and nothing is cut short. */
#include "arena.h"
#include "encode.h"
#include "kernel.h"
#include "tw_test.h"
#include "type.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>

extern const tw_stage synth_kernel;

typedef struct vector {
    uint32_t build, pointer;
    const char *hex; /* the payload; ?? is a byte that the layout leaves to the writer, * the rest */
    happening h;
} vector;

static const stack_frame frames[] = { { 0xFFFFF806B09383AC, 0 },
                                      { 0xFFFFF806B065E309, 0 },
                                      { 0x2D9B, ~UINT64_C(0) } };
static const stack_pattern pattern = { .n = 3, .frame = frames };

// clang-format off
#define K8 "efcdab9078563412"
#define K8_OF 0x1234567890ABCDEFu
#define K4 "78563412"
#define K4_OF 0x12345678u

static const vector vectors[] = {
    /* published vectors */
    { BUILD_11, 8, "3c0d0000 00000000 08 00 ?? ?? 00 00 02 3e 00000000 ???????? ????????",
      { .kind = CONTEXT_SWITCH, .change = { .new_tid = 3388, .new_priority = 8, .state = 2, .ideal = 62 } } },
    { BUILD_10, 8, "00000000 3c0d0000 00 08 ?? ?? 00 00 05 4b af1d9f01 ????????",
      { .kind = CONTEXT_SWITCH, .change = { .old_tid = 3388, .old_priority = 8, .state = 5, .ideal = 75, .wait_ticks = 0x019F1DAF } } },
    { BUILD_10, 8, "9210000005010000", { .kind = READY_THREAD, .ready = { .tid = 4242, .reason = 5, .increment = 1 } } },
    { BUILD_10, 8, "ac8393b006f8ffff 44200000 0100 00 00", { .kind = SAMPLE, .sample = { 0xFFFFF806B09383AC, 8260, 0 } } },
    { BUILD_10, 8, "8877665544332211 7856341200f8ffff",
      { .kind = DPC, .interrupt = { 0x1122334455667788, 0xFFFFF80012345678, 0, 0 } } },
    { BUILD_10, 8, "f29789b7dd030000 44200000 44200000 ac8393b006f8ffff 09e365b006f8ffff 9b2d50b006f8ffff",
      { .kind = STACK, .stack = { .kernel = &pattern, .of = 4250801903602, .pid = 8260, .tid = 8260, .program = 0xFFFFF806B0500000 } } },
    { BUILD_10, 8, "3930000000000000 01000000 02000000", { .kind = STACK, .stack = { .of = 12345, .pid = 1, .tid = 2 } } },
    { BUILD_10, 8, "00000000 40000000 00100000 00000000 0000efbeadde0000 7856341200c0ffff bbbbaaaa00f8ffff 4e61bc0000000000 00040000",
      { .kind = DISK_READ, .disk = { .irp = 0xFFFFF800AAAABBBB, .key = 0xFFFFC00012345678, .offset = 0xDEADBEEF0000, .response = 12345678,
                                     .flags = 0x40, .bytes = 4096, .tid = 1024 } } },
    { BUILD_10, 8, "ffff8b8ae8fc90c0 ec0b0000 04000000 ffffffff 03010000 0000000000000000 ???????? ???????????????? 0000000000000000 "
      "0101000000000005 12000000 736d73732e65786500 22 00 43 00 3a 00 5c 00 57 00 69 00 6e 00 *",
      { .kind = PROCESS_START, .process = { .pid = 3052, .parent = 4, .session = 0xFFFFFFFF, .exit_status = 259, .key = 0xC090FCE88A8BFFFF,
                                            .name = "smss.exe", .folder = CATALOG_DISK "\\Windows\\System32", .arguments = "" } } },
    { BUILD_10, 8, "d2040000 2e160000 aaaaaaaaaaaaaaaa ???????????????? cccccccccccccccc ???????????????? ???????????????? "
      "feffffffffffffff 4444333322221111 ???????? 08 ?? ?? ?? 7000 6f00 6f00 6c00 2000 7700 6f00 7200 6b00 6500 7200 0000",
      { .kind = THREAD_START, .thread = { 1234, 5678, 8, 1, 0xAAAAAAAAAAAAAAAA, 0xCCCCCCCCCCCCCCCC, 0xFFFFFFFFFFFFFFFE, 0x1111222233334444 } } },
    { BUILD_10, 8, "0000607e05f8ffff 00000000 ???????????????????????????????? 01000000 6e746b726e6c6d702e70646200",
      { .kind = MERGED_PDB, .load = { { .name = "ntkrnlmp.exe", .base = 0xFFFFF8057E600000 }, 0 } } },

    /* processes and threads of all versions */
    { BUILD_2000, 4, "05000000 04000000 ???????? 00000000 0101000000000005 12000000 612e65786500",
      { .kind = PROCESS_START, .process = { .pid = 5, .parent = 4, .name = "a.exe" } } },
    { BUILD_XP, 4, "00300000 05000000 04000000 01000000 03010000 ???????? 00000000 0101000000000005 12000000 612e65786500",
      { .kind = PROCESS_START, .process = { .pid = 5, .parent = 4, .session = 1, .exit_status = 259, .directory = 0x3000, .name = "a.exe" } } },
    { BUILD_VISTA, 8, K8 "00000000 00000000 00000000 03010000 00000000 49646c6500 0000",
      { .kind = PROCESS_DC_START, .process = { .exit_status = 259, .key = K8_OF, .name = "Idle" } } },
    { BUILD_7, 4, K4 "00000000 00000000 00000000 03010000 00300000 00000000 49646c6500 0000",
      { .kind = PROCESS_DC_START, .process = { .exit_status = 259, .key = K4_OF, .directory = 0x3000, .name = "Idle" } } },
    { BUILD_8, 4, K4 "00000000 00000000 00000000 03010000 00300000 00000000 00000000 49646c6500 0000 0000 0000",
      { .kind = PROCESS_DC_START, .process = { .exit_status = 259, .key = K4_OF, .directory = 0x3000, .name = "Idle" } } },
    { BUILD_11, 4, K4 "00000000 00000000 00000000 00000000 00300000 00000000 00000000 49646c6500 0000 0000 0000 ????????????????",
      { .kind = PROCESS_DEFUNCT, .process = { .key = K4_OF, .directory = 0x3000, .name = "Idle" } } },
    { BUILD_2000, 8, "2e160000 d2040000", { .kind = THREAD_START, .thread = { .pid = 1234, .tid = 5678 } } },
    { BUILD_XP, 8, "d2040000 2e160000", { .kind = THREAD_END, .thread = { .pid = 1234, .tid = 5678 } } },
    { BUILD_XP, 4, "d2040000 2e160000" K4 "???????? 00000000 00000000 00100000 00100000 00",
      { .kind = THREAD_START, .thread = { .pid = 1234, .tid = 5678, .stack = K4_OF, .start = 0x1000 } } },
    { BUILD_VISTA, 8, "d2040000 2e160000" K8 "???????????????? 0000000000000000 0000000000000000 0010000000000000 0010000000000000" K8 "00000000",
      { .kind = THREAD_DC_START, .thread = { .pid = 1234, .tid = 5678, .stack = K8_OF, .start = 0x1000, .teb = K8_OF } } },
    { BUILD_7, 4, "d2040000 2e160000" K4 "???????? 00000000 00000000 0f000000 00100000" K4 "00000000 09 ?? ?? ??",
      { .kind = THREAD_START, .thread = { .pid = 1234, .tid = 5678, .priority = 9, .stack = K4_OF, .start = 0x1000, .teb = K4_OF } } },

    /* images */
    { BUILD_2000, 8, K8 "00200000 6400 5c00 7800 0000", { .kind = IMAGE_LOAD, .load = { { "d", "x", K8_OF, 0x2000, 0 }, 7 } } },
    { BUILD_XP, 4, K4 "00200000 07000000 6400 5c00 7800 0000", { .kind = IMAGE_LOAD, .load = { { "d", "x", K4_OF, 0x2000, 0 }, 7 } } },
    { BUILD_7, 8, K8 "0020000000000000 07000000 ???????? 05000000 00000000" K8 "00000000 00000000 00000000 00000000 6400 5c00 7800 0000",
      { .kind = IMAGE_UNLOAD, .load = { { "d", "x", K8_OF, 0x2000, 5 }, 7 } } },
    { BUILD_10, 4, K4 "00200000 07000000 ???????? 05000000 ?? ?? 0000" K4 "00000000 00000000 00000000 00000000 6400 5c00 7800 0000",
      { .kind = IMAGE_DC_END, .load = { { "d", "x", K4_OF, 0x2000, 5 }, 7 } } },

    /* interrupts, samples, stack keys */
    { BUILD_XP, 4, "0100000000000000" K4 "01000000", { .kind = ISR, .interrupt = { 1, K4_OF, 0x61, 0 } } },
    { BUILD_10, 8, "0100000000000000" K8 "01 6101 00", { .kind = ISR, .interrupt = { 1, K8_OF, 0x161, 0 } } },
    { BUILD_10, 4, "0100000000000000" K4 "01 6101 00 09000000", { .kind = ISR_MSI, .interrupt = { 1, K4_OF, 0x161, 9 } } },
    { BUILD_10, 4, K4 "44200000 0100 4a 00", { .kind = SAMPLE, .sample = { K4_OF, 8260, 0x4A } } },
    { BUILD_10, 4, "0900000000000000 01000000 02000000" K4, { .kind = STACK_KEY_USER, .stack = { .of = 9, .key = K4_OF, .pid = 1, .tid = 2 } } },
    { BUILD_10, 8, K8 "ac8393b006f8ffff 09e365b006f8ffff 9b2d000000000000", { .kind = STACK_KEY_DELETE, .stack = { .kernel = &pattern, .key = K8_OF } } },
    { BUILD_XP, 8, "3c0d0000 01000000 08 09 ?? ?? 06 01 05 02",
      { .kind = CONTEXT_SWITCH, .change = { .new_tid = 3388, .old_tid = 1, .new_priority = 8, .old_priority = 9, .reason = 6, .mode = 1, .state = 5, .ideal = 2 } } },

    /* files and disks */
    { BUILD_2000, 4, "01000000 40000000 00100000 00000000 0000010000000000" K4,
      { .kind = DISK_READ, .disk = { .key = K4_OF, .offset = 0x10000, .flags = 0x40, .bytes = 4096, .disk = 1, .response = 77 } } },
    { BUILD_XP, 4, "01000000 40000000 00100000 ???????? 0000010000000000" K4 "4d00000000000000",
      { .kind = DISK_WRITE, .disk = { .key = K4_OF, .offset = 0x10000, .flags = 0x40, .bytes = 4096, .disk = 1, .response = 77 } } },
    { BUILD_7, 4, "01000000 40000000 00100000 00000000 0000010000000000" K4 "00ff0000 4d00000000000000",
      { .kind = DISK_WRITE, .disk = { .irp = 0xFF00, .key = K4_OF, .offset = 0x10000, .flags = 0x40, .bytes = 4096, .disk = 1, .response = 77 } } },
    { BUILD_8, 4, "01000000 40000000 00100000 00000000 0000010000000000" K4 "00ff0000 4d00000000000000 05000000",
      { .kind = DISK_WRITE, .disk = { .irp = 0xFF00, .key = K4_OF, .offset = 0x10000, .flags = 0x40, .bytes = 4096, .disk = 1, .response = 77, .tid = 5 } } },
    { BUILD_7, 8, K8, { .kind = DISK_READ_INIT, .disk = { .irp = K8_OF, .tid = 5 } } },
    { BUILD_10, 8, K8 "05000000", { .kind = DISK_READ_INIT, .disk = { .irp = K8_OF, .tid = 5 } } },
    { BUILD_10, 4, "00000000 03000000 4d00000000000000" K4 "05000000",
      { .kind = DISK_FLUSH, .disk = { .irp = K4_OF, .flags = 3, .response = 77, .tid = 5 } } },
    { BUILD_10, 8, "0700000000000000 0010000000000000" K8 K8 "05000000 00200000",
      { .kind = HARD_FAULT, .fault = { 7, 0x1000, K8_OF, K8_OF, 5, 0x2000 } } },
    { BUILD_7, 8, K8 "0500000000000000 0100000000000000 60000003 ???????? ???????? 5c00 4400 6500 7600 6900 6300 6500 5c00 *",
      { .kind = IO_CREATE, .io = { .irp = K8_OF, .object = 1, .tid = 5, .flags = 0x03000060, .number = 3 } } },
    { BUILD_10, 4, K4 "01000000 05000000 60000003 ???????? ???????? 5c00 4400 6500 7600 6900 6300 6500 5c00 *",
      { .kind = IO_CREATE, .io = { .irp = K4_OF, .object = 1, .tid = 5, .flags = 0x03000060, .number = 3 } } },
    { BUILD_7, 8, K8 "0500000000000000 0100000000000000 0200000000000000",
      { .kind = IO_CLOSE, .io = { .irp = K8_OF, .object = 1, .key = 2, .tid = 5 } } },
    { BUILD_10, 8, K8 "0100000000000000 0200000000000000 05000000",
      { .kind = IO_CLEANUP, .io = { .irp = K8_OF, .object = 1, .key = 2, .tid = 5 } } },
    { BUILD_7, 4, "0010000000000000" K4 "05000000 01000000 02000000 00200000 ????????",
      { .kind = IO_READ, .io = { .irp = K4_OF, .object = 1, .key = 2, .tid = 5, .offset = 0x1000, .bytes = 0x2000 } } },
    { BUILD_8, 4, "0010000000000000" K4 "01000000 02000000 05000000 00200000 ????????",
      { .kind = IO_WRITE, .io = { .irp = K4_OF, .object = 1, .key = 2, .tid = 5, .offset = 0x1000, .bytes = 0x2000 } } },
    { BUILD_11, 8, "0010000000000000" K8 "0100000000000000 0200000000000000 05000000 00200000 ???????? ????????",
      { .kind = IO_WRITE, .io = { .irp = K8_OF, .object = 1, .key = 2, .tid = 5, .offset = 0x1000, .bytes = 0x2000 } } },
    { BUILD_7, 4, K4 "05000000 01000000 02000000 01000000 0d000000",
      { .kind = IO_DELETE, .io = { .irp = K4_OF, .object = 1, .key = 2, .tid = 5, .info = 1, .class = 13 } } },
    { BUILD_10, 8, K8 "0100000000000000 0200000000000000 0000000000000000 05000000 05000000",
      { .kind = IO_QUERY_INFO, .io = { .irp = K8_OF, .object = 1, .key = 2, .tid = 5, .class = 5 } } },
    { BUILD_10, 4, K4 "01000000 02000000 05000000 00100000 25000000 00000000 2a00 2e00 6400 6200 0000",
      { .kind = IO_DIR_ENUM, .io = { .irp = K4_OF, .object = 1, .key = 2, .tid = 5, .class = 37 } } },
    { BUILD_10, 8, K8 "0020000000000000 340000c0", { .kind = IO_END, .io = { .irp = K8_OF, .info = 0x2000, .status = 0xC0000034 } } },
    { BUILD_10, 4, K4 "5c00 4400 6500 7600 6900 6300 6500 5c00 *", { .kind = FILE_RUNDOWN, .file = { K4_OF, 1 } } },

    /* network: addresses and ports in network order */
    { BUILD_2000, 8, "c0a80102 0a000005 01bb c001 34120000 05000000",
      { .kind = TCP_SEND, .packet = { { 10, 0, 0, 5 }, { 192, 168, 1, 2 }, 0xC001, 443, 5, 0x1234, 0 } } },
    { BUILD_XP, 8, "05000000 34120000 c0a80102 0a000005 01bb c001 0000000000000000 00000000",
      { .kind = TCP_RECEIVE, .packet = { { 10, 0, 0, 5 }, { 192, 168, 1, 2 }, 0xC001, 443, 5, 0x1234, 0 } } },
    { BUILD_XP, 8, "05000000 34120000 c0a80102 0a000005 01bb c001 07000000 07000000 00000000 00000000",
      { .kind = TCP_SEND, .ticks = 7000000, .packet = { { 10, 0, 0, 5 }, { 192, 168, 1, 2 }, 0xC001, 443, 5, 0x1234, 0 } } },
    { BUILD_10, 4, "05000000 34120000 c0a80102 0a000005 01bb c001 07000000 07000000 00000000 00000000",
      { .kind = TCP_SEND, .ticks = 7000000, .packet = { { 10, 0, 0, 5 }, { 192, 168, 1, 2 }, 0xC001, 443, 5, 0x1234, 0 } } },
    { BUILD_10, 8, "05000000 00000000 c0a80102 0a000005 01bb c001 b405 ???? ???? ???? ???????? ???? ???? 00000000 0000000000000000",
      { .kind = TCP_CONNECT, .packet = { { 10, 0, 0, 5 }, { 192, 168, 1, 2 }, 0xC001, 443, 5, 0, 0 } } },
    { BUILD_10, 8, "05000000 34120000 20010db8000000000000000000000002 20010db8000000000000000000000001 01bb c001 00000000 0000000000000000",
      { .kind = TCP_RECEIVE6, .packet = { { 0x20, 1, 0x0D, 0xB8, [15] = 1 }, { 0x20, 1, 0x0D, 0xB8, [15] = 2 }, 0xC001, 443, 5, 0x1234, 0 } } },
    { BUILD_10, 4, "05000000 34120000 0a000005 c0a80102 c001 0035 00000000 00000000", /* to us */
      { .kind = UDP_RECEIVE, .packet = { { 10, 0, 0, 5 }, { 192, 168, 1, 2 }, 0xC001, 53, 5, 0x1234, 0 } } },
    { BUILD_XP, 4, "05000000 34120000 c0a80102 0a000005 0035 c001",
      { .kind = UDP_SEND, .packet = { { 10, 0, 0, 5 }, { 192, 168, 1, 2 }, 0xC001, 53, 5, 0x1234, 0 } } },
    { BUILD_2000, 4, "00000000 0a000005 c001 3412 c0a80102 0035 ????",
      { .kind = UDP_SEND, .packet = { { 10, 0, 0, 5 }, { 192, 168, 1, 2 }, 0xC001, 53, 5, 0x1234, 0 } } },

    /* the machine */
    { BUILD_10, 8, "5c00 4400 6500 7600 6900 6300 6500 5c00 *", { .kind = MERGED_VOLUME } },
    { BUILD_10, 8, "04000000 00000000 00000100 00000200 00000300", { .kind = SYSTEM_NUMBERS } },
    { BUILD_10, 8, "01000000 0f00000000000000", { .kind = SYSTEM_GROUPS } },
    { BUILD_11, 8, "01000000 0f00000000000000 0000 0000 0000 0000", { .kind = SYSTEM_NUMA } },

    /* what a program tells of itself */
    { BUILD_10, 8, "07000000 2f00", { .kind = REQUEST_START, .request = { .number = 7, .path = "/" } } },
    { BUILD_10, 8, "07000000 f401 e803000000000000 0200 46000000 47000000 64000000 84030000",
      { .kind = REQUEST_STOP, .request = { .number = 7, .items = 2, .status = 500, .ticks = 1000, .path = "/" } } },
    { BUILD_10, 8, "0400 2f00 e900 01000000 000000000000e03f ????????????????????????????????",
      { .kind = REQUEST_CACHE, .request = { .number = 7, .items = 2, .path = "/\xC3\xA9" } } },
};
// clang-format on

static int digit(char c)
{
    return c <= '9' ? c - '0' : c - 'a' + 10;
}

static void check_bytes(const vector *v, const uint8_t *at, uint32_t n)
{
    uint32_t i = 0;

    for (const char *c = v->hex; *c; c++) {
        if (*c == ' ') continue;
        if (*c == '*') return;
        ck_assert_msg(i < n, "happening %d of build %u ends after %u bytes", v->h.kind, v->build, n);
        if (*c != '?')
            ck_assert_msg(at[i] == digit(c[0]) * 16 + digit(c[1]),
                          "happening %d of build %u, pointers of %u: byte %u is %02x", v->h.kind, v->build,
                          v->pointer, i, at[i]);
        c++;
        i++;
    }
    ck_assert_msg(i == n, "happening %d of build %u, pointers of %u: %u bytes, not %u", v->h.kind, v->build,
                  v->pointer, n, i);
}

START_TEST(payloads)
{
    static uint8_t at[ENCODE_MOST];

    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        const vector *v = &vectors[i];
        encoder e;
        happening h = v->h;
        uint32_t payload, bytes;

        encode_init(&e, &(encode_options){ .pointer = v->pointer, .build = v->build, .cpus = 4, .interval = 10000 });
        h.pid = h.tid = NOBODY;
        bytes = encode(&e, &h, at, &payload);
        check_bytes(v, at + payload, bytes - payload);
    }
}
END_TEST

/* ---- Headers, of each form by hand ---- */

static uint32_t made(uint32_t pointer, const happening *h, uint8_t *at)
{
    encoder e;
    uint32_t payload;

    encode_init(&e, &(encode_options){ .pointer = pointer, .build = BUILD_10, .cpus = 4, .boot = 0x100 });
    (void)encode(&e, h, at, &payload);
    return payload;
}

START_TEST(headers)
{
    static uint8_t at[ENCODE_MOST];
    const vector perfinfo = { BUILD_10, 8, "0200 11 c0 1800 32 05 0201000000000000", { .kind = READY_THREAD } };
    const vector system = { BUILD_10,
                            4,
                            "0300 01 c0 2800 0c 01 07000000 06000000 0201000000000000 0000000000000000",
                            { .kind = DISK_READ_INIT } };
    const vector full = { BUILD_10,
                          8,
                          "???? 14 c0 23 00 0000 00000000 00000000 0201000000000000 "
                          "91ee799bfdb5c041a2434248e266e9d0 0000000000000000",
                          { .kind = MERGED_VOLUME } };
    const vector event = {
        BUILD_10,
        4,
        "???? 12 c0 2100 0000 07000000 06000000 0201000000000000 "
        "212da4b73c6f0b4e9d112a5c0f7e1a01 0000 00 0b 04 01 0000 0100000000000000 0000000000000000 "
        "2a00000000000000 ???????????????? "
        /* the schema: 3 + 12 + 10 + 1 + 5 + 1 + 1 bytes, then the traits */
        "3000 0b00 0100 2200 2200 00 526571756573745374617274 00 526571756573744964 00 08 50617468 00 82 23 "
        "000000000000 1800 0c00 0000 1000 1000 4e6f727468 77696e642e576562 00",
        { .kind = REQUEST_START }
    };
    happening h = { .kind = READY_THREAD, .pid = NOBODY, .tid = NOBODY, .ticks = 2 };

    check_bytes(&perfinfo, at, made(8, &h, at));
    h = (happening){ .kind = DISK_READ_INIT, .pid = 6, .tid = 7, .ticks = 2 };
    check_bytes(&system, at, made(4, &h, at));
    h = (happening){ .kind = MERGED_VOLUME, .ticks = 2 };
    check_bytes(&full, at, made(8, &h, at));
    h = (happening){
        .kind = REQUEST_START, .pid = 6, .tid = 7, .ticks = 2, .request = { .activity = 42, .path = "/" }
    };
    check_bytes(&event, at, made(4, &h, at));
}
END_TEST

/* ---- All events of all builds, by the reader's tables ---- */

static void check_build(const char *build, int pointer)
{
    char options[160];
    const tw_event *events;
    arena memory = { 0 };
    decode how = { .memory = &memory };
    uint32_t seen[TW_TYPES] = { 0 };
    uint32_t types = 0;
    int status;
    rig *r;

    snprintf(options, sizeof options, "build=%s pointer=%d length=2s rate=4000 seed=11", build, pointer);
    r = rig_new(&synth_kernel, options);
    ck_assert_msg(rig_open(r) == TW_OK, "%s", rig_error(r));
    const tw_type *const *type = ((tw_self *)rig_state(r))->type;
    do {
        status = rig_read(r);
        for (uint32_t i = 0, n = rig_left(r, &events); i < n; i++) {
            const tw_type *t = type[events[i].type];
            tw_walk w;
            tw_value v;

            types += seen[events[i].type]++ == 0;
            memset(&w, 0, sizeof w);
            type_walk(t, &events[i], &how, &w);
            while (type_next(&w, &v) == TW_OK) continue;
            ck_assert_msg(w.faults == 0 && w.left == 0,
                          "build %s, pointers of %d: %s/%s version %d: %u faults, %u bytes left", build, pointer,
                          t->provider, t->name, t->version, w.faults, w.left);
            ck_assert_msg(!strcmp(t->origin, "built in") || !strcmp(t->origin, "in the event"), "%s/%s: %s",
                          t->provider, t->name, t->origin);
            arena_reset(&memory);
        }
    } while (status == TW_OK);
    ck_assert_uint_gt(types, !strcmp(build, "2000") ? 20 : 30);
    arena_free(&memory);
    rig_free(r);
}

START_TEST(decoded)
{
    for (int build = 0; build < BUILDS; build++) {
        check_build(builds[build].name, 8);
        check_build(builds[build].name, 4);
    }
}
END_TEST

/* The tables know every event in this very version, so nothing was decoded by a neighbour's layout. */
START_TEST(versions)
{
    for (int kind = 0; kind < HAPPENING_KINDS; kind++) {
        const build_event *e = &build_events[kind];

        for (int b = 0; b < BUILDS; b++) {
            kernel_layout l;

            if (e->version[b] == NO_EVENT || e->form == FORM_SELF) continue;
            for (unsigned pointer = 4; pointer <= 8; pointer += 4) {
                if (e->form == FORM_KERNEL)
                    kernel_by_group(e->group, e->opcode, e->version[b], pointer, &l);
                else
                    kernel_by_guid(merged_guids[e->group], e->opcode, e->version[b], pointer, &l);
                ck_assert_msg(l.known && l.exact, "happening %d: no table of version %d", kind, e->version[b]);
            }
        }
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("synth_layouts");
    TCase *c = tcase_create("layouts");
    SRunner *r;
    int failed;

    tcase_set_timeout(c, 60);
    tcase_add_test(c, payloads);
    tcase_add_test(c, headers);
    tcase_add_test(c, decoded);
    tcase_add_test(c, versions);
    suite_add_tcase(s, c);
    r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
