import Foundation
import Support
import Testing
import World

@testable import Location

struct FencePropertyTests {
  /// The fence reports the same events at the same positions as the naive fence, for every kind of track and all
  /// combinations of options.
  @Test(arguments: 0..<8)
  func agreesWithTheNaiveFence(block: UInt64) {
    var events = 0
    for seed in block * 300..<(block + 1) * 300 {
      let made = GeneratedTrack(seed: seed)
      var fence = Fence(made.regions, rules: made.rules)
      let reported = made.positions.map { position in
        fence.receive(position).events.map { NaiveFence.event($0.occurredAt, $0.kind, $0.region) }.sorted()
      }
      let expected = NaiveFence(regions: made.regions, rules: made.rules).events(made.positions)
      #expect(reported == expected, "seed \(seed)")
      events += reported.joined().count
    }
    // With fewer events, the test would prove nothing.
    #expect(events > 1200)
  }

  /// A fence that stops anywhere and continues from its stored state reports the same events.
  @Test func resumingReportsTheSameEvents() {
    for seed in 10_000..<10_200 as Range<UInt64> {
      var made = GeneratedTrack(seed: seed)
      (made.rules.dwell, made.rules.limit) = (.zero, nil)
      made.positions.removeAll { $0.time == nil }
      made.positions.sort { ($0.time?.milliseconds ?? 0) < ($1.time?.milliseconds ?? 0) }
      var whole = Fence(made.regions, rules: made.rules)
      let expected = made.positions.map { whole.receive($0).events }
      for stop in stride(from: 1, to: made.positions.count, by: 7) {
        var first = Fence(made.regions, rules: made.rules)
        var reported = made.positions[..<stop].map { first.receive($0).events }
        var second = Fence(made.regions, rules: made.rules, known: first.states)
        reported += made.positions[stop...].map { second.receive($0).events }
        #expect(reported == expected, "seed \(seed), stopped at \(stop)")
      }
    }
  }

  /// The fast checks never change the result of the haversine formula.
  @Test(arguments: 0..<4)
  func circlesAreExact(block: UInt64) {
    var generator = SeededGenerator(seed: 77 + block)
    var (inside, near) = (0, 0)
    for _ in 0..<1500 {
      let pole = Double.random(in: 89.99...90, using: &generator)
      let latitude = [Double.random(in: -90...90, using: &generator), pole, -pole, 90, -90, 0].randomElement(
        using: &generator)
      let longitude = [Double.random(in: -180...180, using: &generator), 180, -180, 179.9999].randomElement(
        using: &generator)
      let center = Coordinate(latitude ?? 0, longitude ?? 0)
      let radius = pow(10, Double.random(in: -3...7.31, using: &generator))
      let circle = Circle(center: center, radius: radius)
      for _ in 0..<40 {
        let error = ([1e-10, 1e-8, 1e-6, 1e-3, 0.1, 1] as [Double]).randomElement(using: &generator) ?? 1
        let distance = abs(radius + Double.random(in: -1...1, using: &generator) * error * radius)
        let coordinate = GeneratedTrack.destination(
          center, bearing: Double.random(in: 0...360, using: &generator), distance: min(distance, 20_015_000))
        let expected = coordinate.distance(to: center) < radius - min(1e-6, radius * 1e-6)
        #expect(circle.contains(coordinate) == expected, "\(coordinate) in \(radius) m around \(center)")
        inside += expected ? 1 : 0
        near += abs(coordinate.distance(to: center) - radius) < 0.001 ? 1 : 0
      }
    }
    #expect(inside > 15_000 && near > 5_000)
  }

  /// A position on the radius is outside, whichever formula the radius was computed with.
  @Test func theBoundaryIsOutsideWithAnyFormula() {
    for seed in 0..<5000 as Range<UInt64> {
      let made = GeneratedTrack(seed: seed).positions.prefix(2).map(\.coordinate)
      let distance = made[0].distance(to: made[1])
      // Near the antipode, only Vincenty's formula is accurate to a micrometer.
      guard distance > 0, distance < 1.9e7 else { continue }
      for radius in [distance, distance.nextDown, distance.nextUp, NaiveFence.distance(made[0], made[1])] {
        #expect(!Circle(center: made[1], radius: radius).contains(made[0]), "\(made), \(radius)")
      }
      #expect(Circle(center: made[1], radius: distance + 2e-6).contains(made[0]), "\(made), \(distance)")
    }
  }

  @Test func distancesMatchTheNaiveFormula() {
    for seed in 0..<1000 as Range<UInt64> {
      let made = GeneratedTrack(seed: seed)
      for position in made.positions.prefix(5) {
        for region in made.regions {
          let expected = NaiveFence.distance(region.center, position.coordinate)
          let distance = region.center.distance(to: position.coordinate)
          #expect(abs(distance - expected) < 1e-6 + expected * 1e-9, "seed \(seed)")
        }
      }
    }
  }
}
