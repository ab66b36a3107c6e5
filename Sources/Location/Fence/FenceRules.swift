/// How a ``Fence`` judges: without any of these as the reference describes it (location.md, section 4).
package struct FenceRules: Sendable, Equatable {
  /// How many regions are watched at once, the nearest ones; nil for all. iOS watches 20.
  package var limit: Int?
  /// A position whose source trusts it less, so that its accuracy is a larger number of metres, is skipped. One without
  /// an accuracy passes.
  package var minimumAccuracy: Double?
  /// In metres: a region is left only where the distance has reached its radius and this.
  package var hysteresis: Double
  /// How long a track must stay on a new side before that counts.
  package var dwell: Duration
  /// Whether being inside at first sight is an entry.
  package var reportsInitial: Bool

  package init(
    limit: Int? = nil, minimumAccuracy: Double? = nil, hysteresis: Double = 0, dwell: Duration = .zero,
    reportsInitial: Bool = false
  ) {
    (self.limit, self.minimumAccuracy, self.hysteresis) = (limit, minimumAccuracy, hysteresis)
    (self.dwell, self.reportsInitial) = (dwell, reportsInitial)
  }

  /// Whether positions without a time are of no use. A command should refuse a track that has none before it starts.
  package var needsTimes: Bool { dwell > .zero }
}
