import HTTP
import ProgramDriver
import Session
import Store
import Support
import Testing
import World

/// The commands about received webhooks, in process.
@Suite struct ServiceEventsTests {
  let home = Home()
  let store: Store

  init() throws {
    store = Store(directories: AppDirectories(all: home.folder.path), world: .live())
    let body = #"{"sent_at":1772646131850,"data":{"connection_id":"Kd7Rn2Qx","user_id":"u-5521"},"n":1.50}"#
    func webhook(_ event: String, _ id: String) -> ReceivedWebhook {
      ReceivedWebhook(
        receivedAt: Timestamp(milliseconds: 1_772_646_131_999), type: "connection", event: event, requestID: id,
        headers: [.init("Host", "tunnel.test"), .init("Content-Type", "application/json"), .init("X-Request-ID", id)],
        body: Array(body.utf8))
    }
    _ = try WebhookStore(store, profile: "default").record(
      [webhook("enabled", "r1"), webhook("updated", "r2"), webhook("enabled", "r1")], forwardingTo: nil)
  }

  @Test func listsWhatMatches() {
    let all = home.run("service events list -o jsonl --fields id,event,repeated,sent_at")
    #expect(
      all.lines == [
        #"{"id":"1","event":"enabled","repeated":false,"sent_at":"2026-03-04T17:42:11Z"}"#,
        #"{"id":"2","event":"updated","repeated":false,"sent_at":"2026-03-04T17:42:11Z"}"#,
        #"{"id":"3","event":"enabled","repeated":true,"sent_at":"2026-03-04T17:42:11Z"}"#,
      ])
    #expect(
      home.run("service events list --type connection/enabled --last 1 -o tsv --no-header --fields id").output == "3\n")
    #expect(home.run("service events list --type fired --json").output == "[]\n")
    let none = home.run("service events list --type fired")
    #expect(none.errors == "No webhooks were received. Receive them with: ifttt service listen\n")
    #expect(home.run("service events list --type enbled").exit == .usage)
    #expect(home.last?.errors.text.contains("Did you mean 'enabled'?") == true)
    let other = home.run("--profile sandbox service events list --json")
    #expect(other.output == "[]\n")
  }

  @Test func showsTheWholeWebhook() {
    let raw = home.run("service events show 1 --raw")
    #expect(raw.output == #"{"sent_at":1772646131850,"data":{"connection_id":"Kd7Rn2Qx","user_id":"u-5521"},"n":1.50}"#)
    let shown = home.run("service events show 1 --json --fields request_id,forwarding,headers,body")
    #expect(
      shown.output
        == #"{"request_id":"r1","forwarding":null,"headers":[{"name":"Host","value":"tunnel.test"},{"name":"Content-Type","value":"application/json"},{"name":"X-Request-ID","value":"r1"}],"body":{"sent_at":1772646131850,"data":{"connection_id":"Kd7Rn2Qx","user_id":"u-5521"},"n":1.50}}"#
        + "\n")
    let missing = home.run("service events show 9")
    #expect(missing.exit == .notFound && missing.errors.contains("no webhook 9 in profile 'default'"))
    #expect(home.run("service events show one").exit == .usage)
    #expect(home.last?.errors.text.isEmpty == false)
  }

  @Test func replaySendsTheWebhookAsReceived() throws {
    home.environment["IFTTT_SERVICE_KEY"] = "the-service-key-of-the-tests"
    home.secrets.append("the-service-key-of-the-tests")
    let server = Server().answering(200, "").answering(500, "")
    let run = home.run(
      "service events replay 1 2 --forward http://127.0.0.1:3000/api -o jsonl --fields id,url,status,delivered --jobs 1 --retries 0",
      answers: server)
    #expect(run.exit == .partial)
    #expect(
      run.lines == [
        #"{"id":"1","url":"http://127.0.0.1:3000/api/ifttt/v1/webhooks/connection/enabled","status":200,"delivered":true}"#,
        #"{"id":"2","url":"http://127.0.0.1:3000/api/ifttt/v1/webhooks/connection/updated","status":500,"delivered":false}"#,
      ])
    #expect(run.errors.contains("1 of 2 failed"))
  }

  @Test func replaySendsTheKeyOnlyWhereItMayGo() {
    home.environment["IFTTT_SERVICE_KEY"] = "the-service-key-of-the-tests"
    func keys(_ options: String) -> Bool {
      let run = home.run("service events replay 1 \(options) --dry-run -o jsonl --fields headers")
      #expect(run.exit == .success && run.errors.isEmpty && !run.output.contains("Host"), "\(run.errors)")
      return run.output.contains("IFTTT-Service-Key")
    }
    #expect(keys("--forward http://localhost:3000"))
    #expect(!keys("--forward https://api.example.test"))
    #expect(keys("--forward https://api.example.test --forward-key"))
  }

  @Test(arguments: [
    ("service events replay --forward http://localhost", "missing argument"),
    ("service events replay 1", "--forward URL is required"),
    ("service events replay 1 --forward http://example.test", "http"),
    ("service events replay 0 --forward http://localhost", "whole number"),
    ("service listen --bind localhost", "an IP address"), ("service listen --exec 'a b'", "--exec a -- b"),
    ("service listen x", "only with --exec"), ("service listen --forward-key", "--forward-key needs --forward"),
    ("service listen --port 65536", "65535"), ("service listen --forward ftp://x", "scheme"),
  ])
  func rejectsInvalidCommandLines(_ line: String, _ words: String) {
    let run = home.run(line)
    #expect(run.exit == .usage && run.errors.contains(words), "\(run.errors)")
  }

  @Test func anUnknownIDSendsNothing() {
    let run = home.run("service events replay 1 99 --forward http://localhost:3000")
    #expect(run.exit == .notFound && run.output.isEmpty && run.errors.contains("no webhook 99"))
  }

  @Test func offlineForwardsOnlyToThisMachine() {
    let run = home.run("service events replay 1 --forward https://api.example.test --offline")
    #expect(run.exit == .unavailable && run.errors.contains("--offline was passed"))
  }

  @Test func aDryRunListensToNothing() {
    let run = home.run("service listen --dry-run --bind 127.0.0.1 --port 9")
    #expect(run.errors == "Would receive and store webhooks at http://127.0.0.1:9/ifttt/v1/webhooks.\n")
    #expect(run.exit == .success)
  }

  @Test func anotherAddressNeedsAServiceKey() {
    let run = home.run("service listen --bind 0.0.0.0")
    #expect(run.exit == .credentials && run.errors.contains("--bind 0.0.0.0 needs a service key"))
  }

  @Test func clearingNeedsConfirmation() {
    let unconfirmed = home.run("service events clear")
    #expect(unconfirmed.exit == .failure && unconfirmed.errors.contains("Remove 3 webhooks?"))
    #expect(home.run("service events clear --dry-run").errors == "Would remove 3 webhooks.\n")
    #expect(home.run("service events clear --type updated --yes --json").output == #"{"removed":1}"# + "\n")
    #expect(home.run("service events clear --yes --json").output == #"{"removed":2}"# + "\n")
    #expect(home.run("service events clear --yes --json").output == #"{"removed":0}"# + "\n")
  }
}
