import PluginProtocol
import Plugins
import Store
import World

/// Lists the connections of several providers at the same time. Each has its own time; one that fails or is slow takes
/// nothing from the others.
final class ProviderListing {
  private final class Source {
    let provider: InstalledProvider
    let talk: ProviderTalk
    var rows: [String: ProvidedRow] = [:]
    var isGreeted = false
    var isDone = false

    init(_ provider: InstalledProvider, _ talk: ProviderTalk) { (self.provider, self.talk) = (provider, talk) }
  }

  typealias Outcome = Result<[ProvidedRow], Problem>

  private let session: Session
  private var sources: [(place: Int, source: Source)] = []

  init(in session: Session) { self.session = session }

  /// - Parameter each: called with the place of each provider as soon as it has answered or failed.
  /// - Throws: what `each` throws, and ``Problem/interrupted`` once all were told to stop.
  func run(_ providers: [InstalledProvider], each: (Int, Outcome) throws -> Void) throws {
    defer { end() }
    for (place, provider) in providers.enumerated() {
      guard !session.world.interruption.isInterrupted else { throw Problem.interrupted }
      do {
        let talk = try ProviderTalk(starting: provider, isAttended: false, in: session)
        sources.append((place, Source(provider, talk)))
      } catch { try report(place, .failure(Problem(error)), to: each) }
    }
    var wasInterrupted = false
    while sources.contains(where: { !$0.source.isDone }) {
      var wasBusy = false
      for (place, source) in sources where !source.isDone {
        var outcome: Outcome?
        do { wasBusy = try advanceFar(source, &outcome) || wasBusy } catch { outcome = .failure(Problem(error)) }
        guard let outcome else { continue }
        (source.isDone, wasBusy) = (true, true)
        source.talk.process.leave()
        if case .failure(let problem) = outcome, problem.code == .interrupted {
          wasInterrupted = true
        } else {
          try report(place, outcome, to: each)
        }
      }
      if !wasBusy { wait() }
    }
    if wasInterrupted { throw Problem.interrupted }
  }

  private func report(_ place: Int, _ outcome: Outcome, to each: (Int, Outcome) throws -> Void) throws {
    if case .failure(let problem) = outcome, problem.code == .interrupted { throw problem }
    try each(place, outcome)
  }

  /// As far as it goes without waiting, so that the order of equally fast providers does not depend on how much each lists;
  /// but a provider that never stops must not hold up the others.
  private func advanceFar(_ source: Source, _ outcome: inout Outcome?) throws -> Bool {
    var steps = 0
    while outcome == nil, steps < 100, try advance(source, &outcome) { steps += 1 }
    return steps > 0
  }

  /// - Returns: whether there was anything to do.
  private func advance(_ source: Source, _ outcome: inout Outcome?) throws -> Bool {
    let process = source.talk.process
    let wasBusy: Bool
    do {
      wasBusy = try process.step(atMost: .zero) { item in
        let row = try session.row(item, by: source.provider)
        source.rows[row.id] = row
      }
    } catch let problem as Problem {
      // It sent something that is not a connection.
      try? process.cancel()
      throw problem
    }
    guard process.isSettled else { return wasBusy }
    guard source.isGreeted else {
      try source.talk.finishGreeting()
      source.isGreeted = true
      try source.talk.beginList()
      return true
    }
    do { _ = try process.result() } catch let failure as ConversationFailure { throw source.talk.problem(failure) }
    outcome = .success(Array(source.rows.values))
    return true
  }

  private func wait() {
    let processes = sources.map(\.source).filter { !$0.isDone }.map(\.talk.process)
    let now = session.world.clock.monotonic()
    let next = processes.compactMap(\.wakeTime).min() ?? now
    session.world.processes.wait(for: processes.map(\.program), atMost: max(.zero, next - now))
  }

  /// Ends all of them, also at the same time: each has its input closed and a moment to end.
  private func end() {
    let processes = sources.map(\.source.talk.process)
    for process in processes { process.leave() }
    let clock = session.world.clock
    let end = clock.monotonic() + Conversation.graceTime
    while processes.contains(where: { $0.isLeavingStill }), clock.monotonic() < end {
      var wasBusy = false
      for process in processes where process.isLeavingStill {
        wasBusy = (try? process.step(atMost: .zero)) == true || wasBusy
      }
      guard !wasBusy else { continue }
      session.world.processes.wait(
        for: processes.filter(\.isLeavingStill).map(\.program), atMost: max(.zero, end - clock.monotonic()))
    }
    for process in processes { process.close(hasWaited: true) }
  }
}
