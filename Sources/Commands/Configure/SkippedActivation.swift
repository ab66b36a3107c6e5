import Connect

extension Session {
  /// Activates a connection with IFTTT's own configuration screen skipped, which leaves it pending.
  ///
  /// - Returns: what would be done, in a dry run; nil once it is done, and `configure` goes on.
  func activateSkippingConfiguration(_ id: ConnectionID, _ given: Configure.Options) throws -> Output? {
    var options = ActivationOptions()
    (options.email, options.returning.usesBrowser, options.credentials) = (
      given.email, given.usesBrowser, given.credentials
    )
    options.skipsConfiguration = true
    let activation = try Activation(of: id, options, in: self)
    if self.options.isDryRun { return try activation.dryRun() }
    let result = try activation.run()
    if !given.waits, result.isPending { note(ActivationResult.pendingNote(id)) }
    return nil
  }
}
