/* The files of an experiment: a table, a script for gnuplot, and the drawing that it makes. */
#include "base/compiler.h"
#include "base/status.h"
#include "base/threads/threads.h"
#include "bench/sieve/experiments.h"
#include "gpu/gpu.h"

#include <errno.h>
#include <inttypes.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PATH_ROOM = 1024 };
extern char **environ;

static ms_status path_of(const bench_plan *plan, const char *ending, char path[PATH_ROOM],
                         ms_error *err)
{
  /* gnuplot gets the paths in single quotes */
  bool odd = strpbrk(plan->files, "'\"\\\n") != NULL;
  if (odd || snprintf(path, PATH_ROOM, "%s%s", plan->files, ending) >= PATH_ROOM)
    return ms_fail(err, MS_ERR_USAGE,
                   "--write '%s' is too long a prefix or holds quotes; give another one",
                   plan->files);
  return MS_OK;
}

/* ---- the table ---------------------------------------------------------------------- */

/* Copies the model of the processor; "unknown" where the system does not say. */
static void find_processor(char *text, size_t room)
{
  char line[256];
  snprintf(text, room, "unknown processor");
  FILE *f = fopen("/proc/cpuinfo", "re");
  while (f && fgets(line, sizeof line, f))
    if (strncmp(line, "model name", 10) == 0 && strchr(line, ':')) {
      snprintf(text, room, "%.*s", (int)strcspn(strchr(line, ':') + 2, "\n"),
               strchr(line, ':') + 2);
      break;
    }
  if (f)
    fclose(f);
}

ms_status bench_table_open(const bench_plan *plan, ms_outfile **out, ms_error *err)
{
  char path[PATH_ROOM], processor[200], date[32];
  const char *commit = getenv("COMMIT");
  double load = -1;
  time_t now = time(NULL);
  *out = NULL;
  MS_TRY(path_of(plan, ".tsv", path, err));
  MS_TRY(ms_outfile_open(path, out, err));
  find_processor(processor, sizeof processor);
  strftime(date, sizeof date, "%Y-%m-%d", gmtime(&now));
  if (getloadavg(&load, 1) < 1)
    load = -1;
  ms_outfile_printf(*out, "# %s, experiment %s of motifsieve %s, commit %s\n", date,
                    bench_experiment_word(plan->experiment), MS_VERSION,
                    commit ? commit : "not given");
  ms_outfile_printf(*out, "# machine: %s, %ld cores, load %.1f before it\n", processor,
                    sysconf(_SC_NPROCESSORS_ONLN), load);
  ms_outfile_printf(*out, "# command: %s\n", plan->command);
  ms_outfile_printf(*out, "# seed %" PRIu64 "; times are medians of %u runs\n",
                    plan->screen.run.seed, plan->runs);
  return MS_OK;
}

/* ---- the script ------------------------------------------------------------------------ */

#define CURVE(x)                                                                                   \
  "plot table using \"" x "\":\"seconds\" with linespoints title \"time\", \\\n"                   \
  "     table using \"" x "\":\"floor_seconds\" with linespoints title \"floor\"\n"
#define BARS(labels)                                                                               \
  "set style data histograms\nset style fill solid 0.6\nset logscale y\n"                          \
  "plot table using \"seconds\":xticlabels(" labels ") title \"time\", \\\n"                       \
  "     table using \"floor_seconds\" title \"floor\"\n"
#define SPEED_UP(x)                                                                                \
  "stats table using (column(\"seconds\")) every ::0::0 nooutput name \"one\"\n"                   \
  "plot table using \"" x "\":(one_mean / column(\"seconds\")) with linespoints title "            \
  "\"measured\", \\\n"                                                                             \
  "     table using \"" x "\":\"" x "\" with lines dashtype 2 title \"ideal\"\n"
#define COPIES(begin, way, memory)                                                                 \
  begin " table using \"bytes\":(rate(\"" way " the GPU\", \"" memory                              \
        "\")) with points title \"" way " the GPU, " memory "\""
/* What gnuplot draws. */
static const struct {
  const char *title, *x, *y, *commands;
} plots[] = {
    [BENCH_SLOTS] = {"slots of the motif", "k", "seconds", "set logscale y\n" CURVE("slots")},
    [BENCH_VERTICES] = {"vertices", "n", "seconds", "set logscale xy\n" CURVE("vertices")},
    [BENCH_EDGES] = {"edges", "m", "seconds", "set logscale xy\n" CURVE("edges")},
    [BENCH_TOPOLOGY] = {"topologies", "graph", "seconds",
                        BARS("strcol(\"family\").\" \".strcol(\"exponent\")")},
    [BENCH_LINES] = {"line types", "line type", "seconds", BARS("strcol(\"arithmetic\")")},
    [BENCH_THREADS] = {"speed-up over threads", "threads", "times one thread", SPEED_UP("threads")},
    [BENCH_GPUS] = {"speed-up over GPUs", "GPUs", "times one GPU", SPEED_UP("gpus")},
    [BENCH_DECISION] = {"decision and values of vertices", "k", "seconds",
                        "set logscale y\n"
                        "plot table using \"slots\":\"localized_seconds\" with linespoints title "
                        "\"each vertex\", \\\n"
                        "     table using \"slots\":\"decision_seconds\" with linespoints title "
                        "\"decision\"\n"},
    [BENCH_TRANSFERS] =
        {"copies between host and GPU", "bytes", "bytes a second",
         "set logscale xy\nset datafile missing NaN\n"
         "set key outside right\nrate(way, memory) = strcol(\"way\") eq way && "
         "strcol(\"memory\") eq memory ? column(\"rate\") : NaN\n" COPIES("plot", "to", "pinned") ", \\\n" COPIES(
             "    ", "to", "pageable") ", \\\n" COPIES("    ", "from",
                                                       "pinned") ", \\\n" COPIES("    ", "from",
                                                                                 "pageable") "\n"},
    [BENCH_BANDWIDTH] = {"rates of memory", "bytes", "bytes a second",
                         "set logscale xy\nset datafile missing NaN\nset key outside right\n"},
};

/* Writes the curves of BENCH_BANDWIDTH, those that have points: gnuplot warns of others. */
static void put_rates(const bench_plan *plan, ms_outfile *out)
{
  const ms_screen_options *s = &plan->screen;
  bool gpus = s->run.n_devices > 0 || (s->backend != MS_BACKEND_CPU && ms_gpu_device_count() > 0);
  const struct {
    bool there;
    const char *what, *threads, *title;
  } curves[] = {
      {true, "lines in order", "== 1", "in order, one thread"},
      {true, "lines at random", "== 1", "at random, one thread"},
      {ms_threads(s->run.threads) > 1, "lines in order", "> 1", "in order, all threads"},
      {ms_threads(s->run.threads) > 1, "lines at random", "> 1", "at random, all threads"},
      {gpus, "read and written", "== 0", "GPU, read and written"},
      {gpus, "rows of 512 at random", "== 0", "GPU, rows at random"},
  };
  for (size_t i = 0; i < sizeof curves / sizeof *curves; i++)
    if (curves[i].there)
      ms_outfile_printf(out,
                        "%s table using \"bytes\":(strcol(\"what\") eq \"%s\" && "
                        "column(\"threads\") %s ? column(\"rate\") : NaN) with linespoints title "
                        "\"%s\"",
                        i ? ", \\\n    " : "plot", curves[i].what, curves[i].threads,
                        curves[i].title);
  ms_outfile_puts(out, "\n");
}

static ms_status write_script(const bench_plan *plan, ms_error *err)
{
  char path[PATH_ROOM];
  ms_outfile *out;
  const char *slash = strrchr(plan->files, '/'), *name = slash ? slash + 1 : plan->files;
  MS_TRY(path_of(plan, ".gp", path, err));
  MS_TRY(ms_outfile_open(path, &out, err));
  ms_outfile_printf(out,
                    "# Draws %s.svg from %s.tsv, in the folder of both: gnuplot %s.gp\n"
                    "if (!exists(\"table\")) table = \"%s.tsv\"\n"
                    "if (!exists(\"drawing\")) drawing = \"%s.svg\"\n",
                    name, name, name, name, name);
  ms_outfile_puts(out, "set terminal svg size 800,500 background \"white\"\nset output drawing\n"
                       "set datafile separator \"\\t\"\nset datafile commentschars \"#\"\n"
                       "set key left top\nset grid\n");
  ms_outfile_printf(out, "set title \"motifsieve: %s\"\nset xlabel \"%s\"\nset ylabel \"%s\"\n%s",
                    plots[plan->experiment].title, plots[plan->experiment].x,
                    plots[plan->experiment].y, plots[plan->experiment].commands);
  if (plan->experiment == BENCH_BANDWIDTH)
    put_rates(plan, out);
  return ms_outfile_commit(out, err);
}

/* ---- the drawing ----------------------------------------------------------------------- */

/* Runs gnuplot; *found: it is installed. */
static ms_status run_gnuplot(const char *settings, const char *script, bool *found, ms_error *err)
{
  char *const words[] = {(char *)"gnuplot", (char *)"-e", (char *)settings, (char *)script, NULL};
  pid_t child;
  int how = 0, problem = posix_spawnp(&child, "gnuplot", NULL, NULL, words, environ);
  *found = problem != ENOENT;
  if (!*found)
    return MS_OK;
  if (problem)
    return ms_fail(err, MS_ERR_OUTPUT, "gnuplot could not be started: %s", strerror(problem));
  while (waitpid(child, &how, 0) < 0 && errno == EINTR)
    ;
  return how == 0 ? MS_OK : ms_fail(err, MS_ERR_OUTPUT, "gnuplot failed on %s", script);
}

static ms_status draw(const bench_plan *plan, ms_error *err)
{
  char table[PATH_ROOM], script[PATH_ROOM], drawing[PATH_ROOM], part[PATH_ROOM];
  char settings[3 * PATH_ROOM];
  bool found;
  MS_TRY(path_of(plan, ".tsv", table, err));
  MS_TRY(path_of(plan, ".gp", script, err));
  MS_TRY(path_of(plan, ".svg", drawing, err));
  MS_TRY(path_of(plan, ".svg.part", part, err));
  snprintf(settings, sizeof settings, "table='%s'; drawing='%s'", table, part);
  ms_status status = run_gnuplot(settings, script, &found, err);
  if (status == MS_OK && !found)
    fprintf(stderr,
            "experiments: WARNING: gnuplot is not installed, so %s is not drawn; install it "
            "(apt-get install gnuplot-nox), then draw it with: gnuplot %s\n",
            drawing, script);
  else if (status == MS_OK && rename(part, drawing) != 0)
    status = ms_fail(err, MS_ERR_OUTPUT, "%s could not be renamed to %s: %s", part, drawing,
                     strerror(errno));
  if (status != MS_OK)
    remove(part);
  return status;
}

ms_status bench_table_close(const bench_plan *plan, ms_outfile *table, ms_error *err)
{
  MS_TRY(ms_outfile_commit(table, err));
  MS_TRY(write_script(plan, err));
  return draw(plan, err);
}
