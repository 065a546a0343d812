/* Calls of the library from R: options from lists, interrupts, progress, errors. */
#include "package.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* ---- lists and options ---------------------------------------------------------------- */

SEXP list_item(SEXP list, const char *name)
{
  SEXP names = Rf_getAttrib(list, R_NamesSymbol);
  for (R_xlen_t i = 0; i < Rf_xlength(names); i++)
    if (strcmp(CHAR(STRING_ELT(names, i)), name) == 0)
      return VECTOR_ELT(list, i);
  return R_NilValue;
}

const char *list_text(SEXP list, const char *name)
{
  SEXP item = list_item(list, name);
  return Rf_isString(item) && Rf_xlength(item) > 0 ? Rf_translateCharUTF8(STRING_ELT(item, 0))
                                                   : NULL;
}

const char **list_texts(SEXP list, const char *name, uint32_t *count)
{
  SEXP item = list_item(list, name);
  *count = 0;
  if (!Rf_isString(item))
    return NULL;
  R_xlen_t n = Rf_xlength(item);
  if (n > (R_xlen_t)UINT32_MAX - 1)
    usage_error("`%s` has %.0f items; there may be at most 4294967294", name, (double)n);
  const char **texts = (const char **)R_alloc((size_t)n, sizeof *texts);
  for (R_xlen_t i = 0; i < n; i++)
    texts[i] = Rf_translateCharUTF8(STRING_ELT(item, i));
  *count = (uint32_t)n;
  return texts;
}

static double checked_number(SEXP item, const option *o)
{
  static const double greatest[] = {[OPTION_INT] = INT_MAX,
                                    [OPTION_U32] = UINT32_MAX,
                                    [OPTION_U64] = 9007199254740992.0,
                                    [OPTION_REAL] = 1e300};
  double value = Rf_isNumeric(item) && Rf_xlength(item) == 1 ? Rf_asReal(item) : NA_REAL;
  bool whole = o->type != OPTION_REAL;
  if (!(value >= 0 && value <= greatest[o->type]) || (whole && value != (double)(uint64_t)value))
    usage_error("`%s` has to be one %s from 0 to %.16g", o->name, whole ? "whole number" : "number",
                greatest[o->type]);
  return value;
}

static void set_option(SEXP item, const option *o, void *member)
{
  bool one = Rf_xlength(item) == 1;
  if (o->type == OPTION_FLAG && !(one && Rf_isLogical(item) && LOGICAL(item)[0] != NA_LOGICAL))
    usage_error("`%s` has to be TRUE or FALSE", o->name);
  if (o->type == OPTION_TEXT && !(one && Rf_isString(item) && STRING_ELT(item, 0) != NA_STRING))
    usage_error("`%s` has to be one text", o->name);
  double number = o->type >= OPTION_INT ? checked_number(item, o) : 0;
  if (o->type == OPTION_FLAG)
    *(bool *)member = LOGICAL(item)[0] != 0;
  else if (o->type == OPTION_TEXT)
    *(const char **)member = Rf_translateCharUTF8(STRING_ELT(item, 0));
  else if (o->type == OPTION_INT)
    *(int *)member = (int)number;
  else if (o->type == OPTION_U32)
    *(uint32_t *)member = (uint32_t)number;
  else if (o->type == OPTION_U64)
    *(uint64_t *)member = (uint64_t)number;
  else
    *(double *)member = number;
}

void set_options(SEXP list, const option *table, size_t count, void *options)
{
  for (size_t i = 0; i < count; i++) {
    SEXP item = list_item(list, table[i].name);
    if (!Rf_isNull(item))
      set_option(item, &table[i], (char *)options + table[i].offset);
  }
}

void usage_error(const char *format, ...)
{
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  SEXP space = PROTECT(R_FindNamespace(PROTECT(Rf_mkString("motifsieve"))));
  SEXP message = PROTECT(Rf_ScalarString(Rf_mkCharCE(text, CE_UTF8)));
  Rf_eval(PROTECT(Rf_lang2(Rf_install("usage_error"), message)), space);
  Rf_error("%s", text); /* not reached */
}

/* ---- calls ---------------------------------------------------------------------------- */

#define LOOK_NANOSECONDS 50000000L /* between two looks for interrupts */

/* How far the work is. */
typedef struct news {
  char what[64];
  uint64_t done, total;
} news;

typedef struct call {
  work_fn work;
  void *data;
  ms_stop *stop;
  ms_status status;
  ms_error err;
  /* of R's thread */
  SEXP progress; /* a function of what, done, total, which returns TRUE if it was interrupted */
  int failed;    /* it failed, with this message */
  char failure[512];
  bool interrupted, shows;
  news shown;
  /* guarded by `lock` */
  bool ended, has_news;
  news news;
  pthread_mutex_t lock;
  pthread_cond_t changed;
} call;

/* Notes how far the work is; an ms_progress_fn. */
static void note_progress(void *user, const char *what, uint64_t done, uint64_t total)
{
  call *c = user;
  pthread_mutex_lock(&c->lock);
  snprintf(c->news.what, sizeof c->news.what, "%s", what);
  c->news.done = done;
  c->news.total = total;
  c->has_news = true;
  pthread_cond_signal(&c->changed);
  pthread_mutex_unlock(&c->lock);
}

static __thread call *current_call;

void call_limits(ms_run_limits *run)
{
  run->stop = current_call->stop;
  run->progress = note_progress;
  run->progress_user = current_call;
}

static void *run_work(void *user)
{
  call *c = user;
  current_call = c;
  ms_stop *outer = ms_stop_attach(c->stop);
  c->status = c->work(c->data, &c->err);
  ms_stop_attach(outer);
  current_call = NULL;
  pthread_mutex_lock(&c->lock);
  c->ended = true;
  pthread_cond_signal(&c->changed);
  pthread_mutex_unlock(&c->lock);
  return NULL;
}

/* Shows news, and looks for an interrupt, at which it leaves by a jump, as where R has no memory.
 */
static void look(void *user)
{
  call *c = user;
  if (c->shows) {
    SEXP what = PROTECT(Rf_mkString(c->shown.what));
    SEXP done = PROTECT(Rf_ScalarReal((double)c->shown.done));
    SEXP total = PROTECT(Rf_ScalarReal((double)c->shown.total));
    SEXP stop =
        R_tryEvalSilent(PROTECT(Rf_lang4(c->progress, what, done, total)), R_GlobalEnv, &c->failed);
    c->interrupted = !c->failed && Rf_asLogical(stop) == 1;
    if (c->failed)
      snprintf(c->failure, sizeof c->failure, "%s", R_curErrorBuf());
    UNPROTECT(4);
  }
  R_CheckUserInterrupt();
}

/* Waits for the end of the work on R's thread. */
static void wait_for_work(call *c)
{
  pthread_mutex_lock(&c->lock);
  while (!c->ended) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += LOOK_NANOSECONDS;
    until.tv_sec += until.tv_nsec / 1000000000L;
    until.tv_nsec %= 1000000000L;
    int woken = pthread_cond_timedwait(&c->changed, &c->lock, &until);
    c->shows = c->has_news && !Rf_isNull(c->progress) && !c->failed && !c->interrupted;
    c->shown = c->news;
    c->has_news = false;
    if (c->ended || (!c->shows && woken != ETIMEDOUT))
      continue;
    pthread_mutex_unlock(&c->lock);
    if (!c->interrupted && !R_ToplevelExec(look, c))
      c->interrupted = true;
    if (c->interrupted || c->failed)
      ms_stop_request(c->stop);
    pthread_mutex_lock(&c->lock);
  }
  pthread_mutex_unlock(&c->lock);
}

/* Starts the thread, which receives no signals: they are for R's thread. */
static bool start_thread(pthread_t *thread, call *c)
{
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  int status = pthread_create(thread, NULL, run_work, c);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return status == 0;
}

SEXP call_library(work_fn work, void *data, SEXP limits)
{
  call c = {.work = work, .data = data, .progress = list_item(limits, "progress")};
  SEXP timeout = list_item(limits, "timeout");
  pthread_t thread;
  /* R, which may have no memory, is asked before the work: what this makes is not lost */
  SEXP result = PROTECT(Rf_allocVector(INTSXP, 3));
  if (ms_stop_new(&c.stop, &c.err) != MS_OK)
    Rf_error("%s", c.err.message);
  if (!Rf_isNull(timeout))
    ms_stop_after(c.stop, Rf_asReal(timeout));
  pthread_mutex_init(&c.lock, NULL);
  pthread_cond_init(&c.changed, NULL);
  if (start_thread(&thread, &c)) {
    wait_for_work(&c);
    pthread_join(thread, NULL);
  } else {
    run_work(&c); /* the system has no thread left: the call cannot be interrupted */
  }
  pthread_cond_destroy(&c.changed);
  pthread_mutex_destroy(&c.lock);
  ms_stop_free(c.stop);
  int numbers[] = {(int)c.status, c.interrupted, c.failed};
  memcpy(INTEGER(result), numbers, sizeof numbers);
  if (c.failed || c.status != MS_OK)
    Rf_setAttrib(result, Rf_install("message"),
                 Rf_ScalarString(Rf_mkCharCE(c.failed ? c.failure : c.err.message, CE_UTF8)));
  UNPROTECT(1);
  return result;
}
