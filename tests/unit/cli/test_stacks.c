/* Calls of the library need no more stack than the public header says. */
#include "cli/commands.h"
#include "tests/support/files.h"
#include "tests/support/test_main.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Frames of instrumented code are larger. */
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__ || !defined __OPTIMIZE__
#define PLAIN_FRAMES false
#else
#define PLAIN_FRAMES true
#endif

#define STACK ((size_t)4 << 20) /* of the thread that is measured */
#define PAINT 0xA5

typedef struct call {
  const char *line; /* the arguments with blanks between them */
  int code;
} call;

static void *run_call(void *user)
{
  call *c = user;
  char text[256], *argv[40], *rest = text;
  int argc = 0;
  snprintf(text, sizeof text, "%s", c->line);
  while (argc < 39 && (argv[argc] = strsep(&rest, " ")))
    argc++;
  argv[argc] = NULL;
  c->code = ms_command_run(argc, argv);
  return NULL;
}

/* Runs a command in a thread whose stack is painted; returns the bytes down to the last one that it
 * wrote to. */
static size_t stack_of(call *c)
{
  pthread_attr_t attributes;
  pthread_t thread;
  unsigned char *stack =
      mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ck_assert(stack != MAP_FAILED);
  memset(stack, PAINT, STACK);
  pthread_attr_init(&attributes);
  ck_assert_int_eq(pthread_attr_setstack(&attributes, stack, STACK), 0);
  ck_assert_int_eq(pthread_create(&thread, &attributes, run_call, c), 0);
  pthread_join(thread, NULL);
  pthread_attr_destroy(&attributes);
  size_t clean = 0;
  while (clean < STACK && stack[clean] == PAINT)
    clean++;
  munmap(stack, STACK);
  return STACK - clean;
}

static const char *const graph_text =
    "a b 3\nb c 4\nc a 5\nc d 6\nd e 7\ne f 8\nf d 9\nf g 1\ng a 2\n";
static const char *const color_text =
    "a\tred\nb\tblue\nc\tred\nd\tgreen\ne\tblue\nf\tred\ng\tblue\n";

static const char *const lines[] = {
    "stats g.tsv -c c.tsv -m red,blue",
    "stats g.tsv --json",
    "components g.tsv -o o",
    "components g.tsv --json -o o",
    "convert g.tsv -c c.tsv --to graphml -o g.graphml",
    "convert g.graphml --to lad -o g.lad",
    "convert g.tsv -c c.tsv --to tve -o g.tve",
    "convert g.tsv -c c.tsv --to binary -o g.msb",
    "convert g.tve --to dimacs -o g.dimacs",
    "convert g.msb --to sif -o g.sif.gz",
    "convert g.sif.gz --to matrix-market -o g.mtx.zst",
    "convert g.mtx.zst --to edge-list -o h.tsv",
    "stats g.lad",
    "stats g.dimacs",
    "screen g.tsv -c c.tsv -m red,blue,green -o s.tsv",
    "screen g.tsv -c c.tsv -m red,blue,green --screen always -o o",
    "screen g.tsv house -o o",
    "screen g.tsv -c c.tsv -m red:2,blue --nearest -o o",
    "list g.tsv -c c.tsv -m red,blue,green -o l.tsv",
    "list g.tsv -c c.tsv -m red,blue --significance -o o",
    "list g.tsv -c c.tsv -m red,blue --max-missing 1 -o o",
    "list g.tsv -c c.tsv --motifs m.tsv -o o",
    "screen g.tsv -c c.tsv --motifs m.tsv -o o",
    "mine g.tsv -c c.tsv -k 3 -o o",
    "census g.tsv -c c.tsv -k 4 -o census.tsv",
    "census g.tsv -c c.tsv -k 3 --per-vertex -o o",
    "census g.tsv -c c.tsv -k 3 --significance -o o",
    "census g.tsv -c c.tsv -k 3 --permutations 5 -o o",
    "census g.tsv -c c.tsv -k 3 --part 1/2 -o p1.tsv",
    "census g.tsv -c c.tsv -k 3 --part 2/2 -o p2.tsv",
    "merge p1.tsv p2.tsv -o o",
    "compare sheet.tsv -k 3 -o o",
    "match g.tsv triangle -o t.tsv",
    "match g.tsv house --induced -o o",
    "match g.tsv octahedron --embeddings --json -o o",
    "match g.tsv clique:4 --count -o o",
    "match g.tsv wheel:6 --count -o o",
    "match g.tsv path:9 --count -o o",
    "match g.tsv star:12 --count --embeddings -o o",
    "match g.tsv wheel:9 --count --induced -o o",
    "match g.tsv cycle:12 -o o",
    "match g.tsv path:4 --count --part 1/2 -o q1.tsv",
    "match g.tsv path:4 --count --part 2/2 -o q2.tsv",
    "merge q1.tsv q2.tsv -o o",
    "match g.tsv -c c.tsv (a:red)--(b)--(c:blue) -o o",
    "match g.tsv --patterns set.tsv --count -o set.out",
    "match g.tsv --patterns set.tsv --permutations 3 --part 1/1 -o set.part",
    "merge set.part -o o",
    "verify set.out g.tsv",
    "report set.out -o o.html",
    "plan g.tsv house",
    "plan g.tsv clique:20 --json",
    "plan g.tsv path:200",
    "plan g.tsv star:255",
    "plan g.tsv wheel:40 --count",
    "plan g.tsv clique:256",
    "plan g.tsv house --order reuse",
    "plan g.tsv cycle:30 --order reuse --induced",
    "match g.tsv wheel:12 --order reuse -o o",
    "match t.sif (a)-[p]-(b)-[q]-(c) -o o",
    "match t.sif (a)-[p]-(b)-[q]-(c) --inexact -o o",
    "match t.sif (a)-[p]-(b)-[q]-(c) --count -o o",
    "plan t.sif (a)-[p]-(b)-[q]-(c)",
    "filter t.sif (a)-[p]-(b) -o o",
    "path t.sif a c -o o",
    "path t.sif --pairs pairs.tsv -o o",
    "verify l.tsv g.tsv -c c.tsv",
    "verify s.tsv g.tsv -c c.tsv --json",
    "verify census.tsv g.tsv -c c.tsv",
    "verify t.tsv g.tsv triangle",
    "report l.tsv g.tsv -c c.tsv -o o.html",
    "report census.tsv -o o.html",
    "neighbors points.csv --knn 2 -o o.tsv",
    "neighbors points.csv --delaunay -o o.tsv",
    "gen er -n 300 --edges 600 -o o.tsv",
    "gen rmat --scale 6 --edges 90 -o o.tsv",
    "gen regular -n 60 --degree 4 -o o.tsv",
    "gen grid --rows 9 --cols 9 -o o.tsv",
    "gen file g.tsv --shuffle -o o.tsv",
    "compare sheet.tsv -k 3 -o cmp.tsv",
    "verify cmp.tsv sheet.tsv",
    "report cmp.tsv -o o.html",
    "match star.tsv star:255 -o star.out",
    "verify star.out star.tsv star:255 --no-recount",
    "gen er -n 40 --edges 300 --seed 1 -o big.tsv",
    "match big.tsv wheel:9 --count --part 1/2 -o o",
    "match big.tsv path:7 --count --induced --part 1/2 -o r1.tsv",
    "match big.tsv path:7 --count --induced --part 2/2 -o r2.tsv",
    "merge r1.tsv r2.tsv -o o",
    "match big.tsv cycle:6 --count --part 1/2 -o u1.tsv",
    "match big.tsv cycle:6 --count --part 2/2 -o u2.tsv",
    "merge u1.tsv u2.tsv -o o",
    "match big.tsv star:5 --count --checkpoint ck -o o",
    "match big.tsv house --count --checkpoint ck -o o",
    "match big.tsv house --checkpoint ck -o o",
    "match big.tsv octahedron --count --induced -o o",
    "match big.tsv wheel:7 --count -o o",
    "match big.tsv cycle:8 --count -o o",
    "plan big.tsv cycle:8 --count",
    "plan g.tsv path:256 --count",
    "plan g.tsv star:255 --count --induced",
    "match g.tsv clique:256 --count -o o",
    "match k.tsv clique:256 --limit 1 -o o",
    "match twins.sif twins.txt -o o",
    "verify o twins.sif twins.txt",
    "list g.tsv -c c.tsv -m red,blue,green --checkpoint ck -o o",
    "census g.tsv -c c.tsv -k 3 --per-vertex --checkpoint ck -o o",
    "info" /* it closes standard output */
};

/* Writes the edges among 258 vertices, which hold cliques of 256. */
static void write_clique(void)
{
  FILE *f = fopen(files_path("k.tsv"), "w");
  for (int i = 0; i < 258; i++)
    for (int j = 0; j < i; j++)
      fprintf(f, "%d\t%d\n", i, j);
  fclose(f);
}

/* Writes two vertices with 900 arcs of different types, and a pattern of as many edges of any type,
 * each of which takes the arc of another one. */
static void write_twins(void)
{
  FILE *graph = fopen(files_path("twins.sif"), "w"), *pattern = fopen(files_path("twins.txt"), "w");
  for (int i = 0; i < 900; i++) {
    fprintf(graph, "a\tt%d\tb\n", i);
    fprintf(pattern, "%s(x)-->(y)", i ? ", " : "");
  }
  fclose(pattern);
  fclose(graph);
}

/* Each command of a table takes at most what the header says, with the tool around it, and that is
 * what the threads of musl have. */
START_TEST(calls_fit_into_the_stack)
{
  if (!PLAIN_FRAMES) {
    puts("SKIPPED: stacks: sanitizers make frames larger");
    return;
  }
  files_write_text("g.tsv", graph_text);
  files_write_text("c.tsv", color_text);
  files_write_text("m.tsv", "x\tred,blue\ny\tred:2,blue\n");
  files_write_text("set.tsv", "x\ttriangle\nwheel:6\n(a)--(b)--(c), (d)\n");
  files_write_text("t.sif", "a\tp\tb\nb\tq\tc\nc\tp\td\nd\tq\te\n");
  char star[255 * 8] = "";
  for (int i = 0; i < 255; i++)
    sprintf(star + strlen(star), "c\t%d\n", i);
  files_write_text("star.tsv", star);
  write_clique();
  write_twins();
  files_write_text("pairs.tsv", "a\tc\nb\te\n");
  files_write_text("points.csv", "id,x,y\np1,0,0\np2,1,0\np3,0,1\np4,2,2\np5,3,1\n");
  files_write_text("sheet.tsv", "sample\tgraph\tcolors\tgroup\ns1\tg.tsv\tc.tsv\tx\n"
                                "s2\tg.tsv\tc.tsv\tx\ns3\tg.tsv\tc.tsv\ty\n"
                                "s4\tg.tsv\tc.tsv\ty\n");
  char folder[4096];
  snprintf(folder, sizeof folder, "%s", files_path("g.tsv"));
  *strrchr(folder, '/') = '\0';
  ck_assert_int_eq(chdir(folder), 0);
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
    call c = {.line = lines[i]};
    size_t bytes = stack_of(&c);
    ck_assert_msg(c.code == 0, "%s: exit code %d", lines[i], c.code);
    ck_assert_msg(bytes <= MS_STACK_BYTES, "%s: %zu bytes", lines[i], bytes);
  }
}
END_TEST

TEST_MAIN("stacks", TEST(calls_fit_into_the_stack))
