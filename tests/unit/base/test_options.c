/* Sizes of option structs. */
#include "base/options.h"
#include "tests/support/test_main.h"

#include <stdlib.h>
#include <string.h>

static const ms_options_kind *const kinds[] = {
    &ms_graph_options_kind,  &ms_color_options_kind,     &ms_screen_options_kind,
    &ms_list_options_kind,   &ms_nearest_options_kind,   &ms_pattern_options_kind,
    &ms_typed_options_kind,  &ms_path_options_kind,      &ms_typed_match_options_kind,
    &ms_verify_options_kind, &ms_generate_options_kind,  &ms_plant_options_kind,
    &ms_write_options_kind,  &ms_component_options_kind, &ms_report_options_kind,
};
#define KINDS (sizeof kinds / sizeof *kinds)

static ms_status take(const ms_options_kind *kind, const void *from, void *to, ms_error *err)
{
  memset(err, 0, sizeof *err);
  memset(to, 0xa5, kind->size);
  return ms_options_take(kind, from, to, err);
}

/* Every kind of struct gives its defaults for NULL and comes out as it went in otherwise. */
START_TEST(whole_structs_are_copied)
{
  for (size_t i = 0; i < KINDS; i++) {
    ms_error err;
    char to[1024];
    ck_assert_uint_le(kinds[i]->size, sizeof to);
    ck_assert_int_eq(take(kinds[i], NULL, to, &err), MS_OK);
    ck_assert_mem_eq(to, kinds[i]->defaults, kinds[i]->size);
    ck_assert_int_eq(take(kinds[i], kinds[i]->defaults, to, &err), MS_OK);
    ck_assert_mem_eq(to, kinds[i]->defaults, kinds[i]->size);
  }
}
END_TEST

/* A size of 0, and one that is larger than the struct, are refused for each of the 15 structs, and
 * the message names the struct and its macro. */
START_TEST(wrong_sizes_are_refused)
{
  for (size_t i = 0; i < KINDS; i++) {
    ms_error err;
    char from[2048] = {0}, to[1024];
    size_t sizes[] = {0, 1, sizeof(size_t) - 1, kinds[i]->size + 1, 2000, SIZE_MAX};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
      memcpy(from, kinds[i]->defaults, kinds[i]->size);
      memcpy(from, &sizes[s], sizeof sizes[s]);
      ck_assert_int_eq(take(kinds[i], from, to, &err), MS_ERR_USAGE);
      ck_assert_ptr_nonnull(strstr(err.message, kinds[i]->name));
      ck_assert_ptr_nonnull(strstr(err.message, kinds[i]->macro));
    }
  }
}
END_TEST

/* A struct that ends early is read up to its end: each of its bytes is taken, and none behind it,
 * which lies outside the heap block (a sanitizer would see a read there). */
START_TEST(truncated_structs_keep_defaults)
{
  for (size_t size = sizeof(size_t); size <= sizeof(ms_screen_options); size += sizeof(size_t)) {
    ms_error err;
    ms_screen_options to, wanted = MS_SCREEN_OPTIONS_DEFAULT;
    static const int devices[1] = {7};
    const ms_screen_options given = {.recurrence = MS_CLASSIC,
                                     .error = 0.5,
                                     .repetitions = 3,
                                     .run.seed = 4,
                                     .run.threads = 5,
                                     .run.memory = 6,
                                     .match_size = 7,
                                     .no_prune = true,
                                     .no_early_stop = true,
                                     .kernel = "k",
                                     .block_points = 8,
                                     .backend = MS_BACKEND_BOTH,
                                     .run.devices = devices,
                                     .run.n_devices = 1};
    char *from = malloc(size);
    ck_assert_ptr_nonnull(from);
    memcpy(from, &given, size);
    memcpy(from, &size, sizeof size);
    ck_assert_int_eq(take(&ms_screen_options_kind, from, &to, &err), MS_OK);
    memcpy(&wanted, from, size);
    wanted.size = sizeof wanted;
    ck_assert_mem_eq(&to, &wanted, sizeof to);
    free(from);
  }
}
END_TEST

#define REFUSES(type, macro, kind, member_, value)                                                 \
  do {                                                                                             \
    type given = macro, to;                                                                        \
    given.run.member_ = value;                                                                     \
    ck_assert_int_eq(take(&kind, &given, &to, &err), MS_ERR_USAGE);                                \
    ck_assert_ptr_nonnull(strstr(err.message, "`" #member_ "` has no effect"));                    \
  } while (0)
static void ignore_progress(void *user, const char *what, uint64_t done, uint64_t total)
{
  (void)user, (void)what, (void)done, (void)total;
}

/* A limit for which a call has no use is refused, and the message names it; other calls take it. */
START_TEST(limits_without_use_are_refused)
{
  ms_error err;
  ms_stop *stop = (ms_stop *)&err; /* is not read */
  REFUSES(ms_verify_options, MS_VERIFY_OPTIONS_DEFAULT, ms_verify_options_kind, threads, 2);
  REFUSES(ms_path_options, MS_PATH_OPTIONS_DEFAULT, ms_path_options_kind, memory, 1 << 30);
  REFUSES(ms_shuffle_options, MS_SHUFFLE_OPTIONS_DEFAULT, ms_shuffle_options_kind, stop, stop);
  REFUSES(ms_typed_options, MS_TYPED_OPTIONS_DEFAULT, ms_typed_options_kind, progress,
          ignore_progress);
  REFUSES(ms_screen_options, MS_SCREEN_OPTIONS_DEFAULT, ms_screen_options_kind, engine, "cpu");
  REFUSES(ms_census_options, MS_CENSUS_OPTIONS_DEFAULT, ms_census_options_kind, seed, 2);
  const ms_division division = MS_DIVISION_DEFAULT;
  REFUSES(ms_mine_options, MS_MINE_OPTIONS_DEFAULT, ms_mine_options_kind, division, &division);
  ms_nearest_options nearest = MS_NEAREST_OPTIONS_DEFAULT, to;
  nearest.run =
      (ms_run_limits){.threads = 2, .memory = 1 << 30, .stop = stop, .progress = ignore_progress};
  ck_assert_int_eq(take(&ms_nearest_options_kind, &nearest, &to, &err), MS_OK);
  ck_assert_mem_eq(&to, &nearest, sizeof to);
  nearest.run.n_devices = 1;
  ck_assert_int_eq(take(&ms_nearest_options_kind, &nearest, &to, &err), MS_ERR_USAGE);
  ck_assert_ptr_nonnull(strstr(err.message, "`devices` has no effect"));
  /* the member of an inner struct is the outer call's */
  ms_list_options list = MS_LIST_OPTIONS_DEFAULT, taken;
  list.screen.run.engine = "cpu";
  ck_assert_int_eq(take(&ms_list_options_kind, &list, &taken, &err), MS_OK);
  ck_assert_mem_eq(&taken, &list, sizeof taken);
  list.screen.run.seed = UINT64_MAX; /* no result file can state it */
  ck_assert_int_eq(take(&ms_list_options_kind, &list, &taken, &err), MS_ERR_USAGE);
  ms_generate_options any = MS_GENERATE_OPTIONS_DEFAULT, same;
  any.run.seed = UINT64_MAX;
  ck_assert_int_eq(take(&ms_generate_options_kind, &any, &same, &err), MS_OK);
}
END_TEST

/* An older ms_list_options holds an older, shorter ms_screen_options, so that its own members lie
 * elsewhere; they are found.  Each length of the inner struct, and with or without the outer
 * members. */
START_TEST(inner_structs_may_be_shorter)
{
  const size_t at = offsetof(ms_list_options, screen);
  const size_t tail = sizeof(ms_list_options) - at - sizeof(ms_screen_options);
  ms_list_options given = MS_LIST_OPTIONS_DEFAULT;
  given.exact = given.count_only = true;
  given.limit = 77;
  given.screen.run.seed = 5;
  for (size_t inner = offsetof(ms_screen_options, match_size); inner <= sizeof(ms_screen_options);
       inner += sizeof(size_t)) {
    ms_error err;
    ms_list_options to;
    size_t size = at + inner + tail;
    char *from = malloc(size);
    ck_assert_ptr_nonnull(from);
    memcpy(from, &given, at + inner);
    memcpy(from + at + inner, (const char *)&given + at + sizeof(ms_screen_options), tail);
    memcpy(from, &size, sizeof size);
    memcpy(from + at, &inner, sizeof inner);
    ck_assert_int_eq(take(&ms_list_options_kind, from, &to, &err), MS_OK);
    ck_assert(to.exact && to.count_only);
    ck_assert_uint_eq(to.limit, 77);
    ck_assert_uint_eq(to.screen.run.seed, 5);
    ck_assert_uint_eq(to.size, sizeof to);
    ck_assert_uint_eq(to.screen.size, sizeof to.screen);
    ck_assert_uint_eq(to.screen.run.n_devices, 0);
    free(from);
  }
}
END_TEST

/* Each of the three structs inside ms_verify_options may be one that no macro has initialised: the
 * message names it. */
START_TEST(inner_sizes_are_checked)
{
  static const struct {
    size_t at;
    const char *macro;
  } inner[] = {{offsetof(ms_verify_options, graph), "MS_GRAPH_OPTIONS_DEFAULT"},
               {offsetof(ms_verify_options, colors), "MS_COLOR_OPTIONS_DEFAULT"},
               {offsetof(ms_verify_options, typed), "MS_TYPED_OPTIONS_DEFAULT"}};
  static const size_t sizes[] = {0, SIZE_MAX, 4000};
  for (size_t i = 0; i < 3; i++)
    for (size_t s = 0; s < 3; s++) {
      ms_error err;
      ms_verify_options from = MS_VERIFY_OPTIONS_DEFAULT, to;
      memcpy((char *)&from + inner[i].at, &sizes[s], sizeof sizes[s]);
      ck_assert_int_eq(take(&ms_verify_options_kind, &from, &to, &err), MS_ERR_USAGE);
      ck_assert_ptr_nonnull(strstr(err.message, inner[i].macro));
    }
}
END_TEST

/* A program of an older header, whose ms_path_options ends before `stop`, runs; one that has
 * initialised nothing is told so by the function that it calls. */
START_TEST(functions_check_sizes)
{
  ms_error err;
  const uint32_t edges[][2] = {{0, 1}, {1, 2}};
  ms_graph *graph = NULL;
  ms_typed *typed = NULL;
  ms_typed_paths *paths = NULL;
  ck_assert_int_eq(ms_graph_from_edges(3, 2, edges, NULL, &graph, &err), MS_OK);
  ck_assert_int_eq(ms_typed_from_graph(graph, NULL, 1, &typed, &err), MS_OK);
  ms_path_options options = {0};
  ck_assert_int_eq(ms_typed_paths_new(typed, &options, &paths, &err), MS_ERR_USAGE);
  ck_assert_ptr_nonnull(strstr(err.message, "MS_PATH_OPTIONS_DEFAULT"));
  ck_assert_ptr_null(paths);
  options.size = offsetof(ms_path_options, run);
  options.max_length = 1;
  options.run.stop = (ms_stop *)&options; /* is not read */
  ck_assert_int_eq(ms_typed_paths_new(typed, &options, &paths, &err), MS_OK);
  ms_typed_path path;
  ck_assert_int_eq(ms_typed_paths_find(paths, 0, 2, &path, &err), MS_OK);
  ck_assert_uint_eq(path.length, MS_NO_PATH);
  ms_typed_paths_free(paths);
  ms_typed_free(typed);
  ms_graph_free(graph);
}
END_TEST

TEST_MAIN("options", TEST(whole_structs_are_copied), TEST(wrong_sizes_are_refused),
          TEST(truncated_structs_keep_defaults), TEST(limits_without_use_are_refused),
          TEST(inner_structs_may_be_shorter), TEST(inner_sizes_are_checked),
          TEST(functions_check_sizes))
