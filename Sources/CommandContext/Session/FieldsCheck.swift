package import Arguments
import Display

extension GlobalOptions {
  /// Refuses fields that the command's output does not have before the command does anything. With `--dry-run` the
  /// output may be another, and is judged when it is printed.
  package func checkFields(
    of command: [String], in group: CommandGroup<Action, OutputSchema?>
  ) throws(GlobalOptionError) {
    guard let fields, !isDryRun, let shape = group.outputSchema(of: command) else { return }
    do throws(FieldsError) {
      try FieldCatalogue(shape.record.fields + (shape.alternative?().record.fields ?? [])).check(fields)
    } catch {
      guard case .unknown(let path, let valid) = error else { return }
      let siblings = FieldNeighbours(of: path, in: valid).paths
      // Those elsewhere are of interest only where none of these can have been meant.
      let accepted =
        NearestNames.of(path, among: siblings).isEmpty
        ? siblings + NearestNames.of(path, amongPaths: valid) : siblings
      throw GlobalOptionError(
        "fields", ValueError("no such field", accepted: accepted, bytes: Self.place(of: path, in: fields)))
    }
  }

  /// A replay is not recorded: what it would hold is there already.
  func checkRecording() throws(GlobalOptionError) {
    guard recordFolder != nil, replayFolder != nil else { return }
    throw GlobalOptionError("replay", ValueError("it excludes --record"))
  }

  /// The UTF-8 bytes of one field in the list as it was typed, a comma between any two.
  private static func place(of path: String, in fields: [Display.FieldPath]) -> Range<Int>? {
    guard let index = fields.firstIndex(where: { $0.text == path }) else { return nil }
    let start = fields[..<index].reduce(0) { $0 + $1.text.utf8.count + 1 }
    return start..<start + path.utf8.count
  }
}

/// The fields that may have been meant where one is not there: those at its place, since all of them fill a screen.
package struct FieldNeighbours {
  package let paths: [String]

  package init(of path: String, in valid: [String]) {
    var parent = path.split(separator: ".").dropLast().map(String.init)
    var found: [String] = []
    while true {
      found = FieldNeighbours.children(of: parent, in: valid)
      if !found.isEmpty || parent.isEmpty { break }
      parent.removeLast()
    }
    paths = found
  }

  private static func children(of parent: [String], in valid: [String]) -> [String] {
    valid.filter { path in
      let names = path.split(separator: ".")
      return names.count == parent.count + 1 && names.dropLast().elementsEqual(parent) { $0 == $1 }
    }
  }
}
