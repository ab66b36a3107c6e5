import HTTP
package import IFTTT
import Sandbox
import Store
import Text
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

  package func respond(to request: ReceivedRequest) -> Reply {
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

extension Session {
  /// Writes the sandbox's page of a connection to a file, because the sandbox profile has no server that could show
  /// it after the command ends.
  /// - Returns: the page's `file:` URL; nil for every other profile.
  /// - Throws: `not_found` if the sandbox does not have the connection.
  package func sandboxPageFile(of id: ConnectionID, edits: Bool) throws -> String? {
    guard let sandbox = try storage.sandboxStateFile() else { return nil }
    let folder = try store.directories.cache + "/sandbox-pages"
    try world.files.makeFolder(folder)
    let page = try network.base(.web).appending("connections", id.description)
    // The two pages link to each other.
    let names = [(page, "connection.html"), (page.appending("edit"), "configuration.html")]
    for (url, name) in names {
      let answer = try sandbox.answer(Request(.get, url))
      guard answer.status == 200 else {
        throw Problem(
          .notFound, "the sandbox has no connection '\(id)'",
          hint: "See \(ifttt: "--profile sandbox connections list").")
      }
      var text = String(decoding: answer.body, as: UTF8.self)
      for (other, file) in names.reversed() {
        text = text.replacingLink(to: other.path, with: file)
      }
      try world.files.replace("\(folder)/\(name)", with: Array(text.utf8), mode: 0o600)
    }
    let path = "\(folder)/\(names[edits ? 1 : 0].1)".split(separator: "/").map { Percent.encode(String($0)) }
    return "file:///" + path.joined(separator: "/")
  }
}

extension String {
  fileprivate func replacingLink(to path: String, with file: String) -> String {
    var rest = self[...]
    var result = ""
    let link = "href=\"\(path)\""
    while let character = rest.first {
      if rest.hasPrefix(link) {
        result += "href=\"\(file)\""
        rest = rest.dropFirst(link.count)
      } else {
        result.append(character)
        rest.removeFirst()
      }
    }
    return result
  }
}
