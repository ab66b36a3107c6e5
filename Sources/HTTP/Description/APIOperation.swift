/// One operation of an HTTP API, as far as a description of the API needs it.
///
/// A class, because the many copies of a structure of this size would make the program larger.
package final class APIOperation: Sendable {
  package let method: Method
  /// The unique name, such as `showConnection`.
  package let id: String
  package let summary: String
  package let certainty: [Certainty]
  /// The credentials, each of which is enough.
  package let credentials: [Credential]
  /// The names of the parameters in the query. Those in the path follow from the path.
  package let query: [String]
  package let body: Body?
  package let responses: [APIResponse]

  package init(
    _ method: Method, _ id: String, _ summary: String, _ certainty: [Certainty], _ credentials: [Credential],
    query: [String] = [], body: Body? = nil, _ responses: [APIResponse]
  ) {
    (self.method, self.id, self.summary, self.certainty) = (method, id, summary, certainty)
    (self.credentials, self.query, self.body, self.responses) = (credentials, query, body, responses)
  }

  /// The origin of what is known about an operation (docs/api/README.md §2).
  package enum Certainty: String, Sendable {
    case sdk = "SDK"
    case documented = "DOC"
    case published = "REPO"
    case thirdParty = "3P"
    case decision = "DECISION"
  }

  /// A credential, with its name among the security schemes.
  package enum Credential: String, Sendable {
    case none
    case serviceKey = "ServiceKey"
    case userToken = "UserToken"
    case accessToken = "AccessToken"
  }

  /// The body of a request.
  package struct Body: Sendable {
    package let schema: String
    let isRequired: Bool
    let mediaTypes: [String]

    private init(_ schema: String, isRequired: Bool, mediaTypes: [String] = [APIResponse.json]) {
      (self.schema, self.isRequired, self.mediaTypes) = (schema, isRequired, mediaTypes)
    }

    package static func required(_ schema: String) -> Body { Body(schema, isRequired: true) }
    package static func optional(_ schema: String) -> Body { Body(schema, isRequired: false) }
    /// An optional body that is JSON or a form.
    package static func form(_ schema: String) -> Body {
      Body(schema, isRequired: false, mediaTypes: [APIResponse.json, "application/x-www-form-urlencoded"])
    }
  }
}

/// A response of an operation.
package struct APIResponse: Sendable {
  package static let json = "application/json"

  package let status: Int
  package let summary: String
  /// The schema of the body; nil without a body.
  package let schema: String?
  package let mediaType: String

  package init(_ status: Int, _ summary: String, schema: String? = nil, mediaType: String = json) {
    (self.status, self.summary, self.schema, self.mediaType) = (status, summary, schema, mediaType)
  }
}

/// A path of an HTTP API with its operations.
package struct APIPath: Sendable {
  /// The path, with its parameters in braces: `/v2/connections/{connection_id}`.
  package let template: String
  package let operations: [APIOperation]

  package init(_ template: String, _ operations: [APIOperation]) {
    (self.template, self.operations) = (template, operations)
  }

  /// The segments after the first `/`.
  package var segments: [Segment] {
    template.utf8.split(separator: UInt8(ascii: "/")).map { segment in
      segment.first == UInt8(ascii: "{")
        ? .parameter(String(Substring(segment.dropFirst().dropLast()))) : .literal(String(Substring(segment)))
    }
  }

  package enum Segment: Sendable {
    case literal(String)
    case parameter(String)

    package var parameter: String? { if case .parameter(let name) = self { name } else { nil } }
  }
}
