/* Functions return errors as a status and a message with file, line and remedy. */
#ifndef MS_BASE_STATUS_H
#define MS_BASE_STATUS_H

#include "motifsieve.h"

#include <stdarg.h>

/* Fills *err, which may be NULL, and returns `status`, so that a caller can write
 * `return ms_fail(err, MS_ERR_INPUT, "%s:%zu: ...", path, line);`.  The message is one line of
 * UTF-8: control characters, which names and paths may bring in, are shown as escapes. */
ms_status ms_fail(ms_error *err, ms_status status, const char *format, ...) MS_PRINTF(3, 4);
ms_status ms_fail_list(ms_error *err, ms_status status, const char *format, va_list args);

/* Fails with the message for a failed allocation of `what`. */
ms_status ms_fail_memory(ms_error *err, const char *what);

/* Fails because the argument of this name of a public function is NULL. */
ms_status ms_fail_null(ms_error *err, const char *function, const char *argument);

/* Leaves a public function one of whose arguments is NULL and must not be. */
#define MS_REQUIRE(argument, err)                                                                  \
  do {                                                                                             \
    if (!(argument))                                                                               \
      return ms_fail_null(err, __func__, #argument);                                               \
  } while (0)

/* Leaves a public function whose array of `count` items is NULL. */
#define MS_REQUIRE_ARRAY(array, count, err)                                                        \
  do {                                                                                             \
    if (!(array) && (count) > 0)                                                                   \
      return ms_fail_null(err, __func__, #array);                                                  \
  } while (0)

/* Leaves the function with the status of a call that failed, for functions that
 * have nothing to clean up at this point. */
#define MS_TRY(call)                                                                               \
  do {                                                                                             \
    ms_status status_of_call_ = (call);                                                            \
    if (status_of_call_ != MS_OK)                                                                  \
      return status_of_call_;                                                                      \
  } while (0)

#endif
