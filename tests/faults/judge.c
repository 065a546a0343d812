/* Judges what a disturbed run has left. */
#include "tests/faults/faults.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char old_content[] = "what was there before\n";

static void stop_with(const char *what)
{
  perror(what);
  exit(EXIT_FAILURE);
}

/* ---- outputs ---------------------------------------------------------------------------- */

static bool is_output(const command *c, const char *name)
{
  for (int i = 1; i < c->n_outputs; i++)
    if (strcmp(c->outputs[i].path + sizeof OUTPUT_FOLDER, name) == 0)
      return true;
  return false;
}

/* Returns a file in the folder of outputs that is none of them, such as a scratch file, in a static
 * buffer, or NULL if there is none. */
static const char *find_other(const command *c)
{
  static char path[300];
  bool found = false;
  DIR *folder = opendir(OUTPUT_FOLDER);
  if (!folder)
    stop_with(OUTPUT_FOLDER);
  for (struct dirent *entry; !found && (entry = readdir(folder));)
    if (entry->d_name[0] != '.' && !is_output(c, entry->d_name)) {
      snprintf(path, sizeof path, OUTPUT_FOLDER "/%s", entry->d_name);
      found = true;
    }
  closedir(folder);
  return found ? path : NULL;
}

void outputs_reset(const command *c, bool old)
{
  for (const char *path; (path = find_other(c));)
    if (unlink(path) != 0)
      stop_with(path);
  for (int i = 1; i < c->n_outputs; i++) {
    if (!old) {
      unlink(c->outputs[i].path);
      continue;
    }
    FILE *file = fopen(c->outputs[i].path, "w");
    if (!file || fputs(old_content, file) == EOF || fclose(file) != 0)
      stop_with(c->outputs[i].path);
  }
}

bool outputs_keep(command *c, const char *errors)
{
  for (int i = 0; i < c->n_outputs; i++) {
    output *o = &c->outputs[i];
    o->whole = read_file(o->path, &o->size);
    if (!o->whole || (i > 0 && strcmp(o->whole, old_content) == 0)) {
      fprintf(stderr, "%s: writes no %s\n%s", c->name, o->path, errors);
      return false;
    }
  }
  return true;
}

static int count_lines(const char *text)
{
  int n = 0;
  for (; (text = strchr(text, '\n')); text++)
    n++;
  return n;
}

/* True if the output is whole: the very bytes, or as many lines where bytes differ from run to run.
 */
static bool is_whole(const output *o, const char *text, size_t size)
{
  if (o->varies)
    return size > 0 && (size == 0) == (o->size == 0) && text[size - 1] == o->whole[o->size - 1] &&
           count_lines(text) == count_lines(o->whole);
  return size == o->size && memcmp(text, o->whole, size) == 0;
}

/* True if the tool's own judge accepts the output. */
static bool is_valid(worker *w, const command *c, const char *path)
{
  char *words[MAX_WORDS + 1] = {NULL};
  bool named = false;
  if (!c->verify[0])
    return false;
  for (int i = 0; c->verify[i]; i++) {
    words[i] = c->verify[i];
    named |= strcmp(words[i], path) == 0;
  }
  return named && run_plainly(w, words, "verdict") == 0;
}

/* True if a result of rows or a drawing in CX2 says that it is incomplete, and ends as whole ones
 * do. */
static bool is_marked(const char *text)
{
  bool in_json = strstr(text, "\"status\":\"incomplete: ");
  return (strstr(text, "\n# status: incomplete: ") && strstr(text, "\n# end: rows=")) ||
         (in_json && (strstr(text, "\n{\"type\":\"end\"") ||
                      strstr(text, "\n{\"status\":[{\"success\":true}]}]")));
}

static state state_of(worker *w, const command *c, int i, bool old)
{
  const output *o = &c->outputs[i];
  size_t size = 0;
  char *text = read_file(o->path, &size);
  state s = STATE_WRONG;
  if (!text)
    s = i > 0 && !old ? STATE_OLD : STATE_WRONG;
  else if (i > 0 && old && strcmp(text, old_content) == 0)
    s = STATE_OLD;
  else if (is_whole(o, text, size))
    s = STATE_WHOLE;
  else if (i == 0 && size <= o->size && memcmp(text, o->whole, size) == 0)
    s = STATE_PART;
  else if (i == 0 && o->varies)
    s = STATE_PART;
  else if (is_valid(w, c, o->path) || (!c->verify[0] && is_marked(text)))
    s = STATE_VALID;
  free(text);
  return s;
}

/* ---- verdicts ------------------------------------------------------------------------------- */

static char verdict[600];

static const char *judge_process(const worker *w, const ending *e)
{
  if (e->hung)
    return "it hangs";
  if (e->signal) {
    snprintf(verdict, sizeof verdict, "it is ended by signal %d", e->signal);
    return verdict;
  }
  if (e->status > 5) {
    snprintf(verdict, sizeof verdict, "exit status %d is not documented", e->status);
    return verdict;
  }
  if (w->page->running == 2 && w->page->descriptors[1] > w->page->descriptors[0])
    return "a file is left open";
  return NULL;
}

/* Judges the outputs of a run that ended as if nothing had happened. */
static const char *judge_success(worker *w, const command *c, bool old)
{
  for (int i = 0; i < c->n_outputs; i++) {
    state s = state_of(w, c, i, old);
    if (s != STATE_WHOLE && s != STATE_VALID) {
      snprintf(verdict, sizeof verdict, "the exit status is that of a good run, but %s differs",
               c->outputs[i].path);
      return verdict;
    }
  }
  return NULL;
}

/* Judges the outputs of a run that failed. */
static const char *judge_failure(worker *w, const command *c, const ending *e, bool old,
                                 bool together)
{
  int n_old = 0;
  if (!strstr(e->errors, "motifsieve: "))
    return "there is no message";
  for (int i = 0; i < c->n_outputs; i++) {
    state s = state_of(w, c, i, old);
    n_old += i > 0 && s == STATE_OLD;
    if (s == STATE_WRONG) {
      snprintf(verdict, sizeof verdict, "%s is neither old nor whole nor valid",
               c->outputs[i].path);
      return verdict;
    }
  }
  return together && n_old > 0 && n_old < c->n_outputs - 1 ? "one of two outputs is written" : NULL;
}

const char *judge_fault(worker *w, const command *c, const ending *e, bool old,
                        expectation expected)
{
  const char *wrong = judge_process(w, e), *other = find_other(c);
  if (!wrong && e->status == c->status)
    wrong = judge_success(w, c, old);
  else if (!wrong)
    wrong = judge_failure(w, c, e, old, expected != EXPECT_PARTS);
  if (!wrong && e->status != c->status && (expected == EXPECT_SUCCESS || w->page->fired == 0)) {
    snprintf(verdict, sizeof verdict, "exit status %d, and nothing has failed", e->status);
    return verdict;
  }
  if (!wrong && e->status == c->status && expected == EXPECT_FAILURE && w->page->fired > 0)
    return "the failure is not reported";
  if (!wrong && other && !strstr(e->errors, other)) {
    snprintf(verdict, sizeof verdict, "%s is left, and no message names it", other);
    return verdict;
  }
  return wrong;
}

const char *judge_kill(worker *w, const command *c, const ending *e, bool old)
{
  if (e->signal != SIGKILL)
    return judge_fault(w, c, e, old, EXPECT_SUCCESS);
  for (int i = 0; i < c->n_outputs; i++) {
    state s = state_of(w, c, i, old);
    if (s != STATE_OLD && s != STATE_WHOLE && (i > 0 || s != STATE_PART)) {
      snprintf(verdict, sizeof verdict, "%s is neither old nor whole", c->outputs[i].path);
      return verdict;
    }
  }
  w->page->mode = FAULT_NONE;
  ending again = run_tool(w, c->words, 0);
  const char *wrong = judge_process(w, &again);
  if (!wrong && again.status != c->status)
    wrong = "the next run fails";
  if (!wrong)
    wrong = judge_success(w, c, old);
  free(again.errors);
  return wrong;
}
