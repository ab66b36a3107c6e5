/// The part of the bash script that is the same for every tree.
enum BashCode {
  static func text(program name: String) -> String {
    #"""

    # LINE: splits it as the shell would and sets words (without quotes), cur (the last word), head (the part of cur
    # that readline does not replace) and quote (the open quote).
    __\#(name)_split() {
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
    __\#(name)_walk() {
      local word index
      for word in ${words[@]+"${words[@]:1}"}; do
        if [[ -n $awaited ]]; then
          [[ $awaited != --profile ]] || profile=$word
          awaited=''
        elif [[ -n $ended || $word == - || $word != -* ]]; then
          __\#(name)_subcommands "$command"
          if [[ -z $ended && ${#arguments[@]} -eq 0 ]] && __\#(name)_is_name "$word"; then
            command+=${command:+ }$word
          else
            arguments+=("$word")
          fi
        elif [[ $word == -- ]]; then
          ended=1
        elif [[ $word == --* ]]; then
          __\#(name)_option "$command" "${word%%=*}" || continue
          [[ -n $repeats ]] || given+=" $found "
          if [[ $word == *=* ]]; then
            [[ $found != --profile ]] || profile=${word#*=}
          elif [[ $kind != switch ]]; then
            awaited=$found
          fi
        else
          for ((index = 1; index < ${#word}; index++)); do
            __\#(name)_option "$command" "-${word:index:1}" || continue
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
    __\#(name)_is_name() {
      local candidate
      for candidate in ${names[@]+"${names[@]}"}; do
        [[ $candidate != "$1" ]] || return 0
      done
      return 1
    }

    # CANDIDATE...: adds each that begins with the typed text, with the quotes of the typed text. A candidate is a value, or
    # a value, a tab and a description.
    __\#(name)_offer() {
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
    __\#(name)_request() {
      local text options=$- IFS=$'\n' candidates
      local context=("--command=$command")
      [[ -z $profile ]] || context+=("--profile=$profile")
      [[ ${#arguments[@]} -eq 0 ]] || context+=("--argument=${arguments[0]}")
      text=$(command \#(name) __complete "$source" "${context[@]}" -- "${cur#"$prefix"}" 2>/dev/null </dev/null)
      set -f
      # shellcheck disable=SC2206 # Names are not expanded while -f is set.
      candidates=($text)
      [[ $options == *f* ]] || set +f
      [[ -n $ended$awaited$prefix ]] || candidates=(${candidates[@]+"${candidates[@]/#-*/}"})
      __\#(name)_offer ${candidates[@]+"${candidates[@]}"}
    }

    # Offers the values of $kind after $prefix.
    __\#(name)_values() {
      local name
      case $kind in
      choices) __\#(name)_offer "${choices[@]}" ;;
      command)
        __\#(name)_subcommands "${arguments[*]-}"
        [[ ${#arguments[@]} -gt 0 ]] || names+=(${choices[@]+"${choices[@]}"})
        __\#(name)_offer ${names[@]+"${names[@]}"}
        ;;
      request) __\#(name)_request ;;
      list)
        name=${cur#"$prefix"}
        [[ $name != *,* ]] || prefix+=${name%,*},
        compopt -o nospace 2>/dev/null
        __\#(name)_request
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
          [[ $name == *[[:cntrl:]]* ]] || __\#(name)_offer "$name"
        done <<<"$(compgen "-${kind:0:1}" -- "${cur#"$prefix"}")"
        ;;
      esac
    }

    # Determines the candidates at the cursor.
    __\#(name)_decide() {
      local name index seen=''
      if [[ -n $awaited ]]; then
        __\#(name)_option "$command" "$awaited"
        __\#(name)_values
      elif [[ -z $ended && $cur == --*=* ]]; then
        __\#(name)_option "$command" "${cur%%=*}" || return 0
        prefix=${cur%%=*}=
        __\#(name)_values
      elif [[ -z $ended && $cur == -* ]]; then
        for ((index = 1; index + 1 < ${#cur}; index++)); do
          __\#(name)_option "$command" "-${cur:index:1}" || break
          [[ $kind != switch ]] || continue
          prefix=${cur:0:index+1}
          __\#(name)_values
          return 0
        done
        __\#(name)_spellings "$command"
        for name in ${names[@]+"${names[@]}"}; do
          __\#(name)_option "$command" "$name"
          # A command's own option hides a global option of the same name.
          [[ $given == *" $found "* || $seen == *" $name "* ]] || __\#(name)_offer "$name"
          seen+=" $name "
        done
      else
        if [[ -z $ended && ${#arguments[@]} -eq 0 ]]; then
          __\#(name)_subcommands "$command"
          __\#(name)_offer ${names[@]+"${names[@]}"}
        fi
        __\#(name)_argument "$command" "${#arguments[@]}"
        __\#(name)_values
      fi
    }

    _\#(name)() {
      local IFS=$' \t\n' cur head quote command='' given='' profile='' ended='' awaited='' prefix=''
      local found kind source repeats index note
      local words names choices arguments=() notes=()
      COMPREPLY=()
      __\#(name)_split "${COMP_LINE:0:COMP_POINT}"
      __\#(name)_walk
      __\#(name)_decide
      # Add descriptions only if bash lists the candidates and inserts none.
      if [[ ${COMP_TYPE-} == 63 && ${#COMPREPLY[@]} -gt 1 ]]; then
        for index in "${!notes[@]}"; do
          note=${notes[index]#*$'\t'}
          [[ ${notes[index]} != *$'\t'?* ]] || COMPREPLY[index]+="  (${note//[[:cntrl:]]/?})"
        done
      fi
    }

    complete -F _\#(name) \#(name)

    """#
  }
}
