test_that("a data frame of edges keeps names, isolated vertices, scores and directions", {
  g <- path_graph(vertices = data.frame(id = c("w", "lonely", "x", "y", "z"), kind = c("B", "A", "A", "B", NA)), colors = "kind")
  expect_identical(ms_vertices(g), c("w", "lonely", "x", "y", "z"))
  expect_identical(ms_info(g)$colors, c("B", "A"))
  expect_identical(ms_screen(g, "A", all_colors = TRUE)$vertex, c("lonely", "x"))
  edges <- data.frame(a = c("x", "y", "x"), b = c("y", "x", "z"), w = c(0.5, 2, 1))
  expect_identical(as.data.frame(ms_graph(edges, scores = "w"))$score, c(2, 1))
  d <- ms_graph(edges, directed = TRUE, scores = edges$w, colors = c(x = "A", z = "B"))
  expect_identical(ms_info(d)[c("edges", "directed", "scored")], list(edges = 2, directed = TRUE, scored = TRUE))
  arcs <- as.data.frame(d)
  expect_setequal(paste(arcs$from, arcs$to, arcs$score), c("x y 2", "y x 2", "x z 1"))
  expect_identical(ms_match(d, "(a)-->(b), (b)-->(a)", count_only = TRUE), 1)
})

test_that("names may be numbers, factors and letters of any alphabet", {
  g <- ms_graph(data.frame(c(100000, 2), c(2, 3e5)))
  expect_identical(ms_vertices(g), c("100000", "2", "300000"))
  f <- ms_graph(data.frame(factor(c("β-catenin", "x,\"y\"")), factor(c("x,\"y\"", "日本"))), colors = c("é", "ü", "é"))
  expect_identical(ms_vertices(f), c("β-catenin", "x,\"y\"", "日本"))
  expect_identical(unlist(ms_nearest(f, c("é", "ü"), max_missing = 0)$vertices[1]), c("β-catenin", "x,\"y\""))
  expect_identical(ms_list(f, c(é = 2, ü = 1))[["ü"]], "x,\"y\"")
})

test_that("edges without an end, unknown vertices and wrong lengths are errors that say what to do", {
  expect_error(ms_graph(data.frame(c("x", NA), c("y", "z"))), "edge 2 has no vertex", class = "ms_usage_error")
  expect_error(path_graph(colors = c(x = "A", q = "B")), "names the vertex 'q', which the graph lacks", class = "ms_error")
  expect_error(path_graph(colors = c("A", "B")), "has 2 items, and there are 4")
  expect_error(path_graph(vertices = c("x", "x")), "'x' twice")
  expect_error(path_graph(colors = c(0.5, 1, 2, 3)), "measured")
  expect_error(path_graph(colors = data.frame(v = "q", c = "A")), "'q'")
  expect_error(ms_graph(matrix(0, 2, 3)), "adjacency matrix")
  expect_error(ms_graph(matrix(c(0, NA, NA, 0), 2)), "NA")
  expect_error(ms_graph(1:3), "class integer")
  expect_error(ms_graph(data.frame(a = "x\ty", b = "z")), class = "ms_error")
  expect_error(ms_list(path_graph(), "A"), "no colours")
  expect_error(ms_list(data.frame(), "A"), "ms_graph()", fixed = TRUE)
  expect_error(path_graph(colour = "A"), "unused argument `colour`")
  expect_error(ms_points(cbind(1:3, 0), neighbours = 2), "unused argument `neighbours`")
  expect_error(ms_points(cbind(1:3, 0), radius = 2, mutual = TRUE), "`mutual`")
  expect_identical(ms_info(ms_graph(cbind(c("a", "b"), c("b", "c"))))$edges, 2)
  expect_error(ms_read_graph("no such file.tsv"), class = "ms_input_error")
  expect_error(ms_read_graph("x.tsv", format = "nonsense"), "nonsense")
})

test_that("colours may be factors, lists, tables and matrices, and none", {
  expected <- ms_census(colored_path(), 2)
  ways <- list(factor(c("A", "B", "A", NA)), list("A", "B", "A", NULL), list("A", "B", c("A", NA), ""),
               data.frame(vertex = c("z", "x", "y"), color = factor(c("A", "A", "B"))), c(w = NA, z = "A", y = "B", x = "A"),
               matrix(c(TRUE, FALSE, TRUE, FALSE, FALSE, TRUE, FALSE, FALSE), 4, dimnames = list(NULL, c("A", "B"))))
  for (way in ways) expect_equal(as.data.frame(ms_census(path_graph(colors = way), 2)), as.data.frame(expected))
  expect_null(ms_info(path_graph(colors = c(NA, NA, NA, NA)))$colors)
  g <- ms_graph(colored_path(), colors = list("A", c("A", "B"), "B", "B"))
  expect_identical(ms_census(g, 2)$sets, ms_census(path_graph(colors = list("A", c("A", "B"), "B", "B")), 2)$sets)
  expect_identical(ms_info(path_graph(colors = c(1, 2, 1, 10)))$colors, c("1", "2", "10"))
})

test_that("a name may be repeated for a further colour, and nowhere else", {
  g <- path_graph(colors = c(x = "A", y = "B", x = "C", y = "B"))
  shown <- ms_screen(g, "A|B|C", all_colors = TRUE)
  expect_identical(stats::setNames(shown$colors, shown$vertex), list(x = c("A", "C"), y = "B"))
  factors <- stats::setNames(factor(c("B", "A", "C", NA)), c("y", "x", "x", "w"))
  expect_identical(ms_census(path_graph(colors = factors), 2)$motif, ms_census(g, 2)$motif)
  expect_identical(ms_info(path_graph(colors = list(x = "A", x = c("B", "C"))))$colors, c("A", "B", "C"))
  twice <- c(x = 1, y = 1, z = 2, w = 2, z = 3)
  expect_error(ms_census(g, 2, permutations = 10, strata = twice), "`strata` names 'z' twice", class = "ms_usage_error")
  expect_error(ms_compare(g, twice, samples = c(x = 1, y = 2, z = 3, w = 4)), "`groups` names 'z' twice")
  expect_error(ms_compare(g, c(1, 1, 2, 2), samples = twice), "`samples` names 'z' twice")
  expect_error(ms_points(cbind(1:2, 0), radius = 1, names = c("p", "q"), slides = c(p = 1, q = 2, q = 1)), "`slides` names 'q' twice")
  hits <- matrix(1, 4, 1, dimnames = list(c("x", "y", "z", "z"), "A"))
  expect_error(path_graph(colors = hits), "`colors` names 'z' twice")
  expect_error(ms_match(g, cbind("u", "v"), colors = c(u = "A", u = "B")), "`colors` names 'u' twice")
})

test_that("graphs of igraph and of Matrix are the graphs of their edges", {
  skip_if_not_installed("igraph")
  skip_if_not_installed("Matrix")
  ring <- igraph::make_ring(5)
  igraph::V(ring)$type <- c("a", "b", "a", "b", "b")
  igraph::E(ring)$weight <- 1:5
  g <- ms_graph(ring, colors = "type", scores = "weight")
  expect_identical(as.data.frame(g)$score, c(1, 5, 2, 3, 4))
  expect_error(ms_graph(ring, colors = "kind"), "\"type\"")
  igraph::V(ring)$name <- letters[1:5]
  m <- igraph::as_adjacency_matrix(ring, sparse = TRUE)
  expect_s4_class(m, "dgCMatrix")
  for (x in list(ring, m, as.matrix(m), methods::as(m, "TsparseMatrix")))
    expect_setequal(do.call(paste, as.data.frame(ms_graph(x))), c("a b", "a e", "b c", "c d", "d e"))
  expect_identical(ms_match(g, ring, count_only = TRUE), 1)
  expect_true(ms_info(ms_graph(igraph::make_ring(4, directed = TRUE)))$directed)
  weighted <- Matrix::sparseMatrix(i = c(1, 2), j = c(2, 3), x = c(0.5, 4), dims = c(3, 3))
  expect_identical(as.data.frame(ms_graph(weighted, scores = TRUE)), data.frame(from = c("1", "2"), to = c("2", "3"), score = c(0.5, 4)))
})

test_that("points are joined by rules, and never across slides", {
  xy <- cbind(x = c(0, 1, 2, 9), y = 0)
  expect_identical(ms_info(ms_points(xy, radius = 1.5))$edges, 2)
  expect_identical(ms_info(ms_points(xy, neighbors = 1))$edges, 3)
  expect_identical(ms_info(ms_points(xy, radius = 1.5, slides = c("p", "p", "q", "q")))$edges, 1)
  expect_identical(ms_info(ms_points(data.frame(xy), delaunay = TRUE))$edges, 3)
  expect_error(ms_points(cbind(1, NA)), "finite")
  expect_error(ms_points(xy, neighbors = 1, delaunay = TRUE), "two rules")
})

test_that("cells of a SingleCellExperiment have the columns of colData and spatialCoords", {
  skip_if_not_installed("SingleCellExperiment")
  xy <- cbind(c(0, 1, 2, 9), 0)
  cells <- SingleCellExperiment::SingleCellExperiment(list(counts = matrix(0, 2, 4, dimnames = list(NULL, paste0("c", 1:4)))))
  cells$type <- factor(c("T", "B", "T", "T"))
  cells$x <- xy[, 1]
  cells$y <- 0
  expect_error(ms_graph(cells, radius = 1.5), "spatialCoords")
  by_columns <- ms_graph(cells, radius = 1.5, colors = "type", coordinates = c("x", "y"))
  # where a SpatialExperiment keeps them
  SingleCellExperiment::int_colData(cells)$spatialCoords <- xy
  by_places <- ms_graph(cells, radius = 1.5, colors = "type")
  expect_identical(as.data.frame(by_places), as.data.frame(by_columns))
  expect_identical(as.data.frame(ms_list(by_places, "T,B"))$T, c("c1", "c3"))
  expect_error(ms_graph(cells, colors = "kind"), "\"type\"")
})

test_that("graphs are written and read again", {
  g <- random_graph()
  file <- tempfile(fileext = ".graphml")
  ms_write(g, file)
  again <- ms_read_graph(file)
  expect_identical(as.data.frame(again), as.data.frame(g))
  expect_equal(as.data.frame(ms_census(again)), as.data.frame(ms_census(g)))
  expect_error(ms_write(g, "g.xyz"), "graphml")
  expect_error(ms_write(g, file.path(tempdir(), "no folder", "g.msb")), class = "ms_output_error")
  for (ending in c(".msb", ".tsv", ".tve", ".sif")) {
    plain <- tempfile(fileext = ending)
    expect_identical(ms_write(g, plain), plain)
    expect_identical(ms_info(ms_read_graph(plain))$edges, ms_info(g)$edges)
  }
})
