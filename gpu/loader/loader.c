#include "gpu/loader/loader.h"

#include "base/file/descriptor.h"
#include "base/text/utf8.h"
#include "gpu/loader/plugin.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __linux__
#include <link.h>
#include <sys/auxv.h>
#endif

#define TEXT_OF(number) #number
#define FILE_OF(abi) "libmotifsieve-cuda.so." TEXT_OF(abi)
#define FILE_NAME FILE_OF(MS_CUDA_ABI)
/* 1 in a program that contains the C library, which can load nothing that needs another one */
#ifndef MS_STATIC
#define MS_STATIC 0
#endif

static pthread_once_t load_once = PTHREAD_ONCE_INIT, driver_once = PTHREAD_ONCE_INIT;
static _Atomic(const ms_gpu_plugin *) the_plugin;
static char fault[sizeof((ms_error *)0)->message - 100]; /* a message has room for it */
static bool has_driver;

/* ---- why there is none ------------------------------------------------------------------ */

/* Notes the reason.  `what` follows the file's name. */
static void blame(const char *file, const char *what, const char *detail, const char *remedy)
{
  char text[sizeof fault];
  int length = snprintf(text, sizeof text, "%s %s", file, what);
  if (detail && length > 0 && (size_t)length < sizeof text)
    length += snprintf(text + length, sizeof text - (size_t)length, ": %s", detail);
  if (length > 0 && (size_t)length < sizeof text)
    snprintf(text + length, sizeof text - (size_t)length, "; %s", remedy);
  ms_escape(text, fault, sizeof fault);
}

/* The functions of the library that the plug-in receives. */
#define SET(name) .name = name,
static const ms_library library_functions = {.connected_sets = &ms_engine_connected_sets,
                                             MS_LIBRARY_FUNCTIONS(SET) MS_NUMBER_FUNCTIONS(SET)};
#undef SET

static const char again[] = "install it again from the release that this library is from";

/* ---- where it is ------------------------------------------------------------------------- */

/* What relative names depend on, as it was when the library was loaded: a program that changes its
 * folder later does not change which file is opened. */
static struct {
  char start[PATH_MAX];  /* the current folder; empty: unknown */
  char folder[PATH_MAX]; /* of the file that contains the library; empty: unknown */
  bool program;          /* that file is the program */
} place;

static void find_folder(void)
{
  Dl_info own;
  if (!dladdr(&load_once, &own) || !own.dli_fname)
    return;
  const char *name = own.dli_fname;
#ifdef __linux__
  /* The name of a program is what its user typed, from another folder perhaps. */
  Dl_info of_program;
  place.program = dladdr((const void *)getauxval(AT_PHDR), &of_program) &&
                  of_program.dli_fbase == own.dli_fbase;
  name = place.program ? "/proc/self/exe" : name;
#endif
  char *slash = realpath(name, place.folder) ? strrchr(place.folder, '/') : NULL;
  if (slash)
    *slash = 0;
  else
    place.folder[0] = 0;
}

__attribute__((constructor)) static void note_place(void)
{
  if (!getcwd(place.start, sizeof place.start))
    place.start[0] = 0;
  find_folder();
}

/* True if the dynamic linker might find the object of this name by a part of LD_LIBRARY_PATH that
 * depends on the current folder, as an empty part does: there, anybody may have put a file. */
static bool is_in_current_folder(const char *name)
{
  const char *part = getenv("LD_LIBRARY_PATH");
  while (part && *part) {
    static const char *const forms[] = {"%.*s%s%s", "%.*s%sglibc-hwcaps"};
    char path[PATH_MAX];
    size_t length = strcspn(part, ":;");
    for (size_t i = 0; i < 2 && part[0] != '/'; i++)
      if (snprintf(path, sizeof path, forms[i], (int)length, part, length ? "/" : "", name) > 0 &&
          access(path, F_OK) == 0)
        return true;
    if (!part[length])
      return false;
    part += length + 1;
    if (!*part) /* an empty part at the end */
      return access(name, F_OK) == 0 || access("glibc-hwcaps", F_OK) == 0;
  }
  return false;
}

/* ---- loading ------------------------------------------------------------------------------- */

/* Returns what is wrong with a file that the dynamic linker would map beyond its end, and die of
 * it; NULL: nothing, as far as can be seen. */
static const char *find_damage(const char *path)
{
  const char *damage = NULL;
#ifdef __linux__
  ElfW(Ehdr) head;
  struct stat facts;
  int file = ms_open(path, O_RDONLY, 0);
  if (file < 0)
    return strerror(errno);
  if (fstat(file, &facts) != 0 || !S_ISREG(facts.st_mode))
    damage = "it is not a regular file";
  else if (ms_read(file, &head, sizeof head) != (ssize_t)sizeof head ||
           memcmp(head.e_ident, ELFMAG, SELFMAG) != 0)
    damage = "it is not a shared object";
  else if (head.e_shoff + (uint64_t)head.e_shentsize * head.e_shnum > (uint64_t)facts.st_size)
    damage = "the file is cut short";
  close(file);
#else
  (void)path;
#endif
  return damage;
}

/* Returns the table of an opened object if it fits this library. */
static const ms_gpu_plugin *check_table(void *object, const char *path)
{
  const ms_gpu_plugin *plugin = dlsym(object, MS_GPU_PLUGIN_TABLE);
  char detail[200];
  if (!plugin)
    blame(path, "is no code for GPUs of motifsieve", NULL, again);
  else if (strcmp(plugin->version, MS_VERSION) != 0) {
    snprintf(detail, sizeof detail, "it is from version %.40s, and the library is version %s",
             plugin->version, MS_VERSION);
    blame(path, "does not fit this library", detail, again);
  } else if (plugin->abi != MS_CUDA_ABI || plugin->size != sizeof *plugin ||
             strcmp(plugin->sources, MS_SOURCES) != 0)
    blame(path, "does not fit this library",
          "it was built from other sources of version " MS_VERSION,
          "build both from the same sources");
  else if (!plugin->attach(&library_functions))
    blame(path, "serves another copy of libmotifsieve in this process",
          "only the first one that asks for GPUs gets them",
          "let that copy do all work on GPUs, or load one shared library in place of both");
  else
    return plugin;
  return NULL;
}

/* Opens the object at this path, or of this name.  False: it cannot be opened. */
static bool open_object(const char *path, const char *remedy)
{
  if (MS_STATIC) {
    blame(path, "cannot be loaded", "this program is linked statically",
          "for GPUs, use a motifsieve that is not");
    return false;
  }
  const char *damage = strchr(path, '/')            ? find_damage(path)
                       : is_in_current_folder(path) ? "LD_LIBRARY_PATH leads to the current folder"
                                                    : NULL;
  void *object = damage ? NULL : dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!object) {
    blame(path, "cannot be loaded", damage ? damage : dlerror(), remedy);
    return false;
  }
  const ms_gpu_plugin *plugin = check_table(object, path);
  atomic_store(&the_plugin, plugin);
  if (!plugin)
    dlclose(object);
  return true;
}

/* Opens the object in a folder.  False if there is none. */
static bool open_in(const char *folder, const char *below)
{
  char path[PATH_MAX];
  struct stat facts;
  int length = snprintf(path, sizeof path, "%s/%s%s", folder, below, FILE_NAME);
  if (length < 0 || (size_t)length >= sizeof path || stat(path, &facts) != 0)
    return false;
  open_object(path, again);
  return true;
}

static const char *read_variable(void)
{
#ifdef __linux__
  /* not for a program with more rights than its user has */
  return secure_getenv("MOTIFSIEVE_CUDA");
#else
  return getenv("MOTIFSIEVE_CUDA");
#endif
}

/* Opens the object that MOTIFSIEVE_CUDA names.  A relative path starts at the folder in which the
 * program was when it loaded the library. */
static void open_named(const char *named)
{
  char path[PATH_MAX];
  const char *remedy = "let MOTIFSIEVE_CUDA name the " FILE_NAME " of this release, or unset it";
  if (named[0] == '/' || !strchr(named, '/'))
    open_object(named, remedy);
  else if (!place.start[0] || snprintf(path, sizeof path, "%s/%s", place.start, named) >= PATH_MAX)
    blame(named, "cannot be loaded", "the folder where it starts is not known", remedy);
  else
    open_object(path, remedy);
}

static void load(void)
{
  const char *named = read_variable(), *folder = place.folder;
  char remedy[300];
  if (named && strcmp(named, "0") == 0) {
    blame("MOTIFSIEVE_CUDA", "is 0, which forbids GPUs", NULL, "unset it to use them");
    return;
  }
  if (named && *named) {
    open_named(named);
    return;
  }
  if (*folder && (open_in(folder, "") || (place.program && open_in(folder, "../lib/"))))
    return;
  /* the linker's message names its own search alone */
  snprintf(remedy, sizeof remedy,
           *folder ? "it is not in %.200s%s, either; install it, or name it with MOTIFSIEVE_CUDA"
                   : "install it, or name it with MOTIFSIEVE_CUDA",
           folder, place.program ? " or in ../lib" : "");
  open_object(FILE_NAME, remedy);
}

const ms_gpu_plugin *ms_gpu_plugin_load(void)
{
  pthread_once(&load_once, load);
  return atomic_load(&the_plugin);
}

const ms_gpu_plugin *ms_gpu_plugin_loaded(void)
{
  return atomic_load(&the_plugin);
}

const char *ms_gpu_plugin_fault(void)
{
  return fault;
}

ms_status ms_gpu_plugin_fail(ms_error *err)
{
  return ms_fail(err, MS_ERR_USAGE, "there is no GPU to use (none: %s); use the CPU", fault);
}

/* ---- the driver -------------------------------------------------------------------------- */

/* True unless there can be no driver.  A plug-in that is named may need none. */
static bool may_have_driver(void)
{
  const char *named = read_variable();
  return (named && *named) ||
         (!is_in_current_folder(MS_CUDA_DRIVER) && dlopen(MS_CUDA_DRIVER, RTLD_LAZY | RTLD_LOCAL));
}

/* The driver is looked for before the plug-in is loaded: a machine without one then pays next to
 * nothing, and does not run the constructors of the CUDA runtime, which crash where memory is
 * short. */
static void find_driver(void)
{
  if (MS_STATIC || !may_have_driver())
    return;
  const ms_gpu_plugin *plugin = ms_gpu_plugin_load();
  has_driver = plugin && (!plugin->driver || (!is_in_current_folder(plugin->driver) &&
                                              dlopen(plugin->driver, RTLD_LAZY | RTLD_LOCAL)));
}

bool ms_gpu_plugin_has_driver(void)
{
  pthread_once(&driver_once, find_driver);
  return has_driver;
}
