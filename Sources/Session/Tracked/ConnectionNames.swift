import CommandLine
package import IFTTT
import Store
import Text
import World

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
    let qualified = QualifiedConnectionID(id.description, provider: nil)
    guard qualified.provider == nil, let literalID = ConnectionID(parsing: qualified.id) else { return }
    let (argument, profile) = (qualified.id, try profile.name)
    try storage.trackSandboxOnce()
    guard try !store.isTracked(argument, profile: profile),
      try profileName.isSandbox || ProviderCache(store, profile: profile).providers(listing: argument).isEmpty
    else { return }
    // The sandbox's own connections have no cached names at first.
    if argument.includes(" "), try profileName.isSandbox, try !network.isOffline { try refreshNames() }
    let candidates = try store.tracked(matching: argument, profile: profile)
    guard let first = candidates.first else { return unresolvedNames.append(argument) }
    if let credentials, try !network.isOffline, try exists(literalID, credentials) { return }
    guard candidates.count == 1, let match = ConnectionID(parsing: first.id) else {
      throw Problem.ambiguous(argument, candidates)
    }
    console.note("'\(argument)' is connection \(first.description).")
    id = match
  }

  /// Fetches the tracked connections that were never fetched.
  private func refreshNames() throws {
    let credential = try credentials.locate(CredentialOptions())
    let never = try store.tracked(fetchedBefore: Timestamp(milliseconds: 1), profile: profile.name)
    if !never.isEmpty { _ = try CacheRefresh(session: self, credential: credential).run(never) }
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

  /// The problem with similar tracked connections in its hint, if it names an argument that matched none.
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
    return "Did you mean \(found.prefix(3).map(\.description).listed(with: "or"))?"
  }
}

extension Problem {
  /// The maximum number of candidates to list.
  private static let candidateLimit = 10

  fileprivate static func ambiguous(_ argument: String, _ candidates: [TrackedName]) -> Problem {
    let more = candidates.count - Self.candidateLimit
    return Problem(
      .usage, "'\(argument)' matches \(candidates.count) tracked connections",
      hint: "Pass more of the id, or one of these ids.",
      details: candidates.prefix(Self.candidateLimit).map { Detail(parameter: $0.id, message: $0.name) }
        + (more > 0 ? [Detail(parameter: nil, message: "and \(more) more")] : []))
  }
}
