/// The commands that may show a page to the user, best first.
package enum BrowserCommand {
  /// `BROWSER` is a list of commands parted by colons, in each of which `%s` stands for the URL; one without it gets
  /// the URL as its last word. No shell reads them, so a URL is never more than one word.
  ///
  /// - Parameter command: one that was named; then there are no others.
  package static func candidates(named command: String? = nil, environment: Environment, url: String) -> [[String]] {
    if let command { return filled(command[...], with: url).map { [$0] } ?? [] }
    #if os(macOS)
      let system = ["open", url]
    #else
      let system = ["xdg-open", url]
    #endif
    let named = (environment["BROWSER"] ?? "").split(separator: ":").compactMap { filled($0, with: url) }
    return named + [system]
  }

  /// Nil for a command without a word.
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
