import CommandLine
import Foundation
import HTTP
import ProgramDriver
import Sandbox
import Support
import Testing
import World

@testable import Commands
@testable import Session

/// While telemetry is off, no request distinguishes one installation from another.
///
/// Every command's examples are run against the emulator on two machines. The machines differ in everything that a
/// program can observe. Every request sent by either machine is checked.
@Suite struct OffMeansOffTests {
  private static let examples =
    CommandPosition(root: Root.tree.ownSchema).subtree.flatMap(\.command.examples).map(\.arguments)
    // These send requests only to a server on this machine.
    .filter { example in
      !["sandbox ", "privacy ", "service test ", "service call "].contains { example.hasPrefix($0) }
    }
    + ["connections activate Ud6Jn1Gs --no-browser --timeout 1s", "connections enable Wd5Po8Rk", "doctor"]

  private struct Machine {
    let name: String
    let seed: UInt64
    let now: Timestamp
  }

  private static let machines = [
    Machine(name: "amsel", seed: 1, now: Timestamp(milliseconds: 1_790_000_000_000)),
    Machine(name: "dohle", seed: 99, now: Timestamp(milliseconds: 1_801_234_567_890)),
  ]

  /// The requests that each example sends.
  private func requests(of machine: Machine, isOn: Bool) throws -> [[Request]] {
    let folder = TemporaryFolder()
    folder.write("key.txt", "a-service-key-for-an-example\n")
    let server = WatchedEmulator()
    func run(_ line: String, _ environment: [String: String] = [:], seed: UInt64) -> [Request] {
      let all = [
        "HOME": folder.path, "HOSTNAME": machine.name, "USER": machine.name, "LOGNAME": machine.name,
        "IFTTT_SERVICE_KEY": SandboxFixtures.serviceKey, "IFTTT_ACCESS_TOKEN": SandboxFixtures.accessToken,
        "IFTTT_USER_ID": SandboxFixtures.userID, "IFTTT_SERVICE": SandboxFixtures.serviceID,
        "IFTTT_WEBHOOKS_KEY": SandboxFixtures.webhooksKey,
      ].merging(environment) { $1 }
      let test = TestWorld(
        environment: all, now: machine.now, folder: folder, seed: seed,
        programs: { _, _ throws(SystemError) in ProcessResult(status: 0, output: []) })
      test.files.elsewhere = { SystemError(number: ENOENT, call: "open \($0)") }
      (test.processes.browser, test.processes.again) = (.success(()), .success(()))
      var world = test.world
      // Not every example reads its input.
      world.input = TypedInput()
      server.seen = []
      _ = Program.run(ShellWords.split(line) ?? [], world: world) { _ in server }
      _ = test.errors.text
      return server.seen
    }
    if isOn { _ = run("privacy on", seed: machine.seed) }
    _ = run("connections add Kd7Rn2Qx Fq3Lw8Zt Wd5Po8Rk", seed: machine.seed)
    let token = ["IFTTT_USER_TOKEN": SandboxFixtures.userToken]
    return Self.examples.enumerated().map { index, example in
      let known = example.hasPrefix("token exchange") ? [:] : token
      return run(example, known, seed: machine.seed + UInt64(index))
    }
  }

  /// The requests without consecutive repetitions, because the number of polls is random.
  private func once(_ requests: [Request]) -> [Request] {
    requests.enumerated().filter { $0 == 0 || requests[$0 - 1] != $1 }.map(\.element)
  }

  private let known: Set<String> = [
    "Accept", "Authorization", "Content-Type", "IFTTT-Service-Key", "IFTTT-Invite-Code",
  ]

  /// The requests without their random ids, which must differ from one request to the next.
  private func withoutIDs(_ requests: [[Request]]) -> [[Request]] {
    let ids = requests.joined().compactMap { $0.header("X-Request-ID") }
    #expect(ids.count > 1 && Set(ids).count == ids.count)
    return requests.map { requests in
      requests.map { request in
        var request = request
        request.headers.removeAll { $0.name == "X-Request-ID" }
        return request
      }
    }
  }

  @Test func twoMachinesSendTheSameRequests() throws {
    let (one, other) = (
      withoutIDs(try requests(of: Self.machines[0], isOn: false)),
      withoutIDs(try requests(of: Self.machines[1], isOn: false))
    )
    var calls: Set<String> = []
    for (index, example) in Self.examples.enumerated() {
      let (mine, others) = (one[index].filter { !$0.isOfLocation }, other[index].filter { !$0.isOfLocation })
      #expect(once(mine) == once(others), "\(example)")
      // Location events are sent only after the user's consent. They include the installation's id.
      if mine.count < one[index].count { #expect(example.hasSuffix(" --yes") || example.hasSuffix(" -"), "\(example)") }
      for request in mine {
        calls.insert("\(request.method.rawValue) \(request.url.path)")
        #expect(known.isSuperset(of: request.headers.map(\.name)), "\(example)")
        let text = request.url.wire.lowercased() + String(decoding: request.body ?? [], as: UTF8.self).lowercased()
        for word in ["anonymous", "sdk/events", "installation", "amsel", "dohle"] {
          #expect(!text.contains(word), "\(example): \(text)")
        }
      }
    }
    #expect(
      calls.isSuperset(of: [
        "GET /v2/connections/Kd7Rn2Qx", "POST /v2/connections/Kd7Rn2Qx/disable", "POST /v2/user_token", "GET /v2/me",
        "POST /v1/services/lampost/applets/mB3xWq7T/disable", "HEAD /", "POST /v1/notifications",
        "POST /trigger/door_opened/with/key/\(SandboxFixtures.webhooksKey)",
      ]), "\(calls.sorted())")
  }

  /// The same check finds the id when telemetry is on, so the test above can fail.
  @Test func requestsDifferOnceTelemetryIsOn() throws {
    let (one, other) = (
      try requests(of: Self.machines[0], isOn: true), try requests(of: Self.machines[1], isOn: true)
    )
    #expect(one != other)
    for request in one.flatMap(\.self) where request.method != .head {
      let isIdentified = request.header("IFTTT-SDK-Anonymous-Id") != nil
      #expect(isIdentified == (request.url.host == "connect.ifttt.com"), "\(request.url.wire)")
    }
  }
}

extension Request {
  fileprivate var isOfLocation: Bool { url.path == "/v1/location_events" }
}

/// A transport that serves the emulator and records the requests.
private final class WatchedEmulator: Transport {
  var seen: [Request] = []
  private var emulator = Emulator(state: .seed)
  private var ended: [HTTP.TransportResult] = []

  func start(_ request: Request, as ticket: Int, limit: Duration) {
    seen.append(request)
    let response = emulator.response(to: request, at: Timestamp(milliseconds: 1_790_000_000_000))
    ended.append(HTTP.TransportResult(ticket: ticket, result: .success(response)))
  }

  func wait(atMost limit: Duration, orReadable descriptor: Int32) -> [HTTP.TransportResult] {
    defer { ended = [] }
    return ended
  }

  func cancel(_ ticket: Int) { ended.removeAll { $0.ticket == ticket } }
}

/// One line of input followed by the end, whether it is read or not.
private final class TypedInput: Input {
  private var lines = ["Kd7Rn2Qx"]

  func readAll(limit: Int) -> [UInt8] { (lines.popLast().map { Array(($0 + "\n").utf8) }) ?? [] }
  func readSome() -> [UInt8] { readAll(limit: 100) }
  func readLine() -> String? { lines.popLast() }
  func readSecret(prompt: () -> Void) -> String? {
    prompt()
    return lines.popLast()
  }
  func discardTypeAhead() { lines = [] }

  func wait(for descriptor: Int32, expectsInput: Bool, atMost limit: Duration) throws(InputError) -> WakeReason {
    throw .interrupted
  }
}
