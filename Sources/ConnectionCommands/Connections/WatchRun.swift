import HTTP
import IFTTT
import Session
import Store
import World

/// Executes a watch: polls, reports and pauses until the state machine ends it.
struct WatchRun {
  private let session: Session
  private let options: ConnectionsWatch.Options
  private let poller: Poller
  private let keeper: PollResultStore

  init(_ options: ConnectionsWatch.Options, _ poller: Poller, in session: Session) throws {
    (self.options, self.session, self.poller) = (options, session, poller)
    keeper = try PollResultStore(options.credentials, in: session)
  }

  /// - Throws: the problem that ended the watch, `interrupted` after Ctrl-C, and any error of `outlet`.
  func run(_ outlet: some WatchOutput) throws {
    let end = session.wholeTimeout.map { poller.now + $0 }
    let areNamed = !options.ids.isEmpty
    var watch = ConnectionWatch(
      try areNamed ? unique(options.ids) : keeper.tracked, areNamed: areNamed, count: options.count,
      PollSchedule(every: options.interval, until: end))
    if watch.ids.isEmpty { session.console.note(.nothingTracked) }
    while true {
      if !areNamed {
        for event in watch.follow(try keeper.tracked) { try outlet.receive(event) }
      }
      switch watch.next(at: poller.now, random: poller.random) {
      case .poll(let ids, let limit):
        try poll(at: ids, limit, &watch, outlet)
        try outlet.flush()
      case .report(let notice): try outlet.report(notice)
      case .pause(let duration): try pause(duration, outlet)
      case .end(.over): return
      case .end(.refused(let problem)): throw problem
      }
    }
  }

  private func poll(
    at ids: [ConnectionID], _ limit: Duration, _ watch: inout ConnectionWatch, _ outlet: some WatchOutput
  ) throws {
    let pending = try session.pendingConnections
    var changed: [CachedConnection] = []
    let places = Dictionary(uniqueKeysWithValues: ids.enumerated().map { ($0.element, $0.offset) })
    var order = ResultOrder<(id: ConnectionID, sight: PollResult<FetchedConnection>)>()
    func receive(_ id: ConnectionID, _ sight: PollResult<FetchedConnection>) throws {
      let event = watch.receive(
        sight.map { WatchedConnection($0.connection, isPending: pending.isPending($0.connection)) }, of: id)
      guard let event else { return }
      if case .seen(let answer) = sight { changed.append(try session.cached(answer)) }
      try outlet.receive(event)
    }
    let polling = Result {
      try poller.poll(at: ids, limit: limit) { id, sight in
        guard let place = places[id] else { return }
        for (id, sight) in order.end(place, [(id, sight)]) { try receive(id, sight) }
      }
    }
    // Ctrl-C ends a round before all of its results have arrived.
    if case .failure(HTTPError.interrupted) = polling {
      for (id, sight) in order.rest() { try receive(id, sight) }
    }
    // Cache only what changed: a watch need not rewrite the whole list every few seconds.
    try keeper.keep(changed)
    try polling.get()
  }

  private func pause(_ duration: Duration, _ outlet: some WatchOutput) throws {
    let end = poller.now + duration
    while poller.now < end {
      try outlet.idle()
      try poller.pause(min(outlet.patience, end - poller.now))
    }
  }

  private func unique(_ ids: [ConnectionID]) -> [ConnectionID] {
    var seen: Set<ConnectionID> = []
    return ids.filter { seen.insert($0).inserted }
  }
}
