extension Migration {
  /// Whose a location event is, by the fingerprint of the user token it was recorded under: another user of the same
  /// profile must not send it. Nobody knows of those recorded before.
  static let locationEventOwners = Migration(
    name: "location event owners", sql: "ALTER TABLE location_event ADD COLUMN owner TEXT")
}
