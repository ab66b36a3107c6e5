# Completion of ifttt for fish. Generated from the command tree.
# Source it, or install it as share/fish/vendor_completions.d/ifttt.fish.

# PATH: writes the names, each with its description.
function __ifttt_subcommands
  switch $argv[1]
    case ''
      printf '%s\n' 'connections	Track, list and switch connections' 'configure	Set a connection\'s fields' 'help	Explain a command' 'token	Keep user tokens'
    case 'connections'
      printf '%s\n' 'list	List the connections this profile tracks' 'disable	Turn connections off' 'export	Write configuration to a file'
    case 'configure'
      printf '%s\n' 'reset	Forget what was set | all of it'
    case 'token'
      printf '%s\n' 'remove	Forget a user token'
  end
end

# PATH: writes the options that the command accepts.
function __ifttt_spellings
  switch $argv[1]
    case 'connections list'
      printf '%s\n' '--status	Only those with this `status`; $(touch /tmp/never) is not run' '-s	Only those with this `status`; $(touch /tmp/never) is not run' '--track	Track what is shown' '--no-track	The opposite of --track' '--limit	At most so many \\ rows: 50 % or [all]' '-n	At most so many \\ rows: 50 % or [all]' '--raw	IFTTT\'s own "JSON", byte for byte — naïvely, 日本語 and all'
    case 'connections disable'
      printf '%s\n' '--all	Every connection tracked' '--quiet	Not even the results' '-q	Not even the results'
    case 'connections export'
      printf '%s\n' '--folder	Where to'
    case 'configure'
      printf '%s\n' '--set	One field\'s new value'
  end
  printf '%s\n' '--profile	The profile: its credentials, base URLs and cache' '--output	How results are printed' '-o	How results are printed' '--fields	Only these, in this order' '--jobs	Requests under way at once' '--header	The heading line of tables, CSV and TSV' '--no-header	The opposite of --header' '--quiet	No notes' '-q	No notes' '--verbose	The requests made, secrets redacted' '-v	The requests made, secrets redacted' '--help	One screen with -h, everything with --help' '-h	One screen with -h, everything with --help'
end

# PATH SPELLING: writes the long name, repeats or once, kind, source and choices, one per line.
function __ifttt_option
  switch "$argv[1]:$argv[2]"
    case 'connections list:--status' 'connections list:-s'
      printf '%s\n' --status repeats choices '' enabled never_enabled
      return
    case 'connections list:--track' 'connections list:--no-track'
      printf '%s\n' --track once switch ''
      return
    case 'connections list:--limit' 'connections list:-n'
      printf '%s\n' --limit once value ''
      return
    case 'connections list:--raw'
      printf '%s\n' --raw once switch ''
      return
    case 'connections disable:--all'
      printf '%s\n' --all once switch ''
      return
    case 'connections disable:--quiet' 'connections disable:-q'
      printf '%s\n' --quiet once switch ''
      return
    case 'connections export:--folder'
      printf '%s\n' --folder once directory ''
      return
    case 'configure:--set'
      printf '%s\n' --set repeats value ''
      return
  end
  switch $argv[2]
    case --profile
      printf '%s\n' --profile once request profile
      return
    case --output -o
      printf '%s\n' --output once choices '' 'table	for people' 'json	one document: an array [or an object]' csv
      return
    case --fields
      printf '%s\n' --fields once list field
      return
    case --jobs
      printf '%s\n' --jobs once value ''
      return
    case --header --no-header
      printf '%s\n' --header once switch ''
      return
    case --quiet -q
      printf '%s\n' --quiet once switch ''
      return
    case --verbose -v
      printf '%s\n' --verbose repeats switch ''
      return
    case --help -h
      printf '%s\n' --help once switch ''
      return
  end
  return 1
end

# PATH NUMBER: writes kind, source and choices, one per line.
function __ifttt_argument
  switch "$argv[1]:$argv[2]"
    case 'connections list:*'
      printf '%s\n' request connection-id
    case 'connections disable:*'
      printf '%s\n' request connection-id
    case 'connections export:0'
      printf '%s\n' choices '' 'json	all of it' 'yaml: old	it\'s older'
    case 'connections export:1'
      printf '%s\n' file ''
    case 'configure:0'
      printf '%s\n' request connection-id
    case 'help:*'
      printf '%s\n' command '' exit-codes
    case 'token remove:0'
      printf '%s\n' request token-user
  end
end

# Requests the values of a kind from the program. Its output is only compared and quoted, never evaluated.
# PREFIX SOURCE COMMAND PROFILE TYPED ARGUMENT: writes candidates that begin with PREFIX.
function __ifttt_request
  # If the program is not on PATH, fish would print an error at the prompt.
  command -q ifttt; or return
  set -l context "--command=$argv[3]"
  test -z "$argv[4]"; or set -a context "--profile=$argv[4]"
  test -z "$argv[6]"; or set -a context "--argument=$argv[6]"
  set -l candidates (command ifttt __complete $argv[2] $context -- $argv[5] 2>/dev/null </dev/null)
  set -q candidates[1]; and printf '%s\n' $argv[1]$candidates
end

# PREFIX TYPED COMMAND PROFILE ARGUMENTS KIND SOURCE CHOICES...: writes candidates that begin with PREFIX.
function __ifttt_values
  set -l prefix $argv[1]
  set -l typed $argv[2]
  switch "$argv[6]"
    case choices
      printf "%s\n" $prefix$argv[8..-1]
    case command
      __ifttt_subcommands $argv[5]
      test -n "$argv[5]"; or printf "%s\n" $argv[8..-1]
    case request
      __ifttt_request "$prefix" $argv[7] $argv[3] $argv[4] "$typed" (string split ' ' -- $argv[5])[1]
    case list
      set -l parts (string match -r -- '^((?:.*,)?)([^,]*)$' $typed)
      __ifttt_request "$prefix$parts[2]" $argv[7] $argv[3] $argv[4] "$parts[3]" (string split ' ' -- $argv[5])[1]
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
function __ifttt_complete
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
          and contains -- $word (__ifttt_subcommands $command | string replace -r -- '\t.*' '')
        set command (string trim -- "$command $word")
      else
        set -a arguments $word
      end
    else if test "$word" = --
      set ended 1
    else if string match -q -- '--*' $word
      set -l name (string split -m 1 -- = $word)
      set -l facts (__ifttt_option $command $name[1]); or continue
      test $facts[2] = repeats; or set -a given $facts[1]
      if set -q name[2]
        test $facts[1] = --profile; and set profile $name[2]
      else if test $facts[3] != switch
        set awaited $facts[1]
      end
    else
      for index in (seq 2 (string length -- $word))
        set -l facts (__ifttt_option $command -(string sub -s $index -l 1 -- $word)); or continue
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
    set -l facts (__ifttt_option $command $awaited)
    __ifttt_values '' "$cur" "$command" "$profile" "$arguments" $facts[3..-1]
  else if test -z "$ended"; and string match -q -- '--*=*' $cur
    set -l name (string split -m 1 -- = $cur)
    set -l facts (__ifttt_option $command $name[1]); or return
    __ifttt_values "$name[1]=" "$name[2]" "$command" "$profile" "$arguments" $facts[3..-1]
  else if test -z "$ended"; and string match -q -- '-*' $cur
    if string match -q -r -- '^-[^-].' $cur
      for index in (seq 2 (math (string length -- $cur) - 1))
        set -l facts (__ifttt_option $command -(string sub -s $index -l 1 -- $cur)); or break
        test $facts[3] = switch; and continue
        set -l typed (string sub -s (math $index + 1) -- $cur)
        set -l prefix (string sub -l $index -- $cur)
        __ifttt_values $prefix $typed "$command" "$profile" "$arguments" $facts[3..-1]
        return
      end
    end
    for line in (__ifttt_spellings $command)
      set -l spelling (string split -m 1 -- \t $line)[1]
      set -l facts (__ifttt_option $command $spelling)
      # A command's own option hides a global option of the same name.
      contains -- $facts[1] $given; or contains -- $spelling $seen; or printf '%s\n' $line
      set -a seen $spelling
    end
  else
    if test -z "$ended"; and not set -q arguments[1]
      __ifttt_subcommands $command
    end
    set -l facts (__ifttt_argument $command (count $arguments))
    set -q facts[1]; or return
    # A value that would be parsed as an option is not offered.
    set -l options '-*'
    test -z "$ended"; or set options ''
    __ifttt_values '' "$cur" "$command" "$profile" "$arguments" $facts | string match -v -- $options
  end
end

complete -c ifttt -e
complete -c ifttt -f -a '(__ifttt_complete)'
