import Location
import World

/// Counts transitions of one region that follow each other faster than a person can walk, which indicates receiver
/// jitter.
struct JitterDetector {
  private var last: [String: (time: Timestamp, streak: Int)] = [:]
  private(set) var worst: (name: String, streak: Int)?

  /// The shortest streak that counts as jitter; turning around once at the boundary does not.
  private static let least = 3
  private static let pause = Duration.seconds(30)

  mutating func add(_ crossing: Transition) {
    guard let time = crossing.time else { return }
    let before = last[crossing.region.id]
    let isSoon = before.map { time - Self.pause <= $0.time } ?? false
    let streak = isSoon ? (before?.streak ?? 0) + 1 : 1
    last[crossing.region.id] = (time, streak)
    if streak >= Self.least, streak > worst?.streak ?? 0 { worst = (crossing.region.name, streak) }
  }

  var note: String? {
    worst.map { name, streak in
      """
      \(name): \(streak) events within \(Self.pause.components.seconds) s of each other; --hysteresis, --dwell and --min-accuracy \
      reduce jitter.
      """
    }
  }
}
