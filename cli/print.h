/* What the tool writes to standard output itself, such as help; results go through
 * base/file/outfile.h. The text is kept in a buffer, so ms_print_end must follow. */
#ifndef MS_CLI_PRINT_H
#define MS_CLI_PRINT_H

#include "motifsieve.h"

void ms_print(const char *format, ...) MS_PRINTF(1, 2);
void ms_print_text(const char *text);
void ms_print_char(char c);
/* Prints the text and a line feed. */
void ms_print_line(const char *text);
/* Sends what was printed so far, for a reader who waits for it. */
void ms_print_flush(void);
/* Sends the rest and closes standard output; returns an exit code, after a message if not all of
 * the text could be written. */
int ms_print_end(void);

#endif
