package import Secrets

extension Store {
  /// By name. The built-in `sandbox` is not among them unless something was kept for it.
  package func profiles() throws(StoreError) -> [Profile] { try readProfiles(named: nil) }

  package func profile(_ name: String) throws(StoreError) -> Profile? { try readProfiles(named: name).first }

  /// Makes the profile or merges the settings into the one there is; an empty value removes a setting.
  ///
  /// - Parameters:
  ///   - secrets: credentials that are kept with it, or not at all; a user token is that of the profile's user.
  ///   - uses: whether it is the one to use from now on.
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

  /// With its credentials, tracked connections and cache. False if there was none.
  package func removeProfile(_ name: String) throws(StoreError) -> Bool {
    var wasThere = false
    if try existing() != nil {
      wasThere = try write { database throws(StoreError) in
        try database.run("DELETE FROM choice WHERE name = 'profile' AND value = ?", .text(name))
        return try database.run("DELETE FROM profile WHERE name = ?", .text(name)) > 0
      }
    }
    try forgetCache(of: name)
    return wasThere
  }

  /// The profile that `profile use` chose; nil before that.
  package func currentProfile() throws(StoreError) -> String? {
    try existing()?.text("SELECT value FROM choice WHERE name = 'profile'")
  }

  /// The profile need not have been saved: `sandbox` never is.
  package func useProfile(_ name: String) throws(StoreError) {
    try write { database throws(StoreError) in try database.use(name) }
  }

  private func readProfiles(named name: String?) throws(StoreError) -> [Profile] {
    guard let database = try existing() else { return [] }
    let statement = try database.prepare(
      """
      SELECT profile.name, profile_setting.name, value FROM profile
      LEFT JOIN profile_setting ON profile_setting.profile = profile.name
      \(name == nil ? "" : "WHERE profile.name = ?") ORDER BY profile.name
      """)
    if let name { try statement.bind([.text(name)]) }
    var profiles: [Profile] = []
    while try statement.step() {
      let name = statement.text(0)
      if profiles.last?.name != name { profiles.append(Profile(name: name)) }
      guard let setting = Profile.Setting(rawValue: statement.text(1)) else { continue }
      profiles[profiles.count - 1].settings[setting] = statement.text(2)
    }
    return profiles
  }
}

extension Database {
  /// What belongs to a profile refers to its row.
  func makeProfile(_ name: String) throws(StoreError) {
    try run("INSERT OR IGNORE INTO profile (name) VALUES (?)", .text(name))
  }

  /// An empty value removes a setting. The profile must be there.
  func set(_ settings: [Profile.Setting: String], of profile: String) throws(StoreError) {
    for (setting, value) in settings {
      if value.isEmpty {
        try run("DELETE FROM profile_setting WHERE profile = ? AND name = ?", .text(profile), .text(setting.rawValue))
      } else {
        try run(
          "INSERT OR REPLACE INTO profile_setting (profile, name, value) VALUES (?, ?, ?)", .text(profile),
          .text(setting.rawValue), .text(value))
      }
    }
  }

  fileprivate func user(of profile: String) throws(StoreError) -> String {
    try text(
      "SELECT value FROM profile_setting WHERE profile = ? AND name = ?", .text(profile),
      .text(Profile.Setting.userID.rawValue)) ?? ""
  }

  fileprivate func use(_ profile: String) throws(StoreError) {
    try run("INSERT OR REPLACE INTO choice (name, value) VALUES ('profile', ?)", .text(profile))
  }
}
