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
    // Two statements: SQLite takes longer to prepare and to step through their union.
    let links = try database.providers(
      "SELECT name, capabilities, credentials <> '[]', kind = ? FROM plugin_link", kind)
    let installed = try database.providers(
      "SELECT name, capabilities, credentials <> '[]', 1 FROM plugin WHERE kind = ? ORDER BY name", kind)
    guard !links.isEmpty else { return installed.map { $0.provider } }
    return
      (links.filter { $0.isOfKind }
      + installed.filter { one in !links.contains { $0.provider.name == one.provider.name } })
      .map { $0.provider }.sorted { $0.name < $1.name }
  }
}

extension Database {
  /// - Parameter sql: A statement with the kind as its parameter, and with the columns name, capabilities, whether
  ///   credentials are needed, and whether the plugin is of that kind.
  fileprivate func providers(
    _ sql: String, _ kind: String
  ) throws(StoreError) -> [(provider: TrustedProvider, isOfKind: Bool)] {
    let statement = try prepare(sql)
    try statement.bind([.text(kind)])
    var providers: [(provider: TrustedProvider, isOfKind: Bool)] = []
    // Most providers have the same capabilities as the one before, so decode each text only once.
    var (text, capabilities) = ("[]", [String]())
    while try statement.step() {
      let next = statement.text(1)
      if next != text { (text, capabilities) = (next, Store.list(next)) }
      let provider = TrustedProvider(
        name: statement.text(0), capabilities: capabilities, needsCredentials: statement.integer(2) != 0)
      providers.append((provider, isOfKind: statement.integer(3) != 0))
    }
    return providers
  }
}
