#include "tests/support/graphs/typed_files.h"

#include "graph/typed.h"
#include "tests/support/files.h"
#include "tests/support/graphs/validate.h"

#include <check.h>
#include <string.h>

ms_typed *typed_files_read(const char *path, const ms_typed_options *options)
{
  ms_typed *graph = NULL;
  ms_error err;
  ms_typed_options whole = MS_TYPED_OPTIONS_DEFAULT;
  if (options)
    whole = *options;
  whole.size = sizeof whole;
  ck_assert_msg(ms_typed_read(path, &whole, &graph, &err) == MS_OK, "%s", err.message);
  ck_assert_msg(validate_typed(graph, &err) == MS_OK, "%s", err.message);
  return graph;
}
