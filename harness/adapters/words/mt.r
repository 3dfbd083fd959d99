# R's Mersenne-Twister, for words_adapter.py. set.seed scrambles its seed, so the state is set as it is; a uniform number is a
# word over 2^32, exactly.
RNGkind("Mersenne-Twister", "Inversion", "Rejection")
set.seed(1)
kinds <- .Random.seed[1]
input <- file("stdin", "r")
output <- pipe("cat", "wb")
cat("R-Mersenne-Twister ", R.version$major, ".", R.version$minor, " mt19937-state\n", sep = "", file = stdout())
flush(stdout())
while (length(line <- readLines(input, 1)) > 0) {
  fields <- strsplit(line, " ")[[1]]
  if (fields[1] == "state") {
    .Random.seed <- c(kinds, 624L, as.integer(fields[-1]))
  } else {
    words <- floor(runif(as.integer(fields[2])) * 2^32)
    signed <- ifelse(words >= 2^31, words - 2^32, words)
    # An integer of -2^31 is R's missing value, whose bits are the right ones.
    signed[signed == -2^31] <- NA
    writeBin(as.integer(signed), output, size = 4, endian = "little")
    flush(output)
  }
}
