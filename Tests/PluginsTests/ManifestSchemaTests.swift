import Foundation
import PluginProtocol
import Plugins
import Support
import Testing

/// The JSON Schema of manifests agrees with the reader.
@Suite struct ManifestSchemaTests {
  private static let valid: [(member: String, value: String)] = [
    ("schema_version", "1"), ("name", "\"shelf\""), ("version", "\"1.0\""), ("summary", "\"Things\""),
    ("kind", "\"command\""),
  ]

  private static func text(_ member: String, _ value: String?) -> String {
    let members = valid.filter { $0.member != member } + (value.map { [(member, $0)] } ?? [])
    return "{" + members.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",") + "}"
  }

  /// Members that both accept.
  private static let accepted: [(member: String, value: String)] = [
    ("vendor", "\"Lampost\""), ("vendor", "null"), ("executable", "\"run.sh\""), ("protocol", "[\"1\"]"),
    ("capabilities", "[\"connections/list\"]"), ("credentials", "[\"a/*\",\"*\",\"b\"]"), ("hosts", "[\"localhost\"]"),
    ("environment", "[\"A_1\"]"), ("browser", "true"), ("browser", "null"), ("files", "null"), ("$schema", "\"x\""),
    ("files", #"[{"path":"~/x","access":"read"},{"path":"/a/.b/..c","access":"write"}]"#),
    ("files", #"[{"path":"/","access":"read"},{"path":"~","access":"read"},{"path":".","access":"write"}]"#),
    ("files", #"[{"path":"./x","access":"read"},{"path":"$TMPDIR/x","access":"write"}]"#),
    ("files", #"[{"path":"$TMPDIR","access":"read"},{"path":"$IFTTT_HOME","access":"write"}]"#),
    (
      "commands",
      #"{"name":"shelf","summary":"x","path":["shelf"],"usage":["shelf"],"aliases":[["try","shelf"]],"options":null}"#
    ),
    ("commands", #"{"name":"shelf","summary":"x","output":{"columns":[{"title":"A","field":"a"}],"schema":{"b":1}}}"#),
  ]

  /// Members that neither accepts.
  private static let rejected: [(member: String, value: String?)] = [
    ("schema_version", nil), ("schema_version", "2"), ("schema_version", "\"1\""), ("name", nil), ("name", "\"Shelf\""),
    ("name", "7"), ("version", nil), ("version", "\"1 2\""), ("summary", nil), ("summary", "\"\""),
    ("summary", #""a\u001bb""#), ("vendor", "3"), ("kind", nil), ("kind", "\"daemon\""), ("kind", "\"provider\""),
    ("executable", "\"bin/x\""), ("executable", "\"..\""), ("executable", "\"plugin.json\""), ("executable", "\"-rf\""),
    ("protocol", "\"1\""), ("capabilities", "[1]"), ("credentials", "[1]"), ("credentials", "[\"a b\"]"),
    ("credentials", "[\"a*b\"]"), ("environment", "[\"A=B\"]"), ("environment", "[\"1A\"]"), ("hosts", "[\"\"]"),
    ("browser", "\"yes\""), ("browser", "1"), ("files", "{}"), ("files", "[\"~/x\"]"), ("files", #"[{"path":"~/x"}]"#),
    ("files", #"[{"access":"read"}]"#), ("files", #"[{"path":"~/x","access":"execute"}]"#),
    ("files", #"[{"path":"x","access":"read"}]"#), ("files", #"[{"path":"","access":"read"}]"#),
    ("files", #"[{"path":"$IFTTT_HOME/x","access":"read"}]"#), ("files", #"[{"path":"$A-B","access":"read"}]"#),
    ("files", #"[{"path":"../x","access":"read"}]"#), ("files", #"[{"path":"~/../x","access":"read"}]"#),
    ("files", #"[{"path":"/a//b","access":"read"}]"#), ("files", #"[{"path":"/a/./b","access":"read"}]"#),
    ("files", #"[{"path":"/a/","access":"read"}]"#), ("files", #"[{"path":"~ann/x","access":"read"}]"#),
    ("files", #"[{"path":"~/x","access":"read","mode":1}]"#), ("commands", "[]"), ("unknown", "1"),
    ("commands", #"{"name":"shelf"}"#), ("commands", #"{"name":"shelf","summary":"x","alias":[]}"#),
    ("commands", #"{"name":"shelf","summary":"x","options":[{"name":"-x","help":"x"}]}"#),
    ("commands", #"{"name":"shelf","summary":"x","options":[{"name":"a","help":"x","short":"ab"}]}"#),
    ("commands", #"{"name":"shelf","summary":"x","arguments":[{"help":"x"}]}"#),
    ("commands", #"{"name":"shelf","summary":"x","output":{"columns":[]}}"#),
    ("commands", #"{"name":"shelf","summary":"x","subcommands":[{"name":"a","summary":"x","hidden":true}]}"#),
  ]

  private func problem(_ text: String) -> ManifestError? {
    do throws(ManifestError) {
      _ = try Manifest(parsing: Array(text.utf8))
      try UnknownMembers().reject(in: Array(text.utf8))
      return nil
    } catch { return error }
  }

  @Test func bothAcceptTheSameManifests() throws {
    let texts = Self.accepted.map { Self.text($0.member, $0.value) }
    for text in texts { #expect(problem(text) == nil, "\(text)") }
    #expect(try JSONSchemaValidator.problems(of: texts, against: ManifestSchema.document) == [])
  }

  @Test func bothRejectTheSameManifests() throws {
    let texts = Self.rejected.map { Self.text($0.member, $0.value) }
    for text in texts { #expect(problem(text) != nil, "\(text)") }
    let found = try JSONSchemaValidator.problems(of: texts, against: ManifestSchema.document)
    let numbers = Set(found.compactMap { $0.split(separator: " ").first.flatMap { Int($0) } })
    for (number, text) in texts.enumerated() { #expect(numbers.contains(number), "\(text)") }
  }

  @Test func theManifestsOfThisRepositoryAreValid() throws {
    let paths = [
      "Sources/ifttt-grab/plugin.json", "Examples/plugins/feeds/plugin.json",
      "Examples/plugins/ifttt-hello/plugin.json",
    ]
    let texts = try paths.map { try Checkout.text($0) }
    for text in texts { #expect(problem(text) == nil) }
    #expect(try JSONSchemaValidator.problems(of: texts, against: ManifestSchema.document) == [])
  }

  /// The guide shows a whole manifest of each kind.
  @Test func theManifestsOfTheGuideAreValid() throws {
    let blocks = try Checkout.text("docs/plugins.md").components(separatedBy: "```json\n").dropFirst()
    let texts = blocks.compactMap { $0.components(separatedBy: "\n```").first }.filter { $0.contains("\"kind\"") }
    let kinds = try texts.map { try Manifest(forAuthor: Array($0.utf8)).kind }
    #expect(kinds == [.command, .provider])
    #expect(try JSONSchemaValidator.problems(of: texts, against: ManifestSchema.document) == [])
  }

  /// An author sees everything at once: unknown members first, because they often explain missing ones.
  @Test func allProblemsAreReported() throws {
    let text = Self.text(
      "commands",
      #"{"name":"shelf","summary":"x","args":[],"opts":[],"options":[{"name":"a","shrt":"a"},{"help":"x"}],"description":"y"}"#
    ).replacing(#""kind":"command""#, with: #""kind":"daemon","env":[],"hosts":"x""#)
    let error = #expect(throws: ManifestError.self) { _ = try Manifest(forAuthor: Array(text.utf8)) }
    #expect(
      error?.problems == [
        "the manifest has the unknown member 'env'; did you mean 'environment'?",
        "'commands' has the unknown member 'args'; did you mean 'arguments'?",
        "'commands' has the unknown member 'opts'; did you mean 'options'?",
        "an entry of 'options' has the unknown member 'shrt'; did you mean 'short'?",
        "'commands' has the unknown member 'description'; did you mean 'summary'?",
        "'kind' is neither 'provider' nor 'command'", "'hosts' of the manifest is not a list",
        "option '--a' of 'shelf' has no 'help'", "an option of 'shelf' has no 'name'",
      ], "\(error?.problems ?? [])")
  }

  @Test(arguments: [
    (#""credental":[]"#, "the manifest has the unknown member 'credental'; did you mean 'credentials'?"),
    (#""zzz":1"#, "the manifest has the unknown member 'zzz'"),
    (
      #""files":[{"path":"~/x","acces":"read"}]"#,
      "an entry of 'files' has the unknown member 'acces'; did you mean 'access'?"
    ),
    (
      #""commands":{"name":"a","summary":"b","subcommands":[{"name":"a","summary":"b","option":[]}]}"#,
      "an entry of 'subcommands' has the unknown member 'option'; did you mean 'options'?"
    ),
    (#""a\u001b[31m":1"#, "the manifest has the unknown member with unprintable characters"),
  ])
  func unknownMembersAreReportedWithASuggestion(_ member: String, _ reason: String) {
    let text = Self.text("vendor", nil).dropLast() + "," + member + "}"
    #expect(throws: ManifestError(reason)) { try UnknownMembers().reject(in: Array(text.utf8)) }
  }

  /// What a schema leaves open may have any members.
  @Test func theSchemaOfARowIsFree() {
    #expect(
      problem(
        Self.text(
          "commands",
          #"{"name":"shelf","summary":"x","output":{"columns":[{"title":"A","field":"a"}],"schema":{"anything":{"x":1}}}}"#
        ))
        == nil)
  }
}
