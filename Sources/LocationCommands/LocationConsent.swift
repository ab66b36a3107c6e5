import CommandContext
import Hints
import Location
import Store

extension Session {
  /// Checks that the locations of these connections may be sent to IFTTT, and prompts if that is undecided.
  /// Connections without consent or with location reporting disabled are skipped with a note.
  /// - Throws: `refused` if none is left.
  func consent(to found: inout MonitoredRegions) throws {
    var seen: Set<String> = []
    let open = found.wanted.map(\.connection).filter { found.choices[$0] == nil && seen.insert($0).inserted }
    guard !open.isEmpty else { return }
    let names = open.map { "\(found.names[$0] ?? $0) (\($0))" }.joined(separator: ", ")
    do {
      try confirm("Tell IFTTT from now on when regions of \(names) are entered and left?")
    } catch var problem as Problem where problem.code == .refused {
      found.withoutConsent = seen
      guard found.wanted.isEmpty else {
        for id in open {
          note(
            "Connection \(id) has no consent; its regions are left out. To include it: \(ifttt: "location on \(id)")")
        }
        return
      }
      problem.hint = "Run \(ifttt: "location on \(each: open)"); or say --yes, or --dry-run to send nothing."
      throw problem
    }
    for id in open { _ = try store.setLocation(true, of: id, profile: profile.name) }
  }
}
