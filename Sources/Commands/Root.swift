enum Root {}
