#include "gpu/loader/loader.h"

#include "base/descriptor.h"
#include "base/utf8.h"
#include "gpu/loader/library.h"

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

static const char again[] = "install it again from the release that this library is from";

/* ---- where it is ------------------------------------------------------------------------- */

/* Writes the folder of the file that contains the library; *program: the file is the program. */
static bool find_folder(char folder[PATH_MAX], bool *program)
{
  Dl_info own;
  *program = false;
  folder[0] = 0;
  if (!dladdr(&load_once, &own) || !own.dli_fname)
    return false;
#ifdef __linux__
  /* The name of a program is what its user typed, from another folder perhaps. */
  Dl_info of_program;
  *program = dladdr((const void *)getauxval(AT_PHDR), &of_program) &&
             of_program.dli_fbase == own.dli_fbase;
  if (!realpath(*program ? "/proc/self/exe" : own.dli_fname, folder))
    return false;
#else
  if (!realpath(own.dli_fname, folder))
    return false;
#endif
  char *slash = strrchr(folder, '/');
  if (slash)
    *slash = 0;
  return slash != NULL;
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
  else if (!plugin->attach(&ms_library_functions))
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
  const char *damage = strchr(path, '/') ? find_damage(path) : NULL;
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

static void load(void)
{
  const char *named = read_variable();
  char folder[PATH_MAX], remedy[300];
  bool program;
  if (named && strcmp(named, "0") == 0) {
    blame("MOTIFSIEVE_CUDA", "is 0, which forbids GPUs", NULL, "unset it to use them");
    return;
  }
  if (named && *named) {
    open_object(named, "let MOTIFSIEVE_CUDA name the " FILE_NAME " of this release, or unset it");
    return;
  }
  bool known = find_folder(folder, &program);
  if (known && (open_in(folder, "") || (program && open_in(folder, "../lib/"))))
    return;
  /* the linker's message names its own search alone */
  snprintf(remedy, sizeof remedy,
           known ? "it is not in %.200s%s, either; install it, or name it with MOTIFSIEVE_CUDA"
                 : "install it, or name it with MOTIFSIEVE_CUDA",
           folder, program ? " or in ../lib" : "");
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
  return (named && *named) || dlopen(MS_CUDA_DRIVER, RTLD_LAZY | RTLD_LOCAL);
}

/* The driver is looked for before the plug-in is loaded: a machine without one then pays next to
 * nothing, and does not run the constructors of the CUDA runtime, which crash where memory is
 * short. */
static void find_driver(void)
{
  if (!may_have_driver())
    return;
  const ms_gpu_plugin *plugin = ms_gpu_plugin_load();
  has_driver = plugin && (!plugin->driver || dlopen(plugin->driver, RTLD_LAZY | RTLD_LOCAL));
}

bool ms_gpu_plugin_has_driver(void)
{
  pthread_once(&driver_once, find_driver);
  return has_driver;
}
