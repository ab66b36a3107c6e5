/// The commands that can open a page for the user, in order of preference.
package enum BrowserCommand {
  /// Returns the argument lists of the commands to try.
  ///
  /// `BROWSER` is a colon-separated list of commands in which `%s` stands for the URL. A command without `%s` gets
  /// the URL as its last argument. No shell parses the commands, so the URL always stays a single argument.
  ///
  /// - Parameter command: A command that replaces all others; nil for the user's `BROWSER` and the system's default.
  package static func candidates(named command: String? = nil, environment: Environment, url: String) -> [[String]] {
    if let command { return filled(command[...], with: url).map { [$0] } ?? [] }
    #if os(macOS)
      let system = ["open", url]
    #else
      let system = ["xdg-open", url]
    #endif
    let named = (environment[.browser] ?? "").split(separator: ":").compactMap { filled($0, with: url) }
    return named + [system]
  }

  /// Returns nil for a command without any arguments.
  private static func filled(_ command: Substring, with url: String) -> [String]? {
    let words = command.split(separator: " ").map(String.init)
    guard !words.isEmpty else { return nil }
    let filled = words.map { word in filling(word, with: url) }
    return filled == words ? words + [url] : filled
  }

  private static func filling(_ word: String, with url: String) -> String {
    var filled = ""
    var rest = Substring(word)
    while let first = rest.first {
      let isPlace = rest.hasPrefix("%s")
      filled += isPlace ? url : String(first)
      rest = rest.dropFirst(isPlace ? 2 : 1)
    }
    return filled
  }
}
