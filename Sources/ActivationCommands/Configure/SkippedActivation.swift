import API
import CommandContext
import Connect
import Hints

extension Session {
  /// Activates a connection with IFTTT's own configuration screen skipped, which leaves it pending.
  ///
  /// - Returns: the result of a dry run, or of a run that ends here; nil if the settings follow.
  func activateSkippingConfiguration(
    _ id: ConnectionID, _ given: Configure.Options, _ file: UserConnection?
  ) throws -> Output? {
    var options = given.activation
    (options.credentials, options.skipsConfiguration) = (given.credentials, true)
    let activation = try Activation(of: id, options, in: self)
    if self.options.isDryRun { return try activation.dryRun() }
    if given.saysChanges { try refuseEarly(id, given, file) }
    let result = try activation.run()
    guard given.waits, result.unverified == nil else { return result.output(in: self) }
    note(Hint(result.words))
    return nil
  }

  /// What is seen to be no setting is refused before a browser is opened. What is known only afterwards is left to
  /// `configure`: whatever the user has, and mostly what fields accept.
  private func refuseEarly(_ id: ConnectionID, _ given: Configure.Options, _ file: UserConnection?) throws {
    guard let access = try? ConnectionAccess(beforeActivationOf: id, given.credentials, in: self),
      let connection = try? access.client.show(id).connection
    else { return }
    var early = given
    (early.disabled, early.removed) = ([], [])
    if connection.userConnection == nil { early.settings.removeAll { $0.name.utf8.contains(UInt8(ascii: "#")) } }
    let stored = connection.userConnection ?? UserConnection()
    _ = try RequestedConfiguration(connection, stored, access, isEarly: true).wanted(early, file)
  }
}
