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
      guard let source = try session.credentials.userTokenSource(file: nil, userID: nil) else {
        return .warning(
          "no user token is stored or set",
          "Get one with \(ifttt: "token exchange"); without it, only public data is available.")
      }
      guard let token = try session.credentials.secret(of: source) else {
        return .failure("the user token was removed", "Get a new one with \(ifttt: "token exchange").")
      }
      let isOffline = try context.reasonWithoutNetwork != nil && !session.profileName.isSandbox
      if isOffline || session.options.isDryRun { return .skipped("\(source.location); not verified with IFTTT") }
      _ = try context.http
      let client = try session.network.connect(CredentialOptions(), as: .user(token))
      do throws(APIError) {
        let me = try client.me().send()
        let login = me.userLogin.map { "IFTTT login \($0)" } ?? "IFTTT returns no login for it"
        return .ok("\(source.location); \(login)\(me.serviceID.map { ", service \($0)" } ?? "")")
      } catch {
        let problem = Problem(error, subject: nil)
        guard error.retryability == .transient else {
          return .failure("\(source.location); \(problem.summary)", problem.hint)
        }
        return .skipped("\(source.location); \(problem.summary)")
      }
    }
  }

  /// Checks that a service key is present. Its validity is known only when it is used.
  static var serviceKey: DoctorCheck {
    DoctorCheck(name: "service-key", needsProfile: true) { context in
      guard let source = try context.session.credentials.serviceKeySource(file: nil) else {
        return .ok("none is stored or set; 'token exchange' needs one")
      }
      return .ok(source.location)
    }
  }

  /// Checks that a webhooks key is present and well-formed. Only a request that fires an event could verify it.
  static var webhooksKey: DoctorCheck {
    DoctorCheck(name: "webhooks-key", needsProfile: true) { context in
      guard let source = try context.session.credentials.webhooksKeySource(file: nil) else {
        return .ok("none is stored or set; 'webhook fire' needs one")
      }
      return .ok(source.location)
    }
  }
}

extension CredentialSource {
  /// The source of the credential, as text for people.
  fileprivate var location: String {
    switch self {
    case .given: "from the environment"
    case .stored(let record): record.userID.isEmpty ? "stored in the profile" : "stored for user \(record.userID)"
    case .builtIn: "the sandbox's built-in credential"
    }
  }
}

extension DoctorCheck {
  /// Reports whether usage events are sent, and if not, why.
  static var privacy: DoctorCheck {
    DoctorCheck(name: "privacy") { context in
      if let skipped = try context.waitForPermissions() { return skipped }
      let session = context.session
      switch session.usageConsent {
      case .off(let reason): return .ok("usage events are off: \(reason.description)")
      case .on(let choice):
        let waiting = try UsageQueue(session.store).sending(under: choice).waiting
        return .ok("usage events are on since \(choice.since.rfc3339); \(waiting) queued")
      }
    }
  }
}
