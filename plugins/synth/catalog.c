/* catalog.c - the names and sizes of the make-believe computer; see catalog.h. */
#include "catalog.h"

#include <stdio.h>

#define PROGRAM_FILES CATALOG_DISK "\\Program Files"
#define SYSTEM32      CATALOG_DISK "\\Windows\\System32"
#define DRIVERS       "\\SystemRoot\\System32\\drivers"

// clang-format off
const catalog_image catalog_images[CATALOG_IMAGES] = {
    { "ntoskrnl.exe",  "\\SystemRoot\\system32", 0, 0x1046000, 0 },
    { "hal.dll",       "\\SystemRoot\\system32", 0, 0x00C000,  0 },
    { "ntfs.sys",      DRIVERS,                  0, 0x2DE000,  0 },
    { "fltmgr.sys",    DRIVERS,                  0, 0x07E000,  0 },
    { "storport.sys",  DRIVERS,                  0, 0x0B8000,  0 },
    { "stornvme.sys",  DRIVERS,                  0, 0x03C000,  0 },
    { "tcpip.sys",     DRIVERS,                  0, 0x2EB000,  0 },
    { "contosofw.sys", DRIVERS,                  0, 0x022000,  0 },

    { "ntdll.dll",          SYSTEM32, 0, 0x1F8000, 0 }, { "kernel32.dll",     SYSTEM32, 0, 0x0C2000, 0 },
    { "kernelbase.dll",     SYSTEM32, 0, 0x2F6000, 0 }, { "ucrtbase.dll",     SYSTEM32, 0, 0x111000, 0 },
    { "rpcrt4.dll",         SYSTEM32, 0, 0x124000, 0 }, { "user32.dll",       SYSTEM32, 0, 0x1AC000, 0 },
    { "gdi32.dll",          SYSTEM32, 0, 0x02B000, 0 }, { "ws2_32.dll",       SYSTEM32, 0, 0x071000, 0 },
    { "crypt32.dll",        SYSTEM32, 0, 0x166000, 0 }, { "advapi32.dll",     SYSTEM32, 0, 0x0B1000, 0 },
    { "ole32.dll",          SYSTEM32, 0, 0x12A000, 0 }, { "shlwapi.dll",      SYSTEM32, 0, 0x05E000, 0 },
    { "contoso.net.dll",    SYSTEM32, 0, 0x0D8000, 0 }, { "fabrikam.codec.dll", SYSTEM32, 0, 0x348000, 0 },
    { "northwind.sql.dll",  SYSTEM32, 0, 0x206000, 0 }, { "zip.dll",          SYSTEM32, 0, 0x01A000, 0 },

    { "worker.exe",   PROGRAM_FILES "\\Contoso\\Grid",       " --queue default",    0x00084000, 1 },
    { "indexer.exe",  PROGRAM_FILES "\\Contoso\\Search",     " --scan D:\\Data",    0x00152000, 0 },
    { "renderer.exe", PROGRAM_FILES "\\Fabrikam\\Studio",    " --tile 12,7",        0x00610000, 1 },
    { "compiler.exe", CATALOG_DISK "\\Tools\\bin",           " -c main.c",          0x002C8000, 1 },
    { "linker.exe",   CATALOG_DISK "\\Tools\\bin",           " @objects.rsp",       0x0019A000, 1 },
    { "dbserver.exe", PROGRAM_FILES "\\Northwind\\Database", " --port 5433",        0x00940000, 0 },
    { "webfront.exe", PROGRAM_FILES "\\Northwind\\Web",      " --sites sites.conf", 0x0031E000, 0 },
    { "mailer.exe",   PROGRAM_FILES "\\Northwind\\Mail",     "",                    0x000F2000, 1 },
    { "backup.exe",   PROGRAM_FILES "\\Fabrikam\\Vault",     " --incremental",      0x000B8000, 0 },
    { "player.exe",   PROGRAM_FILES "\\Fabrikam\\Studio",    " \"a b.mp4\"",        0x00274000, 1 },
    { "terminal.exe", PROGRAM_FILES "\\Contoso\\Shell",      "",                    0x0005C000, 1 },
    { "updater.exe",  PROGRAM_FILES "\\Contoso\\Update",     " /background",        0x00046000, 0 },
};

const char *const catalog_thread_names[CATALOG_THREAD_NAMES] = { "main", "pool worker", "reader", "" };

const char *const catalog_paths[CATALOG_PATHS] = {
    "/", "/orders", "/orders/17/lines", "/catalog?page=2", "/login", "/images/logo.png", "/search?q=caf\xC3\xA9",
    "/health",
};

const catalog_service catalog_services[CATALOG_SERVICES] = {
    { "EventLog",   "Windows Event Log",    "svchost.exe",  "Event Log",  "LocalServiceNetworkRestricted", 4 },
    { "RpcSs",      "Remote Procedure Call","svchost.exe",  "COM Infrastructure", "rpcss",                 4 },
    { "Northwind$", "Northwind Database",   "dbserver.exe", "",           "",                              4 },
    { "ContosoUpd", "Contoso Update",       "updater.exe",  "",           "",                              4 },
    { "Spooler",    "Print Spooler",        "",             "SpoolerGroup", "",                            1 },
    { "W32Time",    "Windows Time",         "",             "",           "LocalService",                  1 },
};

const catalog_device catalog_devices[CATALOG_DEVICES] = {
    { "PCI\\VEN_1AF4&DEV_1041&SUBSYS_00000001&REV_01\\3&1", "Contoso 10G Ethernet Adapter", "Contoso 10G #2",
      "\\Device\\NTPNP_PCI0003", "contosonic", "contosofw" },
    { "PCI\\VEN_144D&DEV_A808\\4&2", "Standard NVM Express Controller", "", "\\Device\\NTPNP_PCI0007", "stornvme", "" },
    { "ACPI\\PNP0501\\1", "Communications Port", "Communications Port (COM1)", "\\Device\\00000041", "Serial", "" },
    { "ROOT\\VOLMGR\\0000", "Volume Manager", "", "\\Device\\00000003", "volmgr", "" },
};

static const catalog_space spaces[2] = {
    { .module = 0xFFFFF80210000000, .library = 0x7FFB40000000, .program = 0x7FF600000000, .program_step = 0x1000000,
      .stack = 0xFFFF8A0100000000, .user_stack = 0x2000000000, .teb = 0x3000000000, .object = 0xFFFFC10800000000,
      .irp = 0xFFFFC10A00000000, .disk_irp = 0xFFFFC10B00000000, .file_key = 0xFFFFA30100000000,
      .file_object = 0xFFFFC10C00000000, .directory = 0x100000000, .stack_key = 0xFFFFC10D00000000,
      .heap = 0x1A000000000 },
    { .module = 0x81800000, .library = 0x77F00000, .program = 0x00400000, .program_step = 0x10000,
      .stack = 0x8A000000, .user_stack = 0x02000000, .teb = 0x7F000000, .object = 0x85000000,
      .irp = 0x86000000, .disk_irp = 0x86800000, .file_key = 0xA3000000,
      .file_object = 0x87000000, .directory = 0x01000000, .stack_key = 0x88000000, .heap = 0x10000000 },
};
// clang-format on

const catalog_space *catalog_space_of(uint32_t pointer)
{
    return &spaces[pointer == 4];
}

void catalog_file_name(uint32_t number, char out[CATALOG_FILE_NAME])
{
    static const char *const folders[] = { "Data\\orders",
                                           "Data\\customers",
                                           "Users\\ann\\Documents",
                                           "ProgramData\\Contoso\\cache",
                                           "Windows\\Temp",
                                           "Data\\images",
                                           "Logs\\web",
                                           "Users\\b\xC3\xA9n\\AppData\\Local" };
    static const char *const kinds[] = { "db", "log", "txt", "idx", "tmp", "jpg", "dat" };

    snprintf(out, CATALOG_FILE_NAME, CATALOG_DISK "\\%s\\%06u.%s", folders[number % 8], number, kinds[number % 7]);
}
