import Location
import Session
import Store
import Text

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
      try console.confirm("Report entries and exits of the regions of \(names) to IFTTT from now on?")
    } catch var problem as Problem where [.refused, .confirmationRequired].contains(problem.code) {
      found.withoutConsent = seen
      guard found.wanted.isEmpty else {
        for id in open {
          console.note(
            "Location reporting is not enabled for connection \(id); its regions are skipped. To enable it: \(ifttt: "location on \(id)")"
          )
        }
        return
      }
      problem.hint = "Run \(ifttt: "location on \(each: open)"), pass --yes, or pass --dry-run to send nothing."
      throw problem
    }
    for id in open { _ = try store.setLocation(true, of: id, profile: profile.name) }
  }
}
