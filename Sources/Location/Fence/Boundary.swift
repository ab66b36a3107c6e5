/// The part of a monitored region that a ``Fence`` checks for every position. It is separate from the rest of the
/// region's state and holds no reference-counted or copied values, so one check costs a few nanoseconds.
struct Boundary {
  /// The circle to check: with hysteresis, it depends on whether the last state was inside.
  private let circle: Circle
  private let isInside: Bool
  /// Whether a position inside, or one outside, can change the region's state.
  private let isChangedByInside: Bool
  private let isChangedByOutside: Bool

  init(_ watch: MonitoredRegion) {
    isInside = watch.side == .inside
    circle = isInside ? watch.leaving : watch.entering
    isChangedByInside = watch.candidate != nil || !isInside
    isChangedByOutside = watch.candidate != nil || watch.side != .outside
  }

  /// The containment of a position, or nil if it changes nothing.
  /// - Parameter vector: The position's unit vector, computed when the first circle needs it.
  @inline(__always)
  func news(of place: Coordinate, _ vector: inout UnitVector?) -> Containment? {
    guard circle.mayContain(place) else { return isChangedByOutside ? .outside : nil }
    let made = vector ?? UnitVector(place)
    vector = made
    return circle.contains(place, made) ? (isChangedByInside ? .inside : nil) : (isChangedByOutside ? .outside : nil)
  }
}
