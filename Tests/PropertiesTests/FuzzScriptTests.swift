import Foundation
import Properties
import Support
import Testing

/// `script/fuzz` with a stand-in for the fuzzer: which targets run, with which options, and what is said at the end.
@Suite(.enabled(if: LibFuzzer.isAvailable)) struct FuzzScriptTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  /// - Parameter failing: the target in which the stand-in finds something.
  private func run(_ arguments: [String], failing: String = "") throws -> Tool.Outcome {
    let script = try #require(Tool(path: Checkout.path("script/fuzz")))
    let program = """
      #!/usr/bin/env bash
      echo "$IFTTT_FUZZ $*" >>calls
      for argument in "$@"; do
        case "$argument" in
          -artifact_prefix=*) finds="${argument#*=}" ;;
          -*) ;;
          *) corpus="${corpus:-$argument}" ;;
        esac
      done
      echo '#12 INITED cov: 34 ft: 56 corp: 7/8b'
      echo 'stat::number_of_executed_units: 9012'
      touch "$corpus/unit-$RANDOM-$RANDOM"
      [ "$IFTTT_FUZZ" != '\(failing)' ] || { touch "${finds}crash-1"; exit 77; }
      """
    try folder.write(
      program.replacingOccurrences(of: ">>calls", with: ">>\(folder.path)/calls"), to: "fuzz", isExecutable: true)
    return try script.run(
      arguments + ["--no-build"], in: folder, environment: ["IFTTT_FUZZ_SCRATCH": folder.path])
  }

  private func calls() throws -> [Substring] {
    try String(contentsOfFile: "\(folder.path)/calls", encoding: .utf8).split(separator: "\n")
  }

  private func lines(of outcome: Tool.Outcome) -> [Substring] {
    outcome.output.split(separator: "\n").filter { $0.contains(" executions ") }
  }

  @Test(arguments: [["--all", "--seconds", "3"], ["--seconds=3"]]) func runsEveryTargetInTurn(_ arguments: [String])
    throws
  {
    let outcome = try run(arguments)
    #expect(outcome.status == 0, "\(outcome)")
    let names = FuzzTarget.all.map(\.name).sorted()
    #expect(try calls().compactMap { $0.split(separator: " ").first.map(String.init) }.sorted() == names)
    #expect(try calls().allSatisfy { $0.contains(" -max_total_time=3 ") && !$0.contains("-fork") })
    let lines = lines(of: outcome)
    #expect(lines.compactMap { $0.split(separator: " ").first.map(String.init) }.sorted() == names)
    #expect(lines.allSatisfy { $0.hasSuffix(" 9012 executions      34 covered     1 new units   0 finds") }, "\(lines)")
  }

  @Test func aFindFailsAndTheOthersRun() throws {
    let outcome = try run(["--all"], failing: "json")
    #expect(outcome.status == 1)
    #expect(try calls().count == FuzzTarget.all.count)
    #expect(lines(of: outcome).filter { !$0.hasSuffix("  0 finds") }.map { $0.prefix(5) } == ["json "])
    #expect(outcome.errors.hasPrefix("FUZZING FAILED: json "), "\(outcome.errors)")
  }

  @Test func aTargetGetsItsDictionaryAndProcesses() throws {
    #expect(try run(["json", "--jobs", "4"]).status == 0)
    #expect(try calls().count == 1)
    let call = try #require(try calls().first)
    #expect(call.hasPrefix("json ") && call.contains(" -fork=4 ") && call.contains(" -max_total_time=60 "))
    #expect(call.contains(" -dict=Fuzz/Dictionaries/json.dict "))
    #expect(call.hasSuffix(" \(folder.path)/corpora/json Fuzz/Corpora/json"))
  }

  @Test(arguments: [
    ["--frobnicate"], ["--seconds"], ["--seconds", "0"], ["--seconds", "1.5"], ["--seconds=-1"], ["--jobs", "two"],
    ["--jobs=0"], ["--seconds", "10000000"], ["no-such-target"], ["../json"], ["json", "url"], ["--all", "json"], [""],
  ])
  func anythingElseIsAUsageError(_ arguments: [String]) throws {
    let outcome = try run(arguments)
    #expect(outcome.status == 2)
    #expect(
      outcome.errors.contains("usage: script/fuzz [TARGET | --all] [--seconds N] [--jobs N]"), "\(outcome.errors)")
    #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/calls"))
  }

  @Test func aProgramThatWasNeverBuiltIsAnError() throws {
    let script = try #require(Tool(path: Checkout.path("script/fuzz")))
    let outcome = try script.run(["--no-build"], in: folder, environment: ["IFTTT_FUZZ_SCRATCH": folder.path])
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("run script/fuzz without --no-build first"))
  }

  /// libFuzzer rejects a whole dictionary for one bad line.
  @Test func everyDictionaryBelongsToATargetAndCanBeRead() throws {
    for path in try Checkout.files(in: "Fuzz/Dictionaries") {
      let name = String(path.split(separator: "/").last ?? "").replacingOccurrences(of: ".dict", with: "")
      #expect(FuzzTarget.all.contains { $0.name == name }, "\(path)")
      for line in try Checkout.text(path).split(separator: "\n") where !line.hasPrefix("#") {
        let words = line.dropFirst().dropLast()
        #expect(
          line.hasPrefix("\"") && line.hasSuffix("\"") && !words.isEmpty && words.utf8.count <= 250, "\(path): \(line)")
        #expect(!words.contains("\"") && words.utf8.allSatisfy { 0x20...0x7e ~= $0 }, "\(path): \(line)")
      }
    }
  }
}

/// Swift's toolchain has libFuzzer only on Linux.
enum LibFuzzer {
  static var isAvailable: Bool {
    #if os(Linux)
      true
    #else
      false
    #endif
  }
}
