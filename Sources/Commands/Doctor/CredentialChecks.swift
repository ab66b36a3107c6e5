import HTTP
import IFTTT
import Session
import Store
import Text
import World

extension DoctorCheck {
  /// Checks that a user token is present, and reports the user it belongs to according to IFTTT.
  static var token: DoctorCheck {
    DoctorCheck(name: "token", needsProfile: true) { context in
      let session = context.session
      guard let location = try session.credentials.location(of: .userToken) else {
        return .warning(
          "no user token is stored or set",
          "Set up the profile with \(ifttt: "init"), or get a token with \(ifttt: "token exchange"); without one, only "
            + "public data is available.")
      }
      guard let token = try session.credentials.secret(at: location, .userToken) else {
        return .failure("the user token was removed", "Get a new one with \(ifttt: "token exchange").")
      }
      let isOffline = try context.offlineReason != nil && !session.profileName.isSandbox
      if isOffline || session.options.isDryRun { return .skipped("\(location.text); not verified with IFTTT") }
      _ = try context.http
      let client = try session.network.connect(session.credentials.located(.user(token), CredentialOptions()))
      let (profile, stored) = (try session.profile.name, try session.profile.settings[.service])
      do throws(APIError) {
        let me = try client.me().send()
        if let stored, let actual = me.serviceID, stored != actual {
          return .warning(
            "the token belongs to service '\(actual)', but the profile says '\(stored)'",
            "Correct it with \(ifttt: "profile set \(profile) --service \(actual)").")
        }
        let login = me.userLogin.map { "IFTTT login \($0)" } ?? "IFTTT returns no login for it"
        return .ok("\(location.text); \(login)\(me.serviceID.map { ", service \($0)" } ?? "")")
      } catch {
        let problem = Problem(error, subject: nil)
        guard error.retryability == .transient else {
          return .failure("\(location.text); \(problem.summary)", problem.hint)
        }
        return .skipped("\(location.text); \(problem.summary)")
      }
    }
  }

  /// Checks that a service key is present. Its validity is known only when it is used.
  static var serviceKey: DoctorCheck { presence(of: .serviceKey, "service-key", for: "token exchange") }

  /// Checks that a webhooks key is present and well-formed. Only a request that fires an event could verify it.
  static var webhooksKey: DoctorCheck { presence(of: .webhooksKey, "webhooks-key", for: "webhook fire") }

  /// - Parameter command: A command that needs the key.
  private static func presence(of key: CredentialName, _ name: String, for command: String) -> DoctorCheck {
    DoctorCheck(name: name, needsProfile: true) { context in
      guard let location = try context.session.credentials.location(of: key) else {
        return .ok("none is stored or set; '\(command)' needs one")
      }
      return .ok(location.text)
    }
  }
}

extension LocatedCredential.Location {
  fileprivate var text: String {
    switch self {
    case .given: "from the environment"
    case .command(let words): "printed by '\(words.map(ShellWord.quoted).joined(separator: " "))'"
    case .stored(let record): record.userID.isEmpty ? "stored in the profile" : "stored for user \(record.userID)"
    case .builtIn: "the sandbox's built-in credential"
    }
  }
}

extension DoctorCheck {
  /// Reports whether usage events are sent, and if not, why.
  static var privacy: DoctorCheck {
    DoctorCheck(name: "privacy") { context in
      if let skipped = try context.skippedForPermissions() { return skipped }
      let session = context.session
      switch session.usage.currentConsent {
      case .off(let reason): return .ok("usage events are off: \(reason.description)")
      case .on(let choice):
        let waiting = try UsageQueue(session.store).sending(under: choice).waiting
        return .ok("usage events are on since \(choice.since.rfc3339); \(waiting) queued")
      }
    }
  }
}
