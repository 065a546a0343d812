#include "mpi/parts.h"

#include "base/alloc.h"
#include "base/status.h"
#include "cli/cli.h"
#include "cli/commands.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { REASON_BYTES = 600 };

typedef struct parts_run {
  uint32_t parts;
  int messages;
  int count;          /* of the words of the command line without its output */
  char **words;       /* [count] */
  const char *output; /* of the whole run */
  size_t folder;      /* bytes of `output` before the name of the file */
} parts_run;

/* Takes the output out of the words. */
static void take_output(parts_run *p)
{
  int kept = 0;
  for (int i = 0; i < p->count; i++) {
    char *word = p->words[i];
    bool has_next = i + 1 < p->count;
    if (has_next && (strcmp(word, "-o") == 0 || strcmp(word, "--output") == 0))
      p->output = p->words[++i];
    else if (strncmp(word, "--output=", 9) == 0)
      p->output = word + 9;
    else if (strncmp(word, "-o", 2) == 0 && word[2] && word[1] != '-')
      p->output = word + 2;
    else
      p->words[kept++] = word;
  }
  p->count = kept;
}

/* Returns the path of a part's file; NULL: no memory. */
static char *path_of(const parts_run *p, uint64_t part)
{
  char digits[16];
  int width = snprintf(digits, sizeof digits, "%" PRIu32, p->parts);
  size_t room = strlen(p->output) + 64;
  char *path = ms_alloc(room, 1);
  if (path)
    snprintf(path, room, "%.*spart-%0*" PRIu64 "-of-%" PRIu32 ".%s", (int)p->folder, p->output,
             width, part, p->parts, p->output + p->folder);
  return path;
}

/* Reads the end of what the tool has printed, of which the last line says why it failed. */
static void read_reason(const parts_run *p, char text[REASON_BYTES])
{
  off_t end = p->messages >= 0 ? lseek(p->messages, 0, SEEK_END) : 0;
  off_t from = end > REASON_BYTES - 1 ? end - (REASON_BYTES - 1) : 0;
  ssize_t got = end > 0 ? pread(p->messages, text, REASON_BYTES - 1, from) : 0;
  text[got > 0 ? got : 0] = '\0';
  for (size_t length = strlen(text); length > 0 && text[length - 1] == '\n';)
    text[--length] = '\0';
}

/* Runs the tool with the words, which it may put into another order, and a part. */
static int run_tool(const parts_run *p, char *number, char *path)
{
  char **words = ms_calloc((size_t)p->count + 5, sizeof *words);
  int count = p->count;
  if (!words)
    return MS_EXIT_LIMIT;
  memcpy(words, p->words, (size_t)count * sizeof *words);
  words[count++] = (char *)"--part";
  words[count++] = number;
  words[count++] = (char *)"--output";
  words[count++] = path;
  int code = ms_tool_run(count, words);
  ms_free(words);
  return code;
}

/* A status whose exit code is this one. */
static ms_status status_of(int code)
{
  return code == MS_EXIT_USAGE   ? MS_ERR_USAGE
         : code == MS_EXIT_FILE  ? MS_ERR_INPUT
         : code == MS_EXIT_LIMIT ? MS_ERR_LIMIT
                                 : MS_ERR_INTERNAL;
}

static ms_status run_part(const parts_run *p, uint64_t part, ms_error *err)
{
  char number[48], reason[REASON_BYTES], *path = path_of(p, part);
  if (!path)
    return ms_fail_memory(err, "the name of a part");
  snprintf(number, sizeof number, "%" PRIu64 "/%" PRIu32, part, p->parts);
  int code = run_tool(p, number, path);
  ms_free(path);
  if (code == MS_EXIT_OK || code == MS_EXIT_NONE)
    return MS_OK;
  read_reason(p, reason);
  return ms_fail(err, status_of(code), "part %s ended with exit status %d%s%s", number, code,
                 reason[0] ? ": " : "", reason);
}

/* A ms_crew_job.run: a unit is a part, and adds nothing. */
static ms_status run_units(void *user, const ms_share *share, ms_bytes *out, ms_error *err)
{
  (void)out;
  for (uint64_t u = share->first; u < share->last; u++)
    MS_TRY(run_part(user, u + 1, err));
  return MS_OK;
}

/* A ms_crew_job.add. */
static ms_status add_units(void *user, uint64_t first, uint64_t last, const ms_bytes *bytes,
                           bool *enough, ms_error *err)
{
  (void)user, (void)first, (void)last, (void)bytes, (void)enough, (void)err;
  return MS_OK;
}

static ms_status identify(const parts_run *p, ms_identity *identity, ms_error *err)
{
  MS_TRY(ms_identity_open(identity, "parts of a run", err));
  MS_TRY(ms_identity_number(identity, "parts", p->parts, err));
  /* merge compares the rest */
  return ms_identity_text(identity, "output", p->output, err);
}

static ms_status run(ms_crew *crew, parts_run *p, ms_error *err)
{
  ms_identity identity = {0};
  const ms_crew_job job = {
      .identity = &identity, .units = p->parts, .user = p, .run = run_units, .add = add_units};
  ms_status status = identify(p, &identity, err);
  if (status == MS_OK)
    status = ms_crew_run(crew, &job, err);
  ms_identity_free(&identity);
  return status;
}

int ms_mpi_run_parts(ms_crew *crew, uint32_t parts, int argc, char **argv, int messages)
{
  ms_error err;
  parts_run p = {.parts = parts, .messages = messages, .count = argc};
  ms_status status = MS_OK;
  p.words = ms_calloc((size_t)argc, sizeof *p.words);
  if (!p.words) {
    ms_fail_memory(&err, "the command line");
    return ms_cli_error(&err);
  }
  memcpy(p.words, argv, (size_t)argc * sizeof *argv);
  take_output(&p);
  if (!p.output)
    status = ms_fail(&err, MS_ERR_USAGE,
                     "--merge-later needs --output, beside which the files of "
                     "the parts are written");
  else
    p.folder = strrchr(p.output, '/') ? (size_t)(strrchr(p.output, '/') - p.output) + 1 : 0;
  if (status == MS_OK)
    status = run(crew, &p, &err);
  ms_free(p.words);
  if (status != MS_OK)
    return ms_cli_error(&err);
  ms_cli_note("%" PRIu32 " parts are written; join them by 'motifsieve merge %.*spart-*-of-%" PRIu32
              ".%s --output %s'",
              parts, (int)p.folder, p.output, parts, p.output + p.folder, p.output);
  return MS_EXIT_OK;
}
