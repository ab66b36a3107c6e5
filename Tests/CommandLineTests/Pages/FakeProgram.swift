import Foundation
import Support

/// A substitute for `ifttt` in completion scripts: records each request and returns awkward names.
struct FakeProgram {
  private let folder: ScratchFolder
  /// The candidates it returns, in order.
  let values: [String]
  /// A file that exists if one of the names was executed.
  let marker: String
  var path: String { folder.path }

  /// - Parameter beginning: the only value, which is the beginning of others; nil for the awkward names.
  init(beginning: String? = nil) throws {
    folder = try ScratchFolder()
    let marker = folder.path + "/ran"
    values =
      beginning.map { [$0] } ?? [
        "alpha", "a b", "a$(touch \(marker))`touch \(marker)`", #"it's:"quoted"\back"#, "x*?[y]{1,2}~&;|<>", "-dash",
        "näme",
      ]
    self.marker = marker
    let lines = values.map { "\($0)\t\(beginning == nil ? FakeProgram.description(of: $0) : "…")\n" }
    try folder.write(lines.joined(), to: "answer")
    try folder.write(
      """
      #!/bin/sh
      here=${0%/*}
      for word in "$@"; do printf '[%s]' "$word"; done >>"$here/questions"
      echo >>"$here/questions"
      cat "$here/answer"
      echo 'not for the terminal' >&2
      exit 1
      """, to: "ifttt", isExecutable: true)
  }

  static func description(of value: String) -> String { "words: on $(touch ran) \(value.prefix(5))" }

  var hasRunName: Bool { FileManager.default.fileExists(atPath: marker) }

  /// The arguments of each request, each in brackets.
  func questions() throws -> [String] {
    let text = try String(contentsOf: folder.url.appendingPathComponent("questions"), encoding: .utf8)
    return text.split(separator: "\n").map(String.init)
  }
}
