import HTTP
import IFTTT
import Sandbox
import Store
import World

/// The sandbox profile's web pages on a listener of this program, shown in place of IFTTT's pages.
///
/// It serves pages only. They change the same state that the profile's requests use.
final class SandboxPages: HTTPResponder {
  private let file: SandboxStateFile

  package init(_ file: SandboxStateFile) { self.file = file }

  /// Whether this path and query belong to one of the pages. A server with its own paths checks this before it
  /// forwards a request.
  package static func serves(_ target: String) -> Bool { WebRoute(target: target) != nil }

  package func answer(_ request: ReceivedRequest) -> Reply {
    let headers = request.fields.map { Header($0.name, $0.value) }
    guard Self.serves(request.target),
      let received = Request(
        receivedMethod: request.method, target: request.target, headers: headers, body: request.body)
    else { return .text(404, "The sandbox has no such page") }
    do {
      let response = try file.answer(received, target: request.target)
      return Reply(
        status: response.status, fields: response.headers.map { HeaderField($0.name, $0.value) }, body: response.body)
    } catch {
      return .text(500, "The sandbox's state could not be read or saved")
    }
  }
}
