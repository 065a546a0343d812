/* Prints --help and --list-formats of a command. */
#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/options/option_table.h"
#include "cli/print.h"
#include "graph/formats/typed/typed_read.h"

#include <stdio.h>
#include <string.h>

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
  snprintf(left, sizeof left, "  %s--%s%s%s%s", letter, row->name,
           row->optional   ? "[="
           : row->argument ? " "
                           : "",
           row->argument ? row->argument : "", row->optional ? "]" : "");
  ms_print("%-*s", COLUMN, left);
  if (strlen(left) >= COLUMN) /* the help of a long name begins on the next line */
    ms_print("\n%*s", COLUMN, "");
  for (const char *p = row->help; *p; p++)
    if (*p == '\n')
      ms_print("\n%*s", COLUMN, "");
    else
      ms_print_char(*p);
  ms_print_line(row->many ? "; may be repeated" : "");
}

const char *ms_operand_word(const ms_command *command, uint32_t i)
{
  return command->bit == MS_COMMAND_GEN ? ms_family_word(i) : NULL;
}

/* Describes a family by its name, its options (in brackets if they may be left out) and a text
 * about it. */
static void describe_family(ms_family_info info, char *text, size_t room)
{
  size_t used = (size_t)snprintf(text, room, "  %-10s", info.name);
  for (unsigned field = 1; field < 1u << MS_GEN_FIELDS && used < room; field <<= 1)
    if (info.takes & field)
      used += (size_t)snprintf(text + used, room - used, info.needs & field ? " %s" : " [%s]",
                               ms_cli_option_of(ms_generate_field_name(field)));
  char about[512];
  ms_cli_name_options(info.about, about, sizeof about);
  for (const char *p = about; *p && used < room; p += strcspn(p, "\n"), p += *p == '\n')
    used +=
        (size_t)snprintf(text + used, room - used, "\n             %.*s", (int)strcspn(p, "\n"), p);
}

void ms_operand_help(const ms_command *command, void (*put)(const char *text))
{
  char text[1024];
  for (int f = 0; command->bit == MS_COMMAND_GEN && f < MS_FAMILIES; f++) {
    describe_family(ms_family_describe((ms_family)f), text, sizeof text);
    put(text);
  }
  if (command->bit == MS_COMMAND_GEN)
    put("  file GRAPH no random graph, but the network in this file, in any format that other\n"
        "             commands read; '-' is standard input");
}

static void put_line(const char *text)
{
  ms_print_line(text);
}

bool ms_is_about_reading(const char *section)
{
  return section && strncmp(section, MS_READING_SECTION, strlen(MS_READING_SECTION)) == 0;
}

void ms_help_sections(const ms_command *command, void (*put_title)(const char *title),
                      void (*put_option)(const ms_option_row *row))
{
  bool divided = !(command->bit & (MS_COMMAND_INFO | MS_COMMAND_BENCH | MS_COMMAND_BENCH_GF2 |
                                   MS_COMMAND_BENCH_SIEVE));
  for (int reading = 0; reading < 2; reading++) {
    const char *section = NULL, *put = NULL;
    for (const ms_option_row *row = ms_option_rows; row < ms_option_rows + ms_option_row_count;
         row++) {
      section = row->section ? row->section : section;
      if (!(row->commands & command->bit) || ms_is_about_reading(section) != reading)
        continue;
      if (divided && section && (!put || strcmp(section, put) != 0))
        put_title(section);
      put = section;
      put_option(row);
    }
  }
}

static void print_title(const char *title)
{
  ms_print("\n%s:\n", title);
}

/* Prints the options that matter most; returns the number of the others. */
static unsigned print_main_options(const ms_command *command)
{
  unsigned others = 0;
  print_title("Options");
  for (const ms_option_row *row = ms_option_rows; row < ms_option_rows + ms_option_row_count; row++)
    if (row->main & row->commands & command->bit)
      print_row(row);
    else if (row->commands & command->bit)
      others++;
  return others;
}

int ms_help_command(const ms_command *command, bool all)
{
  unsigned others = 0;
  ms_print("Usage: motifsieve %s %s\n%s\n", command->name, command->usage, command->about);
  ms_operand_help(command, put_line);
  if (command->bit == MS_COMMAND_REPORT && !ms_report_can_draw())
    ms_print("\nThis build draws no networks in reports: cytoscape.js was not there.\n");
  if (all)
    ms_help_sections(command, print_title, print_row);
  else
    others = print_main_options(command);
  if (others > 0)
    ms_print("\n'motifsieve %s --help=all' shows %u more option%s.\n", command->name, others,
             others == 1 ? "" : "s");
  ms_print("\n%s", command->after);
  return ms_print_end();
}

/* ---- formats ------------------------------------------------------------------------ */

static void put_example(const char *example)
{
  for (const char *p = example; *p;) {
    size_t length = strcspn(p, "\n");
    ms_print("    %.*s\n", (int)length, p);
    p += length + (p[length] == '\n');
  }
}

static void print_typed_formats(void)
{
  ms_print_line(
      "In these formats of GRAPH, edges have types.  Each may be compressed with gzip or zstd.");
  for (int f = MS_TYPED_AUTO + 1; f < MS_TYPED_FORMATS; f++) {
    const ms_typed_format_info *reader = ms_typed_format_describe((ms_typed_format)f);
    ms_print("\n%s: %s\n", reader->name, reader->about);
    put_example(reader->example);
  }
  ms_print("\nAny other file is read as a plain graph.\n");
}

int ms_help_formats(const ms_command *command)
{
  if (command->bit & (MS_COMMAND_PATH | MS_COMMAND_FILTER | MS_COMMAND_MATCH))
    print_typed_formats();
  ms_print_line(
      "GRAPH is read in one of these formats.  Its content shows which, or --format names\n"
      "it.  Each may be compressed with gzip or zstd.");
  for (int f = MS_FORMAT_AUTO + 1; f < MS_GRAPH_FORMATS; f++) {
    ms_graph_format_info info = ms_graph_format_describe((ms_graph_format)f);
    ms_print("\n%s (%s%s%s): %s\n", info.name, info.suffix, info.writable ? "" : ", read only",
             info.holds_colors ? ", with colours" : "", info.about);
    put_example(info.example);
  }
  return ms_print_end();
}
