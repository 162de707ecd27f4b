-- Three kinds of request in turn: one without a world's data, one with keys, one that looks a user up.
local json = { ["Content-Type"] = "application/json" }
local requests, turn = {}, 0

function init()
  requests = {
    wrk.format("GET", "/_understudy/v1/health"),
    wrk.format("GET", "/hanko/.well-known/jwks.json"),
    wrk.format("POST", "/hanko/user", json, '{"email":"bench@example.com"}'),
  }
end

function request()
  turn = turn % #requests + 1
  return requests[turn]
end

function done(summary)
  local e = summary.errors
  io.write(string.format("RESULT %d %d %d\n", summary.requests, summary.duration, e.connect + e.read + e.write + e.timeout))
end
