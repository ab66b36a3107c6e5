extension GrabWorld {
  /// The client that an account signed in with. Options and settings may add to it, but cannot change its identity.
  func client(of account: Account, over settings: GrabSettings = GrabSettings()) throws -> GrabClient {
    var whole = settings.over(try storedSettings())
    whole.clientID = account.clientID
    whole.issuer = account.issuer
    whole.discoveryURL = account.discoveryURL
    whole.scope = try? Scope(parsing: account.askedScopes)
    return try whole.client()
  }
}
