import IFTTT

/// The id in the URL of a connection's page, as copied from a browser, an email or an API response.
enum ConnectionAddress {
  /// Whether the text is meant as a URL.
  static func isAddress(_ text: String) -> Bool {
    let text = text.lowercased()
    return text.hasPrefix("https://") || text.hasPrefix("http://") || text.hasPrefix("ifttt.com/")
      || text.hasPrefix("www.ifttt.com/")
  }

  /// The id in the URL; nil if no connection can have this URL. The host is not checked, because only the id is used
  /// and a custom server has a different host.
  package static func id(in address: String) -> ConnectionID? {
    let path = address.prefix { $0 != "?" && $0 != "#" }.split(separator: "/", omittingEmptySubsequences: true)
      .drop { $0.hasSuffix(":") }.dropFirst()
    let words = Array(path.map(String.init))
    for (place, word) in words.enumerated() where place + 1 < words.count {
      switch word {
      case "applets", "connections", "connect", "embed": return id(ofPage: words[place + 1])
      // https://ifttt.com/access/api/ID
      case "api" where place > 0 && words[place - 1] == "access": return id(ofPage: words[place + 1])
      default: continue
      }
    }
    return nil
  }

  /// The id in a page's name. The name may be the id followed by the title: `Kd7Rn2Qx-turn-on-the-lamp`. An id in
  /// UUID form contains hyphens itself.
  private static func id(ofPage name: String) -> ConnectionID? {
    let parts = name.split(separator: "-", omittingEmptySubsequences: false)
    let isUUID =
      parts.map(\.utf8.count) == [8, 4, 4, 4, 12] && parts.allSatisfy { $0.allSatisfy(\.isHexDigit) }
    guard let first = parts.first, !isUUID, parts.count > 1, (8...10).contains(first.utf8.count) else {
      return ConnectionID(parsing: name)
    }
    return ConnectionID(parsing: String(first))
  }
}
