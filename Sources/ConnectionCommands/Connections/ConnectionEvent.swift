import IFTTT
import JSON
import Output
import Session
import World

/// A change of one connection, or its state when the watch started.
struct ConnectionEvent: Sendable, Equatable {
  /// The kind of an event. If several things changed at once, it is the first of these that applies.
  enum Kind: String, Sendable, CaseIterable {
    /// The state when the watch started.
    case present
    /// The connection is now tracked or visible.
    case appeared
    /// The connection is no longer tracked, or no longer exists.
    case gone
    case status, pending, configuration, name
  }

  var id: ConnectionID
  var kind: Kind
  var before: WatchedConnection?
  var after: WatchedConnection?

  init(_ id: ConnectionID, _ kind: Kind, before: WatchedConnection?, after: WatchedConnection?) {
    (self.id, self.kind, self.before, self.after) = (id, kind, before, after)
  }

  /// Nil if nothing changed.
  init?(_ id: ConnectionID, from before: WatchedConnection, to after: WatchedConnection) {
    let kind: Kind? =
      if before.status != after.status {
        .status
      } else if before.isPending != after.isPending {
        .pending
      } else if !UserConnection.isSame(before.configuration, after.configuration) {
        .configuration
      } else if before.name != after.name { .name } else { nil }
    guard let kind else { return nil }
    self.init(id, kind, before: before, after: after)
  }

  var name: String { after?.name ?? before?.name ?? id.description }

  func row(at moment: Timestamp) -> [UInt8] {
    var writer = JSONWriter()
    func state(_ key: String, _ state: WatchedConnection?) {
      writer.key(key)
      if let state { state.write(to: &writer) } else { writer.null() }
    }
    writer.beginObject()
    writer.member("at", moment.rfc3339)
    writer.member("id", id.description)
    writer.member("name", name)
    writer.member("kind", kind.rawValue)
    state("before", before)
    state("after", after)
    writer.endObject()
    return writer.bytes
  }
}

extension OutputSchema {
  static var connectionEvents: OutputSchema {
    OutputSchema(
      one: ConnectionEventSchema.rows.one, list: ConnectionEventSchema.rows.list,
      columns: [
        Column("AT", "at"), Column("ID", "id", overflow: .keep), Column("NAME", "name"), Column("KIND", "kind"),
        Column("BEFORE", "before.status", style: .status, notes: [Column.Note("before.pending", "pending")]),
        Column("AFTER", "after.status", style: .status, notes: [Column.Note("after.pending", "pending")]),
        Column("PENDING_BEFORE", "before.pending", isInDataOnly: true),
        Column("PENDING_AFTER", "after.pending", isInDataOnly: true),
      ])
  }
}
