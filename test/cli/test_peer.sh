#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# rut run --peer with the example peer: it keeps to its sine, twice in the same words and with the
# same state; errors of the command line.
source "$(dirname "$0")/lib.bash"

driven=$RUT_SOURCE_DIR/worlds/autonomy/peer.xml
drive() {
  python3 "$RUT_SOURCE_DIR/examples/peer/two_points.py" "$scratch/$1" >"$scratch/$1.txt" &
  run run "$driven" --quiet --json --duration 20 --peer "$scratch/$1" --peer-timeout 20 --peer-log "$scratch/$1.log"
  check "$1: the run" code_is 0
  wait $!
  check "$1: the peer" [ $? -eq 0 ]
  echo "$out" | python3 -c 'import json,sys; print(json.load(sys.stdin)["hash"])' >"$scratch/$1.hash"
}
drive first
drive second
check 'actions are declared' grep -q 'actions:  throttle, brake, steering' "$scratch/first.txt"
check 'good-bye' grep -q 'good-bye: done' "$scratch/first.txt"
check 'the same words' cmp "$scratch/first.log" "$scratch/second.log"
check 'the same state' cmp "$scratch/first.hash" "$scratch/second.hash"
check '20 percepts per second' [ "$(grep -c '^> {"type":"percept"' "$scratch/first.log")" -eq 400 ]
check 'an answer to each' [ "$(grep -c '^< {"type": "act"' "$scratch/first.log")" -eq 400 ]

# a sine of 3.5 m and 150 m, once the start, at an angle to it, is forgotten
cat >"$scratch/keeps.py" <<'PY'
import json, math, sys
heard = [json.loads(line[2:]) for line in open(sys.argv[1]) if '"percept"' in line]
errors = [p["y"] - 3.5 * math.sin(2 * math.pi * p["x"] / 150) for p in heard if p["x"] > 60]
print(len(errors), max(map(abs, errors)), heard[-1])
sys.exit(not (len(errors) > 200 and max(map(abs, errors)) < 1))
PY
check 'it keeps to its way' python3 "$scratch/keeps.py" "$scratch/first.log"

run run "$driven" --peer "$scratch/nobody" --peer-timeout 0.1
check 'nobody listens' code_is 6
check 'nobody listens: said' has "$err" 'nobody listens on the socket'
# one that lets others wait to be accepted, as many as it lets
python3 -c '
import os, socket, sys, time
listener = socket.socket(socket.AF_UNIX)
listener.bind(sys.argv[1] + ".new")
listener.listen(0)
others = [socket.socket(socket.AF_UNIX) for _ in range(9)]
for other in others:
    other.setblocking(False)
    try:
        other.connect(sys.argv[1] + ".new")
    except BlockingIOError:
        pass
os.rename(sys.argv[1] + ".new", sys.argv[1])
time.sleep(20)' "$scratch/full" &
while [ ! -S "$scratch/full" ]; do sleep 0.02; done
run run "$driven" --peer "$scratch/full" --peer-timeout 0.1
kill $!
check 'a full queue' code_is 6
check 'a full queue: said' has "$err" 'others wait to be accepted'
run run "$driven" --peer-rate 5
check '--peer-rate alone' code_is 2
check '--peer-rate alone: said' has "$err" 'needs --peer SOCKET'
finish
