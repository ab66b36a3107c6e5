import CommandLine
package import Session

// The verbs of `connections` that read and write its desired state.
extension Node {
  package static var connectionsExport: Node { .verb(ConnectionsExport.self) }
  package static var connectionsDiff: Node { .verb(ConnectionsDiff.self) }
  package static var connectionsApply: Node { .verb(ConnectionsApply.self) }
}
