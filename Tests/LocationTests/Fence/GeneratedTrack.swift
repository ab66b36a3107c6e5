import Foundation
import Location
import Support
import World

/// Regions and a track across them, generated from a seed to cover all cases that are hard for a fence.
struct GeneratedTrack {
  var regions: [Region] = []
  var positions: [Position] = []
  var rules = FenceRules()
  private var generator: SeededGenerator

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
    makeRegions()
    makeRules()
    makePositions()
  }

  private mutating func number(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &generator) }
  private mutating func isOnce(in times: Int) -> Bool { Int.random(in: 0..<times, using: &generator) == 0 }

  /// An ordinary coordinate, or one at the antimeridian or at a pole.
  private mutating func anchor() -> Coordinate {
    switch Int.random(in: 0..<5, using: &generator) {
    case 0: Coordinate(number(-60...60), isOnce(in: 2) ? 180 : -180)
    case 1: Coordinate(90, number(-180...180))
    case 2: Coordinate(-90, 0)
    case 3: Coordinate(number(88...90) * (isOnce(in: 2) ? 1 : -1), number(-180...180))
    default: Coordinate(number(-75...75), number(-180...180))
    }
  }

  private mutating func coordinate(near anchor: Coordinate, within meters: Double) -> Coordinate {
    Self.destination(anchor, bearing: number(0...360), distance: number(0...meters))
  }

  private mutating func makeRegions() {
    let anchor = anchor()
    let scale = pow(10, number(2...6.5))
    for index in 0..<Int.random(in: 1...8, using: &generator) {
      let direction = Region.Direction.allCases.randomElement(using: &generator) ?? .both
      regions.append(
        .around(
          coordinate(near: anchor, within: scale * 2), radius: number(0.05...1) * scale, direction, id: "r\(index)"))
    }
  }

  private mutating func makeRules() {
    if isOnce(in: 2) { rules.hysteresis = number(0...0.3) * regions[0].radius }
    if isOnce(in: 2) { rules.dwell = .seconds(Int.random(in: 1...90, using: &generator)) }
    if isOnce(in: 3) { rules.limit = Int.random(in: 1...regions.count, using: &generator) }
    if isOnce(in: 3) { rules.minimumAccuracy = 40 }
    rules.reportsInitial = isOnce(in: 3)
  }

  private mutating func makePositions() {
    var time: Int64 = 1_000_000
    while positions.count < 60 {
      let region = regions.randomElement(using: &generator) ?? regions[0]
      // A distance near the boundary, near the center, or anywhere.
      let distance =
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: region.radius * number(0.9...1.1)
        case 1: region.radius + number(-1...1) * 0.001
        case 2: (region.radius + rules.hysteresis) * number(0.99...1.01)
        default: region.radius * number(0...4)
        }
      let coordinate = Self.destination(region.center, bearing: number(0...360), distance: distance)
      guard !isTooClose(coordinate) else { continue }
      time += Int64.random(in: isOnce(in: 12) ? -60...0 : 0...40, using: &generator)
      positions.append(
        Position(
          coordinate, at: isOnce(in: 15) ? nil : Timestamp(milliseconds: time * 1000),
          accuracy: isOnce(in: 2) ? number(0...60) : nil))
    }
  }

  /// Whether a coordinate is so close to a boundary, or so equally distant from two regions, that rounding decides.
  private func isTooClose(_ coordinate: Coordinate) -> Bool {
    let distances = regions.map { NaiveFence.distance($0.center, coordinate) }
    let isAtBorder = zip(regions, distances).contains { region, distance in
      [0, rules.hysteresis].contains { abs(distance - region.radius - $0) < 1e-5 }
    }
    let sorted = distances.sorted()
    return isAtBorder || rules.limit != nil && zip(sorted, sorted.dropFirst()).contains { $1 - $0 < 1e-3 }
  }

  static func destination(_ from: Coordinate, bearing: Double, distance: Double) -> Coordinate {
    let (angle, azimuth) = (distance / 6_371_008.8, bearing * .pi / 180)
    let (latitude, longitude) = (from.latitude * .pi / 180, from.longitude * .pi / 180)
    let rise = min(1, max(-1, sin(latitude) * cos(angle) + cos(latitude) * sin(angle) * cos(azimuth)))
    let east = atan2(sin(azimuth) * sin(angle) * cos(latitude), cos(angle) - sin(latitude) * rise)
    let degrees = (longitude + east) * 180 / .pi
    return Coordinate(asin(rise) * 180 / .pi, degrees > 180 ? degrees - 360 : degrees < -180 ? degrees + 360 : degrees)
  }
}
