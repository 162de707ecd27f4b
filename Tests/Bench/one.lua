-- One request, repeated: the URL given to wrk, with BENCH_METHOD, BENCH_BODY and BENCH_AUTHORIZATION. Prints the count and the refusals.
wrk.method = os.getenv("BENCH_METHOD") or "GET"
wrk.body = os.getenv("BENCH_BODY")
if wrk.body then wrk.headers["Content-Type"] = "application/x-www-form-urlencoded" end
wrk.headers["Authorization"] = os.getenv("BENCH_AUTHORIZATION")

function done(summary)
  local e = summary.errors
  io.write(string.format("RESULT %d %d %d\n", summary.requests, summary.duration, e.status + e.connect + e.read + e.write + e.timeout))
end
