import Foundation
import JSON
import ProgramDriver
import Support
import Testing

@testable import Session

/// Every short sequence of undos and redos, compared with the model: own connections, and those of IFTTT, of a plugin
/// and Applets together.
@Suite struct UndoModelTests {
  /// The command lines of the three runs.
  enum Scene: String, CaseIterable, Sendable {
    case connections, mixed

    var lines: [String] {
      switch self {
      // The second run touches a subject of each other run.
      case .connections:
        ["connections disable aa bb", "connections enable bb cc", "connections disable cc dd"]
      // The third one shares nothing with the second one.
      case .mixed:
        ["connections disable aa lamps:l1", "applets disable pa pb", "connections enable lamps:l1 cc"]
      }
    }

    var start: [String: String] {
      switch self {
      case .connections: ["u1 aa": "enabled", "u1 bb": "enabled", "u1 cc": "disabled", "u1 dd": "enabled"]
      case .mixed:
        [
          "u1 aa": "enabled", "u1 cc": "disabled", "lamps:l1": "enabled", "u1 pa": "enabled", "u1 pb": "enabled",
        ]
      }
    }
  }

  static let operations: [UndoModel.Operation] = [.undo, .redo, .undoRun(1), .undoRun(2), .undoRun(3)]

  /// One machine with its server after a sequence of operations, and what the model says about them.
  private struct State {
    let home: Home
    let server: ChangeServer
    var model: UndoModel
    var sequence: [UndoModel.Operation] = []

    /// A copy of the machine, on which another operation follows.
    func copy(_ scene: Scene) throws -> State {
      let folder = TemporaryFolder()
      for name in home.folder.names where !name.contains("/") {
        try FileManager.default.copyItem(atPath: home.folder[name], toPath: folder[name])
      }
      let (home, server) = UndoModelTests.machine(scene, folder)
      (home.now, server.states) = (self.home.now, self.server.states)
      return State(home: home, server: server, model: model, sequence: sequence)
    }
  }

  private static func machine(_ scene: Scene, _ folder: TemporaryFolder) -> (Home, ChangeServer) {
    let (home, server) = (Home(folder), ChangeServer())
    home.environment = [
      "IFTTT_USER_TOKEN": ChangeServer.token(of: "u1"), "IFTTT_SERVICE_KEY": ChangeServer.serviceKey,
      "IFTTT_USER_ID": "u1", "IFTTT_SERVICE": "lampost",
    ]
    home.network = { server.transport(clock: $0) }
    server.unexpected = { Issue.record("the server received \($0)") }
    if scene == .mixed { FakeProvider.install([server.plugin()], in: home) }
    return (home, server)
  }

  /// All sequences of up to four operations.
  @Test(arguments: Scene.allCases, operations.indices)
  func everySequenceFollowsTheModel(_ scene: Scene, _ first: Int) throws {
    let (home, server) = Self.machine(scene, TemporaryFolder())
    for (subject, status) in scene.start { server.states[subject] = ChangeServer.State(status) }
    var runs: [UndoModel.Run] = []
    for line in scene.lines {
      let before = server.states.mapValues(\.status)
      let outcome = home.run(line)
      try #require(outcome.exit == .success, "\(outcome.errors)")
      let after = server.states.mapValues(\.status).filter { $0.value != before[$0.key] }
      runs.append(UndoModel.Run(before: before.filter { after[$0.key] != nil }, after: after))
    }
    try #require(runs.allSatisfy { $0.after.count == 2 })
    let state = State(home: home, server: server, model: UndoModel(runs, server.states.mapValues(\.status)))
    try explore(scene, state, [Self.operations[first]], depth: 4)
  }

  private func explore(
    _ scene: Scene, _ state: State, _ operations: [UndoModel.Operation], depth: Int
  ) throws {
    guard depth > 0 else { return }
    for operation in operations {
      var next = try state.copy(scene)
      next.sequence.append(operation)
      guard try agrees(&next, operation) else { continue }
      try explore(scene, next, Self.operations, depth: depth - 1)
    }
  }

  /// Executes an operation, and compares the exit status, the error, the server and the history with the model.
  private func agrees(_ state: inout State, _ operation: UndoModel.Operation) throws -> Bool {
    let expected = state.model.perform(operation)
    let outcome = state.home.run("connections \(operation) --jobs 1 -o json")
    let history = try ChangeStage.json(state.home.run("connections history --json").output)
    let code = outcome.exit == .success ? nil : try ChangeStage.error(outcome)["code"]?.string
    let outcomes = (1...3).map { number in
      history.last { $0["number"]?.text == "\(number)" }?["outcome"]?.string
    }
    let statuses = state.server.states.mapValues(\.status)
    let result = UndoModel.Result(exit: outcome.exit.rawValue, code: code)
    let isRight = result == expected && statuses == state.model.statuses && outcomes == state.model.outcomes
    #expect(
      isRight,
      """
      \(state.sequence): \(result), \(statuses), \(outcomes)
      the model: \(expected), \(state.model.statuses), \(state.model.outcomes)
      """)
    return isRight
  }
}
