#!/usr/bin/env bash
#SBATCH --job-name=ifttt-users
#SBATCH --array=1-4
#SBATCH --ntasks=1
#SBATCH --output=slurm-%A_%a.log
#
# Shows a connection of each user in a file, in one shard for each task of a Slurm array.
#
#   sbatch [--array=1-N] slurm.sh USERS CONNECTION FOLDER
#
# USERS and FOLDER are on a file system that all nodes share. FOLDER must exist and gets shard-K.jsonl and shard-K.json for
# each task. Afterwards, 'ifttt report merge FOLDER/shard-*.json' adds up the summaries and names missing shards.
#
# To run task 3 of 4 again: IFTTT_SHARD=3/4 sbatch --array=3 slurm.sh USERS CONNECTION FOLDER
# Without IFTTT_SHARD, an array of one task would be the only shard and select all users.
#
# Slurm saves the environment of a submission. Store the service key in a profile of the nodes instead of a variable.
set -euo pipefail
users=$1 connection=$2 result=$3/shard-$SLURM_ARRAY_TASK_ID
exec ifttt connections show "$connection" --users "$users" --shard auto \
  --report "summary=$result.json" -o jsonl --fields user_id,status >"$result.jsonl"
