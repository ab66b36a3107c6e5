/// The rules of a ``Fence``. The defaults are the behavior described in the reference (location.md, section 4).
package struct FenceRules: Sendable, Equatable {
  /// The maximum number of regions monitored at once, nearest first; nil for no limit. iOS monitors 20.
  package var limit: Int?
  /// The largest accepted accuracy radius, in meters. Positions with a larger radius are skipped; positions without
  /// an accuracy are accepted.
  package var minimumAccuracy: Double?
  /// The hysteresis, in meters: a region is exited only when the distance reaches the radius plus this value.
  package var hysteresis: Double
  /// The dwell time: how long a track must stay inside or outside before a transition counts.
  package var dwell: Duration
  /// Whether being inside at the first position counts as an entry.
  package var reportsInitial: Bool

  package init(
    limit: Int? = nil, minimumAccuracy: Double? = nil, hysteresis: Double = 0, dwell: Duration = .zero,
    reportsInitial: Bool = false
  ) {
    (self.limit, self.minimumAccuracy, self.hysteresis) = (limit, minimumAccuracy, hysteresis)
    (self.dwell, self.reportsInitial) = (dwell, reportsInitial)
  }

  /// Whether positions without a time are skipped. A command should reject a track without times before it starts.
  package var needsTimes: Bool { dwell > .zero }
}
