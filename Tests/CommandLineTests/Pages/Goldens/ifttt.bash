# shellcheck shell=bash
# Completion of ifttt for bash 3.2 and later; needs no other package. Generated from the command tree.
# Source it, or install it as share/bash-completion/completions/ifttt.

# PATH: sets names.
__ifttt_subcommands() {
  case "$1" in
  '') names=(connections configure help token) ;;
  'connections') names=(list disable export) ;;
  'configure') names=(reset) ;;
  'token') names=(remove) ;;
  *) names=() ;;
  esac
}

# PATH: sets names to the options that the command accepts.
__ifttt_spellings() {
  names=()
  case "$1" in
  'connections list') names=(--status -s --track --no-track --limit -n --raw) ;;
  'connections disable') names=(--all --quiet -q) ;;
  'connections export') names=(--folder) ;;
  'configure') names=(--set) ;;
  esac
  names+=(--profile --output -o --fields --jobs --header --no-header --quiet -q --verbose -v --help -h)
}

# PATH SPELLING: sets found (the long name), kind, source, choices and repeats.
__ifttt_option() {
  found='' kind='' source='' repeats='' choices=()
  case "$1:$2" in
  'connections list:--status' | 'connections list:-s') found=--status repeats=1 kind='choices' choices=(enabled never_enabled) ;;
  'connections list:--track' | 'connections list:--no-track') found=--track kind=switch ;;
  'connections list:--limit' | 'connections list:-n') found=--limit kind='value' ;;
  'connections list:--raw') found=--raw kind=switch ;;
  'connections disable:--all') found=--all kind=switch ;;
  'connections disable:--quiet' | 'connections disable:-q') found=--quiet kind=switch ;;
  'connections export:--folder') found=--folder kind='directory' ;;
  'configure:--set') found=--set repeats=1 kind='value' ;;
  esac
  [[ -z $found ]] || return 0
  case "$2" in
  --profile) found=--profile kind='request' source=profile ;;
  --output | -o) found=--output kind='choices' choices=(table json csv) ;;
  --fields) found=--fields kind='list' source=field ;;
  --jobs) found=--jobs kind='value' ;;
  --header | --no-header) found=--header kind=switch ;;
  --quiet | -q) found=--quiet kind=switch ;;
  --verbose | -v) found=--verbose kind=switch repeats=1 ;;
  --help | -h) found=--help kind=switch ;;
  esac
  [[ -n $found ]]
}

# PATH NUMBER: sets kind, source and choices.
__ifttt_argument() {
  kind='' source='' choices=()
  case "$1:$2" in
  'connections list:'*) kind='request' source=connection-id ;;
  'connections disable:'*) kind='request' source=connection-id ;;
  'connections export:0') kind='choices' choices=(json 'yaml: old') ;;
  'connections export:1') kind='file' ;;
  'configure:0') kind='request' source=connection-id ;;
  'help:'*) kind='command' choices=(exit-codes) ;;
  'token remove:0') kind='request' source=token-user ;;
  esac
}

# LINE: splits it as the shell would and sets words (without quotes), cur (the last word), head (the part of cur
# that readline does not replace) and quote (the open quote).
__ifttt_split() {
  local line=$1 char index inside=''
  words=() cur='' head='' quote=''
  for ((index = 0; index < ${#line}; index++)); do
    char=${line:index:1}
    case $quote in
    "'")
      if [[ $char == "'" ]]; then quote='' head=$cur; else cur+=$char; fi
      continue
      ;;
    '"')
      if [[ $char == '"' ]]; then
        quote='' head=$cur
      elif [[ $char == "\\" && ${line:index+1:1} == [\$\`\"\\] ]]; then
        index=$((index + 1))
        cur+=${line:index:1}
      else
        cur+=$char
      fi
      continue
      ;;
    esac
    case $char in
    [[:space:]])
      [[ -z $inside ]] || words+=("$cur")
      cur='' head='' inside=''
      ;;
    "'" | '"') quote=$char head=$cur inside=1 ;;
    "\\")
      index=$((index + 1))
      cur+=${line:index:1} inside=1
      ;;
    *)
      cur+=$char inside=1
      [[ ${COMP_WORDBREAKS-} != *"$char"* ]] || head=$cur
      ;;
    esac
  done
}

# Reads words: sets command, given (names of options), arguments, profile, ended (whether there was a --) and awaited
# (the option whose value is next).
__ifttt_walk() {
  local word index
  for word in ${words[@]+"${words[@]:1}"}; do
    if [[ -n $awaited ]]; then
      [[ $awaited != --profile ]] || profile=$word
      awaited=''
    elif [[ -n $ended || $word == - || $word != -* ]]; then
      __ifttt_subcommands "$command"
      if [[ -z $ended && ${#arguments[@]} -eq 0 ]] && __ifttt_is_name "$word"; then
        command+=${command:+ }$word
      else
        arguments+=("$word")
      fi
    elif [[ $word == -- ]]; then
      ended=1
    elif [[ $word == --* ]]; then
      __ifttt_option "$command" "${word%%=*}" || continue
      [[ -n $repeats ]] || given+=" $found "
      if [[ $word == *=* ]]; then
        [[ $found != --profile ]] || profile=${word#*=}
      elif [[ $kind != switch ]]; then
        awaited=$found
      fi
    else
      for ((index = 1; index < ${#word}; index++)); do
        __ifttt_option "$command" "-${word:index:1}" || continue
        [[ -n $repeats ]] || given+=" $found "
        [[ $kind != switch ]] || continue
        if ((index + 1 == ${#word})); then
          awaited=$found
        elif [[ $found == --profile ]]; then
          profile=${word:index+1}
        fi
        break
      done
    fi
  done
}

# WORD: checks whether it is one of names.
__ifttt_is_name() {
  local candidate
  for candidate in ${names[@]+"${names[@]}"}; do
    [[ $candidate != "$1" ]] || return 0
  done
  return 1
}

# CANDIDATE...: adds each that begins with the typed text, with the quotes of the typed text. A candidate is a value, or
# a value, a tab and a description.
__ifttt_offer() {
  local candidate word char index words=() IFS=$'\n'
  for candidate; do
    word=$prefix${candidate%%$'\t'*}
    [[ -n $candidate && $word == "$cur"* && $word != *[[:cntrl:]]* ]] || continue
    # It is continued without a space if it ends in = or if its description is an ellipsis.
    case $candidate in *= | *=$'\t'* | *$'\t…') compopt -o nospace 2>/dev/null ;; esac
    words+=("${word#"$head"}")
    notes+=("$candidate")
  done
  # Most words need no quotes. One by one, 500 words take a shell 5 ms longer.
  if [[ -z $quote && ${words[*]-} != *[!A-Za-z0-9_.,:=@%+/$'\n'-]* ]]; then
    COMPREPLY+=(${words[@]+"${words[@]}"})
    return
  fi
  for candidate in ${words[@]+"${words[@]}"}; do
    case $quote in
    '')
      word=$candidate
      [[ $word != *[!A-Za-z0-9_.,:=@%+/-]* ]] || printf -v word %q "$candidate"
      ;;
    *)
      word=''
      for ((index = 0; index < ${#candidate}; index++)); do
        char=${candidate:index:1}
        case $quote$char in
        "''") word+="'\\''" ;;
        '"'[\$\`\"\\]) word+="\\$char" ;;
        *) word+=$char ;;
        esac
      done
      ;;
    esac
    COMPREPLY+=("$word")
  done
}

# Requests the values of $source from the program. Its output is only compared and quoted, never evaluated. A value
# that would be parsed as an option is not offered.
__ifttt_request() {
  local text options=$- IFS=$'\n' candidates
  local context=("--command=$command")
  [[ -z $profile ]] || context+=("--profile=$profile")
  [[ ${#arguments[@]} -eq 0 ]] || context+=("--argument=${arguments[0]}")
  text=$(command ifttt __complete "$source" "${context[@]}" -- "${cur#"$prefix"}" 2>/dev/null </dev/null)
  set -f
  # shellcheck disable=SC2206 # Names are not expanded while -f is set.
  candidates=($text)
  [[ $options == *f* ]] || set +f
  [[ -n $ended$awaited$prefix ]] || candidates=(${candidates[@]+"${candidates[@]/#-*/}"})
  __ifttt_offer ${candidates[@]+"${candidates[@]}"}
}

# Offers the values of $kind after $prefix.
__ifttt_values() {
  local name
  case $kind in
  choices) __ifttt_offer "${choices[@]}" ;;
  command)
    __ifttt_subcommands "${arguments[*]-}"
    [[ ${#arguments[@]} -gt 0 ]] || names+=(${choices[@]+"${choices[@]}"})
    __ifttt_offer ${names[@]+"${names[@]}"}
    ;;
  request) __ifttt_request ;;
  list)
    name=${cur#"$prefix"}
    [[ $name != *,* ]] || prefix+=${name%,*},
    compopt -o nospace 2>/dev/null
    __ifttt_request
    ;;
  file | directory)
    # If this bash supports -o filenames, Readline quotes the names and marks folders.
    if compopt -o filenames 2>/dev/null; then
      while IFS= read -r name; do
        [[ -z $name ]] || name=$prefix$name COMPREPLY+=("${name#"$head"}")
      done <<<"$(compgen "-${kind:0:1}" -- "${cur#"$prefix"}")"
      return
    fi
    while IFS= read -r name; do
      [[ $name == *[[:cntrl:]]* ]] || __ifttt_offer "$name"
    done <<<"$(compgen "-${kind:0:1}" -- "${cur#"$prefix"}")"
    ;;
  esac
}

# Determines the candidates at the cursor.
__ifttt_decide() {
  local name index seen=''
  if [[ -n $awaited ]]; then
    __ifttt_option "$command" "$awaited"
    __ifttt_values
  elif [[ -z $ended && $cur == --*=* ]]; then
    __ifttt_option "$command" "${cur%%=*}" || return 0
    prefix=${cur%%=*}=
    __ifttt_values
  elif [[ -z $ended && $cur == -* ]]; then
    for ((index = 1; index + 1 < ${#cur}; index++)); do
      __ifttt_option "$command" "-${cur:index:1}" || break
      [[ $kind != switch ]] || continue
      prefix=${cur:0:index+1}
      __ifttt_values
      return 0
    done
    __ifttt_spellings "$command"
    for name in ${names[@]+"${names[@]}"}; do
      __ifttt_option "$command" "$name"
      # A command's own option hides a global option of the same name.
      [[ $given == *" $found "* || $seen == *" $name "* ]] || __ifttt_offer "$name"
      seen+=" $name "
    done
  else
    if [[ -z $ended && ${#arguments[@]} -eq 0 ]]; then
      __ifttt_subcommands "$command"
      __ifttt_offer ${names[@]+"${names[@]}"}
    fi
    __ifttt_argument "$command" "${#arguments[@]}"
    __ifttt_values
  fi
}

_ifttt() {
  local IFS=$' \t\n' cur head quote command='' given='' profile='' ended='' awaited='' prefix=''
  local found kind source repeats index note
  local words names choices arguments=() notes=()
  COMPREPLY=()
  __ifttt_split "${COMP_LINE:0:COMP_POINT}"
  __ifttt_walk
  __ifttt_decide
  # Add descriptions only if bash lists the candidates and inserts none.
  if [[ ${COMP_TYPE-} == 63 && ${#COMPREPLY[@]} -gt 1 ]]; then
    for index in "${!notes[@]}"; do
      note=${notes[index]#*$'\t'}
      [[ ${notes[index]} != *$'\t'?* ]] || COMPREPLY[index]+="  (${note//[[:cntrl:]]/?})"
    done
  fi
}

complete -F _ifttt ifttt
