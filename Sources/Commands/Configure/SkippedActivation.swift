import Connect

extension Session {
  /// Activates a connection with IFTTT's own configuration screen skipped, which leaves it pending.
  ///
  /// - Returns: the pending connection, for `--no-wait`; the questions of `configure` follow otherwise.
  func activateSkippingConfiguration(_ id: ConnectionID, _ credentials: CredentialOptions) throws -> Output {
    var options = ActivationOptions()
    (options.credentials, options.skipsConfiguration) = (credentials, true)
    let activation = try Activation(of: id, options, in: self)
    return self.options.isDryRun ? try activation.dryRun() : try activation.run().output(in: self)
  }
}
