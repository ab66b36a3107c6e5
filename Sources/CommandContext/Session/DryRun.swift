import Display
package import HTTP
import Hints
import JSON
import Secrets
import World

extension OutputSchema {
  package static var requests: OutputSchema {
    OutputSchema(
      name: "dry-run",
      record: RecordSchema([
        "method": .string, "url": .string, "headers": .map, "body": .optionalString,
      ]),
      columns: [Column("METHOD", "method", overflow: .keep), Column("URL", "url", overflow: .keep)])
  }
}

extension Session {
  /// The output of `--dry-run`: the requests that would be sent, with secrets masked.
  ///
  /// - Parameter change: what else would change on this machine, as a sentence; nil if nothing would.
  package func dryRun(_ requests: [Request] = [], change: String? = nil) -> Output {
    let rows = requests.map { request -> [UInt8] in
      let headers = request.headers.map { (key: $0.name, value: JSONValue($0.redacted)) }
      let row: JSONValue = [
        "method": JSONValue(request.method.rawValue), "url": JSONValue(request.url.redacted),
        "headers": .object(JSONObject(members: headers)),
        "body": JSONValue(shownBody(of: request)),
      ]
      return row.bytes
    }
    var output = Output.rows(rows, as: .requests)
    // Only people need this note, because they might believe the URLs; a script knows its profile.
    if !requests.isEmpty, world.terminal.errorIsTerminal, (try? profileName.isSandbox) == true {
      console.note(Hint(Network.sandboxNote))
    }
    if let change { console.note(Hint(change)) } else if requests.isEmpty { console.note("Nothing would be sent.") }
    let changes = change != nil || requests.contains { $0.method != .get && $0.method != .head }
    if options.usesExitCode, changes {
      output.verdict = { throw Problem(.differs, "something would change") }
    }
    return output
  }

  private func shownBody(of request: Request) -> String? {
    guard let body = request.body, !body.isEmpty else { return nil }
    return Redactor(request.bodySecrets).redact(String(decoding: body, as: UTF8.self))
  }
}
