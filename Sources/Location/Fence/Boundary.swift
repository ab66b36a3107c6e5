/// What a ``Fence`` looks at for each position and region, kept apart from all else that is known of a region: with
/// nothing in it that must be counted or copied, looking costs a few nanoseconds.
struct Boundary {
  /// Which one depends on the side where there is hysteresis.
  private let circle: Circle
  private let isInside: Bool
  /// Whether a position inside, or one outside, may change what is known.
  private let isChangedByInside: Bool
  private let isChangedByOutside: Bool

  init(_ watch: MonitoredRegion) {
    isInside = watch.side == .inside
    circle = isInside ? watch.leaving : watch.entering
    isChangedByInside = watch.candidate != nil || !isInside
    isChangedByOutside = watch.candidate != nil || watch.side != .outside
  }

  /// The side on which a position is; nil where that is nothing new.
  /// - Parameter vector: of the position, made when the first circle needs it.
  @inline(__always)
  func news(of place: Coordinate, _ vector: inout UnitVector?) -> Containment? {
    guard circle.mayContain(place) else { return isChangedByOutside ? .outside : nil }
    let made = vector ?? UnitVector(place)
    vector = made
    return circle.contains(place, made) ? (isChangedByInside ? .inside : nil) : (isChangedByOutside ? .outside : nil)
  }
}
