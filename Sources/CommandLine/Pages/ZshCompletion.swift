/// The part of the zsh script that depends on the tree.
struct ZshTables {
  let positions: [CommandPosition]

  var text: String {
    let name = positions.first?.root.name ?? ""
    var table = ScriptTable()
    table.line("#compdef \(name)")
    table.line("# Completion of \(name) for zsh. Generated from the command tree.")
    table.line("# Put it in a folder of $fpath, or source it after compinit.")
    table.function("__\(name)_subcommands", comment: "PATH: sets names, each with its description.") { table in
      let entries = positions.map { position in
        let names = position.subcommands.map { CompletionWord.described($0.command.name, $0.command.summary) }
        return (key(position), names.isEmpty ? "" : "names=(\(names.joined(separator: " ")))")
      }
      table.cases("\"$1\"", entries, otherwise: "names=()")
    }
    table.function(
      "__\(name)_spellings", comment: "PATH: sets names to the accepted options, each with its description."
    ) { table in
      table.line("  names=()")
      let entries = positions.filter { !$0.isRoot && !$0.command.options.isEmpty }
        .map { (key($0), "names=(\(spellings($0.command.options)))") }
      table.cases("\"$1\"", entries)
      table.line("  names+=(\(spellings(positions.first?.root.options ?? [])))")
    }
    table.function(
      "__\(name)_option", comment: "PATH SPELLING: sets found (the long name), kind, source, choices and repeats."
    ) { $0.options(positions) { CompletionWord.described($0.value, $0.help) } }
    table.function("__\(name)_argument", comment: "PATH NUMBER: sets kind, source and choices.") {
      $0.arguments(positions) { CompletionWord.described($0.value, $0.help) }
    }
    return table.text
  }

  private func spellings(_ options: [OptionSchema]) -> String {
    let words = options.flatMap { option in
      option.spellings.map { CompletionWord.described($0, option.help(for: $0)) }
    }
    return words.joined(separator: " ")
  }

  private func key(_ position: CommandPosition) -> String { "'\(position.path.joined(separator: " "))'" }
}

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
        # A candidate that ends in = is continued without a space.
        [[ $value != *= ]] || ending=(-S '')
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
