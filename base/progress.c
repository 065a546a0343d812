#include "base/progress.h"

#include "base/file/descriptor.h"
#include "base/text/format.h"
#include "base/threads/parallel.h"
#include "base/threads/stop.h"

#include <inttypes.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* seconds between two drawings on a terminal */
#define REDRAW 0.1
/* seconds before the first drawing there, so that short jobs show nothing */
#define PATIENCE 0.5
/* seconds between two lines elsewhere */
#define LOG_PERIOD 60.0
/* A time left is shown when its prediction has been steady for this part of it, or for this many
 * seconds if they are fewer, and a second more: the end may move by the other part of the time
 * left, and half a second. */
#define STEADY 0.1
#define PROBATION 10.0
#define MOVES 0.2
/* The same for phases whose units are alike by their nature. */
#define EVEN_PROBATION 1.0
/* seconds after which a phase that is done gives way to one that nobody has named yet */
#define PAUSE 1.0

/* ---- phases -------------------------------------------------------------------------- */

void ms_progress_reset(ms_progress *progress, double now)
{
  progress->what[0] = '\0';
  progress->start = now;
  progress->pass = 1;
  progress->first = progress->done = progress->total = 0;
  progress->begin = progress->rise = progress->since = now;
  progress->end = -INFINITY;
  progress->due = INFINITY;
  progress->silent = -INFINITY;
  progress->forecast = INFINITY;
}

void ms_progress_note(ms_progress *progress, double now, const char *what, uint64_t done,
                      uint64_t total)
{
  bool is_new = strncmp(progress->what, what, sizeof progress->what - 1) != 0;
  if (total > 0 && done > total)
    done = total;
  if (is_new) {
    double start = progress->start, forecast = progress->forecast;
    ms_progress_reset(progress, now);
    progress->start = start;
    progress->forecast = forecast;
    snprintf(progress->what, sizeof progress->what, "%s", what);
  }
  if (is_new || done < progress->done) {
    progress->pass += !is_new;
    progress->first = done;
    progress->begin = now;
    progress->end = -INFINITY;
  }
  if (is_new || done != progress->done)
    progress->rise = now;
  progress->done = done;
  progress->total = total;
}

/* True if each unit of the phase takes as long as any other. */
static bool is_even(const ms_progress *p)
{
  static const char *const even[] = {"permutations", "permutations repeated", "samples counted",
                                     "rows checked", "sets with their motifs"};
  for (size_t i = 0; i < sizeof even / sizeof *even; i++)
    if (strcmp(p->what, even[i]) == 0)
      return true;
  return false;
}

/* Predicts the seconds to the end of the phase: as the units before went, but at least as if the
 * next unit were done just now. */
static double predict(const ms_progress *p, double now)
{
  double since = (double)(p->done - p->first), left = (double)(p->total - p->done);
  double usual = (p->rise - p->begin) / since * left - (now - p->rise);
  return fmax(usual, (now - p->begin) / (since + 1) * (left - 1));
}

/* Finds the seconds left, whole and at least 1, or returns false: they are not to be shown. */
static bool find_left(ms_progress *p, double now, double *left)
{
  if (now >= p->due) { /* the phase has broken its word */
    p->silent = now + (now - p->begin);
    p->due = INFINITY;
    p->end = -INFINITY;
  }
  if (p->total == 0 || p->done <= p->first || p->done >= p->total)
    return false;
  double seconds = predict(p, now);
  if (!(fabs(now + seconds - p->end) <= MOVES * seconds + 0.5)) {
    p->end = now + seconds;
    p->since = now;
  }
  *left = ceil(seconds);
  if (*left >= 3600)
    *left = floor(*left / 60) * 60; /* as it is written */
  double probation = fmin(STEADY * seconds, is_even(p) ? EVEN_PROBATION : PROBATION);
  if (now < p->silent || now - p->since < 1 + probation || *left < 1)
    return false;
  p->due = fmin(p->due, now + 2 * *left + 1);
  return true;
}

/* ---- texts --------------------------------------------------------------------------- */

/* Writes a time, such as "12 s", "3 min 20 s" or "2 h 5 min". */
static void format_duration(char *text, size_t bytes, double seconds)
{
  uint64_t s = seconds < 1e9 ? (uint64_t)(seconds + 0.5) : (uint64_t)1000000000;
  if (s < 60)
    snprintf(text, bytes, "%" PRIu64 " s", s);
  else if (s < 3600)
    snprintf(text, bytes, "%" PRIu64 " min %" PRIu64 " s", s / 60, s % 60);
  else
    snprintf(text, bytes, "%" PRIu64 " h %" PRIu64 " min", s / 3600, s / 60 % 60);
}

/* Writes a rate, such as "3.1", "42", "12 k" or "3.4 M". */
static void format_rate(char *text, size_t bytes, double rate)
{
  static const char *const unit[] = {"", " k", " M", " G", " T"};
  unsigned u = 0;
  while (rate >= 1000 && u + 1 < sizeof unit / sizeof *unit) {
    rate /= 1000;
    u++;
  }
  ms_format(text, bytes, rate < 10 ? "%.1f%s" : "%.0f%s", rate, unit[u]);
}

void ms_progress_text(ms_progress *p, double now, char *line, size_t bytes)
{
  char rate[48] = "", time[48], pass[32] = "";
  double left = 0;
  bool shows_left = find_left(p, now, &left);
  format_duration(time, sizeof time, shows_left ? left : now - p->start);
  const char *after = shows_left ? "left in this phase" : "so far";
  if (p->pass > 1)
    snprintf(pass, sizeof pass, ", pass %" PRIu32, p->pass);
  if (p->done > p->first && now > p->begin) {
    format_rate(rate, sizeof rate - 8, (double)(p->done - p->first) / (now - p->begin));
    snprintf(rate + strlen(rate), 8, "/s, ");
  }
  if (p->total > 0 && p->done == p->total && now - p->rise > PAUSE)
    snprintf(line, bytes, "%s%s: done, and what follows is at work, %s so far", p->what, pass,
             time);
  else if (p->total > 0) {
    double percent = 100.0 * (double)p->done / (double)p->total;
    if (p->done < p->total && percent > 99)
      percent = 99; /* 100 % means done */
    ms_format(line, bytes, "%s%s: %" PRIu64 " of %" PRIu64 " (%.0f %%), %s%s %s", p->what, pass,
              p->done, p->total, percent, rate, time, after);
  } else if (p->done > 0)
    snprintf(line, bytes, "%s%s: %" PRIu64 ", %s%s so far", p->what, pass, p->done, rate, time);
  else
    snprintf(line, bytes, "%s: %s so far", p->what, time);
  if (now >= p->forecast) {
    size_t length = strlen(line);
    snprintf(line + length, bytes - length, "; longer than was forecast");
  }
}

void ms_progress_forecast_text(double seconds, ms_forecast_kind kind, char *text, size_t bytes)
{
  static const struct {
    double seconds;
    double from; /* seconds from which on the unit is used */
    const char *name, *plural;
  } unit[] = {{1, 0, "s", "s"},
              {60, 55, "minute", "minutes"},
              {3600, 55 * 60, "hour", "hours"},
              {86400, 86400, "day", "days"},
              {31557600, 31557600, "year", "years"}};
  static const char *const qualifier[] = {"about", "at least", "up to about"};
  const double most = 1000 * 31557600.0;
  size_t u = sizeof unit / sizeof *unit - 1;
  if (!(seconds < most)) {
    snprintf(text, bytes, "more than 1000 years");
    return;
  }
  while (seconds < unit[u].from)
    u--;
  double number = seconds / unit[u].seconds, digit = 1;
  while (number / digit >= 9.5)
    digit *= 10;
  number =
      fmax(1, (kind == MS_FORECAST_LEAST ? floor(number / digit) : round(number / digit)) * digit);
  ms_format(text, bytes, "%s %.0f %s", qualifier[kind], number,
            number < 1.5 ? unit[u].name : unit[u].plural);
}

/* ---- drawing ------------------------------------------------------------------------- */

/* The progress whose line messages have to erase; changed by the main thread alone. */
static ms_progress *_Atomic shown;

/* Returns to the left margin and clears to the end of the line. */
#define CLEAR "\r\033[K"

/* Writes in one piece, so that messages of other threads and programs do not come between. */
static void put(const ms_progress *progress, const char *before, const char *line,
                const char *after)
{
  char text[256];
  int length = snprintf(text, sizeof text, "%s%s%s", before, line, after);
  ms_write_all(progress->fd, text, (size_t)length, NULL);
}

static void lock(ms_progress *progress)
{
  if (progress->ticks)
    pthread_mutex_lock(&progress->lock);
}

static void unlock(ms_progress *progress)
{
  if (progress->ticks)
    pthread_mutex_unlock(&progress->lock);
}

void ms_progress_note_forecast(ms_progress *progress, double now, const char *work, double seconds,
                               ms_forecast_kind kind)
{
  char line[160], time[48];
  progress->forecast = INFINITY;
  if (!(seconds >= MS_PROGRESS_LONG) || isinf(seconds))
    return;
  progress->told = true;
  if (kind != MS_FORECAST_LEAST)
    progress->forecast = now + 2 * seconds + 1;
  ms_progress_forecast_text(seconds, kind, time, sizeof time);
  snprintf(line, sizeof line, "motifsieve: %s takes %s", work, time);
  put(progress, progress->terminal ? CLEAR : "", line, "\n");
  progress->drawn = false;
}

/* Says that the run is long, as soon as that is known, and again if the forecast was wrong. */
static void tell_length(ms_progress *progress, double now)
{
  char line[160], time[48];
  double left;
  if ((progress->told && now < progress->forecast) || !find_left(progress, now, &left) ||
      left < MS_PROGRESS_LONG)
    return;
  progress->forecast = INFINITY;
  progress->told = true;
  format_duration(time, sizeof time, left);
  snprintf(line, sizeof line, "motifsieve: %s: about %s left in this phase", progress->what, time);
  put(progress, progress->terminal ? CLEAR : "", line, "\n");
}

void ms_progress_draw(ms_progress *progress, double now)
{
  char line[200];
  tell_length(progress, now);
  if (now - progress->last < progress->period ||
      (progress->terminal && now - progress->begin < PATIENCE))
    return;
  progress->last = now;
  progress->drawn = progress->terminal;
  ms_progress_text(progress, now, line, sizeof line);
  put(progress, progress->terminal ? CLEAR : "motifsieve: ", line, progress->terminal ? "" : "\n");
}

static void *tick(void *user)
{
  ms_progress *progress = user;
  pthread_mutex_lock(&progress->lock);
  while (!progress->stops) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    double wait = progress->terminal ? REDRAW : 1;
    until.tv_nsec += (long)(wait * 1e9) % 1000000000;
    until.tv_sec += (time_t)wait + until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(&progress->wake, &progress->lock, &until);
    if (!progress->stops)
      ms_progress_draw(progress, ms_seconds());
  }
  pthread_mutex_unlock(&progress->lock);
  return NULL;
}

/* Starts the thread.  Without it, only reports redraw the line. */
static void start_ticker(ms_progress *progress)
{
  pthread_condattr_t monotonic;
  pthread_mutex_init(&progress->lock, NULL);
  pthread_condattr_init(&monotonic);
  pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
  pthread_cond_init(&progress->wake, &monotonic);
  pthread_condattr_destroy(&monotonic);
  progress->ticks = true; /* before the thread is there, which then need not be waited for */
  if (!ms_thread_start(&progress->ticker, tick, progress))
    progress->ticks = false;
  if (!progress->ticks) {
    pthread_cond_destroy(&progress->wake);
    pthread_mutex_destroy(&progress->lock);
  }
}

void ms_progress_start(ms_progress *progress, int fd, bool wanted)
{
  double now = ms_seconds();
  *progress = (ms_progress){.fd = wanted ? fd : 0, .last = now};
  ms_progress_reset(progress, now);
  ms_progress_note(progress, now, "inputs are read", 0, 0);
  progress->terminal = wanted && isatty(fd);
  progress->period = progress->terminal ? REDRAW : LOG_PERIOD;
  if (!wanted)
    return;
  atomic_store(&shown, progress);
  start_ticker(progress);
}

void ms_progress_report(void *user, const char *what, uint64_t done, uint64_t total)
{
  ms_progress *progress = user;
  if (progress->fd <= 0)
    return;
  double now = ms_seconds();
  lock(progress);
  ms_progress_note(progress, now, what, done, total);
  ms_progress_draw(progress, now);
  unlock(progress);
}

bool ms_progress_wants_forecast(const ms_run_limits *run)
{
  return run->progress == ms_progress_report && ((const ms_progress *)run->progress_user)->fd > 0;
}

void ms_progress_forecast(const ms_run_limits *run, const char *work, double seconds,
                          ms_forecast_kind kind)
{
  if (!ms_progress_wants_forecast(run))
    return;
  ms_progress *progress = run->progress_user;
  lock(progress);
  ms_progress_note_forecast(progress, ms_seconds(), work, seconds, kind);
  unlock(progress);
}

static void erase(ms_progress *progress)
{
  if (progress->drawn)
    put(progress, CLEAR, "", "");
  progress->drawn = false;
}

void ms_progress_end(ms_progress *progress)
{
  if (progress->ticks) {
    pthread_mutex_lock(&progress->lock);
    progress->stops = true;
    pthread_cond_signal(&progress->wake);
    pthread_mutex_unlock(&progress->lock);
    pthread_join(progress->ticker, NULL);
    pthread_cond_destroy(&progress->wake);
    pthread_mutex_destroy(&progress->lock);
    progress->ticks = false;
  }
  if (atomic_load(&shown) == progress)
    atomic_store(&shown, NULL);
  erase(progress);
}

void ms_progress_make_way(void)
{
  ms_progress *progress = atomic_load(&shown);
  if (!progress)
    return;
  lock(progress);
  erase(progress);
  unlock(progress);
}
