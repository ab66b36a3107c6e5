#!/usr/bin/env bash
# Shows a connection of each user in a file, in shards that GNU parallel runs at once on this machine.
#
#   parallel.sh USERS CONNECTION FOLDER [SHARDS]
#
# FOLDER gets shard-K.jsonl and shard-K.json for each shard. After a failure, run the same command again: shards that
# succeeded are not repeated, and the others start from their first user.
set -euo pipefail
[ $# -ge 3 ] || { sed -n 's/^#   /usage: /p' "$0" >&2; exit 2; }
export users=$1 connection=$2 folder=$3 shards=${4:-4}
mkdir -p "$folder"

# Each job finds its shard in PARALLEL_SEQ, which a repeated job keeps. {#} is the same number.
status=0
# shellcheck disable=SC2016 # GNU parallel runs a shell for each job.
seq "$shards" | parallel --will-cite --jobs "$shards" --joblog "$folder/jobs.log" --resume-failed '
  ifttt connections show "$connection" --users "$users" --shard auto --shards "$shards" \
    --report "summary=$folder/shard-{#}.json" -o jsonl --fields user_id,status >"$folder/shard-{#}.jsonl"
' || status=$?

# Fails if a shard is missing.
ifttt report merge "$folder"/shard-*.json
exit "$status"
