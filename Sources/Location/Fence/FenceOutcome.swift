/// The result of evaluating a position.
package enum FenceOutcome: Sendable, Equatable {
  /// The position was used. The transitions are in order of time; those of the same moment are in the order of the
  /// regions.
  case used(crossings: [Transition])
  case skipped(SkippedPosition)

  package var crossings: [Transition] { if case .used(let crossings) = self { crossings } else { [] } }
}

/// The reason a position was skipped.
package enum SkippedPosition: Sendable, Equatable, CaseIterable {
  /// The position's time is before that of the last position used.
  case outOfOrder
  /// For every region, a later position is already stored, from an earlier run or from a concurrent one.
  case beforeRemembered
  /// The position is less accurate than ``FenceRules/minimumAccuracy``.
  case inaccurate
  /// The position has no time, and the rules require one.
  case withoutTime
  /// The accuracy is negative or not a number, which is how phones mark an invalid position.
  case invalid
}

/// The number of positions a ``Fence`` received, by outcome.
package struct FenceCounts: Sendable, Equatable {
  package var used: Int
  package var outOfOrder: Int
  package var beforeRemembered = 0
  package var inaccurate: Int
  package var withoutTime: Int
  package var invalid: Int

  package init(used: Int = 0, outOfOrder: Int = 0, inaccurate: Int = 0, withoutTime: Int = 0, invalid: Int = 0) {
    (self.used, self.outOfOrder, self.inaccurate) = (used, outOfOrder, inaccurate)
    (self.withoutTime, self.invalid) = (withoutTime, invalid)
  }

  package var skipped: Int { outOfOrder + beforeRemembered + inaccurate + withoutTime + invalid }

  mutating func count(_ reason: SkippedPosition) {
    switch reason {
    case .outOfOrder: outOfOrder += 1
    case .beforeRemembered: beforeRemembered += 1
    case .inaccurate: inaccurate += 1
    case .withoutTime: withoutTime += 1
    case .invalid: invalid += 1
    }
  }
}
