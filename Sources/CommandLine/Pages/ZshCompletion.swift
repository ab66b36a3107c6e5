/// The part of the zsh script that is the same for every tree.
enum ZshCode {
  static func text(program name: String) -> String {
    #"""

    # Reads the words before the cursor: sets command, given (names of options), arguments, profile, ended (whether there
    # was a --) and awaited (the option whose value is next).
    __\#(name)_walk() {
      local word raw
      local -i index
      for raw in "${(@)words[2,CURRENT-1]}"; do
        word=${(Q)raw}
        if [[ -n $awaited ]]; then
          [[ $awaited != --profile ]] || profile=$word
          awaited=''
        elif [[ -n $ended || $word == - || $word != -* ]]; then
          __\#(name)_subcommands "$command"
          if [[ -z $ended ]] && (( ! $#arguments && ${names[(I)${(b)word}(|:*)]} )); then
            command+=${command:+ }$word
          else
            arguments+=("$word")
          fi
        elif [[ $word == -- ]]; then
          ended=1
        elif [[ $word == --* ]]; then
          __\#(name)_option "$command" "${word%%=*}" || continue
          [[ -n $repeats ]] || given+=($found)
          if [[ $word == *=* ]]; then
            [[ $found != --profile ]] || profile=${word#*=}
          elif [[ $kind != switch ]]; then
            awaited=$found
          fi
        else
          for (( index = 2; index <= $#word; index++ )); do
            __\#(name)_option "$command" "-$word[index]" || continue
            [[ -n $repeats ]] || given+=($found)
            [[ $kind != switch ]] || continue
            if (( index == $#word )); then
              awaited=$found
            elif [[ $found == --profile ]]; then
              profile=$word[index+1,-1]
            fi
            break
          done
        fi
      done
    }

    # Requests the values of $source from the program. Its output is only compared and quoted, never evaluated. A value
    # that would be parsed as an option is not offered. The arguments are passed on to compadd.
    __\#(name)_request() {
      local line value values
      local -a context candidates ending
      context=("--command=$command")
      [[ -z $profile ]] || context+=("--profile=$profile")
      (( ! $#arguments )) || context+=("--argument=$arguments[1]")
      values=$(command \#(name) __complete "$source" "${(@)context}" -- "${(Q)PREFIX}" 2>/dev/null </dev/null)
      for line in "${(@f)values}"; do
        value=${line%%$'\t'*}
        [[ -n $value && ( $value != -* || -n $ended$awaited$IPREFIX ) ]] || continue
        # It is continued without a space if it ends in = or if its description is an ellipsis.
        [[ $value != *= && $line != *$'\t…' ]] || ending=(-S '')
        value=${value//\\/\\\\}
        value=${value//:/\\:}
        [[ $line != *$'\t'?* ]] || value+=:${line#*$'\t'}
        candidates+=("$value")
      done
      _describe -t values "${source//-/ }" candidates "$@" "${(@)ending}"
    }

    # Offers the values of $kind that match PREFIX.
    __\#(name)_values() {
      case $kind in
      choices) _describe -t values value choices ;;
      command)
        __\#(name)_subcommands "${(j: :)arguments}"
        (( $#arguments )) || names+=("${(@)choices}")
        _describe -t commands command names
        ;;
      request) __\#(name)_request ;;
      list)
        compset -P '*,'
        __\#(name)_request -S ''
        ;;
      file) _files ;;
      directory) _files -/ ;;
      value) _message value ;;
      *) return 1 ;;
      esac
    }

    # Determines the candidates at the cursor.
    _\#(name)() {
      local command profile ended awaited found kind source repeats entry cur=${(Q)PREFIX}
      local -i index code=1
      local -a names choices given arguments offered
      __\#(name)_walk
      if [[ -n $awaited ]]; then
        __\#(name)_option "$command" "$awaited"
        __\#(name)_values
        return
      fi
      if [[ -z $ended && $cur == --*=* ]]; then
        __\#(name)_option "$command" "${cur%%=*}" || return
        [[ $kind != switch ]] || return
        compset -P 1 '*='
        __\#(name)_values
        return
      fi
      if [[ -z $ended && $cur == -* ]]; then
        for (( index = 2; index < $#cur; index++ )); do
          __\#(name)_option "$command" "-$cur[index]" || break
          [[ $kind != switch ]] || continue
          compset -p $index
          __\#(name)_values
          return
        done
        __\#(name)_spellings "$command"
        for entry in "${(@)names}"; do
          __\#(name)_option "$command" "${entry%%:*}"
          # A command's own option hides a global option of the same name.
          (( ${given[(Ie)$found]} || ${offered[(I)${(b)entry%%:*}(|:*)]} )) || offered+=("$entry")
        done
        _describe -o -t options option offered
        return
      fi
      if [[ -z $ended ]] && (( ! $#arguments )); then
        __\#(name)_subcommands "$command"
        if (( $#names )); then
          _describe -t commands command names && code=0
        fi
      fi
      __\#(name)_argument "$command" $#arguments
      __\#(name)_values && code=0
      return code
    }

    if [[ $funcstack[1] == _\#(name) ]]; then
      _\#(name) "$@"
    else
      compdef _\#(name) \#(name)
    fi

    """#
  }
}
