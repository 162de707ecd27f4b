-- Passcode logins from end to end: initialize, read the code from the outbox, finalize. The user ids are in the file
-- BENCH_USERS, one "id address" a line, or "id address /w/NAME" of
-- a world. An answer is led back to its login by X-Request-Id, which the server repeats.
local json = "application/json"
local users, turn, ready = {}, 0, {}
logins, refused = 0, 0

local threads = {}
function setup(thread) table.insert(threads, thread) end

function init()
  for line in io.lines(os.getenv("BENCH_USERS")) do
    local id, address, mount = line:match("(%S+) (%S+) ?(%S*)")
    users[#users + 1] = { id = id, address = address, mount = mount }
  end
end

local function headers(id) return { ["Content-Type"] = json, ["X-Request-Id"] = id } end

function request()
  local step = table.remove(ready)
  if step then return step end
  turn = turn % #users + 1
  return wrk.format("POST", users[turn].mount .. "/hanko/passcode/login/initialize", headers("i:" .. turn), '{"user_id":"' .. users[turn].id .. '"}')
end

function response(status, head, body)
  local id = head["X-Request-Id"] or ""
  if status ~= 200 then refused = refused + 1 return end
  local user = id:match("^i:(%d+)$")
  if user then
    local passcode = body:match('"id":"([^"]+)"')
    local path = users[tonumber(user)].mount .. "/_understudy/v1/codes?to=" .. users[tonumber(user)].address
    table.insert(ready, wrk.format("GET", path, headers("c:" .. user .. ":" .. passcode)))
    return
  end
  local user, passcode = id:match("^c:(%d+):(.+)$")
  if passcode then
    local sent = '{"id":"' .. passcode .. '","code":"' .. body:match('"code":"(%d+)"') .. '"}'
    table.insert(ready, wrk.format("POST", users[tonumber(user)].mount .. "/hanko/passcode/login/finalize", headers("f"), sent))
    return
  end
  logins = logins + 1
end

function done(summary)
  local all, bad = 0, 0
  for _, thread in ipairs(threads) do
    all, bad = all + thread:get("logins"), bad + thread:get("refused")
  end
  io.write(string.format("RESULT %d %d %d\n", all, summary.duration, bad))
end
