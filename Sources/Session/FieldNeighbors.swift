import CommandLine
package import Output
import Text

/// The likely alternatives to a missing field: its siblings only, because the complete list fills a screen.
package struct FieldNeighbors {
  package let paths: [String]

  package init(of path: String, in valid: [String]) {
    var parent = path.split(separator: ".").dropLast().map(String.init)
    var found: [String] = []
    while true {
      found = FieldNeighbors.children(of: parent, in: valid)
      if !found.isEmpty || parent.isEmpty { break }
      parent.removeLast()
    }
    paths = found
  }

  /// The fields to suggest in place of a missing one. Fields elsewhere are among them only if none of the siblings is a
  /// likely match.
  package static func likely(insteadOf path: String, in valid: [String]) -> [String] {
    let siblings = FieldNeighbors(of: path, in: valid).paths
    return NearestNames.of(path, among: siblings).isEmpty
      ? siblings + NearestNames.of(path, amongPaths: valid) : siblings
  }

  private static func children(of parent: [String], in valid: [String]) -> [String] {
    valid.filter { path in
      let names = path.split(separator: ".")
      return names.count == parent.count + 1 && names.dropLast().elementsEqual(parent) { $0 == $1 }
    }
  }
}

// MARK: Checks of fields

extension OutputSchema {
  /// - Throws: a usage error for the first path that no row of this output has.
  package func require(_ paths: [FieldPath]) throws(Problem) {
    do throws(FieldsError) { try check(paths) } catch {
      guard case .unknown(let field, let valid) = error else { throw Problem(.usage, error.description) }
      let listed = FieldNeighbors(of: field, in: valid).paths.joined(separator: ", ")
      throw Problem(.usage, "unknown field '\(field)'", hint: "Accepted values: \(listed).")
    }
  }

  /// The dotted paths of all outputs that the command prints, depending on its options. With `--dry-run`, most commands
  /// print requests and some print their usual output.
  func possibleFields(isDryRun: Bool) -> [String] {
    let others = [alternative?(), isDryRun ? dryRun?() : nil, isDryRun ? .many(PlannedRequest.self) : nil]
    return others.compactMap(\.self).reduce(into: fields) { fields, other in
      let known = Set(fields)
      fields += other.fields.filter { !known.contains($0) }
    }
  }
}
