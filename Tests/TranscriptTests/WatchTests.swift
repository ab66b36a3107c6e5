import CPseudoTerminal
import Foundation
import Support
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// `connections watch` of the built program: on a terminal, in a pipe, and with a command.
@Suite struct WatchTests {
  let home = Home(nil, ["IFTTT_PROFILE": "sandbox", "TERM": "xterm"])
  private static let words = ["connections", "watch", "--interval", "100ms"]

  @Test func aTableIsRedrawnInPlace() throws {
    let running = try home.start(onTerminal: Self.words)
    let first = running.read(until: "press Ctrl-C to stop.")
    #expect(first.contains("Lamps dim at low tide"))
    running.read(until: "\u{1b}[?7h\u{1b}[?25h")
    #expect(try home.run("connections", "disable", "Kd7Rn2Qx").status == 0)
    let second = running.read(until: "was enabled, ")
    #expect(second.contains("\u{1b}[?25l\u{1b}[?7l\u{1b}[11A\r"), "over the lines of the first")
    #expect(second.contains("*  Kd7Rn2Qx"))
    running.type("\u{3}")
    let rest = running.read(until: "status 130")
    // Terminal modes that are disabled are enabled again before the program exits.
    let off = rest.components(separatedBy: "\u{1b}[?25l").count
    let on = rest.components(separatedBy: "\u{1b}[?25h").count
    #expect(on >= off && rest.hasSuffix("interrupted\r\nstatus 130"))
    #expect(running.echoes)
    running.type("\n")
  }

  @Test func resizingRedrawsTheTable() throws {
    let running = try home.start(onTerminal: ["connections", "watch", "--interval", "1h"])
    running.read(until: "\u{1b}[?7h\u{1b}[?25h")
    var size = winsize(ws_row: 6, ws_col: 40, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(running.output, UInt(TIOCSWINSZ), &size)
    running.read(until: "\u{1b}[H\u{1b}[2J")
    let drawing = running.read(until: "\u{1b}[J")
    #expect(drawing.contains("… and 7 more"))
    #expect(drawing.components(separatedBy: "\r\n").count == 6)
    running.type("\u{3}")
    running.read(until: "status 130")
    running.type("\n")
  }

  @Test func aDumbTerminalGetsLines() throws {
    let running = try home.start(
      onTerminal: ["connections", "watch", "Kd7Rn2Qx", "--initial", "--timeout", "0"], ["TERM": "dumb"])
    let text = running.read(until: "status 0")
    #expect(text.hasPrefix("{\"at\":"))
    #expect(!text.contains("\u{1b}"))
    running.type("\n")
  }

  @Test func eachLineIsWrittenImmediately() throws {
    let running = try home.start(Self.words + ["--fields", "id,after.status", "--count", "1", "--initial"])
    for _ in 0..<9 { running.read(until: "\n") }
    #expect(try home.run("connections", "disable", "Kd7Rn2Qx").status == 0)
    #expect(running.read(until: "\n") == "{\"id\":\"Kd7Rn2Qx\",\"after.status\":\"disabled\"}\n")
    #expect(running.wait() == 0)
    #expect(running.readToEnd(running.errors) == "")
  }

  /// Nothing is written between two changes, so no failed write can reveal that the reader is gone.
  @Test func aClosedPipeEndsTheWatch() throws {
    let script = #""$0" connections watch Kd7Rn2Qx --initial --interval 1h | head -n 1; echo "${PIPESTATUS[0]}""#
    let running = try Running(["bash", "-c", script, Home.program], environment: home.environment)
    let lines = running.readToEnd().split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.last == "0")
    #expect(running.readToEnd(running.errors) == "")
    running.wait()
  }

  @Test func ctrlCEndsTheCommandToo() throws {
    let script = #"cat >/dev/null; echo $$ >"$0.part"; mv "$0.part" "$0"; exec sleep 3600"#
    let file = home.folder["command"]
    let running = try home.start(
      ["connections", "watch", "Kd7Rn2Qx", "--initial", "--exec", "/bin/sh", "--", "-c", script, file])
    waitUntil(home.folder.text("command") != nil)
    let id = try #require(home.folder.text("command").flatMap { pid_t($0.dropLast()) })
    running.signal(SIGINT)
    #expect(running.wait() == 130)
    #expect(kill(id, 0) == -1 && errno == ESRCH)
    #expect(try home.isIntact())
  }

  @Test func aCommandsOutputIsComplete() throws {
    let script = #"printf 'from '; sleep 0; cat; echo careful >&2"#
    let outcome = try home.run(
      [
        "connections", "watch", "Kd7Rn2Qx", "Xe2Gf9Ln", "--initial", "--timeout", "0", "--exec", "sh", "--", "-c",
        script,
      ])
    #expect(outcome.status == 0)
    let lines = outcome.text.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.allSatisfy { $0.hasPrefix("from {\"at\":") && $0.hasSuffix("}") })
    #expect(outcome.errors == "careful\ncareful\n")
  }
}
