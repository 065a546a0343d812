/* Whole inputs in memory. */

#include "base/alloc.h"
#include "base/status.h"
#include "graph/formats/binary_file.h"

#include <string.h>
#include <sys/mman.h>

/* A size that the file only states is believed up to this bound; beyond it, memory grows with
 * the input. */
#define FIRST_ROOM ((uint64_t)64 << 20)

static ms_status fail_size(const ms_text *text, uint64_t got, uint64_t size, ms_error *err)
{
  if (got > size)
    return ms_fail(err, MS_ERR_INPUT,
                   "%s: continues after its end, which is at %llu bytes; copy or download the "
                   "file again",
                   text->label, (unsigned long long)size);
  return ms_fail(err, MS_ERR_INPUT,
                 "%s: is cut off: %llu of %llu bytes are there; copy or download the file again",
                 text->label, (unsigned long long)got, (unsigned long long)size);
}

static ms_status read_all(ms_text *text, uint64_t size, ms_image *image, ms_error *err)
{
  uint64_t room = size < FIRST_ROOM ? size : FIRST_ROOM, used = 0;
  const char *bytes;
  size_t got;
  image->bytes = ms_alloc(room, 1);
  if (!image->bytes)
    return ms_fail_memory(err, "the graph file");
  for (;;) {
    MS_TRY(ms_text_read_bytes(text, &bytes, &got, err));
    if (got == 0 || got > size - used)
      break;
    if (got > room - used) {
      uint64_t larger = room > size / 2 ? size : 2 * room;
      void *grown = ms_resize(image->bytes, room, larger, 1);
      if (!grown)
        return ms_fail_memory(err, "the graph file");
      image->bytes = grown;
      room = larger;
    }
    memcpy((char *)image->bytes + used, bytes, got);
    used += got;
  }
  image->size = used;
  return used + got == size ? MS_OK : fail_size(text, used + got, size, err);
}

ms_status ms_image_read(ms_text *text, uint64_t size, ms_image *image, ms_error *err)
{
  int file;
  size_t there;
  *image = (ms_image){0};
  if (ms_source_is_plain_file(text->source, &file, &there)) {
    if (there != size)
      return fail_size(text, there, size, err);
    void *bytes = mmap(NULL, there, PROT_READ, MAP_PRIVATE, file, 0);
    if (bytes != MAP_FAILED) {
      *image = (ms_image){bytes, there, true};
      return MS_OK;
    }
    /* the file system cannot map, so the file is read */
  }
  ms_status status = read_all(text, size, image, err);
  if (status != MS_OK)
    ms_image_free(image);
  return status;
}
