import Changes
package import IFTTT
import Output
package import Session
import Text

extension Session {
  /// Shows or sets the fields of a connection at IFTTT; with `--skip`, activates it first.
  package func configure(_ id: ConnectionID, _ options: ConfigureOptions) throws -> Output {
    if !self.options.isDryRun {
      let isActivation = options.skips == true && !options.waits
      try checkFields(of: isActivation ? .one(ActivationRow.self) : .many(ConfigurationRow.self))
    }
    if options.resumes {
      return try ConfigureRun(id, options, nil, in: self).output(resuming: BatchJournal(session: self).resumable())
    }
    // Read the file before anything is sent.
    let file = try options.file.map { try ConfigurationFile.read($0, in: self) }
    if options.skips == true, let result = try activateSkippingConfiguration(id, options, file) { return result }
    return try ConfigureRun(id, options, file, in: self).output()
  }

  /// Activates a connection but skips IFTTT's own configuration screen, which leaves the connection pending.
  ///
  /// - Returns: the result of a dry run, or of a run that ends here; nil if the settings follow.
  fileprivate func activateSkippingConfiguration(
    _ id: ConnectionID, _ given: ConfigureOptions, _ file: UserConnection?
  ) throws -> Output? {
    var options = given.activation
    (options.credentials, options.skipsConfiguration) = (given.credentials, true)
    let activation = try Activation(of: id, options, in: self)
    if self.options.isDryRun { return try activation.dryRun() }
    if given.saysChanges { try refuseEarly(id, given, file) }
    let result = try activation.run()
    guard given.waits, result.unverified == nil else { return result.output(in: self) }
    console.note(Hint(result.words))
    return nil
  }

  /// Rejects settings that are clearly invalid before a browser is opened. `configure` checks what is known only
  /// afterwards: the user's own features, and most options of fields.
  private func refuseEarly(_ id: ConnectionID, _ given: ConfigureOptions, _ file: UserConnection?) throws {
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

extension Session {
  /// Rejects fields of the command's other output before anything is done.
  fileprivate func checkFields(of shape: OutputSchema) throws {
    do throws(FieldsError) { try shape.check(options.fields ?? []) } catch {
      throw Problem(
        .usage, "--fields: \(error.description)", reason: "with these options, the output has other fields",
        hint: "Available: \(shape.fields.joined(separator: ", ")).")
    }
  }
}
