import Connect

extension Session {
  /// Activates a connection with IFTTT's own configuration screen skipped, which leaves it pending.
  ///
  /// - Returns: the pending connection, for `--no-wait`; the questions of `configure` follow otherwise.
  func activateSkippingConfiguration(_ id: ConnectionID, _ given: Configure.Options) throws -> Output {
    var options = ActivationOptions()
    (options.email, options.usesBrowser, options.credentials) = (given.email, given.usesBrowser, given.credentials)
    options.skipsConfiguration = true
    let activation = try Activation(of: id, options, in: self)
    return self.options.isDryRun ? try activation.dryRun() : try activation.run().output(in: self)
  }
}
