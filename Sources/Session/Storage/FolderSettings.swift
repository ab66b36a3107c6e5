import IFTTT
import Text
import World

/// The settings of a folder and the folders in it: the profile and the service, never a secret.
///
/// They are lines `NAME = VALUE` in a file `.ifttt`, which a repository may contain. The file is searched for in the working
/// folder and above it, up to the root of the repository.
package struct FolderSettings {
  static let name = ".ifttt"
  package let path: String
  package private(set) var profile: ProfileName?
  /// A valid slug.
  package private(set) var service: String?

  /// - Throws: `usage` if the file is malformed.
  init(_ path: String, text: String) throws(Problem) {
    self.path = path
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let line = line[...].trimmed
      guard !line.isEmpty, !line.hasPrefix("#") else { continue }
      let parts = line.split(separator: "=", maxSplits: 1).map { $0.trimmed }
      guard parts.count == 2 else { throw malformed(index, "expected a line 'NAME = VALUE'") }
      switch parts[0] {
      case "profile":
        guard let name = ProfileName(parsing: parts[1]) else { throw malformed(index, "not the name of a profile") }
        profile = name
      case "service":
        guard ServiceSlug(parsing: parts[1]) != nil else {
          throw malformed(index, "expected the last part of https://ifttt.com/SLUG")
        }
        service = parts[1]
      default: throw malformed(index, "it may contain 'profile' and 'service', and no credentials")
      }
    }
  }

  private func malformed(_ index: Int, _ reason: String) -> Problem {
    Problem(
      .usage, "\(path), line \(index + 1): \(reason)",
      hint: "Correct the file, or pass --profile NAME, which makes it unnecessary.")
  }

  /// The nearest file; nil without one, or if other users could have written it.
  /// - Parameter ignored: Called with the path of a file that is not used, and the reason.
  static func find(in world: World, ignored: (String, String) -> Void) throws -> FolderSettings? {
    guard let folder = try? world.files.resolved(world.path(".")) else { return nil }
    for path in folders(from: folder, in: world).map({ "\($0)/\(name)" }) {
      guard let status = try? world.files.status(path), status.kind != .folder else { continue }
      guard status.kind == .file else {
        ignored(path, "it is not a regular file")
        return nil
      }
      guard !status.othersCanWrite else {
        ignored(path, "other users can write it")
        return nil
      }
      let bytes: [UInt8]
      do throws(SystemError) { bytes = try world.files.readRegular(path, limit: 16 << 10) } catch {
        throw Problem(.usage, "cannot read \(path)", reason: error.description, hint: "Make it readable, or remove it.")
      }
      return try FolderSettings(path, text: String(decoding: bytes, as: UTF8.self))
    }
    return nil
  }

  /// The folder and those above it up to the root of the repository; only the folder itself outside of one.
  private static func folders(from folder: String, in world: World) -> [String] {
    var folders = [folder]
    while let last = folders.last, last != "/" {
      if (try? world.files.status("\(last)/.git")) != nil { return folders }
      guard let slash = last.utf8.lastIndex(of: UInt8(ascii: "/")) else { break }
      folders.append(slash == last.startIndex ? "/" : String(last[..<slash]))
    }
    return [folder]
  }
}

extension FileStatus {
  /// Whether users other than this one and root can write the file. A group that has the number of its user is that
  /// user's own, as Debian and Red Hat create it.
  fileprivate var othersCanWrite: Bool {
    (owner != 0 && owner != FileStatus.user) || mode & 0o002 != 0 || (mode & 0o020 != 0 && group != owner)
  }
}
