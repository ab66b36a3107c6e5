import CommandContext
import Display
import HTTP
import JSON
import Sandbox
import Secrets
import Time
import World

extension OutputSchema {
  static var receivedRequests: OutputSchema {
    OutputSchema(
      name: "sandbox-requests",
      record: RecordSchema([
        "number": .int, "at": .string, "method": .string, "path": .string, "query": .optionalString, "headers": .map,
        "body": .optionalString, "body_size": .int, "status": .optionalInt, "fault": .optionalString,
        "direction": .word(["received", "sent"]),
      ]),
      columns: [
        Column("N", "number", style: .number), Column("AT", "at"), Column("METHOD", "method", overflow: .keep),
        Column("PATH", "path", overflow: .keep), Column("QUERY", "query"), Column("STATUS", "status", style: .number),
        Column("DIRECTION", "direction", overflow: .keep), Column("FAULT", "fault"),
      ])
  }
}

/// A recorded request as printed, with every credential masked.
struct ShownRequest {
  private let record: RecordedRequest
  private let redactor: Redactor

  init(_ record: RecordedRequest) {
    self.record = record
    redactor = Redactor(Self.secrets(of: record))
  }

  var target: String { redactor.redact(record.target) }

  var json: JSONValue {
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let headers = record.headers.map { (key: $0.name, value: JSONValue.string(redactor.redact($0.wire))) }
    return [
      "number": JSONValue(record.number), "at": JSONValue(record.at.rfc3339), "method": JSONValue(record.method),
      "path": JSONValue(parts[0]), "query": JSONValue(parts.count == 2 ? parts[1] : nil),
      "headers": .object(JSONObject(members: headers)),
      "body": JSONValue(
        record.body.isEmpty ? nil : redactor.redact(String(decoding: record.body, as: UTF8.self))),
      "body_size": JSONValue(record.bodySize), "status": JSONValue(record.status),
      "fault": JSONValue(record.struck.text), "direction": JSONValue(record.status == nil ? "sent" : "received"),
    ]
  }

  /// The values of all headers, parameters and body members that may hold a credential.
  private static func secrets(of record: RecordedRequest) -> [Secret] {
    let fields = ["authorization", "ifttt-service-key", "ifttt-invite-code", "ifttt-channel-key", "cookie"]
    var found = record.headers.filter { fields.contains($0.name.lowercased()) }.map { header in
      let words = header.wire.split(separator: " ", maxSplits: 1)
      return String(words.count == 2 ? words[1] : header.wire[...])
    }
    // Also mask what a recording would mask. A recording ignores very short secrets, so the headers above and the
    // parameters below are handled here.
    var mask = ExchangeRedactor()
    for header in record.headers where !fields.contains(header.name.lowercased()) {
      _ = mask.masked(header.wire, ofHeader: header.name)
    }
    _ = mask.masked(record.target)
    _ = mask.masked(record.body)
    let names: Set = ["access_token", "user_token", "token", "code", "oauth_code", "invite_code"]
    let request = Request(receivedMethod: record.method, target: record.target, headers: [], body: [])
    found += request?.url.query.filter { names.contains($0.name) }.map(\.value) ?? []
    for (key, value) in (try? JSONValue(parsing: record.body))?.object?.members ?? [] where names.contains(key) {
      if let text = value.string { found.append(text) }
    }
    return found.compactMap { Secret(parsing: $0) } + mask.known
  }
}
