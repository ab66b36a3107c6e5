import Foundation
import Plugins
import Store
import Support
import Testing
import Text
import World

/// Whether a plugin may be run: every status and its conditions.
@Suite struct TrustCheckTests {
  let home = PluginFolder()

  private func verdict(
    _ record: PluginTrust?, isThorough: Bool = false, owners: Set<UInt32> = [FileStatus.user],
    files: (any Files)? = nil
  ) throws -> PluginVerdict {
    let plugin = try #require(home.catalog().all().first)
    var verdict = TrustCheck(files: files ?? home.files, owners: { owners }, isThorough: isThorough).verdict(
      on: plugin, record)
    // The contents of a usable plugin are checked in a test of their own.
    if verdict.isUsable { #expect(verdict.contents != nil) }
    verdict.contents = nil
    return verdict
  }

  @Test func readyWhileUnchanged() throws {
    let path = try home.add("shelf")
    let record = try home.record(path)
    #expect(try verdict(record) == PluginVerdict(.ready, sha256: record.sha256))
    #expect(try verdict(record).isUsable)
  }

  /// No file is read while all attributes match.
  @Test func matchingAttributesAvoidReading() throws {
    let path = try home.add("shelf")
    let record = try home.record(path)
    let test = TestWorld(folder: home.folder)
    var reads: [String] = []
    test.files.failure = { operation, path in
      if operation == "read" { reads.append(path) }
      return nil
    }
    #expect(try verdict(record, files: test.files).status == .ready)
    #expect(reads == [])
    #expect(try verdict(record, isThorough: true, files: test.files).status == .ready)
    #expect(reads.count == 2)
  }

  @Test func unchangedContentWithNewAttributesIsReadyAndRenewed() throws {
    let path = try home.add("shelf")
    let record = try home.record(path)
    home.folder.write("plugins/shelf/run", "#!/bin/sh\necho hello\n", mode: 0o700)
    let verdict = try verdict(record)
    #expect(verdict.status == .ready)
    #expect(verdict.changedAttributes == TrustedFiles(try home.contents(path)))
    #expect(verdict.changedAttributes?.stored != record.files)
  }

  @Test(arguments: ["edited", "added", "removed", "mode"]) func changedPluginsAreRejected(how: String) throws {
    let path = try home.add("shelf")
    home.folder.write("plugins/shelf/data", "x")
    let record = try home.record(path)
    switch how {
    case "edited": home.folder.write("plugins/shelf/run", "#!/bin/sh\nrm -rf ~\n", mode: 0o700)
    case "added": home.folder.write("plugins/shelf/more", "")
    case "removed": unlink(path + "/data")
    default: chmod(path + "/data", 0o700)
    }
    let verdict = try verdict(record)
    #expect(verdict.status == .changed)
    #expect(verdict.problem == "its files have changed since it was installed")
    #expect(!verdict.isUsable)
  }

  /// Restoring a file's size and times does not hide that it was changed.
  @Test func restoredTimesDoNotHideAChange() throws {
    let path = try home.add("shelf")
    let record = try home.record(path)
    let before = try FileManager.default.attributesOfItem(atPath: path + "/run")[.modificationDate]
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path + "/run"))
    try handle.write(contentsOf: Data("#!/bin/sh\necho hell0\n".utf8))
    try handle.close()
    try FileManager.default.setAttributes([.modificationDate: before as Any], ofItemAtPath: path + "/run")
    #expect(try verdict(record).status == .changed)
  }

  @Test func untrustedWithoutARecord() throws {
    let path = try home.add("shelf")
    let verdict = try verdict(nil)
    #expect(verdict.status == .untrusted)
    #expect(verdict.advice?.text == "Inspect it, then run: ifttt plugin install \(path)")
  }

  @Test(arguments: ["run", "", "above"]) func unsafeIfOthersCanWrite(_ what: String) throws {
    let path = try home.add("shelf")
    let record = try home.record(path)
    let exposed = what == "above" ? home.folder["plugins"] : what.isEmpty ? path : "\(path)/\(what)"
    chmod(exposed, 0o777)
    let verdict = try verdict(record)
    #expect(verdict.status == .unsafe)
    #expect(verdict.problem == "other users can write to \(exposed)")
    #expect(verdict.advice?.text == "Run: chmod go-w \(exposed)")
  }

  /// The advice for another user's file is a command, however the path is spelled.
  @Test func aFileOfAnotherOwnerComesWithAdvice() throws {
    let path = try home.add("shelf")
    let record = try home.record(path)
    let test = TestWorld(folder: home.folder)
    let files = ForeignFiles(test.files, foreign: "\(path)/run")
    let verdict = try verdict(record, files: files)
    #expect(verdict.status == .unsafe)
    #expect(verdict.problem == "\(path)/run belongs to another user")
    let advice = try #require(verdict.advice?.text)
    let chown = FileStatus.user == 0 ? "chown" : "sudo chown"
    #expect(advice.hasPrefix("Remove it with 'ifttt plugin remove shelf'."))
    #expect(advice.hasSuffix(" run: \(chown) -R \(FileStatus.user) \(path)/run"))
  }

  /// The owner of the parent folder can replace the plugin.
  @Test func theParentFolderMustBelongToTheUser() throws {
    let record = try home.record(try home.add("shelf"))
    let test = TestWorld(folder: home.folder)
    let above = home.folder["plugins"]
    #expect(
      try verdict(record, files: ForeignFiles(test.files, foreign: above)).problem == "\(above) belongs to another user"
    )
    rename(above, home.folder["far"])
    symlink(home.folder["far"], above)
    #expect(try verdict(record).problem == "\(above) is a symbolic link")
    #expect(
      try verdict(record).advice?.text
        == "Run: cp -RLp \(above) \(above).new && rm \(above) && mv \(above).new \(above)")
  }

  @Test func brokenWithoutItsExecutable() throws {
    let path = try home.add("shelf")
    let record = try home.record(path)
    chmod(path + "/run", 0o600)
    #expect(try verdict(record).status == .broken)
    unlink(path + "/run")
    #expect(try verdict(record).problem == "'run' is missing or not executable")
    symlink("/bin/sh", path + "/run")
    #expect(try verdict(record).problem == "'run' is neither a file nor a folder")
  }

  @Test func bundledPluginsMustBelongToTheProgramsOwner() throws {
    let path = try home.add("grab", in: "libexec")
    #expect(try verdict(nil) == PluginVerdict(.bundled))
    let sha256 = try ContentHash.of(home.contents(path), in: path, home.files)
    #expect(try verdict(nil, isThorough: true) == PluginVerdict(.bundled, sha256: sha256))
    #expect(try verdict(nil, owners: [FileStatus.user + 1]).problem == "\(path) belongs to another user")
    chmod(path + "/run", 0o777)
    #expect(try verdict(nil).status == .unsafe)
  }

  @Test func shadowedIsReportedFirst() throws {
    try home.add("help")
    #expect(try verdict(nil).status == .shadowed)
  }
}
