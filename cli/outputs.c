#include "cli/outputs.h"

#include "base/descriptor.h"
#include "base/outfile.h"
#include "base/scratch.h"
#include "base/status.h"
#include "base/utf8.h"
#include "cli/division.h"
#include "cli/option_table.h"
#include "cli/signals.h"
#include "parts/crew.h"
#include "parts/log.h"

#include <string.h>

/* ---- before the work ------------------------------------------------------------------- */

/* Checks that the paths which the result will name can stand in its encoding. */
static ms_status check_encoding(const ms_cli_options *o, ms_error *err)
{
  if (!o->json && !o->cx2)
    return MS_OK;
  for (size_t r = 0; r < ms_option_row_count + 3; r++) {
    const char *text = NULL;
    if (r >= ms_option_row_count)
      text = o->operand[r - ms_option_row_count];
    else if (ms_option_row_given(o, r) && ms_option_rows[r].file == MS_FILE_READ)
      text = ms_option_text(&ms_option_rows[r], o);
    if (text && !ms_is_utf8(text))
      return ms_fail(err, MS_ERR_INPUT,
                     "%s: the path is not UTF-8, which JSON needs; leave out --%s or rename the "
                     "file",
                     text, o->json ? "json" : "cx2");
  }
  return MS_OK;
}

static void print_note(void *user, const char *note)
{
  const ms_cli_options *o = user;
  if (!o->quiet)
    ms_cli_note("%s", note);
}

/* Says where a complete output is kept; this is never left out. */
static void print_kept(void *user, const char *note)
{
  (void)user;
  ms_cli_warn("%s", note);
}

static ms_status open_outputs(const ms_cli_options *o, ms_error *err)
{
  MS_TRY(check_encoding(o, err));
  for (size_t r = 0; r < ms_option_row_count; r++) {
    const ms_option_row *row = &ms_option_rows[r];
    if (row->file != MS_FILE_WRITTEN || !(row->commands & o->command->bit))
      continue;
    if (ms_option_row_given(o, r))
      MS_TRY(ms_outfile_open_ahead(ms_option_text(row, o), print_note, (void *)o, err));
    else if (strcmp(row->name, "output") == 0)
      MS_TRY(ms_check_stdout(err));
  }
  return o->division.checkpoint ? ms_unit_log_check(o->division.checkpoint, err) : MS_OK;
}

/* ---- the command ------------------------------------------------------------------------ */

int ms_run_with_outputs(const ms_cli_options *o)
{
  ms_error err;
  if (!ms_crew_saves(ms_cli_crew)) /* the leader of the ranks has the outputs */
    return o->command->run(o);
  ms_signals_keep_outputs();
  ms_status status = open_outputs(o, &err);
  int code = status == MS_OK ? o->command->run(o) : ms_cli_error(&err);
  bool incomplete = code == MS_EXIT_LIMIT || code == MS_EXIT_ROWS_NOT_FINISHED;
  status = ms_scratch_place_all(incomplete, print_kept, NULL, &err);
  if (status != MS_OK)
    code = ms_cli_error(&err);
  if (o->division.checkpoint && (code == MS_EXIT_OK || code == MS_EXIT_NONE))
    ms_unit_log_remove(o->division.checkpoint);
  ms_signals_end_for_pipe();
  return code;
}
