/* tdh.c - the types of manifest fields; see tdh.h.

   The in-type alone makes a field; the out-type may then refine it, if the two go together. One that does not is passed
   over, as the format's own description asks. */
#include "tdh.h"

#include <string.h>

#include "../text/ascii.h"

enum { IN_TYPES_OF_MOF = 300, OUT_TYPES_OF_MOF = 300 };

enum in_type { /* those that are named below */
               IN_TEXT16 = 1,
               IN_TEXT8 = 2,
               IN_BINARY = 14,
               IN_NONNULLTERMINATED16 = 304,
               IN_NONNULLTERMINATED8 = 305,
               IN_CHAR16 = 306,
               IN_CHAR8 = 307
};

enum out_type {
    OUT_STRING = 1,
    OUT_DATETIME = 2,
    OUT_BYTE = 3,
    OUT_UNSIGNEDBYTE,
    OUT_SHORT,
    OUT_UNSIGNEDSHORT,
    OUT_INT,
    OUT_UNSIGNEDINT,
    OUT_LONG,
    OUT_UNSIGNEDLONG,
    OUT_BOOLEAN = 13,
    OUT_GUID = 14,
    OUT_HEXINT8 = 16,
    OUT_HEXINT16,
    OUT_HEXINT32,
    OUT_HEXINT64,
    OUT_PID,
    OUT_TID,
    OUT_PORT,
    OUT_IPV4,
    OUT_IPV6,
    OUT_SOCKETADDRESS,
    OUT_XML = 28,
    OUT_ERRORCODE,
    OUT_WIN32ERROR,
    OUT_NTSTATUS,
    OUT_HRESULT,
    OUT_CULTURE_INSENSITIVE_DATETIME,
    OUT_JSON,
    OUT_UTF8,
    OUT_CODE_POINTER = 37,
    OUT_DATETIME_UTC,
    OUT_NOPRINT = 301
};

typedef struct in_type_row {
    const char *name; /* in a manifest, without prefix */
    uint8_t kind;     /* 0: none */
    uint8_t show, bytes_by;
} in_type_row;

// clang-format off
static const in_type_row of_manifests[] = {
    [0]  = { NULL,                 0,             0,           0 },
    [1]  = { "UnicodeString",      TW_TEXT16,     0,           TW_ONE },
    [2]  = { "AnsiString",         TW_TEXT8,      0,           TW_ONE },
    [3]  = { "Int8",               TW_I8,         0,           TW_ONE },
    [4]  = { "UInt8",              TW_U8,         0,           TW_ONE },
    [5]  = { "Int16",              TW_I16,        0,           TW_ONE },
    [6]  = { "UInt16",             TW_U16,        0,           TW_ONE },
    [7]  = { "Int32",              TW_I32,        0,           TW_ONE },
    [8]  = { "UInt32",             TW_U32,        0,           TW_ONE },
    [9]  = { "Int64",              TW_I64,        0,           TW_ONE },
    [10] = { "UInt64",             TW_U64,        0,           TW_ONE },
    [11] = { "Float",              TW_F32,        0,           TW_ONE },
    [12] = { "Double",             TW_F64,        0,           TW_ONE },
    [13] = { "Boolean",            TW_BOOL32,     0,           TW_ONE },
    [14] = { "Binary",             TW_BYTES,      0,           TW_REST },
    [15] = { "GUID",               TW_GUID,       0,           TW_ONE },
    [16] = { "Pointer",            TW_POINTER,    0,           TW_ONE },
    [17] = { "FILETIME",           TW_FILETIME,   0,           TW_ONE },
    [18] = { "SYSTEMTIME",         TW_SYSTEMTIME, 0,           TW_ONE },
    [19] = { "SID",                TW_SID,        0,           TW_ONE },
    [20] = { "HexInt32",           TW_U32,        TW_SHOW_HEX, TW_ONE },
    [21] = { "HexInt64",           TW_U64,        TW_SHOW_HEX, TW_ONE },
    [22] = { "CountedUnicodeString", TW_TEXT16,   0,           TW_PREFIX2 },
    [23] = { "CountedAnsiString",  TW_TEXT8,      0,           TW_PREFIX2 },
    [24] = { NULL,                 0,             0,           0 },
    [25] = { "CountedBinary",      TW_BYTES,      0,           TW_PREFIX2 },
};

static const in_type_row of_mof[] = { /* from 300 on */
    [0]  = { "CountedString",                TW_TEXT16,   0,            TW_PREFIX2 },
    [1]  = { "CountedAnsiString",            TW_TEXT8,    0,            TW_PREFIX2 },
    [2]  = { "ReversedCountedString",        TW_TEXT16,   0,            TW_PREFIX2BE },
    [3]  = { "ReversedCountedAnsiString",    TW_TEXT8,    0,            TW_PREFIX2BE },
    [4]  = { "NonNullTerminatedString",      TW_TEXT16,   0,            TW_REST },
    [5]  = { "NonNullTerminatedAnsiString",  TW_TEXT8,    0,            TW_REST },
    [6]  = { "UnicodeChar",                  TW_U16,      TW_SHOW_CHAR, TW_ONE },
    [7]  = { "AnsiChar",                     TW_U8,       TW_SHOW_CHAR, TW_ONE },
    [8]  = { "SizeT",                        TW_POINTER,  0,            TW_ONE },
    [9]  = { "HexDump",                      TW_BYTES,    0,            TW_PREFIX4 },
    [10] = { "WbemSid",                      TW_TOKENSID, 0,            TW_ONE },
};

static const char *const out_names[] = {
    [1] = "string", "dateTime", "byte", "unsignedByte", "short", "unsignedShort", "int", "unsignedInt", "long",
    "unsignedLong", "float", "double", "boolean", "GUID", "hexBinary", "HexInt8", "HexInt16", "HexInt32", "HexInt64",
    "PID", "TID", "Port", "IPv4", "IPv6", "SocketAddress", "CIMDateTime", "ETWTIME", "Xml", "ErrorCode", "Win32Error",
    "NTSTATUS", "HResult", "DateTimeCultureInsensitive", "Json", "Utf8", "Pkcs7WithTypeInfo", "CodePointer",
    "DateTimeUtc",
};

static const char *const out_names_of_mof[] = { "ReducedString", "NoPrint" };
// clang-format on

enum {
    IN_TYPES = sizeof of_manifests / sizeof *of_manifests,
    MOF_TYPES = sizeof of_mof / sizeof *of_mof,
    OUT_TYPES = sizeof out_names / sizeof *out_names,
    MOF_OUT_TYPES = sizeof out_names_of_mof / sizeof *out_names_of_mof
};

static const in_type_row *row_of(unsigned in_type)
{
    const in_type_row *row = NULL;

    if (in_type < IN_TYPES)
        row = &of_manifests[in_type];
    else if (in_type >= IN_TYPES_OF_MOF && in_type - IN_TYPES_OF_MOF < MOF_TYPES)
        row = &of_mof[in_type - IN_TYPES_OF_MOF];
    return row && row->kind ? row : NULL;
}

/* ---- Out-types ---------------------------------------------------------- */

static void refine_text(unsigned out_type, tw_field *f)
{
    int is_utf8 = out_type == OUT_UTF8 || out_type == OUT_XML || out_type == OUT_JSON;

    if (f->kind == TW_TEXT8 && is_utf8) f->kind = TW_TEXT;
    if (out_type == OUT_XML) f->show = TW_SHOW_XML;
    if (out_type == OUT_JSON) f->show = TW_SHOW_JSON;
}

static void refine_bytes(unsigned out_type, tw_field *f)
{
    int uncounted = f->bytes_by == TW_REST;

    switch (out_type) {
    case OUT_GUID: f->kind = TW_GUID; break;
    case OUT_IPV6: f->kind = TW_IP6; break;
    case OUT_SOCKETADDRESS: f->kind = TW_SOCKADDR; break;
    default: return;
    }
    if (uncounted) f->bytes_by = TW_ONE;
}

static unsigned width_of(uint8_t kind)
{
    switch (kind) {
    case TW_U8:
    case TW_I8: return 1;
    case TW_U16:
    case TW_I16: return 2;
    case TW_U32:
    case TW_I32: return 4;
    default: return 8;
    }
}

/* A kind of the same width. */
static uint8_t with_sign(uint8_t kind, int is_signed)
{
    if (is_signed) return kind >= TW_I8 ? kind : (uint8_t)(kind - TW_U8 + TW_I8);
    return kind < TW_I8 ? kind : (uint8_t)(kind - TW_I8 + TW_U8);
}
_Static_assert(TW_I8 - TW_U8 == 4 && TW_I64 - TW_U64 == 4, "signed kinds follow unsigned ones in the same order");

static void refine_integer(unsigned out_type, tw_field *f)
{
    unsigned width = width_of(f->kind);

    switch (out_type) {
    case OUT_STRING:
        if (width <= 2) f->show = TW_SHOW_CHAR;
        break;
    case OUT_DATETIME:
    case OUT_CULTURE_INSENSITIVE_DATETIME:
    case OUT_DATETIME_UTC:
        if (width != 8) break;
        f->kind = TW_FILETIME;
        f->show = TW_SHOW_PLAIN;
        break;
    case OUT_BYTE:
    case OUT_SHORT:
    case OUT_INT:
    case OUT_LONG:
        f->kind = with_sign(f->kind, 1);
        f->show = TW_SHOW_PLAIN;
        break;
    case OUT_UNSIGNEDBYTE:
    case OUT_UNSIGNEDSHORT:
    case OUT_UNSIGNEDINT:
    case OUT_UNSIGNEDLONG:
        f->kind = with_sign(f->kind, 0);
        f->show = TW_SHOW_PLAIN;
        break;
    case OUT_BOOLEAN:
        if (width == 1) f->kind = TW_BOOL;
        if (width == 4) f->kind = TW_BOOL32;
        break;
    case OUT_HEXINT8:
    case OUT_HEXINT16:
    case OUT_HEXINT32:
    case OUT_HEXINT64:
    case OUT_ERRORCODE: f->show = TW_SHOW_HEX; break;
    case OUT_PID: f->show = TW_SHOW_PID; break;
    case OUT_TID: f->show = TW_SHOW_TID; break;
    case OUT_PORT:
        if (width != 2) break;
        f->kind = TW_U16;
        f->show = TW_SHOW_PORT;
        break;
    case OUT_IPV4:
        if (width == 4) f->kind = TW_IP4;
        break;
    case OUT_WIN32ERROR: f->show = TW_SHOW_WIN32; break;
    case OUT_NTSTATUS: f->show = TW_SHOW_NTSTATUS; break;
    case OUT_HRESULT: f->show = TW_SHOW_HRESULT; break;
    case OUT_CODE_POINTER: f->show = TW_SHOW_CODE; break;
    default: break;
    }
}

int tdh_field(unsigned in_type, unsigned out_type, tw_field *f)
{
    const in_type_row *row = row_of(in_type);

    if (!row) return 0;
    f->kind = row->kind;
    f->show = row->show;
    f->bytes_by = row->bytes_by;
    switch (f->kind) {
    case TW_TEXT8:
    case TW_TEXT16: refine_text(out_type, f); break;
    case TW_BYTES: refine_bytes(out_type, f); break;
    case TW_POINTER:
        if (out_type == OUT_CODE_POINTER) f->show = TW_SHOW_CODE;
        break;
    default:
        if (f->kind >= TW_U8 && f->kind <= TW_I64) refine_integer(out_type, f);
        break;
    }
    if (out_type == OUT_NOPRINT) f->show = TW_SHOW_HIDE;
    return 1;
}

/* ---- Lengths ------------------------------------------------------------ */

/* 1 where fields of that type may have a length of their own. */
static int takes_length(unsigned in_type)
{
    return in_type == IN_TEXT16 || in_type == IN_TEXT8 || in_type == IN_BINARY || in_type == IN_NONNULLTERMINATED16 ||
           in_type == IN_NONNULLTERMINATED8;
}

void tdh_length_fixed(unsigned in_type, uint32_t length, tw_field *f)
{
    if (!takes_length(in_type)) return;
    f->bytes_by = TW_FIXED;
    f->bytes = length;
    if (length < 16 && (f->kind == TW_IP6 || f->kind == TW_GUID)) f->kind = TW_BYTES;
}

void tdh_length_field(unsigned in_type, uint32_t index, tw_field *f)
{
    if (!takes_length(in_type)) return;
    f->bytes_by = TW_FIELD;
    f->bytes = index;
}

void tdh_array(unsigned in_type, tw_field *f)
{
    if ((in_type != IN_CHAR16 && in_type != IN_CHAR8) || (f->count_by != TW_FIXED && f->count_by != TW_FIELD)) return;
    f->kind = in_type == IN_CHAR16 ? TW_TEXT16 : TW_TEXT8;
    if (f->show == TW_SHOW_CHAR) f->show = TW_SHOW_PLAIN;
    f->bytes_by = f->count_by;
    f->bytes = f->count;
    f->count_by = TW_ONE;
    f->count = 0;
}

/* ---- Names -------------------------------------------------------------- */

static const char *without_prefix(const char *name)
{
    const char *colon = strchr(name, ':');
    return colon ? colon + 1 : name;
}

int tdh_in_type(const char *name)
{
    name = without_prefix(name);
    for (int i = 0; i < IN_TYPES; i++)
        if (of_manifests[i].name && ascii_same(name, of_manifests[i].name)) return i;
    for (int i = 0; i < MOF_TYPES; i++)
        if (ascii_same(name, of_mof[i].name)) return IN_TYPES_OF_MOF + i;
    return -1;
}

int tdh_out_type(const char *name)
{
    name = without_prefix(name);
    for (int i = 1; i < OUT_TYPES; i++)
        if (ascii_same(name, out_names[i])) return i;
    for (int i = 0; i < MOF_OUT_TYPES; i++)
        if (ascii_same(name, out_names_of_mof[i])) return OUT_TYPES_OF_MOF + i;
    return -1;
}
