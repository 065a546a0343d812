/* The table of options: what holds for each row, in every command that has it. */
#include "base/status.h"
#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/options/option_table.h"
#include "tests/support/test_main.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static ms_error err;

/* Parses a command line of the command with up to eight words; its failure is in err. */
static ms_status parse(const ms_command *command, char *const words[8])
{
  static ms_cli_options options; /* it is large */
  char name[32], *argv[10] = {name};
  int argc = 1;
  snprintf(name, sizeof name, "%s", command->name);
  for (; argc <= 8 && words[argc - 1]; argc++)
    argv[argc] = words[argc - 1];
  err.message[0] = '\0';
  return ms_options_parse(command, argc, argv, &options, &err);
}

/* Finds a value that the option accepts: a number of its range, a word of its list, or one of some
 * texts. */
static void find_value(const ms_command *command, const ms_option_row *row, char value[64])
{
  static const char *const texts[] = {"1", "2", "0.5", "1/2", "x", "1,2", "0.57,0.19,0.19,0.05",
                                      "P", "1s"};
  char name[64], number[64];
  const char *word = row->word ? row->word(0) : NULL;
  snprintf(name, sizeof name, "--%s", row->name);
  snprintf(number, sizeof number, "%" PRIu64, row->least);
  for (size_t i = 0; i < sizeof texts / sizeof *texts + 2; i++) {
    const char *text = i == 0 ? number : i == 1 ? word : texts[i - 2];
    if (!text)
      continue;
    snprintf(value, 64, "%s", text);
    parse(command, (char *const[8]){name, value});
    if (!strstr(err.message, " needs ") || !strstr(err.message, row->name) ||
        strstr(err.message, " also ") || !strstr(err.message, ", not '"))
      return;
  }
  ck_abort_msg("%s %s: no value is accepted: %s", command->name, name, err.message);
}

/* Gives an option twice, once under each of two names; says whether it is refused for that. */
static void give_twice(const ms_command *command, const ms_option_row *row, const char *first,
                       const char *second)
{
  char names[2][64], values[2][64] = {"", ""}, refusal[128];
  snprintf(names[0], sizeof names[0], "%s", first);
  snprintf(names[1], sizeof names[1], "%s", second);
  snprintf(refusal, sizeof refusal, "option --%s is given twice", row->name);
  if (row->argument && !row->optional) {
    find_value(command, row, values[0]);
    memcpy(values[1], values[0], sizeof values[0]);
    parse(command, (char *const[8]){names[0], values[0], names[1], values[1]});
  } else {
    parse(command, (char *const[8]){names[0], names[1]});
  }
  ck_assert_msg((strstr(err.message, refusal) != NULL) == !row->many, "%s %s %s: '%s'",
                command->name, first, second, err.message);
}

static bool ends_parsing(const ms_option_row *row)
{
  return strcmp(row->name, "help") == 0 || strcmp(row->name, "list-formats") == 0;
}

/* An option that is given twice, by its names or its letter, is refused, also with the same value,
 * unless its row says that it may be repeated: every option of every command. */
START_TEST(twice_is_refused)
{
  unsigned tried = 0, many = 0;
  for (size_t c = 0; c < ms_command_count; c++)
    for (size_t r = 0; r < ms_option_row_count; r++) {
      const ms_option_row *row = &ms_option_rows[r];
      char name[64], letter[3] = {'-', row->letter}, also[64];
      if (!(row->commands & ms_commands[c].bit) || ends_parsing(row))
        continue;
      snprintf(name, sizeof name, "--%s", row->name);
      give_twice(&ms_commands[c], row, name, name);
      if (row->letter)
        give_twice(&ms_commands[c], row, letter, name);
      snprintf(also, sizeof also, "--%s", row->also ? row->also : row->name);
      give_twice(&ms_commands[c], row, also, name);
      tried++;
      many += row->many;
    }
  ck_assert_uint_gt(tried, 400);
  ck_assert_uint_lt(many, 8);
}
END_TEST

/* Two options that set the same field of a command are refused together, whatever their names:
 * every pair of rows. */
START_TEST(one_field_one_option)
{
  unsigned pairs = 0;
  for (size_t c = 0; c < ms_command_count; c++)
    for (size_t a = 0; a < ms_option_row_count; a++)
      for (size_t b = a + 1; b < ms_option_row_count; b++) {
        const ms_option_row *x = &ms_option_rows[a], *y = &ms_option_rows[b];
        if (!(x->commands & y->commands & ms_commands[c].bit) || !x->size || !y->size ||
            x->offset >= y->offset + y->size || y->offset >= x->offset + x->size)
          continue;
        char first[64], second[64], file[] = "file", patterns[] = "--patterns=9",
                                    size[] = "--pattern-size=3", out[] = "--patterns-out=p";
        bool gen = ms_commands[c].bit == MS_COMMAND_GEN;
        snprintf(first, sizeof first, "--%s", x->name);
        snprintf(second, sizeof second, "--%s", y->name);
        ck_assert_msg(!x->argument && !y->argument, "%s and %s have values", first, second);
        char *words[8] = {first, second, file, file, gen ? patterns : NULL, size, out};
        ck_assert_int_eq(parse(&ms_commands[c], words), MS_ERR_USAGE);
        ck_assert_msg(strstr(err.message, " do not go together"), "%s %s %s: '%s'",
                      ms_commands[c].name, first, second, err.message);
        pairs++;
      }
  ck_assert_uint_gt(pairs, 0);
}
END_TEST

TEST_MAIN("option table", TEST(twice_is_refused), TEST(one_field_one_option))
