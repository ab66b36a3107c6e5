/// The reason why a request of a person who inspects the sandbox is not carried out.
package struct InspectionError: Error, Equatable {
  package enum Kind: Sendable {
    /// The user, the connection or the trigger does not exist.
    case notFound
    /// The state or the input does not allow it.
    case refused
  }

  package let kind: Kind
  /// One line for people.
  package let reason: String

  static func notFound(_ reason: String) -> InspectionError { InspectionError(kind: .notFound, reason: reason) }
  static func refused(_ reason: String) -> InspectionError { InspectionError(kind: .refused, reason: reason) }

  /// A list of names for a reason. Names of a partner's server may contain line breaks, and are then left out.
  static func list(_ names: [String]) -> String {
    let shown = names.filter { name in name.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f } }
    return shown.isEmpty ? "none" : shown.joined(separator: ", ")
  }
}

extension Emulator {
  /// The user with this id, of any service.
  func inspectedUser(_ id: String) throws(InspectionError) -> SandboxFixtures.User {
    let user =
      allUsers.first { $0.id == id } ?? seed.partners.first.flatMap { seed.generatedUser(id, of: $0.service) }
    guard let user else { throw .notFound("No user has this id") }
    return user
  }

  /// The connection with this id, if the user's service owns it.
  func inspectedConnection(
    _ id: String, of user: SandboxFixtures.User
  ) throws(InspectionError) -> SeededConnection {
    guard let seeded = seed.connection(id), seeded.connection.services.first?.slug == user.service else {
      throw .notFound("The user's service has no connection with this id")
    }
    return seeded
  }
}
