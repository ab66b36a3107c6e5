import Connect

extension Session {
  /// Activates a connection with IFTTT's own configuration screen skipped, which leaves it pending.
  ///
  /// - Returns: the pending connection, for `--no-wait`; the questions of `configure` follow otherwise.
  func activateSkippingConfiguration(_ id: ConnectionID, _ credentials: CredentialOptions) throws -> Output {
    throw Problem(
      .refused, "connection '\(id)' cannot be activated from here",
      reason: "a connection is switched on for the first time in a browser",
      hint: "Run 'ifttt connections activate \(id)'.")
  }
}
