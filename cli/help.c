/* Prints --help and --list-formats of a command. */
#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/option_table.h"
#include "graph/io/typed_read.h"

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
  snprintf(left, sizeof left, "  %s--%s%s%s", letter, row->name, row->argument ? " " : "",
           row->argument ? row->argument : "");
  printf("%-*s", COLUMN, left);
  if (strlen(left) >= COLUMN) /* the help of a long name begins on the next line */
    printf("\n%*s", COLUMN, "");
  for (const char *p = row->help; *p; p++)
    if (*p == '\n')
      printf("\n%*s", COLUMN, "");
    else
      putchar(*p);
  putchar('\n');
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
      used += (size_t)snprintf(text + used, room - used, info.needs & field ? " --%s" : " [--%s]",
                               ms_generate_field_name(field));
  for (const char *p = info.about; *p && used < room; p += strcspn(p, "\n"), p += *p == '\n')
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
}

static void put_line(const char *text)
{
  puts(text);
}

bool ms_help_has_sections(const ms_command *command)
{
  return !(command->bit &
           (MS_COMMAND_INFO | MS_COMMAND_BENCH | MS_COMMAND_BENCH_GF2 | MS_COMMAND_BENCH_SIEVE));
}

int ms_help_command(const ms_command *command)
{
  bool sections = ms_help_has_sections(command);
  const char *section = "Options", *printed = NULL;
  printf("Usage: motifsieve %s %s\n%s\n", command->name, command->usage, command->about);
  ms_operand_help(command, put_line);
  for (size_t r = 0; r < ms_option_row_count; r++) {
    if (sections && ms_option_rows[r].section)
      section = ms_option_rows[r].section;
    if (!(ms_option_rows[r].commands & command->bit))
      continue;
    /* the first row of a section that this command has prints the section's title */
    if (section != printed)
      printf("\n%s:\n", section);
    printed = section;
    print_row(&ms_option_rows[r]);
  }
  printf("\n%s", command->after);
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
  puts("In these formats of GRAPH, edges have types.  Each may be compressed with gzip or zstd.");
  for (int f = MS_TYPED_AUTO + 1; f < MS_TYPED_FORMATS; f++) {
    const ms_typed_format_info *reader = ms_typed_format_describe((ms_typed_format)f);
    printf("\n%s: %s\n", reader->name, reader->about);
    put_example(reader->example);
  }
  printf("\nAny other file is read as a plain graph.\n");
}

int ms_help_formats(const ms_command *command)
{
  if (command->bit & (MS_COMMAND_PATH | MS_COMMAND_FILTER | MS_COMMAND_MATCH))
    print_typed_formats();
  puts("GRAPH is read in one of these formats: the one that its content shows, or the\n"
       "one that --format names.  Each may be compressed with gzip or zstd.");
  for (int f = MS_FORMAT_AUTO + 1; f < MS_GRAPH_FORMATS; f++) {
    ms_graph_format_info info = ms_graph_format_describe((ms_graph_format)f);
    printf("\n%s (%s%s%s): %s\n", info.name, info.suffix, info.writable ? "" : ", read only",
           info.holds_colors ? ", with colours" : "", info.about);
    put_example(info.example);
  }
  return ms_cli_close_stdout();
}
