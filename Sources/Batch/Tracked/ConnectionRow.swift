package import CommandContext
import Connect
import Display
import JSON
package import Time
import World

extension OutputSchema {
  package static var connection: OutputSchema {
    var shape = connections.single
    shape.card = ConnectionCard.card
    return shape
  }

  package static var connections: OutputSchema {
    OutputSchema(
      one: ConnectionSchema.one, list: ConnectionSchema.list,
      columns: [
        Column("ID", "id", overflow: .keep),
        Column("NAME", "name"),
        Column("STATUS", "status", style: .status, overflow: .keep, notes: [Column.Note("pending", "pending")]),
        Column("SERVICES", "services.short_name", style: .dim),
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
/// A list of 100,000 rows is formatted here. If a timestamp has the same date as the previous one, only the time of
/// day is formatted again.
package struct ConnectionRow {
  private var bytes: [UInt8] = []
  /// The text after the document, from the previous row.
  private var end: [UInt8] = []
  private var kept: Kept?

  /// The contents of that text, except for the time of day.
  private struct Kept: Equatable {
    let tracked: Bool
    let stale: Bool
    let day: Int64
  }

  package mutating func complete(
    _ document: UnsafeRawBufferPointer, tracked: Bool, stale: Bool, fetchedAt: Timestamp,
    _ body: (UnsafeRawBufferPointer) throws -> Void
  ) rethrows {
    let (day, second) = (fetchedAt.milliseconds / 1000).quotientAndRemainder(dividingBy: 86_400)
    let wanted = Kept(tracked: tracked, stale: stale, day: day)
    if kept == wanted {
      end.withUnsafeMutableBufferPointer { end in
        let time = end.count - #"hh:mm:ssZ"}"#.utf8.count
        end.write(second / 3600, at: time)
        end.write(second / 60 % 60, at: time + 3)
        end.write(second % 60, at: time + 6)
      }
    } else {
      end = Array(#","tracked":\#(tracked),"stale":\#(stale),"fetched_at":"\#(fetchedAt.rfc3339)"}"#.utf8)
      kept = wanted
    }
    bytes.removeAll(keepingCapacity: true)
    bytes.append(contentsOf: document)
    bytes.append(contentsOf: end)
    try bytes.withUnsafeBytes(body)
  }

  package static func complete(_ document: [UInt8], tracked: Bool, stale: Bool, fetchedAt: Timestamp) -> [UInt8] {
    var row = ConnectionRow()
    document.withUnsafeBytes { row.complete($0, tracked: tracked, stale: stale, fetchedAt: fetchedAt) { _ in } }
    return row.bytes
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
