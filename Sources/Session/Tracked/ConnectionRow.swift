import IFTTT
import JSON
import Output
package import World

extension OutputSchema {
  package static var connection: OutputSchema {
    var shape = connections.single
    shape.card = ConnectionCard.card
    return shape
  }

  package static var connections: OutputSchema {
    OutputSchema(
      one: ConnectionSchema.rows.one, list: ConnectionSchema.rows.list,
      columns: [
        Column("ID", "id", overflow: .keep),
        Column("NAME", "name"),
        Column("STATUS", "status", style: .status, overflow: .keep, notes: [Column.Note("pending", "pending")]),
        Column("SERVICES", "services.short_name", style: .dim),
        // A table shows it as a note on the status.
        Column("PENDING", "pending", isInDataOnly: true),
      ])
  }
}

extension OutputSchema {
  /// The same schema with a user column, which comes first: rows differ in their users before anything else.
  package var withUsers: OutputSchema {
    changingColumns { $0.insert(Column("USER", "user_id", overflow: .keep), at: 0) }
  }

  /// The same schema with a provider column, which comes last so that scripts find the other columns at their usual
  /// positions.
  package var withProviders: OutputSchema {
    changingColumns { $0.append(Column("PROVIDER", "provider", style: .dim, overflow: .keep)) }
  }
}

/// Joins a connection's document and its cached metadata only when the row is printed.
///
/// A list of 100,000 rows is formatted here. The text after the document mostly stays the same from row to row, or only
/// its time of day changes. Bytes are copied into a buffer that is kept: emptying an array and appending to it took 7 %
/// more instructions in such a list.
package struct ConnectionRow {
  private var buffer: [UInt8] = []
  /// The text after the document.
  private var end: [UInt8] = []
  /// What that text says.
  private var metadata: Metadata?

  private struct Metadata: Equatable {
    let tracked: Bool
    let stale: Bool
    /// When the connection was fetched, in whole seconds since 1970.
    let second: Int64

    /// Whether the text is the same except for the time of day.
    func isOfSameDay(as other: Metadata) -> Bool {
      tracked == other.tracked && stale == other.stale && second / 86_400 == other.second / 86_400
    }
  }

  package mutating func complete(
    _ document: UnsafeRawBufferPointer, tracked: Bool, stale: Bool, fetchedAt: Timestamp,
    _ body: (UnsafeRawBufferPointer) throws -> Void
  ) rethrows {
    let metadata = Metadata(tracked: tracked, stale: stale, second: fetchedAt.milliseconds / 1000)
    if metadata != self.metadata { write(metadata, fetchedAt) }
    let count = document.count + end.count
    if buffer.count < count { buffer = [UInt8](repeating: 0, count: 2 * count) }
    try buffer.withUnsafeMutableBytes { buffer in
      buffer.copyMemory(from: document)
      end.withUnsafeBytes { UnsafeMutableRawBufferPointer(rebasing: buffer[document.count...]).copyMemory(from: $0) }
      try body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
  }

  package static func complete(_ document: [UInt8], tracked: Bool, stale: Bool, fetchedAt: Timestamp) -> [UInt8] {
    var row = ConnectionRow()
    row.write(Metadata(tracked: tracked, stale: stale, second: fetchedAt.milliseconds / 1000), fetchedAt)
    return document + row.end
  }

  private mutating func write(_ metadata: Metadata, _ fetchedAt: Timestamp) {
    if let previous = self.metadata, metadata.isOfSameDay(as: previous) {
      end.withUnsafeMutableBufferPointer { end in
        let time = end.count - #"hh:mm:ssZ"}"#.utf8.count
        end.write(metadata.second % 86_400 / 3600, at: time)
        end.write(metadata.second / 60 % 60, at: time + 3)
        end.write(metadata.second % 60, at: time + 6)
      }
    } else {
      end = Array(
        #","tracked":\#(metadata.tracked),"stale":\#(metadata.stale),"fetched_at":"\#(fetchedAt.rfc3339)"}"#.utf8)
    }
    self.metadata = metadata
  }
}

extension UnsafeMutableBufferPointer<UInt8> {
  /// Writes two digits.
  fileprivate func write(_ number: Int64, at place: Int) {
    let tens = UInt8(truncatingIfNeeded: number / 10)
    self[place] = UInt8(ascii: "0") &+ tens
    self[place + 1] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number) &- tens &* 10
  }
}
