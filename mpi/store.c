#include "mpi/store.h"

#include "base/alloc.h"
#include "base/crc32c.h"
#include "base/file/descriptor.h"
#include "base/status.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void ms_store_open(ms_store *s, uint64_t most)
{
  *s = (ms_store){.most = most, .file = -1};
}

void ms_store_close(ms_store *s)
{
  if (s->file >= 0)
    close(s->file);
  ms_free(s->free_block);
  *s = (ms_store){.file = -1};
}

static const char *folder(void)
{
  const char *name = getenv("TMPDIR");
  return name && name[0] ? name : "/tmp";
}

static ms_status fail_file(const char *what, int number, ms_error *err)
{
  return ms_fail(err, MS_ERR_OUTPUT,
                 "the file for rows that wait in rank 0 cannot be %s in %s: %s; let TMPDIR be a "
                 "folder with room, or raise --rank-memory",
                 what, folder(), strerror(number));
}

static ms_status open_file(ms_store *s, ms_error *err)
{
  char path[4096];
  if (s->file >= 0)
    return MS_OK;
  s->file = ms_open(folder(), O_TMPFILE | O_RDWR, 0600);
  if (s->file >= 0)
    return MS_OK;
  /* a file system that has no files without a name */
  snprintf(path, sizeof path, "%s/motifsieve-rows-%ld", folder(), (long)getpid());
  s->file = ms_open(path, O_CREAT | O_EXCL | O_RDWR, 0600);
  if (s->file < 0)
    return fail_file("created", errno, err);
  unlink(path);
  return MS_OK;
}

/* Makes room in the list for each block of the file, so that none is lost when it becomes free. */
static ms_status make_room(ms_store *s, ms_error *err)
{
  if (s->blocks < s->room)
    return MS_OK;
  uint64_t room = 2 * s->room + 64;
  uint64_t *larger = ms_resize(s->free_block, s->room, room, sizeof *larger);
  if (!larger)
    return ms_fail_memory(err, "the rows that wait");
  s->free_block = larger;
  s->room = room;
  return MS_OK;
}

static off_t place(uint64_t block)
{
  return (off_t)(block * MS_PIECE_BYTES);
}

static ms_status write_block(ms_store *s, ms_stored *p, const unsigned char *data, ms_error *err)
{
  MS_TRY(open_file(s, err));
  MS_TRY(make_room(s, err));
  p->crc32c = ms_crc32c(0, data, p->length);
  p->block = s->n_free > 0 ? s->free_block[--s->n_free] : s->blocks++;
  for (size_t at = 0; at < p->length;) {
    ssize_t put = pwrite(s->file, data + at, p->length - at, place(p->block) + (off_t)at);
    if (put < 0 && errno == EINTR)
      continue;
    if (put <= 0) {
      int number = put < 0 ? errno : ENOSPC;
      s->free_block[s->n_free++] = p->block;
      return fail_file("written", number, err);
    }
    at += (size_t)put;
  }
  return MS_OK;
}

ms_status ms_store_put(ms_store *s, const void *data, size_t length, ms_stored **out, ms_error *err)
{
  ms_stored *p = ms_calloc(1, sizeof *p);
  *out = NULL;
  if (!p)
    return ms_fail_memory(err, "the rows that wait");
  p->length = length;
  if (s->in_memory + length <= s->most)
    p->data = ms_alloc(length ? length : 1, 1);
  if (p->data) {
    memcpy(p->data, data, length);
    s->in_memory += length;
  } else {
    ms_status status = write_block(s, p, data, err);
    if (status != MS_OK) {
      ms_free(p);
      return status;
    }
  }
  *out = p;
  return MS_OK;
}

const unsigned char *ms_store_read(const ms_store *s, const ms_stored *p, unsigned char *buffer,
                                   ms_error *err)
{
  if (p->data)
    return p->data;
  for (size_t at = 0; at < p->length;) {
    ssize_t got = pread(s->file, buffer + at, p->length - at, place(p->block) + (off_t)at);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0) {
      fail_file("read", got < 0 ? errno : EIO, err);
      return NULL;
    }
    at += (size_t)got;
  }
  if (ms_crc32c(0, buffer, p->length) != p->crc32c) {
    ms_fail(err, MS_ERR_OUTPUT,
            "the file for rows that wait in rank 0 does not hold what was written to it; look for "
            "messages of the system about the disk of %s",
            folder());
    return NULL;
  }
  return buffer;
}

void ms_store_drop(ms_store *s, ms_stored *p)
{
  if (p->data)
    s->in_memory -= p->length;
  else
    s->free_block[s->n_free++] = p->block;
  ms_free(p->data);
  ms_free(p);
}
