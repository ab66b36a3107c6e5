#!/bin/sh
# A provider of the connections l1, l2 and l3. FOLDER/changes has a line for each change, of which the last is the state.
#
# FOLDER/hold has a number and a word: the request with this number is held, once it has come as far as the word says:
# `before` or `after` the change was made. With `die` or `die-after`, the plugin ends there instead, the first time. The
# pipe FOLDER/alive is open for as long as the plugin runs.
cd 'FOLDER' || exit
exec 9>alive
capabilities='["connections/list","connections/show","connections/enable","connections/disable"]'

hold() {
  echo >asked
  read -r _ <go
  exit
}

die() {
  echo '0 none' >hold
  exit
}

# One write, so that a change is made or not made, whenever the plugin is killed.
change() { echo "$id $1" >>changes; }
status() { sed -n "s/^$1 //p" changes | tail -n 1; }
result() { echo "{\"jsonrpc\":\"2.0\",\"id\":$number,\"result\":$1}"; }
connection() { echo "{\"id\":\"$1\",\"name\":\"Lamp\",\"status\":\"$(status "$1")d\"}"; }

read -r _
number=1
result "{\"name\":\"lamps\",\"version\":\"1\",\"protocol\":\"1\",\"capabilities\":$capabilities}"

while read -r request; do
  number=$((number + 1))
  id=${request##*'"id":"'}
  id=${id%%'"'*}
  read -r count how <hold
  [ "$count" -eq "$number" ] || how=
  case $how in
  before) hold ;;
  die) die ;;
  esac
  case $request in
  *'"connections/enable"'*) change enable ;;
  *'"connections/disable"'*) change disable ;;
  esac
  case $how in
  after) hold ;;
  die-after) die ;;
  esac
  case $request in
  *'"connections/list"'*)
    for one in l1 l2 l3; do
      echo "{\"jsonrpc\":\"2.0\",\"method\":\"item\",\"params\":{\"id\":$number,\"item\":$(connection "$one")}}"
    done
    result '{}'
    ;;
  *'"connections/show"'*) result "{\"connection\":$(connection "$id")}" ;;
  *'"connections/enable"'* | *'"connections/disable"'*) result "{\"status\":\"$(status "$id")d\"}" ;;
  *) exit ;;
  esac
done
