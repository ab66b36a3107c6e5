import Changes
import CommandLine
import IFTTT
import JSON
import Output
package import Session
import Store
import Text
import World

extension OutputSchema {
  /// The rows of one run in the history.
  package static func historyChanges(ofUsers: Bool) -> OutputSchema {
    OutputSchema.many(HistoryChange.self).changingColumns { columns in
      columns = Column.ofStates(ofUsers: ofUsers) + [Column("CHANGED", "changed"), Column("ERROR", "error.message")]
    }
  }
}

enum ConnectionsHistory: Command {
  struct Options: CommandOptions {
    var run: Int?
  }

  static let name = "history"
  static let summary = "List the runs that changed something"
  static var discussion: [String] {
    [
      """
      Lists the runs of this profile that changed connections or Applets, newest first. Runs that ended before their \
      first change are included. With RUN, prints what a run changed. 'connections undo RUN' reverts a run. The last \
      100 runs are kept.
      """,
      "An undo or redo is listed with the number of the run that it reverted or repeated.",
    ]
  }
  static var flags: [Flag<Options>] { [] }
  static var positionals: [Positional<Options>] {
    [.optional(.integer(in: 1...Int.max, placeholder: "RUN"), into: \.run, help: "The number of a run")]
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("connections history 1", "print what a run changed"),
      ExampleSchema("connections history --json", "print all runs as JSON"),
    ]
  }
  static var shape: OutputSchema? {
    var shape = OutputSchema.many(HistoryRow.self)
    shape.alternative = { .historyChanges(ofUsers: false) }
    return shape
  }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let (store, profile) = (try session.store, try session.profile.name)
    let journals = BatchJournal(session: session)
    guard let number = options.run else {
      let entries = try JournalStore(store).history(profile: profile)
      if entries.isEmpty { session.console.noteEmpty("Nothing was changed yet.") }
      return .rows(try entries.map { HistoryRow($0, isAlive: try journals.isAlive($0.run)) })
    }
    session.noteRowCount(number, is: "run", option: "limit")
    guard let run = try JournalStore(store).run(Int64(number)), run.profile == profile else {
      throw Problem(
        .notFound, "no run \(number)", hint: "See the runs: \(ifttt: "connections history").")
    }
    var definitions: [String: Connection?] = [:]
    let changes = try JournalStore(store).items(of: run.number).map { item in
      if definitions[item.id] == nil {
        definitions[item.id] = .some(try store.cached(item.id, profile: profile)?.connection)
      }
      return HistoryChange(item, definitions[item.id] ?? nil)
    }
    // The table has no column for settings, as in a dry run. The users of a file are too many for notes.
    if session.options.printsText, !run.isOverUsers {
      for change in changes where !change.difference.isEmpty {
        session.console.note(Hint("\(change.item.id): \(change.difference.joined(separator: ", "))"))
      }
    }
    return .rows(changes.map(\.bytes), as: .historyChanges(ofUsers: run.isOverUsers))
  }
}

/// A run in the history.
struct HistoryRow: OutputRecord {
  enum Outcome: String, CaseIterable, OutputValue { case done, partial, interrupted, undone, running }

  let entry: HistoryEntry
  let outcome: Outcome

  init(_ entry: HistoryEntry, isAlive: Bool) {
    self.entry = entry
    let finished: Outcome = entry.failed > 0 ? .partial : .done
    outcome =
      if entry.run.undoneBy != nil { .undone } else {
        switch entry.run.state {
        case .running where isAlive: .running
        // Killed after all results were recorded. A run over users counts as interrupted, because its journal does not
        // have the users that it did not reach.
        case .running: entry.left == 0 && !entry.run.isOverUsers ? finished : .interrupted
        case .interrupted: .interrupted
        case .failed: .partial
        case .done: finished
        }
      }
  }

  static let fields: Fields = [
    Field(
      "number", "The number of the run; for an undo or a redo, that of the run that it is about", column: "RUN",
      overflow: .keep
    ) {
      Int($0.entry.run.undoes ?? $0.entry.run.number)
    },
    Field("time", "When it began, or was resumed", column: "TIME", style: .past, overflow: .keep) {
      $0.entry.run.begunAt
    },
    Field("command", "The command line, without secrets", column: "COMMAND") { $0.entry.run.commandLine },
    Field("subjects", "The number of connections and Applets", column: "SUBJECTS", isInDataOnly: true) {
      $0.entry.subjects
    },
    Field("changed", "The number of those that it changed", column: "CHANGED") { $0.entry.changed },
    Field("failed", "The number of those that failed", column: "FAILED", isInDataOnly: true) { $0.entry.failed },
    Field("outcome", "How it ended", column: "OUTCOME") { $0.outcome },
  ]
}

/// The change that a run made to one subject.
final class HistoryChange: OutputRecord {
  let item: JournalItem
  let subject: Subject?

  /// The connection as last fetched, which names the settings; nil if it is not cached.
  let connection: Connection?

  init(_ item: JournalItem, _ connection: Connection?) {
    (self.item, subject, self.connection) = (item, Subject(item), connection)
  }

  static let fields: Fields = [
    Field("id", "The id of the connection or Applet") { $0.subject?.name ?? $0.item.id },
    Field("provider", "The provider plugin; null for IFTTT") { $0.subject?.plugin },
    Field("user_id", "The user's id on your service; null for the profile's own user") {
      $0.item.userID
    },
    Field("before", "The state before the run; null if it is unknown") { change in
      change.item.recordedBefore.map { StateRow($0, of: change.connection) }
    },
    Field("after", "The state after the run; null if it is unknown") { change in
      change.item.recordedAfter.map { StateRow($0, of: change.connection) }
    },
    Field("changed", "Whether the run changed it") { $0.item.isChanged },
    Field("error", "Why the change failed; null if it succeeded") {
      $0.item.error.flatMap { try? JSONValue(parsing: Array($0.utf8)) } ?? .null
    },
  ]

  /// The fields whose values differ, with the values before and after.
  var difference: [String] {
    // A state without a configuration leaves the fields open.
    guard let old = item.recordedBefore, let new = item.recordedAfter, old.configuration != nil,
      new.configuration != nil
    else { return [] }
    let (before, after) = (StateRow(old, of: connection).settings, StateRow(new, of: connection).settings)
    let names = (before + after).map(\.key).uniqued()
    return names.compactMap { name in
      let (old, new) = (before.first { $0.key == name }?.value, after.first { $0.key == name }?.value)
      return old == new ? nil : "\(name): \(old ?? "none") → \(new ?? "none")"
    }
  }
}
