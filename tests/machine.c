/* A library for LD_PRELOAD that shows a program another machine (tests/machines.sh), as far as the
 * program asks libc and the processor what they have.  MOTIFSIEVE_TEST_MACHINE names the facts:
 *
 *   processors=16 l2=512K l3=32M memory=64G without=avx512f,gfni
 *
 * What it does not name is as it is.  Features of the processor are taken away only from the
 * program itself and not from libraries that it loads. */
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

/* Finds a fact of this name, the text after "NAME=". */
static const char *fact(const char *name)
{
  const char *text = getenv("MOTIFSIEVE_TEST_MACHINE");
  size_t length = strlen(name);
  for (; text && *text; text += strcspn(text, " "), text += strspn(text, " "))
    if (strncmp(text, name, length) == 0 && text[length] == '=')
      return text + length + 1;
  return NULL;
}

/* Returns a fact's number, with K, M or G after it, or `usual` if there is none. */
static long number(const char *name, long usual)
{
  const char *text = fact(name);
  char *end;
  if (!text)
    return usual;
  long value = strtol(text, &end, 10);
  return *end == 'K' ? value << 10 : *end == 'M' ? value << 20 : *end == 'G' ? value << 30 : value;
}

/* ---- sizes and numbers -------------------------------------------------------------- */

EXPORT long sysconf(int name)
{
  static long (*real)(int);
  if (!real)
    *(void **)&real = dlsym(RTLD_NEXT, "sysconf");
  long value = real(name);
  switch (name) {
  case _SC_NPROCESSORS_ONLN:
  case _SC_NPROCESSORS_CONF:
    return number("processors", value);
  case _SC_LEVEL2_CACHE_SIZE:
    return number("l2", value);
  case _SC_LEVEL3_CACHE_SIZE:
    return number("l3", value);
  case _SC_PHYS_PAGES:
    return fact("memory") ? number("memory", 0) / real(_SC_PAGESIZE) : value;
  default:
    return value;
  }
}

EXPORT int sched_getaffinity(pid_t pid, size_t size, cpu_set_t *set)
{
  long processors = number("processors", 0);
  memset(set, 0, size);
  if (processors <= 0)
    return syscall(SYS_sched_getaffinity, pid, size, set) < 0 ? -1 : 0;
  for (long i = 0; i < processors; i++)
    CPU_SET_S((size_t)i, size, set);
  return 0;
}

/* ---- features of the processor ------------------------------------------------------ */

#ifdef __x86_64__
/* The numbers of features in what __builtin_cpu_supports reads, which are a part of the ABI: bit
 * number % 32 of __cpu_model's last word, or from 32 on of __cpu_features2. */
static const struct {
  const char *name;
  unsigned number;
} features[] = {
    {"popcnt", 2},    {"sse4.2", 8},    {"avx2", 10},     {"avx512f", 15},         {"bmi", 16},
    {"bmi2", 17},     {"avx512vl", 20}, {"avx512bw", 21}, {"avx512vpopcntdq", 30}, {"gfni", 32},
    {"avx512dq", 22},
};

static bool is_taken(const char *list, const char *name)
{
  size_t length = strlen(name);
  for (; *list && *list != ' '; list += strcspn(list, ", "), list += *list == ',')
    if (strncmp(list, name, length) == 0 && strchr(", ", list[length]))
      return true;
  return false;
}

static int find_program(struct dl_phdr_info *info, size_t size, void *user)
{
  (void)size;
  *(uintptr_t *)user = info->dlpi_addr; /* the first object is the program */
  return 1;
}

/* Returns the address of a variable of the program, which need not export it; NULL if there is no
 * such variable. */
static void *program_variable(const char *name)
{
  void *found = NULL;
  uintptr_t base = 0;
  struct stat info;
  int fd = (int)syscall(SYS_openat, AT_FDCWD, "/proc/self/exe", O_RDONLY | O_CLOEXEC);
  dl_iterate_phdr(find_program, &base);
  if (fd < 0 || fstat(fd, &info) != 0)
    return NULL;
  const char *file = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
  syscall(SYS_close, fd);
  if (file == MAP_FAILED)
    return NULL;
  const Elf64_Ehdr *head = (const void *)file;
  const Elf64_Shdr *section = (const void *)(file + head->e_shoff);
  for (unsigned i = 0; i < head->e_shnum && !found; i++)
    if (section[i].sh_type == SHT_SYMTAB) {
      const Elf64_Sym *symbol = (const void *)(file + section[i].sh_offset);
      const char *names = file + section[section[i].sh_link].sh_offset;
      for (size_t s = 0; s < section[i].sh_size / sizeof *symbol && !found; s++)
        if (symbol[s].st_size && strcmp(names + symbol[s].st_name, name) == 0)
          found = (void *)(base + symbol[s].st_value);
    }
  munmap((void *)(uintptr_t)file, (size_t)info.st_size);
  return found;
}

/* Fills what the program's copy of libgcc would fill, which then leaves it as it is. */
__attribute__((constructor)) static void take_features(void)
{
  const char *without = fact("without");
  if (!without)
    return;
  uint32_t *model = program_variable("__cpu_model"), *more = program_variable("__cpu_features2");
  int (*detect)(void);
  *(void **)&detect = program_variable("__cpu_indicator_init");
  if (!model || !detect)
    return;
  detect();
  for (unsigned i = 0; i < sizeof features / sizeof *features; i++) {
    unsigned bit = features[i].number;
    if (!is_taken(without, features[i].name))
      continue;
    if (bit < 32)
      model[3] &= ~(UINT32_C(1) << bit);
    else if (more)
      more[bit / 32 - 1] &= ~(UINT32_C(1) << bit % 32);
  }
}
#endif
