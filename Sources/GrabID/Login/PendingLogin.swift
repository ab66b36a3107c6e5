import JSON
import Text
import World

/// A sign-in in progress: the data that only this client knows, stored until it is used or ten minutes old.
struct PendingLogin {
  let state: String
  let nonce: String
  let verifier: Secret
  let redirectURI: String
  /// The requested account, in the form the user gave.
  let account: String?
  let createdAt: Timestamp
  let settings: GrabSettings

  static let prefix = "pending/"
  static let lifetime = Duration.seconds(600)

  /// The row's name, which does not reveal the state.
  static func name(ofState state: String) -> String {
    prefix + SHA256.hash(Array(state.utf8)).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
  var name: String { Self.name(ofState: state) }

  var stored: String {
    JSONValue.object([
      "state": .string(state), "nonce": .string(nonce), "verifier": .string(verifier.revealed),
      "redirect_uri": .string(redirectURI), "account": JSONValue(account),
      "created_at": JSONValue(Int(createdAt.milliseconds)), "settings": settings.stored,
      "client_secret": JSONValue(settings.clientSecret?.revealed), "max_age": JSONValue(settings.maximumAge),
    ]).text
  }

  init(
    state: String, nonce: String, verifier: Secret, redirectURI: String, account: String?, createdAt: Timestamp,
    settings: GrabSettings
  ) {
    (self.state, self.nonce, self.verifier, self.redirectURI) = (state, nonce, verifier, redirectURI)
    (self.account, self.createdAt, self.settings) = (account, createdAt, settings)
  }

  init?(stored text: String) {
    guard let row = try? JSONValue(parsing: Array(text.utf8)), let state = row["state"]?.string,
      let nonce = row["nonce"]?.string, let verifier = row["verifier"]?.string.flatMap(Secret.init(parsing:)),
      let redirectURI = row["redirect_uri"]?.string, let created = row["created_at"]?.int,
      let settings = row["settings"]
    else { return nil }
    (self.state, self.nonce, self.verifier, self.redirectURI) = (state, nonce, verifier, redirectURI)
    account = row["account"]?.string
    createdAt = Timestamp(milliseconds: Int64(created))
    var kept = GrabSettings(stored: settings, secret: row["client_secret"]?.string)
    kept.maximumAge = row["max_age"]?.int
    self.settings = kept
  }

  /// Whether the sign-in is recent. A clock that was set back does not extend its lifetime.
  func isAlive(at now: Timestamp) -> Bool {
    now < createdAt - (.zero - Self.lifetime) && createdAt <= now - .seconds(-60)
  }
}

extension GrabWorld {
  /// Removes expired and unreadable sign-ins of all processes.
  func sweepPendingLogins() throws {
    if isDryRun { return }
    let dead = try host.credentialNames(prefix: PendingLogin.prefix).filter { name in
      guard let pending = try host.credential(name).flatMap(PendingLogin.init(stored:)) else { return true }
      return !pending.isAlive(at: now)
    }
    if !dead.isEmpty { try host.changeCredentials(put: [], delete: dead) }
  }
}
