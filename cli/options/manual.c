/* Prints manual pages from the tables of commands and options, with the man macros only. */
#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/options/option_table.h"
#include "cli/print.h"

#include <ctype.h>
#include <string.h>

#define SEARCH (MS_COMMAND_SCREEN | MS_COMMAND_LIST)
#define BENCHES (MS_COMMAND_BENCH | MS_COMMAND_BENCH_GF2 | MS_COMMAND_BENCH_SIEVE)

/* Environment variables that the tool reads, and the commands that read them. */
static const struct {
  const char *name, *help;
  unsigned commands;
} variables[] = {
    {"OMP_NUM_THREADS", "the number of threads, unless --threads is given",
     SEARCH | MS_COMMAND_MATCH | MS_COMMAND_PLAN | MS_COMMAND_CONVERT | MS_COMMAND_STATS |
         MS_COMMAND_COMPONENTS | MS_COMMAND_MINE | MS_COMMAND_CENSUS | MS_COMMAND_COMPARE |
         MS_COMMAND_GEN | MS_COMMAND_NEIGHBORS | MS_COMMAND_INFO | BENCHES},
    {"MOTIFSIEVE_GF2",
     "the arithmetic of the sieve, by its name in 'motifsieve info' (default: the fastest\n"
     "that the processor has); meant for tests, because the result is the same",
     SEARCH | MS_COMMAND_MATCH | MS_COMMAND_INFO | MS_COMMAND_BENCH_SIEVE},
    {"MOTIFSIEVE_SETS",
     "the instructions that intersect sorted sets: portable, avx2 or avx512 (default: the\n"
     "widest that the processor has); meant for tests, because the result is the same",
     SEARCH | MS_COMMAND_MATCH | MS_COMMAND_MINE | MS_COMMAND_CENSUS | MS_COMMAND_COMPARE},
    {"MOTIFSIEVE_CUDA",
     "0: GPUs are not used; otherwise the file with the code for GPUs, libmotifsieve-cuda.so.N\n"
     "(default: it is looked for beside the tool, in ../lib, and where the system has libraries)",
     SEARCH | MS_COMMAND_MATCH | MS_COMMAND_PLAN | MS_COMMAND_MINE | MS_COMMAND_CENSUS |
         MS_COMMAND_INFO | BENCHES},
    {"MOTIFSIEVE_GPU_MEMORY",
     "the most memory to use on each GPU, such as 4G, in place of --memory",
     SEARCH | MS_COMMAND_MATCH | MS_COMMAND_BENCH_SIEVE},
    {"MOTIFSIEVE_PRUNE",
     "cpu: processors prune for a sieve on GPUs; gpu: GPUs do, small graphs too; for measurements",
     SEARCH | MS_COMMAND_BENCH_SIEVE},
    {"MOTIFSIEVE_GPU_CHUNK_WORDS",
     "1, 2, 4, 8 or 16: the most words of a chunk of the sieve on GPUs; for measurements",
     SEARCH | MS_COMMAND_BENCH_SIEVE},
    {"MOTIFSIEVE_GPU_LAST_STEP",
     "rows or moments: the last step of the sieve on GPUs; for measurements",
     SEARCH | MS_COMMAND_BENCH_SIEVE},
    {"MOTIFSIEVE_GPU_ARCS",
     "ahead or at-once: when the sieve on GPUs asks for arcs; for measurements",
     SEARCH | MS_COMMAND_BENCH_SIEVE},
    {"TMPDIR", "the folder of temporary files", MS_COMMAND_CONVERT},
};

/* ---- roff ---------------------------------------------------------------- */

/* Prints a character, escaped if roff would interpret or change it. */
static void put_char(char c)
{
  static const struct {
    char c;
    const char *roff;
  } special[] = {{'\\', "\\e"},  {'-', "\\-"},   {'\'', "\\(aq"},
                 {'`', "\\(ga"}, {'^', "\\(ha"}, {'~', "\\(ti"}};
  for (size_t i = 0; i < sizeof special / sizeof *special; i++)
    if (c == special[i].c) {
      ms_print_text(special[i].roff);
      return;
    }
  ms_print_char(c);
}

static void put(const char *text, size_t length)
{
  for (size_t i = 0; i < length; i++)
    put_char(text[i]);
}

/* Prints a line of text; escapes a dot at its beginning, which would make it a request. */
static void put_line(const char *text, size_t length)
{
  if (length && text[0] == '.')
    ms_print_text("\\&");
  put(text, length);
  ms_print_char('\n');
}

/* Prints lines to be filled; lines that start with blanks stay as they are, and an empty line
 * starts a paragraph. */
static void put_text(const char *text)
{
  bool first = true, verbatim = false, gap = false;
  for (size_t length; *text; text += length + (text[length] == '\n')) {
    bool indented = *text == ' ';
    length = strcspn(text, "\n");
    if (length == 0) {
      gap = true;
      continue;
    }
    if (verbatim && !indented)
      ms_print_line(".fi");
    if (!first && (gap || indented != verbatim))
      ms_print_line(".PP");
    if (indented && !verbatim)
      ms_print_line(".nf");
    put_line(text, length);
    first = gap = false;
    verbatim = indented;
  }
  if (verbatim)
    ms_print_line(".fi");
}

static bool is_upper(char c)
{
  return c >= 'A' && c <= 'Z';
}

/* Prints a synopsis: options in bold, words in capitals in italics. */
static void put_usage(const char *usage)
{
  for (const char *p = usage; *p;) {
    size_t length = 1;
    if (*p == '-') {
      length = strcspn(p, " ]");
      ms_print_text("\\fB");
      put(p, length);
      ms_print_text("\\fR");
    } else if (is_upper(*p)) {
      while (is_upper(p[length]))
        length++;
      ms_print("\\fI%.*s\\fR", (int)length, p);
    } else {
      put(p, length);
    }
    p += length;
  }
  ms_print_char('\n');
}

/* ---- sections ------------------------------------------------------------ */

static void put_title(const char *command, const char *brief)
{
  ms_print_text(".TH MOTIFSIEVE");
  if (command)
    ms_print_text("\\-");
  for (const char *p = command ? command : ""; *p; p++)
    ms_print_char((char)toupper((unsigned char)*p));
  ms_print(" 1 \"\" \"motifsieve %s\" \"User Commands\"\n", MS_VERSION);
  ms_print(".SH NAME\nmotifsieve%s%s \\- ", command ? "\\-" : "", command ? command : "");
  put_line(brief, strlen(brief));
}

static void put_synopsis(const char *command, const char *usage)
{
  ms_print("\\fBmotifsieve%s%s\\fR ", command ? " " : "", command ? command : "");
  put_usage(usage);
}

static void put_option(const ms_option_row *row)
{
  ms_print_line(".TP");
  if (row->letter)
    ms_print("\\fB\\-%c\\fR, ", row->letter);
  ms_print_text("\\fB\\-\\-");
  put(row->name, strlen(row->name));
  const char *before = row->optional ? "\\fR[=\\fI" : row->argument ? "\\fR \\fI" : "";
  ms_print("%s%s\\fR%s\n", before, row->argument ? row->argument : "", row->optional ? "]" : "");
  put_text(row->help);
  if (row->many)
    ms_print_line("(may be repeated)");
  if (row->also) {
    ms_print_text("(also \\fB\\-\\-");
    put(row->also, strlen(row->also));
    ms_print_line("\\fR)");
  }
}

static void put_section(const char *title)
{
  ms_print(".SS \"%s\"\n", title);
}

/* Prints the examples; `after` starts with its own title. */
static void put_examples(const char *after)
{
  const char *lines = strchr(after, '\n');
  if (lines)
    put_text(lines + 1);
}

static void put_exits(void)
{
  ms_print_line(".SH EXIT STATUS");
  for (size_t i = 0; i < MS_EXIT_CODES; i++) {
    ms_print(".TP\n.B %d\n", ms_exit_helps[i].code);
    put_text(ms_exit_helps[i].help);
  }
}

/* Prints the variables that one of these commands reads, or all of them for all commands. */
static void put_variables(unsigned commands)
{
  bool titled = false;
  for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
    if (!(variables[i].commands & commands))
      continue;
    if (!titled)
      ms_print_line(".SH ENVIRONMENT");
    titled = true;
    ms_print(".TP\n.B %s\n", variables[i].name);
    put_text(variables[i].help);
  }
}

static void put_files(void)
{
  ms_print_line(".SH FILES\n"
                "The documentation folder, such as\n"
                ".IR /usr/local/share/doc/motifsieve ,\n"
                "has a network with colours and motifs to try\n"
                ".RI ( examples/yeast ),\n"
                "a program that uses the library\n"
                ".RI ( examples/library ),\n"
                "and describes what a result file holds\n"
                ".RI ( docs/RESULT.md ).");
}

/* ---- pages --------------------------------------------------------------- */

int ms_manual_overview(void)
{
  put_title(NULL, ms_tool.brief);
  ms_print_line(".SH SYNOPSIS");
  put_synopsis(NULL, ms_tool.usage);
  ms_print_line(".SH DESCRIPTION");
  put_text(ms_tool.about);
  ms_print_line(".SH COMMANDS");
  for (size_t c = 0; c < ms_command_count; c++) {
    if (!ms_commands[c].brief)
      continue;
    ms_print(".TP\n.BR motifsieve\\-%s (1)\n", ms_commands[c].name);
    put_text(ms_commands[c].brief);
  }
  ms_print_line(".SH OPTIONS\n"
                ".TP\n\\fB\\-h\\fR, \\fB\\-\\-help\\fR\nthe list of commands\n"
                ".TP\n\\fB\\-V\\fR, \\fB\\-\\-version\\fR\nthe version");
  put_exits();
  put_variables(~0u);
  put_files();
  ms_print_line(".SH EXAMPLES");
  put_examples(ms_tool.after);
  ms_print_line(".SH SEE ALSO");
  for (size_t c = 0; c < ms_command_count; c++)
    if (ms_commands[c].brief)
      ms_print(".BR motifsieve\\-%s (1),\n", ms_commands[c].name);
  ms_print_line(".BR libmotifsieve (3)");
  return ms_print_end();
}

/* Prints a heading; a part of a command, as "bench gf2" is of "bench", gets a subsection. */
static void put_heading(const char *section, const ms_command *row)
{
  if (row->brief)
    ms_print(".SH %s\n", section);
  else
    ms_print(".SS %s\n", row->name);
}

int ms_manual_command(const ms_command *command)
{
  const ms_command *end = command + 1; /* its parts follow it */
  unsigned commands = command->bit;
  while (end < ms_commands + ms_command_count && !end->brief)
    commands |= end++->bit;
  put_title(command->name, command->brief);
  ms_print_line(".SH SYNOPSIS");
  for (const ms_command *row = command; row < end; row++) {
    if (row > command)
      ms_print_line(".br");
    put_synopsis(row->name, row->usage);
  }
  for (const ms_command *row = command; row < end; row++) {
    put_heading("DESCRIPTION", row);
    put_text(row->about);
    ms_operand_help(row, put_text);
  }
  for (const ms_command *row = command; row < end; row++) {
    put_heading("OPTIONS", row);
    ms_help_sections(row, put_section, put_option);
  }
  put_exits();
  put_variables(commands);
  ms_print_line(".SH EXAMPLES");
  for (const ms_command *row = command; row < end; row++)
    put_examples(row->after);
  ms_print_line(".SH SEE ALSO\n.BR motifsieve (1)");
  return ms_print_end();
}
