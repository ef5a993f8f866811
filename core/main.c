/* main.c - where the program begins.

   One idea: everything it does is in the library, so that tests can do it too. */
#include <stdio.h>

#include "command.h"
#include "os.h"

int main(int argc, char **argv)
{
    command_line c;
    text why = { 0 };
    int status = STATUS_WRONG_USE;

    os_start(&argc, &argv);
    if (command_line_read(&c, argc, (const char *const *)argv, &why) == TW_OK)
        status = command_run(&c);
    else
        fprintf(stderr, "%s\n", text_of(&why));
    command_line_free(&c);
    text_free(&why);
    if (fflush(stdout) != 0 && status == STATUS_DONE) {
        fprintf(stderr, "standard output could not be written\n");
        status = STATUS_FAILED;
    }
    return status;
}
