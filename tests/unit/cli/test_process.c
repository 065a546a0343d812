/* What a process brings along: its locale, its descriptors, and text that may hold anything.  The
 * commands of the tool run inside this process, because a program may choose a locale, but the tool
 * does not. */
#include "base/file/descriptor.h"
#include "base/file/outfile.h"
#include "base/status.h"
#include "base/text/format.h"
#include "base/text/utf8.h"
#include "cli/commands.h"
#include "tests/support/files.h"
#include "tests/support/test_main.h"

#include <fcntl.h>
#include <locale.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static ms_error err;

/* ---- locales --------------------------------------------------------------- */

/* Locales with a decimal comma and points between thousands, and one whose letters i and I are
 * different letters.  They are made here, so nothing has to be installed but their sources. */
static const struct {
  const char *source, *charmap, *name;
} locales[] = {{"de_DE", "UTF-8", "de_DE.UTF-8"},
               {"fr_CH", "UTF-8", "fr_CH.UTF-8"},
               {"tr_TR", "ISO-8859-9", "tr_TR.ISO-8859-9"}};

static char locale_folder[300];
static pid_t maker;

/* Tests run in child processes, which must not remove the folder. */
static void remove_locales(void)
{
  char command[400];
  snprintf(command, sizeof command, "rm -rf '%s'", locale_folder);
  if (getpid() == maker && system(command) != 0)
    printf("%s is left behind\n", locale_folder);
}

static void make_locales(void)
{
  const char *base = getenv("TMPDIR");
  snprintf(locale_folder, sizeof locale_folder, "%.200s/motifsieve-locales-XXXXXX",
           base ? base : "/tmp");
  ck_assert_ptr_nonnull(mkdtemp(locale_folder));
  maker = getpid();
  atexit(remove_locales);
  for (size_t i = 0; i < sizeof locales / sizeof *locales; i++) {
    char command[1000];
    snprintf(command, sizeof command, "localedef -i %s -f %s '%s/%s' >/dev/null 2>&1",
             locales[i].source, locales[i].charmap, locale_folder, locales[i].name);
    if (system(command) != 0)
      printf("SKIPPED: process: localedef cannot make the locale %s\n", locales[i].name);
  }
  setenv("LOCPATH", locale_folder, 1);
}

/* Numbers are read and printed with a point in every locale, and the caller's locale is left as it
 * was: 10,000 values, there and back. */
START_TEST(numbers_have_a_point)
{
  if (!setlocale(LC_ALL, locales[_i].name))
    return;
  char text[64], *end;
  double half;
  ck_assert_int_eq(ms_format(text, sizeof text, "%.1f %g %.2e", 0.5, 1234567.25, 1e-9), 24);
  ck_assert_str_eq(text, "0.5 1.23457e+06 1.00e-09");
  half = ms_read_real("0.5,", &end);
  ck_assert(half == 0.5 && strcmp(end, ",") == 0);
  uint64_t state = 88172645463325252u;
  for (int i = 0; i < 10000; i++) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    double value = (double)state / (double)(1 + (state >> 40)), back;
    ms_format(text, sizeof text, "%.17g", value);
    back = ms_read_real(text, &end);
    ck_assert(back == value && !*end && !strchr(text, ','));
  }
  ck_assert_str_eq(setlocale(LC_ALL, NULL), locales[_i].name);
}
END_TEST

/* Runs a command with both streams in a file; returns its exit status. */
static int run_into(const char *line, const char *path)
{
  char words[2000], *argv[40];
  int argc = 0, saved[3], file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  snprintf(words, sizeof words, "%s", line);
  for (char *word = strtok(words, " "); word && argc < 39; word = strtok(NULL, " "))
    argv[argc++] = word;
  argv[argc] = NULL;
  for (int fd = 1; fd <= 2; fd++) {
    saved[fd] = fcntl(fd, F_DUPFD_CLOEXEC, 3);
    dup2(file, fd);
  }
  int code = ms_command_run(argc, argv);
  for (int fd = 1; fd <= 2; fd++) {
    dup2(saved[fd], fd);
    close(saved[fd]);
  }
  close(file);
  return code;
}

static const char *content(const char *path)
{
  static char bytes[2][1 << 18];
  static int turn;
  char *text = bytes[turn++ % 2];
  FILE *file = fopen(path, "rb");
  size_t size = file ? fread(text, 1, sizeof bytes[0] - 1, file) : 0;
  if (file)
    fclose(file);
  text[size] = '\0';
  return text;
}

/* Puts one 0 in place of each run of digits, because times differ. */
static void blur(char *text)
{
  char *to = text;
  for (const char *p = text; *p; p++)
    if (*p < '0' || *p > '9')
      *to++ = *p;
    else if (to == text || to[-1] != '0')
      *to++ = '0';
  *to = '\0';
}

/* Commands that read or print numbers that are not whole: %s is the folder.  Each writes the same
 * bytes in every locale, to its streams and its files, and ends with the status in front. */
static const char *const commands[] = {
    "0 gen er -n 300 -d 6.5 -o %s/er.tsv",
    "2 gen er -n 300 -d 1.5e9 -o %s/no.tsv",
    "0 convert %s/scored.tsv -o %s/scored.mtx --min-score 0.25",
    "3 convert %s/scored.tsv -o %s/no.tsv --min-score 7.5",
    "0 convert %s/loud.mtx -o %s/plain.tsv",
    "0 stats %s/scored.tsv --min-score 0.5 -o %s/stats.tsv",
    "0 stats %s/scored.tsv --json -o %s/json",
    "2 match %s/er.tsv triangle --screen always --error 0.015625 -o %s/rows.tsv",
    "0 plan %s/er.tsv house --json -o %s/plan",
    "0 plan %s/er.tsv house -o %s/plan.txt",
    "0 screen %s/scored.tsv -c %s/colors -m red,blue --no-prune --error 1e-3 --all -o %s/screen.tsv",
    "0 screen %s/scored.tsv -c %s/colors -m red,blue --no-prune --error 1e-3 --json -o %s/lines",
    "0 verify %s/screen.tsv %s/scored.tsv -c %s/colors",
    "0 verify %s/lines %s/scored.tsv -c %s/colors",
    "0 screen %s/scored.tsv -c %s/colors -m red,blue --no-prune -v -o %s/screen.tsv",
    "0 list %s/scored.tsv -c %s/colors -m red,blue -v -o %s/list.tsv --stats %s/statistics.tsv",
    "2 screen %s/scored.tsv -c %s/colors -m red,blue --error 1,5",
    "0 convert %s/named.graphml -o %s/named.tsv",
    "0 info"};

static void run_all(const char *suffix)
{
  const char *folder = files_path(".");
  for (size_t c = 0; c < sizeof commands / sizeof *commands; c++) {
    char line[2000], path[1100];
    size_t used = 0;
    for (const char *p = commands[c] + 2; *p && used < sizeof line - 1100; p++)
      if (p[0] == '%')
        used += (size_t)sprintf(line + used, "%s", folder), p++;
      else
        line[used++] = *p;
    line[used] = '\0';
    snprintf(path, sizeof path, "%s/streams-%zu%s", folder, c, suffix);
    int code = run_into(line, path);
    ck_assert_msg(code == commands[c][0] - '0', "%s: status %d: %s", line, code, content(path));
    /* the file of the first -o keeps its name, because later commands read it */
    char *output = strstr(line, " -o ");
    if (output) {
      char *end = strchr(output + 4, ' ');
      if (end)
        *end = '\0';
      snprintf(path, sizeof path, "%s/output-%zu%s", folder, c, suffix);
      unlink(path);
      if (access(output + 4, F_OK) == 0)
        ck_assert_int_eq(link(output + 4, path), 0);
    }
  }
}

static void compare_all(const char *suffix)
{
  static const char *const kinds[] = {"streams", "output"};
  for (size_t c = 0; c < sizeof commands / sizeof *commands; c++)
    for (int kind = 0; kind < 2; kind++) {
      char path[64];
      snprintf(path, sizeof path, "%s-%zu-C", kinds[kind], c);
      char *want = (char *)content(files_path(path));
      snprintf(path, sizeof path, "%s-%zu%s", kinds[kind], c, suffix);
      char *got = (char *)content(files_path(path));
      blur(want);
      blur(got);
      ck_assert_msg(strcmp(got, want) == 0, "%s\n%s\nin place of\n%s", commands[c], got, want);
    }
}

static void write_inputs(void)
{
  files_write_text("scored.tsv", "a b 0.75\nb c 0.5\nc d 1.5e-1\nd a 0.3125\na c 2.5\n");
  files_write_text("colors", "a red\nb blue\nc red\nd blue\n");
  files_write_text("typed.tsv", "source\ttype\ttarget\tweight\na\tr\tb\t0.75\nb\tr\tc\t5e-1\n");
  files_write_text("loud.mtx", "%%MATRIXMARKET MATRIX COORDINATE REAL SYMMETRIC\n3 3 2\n"
                               "2 1 0.25\n3 1 -1.5e0\n");
  files_write_text("named.graphml",
                   "<?xml version=\"1.0\"?><graphml><key id=\"k\" for=\"node\" attr.name=\"NAME\" "
                   "attr.type=\"string\"/><graph edgedefault=\"undirected\">"
                   "<node id=\"i\"><data key=\"k\">x</data></node>"
                   "<node id=\"I\"><data key=\"k\">y</data></node>"
                   "<edge source=\"i\" target=\"I\"/></graph></graphml>\n");
}

/* In a program that has chosen the locale, 19 calls of the tool's commands read the same numbers
 * and write the same text, JSON and messages as in the locale C. */
START_TEST(commands_do_not_see_the_locale)
{
  write_inputs();
  run_all("-C");
  if (!setlocale(LC_ALL, locales[_i].name))
    return;
  run_all("-L");
  setlocale(LC_ALL, "C");
  compare_all("-L");
}
END_TEST

/* ---- calls of the library in a locale ------------------------------------------ */

/* What calls gave: their texts, one after the other. */
typedef struct record {
  char text[1 << 17];
  size_t used;
  char sign; /* the decimal sign of the program, which callbacks see */
  bool wrong_sign;
} record;

static void note(record *r, const char *text)
{
  int more = snprintf(r->text + r->used, sizeof r->text - r->used, "%s\n", text);
  ck_assert(more > 0 && r->used + (size_t)more < sizeof r->text);
  r->used += (size_t)more;
}

static void note_number(record *r, double number)
{
  char text[64];
  ms_format(text, sizeof text, "%.17g", number);
  note(r, text);
}

static void note_file(record *r, const char *name)
{
  note(r, content(files_path(name)));
}

/* The same for a text with times, which differ. */
static void note_blurred(record *r, const char *text)
{
  size_t before = r->used;
  note(r, text);
  blur(r->text + before);
  r->used = before + strlen(r->text + before);
}

/* Receives rows; the locale of the program is that of its callbacks, too. */
static bool see_locale(void *user, const uint32_t *rows, uint64_t count)
{
  record *r = user;
  (void)rows, (void)count;
  r->wrong_sign |= localeconv()->decimal_point[0] != r->sign;
  return true;
}

static void read_and_generate(record *r)
{
  ms_graph *graph;
  ms_typed *typed;
  ms_error failure;
  ms_graph_options g = MS_GRAPH_OPTIONS_DEFAULT;
  g.min_score = 0.4;
  g.run.threads = 2;
  ck_ok(ms_graph_read(files_path("scored.tsv"), &g, &graph, &err));
  ms_graph_info info = ms_graph_describe(graph);
  note_number(r, (double)info.edges);
  note_number(r, info.layout.lowest_score);
  note_number(r, info.layout.highest_score);
  ck_ok(ms_graph_write(graph, NULL, MS_FORMAT_MATRIX_MARKET, files_path("w.mtx"), &err));
  note_file(r, "w.mtx");
  ms_graph_free(graph);
  ck_ok(ms_graph_read(files_path("loud.mtx"), NULL, &graph, &err));
  note_number(r, (double)ms_graph_edge_count(graph));
  ms_graph_free(graph);
  ms_typed_options t = MS_TYPED_OPTIONS_DEFAULT;
  t.min_score = 0.6;
  t.score_column = "weight";
  ck_ok(ms_typed_read(files_path("typed.tsv"), &t, &typed, &err));
  ck_ok(ms_typed_write(typed, files_path("w.tsv"), &err));
  note_file(r, "w.tsv");
  ms_typed_free(typed);
  ms_generate_options n = MS_GENERATE_OPTIONS_DEFAULT;
  n.family = MS_FAMILY_ER;
  n.given = MS_GEN_VERTICES | MS_GEN_PROBABILITY;
  n.vertices = 40;
  n.probability = 0.125;
  ck_ok(ms_generate(&n, &graph, &err));
  ck_ok(ms_graph_write(graph, NULL, MS_FORMAT_SIF, files_path("w.sif"), &err));
  note_file(r, "w.sif");
  ms_graph_free(graph);
  n.probability = 1.5;
  ck_assert_int_ne(ms_generate(&n, &graph, &failure), MS_OK);
  note(r, failure.message);
}

static void search_and_write(record *r)
{
  ms_graph *graph;
  ms_coloring *coloring;
  ms_motif *motif;
  ms_query *query;
  ms_screen_result *screen;
  ms_list_result *list;
  ms_pattern *pattern;
  ms_pattern_index *index;
  ms_verify_report report;
  ms_error failure;
  char *text, graph_path[300], colors_path[300];
  snprintf(graph_path, sizeof graph_path, "%s", files_path("scored.tsv"));
  snprintf(colors_path, sizeof colors_path, "%s", files_path("colors"));
  ck_ok(ms_graph_read(graph_path, NULL, &graph, &err));
  ck_ok(ms_coloring_read(colors_path, graph, NULL, &coloring, &err));
  ck_ok(ms_motif_parse("red,blue", coloring, &motif, &err));
  ck_ok(ms_query_new(graph, coloring, motif, 0, NULL, &query, &err));
  ms_screen_options s = MS_SCREEN_OPTIONS_DEFAULT;
  s.error = 1e-3;
  s.no_prune = s.no_early_stop = true;
  s.run.threads = 2;
  ck_ok(ms_screen(query, &s, &screen, &err));
  note_number(r, screen->miss_bound);
  note(r, screen->miss_bound_text);
  ms_write_options w = MS_WRITE_OPTIONS_DEFAULT;
  static const ms_form forms[] = {MS_FORM_TSV, MS_FORM_JSON, MS_FORM_CX2, MS_FORM_DOT};
  for (int f = 0; f < 4; f++) {
    w.form = forms[f];
    ck_ok(ms_screen_write(query, &s, screen, &w, files_path("w.out"), &err));
    note_blurred(r, content(files_path("w.out")));
    if (f < 2) {
      ck_ok(ms_verify_file(files_path("w.out"), graph_path, colors_path, NULL, &report, &err));
      ck_assert_msg(report.accepted, "%s", report.problem);
    }
  }
  ms_screen_result_free(screen);
  s.error = 1.5;
  ck_assert_int_eq(ms_screen(query, &s, &screen, &failure), MS_ERR_USAGE);
  note(r, failure.message);
  ms_list_options l = MS_LIST_OPTIONS_DEFAULT;
  l.rows = see_locale;
  l.rows_user = r;
  ck_ok(ms_list(query, &l, &list, &err));
  ms_list_result_free(list);
  ck_assert(!r->wrong_sign);
  ck_ok(ms_pattern_named("triangle", &pattern, &err));
  ck_ok(ms_pattern_index_new(graph, NULL, 1, &index, &err));
  for (int json = 0; json < 2; json++) {
    ck_ok(ms_pattern_explain(index, pattern, NULL, json != 0, &text, &err));
    note_blurred(r, text);
    ms_text_free(text);
  }
  ms_pattern_index_free(index);
  ms_pattern_free(pattern);
  ms_query_free(query);
  ms_motif_free(motif);
  ms_coloring_free(coloring);
  ms_graph_free(graph);
}

static void call_all(record *r)
{
  r->sign = localeconv()->decimal_point[0];
  read_and_generate(r);
  search_and_write(r);
}

/* The locale of one thread.  newlocale() of glibc leaks with LOCPATH, so it is a copy. */
static locale_t of_thread;

static void *call_on_thread(void *user)
{
  locale_t before = uselocale(of_thread);
  call_all(user);
  ck_assert(uselocale(before) == of_thread);
  return NULL;
}

/* Calls that read, search, write and fail give the same numbers, files and messages in each locale
 * as in the locale C, with threads of the library that began before.  The locale stays, and
 * callbacks see it.  The last time it is the locale of one thread alone. */
START_TEST(calls_do_not_see_the_locale)
{
  enum { LOCALES = sizeof locales / sizeof *locales };
  static record plain, other;
  write_inputs();
  call_all(&plain);
  ck_assert_ptr_nonnull(strstr(plain.text, "0.0"));
  for (int i = 0; i <= LOCALES; i++) {
    pthread_t thread;
    const char *name = locales[i % LOCALES].name;
    if (!setlocale(LC_ALL, name))
      continue;
    memset(&other, 0, sizeof other);
    if (i < LOCALES) {
      call_all(&other);
      ck_assert_str_eq(setlocale(LC_ALL, NULL), name);
    } else {
      of_thread = duplocale(LC_GLOBAL_LOCALE);
      setlocale(LC_ALL, "C");
      ck_assert_int_eq(pthread_create(&thread, NULL, call_on_thread, &other), 0);
      pthread_join(thread, NULL);
      freelocale(of_thread);
      ck_assert_str_eq(setlocale(LC_ALL, NULL), "C");
    }
    ck_assert_msg(strcmp(other.text, plain.text) == 0, "%s:\n%s", name, other.text);
  }
  setlocale(LC_ALL, "C");
}
END_TEST

/* ---- text --------------------------------------------------------------------- */

/* Every code point up to U+10FFFF: what is a control character is escaped, all others stay as they
 * are; and what is shown twice looks as if it was shown once. */
START_TEST(escape_every_character)
{
  char shown[16], again[16];
  uint32_t escaped = 0;
  for (uint32_t c = 1; c <= 0x10FFFF; c++) {
    if (c >= 0xD800 && c < 0xE000)
      continue;
    char text[5] = "";
    if (c < 0x80) {
      text[0] = (char)c;
    } else if (c < 0x800) {
      text[0] = (char)(0xC0 | c >> 6), text[1] = (char)(0x80 | (c & 63));
    } else if (c < 0x10000) {
      text[0] = (char)(0xE0 | c >> 12), text[1] = (char)(0x80 | (c >> 6 & 63));
      text[2] = (char)(0x80 | (c & 63));
    } else {
      text[0] = (char)(0xF0 | c >> 18), text[1] = (char)(0x80 | (c >> 12 & 63));
      text[2] = (char)(0x80 | (c >> 6 & 63)), text[3] = (char)(0x80 | (c & 63));
    }
    bool control = c < 0x20 || (c >= 0x7F && c <= 0x9F) || (c >= 0x2028 && c <= 0x202E) ||
                   (c >= 0x2066 && c <= 0x2069);
    ms_escape(text, shown, sizeof shown);
    ms_escape(shown, again, sizeof again);
    ck_assert_str_eq(again, shown);
    if (strcmp(shown, text) == 0)
      ck_assert(!control);
    else
      ck_assert(control && shown[0] == '\\');
    escaped += control;
  }
  ck_assert_uint_eq(escaped, 31 + 33 + 7 + 4);
  ms_escape("a\x1b[2J\xc2\x9b\xe2\x80\xae", again, sizeof again);
  ck_assert_str_eq(again, "a\\x1B[2J\\u009B"); /* the last does not fit */
  ms_escape("\xe4\xc3", shown, sizeof shown);
  ck_assert_str_eq(shown, "\\xE4\\xC3");
  ms_escape("\xc3\xa4", shown, 2); /* no half of a character */
  ck_assert_str_eq(shown, "");
}
END_TEST

/* Messages of the library hold no control character, whatever text they quote, and are valid
 * UTF-8. */
START_TEST(fail_escapes)
{
  ms_fail(&err, MS_ERR_INPUT, "%s: is \xff wrong", "a\nb\x1b]0;x\x07\xc2\x85\xe2\x80\xa8");
  ck_assert_str_eq(err.message, "a\\x0Ab\\x1B]0;x\\x07\\u0085\\u2028: is \\xFF wrong");
}
END_TEST

/* ---- descriptors -------------------------------------------------------------- */

/* Nothing is lost on a pipe that is non-blocking and far smaller than what is written, nor on the
 * way back: one megabyte. */
START_TEST(non_blocking_pipe)
{
  enum { BYTES = 1 << 20 };
  static char text[BYTES];
  int ends[2];
  ck_assert_int_eq(pipe(ends), 0);
  for (int i = 0; i < 2; i++)
    ck_assert_int_eq(fcntl(ends[i], F_SETFL, O_NONBLOCK), 0);
  for (size_t i = 0; i < BYTES; i++)
    text[i] = (char)(i * 2654435761u >> 13);
  pid_t child = fork();
  if (child == 0) {
    size_t written;
    close(ends[0]);
    nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL); /* the reader waits first */
    _exit(ms_write_all(ends[1], text, BYTES, &written) == 0 && written == BYTES ? 0 : 1);
  }
  close(ends[1]);
  char got[4096];
  size_t at = 0;
  for (ssize_t length; (length = ms_read(ends[0], got, sizeof got)) > 0; at += (size_t)length) {
    ck_assert(at + (size_t)length <= BYTES && memcmp(text + at, got, (size_t)length) == 0);
    if (at == 0)
      nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL); /* the writer waits, too */
  }
  ck_assert_uint_eq(at, BYTES);
  int status;
  waitpid(child, &status, 0);
  ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  close(ends[0]);
}
END_TEST

/* Returns true if all is well in a process without standard streams. */
static bool works_without_streams(const char *path)
{
  ms_outfile *out;
  for (int fd = 0; fd <= 2; fd++)
    close(fd);
  if (ms_check_stdin(&err) != MS_ERR_INPUT || ms_check_stdout(&err) != MS_ERR_OUTPUT ||
      ms_outfile_open("-", &out, &err) != MS_ERR_OUTPUT ||
      ms_outfile_open(path, &out, &err) != MS_OK)
    return false;
  int opened = ms_open("/dev/null", O_RDONLY, 0);
  if (opened <= 2 || fcntl(opened, F_GETFD) != FD_CLOEXEC)
    return false;
  for (int fd = 0; fd <= 2; fd++)
    if (fcntl(fd, F_GETFD) != -1)
      return false;
  if (ms_outfile_commit(out, &err) != MS_OK || !ms_open_missing_streams() || write(2, "x", 1) != 1)
    return false;
  return ms_check_stdin(&err) == MS_ERR_INPUT && ms_check_stdout(&err) == MS_ERR_OUTPUT &&
         write(1, "x", 1) < 0;
}

/* In a program without standard streams, neither an output nor an input gets their numbers; exec
 * closes what is opened; and the numbers that are filled neither give nor take anything. */
START_TEST(standard_descriptors_stay_free)
{
  const char *path = files_path("out");
  pid_t child = fork();
  if (child == 0)
    _exit(!works_without_streams(path));
  int status;
  waitpid(child, &status, 0);
  ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}
END_TEST

TEST_MAIN("process", BEFORE_ALL(make_locales), TEST_TIMES(numbers_have_a_point, 3),
          TEST(calls_do_not_see_the_locale), TEST_TIMES(commands_do_not_see_the_locale, 3),
          TEST(escape_every_character), TEST(fail_escapes), TEST(non_blocking_pipe),
          TEST(standard_descriptors_stay_free))
