/* Limits of control groups, in trees of files that look like those of Linux. */
#include "base/job_limits.h"
#include "base/threads/threads.h"
#include "tests/support/files.h"
#include "tests/support/test_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define NONE UINT64_MAX
#define GIB ((uint64_t)1 << 30)
#define V2 "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n"
#define OTHERS                                                                                     \
  "22 1 8:1 / / rw - ext4 /dev/sda1 rw\n23 22 0:20 / /sys rw shared:7 master:1 - sysfs sysfs rw\n"

static char root[4096];

static void put(const char *path, const char *text)
{
  char name[8192];
  snprintf(name, sizeof name, "%s%s", root, path);
  for (char *slash = name + strlen(root) + 1; (slash = strchr(slash, '/')); *slash++ = '/') {
    *slash = '\0';
    mkdir(name, 0777);
  }
  FILE *file = fopen(name, "w");
  ck_assert_msg(file && fputs(text, file) >= 0 && fclose(file) == 0, "%s", name);
}

static void set_up(void)
{
  snprintf(root, sizeof root, "%s", files_path("tree"));
  ck_assert_int_eq(mkdir(root, 0777), 0);
}

static void tear_down(void)
{
  char command[4200];
  snprintf(command, sizeof command, "rm -rf '%s'", root);
  ck_assert_int_eq(system(command), 0);
}

static void check_limits(const char *label, uint64_t memory, const char *memory_path,
                         uint64_t processors)
{
  ms_job_limits found;
  ms_job_limits_find(root, &found);
  ck_assert_msg(found.memory == memory && found.processors == processors,
                "%s: memory %llu instead of %llu, processors %llu instead of %llu", label,
                (unsigned long long)found.memory, (unsigned long long)memory,
                (unsigned long long)found.processors, (unsigned long long)processors);
  size_t length = strlen(root);
  if (memory == NONE)
    ck_assert_str_eq(found.memory_path, "");
  else
    ck_assert_msg(strncmp(found.memory_path, root, length) == 0 &&
                      strcmp(found.memory_path + length, memory_path) == 0,
                  "%s: %s instead of %s", label, found.memory_path, memory_path);
}

typedef struct tree {
  const char *label, *groups, *mounts;
  struct {
    const char *path, *text;
  } file[8];
  uint64_t memory;
  const char *memory_path; /* of the lowest limit */
  uint64_t processors;
} tree;

static const tree trees[] = {
    {"version 2, a job below the root",
     "0::/system.slice/slurm/job_7/step_0\n",
     OTHERS V2,
     {{"/sys/fs/cgroup/system.slice/slurm/job_7/memory.max", "2147483648\n"},
      {"/sys/fs/cgroup/system.slice/slurm/job_7/step_0/memory.max", "max\n"},
      {"/sys/fs/cgroup/system.slice/memory.max", "8589934592\n"},
      {"/sys/fs/cgroup/system.slice/slurm/cpu.max", "250000 100000\n"},
      {"/sys/fs/cgroup/system.slice/slurm/job_7/step_0/cpu.max", "max 100000\n"},
      {"/sys/fs/cgroup/other/memory.max", "4096\n"}},
     2 * GIB,
     "/sys/fs/cgroup/system.slice/slurm/job_7/memory.max",
     3},
    {"version 2, the process's own group",
     "0::/a\n",
     V2,
     {{"/sys/fs/cgroup/a/memory.max", "1073741824\n"},
      {"/sys/fs/cgroup/a/cpu.max", "1000 100000\n"}},
     GIB,
     "/sys/fs/cgroup/a/memory.max",
     1},
    {"version 2, memory.high below memory.max",
     "0::/a/b\n",
     V2,
     {{"/sys/fs/cgroup/a/memory.max", "3221225472\n"},
      {"/sys/fs/cgroup/a/b/memory.high", "1073741824\n"}},
     GIB,
     "/sys/fs/cgroup/a/b/memory.high",
     NONE},
    {"version 2, a namespace whose root is the group",
     "0::/\n",
     V2,
     {{"/sys/fs/cgroup/memory.max", "1073741824\n"}, {"/sys/fs/cgroup/cpu.max", "400000 100000\n"}},
     GIB,
     "/sys/fs/cgroup/memory.max",
     4},
    {"a group outside of the namespace: only the mount's root",
     "0::/../../job\n",
     V2,
     {{"/sys/fs/cgroup/memory.max", "1073741824\n"},
      {"/sys/fs/job/memory.max", "4096\n"},
      {"/sys/fs/cgroup/job/memory.max", "4096\n"}},
     GIB,
     "/sys/fs/cgroup/memory.max",
     NONE},
    {"a mount whose root is a group of the host",
     "0::/docker/1f/inner\n",
     "31 23 0:26 /docker/1f /sys/fs/cgroup ro - cgroup2 cgroup rw\n",
     {{"/sys/fs/cgroup/inner/memory.max", "1073741824\n"},
      {"/sys/fs/cgroup/docker/1f/inner/memory.max", "4096\n"},
      {"/sys/fs/cgroup/memory.max", "2147483648\n"}},
     GIB,
     "/sys/fs/cgroup/inner/memory.max",
     NONE},
    {"a root that only begins like the group",
     "0::/docker/1fe\n",
     "31 23 0:26 /docker/1f /sys/fs/cgroup ro - cgroup2 cgroup rw\n",
     {{"/sys/fs/cgroup/e/memory.max", "4096\n"}, {"/sys/fs/cgroup/memory.max", "2147483648\n"}},
     2 * GIB,
     "/sys/fs/cgroup/memory.max",
     NONE},
    {"version 1, below the root, two controllers in one tree",
     "5:cpu,cpuacct:/slurm/uid_1/job_2\n4:cpuset:/x\n3:memory:/slurm/uid_1/job_2/step_0\n"
     "1:name=systemd:/y\n0::/y\n",
     OTHERS "33 32 0:30 / /cg/cpu,cpuacct rw - cgroup cgroup rw,cpuacct,cpu\n"
            "34 32 0:31 / /cg/memory rw - cgroup cgroup rw,memory\n"
            "35 32 0:32 / /cg/cpuset rw - cgroup cgroup rw,cpuset\n",
     {{"/cg/memory/slurm/uid_1/job_2/memory.limit_in_bytes", "1073741824\n"},
      {"/cg/memory/slurm/uid_1/job_2/step_0/memory.limit_in_bytes", "9223372036854771712\n"},
      {"/cg/memory/memory.limit_in_bytes", "9223372036854771712\n"},
      {"/cg/cpu,cpuacct/slurm/cpu.cfs_quota_us", "150000\n"},
      {"/cg/cpu,cpuacct/slurm/cpu.cfs_period_us", "100000\n"},
      {"/cg/cpu,cpuacct/slurm/uid_1/job_2/cpu.cfs_quota_us", "-1\n"},
      {"/cg/cpu,cpuacct/slurm/uid_1/job_2/cpu.cfs_period_us", "100000\n"}},
     GIB,
     "/cg/memory/slurm/uid_1/job_2/memory.limit_in_bytes",
     2},
    {"both versions, memory in one and processors in the other",
     "7:memory:/job\n0::/job/sub\n",
     "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n"
     "35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n",
     {{"/sys/fs/cgroup/memory/job/memory.limit_in_bytes", "1073741824\n"},
      {"/sys/fs/cgroup/unified/job/cpu.max", "200000 100000\n"}},
     GIB,
     "/sys/fs/cgroup/memory/job/memory.limit_in_bytes",
     2},
    {"a mount point with a blank",
     "0::/a b\n",
     "31 23 0:26 / /c\\040g rw - cgroup2 cgroup rw\n",
     {{"/c g/a b/memory.max", "1073741824\n"}},
     GIB,
     "/c g/a b/memory.max",
     NONE},
    {"no limits",
     "0::/a\n",
     V2,
     {{"/sys/fs/cgroup/a/memory.max", "max\n"}, {"/sys/fs/cgroup/a/cpu.max", "max 100000\n"}},
     NONE,
     NULL,
     NONE},
    {"values that are none",
     "0::/a\n",
     V2,
     {{"/sys/fs/cgroup/a/memory.max", "12x\n"},
      {"/sys/fs/cgroup/a/memory.high", "-5\n"},
      {"/sys/fs/cgroup/memory.max", ""},
      {"/sys/fs/cgroup/memory.high", "0\n"},
      {"/sys/fs/cgroup/a/cpu.max", "100000\n"},
      {"/sys/fs/cgroup/cpu.max", "5 0\n"},
      {"/sys/fs/cgroup/cpu.cfs_quota_us", "99999999999999999999999\n"}},
     NONE,
     NULL,
     NONE},
    {"garbage instead of groups and mounts",
     "\n:\n::\n0:\n0::\n0::a\nx\n3:memory\n",
     "\n - \n - cgroup2\n1 2 3 4 5 6 - \n1 2 3 4 5 6 - cgroup2 x\n1 2 - cgroup2 x rw\n" V2,
     {{"/sys/fs/cgroup/memory.max", "4096\n"}},
     NONE,
     NULL,
     NONE},
    {"no mount", "0::/a\n", OTHERS, {{"/sys/fs/cgroup/a/memory.max", "4096\n"}}, NONE, NULL, NONE},
};

/* Each tree of a table yields its lowest limits, and the file that states the one of memory. */
START_TEST(trees_have_limits)
{
  for (const tree *t = trees; t < trees + sizeof trees / sizeof *trees; t++) {
    set_up();
    put("/proc/self/cgroup", t->groups);
    put("/proc/self/mountinfo", t->mounts);
    for (size_t i = 0; i < sizeof t->file / sizeof *t->file && t->file[i].path; i++)
      put(t->file[i].path, t->file[i].text);
    check_limits(t->label, t->memory, t->memory_path, t->processors);
    tear_down();
  }
}
END_TEST

/* Missing files set no limit. */
START_TEST(nothing_there)
{
  set_up();
  check_limits("an empty folder", NONE, NULL, NONE);
  put("/proc/self/cgroup", "0::/a\n");
  check_limits("no mounts", NONE, NULL, NONE);
  tear_down();
}
END_TEST

/* Sixty ancestors are all looked at; a group and a line that are too long do no harm, and the
 * mounts after them count. */
START_TEST(long_paths)
{
  static char groups[1 << 16], mounts[1 << 18];
  char path[2048] = "/sys/fs/cgroup";
  set_up();
  strcpy(groups, "0::");
  for (int i = 0; i < 60; i++) {
    strcat(path, "/0123456789");
    strcat(groups, "/0123456789");
    if (i == 20)
      put(strcat(strcpy(mounts, path), "/memory.max"), "1073741824\n");
  }
  put("/proc/self/cgroup", groups);
  memset(mounts, 'x', 200000);
  strcpy(mounts + 200000, " - overlay overlay rw\n" V2);
  put("/proc/self/mountinfo", mounts);
  path[strlen("/sys/fs/cgroup") + 21 * 11] = '\0';
  check_limits("sixty ancestors", GIB, strcat(path, "/memory.max"), NONE);

  memset(groups, '/', 10000);
  strcpy(groups + 10000, "\n");
  memcpy(groups, "0::", 3);
  put("/proc/self/cgroup", groups);
  put("/proc/self/mountinfo", V2);
  put("/sys/fs/cgroup/memory.max", "2147483648\n");
  check_limits("a path of slashes", 2 * GIB, "/sys/fs/cgroup/memory.max", NONE);
  memset(groups + 4, 'a', 60000);
  groups[60004] = '\0';
  put("/proc/self/cgroup", groups);
  check_limits("a name that is too long", NONE, NULL, NONE);
  tear_down();
}
END_TEST

/* The limits of this process are no more than what the machine has, and what the library uses is no
 * more than the limits; a limit above the machine's memory changes nothing. */
START_TEST(own_limits)
{
  const ms_job_limits *own = ms_job_limits_own();
  ck_assert_ptr_eq(own, ms_job_limits_own());
  ck_assert_uint_le(ms_physical_memory(), own->memory);
  ck_assert_uint_le(ms_physical_memory(), ms_address_limit());
  if (!getenv("OMP_NUM_THREADS"))
    ck_assert_uint_le((uint64_t)ms_threads(0), own->processors);
}
END_TEST

TEST_MAIN("job_limits", TEST(trees_have_limits), TEST(nothing_there), TEST(long_paths),
          TEST(own_limits))
