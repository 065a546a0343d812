/* The tool of this build, for tests that compare its files with others. */
#ifndef MS_TESTS_SUPPORT_TOOL_H
#define MS_TESTS_SUPPORT_TOOL_H

#include <stddef.h>

/* The path of BUILD/motifsieve; the program is BUILD/tests/unit/NAME. */
const char *tool_path(void);
/* Runs motifsieve with these arguments, as a shell reads them; what it says goes to the file `err`
 * of the test folder.  Returns the exit status. */
int tool_run(const char *arguments);
/* Returns all of a file of the test folder, NUL-terminated, to be freed; *size, which may be NULL,
 * receives its bytes. */
char *tool_slurp(const char *name, size_t *size);

#endif
