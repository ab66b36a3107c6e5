# shellcheck shell=bash
# Completion of ifttt for bash 3.2 and later; needs no other package. Generated from the command tree.
# Source it, or install it as share/bash-completion/completions/ifttt.

# PATH: sets names.
__ifttt_subcommands() {
  case "$1" in
  '') names=(connections applets token profile store api schema completion man help version) ;;
  'connections') names=(list show add remove enable disable open) ;;
  'applets') names=(fetch) ;;
  'token') names=(exchange list show set remove verify) ;;
  'profile') names=(list create use show remove) ;;
  'store') names=(info check) ;;
  *) names=() ;;
  esac
}

# PATH: sets names to the options the command takes.
__ifttt_spellings() {
  names=()
  case "$1" in
  'connections list') names=(--status --refresh --as --user-token-file --service-key-file --user-id --invite-code) ;;
  'connections show') names=(--track --no-track --raw --as --user-token-file --service-key-file --user-id --invite-code) ;;
  'connections add') names=(--as --user-token-file --service-key-file --user-id --invite-code) ;;
  'connections enable') names=(--force --as --user-token-file --service-key-file --user-id --invite-code) ;;
  'connections disable') names=(--force --as --user-token-file --service-key-file --user-id --invite-code) ;;
  'connections open') names=(--edit --browser --no-browser) ;;
  'applets fetch') names=(--order --platform --service --raw --as --user-token-file --service-key-file --user-id --invite-code) ;;
  'token exchange') names=(--user-id --access-token-file --service-key-file --invite-code --save --no-save --print --reveal) ;;
  'token show') names=(--reveal --print) ;;
  'token set') names=(--user-id --user-token-file) ;;
  'token remove') names=(--all) ;;
  'token verify') names=(--as --user-token-file --service-key-file --user-id --invite-code) ;;
  'profile create') names=(--service --user-id --invite-code --service-key-file --user-token-file --connect-url --api-url --web-url --update --use) ;;
  'api') names=(--field -f --input --as --user-token-file --service-key-file --user-id --invite-code) ;;
  esac
  names+=(--profile --output -o --json --fields --no-header --color --offline --max-age --timeout --retries --jobs --dry-run --exit-code --yes --no-input --quiet -q --verbose -v --help -h --version -V)
}

# PATH SPELLING: sets found (its long name), kind, source, choices and repeats.
__ifttt_option() {
  found='' kind='' source='' repeats='' choices=()
  case "$1:$2" in
  'connections list:--status') found=--status kind='choices' choices=(enabled disabled never_enabled unknown) ;;
  'connections list:--refresh') found=--refresh kind=switch ;;
  'connections list:--as') found=--as kind='choices' choices=(user service anonymous) ;;
  'connections list:--user-token-file') found=--user-token-file kind='file' ;;
  'connections list:--service-key-file') found=--service-key-file kind='file' ;;
  'connections list:--user-id') found=--user-id kind='ask' source=token-user ;;
  'connections list:--invite-code') found=--invite-code kind='value' ;;
  'connections show:--track' | 'connections show:--no-track') found=--track kind=switch ;;
  'connections show:--raw') found=--raw kind=switch ;;
  'connections show:--as') found=--as kind='choices' choices=(user service anonymous) ;;
  'connections show:--user-token-file') found=--user-token-file kind='file' ;;
  'connections show:--service-key-file') found=--service-key-file kind='file' ;;
  'connections show:--user-id') found=--user-id kind='ask' source=token-user ;;
  'connections show:--invite-code') found=--invite-code kind='value' ;;
  'connections add:--as') found=--as kind='choices' choices=(user service anonymous) ;;
  'connections add:--user-token-file') found=--user-token-file kind='file' ;;
  'connections add:--service-key-file') found=--service-key-file kind='file' ;;
  'connections add:--user-id') found=--user-id kind='ask' source=token-user ;;
  'connections add:--invite-code') found=--invite-code kind='value' ;;
  'connections enable:--force') found=--force kind=switch ;;
  'connections enable:--as') found=--as kind='choices' choices=(user service anonymous) ;;
  'connections enable:--user-token-file') found=--user-token-file kind='file' ;;
  'connections enable:--service-key-file') found=--service-key-file kind='file' ;;
  'connections enable:--user-id') found=--user-id kind='ask' source=token-user ;;
  'connections enable:--invite-code') found=--invite-code kind='value' ;;
  'connections disable:--force') found=--force kind=switch ;;
  'connections disable:--as') found=--as kind='choices' choices=(user service anonymous) ;;
  'connections disable:--user-token-file') found=--user-token-file kind='file' ;;
  'connections disable:--service-key-file') found=--service-key-file kind='file' ;;
  'connections disable:--user-id') found=--user-id kind='ask' source=token-user ;;
  'connections disable:--invite-code') found=--invite-code kind='value' ;;
  'connections open:--edit') found=--edit kind=switch ;;
  'connections open:--browser' | 'connections open:--no-browser') found=--browser kind=switch ;;
  'applets fetch:--order') found=--order kind='choices' choices=(published_at_asc published_at_desc enabled_count_asc enabled_count_desc) ;;
  'applets fetch:--platform') found=--platform kind='choices' choices=(ios android) ;;
  'applets fetch:--service') found=--service kind='value' ;;
  'applets fetch:--raw') found=--raw kind=switch ;;
  'applets fetch:--as') found=--as kind='choices' choices=(user service anonymous) ;;
  'applets fetch:--user-token-file') found=--user-token-file kind='file' ;;
  'applets fetch:--service-key-file') found=--service-key-file kind='file' ;;
  'applets fetch:--user-id') found=--user-id kind='ask' source=token-user ;;
  'applets fetch:--invite-code') found=--invite-code kind='value' ;;
  'token exchange:--user-id') found=--user-id kind='ask' source=token-user ;;
  'token exchange:--access-token-file') found=--access-token-file kind='file' ;;
  'token exchange:--service-key-file') found=--service-key-file kind='file' ;;
  'token exchange:--invite-code') found=--invite-code kind='value' ;;
  'token exchange:--save' | 'token exchange:--no-save') found=--save kind=switch ;;
  'token exchange:--print') found=--print kind=switch ;;
  'token exchange:--reveal') found=--reveal kind=switch ;;
  'token show:--reveal') found=--reveal kind=switch ;;
  'token show:--print') found=--print kind=switch ;;
  'token set:--user-id') found=--user-id kind='ask' source=token-user ;;
  'token set:--user-token-file') found=--user-token-file kind='file' ;;
  'token remove:--all') found=--all kind=switch ;;
  'token verify:--as') found=--as kind='choices' choices=(user service anonymous) ;;
  'token verify:--user-token-file') found=--user-token-file kind='file' ;;
  'token verify:--service-key-file') found=--service-key-file kind='file' ;;
  'token verify:--user-id') found=--user-id kind='ask' source=token-user ;;
  'token verify:--invite-code') found=--invite-code kind='value' ;;
  'profile create:--service') found=--service kind='value' ;;
  'profile create:--user-id') found=--user-id kind='value' ;;
  'profile create:--invite-code') found=--invite-code kind='value' ;;
  'profile create:--service-key-file') found=--service-key-file kind='file' ;;
  'profile create:--user-token-file') found=--user-token-file kind='file' ;;
  'profile create:--connect-url') found=--connect-url kind='value' ;;
  'profile create:--api-url') found=--api-url kind='value' ;;
  'profile create:--web-url') found=--web-url kind='value' ;;
  'profile create:--update') found=--update kind=switch ;;
  'profile create:--use') found=--use kind=switch ;;
  'api:--field' | 'api:-f') found=--field repeats=1 kind='value' ;;
  'api:--input') found=--input kind='file' ;;
  'api:--as') found=--as kind='choices' choices=(user service anonymous) ;;
  'api:--user-token-file') found=--user-token-file kind='file' ;;
  'api:--service-key-file') found=--service-key-file kind='file' ;;
  'api:--user-id') found=--user-id kind='ask' source=token-user ;;
  'api:--invite-code') found=--invite-code kind='value' ;;
  esac
  [[ -z $found ]] || return 0
  case "$2" in
  --profile) found=--profile kind='ask' source=profile ;;
  --output | -o) found=--output kind='choices' choices=(table json jsonl csv tsv) ;;
  --json) found=--json kind=switch ;;
  --fields) found=--fields kind='list' source=field ;;
  --no-header) found=--no-header kind=switch ;;
  --color) found=--color kind='choices' choices=(auto always never) ;;
  --offline) found=--offline kind=switch ;;
  --max-age) found=--max-age kind='value' ;;
  --timeout) found=--timeout kind='value' ;;
  --retries) found=--retries kind='value' ;;
  --jobs) found=--jobs kind='value' ;;
  --dry-run) found=--dry-run kind=switch ;;
  --exit-code) found=--exit-code kind=switch ;;
  --yes) found=--yes kind=switch ;;
  --no-input) found=--no-input kind=switch ;;
  --quiet | -q) found=--quiet kind=switch ;;
  --verbose | -v) found=--verbose kind=switch ;;
  --help | -h) found=--help kind=switch ;;
  --version | -V) found=--version kind=switch ;;
  esac
  [[ -n $found ]]
}

# PATH NUMBER: sets kind, source and choices.
__ifttt_argument() {
  kind='' source='' choices=()
  case "$1:$2" in
  'connections show:'*) kind='ask' source=connection-id ;;
  'connections add:'*) kind='value' ;;
  'connections remove:'*) kind='ask' source=connection-id ;;
  'connections enable:'*) kind='ask' source=connection-id ;;
  'connections disable:'*) kind='ask' source=connection-id ;;
  'connections open:0') kind='ask' source=connection-id ;;
  'applets fetch:'*) kind='ask' source=applet-id ;;
  'token show:0') kind='ask' source=token-user ;;
  'token remove:'*) kind='ask' source=token-user ;;
  'profile create:0') kind='value' ;;
  'profile use:0') kind='ask' source=profile ;;
  'profile show:0') kind='ask' source=profile ;;
  'profile remove:0') kind='ask' source=profile ;;
  'api:0') kind='choices' choices=(GET HEAD POST PUT PATCH DELETE) ;;
  'api:1') kind='value' ;;
  'schema:'*) kind='ask' source=schema ;;
  'completion:0') kind='choices' choices=(bash zsh fish) ;;
  'man:'*) kind='command' source=command ;;
  'help:'*) kind='command' source=command ;;
  esac
}

# LINE: splits it as the shell would and sets words (quotes removed), cur (the last of them), head (how much of cur
# readline leaves alone) and quote (the one that is still open).
__ifttt_split() {
  local line=$1 char place inside=''
  words=() cur='' head='' quote=''
  for ((place = 0; place < ${#line}; place++)); do
    char=${line:place:1}
    case $quote in
    "'")
      if [[ $char == "'" ]]; then quote='' head=$cur; else cur+=$char; fi
      continue
      ;;
    '"')
      if [[ $char == '"' ]]; then
        quote='' head=$cur
      elif [[ $char == "\\" && ${line:place+1:1} == [\$\`\"\\] ]]; then
        place=$((place + 1))
        cur+=${line:place:1}
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
      place=$((place + 1))
      cur+=${line:place:1} inside=1
      ;;
    *)
      cur+=$char inside=1
      [[ ${COMP_WORDBREAKS-} != *"$char"* ]] || head=$cur
      ;;
    esac
  done
}

# Walks over words: sets command, given (names of options), arguments, profile, ended (a -- was there) and awaited
# (an option whose value comes next).
__ifttt_walk() {
  local word place
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
      for ((place = 1; place < ${#word}; place++)); do
        __ifttt_option "$command" "-${word:place:1}" || continue
        [[ -n $repeats ]] || given+=" $found "
        [[ $kind != switch ]] || continue
        if ((place + 1 == ${#word})); then
          awaited=$found
        elif [[ $found == --profile ]]; then
          profile=${word:place+1}
        fi
        break
      done
    fi
  done
}

# WORD: whether it is one of names.
__ifttt_is_name() {
  local candidate
  for candidate in ${names[@]+"${names[@]}"}; do
    [[ $candidate != "$1" ]] || return 0
  done
  return 1
}

# VALUE [DESCRIPTION]: a candidate, where it continues what is typed. It is quoted as the line has begun.
__ifttt_offer() {
  local whole=$prefix$1 rest char place
  [[ -n $1 && $whole == "$cur"* && $1 != *[[:cntrl:]]* ]] || return 0
  whole=${whole#"$head"}
  case $quote in
  '')
    rest=$whole
    [[ $whole != *[!A-Za-z0-9_.,:=@%+/-]* ]] || printf -v rest %q "$whole"
    ;;
  *)
    rest=''
    for ((place = 0; place < ${#whole}; place++)); do
      char=${whole:place:1}
      case $quote$char in
      "''") rest+="'\\''" ;;
      '"'[\$\`\"\\]) rest+="\\$char" ;;
      *) rest+=$char ;;
      esac
    done
    ;;
  esac
  COMPREPLY+=("$rest")
  notes+=("${2//[[:cntrl:]]/?}")
}

# Asks the program for the values of $source. Its answer is only ever compared and quoted. An argument that would be
# taken for an option is not offered.
__ifttt_ask() {
  local value description
  local context=("--command=$command")
  [[ -z $profile ]] || context+=("--profile=$profile")
  while IFS=$'\t' read -r value description; do
    [[ $value == -* && -z $ended$awaited$prefix ]] || __ifttt_offer "$value" "$description"
  done <<<"$(command ifttt __complete "$source" "${context[@]}" -- "${cur#"$prefix"}" 2>/dev/null </dev/null)"
}

# Offers the values of $kind after $prefix.
__ifttt_values() {
  local name
  case $kind in
  choices) for name in "${choices[@]}"; do __ifttt_offer "$name" ''; done ;;
  command)
    __ifttt_subcommands "${arguments[*]-}"
    for name in ${names[@]+"${names[@]}"}; do __ifttt_offer "$name" ''; done
    ;;
  ask) __ifttt_ask ;;
  list)
    name=${cur#"$prefix"}
    [[ $name != *,* ]] || prefix+=${name%,*},
    compopt -o nospace 2>/dev/null
    __ifttt_ask
    ;;
  file | directory)
    # Readline quotes these itself, and marks folders, if bash is new enough to be told that they are files.
    if compopt -o filenames 2>/dev/null; then
      while IFS= read -r name; do
        [[ -z $name ]] || name=$prefix$name COMPREPLY+=("${name#"$head"}")
      done <<<"$(compgen "-${kind:0:1}" -- "${cur#"$prefix"}")"
      return
    fi
    while IFS= read -r name; do
      __ifttt_offer "$name" ''
    done <<<"$(compgen "-${kind:0:1}" -- "${cur#"$prefix"}")"
    ;;
  esac
}

# Finds out what may stand at the cursor.
__ifttt_decide() {
  local name place seen=''
  if [[ -n $awaited ]]; then
    __ifttt_option "$command" "$awaited"
    __ifttt_values
  elif [[ -z $ended && $cur == --*=* ]]; then
    __ifttt_option "$command" "${cur%%=*}" || return 0
    prefix=${cur%%=*}=
    __ifttt_values
  elif [[ -z $ended && $cur == -* ]]; then
    for ((place = 1; place + 1 < ${#cur}; place++)); do
      __ifttt_option "$command" "-${cur:place:1}" || break
      [[ $kind != switch ]] || continue
      prefix=${cur:0:place+1}
      __ifttt_values
      return 0
    done
    __ifttt_spellings "$command"
    for name in ${names[@]+"${names[@]}"}; do
      __ifttt_option "$command" "$name"
      # A command's own option hides a global one of that name.
      [[ $given == *" $found "* || $seen == *" $name "* ]] || __ifttt_offer "$name" ''
      seen+=" $name "
    done
  else
    if [[ -z $ended && ${#arguments[@]} -eq 0 ]]; then
      __ifttt_subcommands "$command"
      for name in ${names[@]+"${names[@]}"}; do __ifttt_offer "$name" ''; done
    fi
    __ifttt_argument "$command" "${#arguments[@]}"
    __ifttt_values
  fi
}

_ifttt() {
  local IFS=$' \t\n' cur head quote command='' given='' profile='' ended='' awaited='' prefix=''
  local found kind source repeats place
  local words names choices arguments=() notes=()
  COMPREPLY=()
  __ifttt_split "${COMP_LINE:0:COMP_POINT}"
  __ifttt_walk
  __ifttt_decide
  # Only where bash lists candidates without inserting any may descriptions stand beside them.
  if [[ ${COMP_TYPE-} == 63 && ${#COMPREPLY[@]} -gt 1 ]]; then
    for place in "${!notes[@]}"; do
      [[ -z ${notes[place]} ]] || COMPREPLY[place]+="  (${notes[place]})"
    done
  fi
}

complete -F _ifttt ifttt
