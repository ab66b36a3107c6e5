package import HTTP
package import PluginProtocol

/// The source of a plugin, as the user entered it.
package enum PluginReference: Sendable, Equatable {
  /// A folder, an archive or a file of a plugin.
  case path(String)
  /// An archive on a web server.
  case url(WebURL)
  case git(GitReference)
  /// A plugin of an index; without a version, the newest one that is not a pre-release.
  case named(PluginName, version: String?)

  /// - Parameter exists: whether there is a file or folder at a path. It takes precedence over a plugin of an index
  ///   with the same name.
  package init(parsing text: String, exists: (String) -> Bool) throws(PluginReferenceError) {
    if text.hasPrefix(GitReference.prefix) {
      self = .git(try GitReference(parsing: text))
    } else if let scheme = Self.scheme(of: text) {
      guard ["https", "http"].contains(scheme) else {
        throw PluginReferenceError(
          """
          the scheme '\(scheme)' is not supported; use https, \(GitReference.prefix)https, \(GitReference.prefix)ssh or \
          \(GitReference.prefix)file
          """)
      }
      do throws(WebURLError) { self = .url(try WebURL(parsing: text)) } catch {
        throw PluginReferenceError(error.description)
      }
    } else if !text.utf8.contains(UInt8(ascii: "/")), let (name, version) = Self.name(in: text), !exists(text) {
      self = .named(name, version: version)
    } else {
      self = .path(text)
    }
  }

  /// The text before `://`, in lower case; nil if the text does not begin with a scheme.
  private static func scheme(of text: String) -> String? {
    guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")), text.utf8[colon...].starts(with: "://".utf8) else {
      return nil
    }
    return text[..<colon].lowercased()
  }

  /// `NAME` or `NAME@VERSION`.
  package static func name(in text: String) -> (PluginName, version: String?)? {
    let at = text.firstIndex(of: "@")
    guard let name = PluginName(parsing: String(text[..<(at ?? text.endIndex)])) else { return nil }
    let version = at.map { String(text[text.index(after: $0)...]) }
    return version?.isEmpty == true ? nil : (name, version)
  }
}

/// The reason why an argument does not name a source of plugins.
package struct PluginReferenceError: Error, Sendable, Equatable, CustomStringConvertible {
  package let description: String
  package init(_ description: String) { self.description = description }
}

/// The location of an index, or of an archive that an index names: a URL or a path on this machine.
package enum IndexLocation: Sendable, Equatable, CustomStringConvertible {
  case url(WebURL)
  case file(String)

  /// Parses the form of ``description``. A text without a scheme is a path.
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

  /// The location of an archive.
  /// - Parameter url: the archive's URL in this index, which ``check(_:)`` has accepted.
  package func archive(at url: String) throws(WebURLError) -> IndexLocation {
    if Self.hasScheme(url) {
      let target = try WebURL(parsing: url)
      // An http URL always leads to this machine, where a remote index must not choose a server.
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
