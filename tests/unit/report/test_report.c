/* The arrays and strings of reports, read again by decoders that share nothing with the writer. */
#include "report/columns.h"
#include "tests/support/files.h"
#include "tests/support/random.h"
#include "tests/support/test_main.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 40 };

/* Opens an output in the test folder. */
static ms_outfile *begin(void)
{
  ms_error err;
  ms_outfile *out = NULL;
  ck_ok(ms_outfile_open(files_path("out.json"), &out, &err));
  return out;
}

/* Closes it, and reads what was written as JSON. */
static json_t *end(ms_outfile *out)
{
  ms_error err;
  ck_ok(ms_outfile_commit(out, &err));
  json_error_t where;
  json_t *value = json_load_file(files_path("out.json"), JSON_DECODE_ANY, &where);
  ck_assert_msg(value != NULL, "%s", where.text);
  return value;
}

/* Decodes base64, six bits at a time; returns the number of bytes. */
static size_t decode(const char *text, unsigned char *bytes)
{
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  size_t count = 0, length = strlen(text);
  uint32_t waiting = 0, bits = 0;
  ck_assert_uint_eq(length % 4, 0);
  for (size_t i = 0; i < length && text[i] != '='; i++) {
    waiting = waiting << 6 | (uint32_t)(strchr(digits, text[i]) - digits);
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes[count++] = (unsigned char)(waiting >> bits);
      waiting &= (1u << bits) - 1;
    }
  }
  ck_assert_uint_eq(waiting, 0);
  return count;
}

/* Compares ["u32", BASE64] with the numbers. */
static void check_array(const json_t *pair, const uint64_t *numbers, uint64_t count,
                        const char *type)
{
  static const struct {
    const char *name;
    uint32_t bytes;
  } types[] = {{"u8", 1}, {"u16", 2}, {"u32", 4}, {"u64", 8}, {"f64", 8}};
  unsigned char bytes[8 * MOST + 8];
  ck_assert_str_eq(json_string_value(json_array_get(pair, 0)), type);
  uint32_t width = 0;
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (strcmp(types[i].name, type) == 0)
      width = types[i].bytes;
  ck_assert_uint_eq(decode(json_string_value(json_array_get(pair, 1)), bytes), width * count);
  for (uint64_t i = 0; i < count; i++) {
    uint64_t number = 0;
    for (uint32_t b = width; b-- > 0;)
      number = number << 8 | bytes[i * width + b];
    ck_assert_uint_eq(number, numbers[i]);
  }
}

/* Arrays of 0 to 39 numbers come back, in the smallest type that holds them: 2,000 random cases. */
START_TEST(arrays_come_back)
{
  uint64_t state = 1, cases = scaled(2000);
  for (uint64_t c = 0; c < cases; c++) {
    uint64_t numbers[MOST], count = random_below(&state, MOST), greatest = 0;
    uint32_t bits = 1 + random_below(&state, 64);
    for (uint64_t i = 0; i < count; i++) {
      numbers[i] = random_next(&state) >> (64 - bits);
      greatest = numbers[i] > greatest ? numbers[i] : greatest;
    }
    const char *type = greatest < 256           ? "u8"
                       : greatest < 65536       ? "u16"
                       : greatest <= UINT32_MAX ? "u32"
                                                : "u64";
    ms_outfile *out = begin();
    bool reals = random_below(&state, 4) == 0;
    if (reals)
      ms_put_reals(out, numbers, count);
    else
      ms_put_numbers(out, numbers, count);
    json_t *pair = end(out);
    check_array(pair, numbers, count, reals ? "f64" : type);
    json_decref(pair);
  }
}
END_TEST

/* Columns of lists come back with one width, or with the ends of their lists: 500 random cases. */
START_TEST(lists_come_back)
{
  uint64_t state = 2, cases = scaled(500);
  for (uint64_t c = 0; c < cases; c++) {
    ms_error err;
    ms_column column = {.name = "n<\"", .kind = MS_COLUMN_TEXTS};
    uint32_t rows = random_below(&state, 8), width = random_below(&state, 4);
    bool same = true;
    for (uint32_t row = 0; row < rows; row++) {
      uint32_t items = random_below(&state, 3) ? width : random_below(&state, 4);
      same = same && (row == 0 || items == column.ends.at[0]);
      for (uint32_t i = 0; i < items; i++)
        ck_ok(ms_values_add(&column.values, random_below(&state, 9), &err));
      ck_ok(ms_values_add(&column.ends, column.values.count, &err));
    }
    ms_outfile *out = begin();
    ms_put_column(out, &column);
    json_t *object = end(out);
    ck_assert_str_eq(json_string_value(json_object_get(object, "name")), "n<\"");
    ck_assert_str_eq(json_string_value(json_object_get(object, "kind")), "texts");
    check_array(json_object_get(object, "values"), column.values.at, column.values.count, "u8");
    const json_t *one = json_object_get(object, "width");
    ck_assert(same == (one != NULL));
    if (one)
      ck_assert_int_eq(json_integer_value(one), rows ? (json_int_t)column.ends.at[0] : 0);
    else
      check_array(json_object_get(object, "ends"), column.ends.at, rows, "u8");
    json_decref(object);
    ms_column_free(&column);
  }
}
END_TEST

/* Any string of ASCII comes back as it is, and the file has no '<': 2,000 random cases. */
START_TEST(strings_come_back)
{
  uint64_t state = 3, cases = scaled(2000);
  for (uint64_t c = 0; c < cases; c++) {
    char text[MOST + 1] = "", file[8 * MOST + 8] = "";
    uint32_t length = random_below(&state, MOST);
    for (uint32_t i = 0; i < length; i++)
      text[i] = random_below(&state, 3) ? (char)(1 + random_below(&state, 127))
                                        : "<\"\\&"[random_below(&state, 4)];
    ms_outfile *out = begin();
    ms_put_string(out, text);
    json_t *value = end(out);
    ck_assert_str_eq(json_string_value(value), text);
    FILE *written = fopen(files_path("out.json"), "rb");
    size_t bytes = fread(file, 1, sizeof file - 1, written);
    fclose(written);
    ck_assert_ptr_null(memchr(file, '<', bytes));
    json_decref(value);
  }
}
END_TEST

TEST_MAIN("report", TEST(arrays_come_back), TEST(lists_come_back), TEST(strings_come_back))
