import Location
import Store

extension Session {
  /// Makes sure that IFTTT may be told of these connections' places, asking where nothing was said so far.
  /// - Throws: `refused` where the answer is no, or nobody can be asked.
  func consent(to found: WatchedRegions) throws {
    var seen: Set<String> = []
    let open = found.wanted.map(\.connection).filter { found.choices[$0] == nil && seen.insert($0).inserted }
    guard !open.isEmpty else { return }
    let names = open.map { "\(found.names[$0] ?? $0) (\($0))" }.joined(separator: ", ")
    do {
      try confirm("Tell IFTTT from now on when regions of \(names) are entered and left?")
    } catch var problem as Problem where problem.code == .refused {
      problem.hint =
        "Run: ifttt location on \(open.joined(separator: " ")); or say --yes, or --dry-run to send nothing."
      throw problem
    }
    for id in open { _ = try store.setLocation(true, of: id, profile: profile.name) }
  }
}
