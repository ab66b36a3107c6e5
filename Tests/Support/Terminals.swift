import Foundation

/// Interactive shells in a pseudo-terminal (zsh's own `zpty`), with TAB pressed as by a user.
extension Shells {
  /// The candidates that zsh offers: whole words, unquoted, with their descriptions as displayed.
  package static func zshCompletions(
    script: String, lines: [String], programs: String? = nil
  ) throws -> [[Candidate]] {
    try typed(lines, into: zshSession, script: script, programs: programs).candidates
  }

  /// The line in zsh after TAB.
  package static func zshLines(script: String, lines: [String], programs: String? = nil) throws -> [String] {
    try typed(lines, into: zshSession, script: script, programs: programs).lines
  }

  /// The line in bash after TAB.
  package static func bashLines(script: String, lines: [String], programs: String? = nil) throws -> [String] {
    try typed(lines, into: bashSession, script: script, programs: programs).lines
  }

  private struct Session {
    let command: String
    /// The script that is sourced before the first line. It must bind Control-G to a command that writes the line to
    /// the file `lines`, writes U+001E to `candidates` and to the terminal, and clears the line.
    let setup: String
  }

  private static let bashSession = Session(
    command: "bash --norc --noprofile -i",
    setup: #"""
      records=$PWD
      source ./_ifttt
      bind 'set completion-query-items 0' 'set page-completions off' 2>/dev/null
      bind 'set enable-bracketed-paste off'
      finish() {
        printf '%s\n' "$READLINE_LINE" >>"$records/lines"
        printf '\x1e\n' >>"$records/candidates"
        printf '\x1e'
        READLINE_LINE='' READLINE_POINT=0
      }
      bind -x '"\C-g": finish'
      """#)

  private static let zshSession = Session(
    command: "zsh -f -i",
    setup: #"""
      # A list on the terminal would only be read over, character by character.
      typeset -g records=$PWD
      setopt extendedglob noautolist noautomenu
      unset zle_bracketed_paste
      fpath=($PWD $fpath)
      autoload -Uz compinit
      compinit -u -D
      compadd() {
        local -i index
        local display
        local -a found shown
        for (( index = 1; index <= $#; index++ )); do
          case $argv[index] in
          -|--) break ;;
          -[OAD]) builtin compadd "$@"; return ;;
          -[a-zA-Z]#d) display=$argv[index+1] ;;
          esac
        done
        [[ -z $display ]] || shown=("${(@P)display}")
        builtin compadd -O found -D shown "$@"
        for (( index = 1; index <= $#found; index++ )); do
          print -r -- "$IPREFIX$found[index]"$'\t'"$shown[index]" >>$records/candidates
        done
        builtin compadd "$@"
      }
      finish() {
        print -r -- "$BUFFER" >>$records/lines
        print $'\x1e' >>$records/candidates
        print -n $'\x1e'
        BUFFER=''
      }
      zle -N finish
      bindkey '^G' finish
      """#)

  private static func typed(
    _ lines: [String], into session: Session, script: String, programs: String?
  ) throws -> (candidates: [[Candidate]], lines: [String]) {
    let driver = #"""
      zmodload zsh/zpty
      typeset seen
      zpty shell "$1"
      zpty -w shell "PS1= PS2=; stty -echo rows 1000 columns 250; . ./setup; printf '\\x1e'"
      zpty -r shell seen $'*\x1e' || exit 1
      for line in "${@[2,-1]}"; do
        zpty -w -n shell "$line"$'\t\C-g'
        zpty -r shell seen $'*\x1e' || exit 1
      done
      zpty -d shell
      """#
    let folder = try ScratchFolder()
    try folder.write(script, to: "_ifttt")
    try folder.write(session.setup, to: "setup")
    let arguments = ["-f", "-c", driver, "zsh", session.command] + lines
    let outcome = try Tool.required("zsh").run(arguments, in: folder, environment: searchPath(programs))
    guard outcome.status == 0, outcome.errors.isEmpty else { throw ShellFailure(outcome: outcome) }
    let read = { (name: String) in try String(contentsOf: folder.url.appendingPathComponent(name), encoding: .utf8) }
    return (records(in: try read("candidates")), try read("lines").components(separatedBy: "\n").dropLast())
  }
}
