package import HTTP
package import Support
package import World

/// The scripted responses of IFTTT for one test, and the recorded requests.
package final class Server {
  private var answers: [ScriptedTransport.Answer] = []
  private var made: ScriptedTransport?
  /// A closure that runs whenever the client waits for responses.
  package var whileWaiting: () -> Void = {}
  package var description: TransportDescription?

  package init() {}

  /// Add a response with this status and body.
  package func answering(_ status: Int, _ body: String = "", headers: [HeaderField] = []) -> Server {
    let type = body.hasPrefix("<") ? "text/html" : "application/json; charset=utf-8"
    let fields = [HeaderField("Content-Type", type)] + headers
    answers.append { _ in .success(Response(status: status, headers: fields, body: Array(body.utf8))) }
    return self
  }

  /// Add a response with the bytes of a file.
  package func answering(with bytes: [UInt8]) -> Server {
    let type = HeaderField("Content-Type", "application/octet-stream")
    answers.append { _ in .success(Response(status: 200, headers: [type], body: bytes)) }
    return self
  }

  package func failing(_ kind: TransportError.Kind, _ message: String, mayHaveArrived: Bool = false) -> Server {
    let failure = TransportError(kind: kind, message: message, mayHaveArrived: mayHaveArrived)
    answers.append { _ in .failure(failure) }
    return self
  }

  package func transport(clock: any Clock) -> ScriptedTransport {
    let transport = ScriptedTransport(answers: answers, clock: clock)
    transport.whileWaiting = { [weak self] in self?.whileWaiting() }
    transport.description = description
    made = transport
    return transport
  }

  /// Discard the remaining responses, so that they do not fail the test.
  package func forget() { made?.forget() }

  package var requests: [Request] { made?.requests ?? [] }
  /// Whether every request received a response and none was canceled.
  package var hasAnsweredAll: Bool {
    made.map { !$0.requests.isEmpty && $0.cancelled.isEmpty && $0.inFlight.isEmpty } ?? false
  }
  /// The timeout of each request.
  package var limits: [Duration] { made?.limits ?? [] }

  /// The requests in the order sent, such as `GET connect.ifttt.com/v2/me`.
  package var asked: [String] {
    requests.map { request in
      "\(request.method.rawValue) \(request.url.redacted.dropFirst("https://".count))"
    }
  }

  /// An error object in IFTTT's format.
  package static func error(_ code: String, _ message: String, details: String = "") -> String {
    #"{"type":"error","code":"\#(code)","message":"\#(message)"\#(details)}"#
  }

  /// A connection as IFTTT sends it, reduced to the necessary members.
  package static func connection(_ id: String, name: String? = nil, status: String? = "enabled") -> String {
    let status = status.map { #""user_status":"\#($0)","# } ?? ""
    return #"{"type":"connection","id":"\#(id)","name":"\#(name ?? id)",\#(status)"services":[],"features":[]}"#
  }
}

package typealias TransportKind = TransportError.Kind

extension Server {
  package static func field(_ name: String, _ value: String) -> HeaderField { HeaderField(name, value) }
}
