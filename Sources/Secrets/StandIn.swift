extension Secret {
  /// What takes this secret's place where an exchange is written down: of the same masked form, good wherever the secret
  /// was, and its own stand-in.
  ///
  /// Two secrets may have one stand-in: nothing of a secret but what ``masked`` shows goes into it.
  package var standIn: Secret {
    let scalars = revealed.unicodeScalars
    guard scalars.count > 24 else { return Secret(unchecked: "stand-in") }
    return Secret(unchecked: "\(String(scalars.prefix(4)))-stand-in-for-a-secret-\(String(scalars.suffix(4)))")
  }
}
