/* Real files and the formats that are detected by their columns: no format may take a file of
 * another one. */
#include "graph/formats/detect.h"
#include "tests/support/files.h"
#include "tests/support/test_main.h"

#include <stdio.h>

/* Graphs and colour files alike: as a graph each of them is read as an edge list. */
static const char *const edge_lists[] = {
    "yeast/4932.protein.aliases.v12.0.txt.gz",
    "yeast/CYC2008_complex.tab.txt.gz",
    "yeast/Collins2007.txt.gz",
    "yeast/GO_annotations-559292-direct-allev.tsv.gz",
    "yeast/Krogan2006core.txt.gz",
    "yeast/go_slim_mapping.tab.gz",
    "yeast/huh_loc_070804.txt.gz",
    "yeast/s_cerevisiae.network-109-4.4.222.txt.gz",
    "yeast/yeastmappings_080415.txt.gz",
    "human/BioGRID_HSapiens-3.4.164.el.gz",
    "human/CORUM_coreComplexes.txt.gz",
    "human/DataS1_interactome.tsv.gz",
    "human/GO_annotations-9606-direct-expev.tsv.gz",
    "human/HI-II-14.tsv.gz",
    "web_social/Gowalla_edges.head.txt.gz",
    "web_social/email-Enron.txt.gz",
    "web_social/facebook_combined.txt.gz",
    "web_social/loc-brightkite_social_location.el.gz",
    "web_social/luxembourg_osm.mtx.gz",
    "web_social/wiki-Vote.el.gz",
    "homology/1-hs9606-5-sc4932.cf.gz",
    "homology/1-hs9606.tab.gz",
    "homology/5-sc4932.tab.gz",
};

/* The format of a file by its name and what it begins with, and by that alone. */
static bool detect(const char *name, ms_graph_format formats[2])
{
  ms_error err;
  ms_text *text = NULL;
  const char *path = files_data(name);
  if (!path) {
    printf("SKIPPED: formats of real data: no %s\n", name);
    return false;
  }
  ms_head head;
  ck_assert_msg(ms_text_open(path, &text, &err) == MS_OK, "%s", err.message);
  ck_assert_msg(ms_head_read(path, text, &head, &err) == MS_OK, "%s", err.message);
  for (int i = 0; i < 2; i++) {
    ms_typed_format typed;
    ck_assert_msg(ms_format_detect(path, &head, false, &formats[i], &typed, &err) == MS_OK, "%s",
                  err.message);
    head.path = "-";
  }
  ms_text_close(text);
  return true;
}

/* 23 real files of other columns are taken for edge lists, by name and content and by content
 * alone. */
START_TEST(edge_lists_stay_edge_lists)
{
  for (size_t i = 0; i < sizeof edge_lists / sizeof *edge_lists; i++) {
    ms_graph_format formats[2];
    bool there = detect(edge_lists[i], formats);
    for (int j = 0; there && j < 2; j++)
      ck_assert_msg(formats[j] == MS_FORMAT_EDGE_LIST, "%s is told as %s", edge_lists[i],
                    ms_graph_format_describe(formats[j]).name);
  }
}
END_TEST

/* A file of STRING and one of Hetionet are detected as STRING and SIF, by name and content and by
 * content alone. */
START_TEST(others_are_told)
{
  ms_graph_format formats[2];
  if (detect("yeast/4932.protein.physical.links.v12.0.txt.gz", formats)) {
    ck_assert_int_eq(formats[0], MS_FORMAT_STRING);
    ck_assert_int_eq(formats[1], MS_FORMAT_STRING);
  }
  /* relations of its own, but a header that says so */
  if (detect("typed/hetionet_edges-5k.sif.gz", formats)) {
    ck_assert_int_eq(formats[0], MS_FORMAT_SIF);
    ck_assert_int_eq(formats[1], MS_FORMAT_SIF);
  }
}
END_TEST

TEST_MAIN("formats of real data", TEST(edge_lists_stay_edge_lists), TEST(others_are_told))
