-- Sends the requests of a file in random order, and prints the result as one line of JSON.
-- The file contains, separated by zero bytes, for each request: method, path, body, and headers (alternating names and
-- values, then an empty string).

local requests = {}

function init(args)
  local file = assert(io.open(args[1], 'rb'))
  local parts = {}
  for part in file:read('*a'):gmatch('([^%z]*)%z') do parts[#parts + 1] = part end
  file:close()
  local i = 1
  while parts[i] do
    local method, path, body, headers = parts[i], parts[i + 1], parts[i + 2], {}
    i = i + 3
    while parts[i] ~= '' do
      headers[parts[i]] = parts[i + 1]
      i = i + 2
    end
    i = i + 1
    requests[#requests + 1] = wrk.format(method, path, headers, body ~= '' and body or nil)
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
