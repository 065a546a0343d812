/* Two spellings of one name; see spellings.h. */
#include "graph/spellings.h"

#include <string.h>

/* Each accent with the letters that have it: the letter alone, then both as one character. */
static const struct accent {
  char mark[3];
  const char *letters;
} accents[] = {
    {"\xCC\x80", "AÀEÈIÌOÒUÙaàeèiìoòuùNǸnǹWẀwẁYỲyỳ"},
    {"\xCC\x81", "AÁEÉIÍOÓUÚYÝaáeéiíoóuúyýCĆcćLĹlĺNŃnńRŔrŕSŚsśZŹzźGǴgǵKḰkḱ"
                 "MḾmḿPṔpṕWẂwẃ"},
    {"\xCC\x82", "AÂEÊIÎOÔUÛaâeêiîoôuûCĈcĉGĜgĝHĤhĥJĴjĵSŜsŝWŴwŵYŶyŷZẐzẑ"},
    {"\xCC\x83", "AÃNÑOÕaãnñoõIĨiĩUŨuũVṼvṽEẼeẽYỸyỹ"},
    {"\xCC\x84", "AĀaāEĒeēIĪiīOŌoōUŪuūYȲyȳGḠgḡ"},
    {"\xCC\x86", "AĂaăEĔeĕGĞgğIĬiĭOŎoŏUŬuŭ"},
    {"\xCC\x87", "CĊcċEĖeėGĠgġIİZŻzżAȦaȧOȮoȯBḂbḃDḊdḋFḞfḟHḢhḣMṀmṁNṄnṅPṖpṗRṘ"
                 "rṙSṠsṡTṪtṫWẆwẇXẊxẋYẎyẏ"},
    {"\xCC\x88", "AÄEËIÏOÖUÜaäeëiïoöuüyÿYŸHḦhḧWẄwẅXẌxẍtẗ"},
    {"\xCC\x8A", "AÅaåUŮuůwẘyẙ"},
    {"\xCC\x8B", "OŐoőUŰuű"},
    {"\xCC\x8C", "CČcčDĎdďEĚeěLĽlľNŇnňRŘrřSŠsšTŤtťZŽzžAǍaǎIǏiǐOǑoǒUǓuǔGǦgǧ"
                 "KǨkǩjǰHȞhȟ"},
    {"\xCC\xA7", "CÇcçGĢgģKĶkķLĻlļNŅnņRŖrŗSŞsşTŢtţEȨeȩDḐdḑHḨhḩ"},
    {"\xCC\xA8", "AĄaąEĘeęIĮiįUŲuųOǪoǫ"},
};

/* Returns the bytes of the character that begins with this one. */
static size_t character_length(unsigned char first)
{
  return first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
}

/* Finds the letter with the accent at `mark`. */
static const char *compose(char letter, const char *mark)
{
  for (size_t i = 0; i < sizeof accents / sizeof *accents; i++) {
    if (strncmp(mark, accents[i].mark, 2) != 0)
      continue;
    for (const char *at = accents[i].letters; *at; at += 1 + character_length((unsigned char)at[1]))
      if (*at == letter)
        return at + 1;
  }
  return NULL;
}

/* Copies the name with its accents composed; false where it has none that is known. */
static bool compose_name(const char *name, char *out, size_t room)
{
  size_t used = 0;
  bool changed = false;
  for (; *name && used + 4 < room; name++) {
    const char *one = (unsigned char)*name < 0x80 && name[1] ? compose(*name, name + 1) : NULL;
    if (one) {
      size_t length = character_length((unsigned char)*one);
      memcpy(out + used, one, length);
      used += length;
      name += 2;
      changed = true;
    } else {
      out[used++] = *name;
    }
  }
  out[used] = '\0';
  return changed && !*name;
}

bool ms_names_spelled_twice(const ms_names *names, uint32_t *decomposed, uint32_t *composed)
{
  char text[256];
  for (uint32_t v = 0; v < ms_names_count(names); v++) {
    const char *name = ms_names_get(names, v);
    if (!strpbrk(name, "\xCC\xCD") || !compose_name(name, text, sizeof text))
      continue;
    *decomposed = v;
    *composed = ms_names_find(names, text, strlen(text));
    if (*composed != MS_NO_ID)
      return true;
  }
  return false;
}
