package import CommandLine
package import IFTTT
package import PluginProtocol

/// The provider whose connections a command acts on.
package enum ProviderName: Sendable, Equatable {
  /// IFTTT itself.
  case connect
  case plugin(PluginName)

  package init?(parsing text: String) {
    guard let name = PluginName(parsing: text) else { return nil }
    self = text == "connect" ? .connect : .plugin(name)
  }
}

/// A connection of any provider: `ID` or `NAME:ID`. IFTTT's own ids contain no colon.
package struct QualifiedConnectionID: Hashable, CustomStringConvertible {
  /// The provider plugin; nil for IFTTT.
  package let provider: PluginName?
  package let id: String

  package var description: String { provider.map { "\($0):\(id)" } ?? id }

  /// Parses `ID` or `NAME:ID`. If a provider is given and the text does not name the same provider, the whole text is
  /// the id.
  /// - Parameter provider: the provider in the options of the command.
  package init(_ text: String, provider: ProviderName?) {
    let (name, rest) = Self.parts(of: text)
    switch (provider, name) {
    case (.plugin(let chosen), .plugin(let name)?) where chosen == name: (self.provider, id) = (chosen, rest)
    case (.plugin(let chosen), _): (self.provider, id) = (chosen, text)
    case (.connect, .connect?), (nil, .connect?): (self.provider, id) = (nil, rest)
    case (nil, .plugin(let name)?): (self.provider, id) = (name, rest)
    case (.connect, _), (nil, nil): (self.provider, id) = (nil, text)
    }
  }

  /// A connection of IFTTT.
  package init(_ id: ConnectionID) { (provider, self.id) = (nil, id.description) }

  /// The id at IFTTT; nil for a connection of a plugin.
  package var connectID: ConnectionID? { provider == nil ? ConnectionID(parsing: id) : nil }

  private static func parts(of text: String) -> (ProviderName?, String) {
    guard let colon = text.firstIndex(of: ":"), text.index(after: colon) < text.endIndex else { return (nil, text) }
    return (ProviderName(parsing: String(text[..<colon])), String(text[text.index(after: colon)...]))
  }
}

extension ValueKind<ProviderName> {
  package static var providerName: ValueKind {
    .parsed("NAME", expected: "a provider's name such as 'connect'") { ProviderName(parsing: $0) }
  }
}

extension ValueKind<ConnectionID> {
  package static var connectionID: ValueKind<ConnectionID> {
    .parsed(
      "ID", completion: .dynamic("connection-id"),
      expected: "a connection's id, without '/', '?', '#' and control characters, or the URL of its page"
    ) { ConnectionURL.isURL($0) ? ConnectionURL.id(in: $0) : ConnectionID(parsing: $0) }
  }

  /// An id for commands that support only IFTTT's own connections: `ID` or `connect:ID`.
  package static var ownConnectionID: ValueKind<ConnectionID> {
    ValueKind(connectionID.schema) { (text: String) throws(ValueError) in
      guard !ConnectionURL.isURL(text) else { return try connectionID.parse(text) }
      let qualified = QualifiedConnectionID(text, provider: nil)
      if let provider = qualified.provider {
        throw ValueError(
          "not a connection at IFTTT, but one of provider '\(provider)'; 'connections show', 'enable' and 'disable' "
            + "accept it")
      }
      return try connectionID.parse(qualified.id)
    }
  }
}

/// The URL of a connection's page, as copied from a browser, an email or an API response.
enum ConnectionURL {
  /// Whether the text starts like a URL. No connection's id does.
  static func isURL(_ text: String) -> Bool {
    let text = text.lowercased()
    return text.hasPrefix("https://") || text.hasPrefix("http://") || text.hasPrefix("ifttt.com/")
      || text.hasPrefix("www.ifttt.com/")
  }

  /// The id in the URL; nil if no connection can have this URL. The host is not checked, because only the id is used
  /// and a custom server has a different host.
  package static func id(in url: String) -> ConnectionID? {
    let path = url.prefix { $0 != "?" && $0 != "#" }.split(separator: "/", omittingEmptySubsequences: true)
      .drop { $0.hasSuffix(":") }.dropFirst()
    let components = Array(path.map(String.init))
    for (index, component) in components.enumerated() where index + 1 < components.count {
      switch component {
      case "applets", "connections", "connect", "embed": return id(ofPage: components[index + 1])
      // https://ifttt.com/access/api/ID
      case "api" where index > 0 && components[index - 1] == "access": return id(ofPage: components[index + 1])
      default: continue
      }
    }
    return nil
  }

  /// The id in a page's name. The title may follow the id: `Kd7Rn2Qx-turn-on-the-lamp`. An id that is a UUID has
  /// hyphens of its own.
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
