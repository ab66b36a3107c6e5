import JSON
import Plugins

/// An answers file of `plugin test` is accepted exactly if it has the documented form, which is checked here by another
/// rule: no unknown member, and each of its type.
enum AnswersProperties {
  static func problem(in bytes: [UInt8]) -> String? {
    let read = try? ConformanceAnswers(parsing: bytes)
    let isRight = (try? JSONValue(parsing: bytes)).map(isAnswers) ?? false
    guard (read != nil) == isRight else { return isRight ? "a valid file is rejected" : "an invalid file is accepted" }
    return read == (try? ConformanceAnswers(parsing: bytes)) ? nil : "the same bytes have different answers"
  }

  private static func isAnswers(_ value: JSONValue) -> Bool {
    hasMembers(value) { name, member in
      switch name {
      case "credentials": hasMembers(member) { $1.string != nil }
      case "prompts", "redirects": isTexts(member)
      case "confirms": member.array?.allSatisfy { $0.bool != nil } ?? false
      case "input": member.string != nil
      case "activate": hasMembers(member) { $0 == "id" ? $1.string != nil : $0 == "values" && $1.object != nil }
      case "commands": member.array?.allSatisfy(isCommand) ?? false
      default: false
      }
    }
  }

  private static func isCommand(_ value: JSONValue) -> Bool {
    hasMembers(value) { name, member in
      switch name {
      case "command", "arguments": isTexts(member)
      case "options": member.object != nil
      default: false
      }
    }
  }

  private static func isTexts(_ value: JSONValue) -> Bool { value.array?.allSatisfy { $0.string != nil } ?? false }

  private static func hasMembers(_ value: JSONValue, _ isRight: (String, JSONValue) -> Bool) -> Bool {
    value.object?.members.allSatisfy { isRight($0.key, $0.value) } ?? false
  }
}
