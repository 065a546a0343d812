# Runs the commands of a page, and compares what they print with what the page shows: Rscript r/page.R PAGE
# A command is an indented line that begins with "> ", and goes on in lines that begin with "+ ".  "..." alone on a line
# stands for any lines, and at the end of a line for the rest of it.
lines <- readLines(commandArgs(TRUE)[1], encoding = "UTF-8")
trimmed <- function(x) sub("[ \t]+$", "", x)
fits <- function(shown, printed) {
  cut <- endsWith(shown, " ...")
  ifelse(cut, startsWith(printed, sub("\\.\\.\\.$", "", shown)), shown == printed)
}
run <- function(code) {
  failed <- FALSE
  printed <- utils::capture.output(tryCatch({
    for (expression in parse(text = code, keep.source = FALSE)) {
      value <- withVisible(eval(expression, globalenv()))
      if (value$visible) print(value$value)
    }
  }, error = function(e) cat("Error: ", conditionMessage(e), "\n", sep = "")))
  printed <- trimmed(printed)
  printed[printed != ""]
}
commands <- bad <- 0
i <- 1
while (i <= length(lines)) {
  if (!startsWith(lines[i], "    > ")) { i <- i + 1; next }
  code <- substring(lines[i], 7)
  i <- i + 1
  while (i <= length(lines) && startsWith(lines[i], "    + ")) { code <- c(code, substring(lines[i], 7)); i <- i + 1 }
  shown <- character()
  while (i <= length(lines) && (lines[i] == "" || startsWith(lines[i], "    ")) && !startsWith(lines[i], "    > ")) {
    shown <- c(shown, trimmed(substring(lines[i], 5)))
    i <- i + 1
  }
  shown <- shown[shown != ""]
  printed <- run(code)
  commands <- commands + 1
  good <- identical(shown, "...") || (length(shown) == length(printed) && all(fits(shown, printed)))
  if (!good) {
    bad <- bad + 1
    writeLines(c("FAILED:", code, "the page shows:", shown, "printed:", printed))
  }
}
cat(commands, "commands of the page,", bad, "failed\n")
quit(status = bad > 0 || commands == 0)
