import CommandLine
package import IFTTT
import Store
import Text

// A connection can be named on the command line by its id. If no such id exists, the argument can be the prefix of a
// tracked connection's id or its exact name.

extension Session {
  /// Replaces each argument that is not an id with the id of the one tracked connection that it names.
  ///
  /// An id that is not tracked may exist at IFTTT, so it is fetched first if a tracked connection also matches.
  /// - Parameter credentials: used to check whether the id exists at IFTTT; nil for commands that apply only to tracked
  ///   connections.
  /// - Throws: `usage` if the argument matches several connections.
  package func resolve(_ ids: inout [ConnectionID], as credentials: CredentialOptions?) throws {
    for index in ids.indices { try resolve(&ids[index], as: credentials) }
  }

  package func resolve(_ id: inout ConnectionID, as credentials: CredentialOptions?) throws {
    let given = QualifiedConnectionID(id.description, provider: nil)
    guard given.provider == nil, let typed = ConnectionID(parsing: given.id) else { return }
    let (word, profile) = (given.id, try profile.name)
    try storage.trackSandboxOnce()
    guard try !store.isTracked(word, profile: profile),
      try profileName.isSandbox || ProviderCache(store, profile: profile).providers(listing: word).isEmpty
    else { return }
    let candidates = try store.tracked(matching: word, profile: profile)
    guard let first = candidates.first else { return unresolvedNames.append(word) }
    if let credentials, try !network.isOffline, try exists(typed, credentials) { return }
    guard candidates.count == 1, let meant = ConnectionID(parsing: first.id) else {
      throw Problem.ambiguous(word, candidates)
    }
    console.note("'\(word)' is connection \(first.description).")
    id = meant
  }

  /// Whether IFTTT has a connection with this id for these credentials.
  private func exists(_ id: ConnectionID, _ credentials: CredentialOptions) throws -> Bool {
    let client = try network.connect(self.credentials.locate(credentials))
    do throws(APIError) { _ = try client.show(id).send() } catch {
      let problem = Problem(error, subject: "connection '\(id)'")
      if problem.code == .notFound { return false }
      throw problem
    }
    return true
  }

  /// The problem, with a hint that starts with the tracked connections nearest to an argument in its message.
  package func suggesting(_ problem: Problem) -> Problem {
    let names = unresolvedNames.filter { name in
      problem.message.includes("'\(name)'")
        || problem.details.contains { $0.parameter == name || $0.message?.includes("'\(name)'") == true }
    }
    guard problem.code == .notFound || problem.code == .partial, !names.isEmpty,
      let tracked = try? store.trackedNames(profile: profile.name)
    else { return problem }
    let questions = names.prefix(3).compactMap { TrackedName.question(near: $0, among: tracked) }
    guard !questions.isEmpty else { return problem }
    var problem = problem
    problem.hint = Hint.joined(questions.map { Hint($0) } + [problem.hint].compactMap { $0 })
    return problem
  }
}

extension TrackedName {
  /// `Kd7Rn2Qx (Evening lamps)`.
  fileprivate var description: String { name.isEmpty ? id : "\(id) (\(name))" }

  /// A "Did you mean" question; nil if no name is near.
  fileprivate static func question(near word: String, among tracked: [TrackedName]) -> String? {
    let near = NearestNames.of(word, among: tracked.map(\.id) + tracked.map(\.name).filter { !$0.isEmpty })
    var found: [TrackedName] = []
    for name in near {
      found += tracked.filter { ($0.id == name || $0.name == name) && !found.contains($0) }
    }
    guard !found.isEmpty else { return nil }
    return "Did you mean \(Problem.list(found.prefix(3).map(\.description)))?"
  }
}

extension Problem {
  /// The maximum number of candidates to list.
  private static let candidates = 10

  fileprivate static func ambiguous(_ word: String, _ candidates: [TrackedName]) -> Problem {
    let more = candidates.count - Self.candidates
    return Problem(
      .usage, "'\(word)' matches \(candidates.count) tracked connections",
      hint: "Pass more of the id, or one of these ids.",
      details: candidates.prefix(Self.candidates).map { Detail(parameter: $0.id, message: $0.name) }
        + (more > 0 ? [Detail(parameter: nil, message: "and \(more) more")] : []))
  }
}
