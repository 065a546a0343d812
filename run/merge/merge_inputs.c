/* The inputs of a run that its part 1 names.  Whoever wrote the part chose the names. */
#include "base/alloc.h"
#include "base/file/named.h"
#include "base/status.h"
#include "run/merge/merge.h"

#include <string.h>

static const char *part_path(const ms_merged_inputs *inputs)
{
  return inputs->m->path[inputs->m->by_number[0]];
}

ms_status ms_merged_input(ms_merged_inputs *inputs, const char **name, ms_error *err)
{
  ms_naming naming = {.file = part_path(inputs), .below = inputs->m->options->below};
  ms_error reason;
  if (!*name)
    return MS_OK;
  char **path = &inputs->path[inputs->count];
  ms_status status = ms_named_path(&naming, *name, strlen(*name), path, &reason);
  if (status != MS_OK)
    return ms_fail(err, status, "%s: %s", naming.file, reason.message);
  inputs->count++;
  *name = *path;
  return MS_OK;
}

/* Returns the input with whose path, and a colon, a message begins; NULL: there is none. */
static const char *input_of(const ms_merged_inputs *inputs, const char *message)
{
  for (uint32_t i = 0; i < inputs->count; i++) {
    size_t length = strlen(inputs->path[i]);
    if (strncmp(message, inputs->path[i], length) == 0 && message[length] == ':')
      return inputs->path[i];
  }
  return NULL;
}

ms_status ms_merged_inputs_pass(const ms_merged_inputs *inputs, const ms_result *part,
                                ms_status status, ms_error *err)
{
  ms_error reason = {.status = status};
  if (status == MS_OK || inputs->count == 0)
    return status;
  if (part->refused)
    ms_fail(&reason, MS_ERR_INPUT, "%s", part->problem);
  else if (err)
    reason = *err;
  const char *input = input_of(inputs, reason.message);
  if (input)
    ms_named_hide(input, &reason);
  else if (!part->refused)
    ms_named_hide(inputs->path[0], &reason);
  return ms_fail(err, reason.status, "%s: %s%s", part_path(inputs),
                 part->refused ? "refused: " : "", reason.message);
}

void ms_merged_inputs_free(ms_merged_inputs *inputs)
{
  for (uint32_t i = 0; i < inputs->count; i++)
    ms_free(inputs->path[i]);
}
