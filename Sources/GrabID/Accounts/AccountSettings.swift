extension GrabWorld {
  /// The client that an account signed in with; what is typed or set may add to it and not turn it into another.
  func client(of account: Account, over settings: GrabSettings = GrabSettings()) throws -> GrabClient {
    var whole = settings.over(try storedSettings())
    whole.clientID = account.clientID
    whole.issuer = account.issuer
    whole.discoveryURL = account.discoveryURL
    whole.scope = try? Scope(parsing: account.askedScopes)
    return try whole.client()
  }
}
