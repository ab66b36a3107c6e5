package import Text
import World

extension Console {
  /// The contents of a file that an option names; `-` is stdin.
  /// - Parameter limit: in bytes.
  /// - Throws: `refused` if the file cannot be read.
  package func contents(of file: String, for option: String, limit: Int) throws -> [UInt8] {
    guard file != "-" else {
      try claimInput(for: option)
      return try world.input.readAll(limit: limit)
    }
    do throws(SystemError) { return try world.files.read(file, limit: limit) } catch {
      throw Problem(
        .refused, "cannot read '\(file)'", reason: error.description,
        hint: "Pass a readable file, or '-' for stdin.")
    }
  }

  /// The contents of a text file that an option names, without a byte order mark; `-` is stdin.
  /// - Throws: `refused` if the file cannot be read or is not in UTF-8.
  package func text(of file: String, for option: String, limit: Int) throws -> [UInt8] {
    let bytes = try contents(of: file, for: option, limit: limit)
    do throws(ForeignEncoding) { return try TextStart.removed(from: bytes) } catch {
      throw Problem(
        .refused, "cannot read \(file == "-" ? "stdin" : "'\(file)'")", reason: error.description,
        hint: "Save it as UTF-8.")
    }
  }

  /// Reads stdin to its end.
  /// - Parameters:
  ///   - option: the option that reads it, for an error if another one has read it.
  ///   - hint: the advice if the text is not in UTF-8.
  ///   - receive: called with each part.
  ///   - end: called at the end.
  package func readInput(
    for option: String, hint: Hint, _ receive: ([UInt8]) throws -> Void, atEnd end: () throws -> Void
  ) throws {
    try claimInput(for: option)
    do {
      while true {
        let bytes = try world.input.readSome()
        if bytes.isEmpty { break }
        try receive(bytes)
      }
      try end()
    } catch let encoding as ForeignEncoding {
      throw Problem(.usage, "stdin \(encoding.predicate)", hint: hint)
    }
  }
}
