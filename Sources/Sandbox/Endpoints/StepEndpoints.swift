import HTTP
import JSON
import Text
import World

extension Emulator {
  /// `POST …/actions/{service.action}/run`: runs the action on the partner's server if one is connected. Otherwise,
  /// accepts the request without any effect.
  mutating func run(
    _ name: String, connection id: String, _ request: APIRequest
  ) throws(ErrorResponse) -> EmulatorResponse {
    let subject = try subject(id, request, named: name)
    let call = try StepRequest(name, .actions, of: subject, request.body ?? [:])
    // While options are still missing, the overrides are unchecked and this evaluation is discarded. An action must not
    // run before they arrive.
    if isOwn(call.step), lookups.missing.isEmpty { try runOnPartner(call, subject) }
    return EmulatorResponse(status: 204)
  }

  /// `POST …/triggers/{service.trigger}/test`: sends the webhook of a fired trigger to the service.
  mutating func test(
    _ name: String, connection id: String, _ request: APIRequest
  ) throws(ErrorResponse) -> EmulatorResponse {
    var body = request.body ?? [:]
    body["fields"] = nil
    let subject = try subject(id, request, body)
    let call = try StepRequest(name, .triggers, of: subject, body)
    let fired = FiredTrigger(
      connection: subject.connection, user: subject.user, feature: call.instance, step: call.step,
      configured: call.configured)
    fire(fired, fired.ingredients(of: CivilTime(request.now)), sentAt: request.now.milliseconds)
    return EmulatorResponse(status: 204)
  }

  /// `POST …/queries/{service.query}/perform`: returns one page of rows, from the partner's server
  /// if one is connected.
  mutating func perform(
    _ name: String, connection id: String, _ request: APIRequest
  ) throws(ErrorResponse) -> EmulatorResponse {
    let body = request.body ?? [:]
    let subject = try subject(id, request, named: name)
    let call = try StepRequest(name, .queries, of: subject, body)
    let includes = try self.includes(of: body)
    let limit = try limit(of: body) ?? call.step.rows.pageSize
    if isOwn(call.step) {
      return try performOnPartner(
        call, subject, limit: limit, cursor: body["cursor"]?.string, including: includes.sorted())
    }
    let rows = call.rows
    let cursors = PageCursors(connection: id, query: name, fields: call.overrides)
    var start = 0
    switch body["cursor"] {
    case nil, .null: break
    case .string(let text):
      guard let offset = cursors.offset(of: text), offset < rows.count else {
        throw .invalidParameters([.init(parameter: "/cursor", message: "Not a cursor of this query")])
      }
      start = offset
    default: throw .invalidParameters([.init(parameter: "/cursor", message: "Must be a string")])
    }
    let page = rows.dropFirst(start).prefix(limit)
    var list: JSONObject = [
      "type": "list", "data": .array(page.map { SandboxFixtures.QueryRows.sent($0, including: includes) }),
    ]
    if page.endIndex < rows.endIndex {
      // The cursor is a member of `next`, not a sibling of `data` (docs/api/connect.md C5).
      list["next"] = ["fields": .object(call.overrides), "cursor": .string(cursors.cursor(at: start + page.count))]
    }
    return EmulatorResponse(body: JSONValue.object(list).bytes)
  }

  /// The subject of a request to a step. If the request overrides fields, the subject has the current options, against
  /// which the values are checked.
  private mutating func subject(
    _ id: String, _ request: APIRequest, named step: String
  ) throws(ErrorResponse) -> RequestSubject {
    let subject = try subject(id, request, request.body)
    return request.body?["fields"]?.object?.members.isEmpty == false
      ? try withCurrentOptions(subject, of: step) : subject
  }

  private func includes(of body: JSONObject) throws(ErrorResponse) -> Set<String> {
    let json = body["includes"] ?? .null
    if json.isNull { return [] }
    guard let names = json.array?.map(\.string), !names.contains(nil) else {
      throw .invalidParameters([.init(parameter: "/includes", message: "Must be an array of strings")])
    }
    return Set(names.compactMap(\.self))
  }

  private func limit(of body: JSONObject) throws(ErrorResponse) -> Int? {
    let json = body["limit"] ?? .null
    if json.isNull { return nil }
    guard let limit = json.int, SandboxFixtures.QueryRows.limits.contains(limit) else {
      throw .invalidParameters([
        .init(
          parameter: "/limit",
          message: "Must be a whole number from 1 to \(SandboxFixtures.QueryRows.limits.upperBound)")
      ])
    }
    return limit
  }
}

extension StepRequest {
  /// The rows that the query returns. A nested query returns its own rows. Any other query returns the rows that have
  /// the label of each selected option; a row without that column matches any option.
  var rows: [JSONObject] {
    if let nested = step.rows.rows(ofNestedWith: overrides) { return nested }
    let selected = zip(step.fields, values).compactMap { field, value -> (id: String, label: String)? in
      guard case .option(_, let label, _) = value else { return nil }
      return (field.id, label)
    }
    return step.rows.all.filter { row in
      selected.allSatisfy { id, label in row[id]?.string.map { $0 == label } ?? true }
    }
  }
}

/// The page cursors of one query. A cursor is accepted only if it was issued for the same query with the same fields.
struct PageCursors {
  private let seed: UInt64

  init(connection: String, query: String, fields: JSONObject) {
    // FNV-1a.
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in Array("\(connection) \(query) ".utf8) + JSONValue.object(fields).bytes {
      hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
    }
    seed = hash
  }

  func cursor(at offset: Int) -> String {
    var source = SplitMix64(state: seed &+ UInt64(offset))
    return "pg\(offset)-\(String(source.next() % 1_679_616, radix: 36))"
  }

  /// The offset of the page; nil if the text is not one of these cursors.
  func offset(of text: String) -> Int? {
    let digits = text.utf8.dropFirst(2).prefix(while: \.isDigit)
    guard let offset = Int(String(decoding: digits, as: UTF8.self)), offset > 0, cursor(at: offset) == text else {
      return nil
    }
    return offset
  }
}

extension Emulator {
  /// Runs an action on the partner's server.
  /// - Throws: the error response if the action failed or was skipped.
  mutating func runOnPartner(_ call: StepRequest, _ subject: RequestSubject) throws(ErrorResponse) {
    let request = PartnerCall(
      method: .post, path: ["actions", call.step.slug],
      body: PartnerBody.step(
        .actions, fields: call.step.fieldValues(call.values), connection: subject.connection.id),
      user: subject.user.id, connection: subject.connection.id)
    guard let response = partnerResponse(to: request) else { return }
    guard response.rows?.isEmpty == false else { throw .downstream(response) }
  }

  /// Performs a query on the partner's server.
  /// - Parameter call: the query. The `next` of the response repeats its overrides unchanged.
  mutating func performOnPartner(
    _ call: StepRequest, _ subject: RequestSubject, limit: Int, cursor: String?, including names: [String]
  ) throws(ErrorResponse) -> EmulatorResponse {
    var body = PartnerBody.step(
      .queries, fields: call.step.fieldValues(call.values), connection: subject.connection.id)
    body["limit"] = JSONValue(limit)
    if let cursor { body["cursor"] = .string(cursor) }
    // The Connect API names this parameter `includes` (docs/api/service.md C14).
    if !names.isEmpty { body["include"] = .array(names.map(JSONValue.string)) }
    let request = PartnerCall(
      method: .post, path: ["queries", call.step.slug], body: body, user: subject.user.id,
      connection: subject.connection.id)
    guard let response = partnerResponse(to: request) else { return EmulatorResponse() }
    guard let rows = response.rows else { throw .downstream(response) }
    var list: JSONObject = ["type": "list", "data": .array(rows.map { .object($0.asConnectRow) })]
    if let cursor = response.cursor {
      list["next"] = ["fields": .object(call.overrides), "cursor": .string(cursor)]
    }
    return EmulatorResponse(body: JSONValue.object(list).bytes)
  }
}

extension JSONObject {
  /// The row of a Service API response in the format of the Connect API, which has other keys for nested queries.
  fileprivate var asConnectRow: JSONObject {
    JSONObject(
      members: members.map { key, value in
        guard let fields = value["queryFields"] else { return (key, value) }
        guard let rows = value["data"]?.array else { return (key, ["type": "query", "fields": fields]) }
        let data = rows.map { row in row.object.map { .object($0.asConnectRow) } ?? row }
        return (key, ["type": "list", "data": .array(data)])
      })
  }
}
