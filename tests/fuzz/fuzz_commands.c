/* Whole commands: any arguments and files end with a documented exit status, a message where that
 * is not 0, no memory and no temporary file left, and the same output with one thread and three.
 * `verify` accepts what a search has written.
 *
 * An input is a line of arguments, without "motifsieve", and files: a line "--- NAME" comes before
 * the bytes of each.  The command runs in a folder that holds these files only. */
#include "cli/cli.h"
#include "cli/commands.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/reseal.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_WORDS = 40, MAX_FILES = 8, MAX_LINE = 2000 };
#define KEPT (1 << 20) /* bytes of an output that are compared */

static char folder[64];
static int home, quiet, loud, errors; /* descriptors */

/* The address sanitizer writes to standard error, which is a file while a command runs. */
__attribute__((weak)) void __sanitizer_set_report_fd(void *fd);

/* ---- the folder ---------------------------------------------------------------------- */

/* Removes a folder of patterns. */
static void remove_patterns(const char *name)
{
  DIR *list = opendir(name);
  for (struct dirent *entry; list && (entry = readdir(list));)
    unlinkat(dirfd(list), entry->d_name, 0);
  if (list)
    closedir(list);
  rmdir(name);
}

/* Removes all files of the current folder; true if one of them was temporary. */
static bool clear_folder(void)
{
  bool temporary = false;
  DIR *list = opendir(".");
  fuzz_require(list, "the folder is gone");
  for (struct dirent *entry; (entry = readdir(list));)
    if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
      temporary |= strstr(entry->d_name, ".tmp-") != NULL;
      if (unlink(entry->d_name) != 0)
        remove_patterns(entry->d_name);
    }
  closedir(list);
  return temporary;
}

static void remove_folder(void)
{
  if (chdir(folder) == 0)
    clear_folder();
  rmdir(folder);
}

/* Returns the end of the file that begins at `at`. */
static uint8_t *end_of_file(const uint8_t *at, const uint8_t *end)
{
  uint8_t *mark = memmem(at, (size_t)(end - at), "\n--- ", 5);
  return mark ? mark : (uint8_t *)end;
}

/* Corrects the checksums of results and binary graphs among the files of an input. */
static size_t reseal_files(uint8_t *data, size_t size, size_t max_size)
{
  uint8_t *end = data + size, *line = memchr(data, '\n', size);
  (void)max_size;
  while (line && line < end && (line = memchr(line + 1, '\n', (size_t)(end - line - 1)))) {
    uint8_t *file = line + 1, *next = end_of_file(file, end);
    size_t bytes = (size_t)(next - file);
    if (bytes > 8 && memcmp(file, "\x89MSB\r\n", 6) == 0)
      fuzz_reseal_graph(file, bytes, bytes);
    else if (bytes > 8 && (memcmp(file, "# motifs", 8) == 0 || memcmp(file, "{\"type\"", 7) == 0 ||
                           memcmp(file, "MSMATCH1", 8) == 0))
      fuzz_reseal_result(file, bytes, bytes);
    line = next;
  }
  return size;
}

void fuzz_setup(void)
{
  fuzz_seal = reseal_files;
  const char *parent = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
  snprintf(folder, sizeof folder, "%s/motifsieve-fuzz-XXXXXX", parent);
  fuzz_require(mkdtemp(folder), "no folder");
  atexit(remove_folder);
  home = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  quiet = open("/dev/null", O_RDONLY | O_CLOEXEC);
  loud = dup(STDERR_FILENO);
  errors = memfd_create("errors", MFD_CLOEXEC);
  fuzz_require(home >= 0 && quiet >= 0 && loud >= 0 && errors >= 0, "no descriptors");
  dup2(quiet, STDIN_FILENO);
  if (__sanitizer_set_report_fd)
    __sanitizer_set_report_fd((void *)(intptr_t)loud);
}

/* The help closes standard output, which other inputs need: linked with --wrap=close. */
int __real_close(int fd);
int __wrap_close(int fd);

int __wrap_close(int fd)
{
  return fd == STDOUT_FILENO ? 0 : __real_close(fd);
}

/* ---- an input --------------------------------------------------------------------------- */

typedef struct call {
  char line[MAX_LINE];
  char *words[MAX_WORDS + 1];
  int n;
} call;

static bool is_file_name(const char *name, size_t length)
{
  if (length == 0 || length > 32 || name[0] == '.')
    return false;
  for (size_t i = 0; i < length; i++)
    if (!isalnum((unsigned char)name[i]) && name[i] != '.' && name[i] != '_')
      return false;
  return true;
}

/* Writes the files that follow the line of arguments. */
static bool write_files(const uint8_t *data, size_t size)
{
  static const char mark[] = "--- ";
  const uint8_t *end = data + size;
  for (int n = 0; data < end && n < MAX_FILES; n++) {
    const uint8_t *name = data + sizeof mark - 1;
    const uint8_t *line = memchr(data, '\n', (size_t)(end - data));
    if (!line || (size_t)(line - data) < sizeof mark || memcmp(data, mark, sizeof mark - 1) != 0)
      return false;
    char path[40];
    if (!is_file_name((const char *)name, (size_t)(line - name)))
      return false;
    snprintf(path, sizeof path, "%.*s", (int)(line - name), (const char *)name);
    data = line + 1;
    const uint8_t *next = end_of_file(data, end);
    size_t bytes = (size_t)(next - data);
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    fuzz_require(fd >= 0 && write(fd, data, bytes) == (ssize_t)bytes, "cannot write %s", path);
    close(fd);
    data = next + (next < end);
  }
  return true;
}

/* False for words that leave the folder, choose threads, or ask for much work on purpose. */
static bool is_harmless(const char *word, bool generator)
{
  size_t digits = 0;
  for (const char *p = word; generator && *p; p++) {
    digits = isdigit((unsigned char)*p) ? digits + 1 : 0;
    if (digits > 4)
      return false;
  }
  if (word[0] == '-' && word[1] != '-' && strchr(word, 't'))
    return false;
  return !strchr(word, '/') && strncmp(word, "--th", 4) != 0 && strncmp(word, "--ti", 4) != 0 &&
         strcmp(word, "..") != 0;
}

/* Divides the first line into words; a quoted word may hold blanks. */
static bool read_words(call *c, const uint8_t *data, size_t size)
{
  if (size >= sizeof c->line || memchr(data, '\0', size))
    return false;
  memcpy(c->line, data, size);
  c->line[size] = '\0';
  c->n = 0;
  for (char *p = c->line; *(p += strspn(p, " "));) {
    char quote = *p == '\'' ? '\'' : ' ';
    p += quote == '\'';
    char *end = strchr(p, quote);
    if (c->n == MAX_WORDS - 8)
      return false;
    c->words[c->n++] = p;
    if (!end)
      break;
    *end = '\0';
    p = end + 1;
  }
  const ms_command *command = c->n > 0 ? ms_command_find(c->words[0]) : NULL;
  if (!command || !command->brief || strcmp(c->words[0], "bench") == 0)
    return false;
  bool generator = strcmp(c->words[0], "gen") == 0;
  for (int i = 0; i < c->n; i++)
    if (!is_harmless(c->words[i], generator))
      return false;
  return true;
}

static bool is_word(const call *c, int i, const char *names)
{
  char padded[80];
  return i < c->n && snprintf(padded, sizeof padded, " %s ", c->words[i]) < (int)sizeof padded &&
         strstr(names, padded);
}

static bool has_word(const call *c, const char *names)
{
  for (int i = 0; i < c->n; i++)
    if (is_word(c, i, names))
      return true;
  return false;
}

static void add_word(call *c, const char *word)
{
  c->words[c->n++] = (char *)word;
}

/* ---- running -------------------------------------------------------------------------------- */

static off_t error_bytes(void)
{
  struct stat info;
  return fstat(errors, &info) == 0 ? info.st_size : 0;
}

/* Runs the command with its messages in a file; returns its exit status. */
static int run(call *c)
{
  char *words[MAX_WORDS + 1]; /* getopt changes their order */
  memcpy(words, c->words, sizeof words);
  words[c->n] = NULL;
  fuzz_output_clear();
  fuzz_require(ftruncate(errors, 0) == 0 && lseek(errors, 0, SEEK_SET) == 0, "no messages");
  dup2(errors, STDERR_FILENO);
  optind = 0; /* getopt forgets a word that was refused in its middle */
  getopt(1, (char *[]){(char *)"motifsieve", NULL}, "");
  int code = ms_command_run(c->n, words);
  fflush(stdout);
  fflush(stderr);
  dup2(loud, STDERR_FILENO);
  fuzz_require(code >= 0 && code <= MS_EXIT_NONE && code != MS_EXIT_INTERNAL, "exit status %d",
               code);
  fuzz_require(code == MS_EXIT_OK || code == MS_EXIT_NONE || code == MS_EXIT_LIMIT ||
                   error_bytes() > 0,
               "exit status %d without a message", code);
  return code;
}

/* Reads standard output into a new block. */
static char *read_output(size_t *size)
{
  char *bytes = malloc(KEPT);
  ssize_t got = bytes ? pread(STDOUT_FILENO, bytes, KEPT, 0) : -1;
  fuzz_require(got >= 0, "standard output cannot be read");
  *size = (size_t)got;
  return bytes;
}

/* Runs the command again on one thread.  Limits and times of their own make a difference. */
static void compare_threads(call *c, int code)
{
  size_t size, size_alone;
  char *bytes = read_output(&size);
  c->words[c->n - 1] = (char *)"1";
  int alone = run(c);
  char *bytes_alone = read_output(&size_alone);
  if (code != MS_EXIT_LIMIT && alone != MS_EXIT_LIMIT)
    fuzz_require(
        code == alone && size == size_alone && memcmp(bytes, bytes_alone, size) == 0,
        "exit status %d with one thread, %d with three; one writes\n%.*s\nthree write\n%.*s", alone,
        code, (int)size_alone, bytes_alone, (int)size, bytes);
  free(bytes);
  free(bytes_alone);
}

/* Lets `verify` judge a result on standard output, if the call has no options that change how files
 * are read. */
static void verify_output(const call *c)
{
  call judge = {.n = 0};
  size_t size;
  char *bytes = read_output(&size);
  if (size == KEPT) { /* the end may be missing */
    free(bytes);
    return;
  }
  bool is_pattern = strcmp(c->words[0], "match") == 0;
  int fd = open("result", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  fuzz_require(fd >= 0 && write(fd, bytes, size) == (ssize_t)size, "cannot write the result");
  close(fd);
  free(bytes);
  add_word(&judge, "verify");
  add_word(&judge, "result");
  add_word(&judge, c->words[1]);
  if (is_pattern)
    add_word(&judge, c->words[2]);
  for (int i = 0; i + 1 < c->n; i++)
    if (is_word(c, i, " -c --pattern-colors ")) {
      add_word(&judge, c->words[i]);
      add_word(&judge, c->words[i + 1]);
    }
  add_word(&judge, "--timeout");
  add_word(&judge, "2s");
  int code = run(&judge);
  if (code != MS_EXIT_OK && code != MS_EXIT_LIMIT) {
    char text[1000];
    ssize_t got = pread(errors, text, sizeof text - 1, 0);
    text[got > 0 ? got : 0] = '\0';
    fuzz_require(false, "verify refuses what %s has written: %s", c->words[0], text);
  }
}

/* True if verify_output knows all the words. */
static bool is_verifiable(const call *c)
{
  static const char alone[] =
      " -x --exact --embeddings --induced --directed --json -j --binary --all ",
                    followed[] =
                        " -m -c --pattern-colors -r -l --limit -s --seed --memory -t --timeout ";
  bool is_pattern = strcmp(c->words[0], "match") == 0;
  int first = is_pattern ? 3 : 2;
  if (!is_pattern && strcmp(c->words[0], "list") != 0 && strcmp(c->words[0], "screen") != 0)
    return false;
  for (int i = 1; i < first; i++)
    if (i >= c->n || c->words[i][0] == '-')
      return false;
  for (int i = first; i < c->n; i++) {
    if (is_word(c, i, followed))
      i++;
    else if (!is_word(c, i, alone))
      return false;
  }
  return true;
}

static bool try_call(call *c, bool several)
{
  const char *threads = several ? "3" : "1";
  bool searches = is_word(c, 0, " screen list match ");
  if (strcmp(c->words[0], "info") == 0)
    return run(c) == MS_EXIT_OK;
  if (searches || strcmp(c->words[0], "verify") == 0) {
    add_word(c, "--timeout");
    add_word(c, "1s");
  }
  if (strcmp(c->words[0], "verify") != 0) {
    add_word(c, "-t");
    add_word(c, threads);
  }
  int code = run(c);
  if (several && searches && !has_word(c, " -o --output --stats -l --limit --memory -v --verbose "))
    compare_threads(c, code);
  else if (!several && code == MS_EXIT_OK && is_verifiable(c))
    verify_output(c);
  return code == MS_EXIT_OK;
}

bool fuzz_input(const uint8_t *data, size_t size)
{
  call c;
  const uint8_t *line = memchr(data, '\n', size);
  size_t length = line ? (size_t)(line - data) : size;
  if (!read_words(&c, data, length))
    return false;
  fuzz_require(chdir(folder) == 0, "the folder is gone");
  bool good = write_files(data + length + (line != NULL), size - length - (line != NULL)) &&
              try_call(&c, fuzz_threads > 1);
  bool temporary = clear_folder();
  fuzz_require(fchdir(home) == 0, "the working folder is gone");
  fuzz_require(!temporary, "a temporary file is left");
  return good;
}
