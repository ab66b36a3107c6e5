import CommandLine
package import Session

extension Node {
  package static var runs: Node {
    .group("runs", summary: "Combine the reports of several runs", heading: "Setup") {
      [.verb(RunsMerge.self)]
    }
  }
}
