/* Two spellings of one name; see spellings.h.
 *
 * Names are compared decomposed (NFD): letters of Latin, Greek, Cyrillic and kana by the table
 * below, Hangul by arithmetic, and the marks of a letter in canonical order (Unicode Standard, 3.11
 * and 3.12). */
#include "graph/spellings.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/text/utf8.h"

#include <stdlib.h>
#include <string.h>

#define NAME_BYTES ((size_t)256) /* longer names are not compared */
#define TEXT_BYTES (6 * NAME_BYTES)
#define LETTERS 857u /* in the table */

/* Each mark, its canonical class, and the letters that have it: the letter alone, then both as one
 * character. */
static const struct accent {
  uint16_t mark;
  uint8_t class;
  const char *letters;
} accents[] = {
    {0x300, 230,
     "AÀEÈIÌOÒUÙaàeèiìoòuùÜǛüǜNǸnǹЕЀИЍеѐиѝĒḔēḕŌṐōṑWẀwẁÂẦâầĂẰăằÊỀêềÔỒôồƠỜơờƯỪưừYỲ"
     "yỳἀἂἁἃἈἊἉἋἐἒἑἓἘἚἙἛἠἢἡἣἨἪἩἫἰἲἱἳἸἺἹἻὀὂὁὃὈὊὉὋὐὒὑὓὙὛὠὢὡὣὨὪὩὫαὰεὲηὴιὶοὸυὺωὼΑᾺΕῈ"
     "ΗῊ᾿῍ϊῒΙῚ῾῝ϋῢΥῪ¨῭ΟῸΩῺ"},
    {0x301, 230,
     "AÁEÉIÍOÓUÚYÝaáeéiíoóuúyýCĆcćLĹlĺNŃnńRŔrŕSŚsśZŹzźÜǗüǘGǴgǵÅǺåǻÆǼæǽØǾøǿ¨΅ΑΆΕΈ"
     "ΗΉΙΊΟΌΥΎΩΏϊΐαάεέηήιίϋΰοόυύωώϒϓГЃКЌгѓкќÇḈçḉĒḖēḗÏḮïḯKḰkḱMḾmḿÕṌõṍŌṒōṓPṔpṕŨṸũṹ"
     "WẂwẃÂẤâấĂẮăắÊẾêếÔỐôốƠỚơớƯỨưứἀἄἁἅἈἌἉἍἐἔἑἕἘἜἙἝἠἤἡἥἨἬἩἭἰἴἱἵἸἼἹἽὀὄὁὅὈὌὉὍὐὔὑὕὙὝ"
     "ὠὤὡὥὨὬὩὭαάεέηήιίοόυύωώΑΆΕΈΗΉ᾿῎ϊΐΙΊ῾῞ϋΰΥΎ¨΅ΟΌΩΏ"},
    {0x302, 230, "AÂEÊIÎOÔUÛaâeêiîoôuûCĈcĉGĜgĝHĤhĥJĴjĵSŜsŝWŴwŵYŶyŷZẐzẑẠẬạậẸỆẹệỌỘọộ"},
    {0x303, 230, "AÃNÑOÕaãnñoõIĨiĩUŨuũVṼvṽÂẪâẫĂẴăẵEẼeẽÊỄêễÔỖôỗƠỠơỡƯỮưữYỸyỹ"},
    {0x304, 230,
     "AĀaāEĒeēIĪiīOŌoōUŪuūÜǕüǖÄǞäǟȦǠȧǡÆǢæǣǪǬǫǭÖȪöȫÕȬõȭȮȰȯȱYȲyȳИӢиӣУӮуӯGḠgḡḶḸḷḹṚṜ"
     "ṛṝαᾱΑᾹιῑΙῙυῡΥῩ"},
    {0x306, 230, "AĂaăEĔeĕGĞgğIĬiĭOŎoŏUŬuŭУЎИЙийуўЖӁжӂАӐаӑЕӖеӗȨḜȩḝẠẶạặαᾰΑᾸιῐΙῘυῠΥῨ"},
    {0x307, 230,
     "CĊcċEĖeėGĠgġIİZŻzżAȦaȧOȮoȯBḂbḃDḊdḋFḞfḟHḢhḣMṀmṁNṄnṅPṖpṗRṘrṙSṠsṡŚṤśṥŠṦšṧṢṨṣṩ"
     "TṪtṫWẆwẇXẊxẋYẎyẏſẛ"},
    {0x308, 230,
     "AÄEËIÏOÖUÜaäeëiïoöuüyÿYŸΙΪΥΫιϊυϋϒϔЕЁІЇеёіїАӒаӓӘӚәӛЖӜжӝЗӞзӟИӤиӥОӦоӧӨӪөӫЭӬэӭ"
     "УӰуӱЧӴчӵЫӸыӹHḦhḧÕṎõṏŪṺūṻWẄwẅXẌxẍtẗ"},
    {0x309, 230, "AẢaảÂẨâẩĂẲăẳEẺeẻÊỂêểIỈiỉOỎoỏÔỔôổƠỞơởUỦuủƯỬưửYỶyỷ"},
    {0x30A, 230, "AÅaåUŮuůwẘyẙAÅ"},
    {0x30B, 230, "OŐoőUŰuűУӲуӳ"},
    {0x30C, 230, "CČcčDĎdďEĚeěLĽlľNŇnňRŘrřSŠsšTŤtťZŽzžAǍaǎIǏiǐOǑoǒUǓuǔÜǙüǚGǦgǧKǨkǩƷǮʒǯjǰHȞhȟ"},
    {0x30F, 230, "AȀaȁEȄeȅIȈiȉOȌoȍRȐrȑUȔuȕѴѶѵѷ"},
    {0x311, 230, "AȂaȃEȆeȇIȊiȋOȎoȏRȒrȓUȖuȗ"},
    {0x313, 230, "αἀΑἈεἐΕἘηἠΗἨιἰΙἸοὀΟὈυὐωὠΩὨρῤ"},
    {0x314, 230, "αἁΑἉεἑΕἙηἡΗἩιἱΙἹοὁΟὉυὑΥὙωὡΩὩρῥΡῬ"},
    {0x31B, 216, "OƠoơUƯuư"},
    {0x323, 220,
     "BḄbḅDḌdḍHḤhḥKḲkḳLḶlḷMṂmṃNṆnṇRṚrṛSṢsṣTṬtṭVṾvṿWẈwẉZẒzẓAẠaạEẸeẹIỊiịOỌoọƠỢơợUỤ"
     "uụƯỰưựYỴyỵ"},
    {0x324, 220, "UṲuṳ"},
    {0x325, 220, "AḀaḁ"},
    {0x326, 220, "SȘsșTȚtț"},
    {0x327, 202, "CÇcçGĢgģKĶkķLĻlļNŅnņRŖrŗSŞsşTŢtţEȨeȩDḐdḑHḨhḩ"},
    {0x328, 202, "AĄaąEĘeęIĮiįUŲuųOǪoǫ"},
    {0x32D, 220, "DḒdḓEḘeḙLḼlḽNṊnṋTṰtṱUṶuṷ"},
    {0x32E, 220, "HḪhḫ"},
    {0x330, 220, "EḚeḛIḬiḭUṴuṵ"},
    {0x331, 220, "BḆbḇDḎdḏKḴkḵLḺlḻNṈnṉRṞrṟTṮtṯZẔzẕhẖ"},
    {0x342, 230, "ἀἆἁἇἈἎἉἏἠἦἡἧἨἮἩἯἰἶἱἷἸἾἹἿὐὖὑὗὙὟὠὦὡὧὨὮὩὯαᾶ¨῁ηῆ᾿῏ιῖϊῗ῾῟υῦϋῧωῶ"},
    {0x345, 240,
     "ἀᾀἁᾁἂᾂἃᾃἄᾄἅᾅἆᾆἇᾇἈᾈἉᾉἊᾊἋᾋἌᾌἍᾍἎᾎἏᾏἠᾐἡᾑἢᾒἣᾓἤᾔἥᾕἦᾖἧᾗἨᾘἩᾙἪᾚἫᾛἬᾜἭᾝἮᾞἯᾟὠᾠὡᾡὢᾢὣᾣὤᾤ"
     "ὥᾥὦᾦὧᾧὨᾨὩᾩὪᾪὫᾫὬᾬὭᾭὮᾮὯᾯὰᾲαᾳάᾴᾶᾷΑᾼὴῂηῃήῄῆῇΗῌὼῲωῳώῴῶῷΩῼ"},
    {0x3099, 8,
     "かがきぎくぐけげこごさざしじすずせぜそぞただちぢつづてでとどはばひびふぶ"
     "へべほぼうゔゝゞカガキギクグケゲコゴサザシジスズセゼソゾタダチヂツヅテデ"
     "トドハバヒビフブヘベホボウヴワヷヰヸヱヹヲヺヽヾ"},
    {0x309A, 8, "はぱひぴふぷへぺほぽハパヒピフプヘペホポ"}};
enum { ACCENTS = sizeof accents / sizeof *accents };

/* Two signs that are letters. */
#define OHM 0x2126
#define KELVIN 0x212A

typedef struct letter {
  uint32_t composed, base, mark;
} letter;

struct ms_spellings {
  const ms_names *names;
  ms_names *decomposed; /* of the names that are not decomposed themselves */
  uint32_t *id;         /* [decomposed] in names */
  uint32_t room;
  letter letters[LETTERS]; /* by their composed character */
};

/* ---- characters ------------------------------------------------------------- */

/* Reads the character at the front of the text, which is UTF-8. */
static uint32_t decode(const char **text)
{
  const unsigned char *at = (const unsigned char *)*text;
  size_t length = *at < 0x80 ? 1 : *at < 0xE0 ? 2 : *at < 0xF0 ? 3 : 4;
  uint32_t c = length == 1 ? *at : *at & (0xFFu >> (length + 1));
  for (size_t i = 1; i < length; i++)
    c = c << 6 | (at[i] & 0x3F);
  *text += length;
  return c;
}

static size_t encode(uint32_t c, char *out)
{
  size_t length = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
  for (size_t i = length; i-- > 1; c >>= 6)
    out[i] = (char)(0x80 | (c & 0x3F));
  out[0] = (char)(length == 1 ? c : (0xF00u >> length & 0xFF) | c);
  return length;
}

static int by_composed(const void *a, const void *b)
{
  uint32_t x = ((const letter *)a)->composed, y = ((const letter *)b)->composed;
  return (x > y) - (x < y);
}

static void fill_letters(letter *letters)
{
  uint32_t count = 0;
  for (int i = 0; i < ACCENTS; i++)
    for (const char *at = accents[i].letters; *at && count < LETTERS; count++) {
      letters[count].mark = accents[i].mark;
      letters[count].base = decode(&at);
      letters[count].composed = decode(&at);
    }
  qsort(letters, count, sizeof *letters, by_composed);
}

/* Returns the canonical class of a mark; 0: it is another character. */
static uint8_t class_of(uint32_t c)
{
  for (int i = 0; c >= 0x300 && i < ACCENTS; i++)
    if (accents[i].mark == c)
      return accents[i].class;
  return 0;
}

/* ---- names ------------------------------------------------------------------- */

typedef struct characters {
  uint32_t at[3 * NAME_BYTES];
  size_t count;
} characters;

/* Appends a character, and moves a mark in front of those of higher classes. */
static void append(characters *text, uint32_t c)
{
  uint8_t class = class_of(c);
  size_t i = text->count++;
  for (; class > 0 && i > 0 && class_of(text->at[i - 1]) > class; i--)
    text->at[i] = text->at[i - 1];
  text->at[i] = c;
}

static void append_decomposed(const ms_spellings *s, characters *text, uint32_t c)
{
  enum { SYLLABLES = 11172, VOWELS = 21, TAILS = 28 };
  uint32_t marks[4], count = 0, syllable = c - 0xAC00;
  if (c >= 0xAC00 && syllable < SYLLABLES) {
    append(text, 0x1100 + syllable / (VOWELS * TAILS));
    append(text, 0x1161 + syllable / TAILS % VOWELS);
    if (syllable % TAILS)
      append(text, 0x11A7 + syllable % TAILS);
    return;
  }
  const letter *l;
  while (count < 4 && (l = bsearch(&(letter){.composed = c}, s->letters, LETTERS,
                                   sizeof *s->letters, by_composed))) {
    marks[count++] = l->mark;
    c = l->base;
  }
  append(text, c == OHM ? 0x3A9 : c == KELVIN ? 'K' : c);
  while (count > 0)
    append(text, marks[--count]);
}

static bool is_ascii(const char *text, size_t length)
{
  char bits = 0;
  for (size_t i = 0; i < length; i++)
    bits |= text[i];
  return !((unsigned char)bits & 0x80);
}

/* Writes the decomposed name to out[TEXT_BYTES]; returns its length, or 0 for a name that is too
 * long or not UTF-8. */
static size_t decompose(const ms_spellings *s, const char *text, size_t length, char *out)
{
  characters all = {.count = 0};
  size_t used = 0;
  if (length >= NAME_BYTES)
    return 0;
  for (size_t i = 0, size; i < length; i += size)
    if (!(size = ms_utf8_character(text + i, length - i)))
      return 0;
  for (const char *at = text; at < text + length;)
    append_decomposed(s, &all, decode(&at));
  for (size_t i = 0; i < all.count; i++)
    used += encode(all.at[i], out + used);
  return used;
}

/* ---- tables ------------------------------------------------------------------- */

/* Adds a name that is not decomposed.  *twin: an earlier one that looks like it, or MS_NO_ID. */
static ms_status add(ms_spellings *s, uint32_t v, uint32_t *twin, ms_error *err)
{
  char text[TEXT_BYTES];
  const char *name = ms_names_get(s->names, v);
  size_t length = strlen(name),
         used = is_ascii(name, length) ? 0 : decompose(s, name, length, text);
  uint32_t id, count = ms_names_count(s->decomposed);
  *twin = MS_NO_ID;
  if (used == 0 || (used == length && memcmp(name, text, used) == 0))
    return MS_OK;
  *twin = ms_names_find(s->names, text, used);
  MS_TRY(ms_names_add(s->decomposed, text, used, &id, err));
  if (id < count && *twin == MS_NO_ID)
    *twin = s->id[id];
  if (id < count)
    return MS_OK;
  if (!MS_GROW(s->id, s->room, count, 1))
    return ms_fail_memory(err, "the spellings of names");
  s->id[id] = v;
  return MS_OK;
}

/* Makes the table; stops at the first name that looks like another one if the caller asks. */
static ms_status make(const ms_names *names, ms_spellings **out, uint32_t twins[2], ms_error *err)
{
  ms_spellings *s = *out = ms_calloc(1, sizeof *s);
  if (!s)
    return ms_fail_memory(err, "the spellings of names");
  s->names = names;
  fill_letters(s->letters);
  MS_TRY(ms_names_new(&s->decomposed, err));
  for (uint32_t v = 0, twin; v < ms_names_count(names); v++) {
    MS_TRY(add(s, v, &twin, err));
    if (twins && twin != MS_NO_ID) {
      twins[0] = v;
      twins[1] = twin;
      return MS_OK;
    }
  }
  return MS_OK;
}

void ms_spellings_free(ms_spellings *spellings)
{
  if (!spellings)
    return;
  ms_names_free(spellings->decomposed);
  ms_free(spellings->id);
  ms_free(spellings);
}

ms_status ms_spellings_new(const ms_names *names, ms_spellings **out, ms_error *err)
{
  ms_status status = make(names, out, NULL, err);
  if (status != MS_OK) {
    ms_spellings_free(*out);
    *out = NULL;
  }
  return status;
}

uint32_t ms_spellings_find(const ms_spellings *s, const char *text, size_t length)
{
  char other[TEXT_BYTES];
  size_t used = decompose(s, text, length, other);
  uint32_t id = used > 0 ? ms_names_find(s->decomposed, other, used) : MS_NO_ID;
  if (id != MS_NO_ID)
    return s->id[id];
  return used > 0 ? ms_names_find(s->names, other, used) : MS_NO_ID;
}

bool ms_names_spelled_twice(const ms_names *names, uint32_t twins[2])
{
  ms_spellings *s = NULL;
  twins[0] = MS_NO_ID;
  make(names, &s, twins, NULL); /* where memory ends, there is no warning */
  ms_spellings_free(s);
  return twins[0] != MS_NO_ID;
}
