/* Scratch files and the places of outputs: modes, names, locks, failed renames, several outputs. */
#include "base/file/outfile.h"
#include "base/file/scratch.h"
#include "tests/support/files.h"
#include "tests/support/test_main.h"

#include <dirent.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char notes[4096]; /* what ms_scratch_note received */

static void note(void *user, const char *text)
{
  (void)user;
  strncat(notes, text, sizeof notes - strlen(notes) - 2);
  strcat(notes, "\n");
}

static void expect_content(const char *path, const char *wanted)
{
  char text[256] = "";
  FILE *file = fopen(path, "r");
  ck_assert_msg(file != NULL, "%s is not there", path);
  size_t got = fread(text, 1, sizeof text - 1, file);
  fclose(file);
  text[got] = '\0';
  ck_assert_str_eq(text, wanted);
}

static mode_t mode_of(const char *path)
{
  struct stat facts;
  ck_assert_int_eq(stat(path, &facts), 0);
  return facts.st_mode & 07777;
}

/* Returns the path of the only file of the folder whose name holds `part`, NULL: there is none. */
static const char *find_only(const char *part)
{
  static char path[2 * PATH_MAX];
  const char *found = NULL;
  DIR *folder = opendir(files_path("."));
  ck_assert_ptr_nonnull(folder);
  for (const struct dirent *entry; (entry = readdir(folder));)
    if (strstr(entry->d_name, part)) {
      ck_assert_msg(!found, "%s and %s", path, entry->d_name);
      snprintf(path, sizeof path, "%s", files_path(entry->d_name));
      found = path;
    }
  closedir(folder);
  return found;
}

static ms_outfile *open_output(const char *path)
{
  ms_outfile *file;
  ms_error err;
  ck_assert_msg(ms_outfile_open(path, &file, &err) == MS_OK, "%s", err.message);
  return file;
}

static void write_output(const char *path, const char *text)
{
  ms_error err;
  ms_outfile *file = open_output(path);
  ms_outfile_puts(file, text);
  ck_assert_msg(ms_outfile_commit(file, &err) == MS_OK, "%s", err.message);
}

static void open_ahead(const char *path)
{
  ms_error err;
  ck_assert_msg(ms_outfile_open_ahead(path, note, NULL, &err) == MS_OK, "%s", err.message);
}

/* ---- modes and names ------------------------------------------------------------------- */

/* A scratch file has no permission that its target lacks, whatever the umask, and the new file has
 * the permissions of the old one without its setuid, setgid and sticky bits: seven modes. */
START_TEST(modes_of_replaced_files)
{
  static const mode_t modes[] = {0600, 0640, 0644, 0664, 0777, 04755, 03770};
  mode_t before = umask(0);
  for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
    ms_error err;
    const char *path = files_write_text("target", "old");
    ck_assert_int_eq(chmod(path, modes[i]), 0);
    ms_outfile *file = open_output(path);
    ck_assert_uint_eq(mode_of(find_only("target.tmp-")), modes[i] & 0777);
    ck_assert_int_eq(ms_outfile_commit(file, &err), MS_OK);
    ck_assert_uint_eq(mode_of(path), modes[i] & 0777);
    unlink(path);
  }
  umask(before);
}
END_TEST

/* A new file has the permissions that the umask leaves: three masks. */
START_TEST(modes_of_new_files)
{
  static const mode_t masks[] = {0, 022, 077};
  for (size_t i = 0; i < sizeof masks / sizeof *masks; i++) {
    mode_t before = umask(masks[i]);
    write_output(files_path("new"), "x");
    umask(before);
    ck_assert_uint_eq(mode_of(files_path("new")), 0666 & ~masks[i]);
    unlink(files_path("new"));
  }
}
END_TEST

/* A target whose group is another one gets the same group, or its group's permissions shrink to
 * everybody's. */
START_TEST(groups_of_replaced_files)
{
  struct stat facts;
  const char *path = files_write_text("grouped", "old");
  if (chown(path, (uid_t)-1, 4321) != 0) {
    printf("SKIPPED: only root may give a file to another group\n");
    return;
  }
  ck_assert_int_eq(chmod(path, 0640), 0);
  write_output(path, "new");
  ck_assert_int_eq(stat(path, &facts), 0);
  ck_assert_uint_eq(facts.st_gid, 4321);
  ck_assert_uint_eq(facts.st_mode & 07777, 0640);
  unlink(path);
}
END_TEST

/* Wherever the target's name and path are as long as the system allows, there is a scratch file
 * for it: names of 1 to 255 bytes, and a path of 4,095. */
START_TEST(names_as_long_as_allowed)
{
  char name[NAME_MAX + 1];
  for (size_t length = 1; length <= NAME_MAX; length++) {
    memset(name, 'n', length);
    name[length] = '\0';
    const char *path = files_path(name);
    ms_error err;
    ms_outfile *file = open_output(path);
    const char *scratch = strrchr(find_only(".tmp-"), '/') + 1;
    ck_assert_msg(strlen(scratch) <= (length > 143 ? length : 143), "%s", scratch);
    ck_assert_int_eq(ms_outfile_commit(file, &err), MS_OK);
    ck_assert_int_eq(unlink(path), 0);
  }
  char path[PATH_MAX] = "", former[PATH_MAX];
  ck_assert_ptr_nonnull(getcwd(former, sizeof former));
  ck_assert_int_eq(chdir(files_path(".")), 0);
  while (strlen(path) + 202 < sizeof path) {
    memset(name, 'd', 200);
    name[200] = '\0';
    strcat(path, name);
    ck_assert_int_eq(mkdir(path, 0700), 0);
    strcat(path, "/");
  }
  size_t used = strlen(path);
  memset(path + used, 'f', sizeof path - 1 - used);
  path[sizeof path - 1] = '\0';
  write_output(path, "deep");
  expect_content(path, "deep");
  ck_assert_int_eq(system("rm -r ddd*"), 0);
  ck_assert_int_eq(chdir(former), 0);
}
END_TEST

/* ---- failed renames ---------------------------------------------------------------------- */

/* Commits to a target that has become a folder, or a mount point; returns the message. */
static const char *fail_to_place(const char *path)
{
  static ms_error err;
  ms_outfile *file = open_output(path);
  ms_outfile_puts(file, "precious");
  ck_assert_int_eq(mkdir(path, 0700), 0);
  ck_assert_int_eq(ms_outfile_commit(file, &err), MS_ERR_OUTPUT);
  return err.message;
}

/* Where the target cannot be replaced, the complete content stays under a name that the message
 * says, and no later run removes it. */
START_TEST(failed_rename_keeps_the_content)
{
  const char *path = files_path("target");
  const char *message = fail_to_place(path), *kept = find_only("target.new-");
  ck_assert_ptr_nonnull(kept);
  ck_assert_msg(strstr(message, strrchr(kept, '/') + 1) != NULL, "%s", message);
  expect_content(kept, "precious");
  ck_assert_int_eq(rmdir(path), 0);
  ms_error err;
  open_ahead(path);
  write_output(path, "other");
  ck_assert_int_eq(ms_scratch_place_all(false, note, NULL, &err), MS_OK);
  expect_content(path, "other");
  expect_content(find_only("target.new-"), "precious");
  files_clear();
}
END_TEST

/* The command in the message moves the content to its place, with odd names, too. */
START_TEST(message_has_the_command)
{
  static const char *const names[] = {"plain", "two words", "it's", "-dash", "$(x)`;&"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    ms_error err;
    char a[512], command[2048];
    snprintf(a, sizeof a, "%s", files_path(names[i]));
    const char *b = files_path("other");
    notes[0] = '\0';
    open_ahead(a);
    open_ahead(b);
    write_output(a, "precious");
    write_output(b, "other");
    ck_assert_int_eq(mkdir(b, 0700), 0);
    ck_assert_int_eq(ms_scratch_place_all(false, note, NULL, &err), MS_ERR_OUTPUT);
    const char *at = strstr(notes, "mv -- ");
    ck_assert_msg(at != NULL, "%s", notes);
    snprintf(command, sizeof command, "%.*s", (int)strcspn(at, "\n"), at);
    ck_assert_msg(system(command) == 0, "%s", command);
    expect_content(a, "precious");
    ck_assert_int_eq(rmdir(b), 0);
    files_clear();
  }
}
END_TEST

/* A mount point is refused when it is opened; if it becomes one later, the content is kept. */
START_TEST(mount_points)
{
  ms_error err;
  ms_outfile *file;
  char path[512];
  snprintf(path, sizeof path, "%s", files_write_text("mounted", "old"));
  if (mount(path, path, NULL, MS_BIND, NULL) != 0) {
    printf("SKIPPED: this process may not mount\n");
    unlink(path);
    return;
  }
  ms_status opened = ms_outfile_open(path, &file, &err);
  umount(path);
  ck_assert_int_eq(opened, MS_ERR_OUTPUT);
  ck_assert_ptr_nonnull(strstr(err.message, "mount point"));
  file = open_output(path);
  ms_outfile_puts(file, "precious");
  ck_assert_int_eq(mount(path, path, NULL, MS_BIND, NULL), 0);
  ms_status placed = ms_outfile_commit(file, &err);
  char command[1024] = "";
  const char *at = strstr(err.message, "cat ");
  if (at)
    snprintf(command, sizeof command, "%s", at);
  int copied = at ? system(command) : -1;
  umount(path);
  ck_assert_int_eq(placed, MS_ERR_OUTPUT);
  ck_assert_msg(copied == 0, "%s", err.message);
  expect_content(path, "precious");
  files_clear();
}
END_TEST

/* ---- several outputs ----------------------------------------------------------------------- */

/* Outputs that were opened ahead change nothing until all are placed, and then all appear: with
 * three targets, of which one is new. */
START_TEST(all_appear_together)
{
  static const char *const names[] = {"a", "b", "c"};
  ms_error err;
  files_write_text("a", "old a");
  files_write_text("b", "old b");
  for (int i = 0; i < 3; i++)
    open_ahead(files_path(names[i]));
  for (int i = 0; i < 3; i++)
    write_output(files_path(names[i]), names[i]);
  expect_content(files_path("a"), "old a");
  ck_assert_int_ne(access(files_path("c"), F_OK), 0);
  ck_assert_int_eq(ms_scratch_place_all(false, note, NULL, &err), MS_OK);
  for (int i = 0; i < 3; i++)
    expect_content(files_path(names[i]), names[i]);
  ck_assert_int_eq(files_count(), 3);
  files_clear();
}
END_TEST

/* If one of three outputs cannot be put in its place, whichever it is, the old contents of the
 * others are back, and the new contents of all lie where the messages say. */
START_TEST(none_appears_alone)
{
  static const char *const names[] = {"a", "b", "c"};
  for (int bad = 0; bad < 3; bad++) {
    ms_error err;
    notes[0] = '\0';
    files_write_text("a", "old a");
    for (int i = 0; i < 3; i++)
      open_ahead(files_path(names[i]));
    for (int i = 0; i < 3; i++)
      write_output(files_path(names[i]), names[i]);
    unlink(files_path(names[bad]));
    ck_assert_int_eq(mkdir(files_path(names[bad]), 0700), 0);
    ck_assert_int_eq(ms_scratch_place_all(false, note, NULL, &err), MS_ERR_OUTPUT);
    if (bad != 0)
      expect_content(files_path("a"), "old a");
    for (int i = 0; i < 3; i++) {
      char kept[16];
      snprintf(kept, sizeof kept, "%s.new-", names[i]);
      const char *path = find_only(kept);
      ck_assert_ptr_nonnull(path);
      expect_content(path, names[i]);
      const char *name = strrchr(path, '/') + 1;
      ck_assert_msg(strstr(i == bad ? err.message : notes, name) != NULL, "%s: %s %s", name,
                    err.message, notes);
      ck_assert(i == bad || i == 0 || access(files_path(names[i]), F_OK) != 0);
    }
    rmdir(files_path(names[bad]));
    files_clear();
  }
}
END_TEST

/* If one output was never completed, the complete one is kept and named, and nothing is replaced;
 * if none was, nothing stays. */
START_TEST(incomplete_outputs)
{
  ms_error err;
  notes[0] = '\0';
  files_write_text("a", "old a");
  open_ahead(files_path("a"));
  open_ahead(files_path("b"));
  ck_assert_int_eq(ms_scratch_place_all(false, note, NULL, &err), MS_OK);
  ck_assert_int_eq(files_count(), 1);
  open_ahead(files_path("a"));
  open_ahead(files_path("b"));
  write_output(files_path("a"), "new a");
  ms_outfile_abort(open_output(files_path("b")));
  ck_assert_int_eq(ms_scratch_place_all(false, note, NULL, &err), MS_OK);
  expect_content(files_path("a"), "old a");
  const char *kept = find_only("a.new-");
  ck_assert_ptr_nonnull(kept);
  expect_content(kept, "new a");
  ck_assert_ptr_nonnull(strstr(notes, strrchr(kept, '/') + 1));
  ck_assert_int_eq(files_count(), 2);
  files_clear();
}
END_TEST

/* ---- writers that are gone ------------------------------------------------------------------ */

/* Starts a process that holds an output open; returns its id once the scratch file is there. */
static pid_t start_writer(const char *path)
{
  int ready[2];
  char byte;
  ck_assert_int_eq(pipe(ready), 0);
  pid_t writer = fork();
  if (writer == 0) {
    ms_error err;
    ms_outfile *file;
    if (ms_outfile_open(path, &file, &err) != MS_OK || write(ready[1], "x", 1) != 1)
      _exit(1);
    for (;;)
      pause();
  }
  close(ready[1]);
  ck_assert_int_eq(read(ready[0], &byte, 1), 1);
  close(ready[0]);
  return writer;
}

/* A file whose text is compressed as its path says, and which then has another name. */
static void write_older(const char *path, const char *ending, const char *text)
{
  char made[512];
  snprintf(made, sizeof made, "%s%s", files_path("made"), ending);
  ms_error err;
  ms_outfile *file = open_output(made);
  ms_outfile_puts(file, text);
  for (int i = 0; i < 100000; i++) /* a block of zstd is long */
    ms_outfile_printf(file, "%d\n", i * 7919 % 100003);
  ck_assert_msg(ms_outfile_commit(file, &err) == MS_OK, "%s", err.message);
  ck_assert_int_eq(rename(made, path), 0);
}

/* A complete output removes the incomplete result of a run before, in each form, by both ways to
 * its place; an incomplete output does not, and what does not begin as a result stays: five forms
 * in three compressions against four other files, a link and a folder. */
START_TEST(complete_outputs_remove_incomplete_ones)
{
  static const struct {
    const char *text;
    bool stays;
  } cases[] = {{"# motifsieve 0.1.0 list\n", false},
               {"// motifsieve 0.1.0 list --dot\n", false},
               {"MSMATCH1 and more", false},
               {"{\"type\":\"header\",\"tool\":\"motifsieve\",\"version\"", false},
               {"# motifsieve ", false},
               {"# motifs\n", true},
               {"a\tb\n# motifsieve 0.1.0 list\n", true},
               {"{\"type\":\"header\",\"tool\":\"other\",", true},
               {"\n", true}};
  static const char *const endings[] = {"", ".gz", ".zst"};
  char target[512], older[512], linked[512];
  ms_error err;
  snprintf(target, sizeof target, "%s", files_path("out"));
  snprintf(older, sizeof older, "%s", files_path("out.incomplete"));
  snprintf(linked, sizeof linked, "%s", files_path("linked"));
  for (size_t i = 0; i < 2 * sizeof cases / sizeof *cases; i++)
    for (size_t e = 0; e < sizeof endings / sizeof *endings; e++) {
      write_older(older, endings[e], cases[i / 2].text);
      if (i % 2)
        open_ahead(target);
      write_output(target, "whole");
      if (i % 2)
        ck_assert_int_eq(ms_scratch_place_all(false, note, NULL, &err), MS_OK);
      ck_assert_msg((access(older, F_OK) == 0) == cases[i / 2].stays, "%s%s", cases[i / 2].text,
                    endings[e]);
    }
  /* this output has content, which is replaced by no incomplete one */
  write_older(older, "", cases[0].text);
  ms_outfile *file = open_output(target);
  ms_outfile_puts(file, "part");
  ms_outfile_mark_incomplete(file);
  ck_assert_int_eq(ms_outfile_commit(file, &err), MS_ERR_OUTPUT);
  expect_content(older, "part");
  unlink(older);
  write_older(linked, "", cases[0].text);
  ck_assert_int_eq(symlink(linked, older), 0);
  write_output(target, "whole");
  ck_assert_int_eq(access(older, F_OK), 0);
  unlink(older);
  ck_assert_int_eq(mkdir(older, 0700), 0);
  write_output(target, "whole");
  ck_assert_int_eq(rmdir(older), 0);
  files_clear();
}
END_TEST

/* The scratch file of a living process stays, even if a run for the same output comes, and that of
 * a killed one is removed and named.  Files of other targets stay. */
START_TEST(scratch_files_of_killed_writers)
{
  ms_error err;
  char path[512], name[512];
  snprintf(path, sizeof path, "%s", files_path("out.tsv"));
  notes[0] = '\0';
  files_write_text("out.tsv.tmp-x", "mine");
  files_write_text("out.tsv2.tmp-00000001-1-00000002", "of another target");
  pid_t writer = start_writer(path);
  open_ahead(path);
  ck_assert_str_eq(notes, "");
  ck_assert_int_eq(files_count(), 4);
  ck_assert_int_eq(ms_scratch_place_all(false, note, NULL, &err), MS_OK);
  unlink(files_path("out.tsv.tmp-x"));
  snprintf(name, sizeof name, "%s", strrchr(find_only("out.tsv.tmp-"), '/') + 1);
  kill(writer, SIGKILL);
  ck_assert_int_eq(waitpid(writer, NULL, 0), writer);
  ck_assert_int_eq(files_count(), 2);
  open_ahead(path);
  ck_assert_msg(strstr(notes, "removed") != NULL && strstr(notes, name) != NULL, "%s", notes);
  ck_assert_int_eq(ms_scratch_place_all(false, note, NULL, &err), MS_OK);
  ck_assert_int_eq(files_count(), 1);
  files_clear();
}
END_TEST

/* A signal handler removes the scratch files of all open outputs. */
START_TEST(scratch_files_at_a_signal)
{
  ms_outfile *a = open_output(files_path("a")), *b = open_output(files_path("b"));
  ck_assert_int_eq(files_count(), 2);
  ms_scratch_unlink_all();
  ck_assert_int_eq(files_count(), 0);
  ms_outfile_abort(a);
  ms_outfile_abort(b);
}
END_TEST

TEST_MAIN("scratch", TEST(modes_of_replaced_files), TEST(modes_of_new_files),
          TEST(groups_of_replaced_files), TEST(names_as_long_as_allowed),
          TEST(failed_rename_keeps_the_content), TEST(message_has_the_command), TEST(mount_points),
          TEST(all_appear_together), TEST(none_appears_alone), TEST(incomplete_outputs),
          TEST(complete_outputs_remove_incomplete_ones), TEST(scratch_files_of_killed_writers),
          TEST(scratch_files_at_a_signal))
