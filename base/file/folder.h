/* A folder of output files that appears whole or not at all.
 *
 * The files go to a temporary folder beside it, TARGET.tmp-PID, which gets its name once all files
 * are there.  The target must not exist, or be an empty folder. */
#ifndef MS_BASE_FOLDER_H
#define MS_BASE_FOLDER_H

#include "motifsieve.h"

typedef struct ms_folder ms_folder;

/* Checks, before long work, that a folder could be made here. */
ms_status ms_folder_check(const char *path, ms_error *err);
/* Makes the temporary folder. */
ms_status ms_folder_open(const char *path, ms_folder **out, ms_error *err);
/* Returns the path of a file in the temporary folder; valid until the next call. */
ms_status ms_folder_path(ms_folder *folder, const char *name, const char **path, ms_error *err);
/* Gives the folder its name, and frees `folder` in any case.  After a failure, the temporary folder
 * is removed. */
ms_status ms_folder_commit(ms_folder *folder, ms_error *err);
/* Removes the temporary folder with its files, and frees `folder`, which may be NULL. */
void ms_folder_abort(ms_folder *folder);

/* ---- folders of input files ------------------------------------------------ */

bool ms_is_folder(const char *path);
/* Lists the files of a folder, which are neither hidden nor folders, in the order of the bytes of
 * their names; ms_folder_list_free frees name[count]. */
ms_status ms_folder_list(const char *path, char ***name, uint32_t *count, ms_error *err);
void ms_folder_list_free(char **name, uint32_t count);

#endif
