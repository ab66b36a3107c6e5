/// The part of the fish script that depends on the tree.
struct FishTables {
  let positions: [CommandPosition]

  var text: String {
    let name = positions.first?.root.name ?? ""
    var table = FishTable()
    table.line("# Completion of \(name) for fish. Generated from the command tree.")
    table.line("# Source it, or install it as share/fish/vendor_completions.d/\(name).fish.")
    table.function("__\(name)_subcommands", comment: "PATH: writes the names, each with its description.") { table in
      table.cases(
        "$argv[1]",
        positions.filter { !$0.subcommands.isEmpty }.map { position in
          let names = position.subcommands.map { CompletionWord.tabbed($0.command.name, $0.command.summary) }
          return ([key(position)], "printf '%s\\n' \(names.joined(separator: " "))")
        })
    }
    table.function("__\(name)_spellings", comment: "PATH: writes the options that the command accepts.") { table in
      table.cases(
        "$argv[1]",
        positions.filter { !$0.isRoot && !$0.command.options.isEmpty }.map {
          ([key($0)], spellings($0.command.options))
        })
      if let global = positions.first?.root.options, !global.isEmpty { table.line("  \(spellings(global))") }
    }
    table.function(
      "__\(name)_option",
      comment: "PATH SPELLING: writes the long name, repeats or once, kind, source and choices, one per line."
    ) { table in
      let own = positions.filter { !$0.isRoot }.flatMap { position in
        position.command.options.map { option in
          (
            option.spellings.map { CompletionWord.fish("\(position.path.joined(separator: " ")):\($0)") },
            fields(option)
          )
        }
      }
      table.cases("\"$argv[1]:$argv[2]\"", own, isFinal: true)
      let global = positions.first?.root.options ?? []
      table.cases("$argv[2]", global.map { ($0.spellings.map(CompletionWord.fish), fields($0)) }, isFinal: true)
      table.line("  return 1")
    }
    table.function("__\(name)_argument", comment: "PATH NUMBER: writes kind, source and choices, one per line.") {
      table in
      table.cases("\"$argv[1]:$argv[2]\"", positions.flatMap(arguments))
    }
    return table.text
  }

  private func key(_ position: CommandPosition) -> String { "'\(position.path.joined(separator: " "))'" }

  private func spellings(_ options: [OptionSchema]) -> String {
    let words = options.flatMap { option in option.spellings.map { CompletionWord.tabbed($0, option.help(for: $0)) } }
    return "printf '%s\\n' \(words.joined(separator: " "))"
  }

  private func fields(_ option: OptionSchema) -> String {
    let repeats = option.isRepeatable ? "repeats" : "once"
    let value = option.value.map(fields) ?? "switch ''"
    return "printf '%s\\n' --\(option.name) \(repeats) \(value)"
  }

  private func fields(_ value: ValueSchema) -> String {
    let choices = value.completion.choicesInScript.map { " " + CompletionWord.tabbed($0.value, $0.help) }.joined()
    return "\(value.completion.kindInScript) \(CompletionWord.fish(value.completion.sourceInScript))\(choices)"
  }

  /// The entries for a command's arguments. A repeatable argument also matches all later positions.
  private func arguments(_ position: CommandPosition) -> [(patterns: [String], action: String)] {
    position.command.arguments.enumerated().map { index, argument in
      let key = "'\(position.path.joined(separator: " ")):\(argument.isRepeatable ? "*" : "\(index)")'"
      return ([key], "printf '%s\\n' \(fields(argument.value))")
    }
  }
}

/// The lines of functions with `switch` tables.
private struct FishTable {
  private(set) var text = ""

  mutating func line(_ line: String) { text += line + "\n" }

  mutating func function(_ name: String, comment: String, _ body: (inout FishTable) -> Void) {
    line("")
    line("# \(comment)")
    line("function \(name)")
    body(&self)
    line("end")
  }

  /// Adds a `switch` over `subject`.
  /// - Parameter isFinal: whether the function returns after a match.
  mutating func cases(_ subject: String, _ entries: [(patterns: [String], action: String)], isFinal: Bool = false) {
    guard !entries.isEmpty else { return }
    line("  switch \(subject)")
    for entry in entries {
      line("    case \(entry.patterns.joined(separator: " "))")
      line("      \(entry.action)")
      if isFinal { line("      return") }
    }
    line("  end")
  }
}

/// The part of the fish script that is the same for every tree.
enum FishCode {
  static func text(program name: String) -> String {
    #"""

    # Requests the values of a kind from the program. Its output is only compared and quoted, never evaluated.
    # PREFIX SOURCE COMMAND PROFILE TYPED ARGUMENT: writes candidates that begin with PREFIX.
    function __\#(name)_request
      # If the program is not on PATH, fish would print an error at the prompt.
      command -q \#(name); or return
      set -l context "--command=$argv[3]"
      test -z "$argv[4]"; or set -a context "--profile=$argv[4]"
      test -z "$argv[6]"; or set -a context "--argument=$argv[6]"
      set -l candidates (command \#(name) __complete $argv[2] $context -- $argv[5] 2>/dev/null </dev/null)
      set -q candidates[1]; and printf '%s\n' $argv[1]$candidates
    end

    # PREFIX TYPED COMMAND PROFILE ARGUMENTS KIND SOURCE CHOICES...: writes candidates that begin with PREFIX.
    function __\#(name)_values
      set -l prefix $argv[1]
      set -l typed $argv[2]
      switch "$argv[6]"
        case choices
          printf "%s\n" $prefix$argv[8..-1]
        case command
          __\#(name)_subcommands $argv[5]
          test -n "$argv[5]"; or printf "%s\n" $argv[8..-1]
        case request
          __\#(name)_request "$prefix" $argv[7] $argv[3] $argv[4] "$typed" (string split ' ' -- $argv[5])[1]
        case list
          set -l parts (string match -r -- '^((?:.*,)?)([^,]*)$' $typed)
          __\#(name)_request "$prefix$parts[2]" $argv[7] $argv[3] $argv[4] "$parts[3]" (string split ' ' -- $argv[5])[1]
        case file directory
          for path in (complete -C "'' "(string escape -- $typed))
            # A candidate can have a description.
            set -l bare (string split -m 1 -- \t $path)[1]
            if test $argv[6] = file; or string match -q -- '*/' $bare
              printf '%s\n' "$prefix$bare"
            end
          end
      end
    end

    # Reads the words before the cursor, then writes the candidates.
    function __\#(name)_complete
      set -l words (commandline -opc)
      set -l raw (commandline -ct)
      # Close an open quote before reading the word.
      set -l cur (string unescape -- "$raw"; or string unescape -- "$raw'"; or string unescape -- "$raw\"")
      set -l command ''
      set -l given
      set -l arguments
      set -l profile ''
      set -l ended ''
      set -l awaited ''
      set -l seen
      for word in $words[2..-1]
        if test -n "$awaited"
          test "$awaited" = --profile; and set profile $word
          set awaited ''
        else if test -n "$ended"; or not string match -q -- '-?*' $word
          if test -z "$ended"; and not set -q arguments[1]
              and contains -- $word (__\#(name)_subcommands $command | string replace -r -- '\t.*' '')
            set command (string trim -- "$command $word")
          else
            set -a arguments $word
          end
        else if test "$word" = --
          set ended 1
        else if string match -q -- '--*' $word
          set -l name (string split -m 1 -- = $word)
          set -l facts (__\#(name)_option $command $name[1]); or continue
          test $facts[2] = repeats; or set -a given $facts[1]
          if set -q name[2]
            test $facts[1] = --profile; and set profile $name[2]
          else if test $facts[3] != switch
            set awaited $facts[1]
          end
        else
          for index in (seq 2 (string length -- $word))
            set -l facts (__\#(name)_option $command -(string sub -s $index -l 1 -- $word)); or continue
            test $facts[2] = repeats; or set -a given $facts[1]
            test $facts[3] = switch; and continue
            if test $index -eq (string length -- $word)
              set awaited $facts[1]
            else if test $facts[1] = --profile
              set profile (string sub -s (math $index + 1) -- $word)
            end
            break
          end
        end
      end

      if test -n "$awaited"
        set -l facts (__\#(name)_option $command $awaited)
        __\#(name)_values '' "$cur" "$command" "$profile" "$arguments" $facts[3..-1]
      else if test -z "$ended"; and string match -q -- '--*=*' $cur
        set -l name (string split -m 1 -- = $cur)
        set -l facts (__\#(name)_option $command $name[1]); or return
        __\#(name)_values "$name[1]=" "$name[2]" "$command" "$profile" "$arguments" $facts[3..-1]
      else if test -z "$ended"; and string match -q -- '-*' $cur
        if string match -q -r -- '^-[^-].' $cur
          for index in (seq 2 (math (string length -- $cur) - 1))
            set -l facts (__\#(name)_option $command -(string sub -s $index -l 1 -- $cur)); or break
            test $facts[3] = switch; and continue
            set -l typed (string sub -s (math $index + 1) -- $cur)
            set -l prefix (string sub -l $index -- $cur)
            __\#(name)_values $prefix $typed "$command" "$profile" "$arguments" $facts[3..-1]
            return
          end
        end
        for line in (__\#(name)_spellings $command)
          set -l spelling (string split -m 1 -- \t $line)[1]
          set -l facts (__\#(name)_option $command $spelling)
          # A command's own option hides a global option of the same name.
          contains -- $facts[1] $given; or contains -- $spelling $seen; or printf '%s\n' $line
          set -a seen $spelling
        end
      else
        if test -z "$ended"; and not set -q arguments[1]
          __\#(name)_subcommands $command
        end
        set -l facts (__\#(name)_argument $command (count $arguments))
        set -q facts[1]; or return
        # A value that would be parsed as an option is not offered.
        set -l options '-*'
        test -z "$ended"; or set options ''
        __\#(name)_values '' "$cur" "$command" "$profile" "$arguments" $facts | string match -v -- $options
      end
    end

    complete -c \#(name) -e
    complete -c \#(name) -f -a '(__\#(name)_complete)'

    """#
  }
}
