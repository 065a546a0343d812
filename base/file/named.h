/* Files that another file names: a sheet names graphs, the head of a part names the inputs of its
 * run.  Whoever wrote that file chose these names, so they lead only to regular files below one
 * folder, which the command line names, and no text of such a file appears in a message. */
#ifndef MS_BASE_NAMED_H
#define MS_BASE_NAMED_H

#include "motifsieve.h"

#include <stddef.h>

typedef struct ms_naming {
  const char *file;  /* the file that names others */
  const char *below; /* the folder; NULL: the folder of `file` */
  bool beside;       /* relative names start at the folder of `file`, not at the current one */
} ms_naming;

/* Makes a path of the name text[length].  Symbolic links and ".." may lead anywhere as long as the
 * path ends below the folder.  The caller frees *path.  MS_ERR_INPUT: the name is refused, or there
 * is no such file.  "-", standard input, is allowed unless names start at the folder of `file`. */
ms_status ms_named_path(const ms_naming *naming, const char *text, size_t length, char **path,
                        ms_error *err);

/* Takes the file's text out of a reader's failure: what is left is the path, the line, and how to
 * see the rest.  Failures that are not about what the file holds stay as they are. */
void ms_named_hide(const char *path, ms_error *reason);

#endif
