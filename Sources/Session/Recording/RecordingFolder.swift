import HTTP
import Text
package import World

/// The files of one recording: `recording.json` for the run, `store.json` for the store's contents, and one file per
/// exchange, numbered in order of completion.
package struct RecordingFolder {
  package let path: String
  package let files: any Files

  /// An upper bound for the size of any exchange.
  private static let limit = 256 << 20

  package var run: String { "\(path)/recording.json" }
  package var store: String { "\(path)/store.json" }

  /// `0001.json`
  package func exchange(_ number: Int) -> String {
    let digits = String(number)
    return "\(path)/\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits).json"
  }

  /// - Throws: ``Problem`` if the path already exists.
  package func make() throws {
    do throws(SystemError) { try files.makeNewFolder(path) } catch {
      throw Problem(
        .refused, "cannot record in '\(path)'", reason: error.description,
        hint: "Pass a folder that does not exist yet; a recording never overwrites files.")
    }
  }

  package func write(_ bytes: [UInt8], to file: String) throws(SystemError) {
    try files.replace(file, with: bytes, mode: 0o600)
  }

  /// - Throws: ``Problem`` if the folder does not contain a recording.
  func readRun() throws -> RecordedRun {
    let bytes: [UInt8]
    do throws(SystemError) { bytes = try files.readRegular(run, limit: Self.limit) } catch {
      throw Problem.noRecording(in: path, error.description)
    }
    return try RecordedRun(parsing: bytes, from: path)
  }

  /// The snapshot of the store; nil if the store had no data.
  func readStore() throws -> StoreSnapshot? {
    guard (try? files.facts(store)) != nil else { return nil }
    guard let snapshot = StoreSnapshot(parsing: try files.readRegular(store, limit: Self.limit)) else {
      throw Problem.noRecording(in: path, "store.json was not written by --record")
    }
    return snapshot
  }

  /// All exchanges, in order of completion.
  func readExchanges() throws -> [RecordedExchange] {
    var exchanges: [RecordedExchange] = []
    while true {
      let file = exchange(exchanges.count + 1)
      guard (try? files.facts(file)) != nil else { return exchanges }
      guard let exchange = RecordedExchange(parsing: try files.readRegular(file, limit: Self.limit)) else {
        throw Problem.noRecording(in: path, "\(file) was not written by --record")
      }
      exchanges.append(exchange)
    }
  }
}
