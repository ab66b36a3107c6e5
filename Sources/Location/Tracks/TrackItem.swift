/// The next item of a track.
package enum TrackItem: Sendable, Equatable {
  case position(Position)
  /// The start of a track, route or segment. The path between the positions before and after it was not recorded.
  case segment
  /// An item that should be a position but is invalid. `line` counts from 1.
  case broken(reason: String, line: Int)
}

/// The reason a track cannot be read, or cannot be read any further.
package struct TrackError: Error, Equatable, CustomStringConvertible {
  package let reason: String
  /// The line, from 1; nil if the error has no line.
  package let line: Int?
  /// The column in characters, from 1.
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

extension FormatReader {
  var leftOut: Int { 0 }
}
