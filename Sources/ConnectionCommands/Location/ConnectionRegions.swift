import IFTTT
import JSON
import Location
import Session
import Store
import Text

/// The regions of the enabled connections, and the user's choices about them.
struct ConnectionRegions {
  var regions: [Region] = []
  var problems: [RegionError] = []
  /// The names of the connections by id.
  var names: [String: String] = [:]
  var choices: [String: LocationChoice] = [:]
  /// The ids of connections whose locations must not be sent to IFTTT in this run.
  var withoutConsent: Set<String> = []
  /// Throws if a connection could not be fetched and the result depends on it.
  var verdict: () throws -> Void = {}

  /// The regions of connections that have consent and whose location reporting is not disabled.
  var monitored: [Region] {
    regions.filter { choices[$0.connection]?.isOn != false && !withoutConsent.contains($0.connection) }
  }

  /// Notes on the connections whose location reporting is disabled.
  var skipNotes: [String] {
    Set(regions.map(\.connection)).sorted().filter { choices[$0]?.isOn == false }.map {
      "Location is off for connection \($0); its regions are skipped."
    }
  }
}

extension Session {
  /// The first of these connections whose cached status is not enabled.
  func firstDisabled(among ids: [ConnectionID]) throws -> ConnectionID? {
    let profile = try self.profile.name
    return try ids.first { id in
      try store.cached(id.description, profile: profile).map { $0.status != Connection.Status.enabled.rawValue }
        ?? false
    }
  }

  /// Refreshes stale connections and finds their regions.
  /// - Parameter named: The connections to use; if empty, all tracked connections.
  func watchedRegions(
    of named: [ConnectionID], _ credentials: CredentialOptions
  ) throws -> ConnectionRegions {
    let store = try store
    let profile = try self.profile.name
    try storage.trackSandboxOnce()
    let selected = Set(named.map(\.description))
    if let untracked = try named.first(where: { try !storage.isTracked($0.description) }) {
      throw Problem(
        .notFound, "connection '\(untracked)' is not tracked", hint: "Run: \(ifttt: "connections add \(untracked)")")
    }
    let credential = try self.credentials.locate(credentials)
    let identity = try credential.identity
    let stale = try (store.tracked(fetchedBefore: staleBefore(identity), profile: profile) + storage.plannedSandboxIDs)
      .filter { selected.isEmpty || selected.contains($0) }
    let refreshed: CacheRefresh.Outcome =
      try network.isOffline ? .skipped(!stale.isEmpty) : CacheRefresh(session: self, credential: credential).run(stale)
    if refreshed.wasInterrupted { throw Problem.interrupted }
    var found = ConnectionRegions(choices: try LocationQueue(store, profile: profile).choices())
    // The cached connections of another user would yield that user's regions.
    let isOwnCache = try store.belongs(to: identity, profile: profile)
    let enabled = Connection.Status.enabled.rawValue
    var ids = try isOwnCache ? store.tracked(withStatus: [enabled], profile: profile) : []
    // A dry run does not store the connections it fetches.
    ids = ids.filter { refreshed.fetchedInDryRun[$0].map { $0.status == enabled } ?? true }
    ids += refreshed.fetchedInDryRun.values.filter { $0.status == enabled && !ids.contains($0.id) }
      .sorted { ($0.name, $0.id) < ($1.name, $1.id) }.map(\.id)
    for id in ids where selected.isEmpty || selected.contains(id) {
      guard let cached = try refreshed.fetchedInDryRun[id] ?? store.cached(id, profile: profile),
        let json = try? JSONValue(parsing: cached.raw)
      else { continue }
      let reading = RegionReading.regions(of: json, id: id, besides: Set(found.regions.map(\.id)))
      found.names[id] = cached.name
      found.regions += reading.regions
      found.problems += reading.problems
    }
    let isStrict = options.maxAge == .zero || !isOwnCache && refreshed.fetchedInDryRun.isEmpty
    found.verdict = { [unowned self] in try refreshed.evaluate(isStrict: isStrict, in: self) }
    for problem in found.problems { console.note(Hint(problem.description)) }
    return found
  }
}

extension RegionError {
  /// A note to the user: which region is skipped, and why.
  fileprivate var description: String {
    let parts = [feature.map { "feature \($0)" }, trigger.map { "trigger \($0)" }].compactMap { $0 }
    let source = (["connection \(connection)"] + parts).joined(separator: ", ")
    return "Cannot monitor a region of \(source): \(reason)."
  }
}

extension Session {
  /// Prompts for consent to report locations of the connections for which the user has not decided yet. Connections
  /// without consent are skipped with a note.
  /// - Throws: `refused` or `confirmation_required` if no region remains.
  func consent(to found: inout ConnectionRegions) throws {
    let undecided = found.monitored.map(\.connection).filter { found.choices[$0] == nil }.uniqued()
    guard !undecided.isEmpty else { return }
    let names = undecided.map { "\(found.names[$0] ?? $0) (\($0))" }.joined(separator: ", ")
    do {
      try console.confirm("Report entries and exits of the regions of \(names) to IFTTT from now on?")
    } catch var problem as Problem where [.refused, .confirmationRequired].contains(problem.code) {
      found.withoutConsent = Set(undecided)
      guard found.monitored.isEmpty else {
        for id in undecided {
          console.note(
            "Location reporting is not enabled for connection \(id); its regions are skipped. To enable it: \(ifttt: "location on \(id)")"
          )
        }
        return
      }
      problem.hint = "Run \(ifttt: "location on \(each: undecided)"), pass --yes, or pass --dry-run to send nothing."
      throw problem
    }
    for id in undecided { _ = try LocationQueue(store, profile: profile.name).setReporting(true, of: id) }
  }
}
