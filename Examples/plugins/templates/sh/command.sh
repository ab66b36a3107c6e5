#!/bin/sh
# 'ifttt @NAME@' runs this program. ifttt checks the arguments against plugin.json in the same folder and passes them on.
# Stdin, stdout and stderr are the user's, and the exit status is also the exit status of ifttt.
# The environment contains IFTTT_PROFILE and IFTTT_OUTPUT (the profile and the output format), IFTTT_PLUGIN_DIR (the
# folder of this file), a few common variables, and those listed under "environment" in plugin.json.
set -eu

loud=
who=
options=yes
for argument do
  case "$options $argument" in
    'yes --loud') loud=yes ;;
    'yes --') options= ;; # All arguments after it are names, even those that begin with a hyphen.
    *) who="${who:+$who }$argument" ;;
  esac
done

greeting="Hello, ${who:-$IFTTT_PROFILE}."
[ -z "$loud" ] || greeting=$(printf '%s' "$greeting" | tr '[:lower:]' '[:upper:]')
printf '%s\n' "$greeting"
