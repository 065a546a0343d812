/* Completion for shells, made from the tables of commands and options. */
#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/options/option_table.h"
#include "cli/print.h"

#include <stdio.h>
#include <string.h>

/* ---- what a command has ---------------------------------------------------- */

/* Returns the second word of the i-th command that is a part of another, such as "gf2" of "bench";
 * NULL after the last. */
static const char *part_of(const char *command, uint32_t part)
{
  size_t length = strlen(command);
  for (size_t c = 0; c < ms_command_count; c++) {
    const char *name = ms_commands[c].name;
    if (strncmp(name, command, length) == 0 && name[length] == ' ' && part-- == 0)
      return name + length + 1;
  }
  return NULL;
}

static bool takes_files(const ms_command *command)
{
  return command->operands[0] && !ms_operand_word(command, 0);
}

static void put_operands(const ms_command *command)
{
  const char *word;
  for (uint32_t i = 0; (word = ms_operand_word(command, i)); i++)
    ms_print("%s%s", i ? " " : "", word);
}

static void put_values(const ms_option_row *row)
{
  const char *value;
  for (uint32_t i = 0; (value = row->word(i)); i++)
    ms_print("%s%s", i ? " " : "", value);
}

/* ---- bash ------------------------------------------------------------------ */

typedef enum value_kind { VALUE_NONE, VALUE_FILE, VALUE_NAMED, VALUE_FREE } value_kind;

static value_kind kind_of(const ms_option_row *row)
{
  if (!row->argument)
    return VALUE_NONE;
  if (row->file)
    return VALUE_FILE;
  if (row->optional && !row->word) /* the next word is not its value */
    return VALUE_NONE;
  return row->word ? VALUE_NAMED : VALUE_FREE;
}

/* Prints the branch of `case` for all options of a kind, or for `only`; prints nothing if there is
 * none. */
static void bash_branch(const ms_command *command, value_kind kind, const ms_option_row *only)
{
  const char *before = "    ";
  for (const ms_option_row *row = ms_option_rows; row < ms_option_rows + ms_option_row_count;
       row++) {
    if (!(row->commands & command->bit) || kind_of(row) != kind || (only && row != only))
      continue;
    if (row->letter)
      ms_print("%s-%c|--%s", before, row->letter, row->name);
    else
      ms_print("%s--%s", before, row->name);
    if (row->also)
      ms_print("|--%s", row->also);
    before = "|";
  }
  if (*before == ' ')
    return;
  if (only && only->optional) { /* the next word is its value only after = */
    ms_print(") [[ $equals ]] && kind=none options='");
    put_values(only);
    ms_print_line("' ;;");
    return;
  }
  ms_print(") kind=%s options='", kind == VALUE_FILE ? "file" : "none");
  if (only)
    put_values(only);
  ms_print_line("' ;;");
}

/* Prints an option; one whose value may be left out, with each of its values, too. */
static void bash_option(const ms_option_row *row)
{
  const char *value;
  ms_print(" --%s", row->name);
  for (uint32_t i = 0; row->optional && row->word && (value = row->word(i)); i++)
    ms_print(" --%s=%s", row->name, value);
}

static void bash_command(const ms_command *command)
{
  ms_print("  '%s')\n    kind=%s options='", command->name, takes_files(command) ? "file" : "none");
  put_operands(command);
  for (size_t r = 0; r < ms_option_row_count; r++)
    if (ms_option_rows[r].commands & command->bit)
      bash_option(&ms_option_rows[r]);
  ms_print_line("'\n    case $previous in");
  if (command->bit == MS_COMMAND_GEN)
    ms_print_line("    file) kind=file options='' ;;");
  bash_branch(command, VALUE_FILE, NULL);
  bash_branch(command, VALUE_FREE, NULL);
  for (size_t r = 0; r < ms_option_row_count; r++)
    bash_branch(command, VALUE_NAMED, &ms_option_rows[r]);
  ms_print_line("    esac ;;");
}

/* Prints, for each command of several parts, the choice of the part and then its options. */
static void bash_parts(void)
{
  for (size_t c = 0; c < ms_command_count; c++) {
    const char *name = ms_commands[c].name, *part;
    if (!part_of(name, 0))
      continue;
    ms_print("  if [[ $command == %s && $COMP_CWORD -eq 2 ]]; then\n    command=parts options='",
             name);
    for (uint32_t i = 0; (part = part_of(name, i)); i++)
      ms_print("%s ", part);
    ms_print("--help'\n"
             "  elif [[ $command == %s ]]; then\n"
             "    command=\"%s ${COMP_WORDS[2]}\"\n"
             "  fi\n",
             name, name);
  }
}

int ms_completion_bash(void)
{
  ms_print_text("# bash completion for motifsieve, made by 'motifsieve help --completion bash'\n"
                "_motifsieve()\n{\n"
                "  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}\n"
                "  local command=${COMP_WORDS[1]} options='' kind=none equals='' commands='");
  for (size_t c = 0; c < ms_command_count; c++)
    if (ms_commands[c].brief)
      ms_print("%s%s", c ? " " : "", ms_commands[c].name);
  ms_print_line("'\n"
                "  # --option=value comes as three words\n"
                "  if [[ $current == = ]]; then\n"
                "    current= equals=1\n"
                "  elif [[ $previous == = ]]; then\n"
                "    previous=${COMP_WORDS[COMP_CWORD-2]} equals=1\n"
                "  fi");
  bash_parts();
  ms_print_line("  if [[ $COMP_CWORD -eq 1 ]]; then\n"
                "    command=none options=\"$commands help --help --version\"\n"
                "  fi\n"
                "  case $command in\n"
                "  help) [[ $COMP_CWORD -eq 2 ]] && options=$commands ;;");
  for (size_t c = 0; c < ms_command_count; c++)
    bash_command(&ms_commands[c]);
  ms_print_line("  esac\n"
                "  COMPREPLY=()\n"
                "  if [[ $kind == file && $current != -?* ]]; then\n"
                "    compopt -o filenames 2>/dev/null\n"
                "    mapfile -t COMPREPLY < <(compgen -f -- \"$current\")\n"
                "  else\n"
                "    mapfile -t COMPREPLY < <(compgen -W \"$options\" -- \"$current\")\n"
                "  fi\n"
                "}\n"
                "complete -F _motifsieve motifsieve");
  return ms_print_end();
}

/* ---- zsh ------------------------------------------------------------------- */

/* Prints text inside single quotes and brackets, with its lines joined into one. */
static void zsh_text(const char *text)
{
  for (; *text; text++)
    if (*text == '\'')
      ms_print_text("'\\''");
    else if (*text == '\n')
      ms_print_char(' ');
    else {
      if (strchr("[]:\\", *text))
        ms_print_char('\\');
      ms_print_char(*text);
    }
}

/* Prints what follows the explanation: the argument, and its possible values. */
static void zsh_argument(const ms_option_row *row)
{
  if (!row->argument)
    return;
  ms_print(":%s:", row->argument);
  if (row->file) {
    ms_print_text("_files");
  } else if (row->word) {
    ms_print_char('(');
    put_values(row);
    ms_print_char(')');
  } else {
    ms_print_char(' ');
  }
}

/* Prints "-h" and "--help[=all]" as two, as only the long one takes a value. */
static void zsh_optional(const ms_option_row *row)
{
  for (int with_value = 0; with_value < 2; with_value++) {
    ms_print("        '(-%c --%s)", row->letter, row->name);
    if (with_value)
      ms_print("--%s=-[", row->name);
    else
      ms_print("-%c[", row->letter);
    zsh_text(row->help);
    ms_print("]%s%s%s", with_value ? "::" : "", with_value ? row->argument : "",
             with_value ? ":(" : "");
    if (with_value)
      put_values(row);
    ms_print("%s' \\\n", with_value ? ")" : "");
  }
}

/* Prints an option as '(-c --colors)'{-c+,--colors=}'[vertex colours]:FILE:_files'. */
static void zsh_option(const ms_option_row *row)
{
  const char *equals = row->argument ? "=" : "";
  if (row->optional && row->word) {
    zsh_optional(row);
    return;
  }
  if (row->optional) {
    ms_print("        '--%s=-[", row->name);
    zsh_text(row->help);
    ms_print("]::%s: ' \\\n", row->argument);
    return;
  }
  ms_print_text("        ");
  if (row->many)
    ms_print_text("'*'");
  else if (row->letter)
    ms_print("'(-%c --%s)'", row->letter, row->name);
  if (row->letter)
    ms_print("{-%c%s,--%s%s}'[", row->letter, row->argument ? "+" : "", row->name, equals);
  else
    ms_print("'--%s%s[", row->name, equals);
  zsh_text(row->help);
  ms_print_char(']');
  zsh_argument(row);
  ms_print_line("' \\");
}

static void zsh_command(const ms_command *command, const char *word)
{
  ms_print("    %s)\n      _arguments -s \\\n", word);
  for (size_t r = 0; r < ms_option_row_count; r++)
    if (ms_option_rows[r].commands & command->bit)
      zsh_option(&ms_option_rows[r]);
  if (takes_files(command)) {
    ms_print_line("        '*:file:_files' ;;");
    return;
  }
  ms_print_text("        '1:operand:(");
  put_operands(command);
  ms_print_line(command->bit == MS_COMMAND_GEN ? ")' '2:file:_files' ;;" : ")' ;;");
}

/* Prints the choice among the parts of a command by its next word. */
static void zsh_parts(const char *name)
{
  const char *part;
  char whole[64];
  ms_print("    %s)\n      if (( CURRENT == 2 )); then\n        compadd -- --help", name);
  for (uint32_t i = 0; (part = part_of(name, i)); i++)
    ms_print(" %s", part);
  ms_print_line("\n"
                "        return\n"
                "      fi\n"
                "      shift words\n"
                "      (( CURRENT-- ))\n"
                "      case $words[1] in");
  for (uint32_t i = 0; (part = part_of(name, i)); i++) {
    snprintf(whole, sizeof whole, "%s %s", name, part);
    zsh_command(ms_command_find(whole), part);
  }
  ms_print_line("      esac ;;");
}

int ms_completion_zsh(void)
{
  ms_print_line("#compdef motifsieve\n"
                "# made by 'motifsieve help --completion zsh'\n"
                "_motifsieve()\n{\n"
                "  local curcontext=$curcontext state line\n"
                "  local -a commands=(");
  for (size_t c = 0; c < ms_command_count; c++) {
    if (!ms_commands[c].brief)
      continue;
    ms_print("    '%s:", ms_commands[c].name);
    zsh_text(ms_commands[c].brief);
    ms_print_line("'");
  }
  ms_print_line("    'help:the help of a command'\n"
                "  )\n"
                "  _arguments -C \\\n"
                "    '(- *)'{-h,--help}'[the list of commands]' \\\n"
                "    '(- *)'{-V,--version}'[the version]' \\\n"
                "    '1: :->command' \\\n"
                "    '*:: :->rest' && return 0\n"
                "  case $state in\n"
                "  command) _describe command commands ;;\n"
                "  rest)\n"
                "    case $words[1] in\n"
                "    help) (( CURRENT == 2 )) && _describe command commands ;;");
  for (const ms_command *row = ms_commands; row < ms_commands + ms_command_count; row++)
    if (row->brief && part_of(row->name, 0))
      zsh_parts(row->name);
    else if (row->brief)
      zsh_command(row, row->name);
  ms_print_line("    esac ;;\n"
                "  esac\n"
                "}\n"
                "_motifsieve \"$@\"");
  return ms_print_end();
}
