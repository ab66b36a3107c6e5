import HTTP
import Session
import Store
import Text
import World

/// The header that the server of a private index demands, read from its source for each run.
struct IndexHeader {
  let session: Session

  /// - Throws: `credentials_missing` if the source has no header. Its content is never shown.
  func header(from source: StoredPluginIndex.HeaderSource, of index: String) throws -> Header {
    let bytes: [UInt8]
    let place: String
    switch source {
    case .file(let path):
      place = path
      do throws(SystemError) { bytes = try session.world.files.readRegular(path, limit: Self.limit) } catch {
        throw missing(index, "\(path) cannot be read: \(error)")
      }
    case .command(let words):
      place = words[0]
      bytes = try output(of: words, index)
    }
    guard let text = String(validating: bytes, as: UTF8.self),
      let line = text.split(whereSeparator: \.isNewline).first, let colon = line.firstIndex(of: ":")
    else { throw missing(index, "\(place) does not begin with a line 'NAME: VALUE'") }
    let name = String(line[..<colon])
    let value = String(line[line.index(after: colon)...].drop { $0 == " " })
    guard Self.isName(name), let secret = Secret(parsing: value) else {
      throw missing(index, "\(place) does not begin with a line 'NAME: VALUE'")
    }
    return Header(name, secret: secret)
  }

  private func output(of words: [String], _ index: String) throws -> [UInt8] {
    let result: ProcessResult
    do throws(SystemError) {
      result = try session.world.processes.run(words, input: [], limit: .seconds(30), seeing: .keys)
    } catch {
      guard !session.world.interruption.isInterrupted else { throw Problem.interrupted }
      throw missing(index, "\(words[0]) cannot be run: \(error)")
    }
    guard result.status == 0, result.output.count <= Self.limit else {
      throw missing(index, "\(words[0]) exited with status \(result.status)")
    }
    return result.output
  }

  private func missing(_ index: String, _ reason: String) -> Problem {
    Problem(
      .credentialsMissing, "index '\(index)' needs a header, which is missing", reason: reason,
      hint:
        "Write one line, such as 'Authorization: Bearer TOKEN'. To use another source, remove the index and add it again."
    )
  }

  private static let limit = 16 << 10

  private static func isName(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: "-_".utf8.contains(byte)
        }
      }
  }
}
