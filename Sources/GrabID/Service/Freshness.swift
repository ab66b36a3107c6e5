import HTTP

/// The time for which a response may be cached: its `max-age`, within bounds.
enum Freshness {
  static let least = Duration.seconds(300)
  static let most = Duration.seconds(86_400)

  static func lifetime(of response: Response) -> Duration {
    let directives = (response.header("Cache-Control") ?? "").lowercased().split(separator: ",")
    for directive in directives {
      let halves = directive.split(separator: "=", maxSplits: 1).map { $0.filter { $0 != " " && $0 != "\"" } }
      if halves.count == 2, halves[0] == "max-age", let seconds = Int64(halves[1]) {
        return min(max(.seconds(min(seconds, 1 << 40)), least), most)
      }
    }
    return least
  }
}
