import Foundation
import HTTP
import ProgramDriver
import Store
import Support
import Testing
import Text
import World

@testable import Session

/// Faults between obtaining a token, from an exchange or a redirect, and saving it. After a fault at any step, the
/// token is in the store or in a file that the error names.
@Suite struct TokenFaultTests {
  private static let token = TokenExchangeTests.token

  /// The location of a stored token; nil if it is lost.
  private func location(of token: String, in home: Home) -> String? {
    let store = Store(directories: AppDirectories(all: home.folder.path), world: .live())
    for kind in [CredentialKind.userToken, .returnedToken] {
      let stored = try? store.credential(kind, userID: "u-1", profile: "default")
      if stored?.revealed == token { return kind.rawValue }
    }
    return home.folder.names.first { $0.contains("recovered-") && home.folder.text($0) == token + "\n" }
  }

  // MARK: token exchange

  @Test(arguments: ["", " --print", " --api v1 --service lampost --json"])
  func anInterruptionOfAnExchangeLosesNoToken(_ options: String) {
    var answered = 0
    for moment in 0..<60 {
      let home = TokenExchangeTests.home()
      home.prepare = { $0.interruption.interrupt(afterChecks: moment) }
      let server = Server().answering(200, TokenExchangeTests.answer)
      let run = home.run("token exchange --user-id u-1\(options)", answers: server, reveals: true)
      server.forget()
      if server.hasAnsweredAll { answered += 1 }
      #expect((location(of: Self.token, in: home) != nil) == server.hasAnsweredAll, "\(moment): \(run.errors)")
    }
    #expect((1..<60).contains(answered), "some runs are interrupted before the exchange, others after it")
  }

  /// A change to the store while the exchange is in flight.
  private enum Mishap: CaseIterable {
    case storeRemoved, folderMoved, folderTaken, keyRemoved
  }

  private func happens(_ mishap: Mishap, to home: Home) {
    let files = FileManager.default
    switch mishap {
    case .storeRemoved:
      for name in ["ifttt.db", "ifttt.db-wal", "ifttt.db-shm"] { try? files.removeItem(atPath: home.folder[name]) }
    case .folderMoved: try? files.moveItem(atPath: home.folder["data"], toPath: home.folder["elsewhere"])
    case .folderTaken:
      try? files.moveItem(atPath: home.folder["data"], toPath: home.folder["elsewhere"])
      home.folder.write("data", "a file in its place")
    case .keyRemoved: try? files.removeItem(atPath: home.folder["store.key"])
    }
  }

  @Test func faultsOfTheStoreDuringAnExchangeLoseNoToken() throws {
    for mishap in Mishap.allCases {
      let home = TokenExchangeTests.home()
      let isMoved = mishap == .folderMoved || mishap == .folderTaken
      if isMoved { home.environment["IFTTT_HOME"] = home.folder["data"] }
      home.environment["TMPDIR"] = home.folder["tmp"]
      let server = Server().answering(200, TokenExchangeTests.answer)
      var hasHappened = false
      server.whileWaiting = {
        guard !hasHappened else { return }
        hasHappened = true
        happens(mishap, to: home)
      }
      let run = home.run("token exchange --user-id u-1", answers: server)
      #expect(hasHappened)
      if mishap == .keyRemoved {
        #expect(run.exit == .success)
        continue
      }
      #expect(run.exit == .store, "\(mishap)")
      let file = try #require(location(of: Self.token, in: home), "\(mishap): \(run.errors)")
      #expect(run.errors.contains("it is in \(home.folder[file])"), "\(mishap): \(run.errors)")
      #expect(file.hasPrefix("tmp/") == (mishap == .folderTaken))
    }
  }

  @Test func theProfilesUserIsSavedOnlyWithTheToken() {
    let home = TokenExchangeTests.home()
    let server = Server().answering(401, Server.error("unauthorized", "no"))
    let refused = home.run("token exchange --user-id u-1", answers: server)
    #expect(refused.exit == .credentials)
    #expect(refused.notes.last?.contains("Check the user id and the access token") == true, "\(refused.errors)")
    #expect(refused.notes.last?.contains("token exchange") == false, "the same command would fail again")
    #expect(home.run("profile show --json --fields settings.user_id").output == #"{"settings.user_id":null}"# + "\n")
  }

  // MARK: connections activate

  private func activator(_ query: String = "next_step=complete&user_token=\(Activator.newToken)") -> Activator {
    let activator = Activator()
    activator.home.terminal = .none
    activator.home.environment["TMPDIR"] = activator.home.folder["tmp"]
    activator.returns(query)
    return activator
  }

  private func server() -> Server {
    Server().answering(200, Server.connection("aa", status: nil)).answering(204)
      .answering(200, #"{"user_login":"zoe"}"#).answering(200, Server.connection("aa"))
  }

  private let line = "connections activate aa --email z@mail.test --user-id u-1"

  @Test func anInterruptionOfAnActivationLosesNoToken() throws {
    var (redirected, finished) = (0, 0)
    for moment in 0..<80 {
      let activator = activator()
      let (prepare, comes) = (activator.home.prepare, activator.waits[0])
      activator.home.prepare = { world in
        prepare(world)
        world.interruption.interrupt(afterChecks: moment)
      }
      // Ctrl-C ends the wait even if the redirect arrives at the same moment.
      activator.waits = [
        { activator, limit in
          let awakening = comes(activator, limit)
          return activator.home.last?.interruption.isInterrupted == true ? .failure(.interrupted) : awakening
        }
      ]
      let server = server()
      let run = activator.home.run(line, answers: server)
      server.forget()
      guard activator.pages.map(\.status) == [200] else { continue }
      redirected += 1
      let location = location(of: Activator.newToken, in: activator.home)
      #expect(location != nil, "\(moment): \(run.errors)")
      if run.exit == .success { finished += 1 } else { #expect(run.exit == .interrupted, "\(moment): \(run.errors)") }
      if location == "returned_token" {
        #expect(run.errors.contains("The user token from the redirect was saved; run the command again to finish."))
        activator.home.prepare = prepare
        let next = Server().answering(200, #"{"user_login":"zoe"}"#).answering(200, Server.connection("aa"))
        #expect(activator.home.run(line, answers: next).exit == .success)
        #expect(self.location(of: Activator.newToken, in: activator.home) == "user_token")
      }
    }
    #expect(finished > 0 && redirected > finished, "some runs are interrupted after the redirect, others finish")
  }

  @Test func aRedirectAtTheDeadlineIsAccepted() {
    let activator = activator()
    let comes = activator.waits[0]
    activator.waits = [
      { activator, limit in
        _ = comes(activator, limit)
        activator.home.last?.clock.advance(by: limit)
        return .success(.timeUp)
      }
    ]
    let run = activator.home.run(line, answers: server())
    #expect(run.exit == .success, "\(run.errors)")
    #expect(location(of: Activator.newToken, in: activator.home) == "user_token")
  }

  @Test func aLockedStoreAtTheRedirectLosesNoToken() throws {
    let activator = activator()
    let comes = activator.waits[0]
    var writer: Database?
    activator.waits = [
      { activator, limit in
        let file = DatabaseFile(folder: activator.home.folder.path, schema: .store)
        writer = try? Database(path: file.path, as: file)
        try? writer?.execute("BEGIN IMMEDIATE")
        return comes(activator, limit)
      }
    ]
    let server = server()
    let run = activator.home.run(line, answers: server)
    server.forget()
    #expect(run.exit == .store)
    let file = try #require(location(of: Activator.newToken, in: activator.home))
    #expect(file.hasPrefix("recovered-returned_token-"))
    #expect(run.errors.contains(activator.home.folder[file]), "\(run.errors)")
    #expect(run.errors.contains("Waiting for another ifttt process that is using "), "\(run.errors)")
    try writer?.execute("ROLLBACK")
  }

  @Test func faultsOfTheStoreBeforeTheRedirectLoseNoToken() throws {
    for mishap in [Mishap.storeRemoved, .keyRemoved] {
      let activator = activator()
      let comes = activator.waits[0]
      activator.waits = [
        { activator, limit in
          happens(mishap, to: activator.home)
          return comes(activator, limit)
        }
      ]
      let server = server()
      let run = activator.home.run(line, answers: server)
      server.forget()
      let file = try #require(location(of: Activator.newToken, in: activator.home), "\(mishap): \(run.errors)")
      #expect(run.exit == .success || run.errors.contains(activator.home.folder[file]), "\(mishap): \(run.errors)")
    }
  }
}
