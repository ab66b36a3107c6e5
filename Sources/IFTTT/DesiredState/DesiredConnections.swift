import JSON

/// The entries of a file, in its order. Each is held as JSON, which takes a third of the memory of its values.
package struct DesiredConnections: RandomAccessCollection, Sendable, Equatable {
  package private(set) var ids: [ConnectionID] = []
  /// For each entry, its position in the file and its JSON as an array.
  private var bytes: [UInt8] = []
  /// Where the entries end in ``bytes``.
  private var ends: [Int] = []

  package init(_ entries: some Sequence<DesiredConnection> = []) { for entry in entries { append(entry) } }

  package var startIndex: Int { 0 }
  package var endIndex: Int { ends.count }

  package subscript(index: Int) -> DesiredConnection {
    let entry = bytes[(index == 0 ? 0 : ends[index - 1])..<ends[index]]
    guard let pair = try? JSONValue(parsing: Array(entry)).array, let place = pair[0].string,
      let connection = try? DesiredConnection(document: pair[1], at: place)
    else { preconditionFailure("an entry that was written cannot be read") }
    return connection
  }

  package mutating func append(_ entry: DesiredConnection) {
    ids.append(entry.id)
    bytes += JSONValue.array([.string(entry.place), entry.json]).text.utf8
    ends.append(bytes.count)
  }

  /// Those whose ids fulfill a condition.
  package func filter(_ isIncluded: (ConnectionID) -> Bool) -> DesiredConnections {
    var result = DesiredConnections()
    for (index, id) in ids.enumerated() where isIncluded(id) {
      result.ids.append(id)
      result.bytes += bytes[(index == 0 ? 0 : ends[index - 1])..<ends[index]]
      result.ends.append(result.bytes.count)
    }
    return result
  }
}
