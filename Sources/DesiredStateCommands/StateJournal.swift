import Batch
import Connect
import DesiredState
import JSON
import Store

/// The journal of a run that gives connections their target states. Requests of a connection are sent only after the
/// disk records that they may have been sent, together with those of the next connections.
final class StateJournal {
  private let journal: Journal
  private var places: [ConnectionID: Int] = [:]
  /// The places of connections without a request so far, in their order.
  private var undeclared: [Int]
  private var declared: Set<Int> = []
  private var started: Set<Int> = []
  /// Connections whose state before the run was corrected after they were declared.
  private var corrected: Set<Int> = []

  /// - Parameter ids: the connections that have something to send, in their order.
  init(_ journal: Journal, sending ids: [ConnectionID]) {
    self.journal = journal
    for (place, item) in journal.items.enumerated() {
      if let id = ConnectionID(parsing: item.id) { places[id] = place }
    }
    undeclared = []
    undeclared = ids.compactMap { places[$0] }
  }

  /// Call it before each request that changes a connection.
  func send(_ id: ConnectionID) throws {
    guard let place = places[id] else { return }
    started.insert(place)
    guard !declared.contains(place) else {
      if corrected.remove(place) != nil { try journal.write() }
      return
    }
    let batch = [place] + undeclared.lazy.filter { $0 != place }.prefix(Journal.window - 1)
    undeclared.removeAll { batch.contains($0) }
    declared.formUnion(batch)
    try journal.declare(batch)
  }

  /// Corrects the state before the run, which the next request must not overtake.
  func correct(_ id: ConnectionID, before: RecordedState) throws {
    guard let place = places[id] else { return }
    try journal.note(place, journal.items[place].state, before: before.json.text)
    corrected.insert(place)
  }

  /// Records that nothing was changed.
  func fail(_ id: ConnectionID) throws {
    if let place = places[id] { try journal.note(place, .failed) }
  }

  func finish(_ id: ConnectionID, _ after: RecordedState) throws {
    guard let place = places[id] else { return }
    try journal.note(place, .done, before: journal.items[place].before ?? after.json.text, after: after.json.text)
  }

  /// Runs `body` and records the state of the run, whatever its outcome.
  func finishing(_ body: () throws -> Void) throws {
    try journal.finishing {
      let end = Result { try body() }
      // These were declared as sent, but their requests were never started.
      for place in declared.subtracting(started) where journal.items[place].state == .sent {
        try journal.note(place, .planned)
      }
      try end.get()
    }
  }
}
