/* Prints --help and --list-formats. */
#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/option_table.h"
#include "graph/io/typed_read.h"

#include <stdio.h>
#include <string.h>

/* ---- the tool ------------------------------------------------------------------ */

const ms_overview ms_tool = {
    .brief = "connected groups of vertices with a given set of colours",
    .usage = "COMMAND [OPTION]... [FILE]...",
    .about = "Find connected groups of vertices with a given set of colours: for example, in a\n"
             "protein network, the modules that have a given set of functions.",
    .after =
        "Examples:\n"
        "  motifsieve screen network.tsv --colors functions.tsv --motif 'kinase:2,phosphatase,*:1'\n"
        "  motifsieve list network.tsv.gz --colors functions.tsv --motif-file motif.txt -o "
        "modules.tsv\n"
        "  motifsieve list network.tsv.gz --pattern clique:4 --output cliques.tsv\n"
        "  motifsieve verify modules.tsv network.tsv.gz --colors functions.tsv\n",
};

int ms_help_tool(void)
{
  printf("Usage: motifsieve %s\n%s\n\nCommands:\n", ms_tool.usage, ms_tool.about);
  for (size_t c = 0; c < ms_command_count; c++)
    if (ms_commands[c].brief)
      printf("  %-11s %s\n", ms_commands[c].name, ms_commands[c].brief);
  printf("\n"
         "'motifsieve COMMAND --help' lists the options of a command.\n"
         "  -h, --help     show this help\n"
         "  -V, --version  show the version\n"
         "\n%s\nExit status:\n",
         ms_tool.after);
  for (size_t i = 0; i <= MS_EXIT_NONE; i++)
    printf("  %d  %s\n", ms_exit_helps[i].code, ms_exit_helps[i].help);
  return ms_cli_close_stdout();
}

/* ---- a command ------------------------------------------------------------------- */

/* Prints one row: "  -c, --colors FILE    text", where the text has its own line breaks. */
static void print_row(const ms_option_row *row)
{
  enum { COLUMN = 28 };
  char left[64];
  char letter[5] = "    ";
  if (row->letter) {
    letter[0] = '-';
    letter[1] = row->letter;
    letter[2] = ',';
  }
  snprintf(left, sizeof left, "  %s--%s%s%s", letter, row->name, row->argument ? " " : "",
           row->argument ? row->argument : "");
  printf("%-*s", COLUMN, left);
  if (strlen(left) >= COLUMN) /* a long name gets a line of its own */
    printf("\n%*s", COLUMN, "");
  for (const char *p = row->help; *p; p++)
    if (*p == '\n')
      printf("\n%*s", COLUMN, "");
    else
      putchar(*p);
  putchar('\n');
}

const char *ms_operand_word(ms_command command, uint32_t i)
{
  return command == MS_COMMAND_GEN ? ms_family_word(i) : NULL;
}

/* Describes a family: its name, its options (in brackets if they may be left out) and what it
 * is. */
static void describe_family(ms_family_info info, char *text, size_t room)
{
  size_t used = (size_t)snprintf(text, room, "  %-10s", info.name);
  for (unsigned field = 1; field < 1u << MS_GEN_FIELDS && used < room; field <<= 1)
    if (info.takes & field)
      used += (size_t)snprintf(text + used, room - used, info.needs & field ? " --%s" : " [--%s]",
                               ms_generate_field_name(field));
  for (const char *p = info.about; *p && used < room; p += strcspn(p, "\n"), p += *p == '\n')
    used +=
        (size_t)snprintf(text + used, room - used, "\n             %.*s", (int)strcspn(p, "\n"), p);
}

void ms_operand_help(ms_command command, void (*put)(const char *text))
{
  char text[1024];
  for (int f = 0; command == MS_COMMAND_GEN && f < MS_FAMILIES; f++) {
    describe_family(ms_family_describe((ms_family)f), text, sizeof text);
    put(text);
  }
}

static void put_line(const char *text)
{
  puts(text);
}

int ms_help_command(ms_command command)
{
  const ms_command_row *row = ms_command_of(command);
  bool sections = ms_command_has_sections(command);
  const char *section = "Options", *printed = NULL;
  printf("Usage: motifsieve %s %s\n%s\n", row->name, row->usage, row->about);
  ms_operand_help(command, put_line);
  for (size_t r = 0; r < ms_option_row_count; r++) {
    if (sections && ms_option_rows[r].section)
      section = ms_option_rows[r].section;
    if (!(ms_option_rows[r].commands & command))
      continue;
    /* the first row of a section that this command has prints the section's title */
    if (section != printed)
      printf("\n%s:\n", section);
    printed = section;
    print_row(&ms_option_rows[r]);
  }
  printf("\n%s", row->after);
  return ms_cli_close_stdout();
}

/* ---- formats ------------------------------------------------------------------------ */

static void put_example(const char *example)
{
  for (const char *p = example; *p;) {
    size_t length = strcspn(p, "\n");
    printf("    %.*s\n", (int)length, p);
    p += length + (p[length] == '\n');
  }
}

static void print_typed_formats(void)
{
  printf("Formats of GRAPH whose edges have types; each may be compressed with gzip or zstd.\n");
  for (int f = MS_TYPED_AUTO + 1; f < MS_TYPED_FORMATS; f++) {
    const ms_typed_format_info *reader = ms_typed_format_describe((ms_typed_format)f);
    printf("\n%s: %s\n", reader->name, reader->about);
    put_example(reader->example);
  }
  printf("\nAny other file is read as a plain graph.\n");
}

int ms_help_formats(ms_command command)
{
  if (command & (MS_COMMAND_PATH | MS_COMMAND_FILTER | MS_COMMAND_TYPED))
    print_typed_formats();
  printf("Formats of GRAPH, by content unless --format names one.  Each may be compressed with\n"
         "gzip or zstd.\n");
  for (int f = MS_FORMAT_AUTO + 1; f < MS_GRAPH_FORMATS; f++) {
    ms_graph_format_info info = ms_graph_format_describe((ms_graph_format)f);
    printf("\n%s (%s%s%s): %s\n", info.name, info.suffix, info.writable ? "" : ", read only",
           info.holds_colors ? ", with colours" : "", info.about);
    put_example(info.example);
  }
  return ms_cli_close_stdout();
}
