import IFTTT
import JSON

/// A file of connections or a plan that is accepted names each connection once, repeats no key, and is the same when
/// it is written and read again. An error has a location and nothing that a terminal would interpret.
enum DesiredStateProperties {
  @Sendable static func connections(_ bytes: [UInt8]) -> String? {
    let file: ConnectionsFile
    do throws(DocumentError) { file = try ConnectionsFile(parsing: bytes) } catch { return problem(of: error) }
    if let problem = problem(of: file.connections) { return problem }
    guard let again = try? ConnectionsFile(parsing: file.json.indented) else {
      return "a file that cannot be read again"
    }
    guard again.json == file.json else { return "a file that changes" }
    let (ids, others) = (Set(file.connections.ids), Set(again.connections.ids))
    return ids == others ? nil : "other connections"
  }

  @Sendable static func plan(_ bytes: [UInt8]) -> String? {
    let plan: PlanFile
    do throws(DocumentError) { plan = try PlanFile(parsing: bytes) } catch { return problem(of: error) }
    if let problem = problem(of: DesiredConnections(plan.entries.lazy.map(\.wanted))) { return problem }
    guard let again = try? PlanFile(parsing: plan.json.indented) else { return "a plan that cannot be read again" }
    guard again.json == plan.json, again.allowsRemoval == plan.allowsRemoval else { return "a plan that changes" }
    // A value such as a location may be written in a longer form.
    return again.entries.map(\.present) == (try? PlanFile(parsing: again.json.bytes))?.entries.map(\.present)
      ? nil : "a plan for another state"
  }

  private static func problem(of connections: DesiredConnections) -> String? {
    guard Set(connections.ids).count == connections.count else { return "a connection that occurs twice" }
    for connection in connections {
      guard ConnectionID(parsing: connection.id.description) == connection.id else { return "an invalid id" }
      for feature in connection.features where Set(feature.fields.map(\.name)).count < feature.fields.count {
        return "a field that occurs twice"
      }
      let target = TargetState.entry(connection)
      guard let again = TargetState(target.json, at: connection.path) else {
        return "a target that the journal cannot read"
      }
      guard again.json == target.json else { return "a target that changes in the journal" }
    }
    return nil
  }

  /// The text is escaped where it is shown, but its size is limited here.
  private static func problem(of error: DocumentError) -> String? {
    error.message.isEmpty ? "an error without a message" : nil
  }
}
