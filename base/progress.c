#include "base/progress.h"

#include "base/descriptor.h"
#include "base/format.h"
#include "base/stop.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* seconds between two drawings on a terminal */
#define REDRAW 0.1
/* seconds before the first drawing there, so that short jobs show nothing */
#define PATIENCE 0.5
/* seconds between two lines elsewhere */
#define LOG_PERIOD 60.0

void ms_progress_start(ms_progress *progress, int fd, bool wanted)
{
  *progress = (ms_progress){.fd = wanted ? fd : -1, .last = ms_seconds()};
  progress->terminal = wanted && isatty(fd);
  progress->period = progress->terminal ? REDRAW : LOG_PERIOD;
}

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

void ms_progress_format(char *line, size_t bytes, const char *what, uint64_t done, uint64_t total,
                        uint64_t done_since, double seconds)
{
  char rate_text[32], left_text[32];
  double rate = seconds > 0 ? (double)done_since / seconds : 0;
  format_rate(rate_text, sizeof rate_text, rate);
  if (total == 0) {
    snprintf(line, bytes, "%s: %" PRIu64 ", %s/s", what, done, rate_text);
    return;
  }
  if (done > total)
    done = total;
  double percent = 100.0 * (double)done / (double)total;
  if (done < total && percent > 99)
    percent = 99; /* 100 % means done */
  if (rate > 0) {
    format_duration(left_text, sizeof left_text, (double)(total - done) / rate);
    ms_format(line, bytes, "%s: %" PRIu64 " of %" PRIu64 " (%.0f %%), %s/s, %s left", what, done,
              total, percent, rate_text, left_text);
  } else {
    ms_format(line, bytes, "%s: %" PRIu64 " of %" PRIu64 " (%.0f %%)", what, done, total, percent);
  }
}

/* Returns to the left margin and clears to the end of the line. */
#define CLEAR "\r\033[K"

/* Writes in one piece, so that messages of other threads and programs do not come between. */
static void put(const ms_progress *progress, const char *before, const char *line,
                const char *after)
{
  char text[200];
  int length = snprintf(text, sizeof text, "%s%s%s", before, line, after);
  ms_write_all(progress->fd, text, (size_t)length, NULL);
}

void ms_progress_report(void *user, const char *what, uint64_t done, uint64_t total)
{
  ms_progress *progress = user;
  char line[160];
  if (progress->fd < 0)
    return;
  double now = ms_seconds();
  if (strncmp(progress->what, what, sizeof progress->what - 1) != 0 || done < progress->done) {
    snprintf(progress->what, sizeof progress->what, "%s", what);
    progress->first = done;
    progress->begin = now;
  }
  progress->done = done;
  if (now - progress->last < progress->period ||
      (progress->terminal && now - progress->begin < PATIENCE))
    return;
  progress->last = now;
  progress->drawn = progress->terminal;
  ms_progress_format(line, sizeof line, what, done, total, done - progress->first,
                     now - progress->begin);
  put(progress, progress->terminal ? CLEAR : "motifsieve: ", line, progress->terminal ? "" : "\n");
}

void ms_progress_end(ms_progress *progress)
{
  if (progress->drawn)
    put(progress, CLEAR, "", "");
  progress->drawn = false;
}
