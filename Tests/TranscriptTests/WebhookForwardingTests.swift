import Foundation
import Support
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// `service listen --forward` of the built program while a server has not responded yet: the run ends after the response,
/// and no server receives a webhook twice without a word.
@Suite(.enabled(if: Tool.isInstalled("python3"), "skipped: needs python3")) struct WebhookForwardingTests: ListenerTests
{
  let home = Home()

  /// A server that has received a webhook and not responded, and the listener that forwarded it.
  private func forwarding(_ options: String...) throws -> (running: Running, receiver: Running, target: String) {
    let receiver = try start("hold")
    let target = "http://127.0.0.1:\(receiver.read(until: "\n").dropLast())"
    let (running, port) = try listen(["--forward", target] + options)
    #expect(try send("one", port, "ada") == "200")
    #expect(receiver.read(until: "\n") == "ada\n")
    return (running, receiver, target)
  }

  private func details(_ fields: String) throws -> String {
    try home.run("service", "events", "show", "1", "--fields", fields, "--json").text
  }

  /// Runs another listener for the same server, which forwards what is still to be forwarded.
  private func nextRun(_ target: String) throws -> String {
    try home.run("service", "listen", "--port", "0", "--forward", target, "--timeout", "100ms").errors
  }

  @Test func enoughWebhooksEndTheRunAfterTheResponse() throws {
    let (running, receiver, target) = try forwarding("--count", "1", "-o", "jsonl", "--fields", "user_id")
    // The webhook is shown after a moment, because the server is slow.
    #expect(running.read(until: "\n") == "{\"user_id\":\"ada\"}\n")
    _ = running.read(until: "Waiting until 1 webhook is forwarded.\n", from: running.errors)
    receiver.type("\n")
    #expect(running.wait() == 0)
    #expect(
      try details("forwarding.state,forwarding.status") == #"{"forwarding.state":"delivered","forwarding.status":200}"#
        + "\n")
    #expect(try !nextRun(target).contains("earlier runs"))
  }

  @Test(arguments: [SIGTERM, SIGINT]) func aSignalLetsTheForwardFinish(_ signal: Int32) throws {
    let (running, receiver, target) = try forwarding()
    running.signal(signal)
    _ = running.read(until: "Waiting until 1 webhook is forwarded.\n", from: running.errors)
    receiver.type("\n")
    #expect(running.readToEnd().contains("user ada"), "it is shown")
    #expect(running.wait() == 0)
    #expect(try details("forwarding.state") == #"{"forwarding.state":"delivered"}"# + "\n")
    #expect(try !nextRun(target).contains("earlier runs"))
  }

  @Test func aSecondSignalDoesNotWait() throws {
    let (running, receiver, target) = try forwarding()
    running.signal(SIGTERM)
    _ = running.read(until: "Waiting until 1 webhook is forwarded.\n", from: running.errors)
    running.signal(SIGTERM)
    #expect(running.wait() == -SIGTERM)
    #expect(try details("forwarding.problem").contains("the webhook may have arrived"))
    let errors = try nextRun(target)
    #expect(errors.contains("1 webhook from earlier runs will be forwarded.\n"), "\(errors)")
    #expect(errors.contains("1 webhook may have arrived already"), "\(errors)")
    receiver.signal(SIGKILL)
  }

  @Test func aTimeoutCutsTheForwardAndFails() throws {
    let (running, receiver, target) = try forwarding("--timeout", "4s")
    #expect(running.wait() == 8)
    let errors = running.readToEnd(running.errors)
    #expect(
      errors.contains("timed out while 1 webhook was forwarded") && errors.contains("1 webhook not forwarded yet"))
    receiver.type("\n")
    #expect(try nextRun(target).contains("1 webhook may have arrived already"))
  }
}
