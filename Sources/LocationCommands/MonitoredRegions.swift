import API
import Batch
import CommandContext
import Connect
import Hints
import JSON
import Location
import Store

/// The regions of the enabled connections, and what the user said of them.
struct MonitoredRegions {
  var regions: [Region] = []
  var problems: [RegionError] = []
  /// By the connection's id.
  var names: [String: String] = [:]
  var choices: [String: LocationChoice] = [:]
  /// Connections whose places IFTTT may not be told of in this run, by their ids.
  var withoutConsent: Set<String> = []
  /// Throws where a connection could not be read, as far as that matters.
  var verdict: () throws -> Void = {}

  /// Of the connections that are not switched off for location.
  var wanted: [Region] {
    regions.filter { choices[$0.connection]?.isOn != false && !withoutConsent.contains($0.connection) }
  }
}

extension MonitoredRegions {
  /// Which connections are switched off for location, in words.
  var leftOut: [String] {
    Set(regions.map(\.connection)).sorted().filter { choices[$0]?.isOn == false }.map {
      "Location is off for connection \($0); its regions are left out."
    }
  }
}

extension Session {
  /// Reads the connections again that are out of date, and finds the regions in them.
  /// - Parameter named: of which connections; without any, of all that are tracked.
  func watchedRegions(
    of named: [ConnectionID], _ credentials: CredentialOptions
  ) throws -> MonitoredRegions {
    let store = try store
    let profile = try self.profile.name
    try trackSandboxOnce()
    let chosen = Set(named.map(\.description))
    if let stray = try named.first(where: { try !isTracked($0.description) }) {
      throw Problem(
        .notFound, "connection '\(stray)' is not tracked", hint: "Run: \(ifttt: "connections add \(stray)")")
    }
    let asker = try asker(credentials)
    let old = try (store.tracked(fetchedBefore: staleBefore(asker), profile: profile) + plannedSandboxIDs)
      .filter { chosen.isEmpty || chosen.contains($0) }
    let refreshed: CacheRefresh.Outcome =
      try isCutOff ? .skipped(!old.isEmpty) : CacheRefresh(session: self, credentials: credentials).run(old)
    if refreshed.wasInterrupted { throw Problem.interrupted }
    var found = MonitoredRegions(choices: try store.locationChoices(profile: profile))
    // What another user was shown are another user's regions.
    let isOwn = try store.isSettled(on: asker, profile: profile)
    let enabled = Connection.Status.enabled.rawValue
    var ids = try isOwn ? store.tracked(withStatus: [enabled], profile: profile) : []
    // What a dry run has read is not in the store.
    ids = ids.filter { refreshed.read[$0].map { $0.status == enabled } ?? true }
    ids += refreshed.read.values.filter { $0.status == enabled && !ids.contains($0.id) }
      .sorted { ($0.name, $0.id) < ($1.name, $1.id) }.map(\.id)
    for id in ids where chosen.isEmpty || chosen.contains(id) {
      guard let cached = try refreshed.read[id] ?? store.cached(id, profile: profile),
        let json = try? JSONValue(parsing: cached.raw)
      else { continue }
      let reading = RegionReading.regions(of: json, id: id, besides: Set(found.regions.map(\.id)))
      found.names[id] = cached.name
      found.regions += reading.regions
      found.problems += reading.problems
    }
    let demand: FreshnessPolicy = options.maxAge == .zero || !isOwn && refreshed.read.isEmpty ? .fresh : .whatThereIs
    found.verdict = { [unowned self] in try demand.judge(refreshed, in: self) }
    for problem in found.problems { note(Hint(problem.words)) }
    return found
  }
}

extension RegionError {
  /// For the person: which region is left out, and why.
  fileprivate var words: String {
    let place = [feature.map { "feature \($0)" }, trigger.map { "trigger \($0)" }].compactMap { $0 }
    let words = (["connection \(connection)"] + place).joined(separator: ", ")
    return "A region of \(words) cannot be watched: \(reason)."
  }
}
