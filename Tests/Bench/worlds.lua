-- Worlds that are made one after the other, each by the name in its path; 15,000, since a program takes 20,000.
local made, answered = 0, 0

local threads = {}
function setup(thread)
  thread:set("number", #threads + 1)
  table.insert(threads, thread)
end

function request()
  made = made + 1
  local path = "/_understudy/v1/worlds/t" .. number .. "-" .. made
  return wrk.format("PUT", path, { ["Content-Type"] = "application/json" }, "{}")
end

function response()
  answered = answered + 1
  if answered == 15000 then wrk.thread:stop() end
end

function done(summary)
  local e = summary.errors
  io.write(string.format("RESULT %d %d %d\n", summary.requests, summary.duration, e.status + e.connect + e.read + e.write + e.timeout))
end
