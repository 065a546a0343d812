/* XML through expat; see xml.h. */
#include "graph/io/xml.h"

#include "base/alloc.h"
#include "base/status.h"

#include <expat.h>
#include <stddef.h>
#include <string.h>

#define SLICE ((size_t)1 << 20) /* bytes that expat receives at once */
#define SPACE_MARK ' '          /* between namespace and name; in no namespace */

typedef struct reader {
  XML_Parser parser;
  ms_text *text;
  const ms_xml_handler *handler;
  void *user;
  uint32_t depth;
  bool foreign_types; /* a document type outside the file could define entities */
  bool in_tag;        /* the default handler checks a tag */
  ms_status status;
  ms_error *err;
} reader;

/* ---- memory -------------------------------------------------------------- */

/* expat does not state the size of a block, which base/alloc.h needs. */
typedef union block {
  size_t size; /* behind this header */
  max_align_t align;
} block;

/* expat reports some failed allocations as unbound prefixes, and passes no user pointer to an
 * allocator. */
static _Thread_local bool starved;

static void *xml_alloc(size_t size)
{
  block *b = size <= SIZE_MAX - sizeof *b ? ms_alloc(size + sizeof *b, 1) : NULL;
  starved |= !b;
  if (!b)
    return NULL;
  b->size = size;
  return b + 1;
}

static void *xml_resize(void *old, size_t size)
{
  if (!old)
    return xml_alloc(size);
  block *b = (block *)old - 1;
  if (size > SIZE_MAX - sizeof *b)
    return NULL;
  b = ms_resize(b, b->size + sizeof *b, size + sizeof *b, 1);
  starved |= !b;
  if (!b)
    return NULL;
  b->size = size;
  return b + 1;
}

static void xml_free(void *old)
{
  if (old)
    ms_free((block *)old - 1);
}

static const XML_Memory_Handling_Suite memory = {xml_alloc, xml_resize, xml_free};

/* ---- what expat calls ---------------------------------------------------- */

static void stop(reader *r, ms_status status)
{
  r->status = status;
  XML_StopParser(r->parser, XML_FALSE);
}

/* Returns whether to go on: expat may make a last call after it was stopped. */
static bool ready(reader *r)
{
  if (r->status == MS_OK)
    r->text->number = XML_GetCurrentLineNumber(r->parser);
  return r->status == MS_OK;
}

static void fail_reference(reader *r)
{
  stop(r, ms_text_fail(r->text, r->err,
                       "refers to an entity that XML does not define; write the character itself, "
                       "or its number (&#233;)"));
}

static void on_start(void *user, const XML_Char *name, const XML_Char **attributes)
{
  reader *r = user;
  char space[256] = "";
  if (!ready(r))
    return;
  const char *mark = strrchr(name, SPACE_MARK);
  /* a namespace that is cut is as foreign as the whole one */
  if (mark) {
    size_t length = (size_t)(mark - name);
    length = length < sizeof space - 1 ? length : sizeof space - 1;
    memcpy(space, name, length);
    space[length] = '\0';
  }
  if (++r->depth > MS_XML_MAX_DEPTH) {
    stop(r, ms_text_fail(r->text, r->err, "elements are nested more than %u deep; is this a graph?",
                         MS_XML_MAX_DEPTH));
    return;
  }
  if (r->foreign_types) {
    r->in_tag = true;
    XML_DefaultCurrent(r->parser);
    r->in_tag = false;
  }
  ms_xml_element element = {space, mark ? mark + 1 : name, (const char *const *)attributes,
                            r->depth};
  if (r->status == MS_OK) {
    ms_status status = r->handler->start(r->user, &element, r->err);
    if (status != MS_OK)
      stop(r, status);
  }
}

static void on_end(void *user, const XML_Char *name)
{
  reader *r = user;
  (void)name;
  if (!ready(r))
    return;
  ms_status status = r->handler->end(r->user, r->depth--, r->err);
  if (status != MS_OK)
    stop(r, status);
}

static void on_text(void *user, const XML_Char *bytes, int length)
{
  reader *r = user;
  if (!ready(r))
    return;
  ms_status status = r->handler->text(r->user, r->depth, bytes, (size_t)length, r->err);
  if (status != MS_OK)
    stop(r, status);
}

static bool is_character_reference(const char *at, size_t left)
{
  static const char *const known[] = {"&#", "&lt;", "&gt;", "&amp;", "&quot;", "&apos;"};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (left >= strlen(known[i]) && memcmp(at, known[i], strlen(known[i])) == 0)
      return true;
  return false;
}

/* With a document type outside the file, expat silently drops entities that it does not know
 * from attributes, so this checks tags as they are in the file. */
static void on_raw(void *user, const XML_Char *bytes, int length)
{
  reader *r = user;
  const char *end = bytes + length;
  for (const char *at = bytes; r->in_tag && r->status == MS_OK && at < end; at++)
    if (*at == '&' && !is_character_reference(at, (size_t)(end - at)))
      fail_reference(r);
}

/* Does the same in text, where expat reports such entities. */
static void on_skipped_entity(void *user, const XML_Char *name, int is_parameter)
{
  reader *r = user;
  (void)name;
  (void)is_parameter;
  if (ready(r))
    fail_reference(r);
}

static void on_document_type(void *user, const XML_Char *name, const XML_Char *system,
                             const XML_Char *public, int has_internal_subset)
{
  reader *r = user;
  (void)name;
  (void)public;
  if (!ready(r))
    return;
  if (has_internal_subset)
    stop(r, ms_text_fail(
                r->text, r->err,
                "the document type contains definitions ('[' in <!DOCTYPE ...>), which are not "
                "read; remove them"));
  r->foreign_types = system != NULL;
  if (r->foreign_types)
    XML_SetDefaultHandlerExpand(r->parser, on_raw);
}

/* ---- reading ------------------------------------------------------------- */

static ms_status translate_error(reader *r)
{
  enum XML_Error code = XML_GetErrorCode(r->parser);
  if (r->status != MS_OK)
    return r->status;
  if (code == XML_ERROR_NO_MEMORY || starved)
    return ms_fail_memory(r->err, "an XML reader");
  r->text->number = XML_GetCurrentLineNumber(r->parser);
  return ms_text_fail(r->text, r->err, "not well-formed XML (%s); %s", XML_ErrorString(code),
                      code == XML_ERROR_UNKNOWN_ENCODING || code == XML_ERROR_INCORRECT_ENCODING
                          ? "convert the file to UTF-8, for example with iconv"
                          : "repair the file, or create it again");
}

/* expat keeps a tag or comment until its end arrives, and reads it again with every slice. */
static ms_status check_waiting(reader *r, uint64_t fed)
{
  XML_Index at = XML_GetCurrentByteIndex(r->parser);
  if (at < 0 || fed - (uint64_t)at <= MS_XML_MAX_TOKEN)
    return MS_OK;
  r->text->number = XML_GetCurrentLineNumber(r->parser);
  return ms_text_fail(r->text, r->err, "a tag or comment is longer than %zu MiB; shorten it",
                      MS_XML_MAX_TOKEN >> 20);
}

static ms_status feed(reader *r)
{
  const char *bytes;
  size_t length;
  uint64_t fed = 0;
  do {
    ms_status status = ms_text_read_bytes(r->text, &bytes, &length, r->err);
    if (status != MS_OK)
      return status;
    bool last = length == 0;
    do {
      size_t part = length < SLICE ? length : SLICE;
      if (XML_Parse(r->parser, bytes, (int)part, last) != XML_STATUS_OK)
        return translate_error(r);
      bytes += part;
      length -= part;
      fed += part;
      status = last ? MS_OK : check_waiting(r, fed);
    } while (length > 0 && status == MS_OK);
    if (last || status != MS_OK)
      return status;
  } while (true);
}

/* The last line may lack its end. */
static uint64_t count_lines(XML_Parser parser)
{
  return XML_GetCurrentLineNumber(parser) - (XML_GetCurrentColumnNumber(parser) == 0);
}

ms_status ms_xml_read(ms_text *text, const ms_xml_handler *handler, void *user, ms_error *err)
{
  static const XML_Char mark[] = {SPACE_MARK, '\0'};
  reader r = {.text = text, .handler = handler, .user = user, .err = err};
  starved = false;
  r.parser = XML_ParserCreate_MM(NULL, &memory, mark);
  if (!r.parser)
    return ms_fail_memory(err, "an XML reader");
  XML_SetUserData(r.parser, &r);
  XML_SetElementHandler(r.parser, on_start, on_end);
  XML_SetCharacterDataHandler(r.parser, on_text);
  XML_SetStartDoctypeDeclHandler(r.parser, on_document_type);
  XML_SetSkippedEntityHandler(r.parser, on_skipped_entity);
  ms_status status = feed(&r);
  if (status == MS_OK)
    text->number = count_lines(r.parser);
  XML_ParserFree(r.parser);
  return status;
}

const char *ms_xml_attribute(const ms_xml_element *element, const char *name)
{
  for (const char *const *a = element->attributes; *a; a += 2)
    if (strcmp(a[0], name) == 0)
      return a[1];
  return NULL;
}
