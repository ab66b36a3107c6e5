/// What came of a position.
package enum FenceOutcome: Sendable, Equatable {
  /// It was used; in order of their times, regions at the same moment in the order they were given.
  case used(crossings: [Transition])
  case skipped(SkippedPosition)

  package var crossings: [Transition] { if case .used(let crossings) = self { crossings } else { [] } }
}

/// Why a position told nothing.
package enum SkippedPosition: Sendable, Equatable, CaseIterable {
  /// Its time is before that of the last one used.
  case outOfOrder
  /// A later position is remembered of all regions, from an earlier walk or from another one at the same time.
  case beforeRemembered
  /// Worse than ``FenceRules/minimumAccuracy``.
  case inaccurate
  /// It has no time, and the rules need one.
  case withoutTime
  /// Its accuracy is negative or no number, by which phones mark a position that is none.
  case invalid
}

/// How many positions a ``Fence`` was given, and what it did with them.
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
