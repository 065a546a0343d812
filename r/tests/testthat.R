library(testthat)
library(motifsieve)
test_check("motifsieve")
