import Support
import Testing

@testable import World

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Locations in the file system, whatever path leads to them.
@Suite struct FileLocationTests {
  private let folder = TemporaryFolder()
  private let files = LiveFiles(interruption: TestInterruption())

  private func location(_ name: String) throws -> FileLocation {
    try #require(FileLocation(folder[name], in: files))
  }

  init() throws {
    try files.makeFolder(folder["home/bin"])
    folder.write("home/file", "")
    symlink(folder["home"], folder["link"])
  }

  @Test(arguments: ["home", "home/", "home//", "home/.", "home/bin/..", "link", "link/bin/../../home"])
  func spellingsAndLinksDoNotMatter(_ name: String) throws {
    let (home, other) = (try location("home"), try location(name))
    #expect(home == other && other.path == folder["home"] && other.kind == .folder)
    for inner in ["home/bin", "home/file", "link/bin/.", "home/none/deep"] {
      #expect(try other.contains(location(inner)) && !location(inner).contains(other), "\(inner)")
    }
    #expect(try !other.contains(location(".")) && location(".").contains(other))
    #expect(try !other.contains(location("homes")))
  }

  @Test func missingFilesHaveLocations() throws {
    let missing = try location("link/none/deep")
    #expect(missing.kind == nil && missing.path == folder["home/none/deep"] && missing.name == "deep")
    #expect(try missing == location("home/none/deep") && missing != location("home/none"))
    #expect(FileLocation("none", in: files)?.path.hasSuffix("/none") == true)
    #expect(FileLocation("/", in: files)?.path == "/" && FileLocation("/none", in: files)?.path == "/none")
  }

  @Test func otherMountsAreFoundByIdentity() throws {
    let file = try location("home/bin/tool")
    // What stands for a mounted folder here: another path to the same one.
    let found = file.otherMounts(["/", "/none", folder.path, folder["home"], folder["home/bin/."]], in: files)
    #expect(found.map(\.path) == [folder["home/bin"]])
  }

  @Test func contentsAreNotFollowed() throws {
    symlink("/etc", folder["home/out"])
    let contents = try location("link").contents(in: files)
    #expect(contents.map(\.name) == ["bin", "file", "out"] && contents.map(\.kind) == [.folder, .file, .link])
    #expect(try contents.allSatisfy(location("home").contains))
  }

  @Test(
    arguments: [
      ("a", []), ("/dev/fd/63", [63]), ("--from=/dev/fd/7", [7]), ("/proc/self/fd/12", [12]), ("/dev/fd/", []),
      ("/dev/fd/x", []), ("/dev/fd/99999999999", []), ("/dev/fd/5/dev/fd/6", [5]),
    ] as [(String, Set<Int32>)])
  func descriptorsAreNamedByArguments(_ argument: String, _ expected: Set<Int32>) {
    #expect(InheritedDescriptors(namedBy: [Array("x".utf8), Array(argument.utf8)]).named == expected)
  }

  @Test func programsAreFoundInFolders() {
    folder.write("home/bin/tool", "", mode: 0o700)
    let path = "relative:\(folder["home"]):\(folder["link/bin"])"
    let search = ProgramSearch(path, in: files, skipsRelative: true)
    #expect(search.find("tool") == folder["link/bin/tool"] && search.find(folder["home/bin/tool"]) != nil)
    #expect(search.find("none") == nil && search.find("file") == nil && search.find("bin") == nil)
    #expect(search.problem(finding: "none")?.number == ENOENT)
    #expect(search.problem(finding: "file")?.number == EACCES)
    #expect(ProgramSearch("relative:", in: files, skipsRelative: false).folders == ["relative", "."])
  }
}
