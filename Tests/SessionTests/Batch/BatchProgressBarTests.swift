import Foundation
import ProgramDriver
import Support
import Testing
import World

@testable import Session

/// The progress bar of a batch: when it is drawn, how often, and that it leaves nothing behind.
@Suite struct BatchProgressBarTests {
  private static let ids = (0..<40).map { "c\($0)" }

  private static func home() -> Home {
    let home = Home()
    home.terminal = .interactive()
    home.environment["NO_COLOR"] = "1"
    return home
  }

  private func run(_ home: Home, _ words: String = "", failing: Int = 0, each step: Duration) -> Home.Outcome {
    var server = Server()
    for (index, id) in Self.ids.enumerated() {
      server = index < failing ? server.answering(404) : server.answering(200, Server.connection(id))
    }
    home.prepare = { world in server.whileWaiting = { world.clock.advance(by: step) } }
    return home.run("connections show \(Self.ids.joined(separator: " ")) --track -o csv \(words)", answers: server)
  }

  private func drawings(_ text: String) -> [String] {
    text.components(separatedBy: "\r").filter { $0.hasSuffix("\u{1b}[K") && $0.count > 3 }
  }

  @Test func updatesAtMostTenTimesPerSecondAndIsCleared() {
    let home = Self.home()
    let run = run(home, failing: 2, each: .milliseconds(50))
    let shown = drawings(run.errors)
    // Two seconds in total, and the final update.
    #expect(shown.count <= 22 && shown.count >= 19, "\(shown.count)")
    #expect(shown.last?.contains("40/40  2 failed  20/s") == true, "\(shown.last ?? "")")
    #expect(shown.contains { $0.contains("s left") })
    #expect(run.errors.contains("\r\u{1b}[Kifttt: 2 of 40 failed"))
  }

  @Test func adaptsToTheTerminalWidth() {
    let home = Self.home()
    var asked = 0
    home.adapt = { world in
      world.screenSize = { stream in
        guard stream == .errors else { return nil }
        asked += 1
        return ScreenSize(columns: asked < 5 ? 100 : 30, rows: 24)
      }
    }
    let shown = drawings(run(home, each: .milliseconds(200)).errors)
    #expect(shown.first.map { $0.count > 40 } == true)
    #expect(shown.dropFirst(5).allSatisfy { $0.dropLast(3).count < 30 })
    #expect(asked == shown.count)
  }

  @Test(arguments: ["CI", "TERM", "quiet", "pipe"]) func isHiddenWithoutAnInteractiveTerminal(_ why: String) {
    let home = Self.home()
    home.terminal = why == "pipe" ? .none : .interactive()
    if why == "CI" { home.environment["CI"] = "1" }
    if why == "TERM" { home.environment["TERM"] = "dumb" }
    #expect(run(home, why == "quiet" ? "-q" : "", each: .milliseconds(50)).errors == "")
  }

  @Test func ctrlCClearsTheLine() {
    let home = Self.home()
    let server = Server().answering(200, Server.connection("aa")).answering(200)
    home.prepare = { world in
      var waits = 0
      server.whileWaiting = {
        waits += 1
        if waits == 2 { world.interruption.interrupt() }
      }
    }
    let run = home.run("--jobs 1 connections show aa bb cc", answers: server)
    #expect(run.exit == .interrupted)
    #expect(run.errors.hasSuffix("\r\u{1b}[Kifttt: interrupted\n"), "\(run.errors.debugDescription)")
  }
}
