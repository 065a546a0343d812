/* The columns of a result as a stream of the Arrow C data interface
 * (https://arrow.apache.org/docs/format/CDataInterface.html), without a library of Arrow.
 *
 * Consumers release what they got on any thread, without Python's global lock, and perhaps while
 * the process ends; so the functions of release are C.  build_native.py reads the declarations
 * marked PY. */
#ifndef MOTIFSIEVE_PYTHON_ARROW_H
#define MOTIFSIEVE_PYTHON_ARROW_H

#include <Python.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* The three structs of the interface, as its page defines them. */
struct ArrowSchema {
  const char *format, *name, *metadata;
  int64_t flags, n_children;
  struct ArrowSchema **children, *dictionary;
  void (*release)(struct ArrowSchema *);
  void *private_data;
};

struct ArrowArray {
  int64_t length, null_count, offset, n_buffers, n_children;
  const void **buffers;
  struct ArrowArray **children, *dictionary;
  void (*release)(struct ArrowArray *);
  void *private_data;
};

struct ArrowArrayStream {
  int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *);
  int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *);
  const char *(*get_last_error)(struct ArrowArrayStream *);
  void (*release)(struct ArrowArrayStream *);
  void *private_data;
};

/* The numbers of a node; arrow.py writes them in this order. */
enum {
  ARROW_LENGTH,
  ARROW_NULLS,
  ARROW_FLAGS,
  ARROW_BUFFERS,
  ARROW_CHILDREN,
  ARROW_DICTIONARY, /* 1: a node of the dictionary follows the children */
  ARROW_NUMBERS
};
enum { ARROW_MOST_BUFFERS = 3 };

/* A tree of columns, its nodes in the order of a depth-first search: a node comes before its
 * children and its dictionary.  `owner` is the Python object that holds the arrays below and all
 * buffers. */
typedef struct arrow_columns {
  atomic_size_t users; /* structs that point to it; the last one to be released frees it */
  PyObject *owner;
  const char *const *format, *const *name; /* [nodes] */
  const char *metadata;                    /* of the root; NULL: none */
  const int64_t *number;                   /* [nodes][ARROW_NUMBERS] */
  const void *const *buffer;               /* [nodes][ARROW_MOST_BUFFERS] */
} arrow_columns;

static void arrow_drop(arrow_columns *columns)
{
  if (atomic_fetch_sub(&columns->users, 1) > 1)
    return;
  /* After the end of the interpreter there is no lock to take, and the process is about to end. */
  if (Py_IsInitialized()) {
    PyGILState_STATE state = PyGILState_Ensure();
    Py_DecRef(columns->owner);
    PyGILState_Release(state);
  }
  free(columns);
}

/* ---- schemas ------------------------------------------------------------------------- */

/* A parent owns the memory of the structs of its children and of its dictionary.  A consumer that
 * moves one of them copies the struct and sets its `release` to NULL. */
typedef struct arrow_schema_block {
  arrow_columns *columns;
  struct ArrowSchema dictionary, *child;
  struct ArrowSchema *children[];
} arrow_schema_block;

static void arrow_release_schema(struct ArrowSchema *schema)
{
  arrow_schema_block *block = (arrow_schema_block *)schema->private_data;
  for (int64_t i = 0; i < schema->n_children; i++)
    if (block->child[i].release)
      block->child[i].release(&block->child[i]);
  if (schema->dictionary && block->dictionary.release)
    block->dictionary.release(&block->dictionary);
  arrow_drop(block->columns);
  free(block->child);
  free(block);
  schema->release = NULL;
}

/* Fills `out` from the nodes that begin with *node, and moves *node behind them.  Returns false,
 * and leaves nothing, if there is no memory. */
static bool arrow_fill_schema(arrow_columns *columns, size_t *node, struct ArrowSchema *out)
{
  const size_t at = (*node)++;
  const int64_t *number = columns->number + at * ARROW_NUMBERS;
  const size_t children = (size_t)number[ARROW_CHILDREN];
  arrow_schema_block *block =
      (arrow_schema_block *)calloc(1, sizeof *block + children * sizeof *block->children);
  struct ArrowSchema *child = (struct ArrowSchema *)calloc(children + 1, sizeof *child);
  if (!block || !child) {
    free(block);
    free(child);
    return false;
  }
  block->columns = columns;
  block->child = child;
  atomic_fetch_add(&columns->users, 1);
  *out = (struct ArrowSchema){.format = columns->format[at],
                              .name = columns->name[at],
                              .metadata = at ? NULL : columns->metadata,
                              .flags = number[ARROW_FLAGS],
                              .n_children = (int64_t)children,
                              .children = block->children,
                              .release = arrow_release_schema,
                              .private_data = block};
  bool filled = true;
  for (size_t i = 0; filled && i < children; i++) {
    block->children[i] = &child[i];
    filled = arrow_fill_schema(columns, node, &child[i]);
  }
  if (filled && number[ARROW_DICTIONARY]) {
    out->dictionary = &block->dictionary;
    filled = arrow_fill_schema(columns, node, &block->dictionary);
  }
  if (!filled)
    arrow_release_schema(out);
  return filled;
}

/* ---- arrays -------------------------------------------------------------------------- */

typedef struct arrow_array_block {
  arrow_columns *columns;
  const void *buffers[ARROW_MOST_BUFFERS];
  struct ArrowArray dictionary, *child;
  struct ArrowArray *children[];
} arrow_array_block;

static void arrow_release_array(struct ArrowArray *array)
{
  arrow_array_block *block = (arrow_array_block *)array->private_data;
  for (int64_t i = 0; i < array->n_children; i++)
    if (block->child[i].release)
      block->child[i].release(&block->child[i]);
  if (array->dictionary && block->dictionary.release)
    block->dictionary.release(&block->dictionary);
  arrow_drop(block->columns);
  free(block->child);
  free(block);
  array->release = NULL;
}

/* As arrow_fill_schema, for the buffers. */
static bool arrow_fill_array(arrow_columns *columns, size_t *node, struct ArrowArray *out)
{
  const size_t at = (*node)++;
  const int64_t *number = columns->number + at * ARROW_NUMBERS;
  const size_t children = (size_t)number[ARROW_CHILDREN];
  arrow_array_block *block =
      (arrow_array_block *)calloc(1, sizeof *block + children * sizeof *block->children);
  struct ArrowArray *child = (struct ArrowArray *)calloc(children + 1, sizeof *child);
  if (!block || !child) {
    free(block);
    free(child);
    return false;
  }
  block->columns = columns;
  block->child = child;
  for (size_t i = 0; i < ARROW_MOST_BUFFERS; i++)
    block->buffers[i] = columns->buffer[at * ARROW_MOST_BUFFERS + i];
  atomic_fetch_add(&columns->users, 1);
  *out = (struct ArrowArray){.length = number[ARROW_LENGTH],
                             .null_count = number[ARROW_NULLS],
                             .n_buffers = number[ARROW_BUFFERS],
                             .n_children = (int64_t)children,
                             .buffers = block->buffers,
                             .children = block->children,
                             .release = arrow_release_array,
                             .private_data = block};
  bool filled = true;
  for (size_t i = 0; filled && i < children; i++) {
    block->children[i] = &child[i];
    filled = arrow_fill_array(columns, node, &child[i]);
  }
  if (filled && number[ARROW_DICTIONARY]) {
    out->dictionary = &block->dictionary;
    filled = arrow_fill_array(columns, node, &block->dictionary);
  }
  if (!filled)
    arrow_release_array(out);
  return filled;
}

/* ---- streams ------------------------------------------------------------------------- */

/* A stream of one batch. */
typedef struct arrow_stream_block {
  arrow_columns *columns;
  const char *error;
  bool ended;
} arrow_stream_block;

static int arrow_get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
  arrow_stream_block *block = (arrow_stream_block *)stream->private_data;
  size_t node = 0;
  block->error = NULL;
  if (arrow_fill_schema(block->columns, &node, out))
    return 0;
  block->error = "there is no memory for the schema";
  return ENOMEM;
}

static int arrow_get_next(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
  arrow_stream_block *block = (arrow_stream_block *)stream->private_data;
  size_t node = 0;
  block->error = NULL;
  if (block->ended) {
    *out = (struct ArrowArray){.release = NULL};
    return 0;
  }
  if (!arrow_fill_array(block->columns, &node, out)) {
    block->error = "there is no memory for the structs of the columns";
    return ENOMEM;
  }
  block->ended = true;
  return 0;
}

static const char *arrow_get_last_error(struct ArrowArrayStream *stream)
{
  return ((arrow_stream_block *)stream->private_data)->error;
}

static void arrow_release_stream(struct ArrowArrayStream *stream)
{
  arrow_stream_block *block = (arrow_stream_block *)stream->private_data;
  arrow_drop(block->columns);
  free(block);
  stream->release = NULL;
}

/* ---- capsules ------------------------------------------------------------------------ */

#define ARROW_STREAM_CAPSULE "arrow_array_stream"
#define ARROW_SCHEMA_CAPSULE "arrow_schema"

/* A consumer moves the struct out of its capsule; what it left is released here. */
static void arrow_free_stream_capsule(PyObject *capsule)
{
  struct ArrowArrayStream *stream =
      (struct ArrowArrayStream *)PyCapsule_GetPointer(capsule, ARROW_STREAM_CAPSULE);
  if (stream && stream->release)
    stream->release(stream);
  free(stream);
}

static void arrow_free_schema_capsule(PyObject *capsule)
{
  struct ArrowSchema *schema =
      (struct ArrowSchema *)PyCapsule_GetPointer(capsule, ARROW_SCHEMA_CAPSULE);
  if (schema && schema->release)
    schema->release(schema);
  free(schema);
}

static PyObject *arrow_stream_capsule(arrow_columns *columns)
{
  struct ArrowArrayStream *stream = (struct ArrowArrayStream *)calloc(1, sizeof *stream);
  arrow_stream_block *block = (arrow_stream_block *)calloc(1, sizeof *block);
  PyObject *capsule = NULL;
  if (stream && block)
    capsule = PyCapsule_New(stream, ARROW_STREAM_CAPSULE, arrow_free_stream_capsule);
  if (!capsule) {
    free(stream);
    free(block);
    return NULL;
  }
  block->columns = columns;
  atomic_fetch_add(&columns->users, 1);
  *stream = (struct ArrowArrayStream){.get_schema = arrow_get_schema,
                                      .get_next = arrow_get_next,
                                      .get_last_error = arrow_get_last_error,
                                      .release = arrow_release_stream,
                                      .private_data = block};
  return capsule;
}

static PyObject *arrow_schema_capsule(arrow_columns *columns)
{
  struct ArrowSchema *schema = (struct ArrowSchema *)calloc(1, sizeof *schema);
  size_t node = 0;
  if (!schema || !arrow_fill_schema(columns, &node, schema)) {
    free(schema);
    return NULL;
  }
  PyObject *capsule = PyCapsule_New(schema, ARROW_SCHEMA_CAPSULE, arrow_free_schema_capsule);
  if (!capsule) {
    schema->release(schema);
    free(schema);
  }
  return capsule;
}

/* Appends to the Python list `box` a capsule of the columns: a schema, or else a stream.  The
 * capsule, and all that a consumer gets from it, hold a reference to the Python object `owner`,
 * which holds the arrays of the other arguments.  Returns false if there is no memory.  cffi calls
 * this function without the global lock. */
PY bool py_arrow_capsule(void *box, void *owner, bool schema, const char *const *format,
                         const char *const *name, const char *metadata, const int64_t *number,
                         const void *const *buffer)
{
  arrow_columns *columns = (arrow_columns *)malloc(sizeof *columns);
  if (!columns)
    return false;
  *columns = (arrow_columns){.owner = (PyObject *)owner,
                             .format = format,
                             .name = name,
                             .metadata = metadata,
                             .number = number,
                             .buffer = buffer};
  atomic_init(&columns->users, 1);
  PyGILState_STATE state = PyGILState_Ensure();
  Py_IncRef(columns->owner);
  PyObject *capsule = schema ? arrow_schema_capsule(columns) : arrow_stream_capsule(columns);
  bool made = capsule && PyList_Append((PyObject *)box, capsule) == 0;
  if (capsule)
    Py_DecRef(capsule);
  PyErr_Clear();
  PyGILState_Release(state);
  arrow_drop(columns);
  return made;
}

#endif
