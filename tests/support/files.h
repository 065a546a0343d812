/* Files for tests: a fresh folder, and the real data. */
#ifndef MS_TESTS_SUPPORT_FILES_H
#define MS_TESTS_SUPPORT_FILES_H

#include <stddef.h>

/* Makes a folder under TMPDIR, and removes it with its files.  The shared main function calls these
 * in the parent of all tests, so that it also cleans up after a failed test. */
void files_setup(void);
void files_teardown(void);
/* Returns the number of files in the folder. */
int files_count(void);
/* Removes all files of the folder. */
void files_clear(void);

/* Returns the path of `name` in the folder.  All paths below live in one of a few
 * static buffers, used in turn. */
const char *files_path(const char *name);
/* Writes a file and returns its path. */
const char *files_write(const char *name, const char *bytes, size_t size);
/* Writes a string to a file. */
const char *files_write_text(const char *name, const char *text);
/* Writes a gzip file of `members` members, each with all the bytes. */
const char *files_write_gzip(const char *name, const char *bytes, size_t size, int members);
/* Returns the path of a file of the real data (MOTIFSIEVE_DATA), or NULL where it is
 * not there. */
const char *files_data(const char *name);
/* Unpacks a tar archive of the real data into the folder, slashes in its names
 * turned into '+', and calls `each`, unless it is NULL, with every file.  Returns the number of
 * files, 0 where the archive or tar is not there. */
size_t files_unpack(const char *archive, void (*each)(const char *path));

#endif
