package import Session

extension Node {
  package static var doctor: Node { .verb(Doctor.self) }
  /// Hidden: sends usage events in the background.
  package static var usageSender: Node { .verb(UsageSend.self) }
}
