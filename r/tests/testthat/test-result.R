test_that("each kind of result is accepted by the judge, and has a report", {
  g <- random_graph(40, 80)
  results <- list(ms_screen(g, "a:2,b"), ms_list(g, "a:2,b"), ms_list(g, "a:2,b", long = TRUE), ms_nearest(g, "a:2,b", limit = 5),
                  ms_match(g, "(u:a)--(v:b), (v)--(w:c)"), ms_match(g, "triangle"), ms_census(g, 3), ms_shapes(g, 3),
                  ms_census_vertices(g, 2), ms_orbits(g, 3), ms_mine(g, 2), suppressWarnings(ms_census(g, 2, significance = TRUE)))
  for (result in results) {
    page <- tempfile(fileext = ".html")
    expect_true(ms_verify(result)$accepted)
    suppressMessages(ms_report(result, page, recount_seconds = 2))
    expect_match(readLines(page, 1), "<!doctype html>", ignore.case = TRUE)
  }
})

test_that("the judge refuses a file that was changed", {
  g <- colored_path()
  l <- ms_list(g, "A,B")
  file <- attr(l, "motifsieve")$file$path
  lines <- readLines(file)
  writeLines(sub("^1\tx", "1\tz", lines), file)
  expect_false(ms_verify(l)$accepted)
})

test_that("reports of points draw their positions, and results are written", {
  p <- ms_points(expand.grid(1:6, 1:6), neighbors = 4, colors = rep(c("a", "b"), 18))
  page <- tempfile(fileext = ".html")
  suppressMessages(ms_report(ms_list(p, "a,b", limit = 5), page))
  expect_true(any(grepl("positions", readLines(page), fixed = TRUE)))
  l <- ms_list(p, "a,b", limit = 5)
  copy <- tempfile(fileext = ".tsv")
  ms_write(l, copy)
  expect_match(readLines(copy, 1), "^# motifsieve .* list")
  drawing <- tempfile(fileext = ".dot")
  expect_identical(ms_list(p, "a,b", limit = 5, file = drawing), drawing)
  expect_match(readLines(drawing), "graph", all = FALSE)
  expect_error(ms_list(p, "a,b", file = "x.xls"), ".tsv", fixed = TRUE)
  expect_error(ms_report(as.data.frame(l), page), "whole result")
})

test_that("a graph of files is found again from another folder, and its options are checked", {
  folder <- system.file("extdata", package = "motifsieve")
  before <- setwd(folder)
  g <- ms_read_graph("string_interactions_short.tsv", "genes.tsv", min_score = 0.7)
  setwd(before)
  l <- ms_list(g, "helicase,ligase,*")
  expect_identical(ms_verify(l)[, 1:3], data.frame(accepted = TRUE, outcome = "accepted", completeness = "proved"))
  expect_error(ms_read_graph(file.path(folder, "genes.tsv"), graph_options = list(header = 3)), "`header` has to be TRUE or FALSE")
  expect_error(ms_read_graph(file.path(folder, "genes.tsv"), graph_options = list(heading = TRUE)), "`heading`")
})

test_that("the package and the library have one version", {
  expect_identical(ms_library()[["version"]], as.character(utils::packageVersion("motifsieve")))
})

test_that("what was chosen or changed of a result is no longer the file", {
  l <- ms_list(colored_path(), "A,B")
  changed <- l
  changed$A <- "z"
  renamed <- l
  renamed[["new"]] <- 1
  for (x in list(l[1, ], l["A"], head(l, 1), subset(l, match == 1), changed, renamed)) {
    expect_error(ms_verify(x), "chosen or changed")
    expect_output(print(x), "^ ")
  }
  expect_identical(l$A, c("x", "z"))
  expect_identical(l[["B"]][2], "y")
})

test_that("a screened list states its bound", {
  l <- ms_list(random_graph(), "a,b")
  attr(l, "motifsieve")$header <- c(k = "2", mode = "screened", miss_bound = "1.00000e-07 = (1)^2", status = "complete")
  expect_identical(ms_assurance(l), "complete, but a row is missed with a chance of at most 2e-07")
})

test_that("the types of columns are those of ms_columns()", {
  expect_true(all(c("screen", "list_wide", "census", "compare") %in% ms_columns()))
  for (kind in ms_columns()) {
    columns <- ms_columns(kind)
    expect_named(columns, c("name", "values", "when", "meaning"))
    for (i in seq_len(nrow(columns))) expect_length(motifsieve:::cell_values(c("1", "1"), columns[i, ]), 2)
  }
  expect_error(ms_columns("nonsense"), "\"census\"")
  expect_identical(motifsieve:::listed(strsplit('a,"b,""c""",d,"e"', ",")[[1]]), c("a", 'b,"c"', "d", "e"))
})

test_that("vertices with the names NA, # and quotes are those", {
  g <- ms_graph(data.frame(c("NA", "# end: rows=0", "\"q\"", "a b"), c("# end: rows=0", "\"q\"", "a b", "NA")),
                colors = c("A", "B", "A", "B"))
  s <- ms_screen(g, "A,B")
  expect_setequal(s$vertex, c("NA", "# end: rows=0", "\"q\"", "a b"))
  expect_setequal(ms_list(g, "A:2,B")$A_1, c("NA", "NA"))
  expect_setequal(unlist(ms_nearest(g, "A:2,B", max_missing = 0)$vertices), s$vertex)
})

test_that("a time limit gives what was found, with a warning", {
  p <- ms_points(expand.grid(1:60, 1:60), neighbors = 8, colors = rep("a", 3600))
  expect_warning(ms_list(p, "a:14", count_only = TRUE, timeout = 0.3), "lower bound")
  expect_warning(some <- ms_match(p, "path:14", timeout = 0.1), "time")
  expect_match(ms_assurance(some), "incomplete: time")
  expect_error(ms_list(p, "a:2", timeout = 0), "`timeout`")
})

test_that("an interrupt ends a search as R's own does, and the session goes on", {
  skip_on_os("windows")
  p <- ms_points(expand.grid(1:60, 1:60), neighbors = 8, colors = rep("a", 3600))
  system(sprintf("(sleep 0.5; kill -INT %d) &", Sys.getpid()))
  begin <- proc.time()[[3]]
  ended <- tryCatch({ ms_list(p, "a:14", count_only = TRUE, timeout = 20); "not interrupted" }, interrupt = function(e) "interrupted")
  expect_identical(ended, "interrupted")
  expect_lt(proc.time()[[3]] - begin, 10)
  expect_identical(nrow(ms_list(colored_path(), "A:2,B")), 1L)
})

test_that("progress is shown by a function, whose error ends the search", {
  p <- ms_points(expand.grid(1:60, 1:60), neighbors = 8, colors = rep("a", 3600))
  seen <- list()
  suppressWarnings(ms_list(p, "a:14", count_only = TRUE, timeout = 1, progress = function(what, done, total) seen[[length(seen) + 1]] <<- c(done, total)))
  expect_gt(length(seen), 0)
  expect_true(all(vapply(seen, function(s) s[1] <= s[2] || s[2] == 0, NA)))
  expect_error(ms_list(p, "a:14", count_only = TRUE, timeout = 20, progress = function(...) stop("no")), "`progress` failed.*: no")
})

test_that("a graph of another session is refused, and what nothing refers to is freed", {
  g <- colored_path()
  saved <- unserialize(serialize(g, NULL))
  expect_error(ms_list(saved, "A"), "not in this session")
  path <- ms_list(g, "A")
  path <- attr(path, "motifsieve")$file$path
  gc()
  expect_false(file.exists(path))
})

test_that("vertices of patterns and slots may have the names of other columns", {
  g <- ms_graph(data.frame(c("001", "002"), c("002", "003")), colors = c("match", "edges", "label"))
  m <- ms_match(g, "(label)--(density), (density)--(match)", measures = "density")
  expect_identical(names(m), c("match", "edges", "density", "label", "density", "match"))
  expect_identical(as.list(unname(as.data.frame(m)))[4:6], list("001", "002", "003"))
  expect_type(m$density, "double")
  l <- ms_list(g, "label,edges,match")
  expect_identical(as.list(as.data.frame(l)), list(match = 1L, edges = "002", label = "003", match_1 = "001"))
  expect_named(ms_list(g, "label", long = TRUE), c("match", "vertex", "role"))
  expect_true(ms_verify(l)$accepted)
})
