import Foundation
import Support
import Testing

/// The settings of a folder in its file `.ifttt`.
@Suite struct FolderSettingsTests {
  private let home = Home()
  private var file: String { home.workplace[".ifttt"] }

  init() throws {
    #expect(try home.run("profile", "create", "staging", "--service", "tidebook").status == 0)
  }

  /// Run the program in a folder in the working folder.
  private func run(_ words: String, in folder: String = ".", _ more: [String: String] = [:]) throws -> Tool.Outcome {
    try Tool.required("bash").run(
      ["-c", "cd '\(home.workplace.path)/\(folder)' && '\(Home.program)' \(words)"], in: ScratchFolder(),
      environment: home.environment.merging(more) { $1 })
  }

  private func profile(in folder: String = ".", _ more: [String: String] = [:]) throws -> String {
    let line = "profile show -o csv --no-header --fields name,origins.profile,origins.service"
    let outcome = try run(line, in: folder, more)
    return outcome.output + outcome.errors
  }

  @Test func theFolderSelectsTheProfileAndTheService() throws {
    home.workplace.write(".ifttt", "# No secrets.\n\n profile = staging\nservice=lampost\n")
    let path = URL(fileURLWithPath: file).resolvingSymlinksInPath().path
    #expect(try profile() == "staging,\(path),\(path)\n")
    #expect(try profile(in: ".", ["IFTTT_PROFILE": "sandbox"]) == "sandbox,IFTTT_PROFILE,\(path)\n")
    #expect(try profile(in: ".", ["IFTTT_SERVICE": "hibiki"]) == "staging,\(path),IFTTT_SERVICE\n")
    let option = try run("--profile default profile show -o csv --no-header --fields name,origins.profile")
    #expect(option.output == "default,--profile\n")
    let plan = try run("applets fetch --as anonymous --dry-run --json")
    #expect(plan.output.contains("/v1/services/lampost/applets"), "\(plan)")
    #expect(try run("-v applets fetch --as anonymous --dry-run").errors.contains("settings of this folder: \(path)"))
    let doctor = try run("doctor --offline -o tsv --no-header --fields check,found")
    let found = "profile\t'staging', selected by \(path); service 'lampost' from \(path)\n"
    #expect(doctor.output.contains(found), "\(doctor)")
    try FileManager.default.removeItem(atPath: file)
    #expect(try profile() == "default,default,\n")
    #expect(try run("profile use staging").status == 0)
    #expect(try profile() == "staging,profile use,profile\n")
  }

  /// As git finds its repository: from the working folder upwards. Outside of a repository, folders above do not count.
  @Test func theFileIsFoundUpToTheRepositorysRoot() throws {
    home.workplace.write(".ifttt", "profile = staging\n")
    try FileManager.default.createDirectory(
      atPath: home.workplace["a/b/.ifttt"], withIntermediateDirectories: true)
    #expect(try profile(in: "a/b").hasPrefix("default,default,"))
    try FileManager.default.createDirectory(atPath: home.workplace[".git"], withIntermediateDirectories: false)
    #expect(try profile(in: "a/b").hasPrefix("staging,"), "a folder with that name, as IFTTT_HOME may have, is skipped")
    home.workplace.write("a/.ifttt", "profile = sandbox\n")
    #expect(try profile(in: "a/b").hasPrefix("sandbox,"))
    home.workplace.write("a/b/.git", "gitdir: elsewhere\n")
    #expect(try profile(in: "a/b").hasPrefix("default,"), "the root of another repository")
  }

  @Test(arguments: [
    ("profile staging", "line 1: expected a line 'NAME = VALUE'"),
    ("\nprofile = a b", "line 2: not the name of a profile"),
    ("service = a/b", "line 1: expected the last part of https://ifttt.com/SLUG"),
    ("service_key = \(Known.serviceKey)", "line 1: it may contain 'profile' and 'service', and no credentials"),
  ])
  func aMalformedFileIsAnError(_ text: String, _ reason: String) throws {
    home.workplace.write(".ifttt", text)
    let outcome = try run("connections list --json")
    #expect(outcome.status == 2 && outcome.errors.contains(reason), "\(outcome)")
    #expect(!outcome.errors.contains(Known.serviceKey))
    #expect(try run("--profile staging connections list --json").status == 0, "it is not needed")
  }

  @Test func aFileOfOthersIsIgnored() throws {
    home.workplace.write(".ifttt", "profile = staging\n")
    try FileManager.default.setAttributes([.posixPermissions: 0o646], ofItemAtPath: file)
    #expect(try profile().contains("default,default,"))
    #expect(try run("profile show").errors.contains("other users can write it"))
    try FileManager.default.removeItem(atPath: file)
    try FileManager.default.createSymbolicLink(
      atPath: file, withDestinationPath: home.workplace.write("other", "profile = staging\n"))
    #expect(try run("profile show").errors.contains("it is not a regular file"))
    #expect(try run("connections list").status == 0)
  }
}
