-- Sends the requests of a file in random order, and prints the result as one line of JSON.
-- The file contains, separated by zero bytes: method, headers (alternating names and values, then an empty string), and
-- then a path and a body for each request.

local requests = {}

function init(args)
  local file = assert(io.open(args[1], 'rb'))
  local parts = {}
  for part in file:read('*a'):gmatch('([^%z]*)%z') do parts[#parts + 1] = part end
  file:close()
  local method, headers, i = parts[1], {}, 2
  while parts[i] ~= '' do
    headers[parts[i]] = parts[i + 1]
    i = i + 2
  end
  for at = i + 1, #parts, 2 do
    local body = parts[at + 1] ~= '' and parts[at + 1] or nil
    requests[#requests + 1] = wrk.format(method, parts[at], headers, body)
  end
  math.randomseed(1)
end

function request()
  return requests[math.random(#requests)]
end

function done(summary, latency)
  local errors = summary.errors
  print(string.format(
    '{"requests":%d,"seconds":%f,"p50Ms":%f,"p99Ms":%f,"errors":%d}',
    summary.requests, summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout
  ))
end
