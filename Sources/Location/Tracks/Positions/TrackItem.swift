/// What a track says next.
package enum TrackItem: Sendable, Equatable {
  case position(Position)
  /// A new track, route or segment begins: what lies between the positions before and after was not recorded.
  case segment
  /// Something that should be a position and is none. `line` counts from 1.
  case broken(reason: String, line: Int)
}

/// Why a track as a whole cannot be read, or not any further.
package struct TrackError: Error, Equatable, CustomStringConvertible {
  package let reason: String
  /// From 1; nil where no line is to blame.
  package let line: Int?
  /// In characters, from 1.
  package let column: Int?

  package init(reason: String, line: Int? = nil, column: Int? = nil) {
    (self.reason, self.line, self.column) = (reason, line, column)
  }

  package var description: String {
    guard let line else { return reason }
    return column.map { "\(reason) (line \(line), column \($0))" } ?? "\(reason) (line \(line))"
  }
}

/// The reader of one format.
protocol FormatReader: AnyObject {
  func read(_ bytes: UnsafeRawBufferPointer, into found: inout [TrackItem]) throws(TrackError)
  func finish(into found: inout [TrackItem]) throws(TrackError)
  var leftOut: Int { get }
}
