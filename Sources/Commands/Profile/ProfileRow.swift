import Output
import Session
import Store

/// A profile as printed: its settings and the kinds of its stored credentials, never a credential itself.
struct ProfileRow: OutputRecord {
  let name: String
  let isCurrent: Bool
  let settings: ProfileSettings
  let credentials: [String]
  let tracked: Int

  static let fields: Fields = [
    Field("name", "The profile's name", column: "NAME", overflow: .keep) { $0.name },
    Field("current", "Whether this is the current profile", column: "CURRENT") { $0.isCurrent },
    Field("settings", "The settings; null if not set") { $0.settings },
    Field("credentials", "The kinds of the stored credentials", column: "CREDENTIALS") { $0.credentials },
    Field("tracked", "The number of tracked connections", column: "TRACKED", style: .number) { $0.tracked },
  ]
}

struct ProfileSettings: OutputRecord {
  let values: [Profile.Setting: String]

  static let fields: Fields = Profile.Setting.allCases.map { setting in
    let column: String? =
      switch setting {
      case .service: "SERVICE"
      case .userID: "USER"
      default: nil
      }
    return Field(setting.rawValue, setting.meaning, column: column, place: setting == .service ? 1 : nil) {
      $0.values[setting]
    }
  }
}

extension Profile.Setting {
  fileprivate var meaning: String {
    switch self {
    case .userID: "The user's ID on your service"
    case .service: "The service's slug"
    case .inviteCode: "The invite code of an unpublished service"
    case .connectURL: "The base URL of the Connect API"
    case .locationURL: "The base URL of the location API"
    case .apiURL: "The base URL of the Applets API"
    case .webURL: "The base URL of IFTTT's web pages"
    case .realtimeURL: "The base URL of the Realtime API"
    case .webhooksURL: "The base URL of Webhooks"
    case .redirectURI: "The redirect URI of activations"
    case .skipConfiguration: "Whether activations skip IFTTT's configuration screen"
    }
  }
}

extension Session {
  func profileRow(_ profile: Profile) throws -> ProfileRow {
    ProfileRow(
      name: profile.name, isCurrent: try profile.name == profileName.description,
      settings: ProfileSettings(values: profile.settings),
      credentials: Set(try store.credentials(profile: profile.name).map(\.kind.rawValue)).sorted(),
      tracked: try store.trackedCount(profile: profile.name))
  }
}
