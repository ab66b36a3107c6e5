extension Migration {
  /// The owner of each location event, as the fingerprint of the user token it was recorded under. Another user of
  /// the same profile must not send the event. The owner of earlier events is unknown.
  static let locationEventOwners = Migration(
    name: "location event owners", sql: "ALTER TABLE location_event ADD COLUMN owner TEXT")
}
