import JSON

/// A JSON array of positions.
enum PositionArray {
  static func read(_ bytes: UnsafeRawBufferPointer, into found: inout [TrackItem]) throws(TrackError) {
    var lines = LineCount(bytes)
    do throws(JSONError) {
      var scanner = JSONScanner(bytes)
      // Several arrays may follow one another.
      while scanner.next != nil {
        guard scanner.next == UInt8(ascii: "[") else {
          throw JSONError(problem: "unexpected text follows the array", offset: scanner.place)
        }
        while try scanner.nextElement() {
          let element = try scanner.skipValue()
          switch PositionObject.read(Array(scanner.slice(element))) {
          case .position(let position): found.append(.position(position))
          case .nothing: break
          case .broken(let reason):
            found.append(.broken(reason: reason, line: lines.number(at: element.lowerBound)))
          }
        }
      }
    } catch {
      let line = lines.number(at: error.offset)
      throw TrackError(reason: error.problem, line: line, column: lines.column(at: error.offset))
    }
  }
}
