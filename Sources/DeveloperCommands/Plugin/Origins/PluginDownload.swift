import HTTP
import Plugins
import Session
import Text

/// Downloads of archives and of the files beside them. Redirects to other https hosts are followed; redirects from https
/// to http are not.
struct PluginDownload {
  let session: Session
  /// A header that the server of an index demands. It is dropped if a redirect leads to another server.
  var header: Header?

  /// - Throws: ``Problem`` if there is no such file.
  func file(_ url: WebURL, limit: Int) throws -> [UInt8] {
    let response = try response(to: url)
    guard response.status == 200 else { throw problem(response.status, url) }
    return try checked(response.body, url, limit: limit)
  }

  /// - Returns: nil if the server has no such file. Some servers respond with 403 for it.
  func optionalFile(_ url: WebURL, limit: Int) throws -> [UInt8]? {
    let response = try response(to: url)
    if [403, 404, 410].contains(response.status) { return nil }
    guard response.status == 200 else { throw problem(response.status, url) }
    return try checked(response.body, url, limit: limit)
  }

  private func response(to url: WebURL) throws -> Response {
    // A server that compresses an archive once more would change its checksum.
    let headers = [Header("Accept", "*/*"), Header("Accept-Encoding", "identity")] + [header].compactMap(\.self)
    do throws(HTTPError) { return try session.network.downloads.send(Request(.get, url, headers: headers)) } catch {
      guard case .redirect(let reason) = error else { throw error }
      throw Problem(
        .badResponse, "\(url.redacted) was not downloaded", reason: reason,
        hint: "If you trust the other URL, pass it instead.")
    }
  }

  private func checked(_ body: [UInt8], _ url: WebURL, limit: Int) throws -> [UInt8] {
    guard body.count <= limit else {
      throw Problem(.badResponse, "\(url.redacted) is not used", reason: "it is larger than \(limit) bytes")
    }
    return body
  }

  private func problem(_ status: Int, _ url: WebURL) -> Problem {
    let code: Problem.Code =
      switch status {
      case 401: .unauthorized
      case 403: .forbidden
      case 404, 410: .notFound
      case 429: .rateLimited
      case 500...: .serverError
      default: .badResponse
      }
    return Problem(
      code, "\(url.redacted) was not downloaded", reason: "the server responded with \(status)",
      hint: [401, 403].contains(status)
        ? "Check the URL. For an index that needs a header, see \(ifttt: "help plugin index add")."
        : "Check the URL.", status: status)
  }
}

extension WebURL {
  /// The last segment of the path; nil if it cannot be the name of a file.
  var fileName: String? {
    let name = String(path.split(separator: "/", omittingEmptySubsequences: false).last ?? "")
    return name.isEmpty || name.utf8.contains(UInt8(ascii: "%")) ? nil : name
  }

  /// The URL of a file in the same folder.
  func sibling(_ name: String) -> WebURL {
    var sibling = self
    sibling.path = path[...(path.lastIndex(of: "/") ?? path.startIndex)] + name
    return sibling
  }
}
