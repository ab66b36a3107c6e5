/// What a list of connections needs of a provider plugin, so that it does not decode the whole trust record.
package struct TrustedProvider: Sendable, Equatable {
  package let name: String
  /// The capabilities that its manifest declares.
  package let capabilities: [String]
  /// Whether it may request any credential.
  package let needsCredentials: Bool

  package init(name: String, capabilities: [String], needsCredentials: Bool) {
    (self.name, self.capabilities, self.needsCredentials) = (name, capabilities, needsCredentials)
  }
}

extension Store {
  /// Returns the installed and linked provider plugins, sorted by name. A link hides the installed plugin of its name.
  /// - Parameter kind: The kind of provider plugins.
  package func trustedProviders(ofKind kind: String) throws(StoreError) -> [TrustedProvider] {
    guard let database = try existing() else { return [] }
    let statement = try database.prepare(
      """
      SELECT name, capabilities, credentials <> '[]' FROM plugin
      WHERE kind = ?1 AND name NOT IN (SELECT name FROM plugin_link)
      UNION ALL SELECT name, capabilities, credentials <> '[]' FROM plugin_link WHERE kind = ?1
      ORDER BY name
      """)
    try statement.bind([.text(kind)])
    var providers: [TrustedProvider] = []
    // Most providers have the same capabilities as the one before, so decode each text only once.
    var (text, capabilities) = ("[]", [String]())
    while try statement.step() {
      let next = statement.text(1)
      if next != text { (text, capabilities) = (next, Self.list(next)) }
      providers.append(
        TrustedProvider(
          name: statement.text(0), capabilities: capabilities, needsCredentials: statement.integer(2) != 0))
    }
    return providers
  }
}
