import HTTP
import PluginProtocol
import Plugins
import Session
import Store
import Text
import World

/// An index that the user has added.
struct AddedIndex {
  let name: String
  let location: IndexLocation
  let header: SecretSource?
  let contents: PluginIndex
}

/// An entry of an index.
struct IndexedPlugin {
  let index: AddedIndex
  let entry: IndexEntry
}

/// The indexes as last fetched, read without the network.
struct IndexCatalog {
  private let indexes: [AddedIndex]

  /// - Throws: `refused` if a stored index cannot be read.
  init(in session: Session) throws {
    indexes = try PluginRecords(session.store).indexes().map { stored in
      do {
        return AddedIndex(
          name: stored.name, location: try IndexLocation(parsing: stored.location), header: stored.header,
          contents: try PluginIndex(parsing: stored.document))
      } catch {
        throw Problem(
          .refused, "index '\(stored.name)' cannot be used", reason: String(describing: error),
          hint: "Run: \(ifttt: "plugin index update \(stored.name)")")
      }
    }
  }

  var isEmpty: Bool { indexes.isEmpty }

  /// The newest version of each plugin for this platform, in each index.
  func newest() -> [IndexedPlugin] {
    indexes.flatMap { index in
      index.contents.entries.uniqued(by: \.name).compactMap { listed in
        index.contents.entry(named: listed.name, for: .current).map { IndexedPlugin(index: index, entry: $0) }
      }
    }
  }

  /// - Parameters:
  ///   - version: the exact version; nil for the newest one that is not a pre-release.
  ///   - indexName: the index to search; nil for all.
  /// - Throws: `not_found` if no index has it, `refused` if several have it.
  func plugin(_ name: PluginName, version: String?, in indexName: String?) throws -> IndexedPlugin {
    let searched = indexes.filter { indexName == nil || $0.name == indexName }
    guard !searched.isEmpty else {
      throw indexName.map { Self.missing($0) }
        ?? Problem(
          .notFound, "no plugin '\(name)'", reason: "there is no such file or folder, and no index was added",
          hint: "Pass a path or URL, or add an index: \(ifttt: "plugin index add NAME LOCATION")")
    }
    let found = searched.compactMap { index in
      index.contents.entry(named: name, version: version, for: .current).map { IndexedPlugin(index: index, entry: $0) }
    }
    guard let first = found.first else { throw missing(name, version, in: searched) }
    guard found.count == 1 else {
      throw Problem(
        .refused, "several indexes have plugin '\(name)'",
        reason: found.map { "\($0.index.name) has version \($0.entry.version)" }.joined(separator: "; "),
        hint: "Choose one: \(ifttt: "plugin install \(name.description) --index \(first.index.name)")")
    }
    return first
  }

  static func missing(_ index: String) -> Problem {
    Problem(.notFound, "no index '\(index)'", hint: "See \(ifttt: "plugin index list").")
  }

  private func missing(_ name: PluginName, _ version: String?, in searched: [AddedIndex]) -> Problem {
    let versions = searched.flatMap(\.contents.entries).filter { $0.name == name }
    let compatible = versions.filter { [PluginPlatform.current, .any].contains($0.platform) }
    let reason: String? =
      if versions.isEmpty {
        nil
      } else if compatible.isEmpty {
        "no version is for \(PluginPlatform.current)"
      } else if version != nil {
        "the indexes have \(compatible.map(\.version).joined(separator: ", "))"
      } else {
        "the indexes have only pre-releases: \(compatible.map(\.version).joined(separator: ", "))"
      }
    return Problem(
      .notFound,
      version.map { "no version \($0) of plugin '\(name)' in an index" } ?? "no plugin '\(name)' in an index",
      reason: reason, hint: "Search with \(ifttt: "plugin search"), or pass a version: NAME@VERSION.")
  }
}

/// A version of a plugin that an index lists.
struct IndexSource {
  let found: IndexedPlugin
  let session: Session

  /// Fetches the archive and compares it with the entry of the index.
  func candidate() throws -> PluginCandidate {
    let entry = found.entry
    let location: IndexLocation
    do throws(WebURLError) { location = try found.index.location.archive(at: entry.url) } catch {
      throw Problem(.refused, "index '\(found.index.name)' names a URL that is not accepted", reason: error.description)
    }
    let archive = try ArchiveSource(location: location, session: session, header: header(for: location))
      .contents(sha256: entry.sha256)
    let manifest = archive.package.manifest
    for (fact, listed, actual) in [
      ("name", entry.name.description, manifest.name.description), ("version", entry.version, manifest.version),
      ("content SHA-256", entry.contentSHA256, archive.package.sha256),
    ] where listed != actual {
      throw Problem(
        .refused, "\(entry.name) \(entry.version) is not what index '\(found.index.name)' lists",
        reason: "its \(fact) is \(actual), but the index lists \(listed)", hint: "Ask the publisher of the index.")
    }
    var provenance = PluginProvenance(.index, location.description)
    (provenance.index, provenance.archiveSHA256) = (found.index.name, archive.sha256)
    return PluginCandidate(
      archive.package, origin: location.description, provenance, signature: archive.signature,
      needsSignature: found.index.contents.requiresSignatures)
  }

  /// The header of the index; nil if the index has no header, or the archive is on another server.
  private func header(for location: IndexLocation) throws -> Header? {
    guard let source = found.index.header, case .url(let url) = location,
      case .url(let indexURL) = found.index.location, url.origin == indexURL.origin
    else { return nil }
    return try IndexHeader(session: session).header(from: source, of: found.index.name)
  }
}

/// Reads the header that the server of a private index requires. Each run reads it from its source again.
struct IndexHeader {
  let session: Session

  /// - Throws: `credentials_missing` if the source has no header. Its content is never shown.
  func header(from source: SecretSource, of index: String) throws -> Header {
    let bytes: [UInt8]
    let origin: String
    switch source {
    case .file(let path):
      origin = path
      do throws(SystemError) { bytes = try session.world.files.readRegular(path, limit: Self.limit) } catch {
        throw missing(index, "\(path) cannot be read: \(error)")
      }
    case .command(let commandLine):
      origin = commandLine[0]
      bytes = try output(of: commandLine, index)
    }
    guard let text = String(validating: bytes, as: UTF8.self),
      let line = text.split(whereSeparator: \.isNewline).first, let colon = line.firstIndex(of: ":")
    else { throw missing(index, "\(origin) does not begin with a line 'NAME: VALUE'") }
    let name = String(line[..<colon])
    let value = String(line[line.index(after: colon)...].drop { $0 == " " })
    guard Self.isName(name), let secret = Secret(parsing: value) else {
      throw missing(index, "\(origin) does not begin with a line 'NAME: VALUE'")
    }
    return Header(name, secret: secret)
  }

  private func output(of commandLine: [String], _ index: String) throws -> [UInt8] {
    let result: ProcessResult
    do throws(SystemError) {
      result = try session.world.processes.run(forSecret: commandLine)
    } catch {
      try session.world.checkInterruption()
      throw missing(index, "\(commandLine[0]) cannot be run: \(error)")
    }
    guard result.status == 0, result.output.count <= Self.limit else {
      throw missing(index, "\(commandLine[0]) exited with status \(result.status)")
    }
    return result.output
  }

  private func missing(_ index: String, _ reason: String) -> Problem {
    Problem(
      .credentialsMissing, "index '\(index)' needs a header, which is missing", reason: reason,
      hint: """
        Write one line, such as 'Authorization: Bearer TOKEN'. To use another source, remove the index and add it \
        again.
        """)
  }

  private static let limit = 16 << 10

  private static func isName(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        byte.isLetterOrDigit || "-_".utf8.contains(byte)
      }
  }
}
