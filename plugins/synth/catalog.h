/* catalog.h - the names and sizes of what the make-believe computer has: programs, libraries, drivers, files, devices.

   One idea: everything that has a name has a number here, so the rest of the model works with numbers. */
#ifndef SYNTH_CATALOG_H
#define SYNTH_CATALOG_H

#include <stdint.h>

#define CATALOG_DISK "\\Device\\HarddiskVolume3" /* drive C: */

enum {
    CATALOG_MODULES = 8, /* of the kernel */
    CATALOG_LIBRARIES = 16,
    CATALOG_PROGRAMS = 12,
    CATALOG_IMAGES = CATALOG_MODULES + CATALOG_LIBRARIES + CATALOG_PROGRAMS, /* numbered in this order */
    CATALOG_FIRST_LIBRARY = CATALOG_MODULES,
    CATALOG_FIRST_PROGRAM = CATALOG_MODULES + CATALOG_LIBRARIES,

    CATALOG_FUNCTIONS = 64, /* of an image that ever run; each begins at a multiple of FUNCTION_BYTES */
    CATALOG_FUNCTION_BYTES = 256,
    CATALOG_CODE = 0x1000, /* where the first function of an image begins */

    CATALOG_THREAD_NAMES = 4,
    CATALOG_SERVICES = 6,
    CATALOG_DEVICES = 4,
    CATALOG_PATHS = 8,
    CATALOG_FILE_NAME = 128 /* bytes, of the longest name of a file, with its terminator */
};

enum catalog_module {
    MODULE_KERNEL,
    MODULE_HAL,
    MODULE_NTFS,
    MODULE_FLTMGR,
    MODULE_STORPORT,
    MODULE_NVME,
    MODULE_TCPIP
};

typedef struct catalog_image {
    const char *name, *folder, *arguments; /* arguments: of programs */
    uint32_t bytes;
    int user; /* programs: 1: they run under an account */
} catalog_image;

extern const catalog_image catalog_images[CATALOG_IMAGES];
extern const char *const catalog_thread_names[CATALOG_THREAD_NAMES]; /* the last one is "" */
extern const char *const catalog_paths[CATALOG_PATHS];               /* of requests */

typedef struct catalog_service {
    const char *name, *title, *process, *group, *host;
    uint32_t state;
} catalog_service;
extern const catalog_service catalog_services[CATALOG_SERVICES];

typedef struct catalog_device {
    const char *id, *description, *friendly, *object, *service, *filter; /* filter "": none */
} catalog_device;
extern const catalog_device catalog_devices[CATALOG_DEVICES];

/* The name of the number-th file, an NT path; every number has another one. */
void catalog_file_name(uint32_t number, char out[CATALOG_FILE_NAME]);

/* Where things lie, for pointers of 8 and of 4 bytes. */
typedef struct catalog_space {
    uint64_t module, library, program, program_step, stack, user_stack, teb, object, irp, disk_irp, file_key,
        file_object, directory, stack_key, heap;
} catalog_space;
const catalog_space *catalog_space_of(uint32_t pointer);

/* Half of a call stack as the code makes it: frames innermost first. */
typedef struct stack_frame {
    uint64_t address;
    uint64_t program; /* all ones: the address counts from the base of the process's own image; else 0 */
} stack_frame;

typedef struct stack_pattern {
    uint32_t n, number;
    const stack_frame *frame;
    const uint16_t *function; /* of each frame: number of its image * CATALOG_FUNCTIONS + number of the function */
    uint64_t hits, tops;      /* samples that show it; that show it innermost */
} stack_pattern;

#endif
