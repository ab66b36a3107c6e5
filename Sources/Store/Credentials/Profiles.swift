package import Text

/// A named set of credentials, base URLs and cached data.
package struct Profile: Sendable, Equatable {
  package var name: String
  package var settings: [Setting: String]
  package init(name: String, settings: [Setting: String] = [:]) { (self.name, self.settings) = (name, settings) }

  /// The settings that a profile can store.
  package enum Setting: String, Sendable, CaseIterable {
    case userID = "user_id"
    case service
    case inviteCode = "invite_code"
    case connectURL = "connect_url"
    case locationURL = "location_url"
    case apiURL = "api_url"
    case webURL = "web_url"
    case realtimeURL = "realtime_url"
    case webhooksURL = "webhooks_url"
    /// The redirect URI of activations, which must be registered for the service.
    case redirectURI = "redirect_uri"
    /// `true` if activations skip the configuration screen.
    case skipConfiguration = "skip_config"
    /// The hosts to which requests may use plain http, separated by commas.
    case allowHTTP = "allow_http"
  }
}

extension Store {
  /// Returns the profiles, sorted by name. The built-in `sandbox` is included only if data was stored for it.
  package func profiles() throws(StoreError) -> [Profile] { try readProfiles(named: nil) }

  package func profile(_ name: String) throws(StoreError) -> Profile? { try readProfiles(named: name).first }

  /// Creates the profile, or merges the settings into the existing one. An empty value removes a setting.
  ///
  /// - Parameters:
  ///   - secrets: Credentials to save in the same transaction. A user token belongs to the profile's user.
  ///   - uses: Whether to make it the current profile.
  package func save(
    _ profile: Profile, with secrets: [CredentialKind: Secret] = [:], uses: Bool = false
  ) throws(StoreError) {
    try write { database throws(StoreError) in
      try database.makeProfile(profile.name)
      try database.set(profile.settings, of: profile.name)
      for (kind, secret) in secrets {
        let user = try kind == .userToken ? database.user(of: profile.name) : ""
        try seal(secret, as: kind, userID: user, profile: profile.name, in: database)
      }
      if uses { try database.use(profile.name) }
    }
  }

  /// Removes a profile with its credentials, tracked connections and cache. Returns false if it did not exist.
  package func removeProfile(_ name: String) throws(StoreError) -> Bool {
    try checkCache()
    let existed = try writeExisting { database throws(StoreError) in
      try database.run("DELETE FROM choice WHERE name = 'profile' AND value = :name", [":name": name])
      return try database.run("DELETE FROM profile WHERE name = :name", [":name": name]) > 0
    }
    try forgetCache(of: name)
    try set(Dictionary(uniqueKeysWithValues: CredentialName.allCases.map { ($0, []) }), profile: name)
    return existed ?? false
  }

  /// Returns the profile chosen with `profile use`; nil if none was chosen.
  package func currentProfile() throws(StoreError) -> String? {
    try openIfExists()?.text("SELECT value FROM choice WHERE name = 'profile'")
  }

  /// Makes a profile the current one. It need not be saved: `sandbox` never is.
  package func useProfile(_ name: String) throws(StoreError) {
    try write { database throws(StoreError) in try database.use(name) }
  }

  private func readProfiles(named name: String?) throws(StoreError) -> [Profile] {
    guard let database = try openIfExists() else { return [] }
    let statement = try database.prepare(
      """
      SELECT profile.name AS profile, profile_setting.name AS setting, value FROM profile
      LEFT JOIN profile_setting ON profile_setting.profile = profile.name
      \(name == nil ? "" : "WHERE profile.name = :name") ORDER BY profile.name
      """)
    try statement.bind(name.map { [":name": $0] } ?? [:])
    var profiles: [Profile] = []
    while try statement.step() {
      let name: String = statement["profile"]
      if profiles.last?.name != name { profiles.append(Profile(name: name)) }
      guard let setting = Profile.Setting(rawValue: statement["setting"]) else { continue }
      profiles[profiles.count - 1].settings[setting] = statement["value"] as String
    }
    return profiles
  }
}

extension Database {
  /// Creates the profile's row, which all of its data refers to.
  func makeProfile(_ name: String) throws(StoreError) {
    try run("INSERT OR IGNORE INTO profile (name) VALUES (:name)", [":name": name])
  }

  /// Sets or removes settings; an empty value removes a setting. The profile must exist.
  func set(_ settings: [Profile.Setting: String], of profile: String) throws(StoreError) {
    for (setting, value) in settings {
      if value.isEmpty {
        try run(
          "DELETE FROM profile_setting WHERE profile = :profile AND name = :name",
          [":profile": profile, ":name": setting.rawValue])
      } else {
        try run(
          "INSERT OR REPLACE INTO profile_setting (profile, name, value) VALUES (:profile, :name, :value)",
          [":profile": profile, ":name": setting.rawValue, ":value": value])
      }
    }
  }

  fileprivate func user(of profile: String) throws(StoreError) -> String {
    try text(
      "SELECT value FROM profile_setting WHERE profile = :profile AND name = :name",
      [":profile": profile, ":name": Profile.Setting.userID.rawValue]) ?? ""
  }

  fileprivate func use(_ profile: String) throws(StoreError) {
    try run("INSERT OR REPLACE INTO choice (name, value) VALUES ('profile', :profile)", [":profile": profile])
  }
}
