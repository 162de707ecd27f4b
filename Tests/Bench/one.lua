-- One request, repeated: the URL given to wrk. Prints the count and the refusals.
function done(summary)
  local e = summary.errors
  io.write(string.format("RESULT %d %d %d\n", summary.requests, summary.duration, e.status + e.connect + e.read + e.write + e.timeout))
end
