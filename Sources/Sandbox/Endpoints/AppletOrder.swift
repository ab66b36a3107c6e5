/// The sort orders for Applets in the older API.
enum AppletOrder: String {
  case publishedAscending = "published_at_asc"
  case publishedDescending = "published_at_desc"
  case countAscending = "enabled_count_asc"
  case countDescending = "enabled_count_desc"
}

extension SandboxFixtures.Applet {
  /// Whether the Applet runs on a platform. An Applet that needs the other platform's phone does not; without a
  /// platform, neither does one that needs any phone.
  func runs(on platform: SandboxFixtures.Platform?) -> Bool {
    native.allSatisfy { platforms in platform.map(platforms.contains) ?? false }
  }
}

extension [SeededApplet] {
  /// Sort by time of publication, regardless of time zone and with unpublished Applets last, or by number of users.
  /// Equal elements keep the order of the catalog.
  mutating func sort(by order: AppletOrder, enabledCount: (SeededApplet) -> Int) {
    let ranked = enumerated().map { place, seeded in
      let published = seeded.applet.publishedAt.map { Int($0.secondsSince1970) }
      let rank =
        switch order {
        case .publishedAscending: published ?? .max
        case .publishedDescending: published.map(-) ?? .max
        case .countAscending: enabledCount(seeded)
        case .countDescending: -enabledCount(seeded)
        }
      return (rank: rank, place: place, seeded: seeded)
    }
    self = ranked.sorted { ($0.rank, $0.place) < ($1.rank, $1.place) }.map(\.seeded)
  }
}
