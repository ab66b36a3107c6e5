/// The orders in which the older API lists Applets.
enum AppletOrder: String {
  case publishedAscending = "published_at_asc"
  case publishedDescending = "published_at_desc"
  case countAscending = "enabled_count_asc"
  case countDescending = "enabled_count_desc"
}

extension SandboxFixtures.Applet {
  /// Leaves out what needs the other platform's phone; without a platform, what needs any phone.
  func runs(on platform: SandboxFixtures.Platform?) -> Bool {
    native.allSatisfy { platforms in platform.map(platforms.contains) ?? false }
  }
}

extension [SeededApplet] {
  /// By moment of publication, whatever clock it was written by, the unpublished last; or by number of users. Equals
  /// stay in the order of the catalogue.
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
