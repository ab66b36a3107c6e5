package import HTTP

/// The place of an index, or of an archive that an index names: a URL or a path on this machine.
package enum IndexLocation: Sendable, Equatable, CustomStringConvertible {
  case url(WebURL)
  case file(String)

  /// Parses what ``description`` returns. A text without a scheme is a path.
  /// - Throws: ``WebURLError`` for a URL that is not accepted.
  package init(parsing text: String) throws(WebURLError) {
    self = Self.hasScheme(text) ? .url(try WebURL(parsing: text)) : .file(text)
  }

  package var description: String {
    switch self {
    case .url(let url): url.wire
    case .file(let path): path
    }
  }

  /// The place of an archive.
  /// - Parameter url: a URL of an index, as ``check(_:)`` accepts it.
  package func archive(at url: String) throws(WebURLError) -> IndexLocation {
    if Self.hasScheme(url) {
      let target = try WebURL(parsing: url)
      // An index elsewhere must not choose a server on this machine.
      if case .url(let own) = self, target.scheme == "http", own.scheme != "http" {
        throw WebURLError("an index at an https URL names an http URL")
      }
      return .url(target)
    }
    switch self {
    case .url(let own): return .url(try own.resolving(url))
    case .file(let path): return .file(Self.folder(of: path) + url)
    }
  }

  /// The path up to its last slash.
  private static func folder(of path: String) -> Substring {
    path[..<(path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path.utf8.index(after: $0) } ?? path.startIndex)]
  }

  /// Checks the URL of an archive in an index.
  /// - Throws: ``PluginContentsError`` for a URL that leads elsewhere than it seems to: with `..`, another scheme or
  ///   a host without a scheme.
  static func check(_ url: String) throws(PluginContentsError) {
    if hasScheme(url) {
      do throws(WebURLError) { _ = try WebURL(parsing: url) } catch { throw PluginContentsError("'url': \(error)") }
      return
    }
    let segments = url.split(separator: "/", omittingEmptySubsequences: false)
    guard
      segments.allSatisfy({ segment in
        !segment.isEmpty && segment != "." && segment != ".."
          && segment.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f && !#"\:?#%"#.utf8.contains($0) }
      })
    else { throw PluginContentsError("'url' is neither an absolute URL nor a plain path below the index") }
  }

  private static func hasScheme(_ text: String) -> Bool {
    guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
    return text.utf8[colon...].starts(with: "://".utf8)
  }
}
