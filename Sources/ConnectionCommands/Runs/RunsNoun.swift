package import CommandContext
import Arguments

extension Node {
  package static var runs: Node {
    .group("runs", summary: "Combine the reports of several runs", heading: "Setup") {
      [.verb(RunsMerge.self)]
    }
  }
}
