/* Typed graphs in files of the test's folder (files_setup). */
#ifndef MS_TESTS_SUPPORT_TYPED_FILES_H
#define MS_TESTS_SUPPORT_TYPED_FILES_H

#include "motifsieve.h"

/* Reads a graph and checks its invariants; aborts the test where that fails. */
ms_typed *typed_files_read(const char *path, const ms_typed_options *options);

#endif
