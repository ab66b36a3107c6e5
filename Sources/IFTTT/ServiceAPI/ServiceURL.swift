package import HTTP

/// The address of a partner's server, up to and including `/ifttt/v1` (reference: service-api.md, section 1).
package struct ServiceURL: Sendable, Equatable {
  package let base: WebURL

  /// - Parameter prefix: the API URL prefix. `/ifttt/v1` is added unless the path ends with it.
  package init(prefix: WebURL) {
    var base = prefix
    while base.path.hasSuffix("/") { base.path.removeLast() }
    if base.path.hasSuffix("/ifttt/v1") {
      self.base = base
    } else {
      self.base = base.appending("ifttt", "v1")
    }
  }

  package func endpoint(_ path: ServicePath) -> WebURL {
    path.segments.reduce(base) { $0.appending($1) }
  }
}

/// The path of an endpoint below `/ifttt/v1`, such as `triggers/lamp_switched_on`.
package struct ServicePath: Sendable, Hashable, CustomStringConvertible {
  package let segments: [String]
  package init(_ segments: [String]) { self.segments = segments }
  package init(_ segments: String...) { self.segments = segments }

  package static let status = ServicePath("status")
  package static let testSetup = ServicePath("test", "setup")
  package static let userInfo = ServicePath("user", "info")

  /// The validation of one field of a trigger.
  static func validation(of field: String, in trigger: String) -> ServicePath {
    ServiceStepKind.triggers.path(trigger).field(field, "validate")
  }

  /// The validation of all fields of a trigger together (C7).
  static func contextualValidation(of trigger: String) -> ServicePath {
    ServiceStepKind.triggers.path(trigger).appending("validate")
  }

  /// The options or the validation of a field of this trigger, query or action.
  func field(_ slug: String, _ verb: String) -> ServicePath { appending("fields", slug, verb) }

  package func appending(_ segments: String...) -> ServicePath { ServicePath(self.segments + segments) }

  /// Whether this is the other path, or a path below it.
  package func isWithin(_ other: ServicePath) -> Bool { segments.starts(with: other.segments) }

  package var description: String { segments.joined(separator: "/") }
}

/// A kind of endpoint that has fields.
package enum ServiceStepKind: String, Sendable, CaseIterable {
  case triggers, queries, actions

  package func path(_ slug: String) -> ServicePath { ServicePath(rawValue, slug) }

  /// The key of the fields in a request's body.
  package var fieldsKey: String {
    switch self {
    case .triggers: "triggerFields"
    case .queries: "queryFields"
    case .actions: "actionFields"
    }
  }
}
