#!/bin/sh
# Runs the tour with curl, and prints its result as JSON. Usage: ORIGIN=http://127.0.0.1:4000 TOKEN=emb_… sh curl.sh
set -eu

call() { curl --silent --show-error --fail-with-body -H "Authorization: Bearer $TOKEN" "$@"; }
ids() { grep -o '"id":"[^"]*"' | cut -d '"' -f 4; }

for _ in 1 2 3; do
  call "$ORIGIN/v1/embeds" -d page_url=https://example.com/Meal-Planner-95747105f402490eba51d52e00496c1c >/dev/null
done

path='/v1/embeds?first=2'
listed=
while [ -n "$path" ]; do
  page=$(call --include "$ORIGIN$path")
  listed="$listed $(printf '%s' "$page" | ids | tr '\n' ' ')"
  path=$(printf '%s' "$page" | tr -d '\r' | sed -n 's/^link: <\(.*\)>; rel="next"$/\1/p')
done

set -- $listed
call -X PATCH "$ORIGIN/v1/embeds/$1" -d mode=dark >/dev/null
call -X DELETE "$ORIGIN/v1/embeds/$2" >/dev/null
printf '{"listed":["%s"],"updated":{"id":"%s","mode":"dark"},"deleted":"%s"}\n' "$(echo "$@" | sed 's/ /","/g')" "$1" "$2"
