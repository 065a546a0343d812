#include "graph/io/own_names.h"

#include "base/status.h"
#include "graph/io/edges/edges.h"

#include <string.h>

#define HEAD_BYTES ((size_t)256)

/* STRING's files begin with a comment that names their columns. */
static ms_status read_title(ms_own_names *own, ms_text *text, ms_error *err)
{
  static const char id[] = "string_protein_id", source[] = "source";
  const char *bytes;
  size_t length;
  MS_TRY(ms_text_head(text, HEAD_BYTES, &bytes, &length, err));
  length = length < HEAD_BYTES ? length : HEAD_BYTES;
  const char *lf = memchr(bytes, '\n', length);
  size_t title = lf ? (size_t)(lf - bytes) : length;
  own->of_string = title > 0 && bytes[0] == '#' && memmem(bytes, title, id, sizeof id - 1);
  own->has_sources = own->of_string && memmem(bytes, title, source, sizeof source - 1);
  return MS_OK;
}

static void set_taxon(ms_own_names *own, const char *text, size_t length)
{
  if (length >= MS_TAXON_BYTES)
    return;
  memcpy(own->taxon, text, length);
  own->taxon[length] = '\0';
}

ms_status ms_own_names_open(ms_own_names *own, const ms_names *names, const char *taxon_prefix,
                            ms_text *text, ms_error *err)
{
  *own = (ms_own_names){.names = names};
  MS_TRY(read_title(own, text, err));
  MS_TRY(ms_text_next_data(text, err));
  if (text->line && taxon_prefix)
    set_taxon(own, taxon_prefix, strlen(taxon_prefix));
  else if (text->line && own->of_string)
    set_taxon(own, text->line, ms_field_taxon((ms_field){text->line, text->length}));
  return MS_OK;
}

uint32_t ms_own_names_find(const ms_own_names *own, ms_field name)
{
  size_t taxon = strlen(own->taxon);
  uint32_t v = ms_names_find(own->names, name.text, name.length);
  if (v == MS_NO_ID && taxon > 0 && name.length > taxon &&
      memcmp(name.text, own->taxon, taxon) == 0)
    v = ms_names_find(own->names, name.text + taxon, name.length - taxon);
  return v;
}

ms_status ms_own_names_check_spelling(ms_own_names *own, const ms_text *text, ms_field name,
                                      ms_error *err)
{
  bool ascii = true;
  for (size_t i = 0; i < name.length; i++)
    ascii &= (unsigned char)name.text[i] < 0x80;
  if (ascii)
    return MS_OK;
  if (!own->spellings)
    MS_TRY(ms_spellings_new(own->names, &own->spellings, err));
  uint32_t v = ms_spellings_find(own->spellings, name.text, name.length);
  if (v == MS_NO_ID)
    return MS_OK;
  const char *vertex = ms_names_get(own->names, v);
  return ms_text_fail(text, err,
                      "'%.*s' looks like the vertex '%.*s', but is another spelling of it in "
                      "Unicode (NFC, NFD); convert both files to one spelling (uconv -x any-nfc)",
                      ms_name_clip(name.text, name.length), name.text,
                      ms_name_clip(vertex, strlen(vertex)), vertex);
}

void ms_own_names_close(ms_own_names *own)
{
  ms_spellings_free(own->spellings);
}
