package import HTTP
package import PluginProtocol

/// The place that a plugin is installed from, as the user entered it.
package enum PluginReference: Sendable, Equatable {
  /// A folder, an archive or a file of a plugin.
  case path(String)
  /// An archive on a web server.
  case url(WebURL)
  case git(GitReference)
  /// A plugin of an index; without a version, the newest one that is not a pre-release.
  case named(PluginName, version: String?)

  /// - Parameter exists: whether there is a file or folder at a path. A bare name refers to it before it refers to an
  ///   index.
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

  /// The text before `://`; nil if it is not there.
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

/// The reason why an argument does not name a place that plugins are installed from.
package struct PluginReferenceError: Error, Sendable, Equatable, CustomStringConvertible {
  package let description: String
  package init(_ description: String) { self.description = description }
}
