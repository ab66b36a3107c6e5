import HTTP

/// A Git repository and a tag in it: `git+https://HOST/PATH@TAG`, `git+ssh://USER@HOST/PATH@TAG` or `git+file:///PATH@TAG`.
package struct GitReference: Sendable, Equatable {
  package static let prefix = "git+"

  /// The URL for Git.
  package let repository: String
  /// Nil for the tag of the newest version.
  package let tag: String?

  /// - Throws: ``PluginReferenceError`` for another scheme, a user name in an https URL, and a tag that Git would reject.
  package init(parsing text: String) throws(PluginReferenceError) {
    let address = text.dropFirst(Self.prefix.count)
    // A tag contains no at sign, but a path may. Before the path, it ends a user name.
    let path = Self.pathStart(of: address) ?? address.endIndex
    let at = address[path...].lastIndex(of: "@")
    repository = String(address[..<(at ?? address.endIndex)])
    tag = at.map { String(address[address.index(after: $0)...]) }
    try Self.check(repository)
    if let tag, !Self.isTag(tag) { throw PluginReferenceError("the tag after '@' is not a valid Git tag") }
  }

  /// The text that the user would enter for this repository and a tag.
  package static func text(of repository: String, at tag: String) -> String { "\(prefix)\(repository)@\(tag)" }

  private static func pathStart(of address: Substring) -> Substring.Index? {
    var slashes = 0
    return address.utf8.firstIndex { byte in
      if byte == UInt8(ascii: "/") { slashes += 1 }
      return slashes == 3
    }
  }

  private static func check(_ repository: String) throws(PluginReferenceError) {
    if repository.hasPrefix("file:///") {
      guard repository.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control && $0 != "%" }) else {
        throw PluginReferenceError("the path of the repository contains a control character or '%'")
      }
      return
    }
    if repository.hasPrefix("ssh://") { return try checkSSH(repository) }
    guard repository.hasPrefix("https://") else {
      throw PluginReferenceError("a repository's URL begins with git+https://, git+ssh:// or git+file:///")
    }
    let url: WebURL
    do throws(WebURLError) { url = try WebURL(parsing: repository) } catch {
      throw PluginReferenceError(error.description)
    }
    guard url.query.isEmpty, url.path.utf8.count > 1 else {
      throw PluginReferenceError("the URL of a repository has a path and no query")
    }
  }

  /// Git passes the user, the host and the port to ssh, and the path to a shell of the server.
  private static func checkSSH(_ repository: String) throws(PluginReferenceError) {
    let address = repository.dropFirst("ssh://".utf8.count)
    let slash = address.firstIndex(of: "/") ?? address.endIndex
    let parts = address[..<slash].split(separator: "@", omittingEmptySubsequences: false)
    let host = (parts.last ?? "").split(separator: ":", omittingEmptySubsequences: false)
    let user = parts.count > 1 ? [parts[0]] : []
    let isPort = host.count < 2 || host[1].utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    guard parts.count <= 2, host.count <= 2, isPort, (user + host).allSatisfy(isWord),
      address[slash...].utf8.count > 1,
      address[slash...].unicodeScalars.allSatisfy({
        $0.isASCII && (isWord(String($0)) || "/~+-".unicodeScalars.contains($0))
      })
    else {
      throw PluginReferenceError(
        "a repository's URL with git+ssh:// has the form git+ssh://USER@HOST/PATH, without a password")
    }
  }

  /// Whether the text has only letters, digits, dots, hyphens and underscores, and does not begin with a hyphen.
  private static func isWord(_ text: some StringProtocol) -> Bool {
    !text.isEmpty && !text.hasPrefix("-")
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: "._-".utf8.contains(byte)
        }
      }
  }

  /// Whether Git accepts the text as the name of a tag. The rules are stricter than Git's own.
  package static func isTag(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard let first = bytes.first, let last = bytes.last, bytes.count <= 200 else { return false }
    func isLetterOrDigit(_ byte: UInt8) -> Bool {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: false
      }
    }
    guard isLetterOrDigit(first), last != UInt8(ascii: "/"), last != UInt8(ascii: "."), !text.hasSuffix(".lock"),
      bytes.allSatisfy({ isLetterOrDigit($0) || "._/+-".utf8.contains($0) })
    else { return false }
    return zip(bytes, bytes.dropFirst()).allSatisfy { one, next in
      !(one == UInt8(ascii: ".") && next == one)
        && !(one == UInt8(ascii: "/") && [one, UInt8(ascii: ".")].contains(next))
    }
  }
}
