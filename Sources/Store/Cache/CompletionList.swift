import Time
package import World

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The candidates for a connection id in a file of their own, `completion.list`. Reading it takes a tenth of the time of
/// opening both databases and reading 1,000 rows.
///
/// The file begins with the state of the databases from which the candidates were read, as returned by stat(2), and ends
/// with an empty line. If a database has changed since, or if a write was interrupted, the file is ignored. It can be
/// deleted at any time; every write to the cache deletes it, so that no removed name stays in it.
package struct CompletionList {
  private static let name = "completion.list"
  /// A file system stores the time of a change with the precision of the kernel's clock, whose steps take up to 10 ms.
  /// After this time, another change gets another time.
  private static let settlingTime: Int64 = 50

  private let path: String
  private let world: World
  private let header: [UInt8]
  /// The time of the last change of either database, in milliseconds since 1970.
  private let changedAt: Int64

  /// - Parameter profile: The profile that the user chose for this command; nil for the current profile.
  /// - Returns: nil if there is no cache, or if other users can access the folder.
  package init?(in directories: AppDirectories, profile: String?, world: World) {
    guard (try? Permissions.checkFolder(directories.data)) == true else { return nil }
    var header = Array("ifttt completion list 1\n\(profile ?? "")\n".utf8)
    var changedAt: Int64 = 0
    for file in [Schema.store.fileName, Schema.cache.fileName] {
      for companion in ["", "-wal"] {
        var facts = stat()
        if lstat("\(directories.data)/\(file)\(companion)", &facts) == 0 {
          let (content, status) = facts.changeTimes
          for number in [
            Int(facts.st_ino), Int(facts.st_size), content.tv_sec, content.tv_nsec, status.tv_sec, status.tv_nsec,
          ] { header.append(contentsOf: "\(number) ".utf8) }
          changedAt = max(changedAt, content.milliseconds, status.milliseconds)
        } else if companion.isEmpty {
          return nil
        }
        header.append(UInt8(ascii: "\n"))
      }
    }
    (path, self.world, self.header, self.changedAt) = (Self.path(in: directories), world, header, changedAt)
  }

  /// Returns the saved candidates as lines; nil if there are none for the present state of the databases.
  package func read() -> [UInt8]? {
    guard let bytes = try? PrivateFiles.readPrivate(path), bytes.starts(with: header) else { return nil }
    let lines = bytes.dropFirst(header.count)
    guard lines.suffix(2).elementsEqual("\n\n".utf8) else { return nil }
    return Array(lines.dropLast())
  }

  /// Saves candidates, each a line, that were read after this list was initialized. If the file cannot be written, the
  /// next completion reads the databases again.
  package func save(_ lines: [UInt8]) {
    guard !lines.isEmpty, world.clock.now().milliseconds - changedAt >= Self.settlingTime else { return }
    PrivateFiles.replaceDisposable(path, with: header + lines + "\n".utf8)
  }

  static func remove(from directories: AppDirectories) { unlink(path(in: directories)) }

  private static func path(in directories: AppDirectories) -> String { "\(directories.data)/\(name)" }
}

extension stat {
  /// When the content and the status were last changed.
  fileprivate var changeTimes: (content: timespec, status: timespec) {
    #if canImport(Glibc)
      (st_mtim, st_ctim)
    #else
      (st_mtimespec, st_ctimespec)
    #endif
  }
}

extension timespec {
  fileprivate var milliseconds: Int64 { Int64(tv_sec) * 1000 + Int64(tv_nsec) / 1_000_000 }
}
