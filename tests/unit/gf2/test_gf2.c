/* GF(2^8): each implementation against the definition, exhaustively; lengths, alignment and guard
 * pages; selection. */
#include "gf2/gf2.h"
#include "gf2/gf256.h"
#include "sieve/kernels/kernel.h"
#include "tests/support/test_main.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAIRS = 65536, LONGEST = 257 };

/* The paths of this processor; asks for the portable ones at least. */
static uint32_t paths(const ms_gf2_path *list[16])
{
  uint32_t count = 0;
  for (uint32_t i = 0; i < ms_gf2_path_count(); i++)
    if (ms_gf2_path_at(i)->available())
      list[count++] = ms_gf2_path_at(i);
  ck_assert_uint_ge(count, 3);
  return count;
}

/* The reference product has the two examples of FIPS 197, commutes, agrees with the table, and
 * gives every element but 0 one inverse: all pairs. */
START_TEST(definition)
{
  /* FIPS 197, section 4.2: {57} * {83} = {c1}, {57} * {13} = {fe} */
  ck_assert_uint_eq(ms_gf256_mul_reference(0x57, 0x83), 0xC1);
  ck_assert_uint_eq(ms_gf256_mul_reference(0x57, 0x13), 0xFE);
  const ms_gf256_tables *t = ms_gf256_get_tables();
  for (unsigned a = 0; a < 256; a++) {
    unsigned inverses = 0;
    for (unsigned b = 0; b < 256; b++) {
      uint8_t product = ms_gf256_mul_reference((uint8_t)a, (uint8_t)b);
      ck_assert_uint_eq(product, ms_gf256_mul_table(t, (uint8_t)a, (uint8_t)b));
      ck_assert_uint_eq(product, ms_gf256_mul_reference((uint8_t)b, (uint8_t)a));
      inverses += product == 1;
    }
    ck_assert_uint_eq(inverses, a != 0); /* a field */
  }
}
END_TEST

/* Each implementation multiplies, adds products and scales as the reference does: all 65,536 pairs,
 * with the result in place of an operand, too. */
START_TEST(all_products)
{
  const ms_gf2_path *list[16];
  uint8_t *a = malloc(PAIRS), *b = malloc(PAIRS), *c = malloc(PAIRS), *sum = malloc(PAIRS);
  ck_assert(a && b && c && sum);
  for (unsigned i = 0; i < PAIRS; i++) {
    a[i] = (uint8_t)i;
    b[i] = (uint8_t)(i >> 8);
    sum[i] = (uint8_t)(i * 7);
  }
  for (uint32_t p = paths(list); p-- > 0;) {
    uint8_t *added = malloc(PAIRS);
    ck_assert_ptr_nonnull(added);
    memcpy(added, sum, PAIRS);
    list[p]->mul(c, a, b, PAIRS);
    list[p]->mul_add(added, a, b, PAIRS);
    for (unsigned i = 0; i < PAIRS; i++) {
      uint8_t product = ms_gf256_mul_reference(a[i], b[i]);
      ck_assert_msg(c[i] == product, "%s: %u * %u = %u, not %u", list[p]->name, a[i], b[i], c[i],
                    product);
      ck_assert_msg(added[i] == (uint8_t)(sum[i] ^ product), "%s: mul_add of %u, %u", list[p]->name,
                    a[i], b[i]);
    }
    for (unsigned k = 0; k < 256; k++) {
      list[p]->scale(c, a, (uint8_t)k, 256);
      for (unsigned i = 0; i < 256; i++)
        ck_assert_msg(c[i] == ms_gf256_mul_reference((uint8_t)k, (uint8_t)i), "%s: scale %u by %u",
                      list[p]->name, i, k);
    }
    /* dst may be an operand */
    memcpy(c, a, PAIRS);
    list[p]->mul(c, c, b, PAIRS);
    for (unsigned i = 0; i < PAIRS; i++)
      ck_assert_uint_eq(c[i], ms_gf256_mul_reference(a[i], b[i]));
    free(added);
  }
  free(a);
  free(b);
  free(c);
  free(sum);
}
END_TEST

/* `size` bytes that end where an unreadable page begins. */
static uint8_t *guarded(size_t size)
{
  size_t page = (size_t)sysconf(_SC_PAGESIZE), pages = (size + page - 1) / page + 1;
  uint8_t *base =
      mmap(NULL, pages * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ck_assert(base != MAP_FAILED);
  ck_assert_int_eq(mprotect(base + (pages - 1) * page, page, PROT_NONE), 0);
  return base + (pages - 1) * page - size;
}

/* The same for all lengths up to 257 bytes in front of an unreadable page, with nothing written
 * before the result. */
START_TEST(every_length_at_guard_pages)
{
  const ms_gf2_path *list[16];
  uint8_t *a = guarded(LONGEST), *b = guarded(LONGEST), *c = guarded(LONGEST);
  for (uint32_t p = paths(list); p-- > 0;)
    for (size_t length = 0; length <= LONGEST; length++) {
      /* the last `length` bytes before the page: unaligned for most lengths */
      uint8_t *x = a + LONGEST - length, *y = b + LONGEST - length, *z = c + LONGEST - length;
      for (size_t i = 0; i < length; i++) {
        x[i] = (uint8_t)(i * 31 + length);
        y[i] = (uint8_t)(i * 17 + 5 * length + 1);
      }
      memset(c, 0xA5, LONGEST);
      list[p]->mul(z, x, y, length);
      for (size_t i = 0; i < length; i++)
        ck_assert_msg(z[i] == ms_gf256_mul_reference(x[i], y[i]), "%s: length %zu at %zu",
                      list[p]->name, length, i);
      for (uint8_t *before = c; before < z; before++)
        ck_assert_msg(*before == 0xA5, "%s: length %zu wrote in front", list[p]->name, length);
      list[p]->scale(z, x, (uint8_t)(length + 2), length);
      for (size_t i = 0; i < length; i++)
        ck_assert_uint_eq(z[i], ms_gf256_mul_reference(x[i], (uint8_t)(length + 2)));
      memcpy(z, y, length);
      list[p]->mul_add(z, x, y, length);
      for (size_t i = 0; i < length; i++)
        ck_assert_uint_eq(z[i], y[i] ^ ms_gf256_mul_reference(x[i], y[i]));
    }
}
END_TEST

/* Each implementation is selected by name and by MOTIFSIEVE_GF2; an unknown name is refused with
 * those that can be given; the last one is the default. */
START_TEST(selection)
{
  const ms_gf2_path *list[16];
  ms_error err;
  uint32_t count = paths(list);
  for (uint32_t p = count; p-- > 0;) {
    ck_assert_ptr_eq(ms_gf2_select(list[p]->name, &err), list[p]);
    setenv("MOTIFSIEVE_GF2", list[p]->name, 1);
    ck_assert_ptr_eq(ms_gf2_select(NULL, &err), list[p]);
  }
  setenv("MOTIFSIEVE_GF2", "abacus", 1);
  ck_assert_ptr_null(ms_gf2_select(NULL, &err));
  ck_assert_int_eq(err.status, MS_ERR_USAGE);
  ck_assert_ptr_nonnull(strstr(err.message, "abacus"));
  /* each name that the message offers is available and has a kernel of the sieve */
  const char *offers = strstr(err.message, "use one of: ");
  ck_assert_ptr_nonnull(offers);
  for (uint32_t i = 0; i < ms_gf2_path_count(); i++) {
    const ms_gf2_path *path = ms_gf2_path_at(i);
    bool has_kernel = false;
    for (uint32_t j = 0; j < ms_sieve_kernel_count(); j++)
      has_kernel |= strcmp(ms_sieve_kernel_at(j)->path, path->name) == 0;
    ck_assert(has_kernel);
    ck_assert_int_eq(strstr(offers, path->name) != NULL, path->available());
  }
  unsetenv("MOTIFSIEVE_GF2");
  ck_assert_ptr_null(ms_gf2_select("abacus", &err));
  /* the last available one is the default */
  ck_assert_ptr_eq(ms_gf2_select(NULL, &err), list[count - 1]);
}
END_TEST

/* The measured loop counts whole rounds of lanes, gives the same value for the same work, and does
 * more in more rounds. */
START_TEST(spin_counts)
{
  const ms_gf2_path *list[16];
  for (uint32_t p = paths(list); p-- > 0;) {
    uint8_t one = 0, again = 0, other = 0;
    uint64_t products = list[p]->spin(3, &one);
    ck_assert_uint_eq(products % (3 * (uint64_t)list[p]->lanes), 0);
    list[p]->spin(3, &again);
    list[p]->spin(4, &other);
    ck_assert_uint_eq(one, again);
    ck_assert_uint_gt(list[p]->spin(6, &other), products);
  }
}
END_TEST

TEST_MAIN("gf2", TEST(definition), TEST(all_products), TEST(every_length_at_guard_pages),
          TEST(selection), TEST(spin_counts))
