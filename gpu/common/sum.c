#include "gpu/common/sum.h"

void ms_gpu_sum_add(mpz_t to, const ms_gpu_sum *sum)
{
  mpz_t all, part;
  mpz_init(all);
  mpz_init(part);
  for (int i = MS_SUM_DIGITS; i-- > 0;) {
    mpz_mul_2exp(all, all, 32);
    mpz_import(part, 1, -1, sizeof sum->digit[i], 0, 0, &sum->digit[i]);
    mpz_add(all, all, part);
  }
  mpz_fdiv_r_2exp(all, all, 32 * MS_SUM_DIGITS);
  if (mpz_tstbit(all, 32 * MS_SUM_DIGITS - 1)) {
    mpz_set_ui(part, 1);
    mpz_mul_2exp(part, part, 32 * MS_SUM_DIGITS);
    mpz_sub(all, all, part);
  }
  mpz_add(to, to, all);
  mpz_clear(all);
  mpz_clear(part);
}
