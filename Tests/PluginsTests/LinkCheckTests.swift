import Foundation
import PluginProtocol
import Plugins
import Store
import Support
import Testing
import World

/// Linked plugins: how they are found, and whether they may be run.
@Suite struct LinkCheckTests {
  let home = PluginFolder()

  private func link(_ name: String, to folder: String) throws {
    try FileManager.default.createDirectory(atPath: home.folder["plugins"], withIntermediateDirectories: true)
    let name = try #require(PluginName(parsing: name))
    try PluginLinkFile(of: name, in: home.catalog().folders).write(folder, in: home.files)
  }

  private func verdict(_ linkedFolder: String?) throws -> PluginVerdict {
    let plugin = try #require(home.catalog().all().first)
    let record = linkedFolder.map {
      PluginTrust(
        name: "shelf", version: "1", kind: "command", sha256: "", files: "", origin: $0,
        installedAt: Timestamp(milliseconds: 0))
    }
    return TrustCheck(files: home.files, owners: { [FileStatus.user] }, isThorough: true).verdict(on: plugin, record)
  }

  @Test func aLinkIsFoundByNameAndInLists() throws {
    let path = try home.add("shelf", in: "work")
    try link("shelf", to: path)
    let found = try #require(home.catalog().plugin(named: "shelf"))
    #expect(found.isLinked && found.folder == path && found.isReadable)
    #expect(home.catalog().all() == [found])
    #expect(home.catalog().outlines(withShadowed: false).map(\.name) == ["shelf"])
    // A link of another name is broken.
    try link("other", to: path)
    #expect(home.catalog().plugin(named: "other")?.isReadable == false)
  }

  @Test func aLinkHidesAnInstalledPlugin() throws {
    let installed = try home.add("shelf")
    let path = try home.add("shelf", in: "work")
    try link("shelf", to: path)
    let all = home.catalog().all()
    #expect(all.map(\.isLinked) == [true, false])
    #expect(all.map(\.shadow) == [nil, "a linked plugin has this name"])
    #expect(all.map(\.folder) == [path, installed])
    #expect(home.catalog().found().map(\.folder) == [path])
  }

  @Test(arguments: ["connections", "no name", "A"]) func aLinkCannotTakeAReservedOrInvalidName(_ name: String) throws {
    let path = try home.add("shelf", in: "work")
    try FileManager.default.createDirectory(atPath: home.folder["plugins"], withIntermediateDirectories: true)
    home.folder.write("plugins/\(name).link", path + "\n")
    #expect(home.catalog().plugin(named: name) == nil)
    #expect(home.catalog().found() == [])
  }

  @Test func itIsUsedOnlyIfTheUserLinkedThisFolder() throws {
    let path = try home.add("shelf", in: "work")
    try link("shelf", to: path)
    #expect(try verdict(path) == PluginVerdict(.linked))
    #expect(try verdict(path).isUsable)
    #expect(try verdict(nil).status == .untrusted)
    #expect(try verdict("/elsewhere").status == .untrusted)
    // Changed content is used.
    home.folder.write("work/shelf/run", "#!/bin/sh\necho changed\n", mode: 0o700)
    #expect(try verdict(path).isUsable)
  }

  @Test func aFolderThatEveryoneCanWriteIsUnsafe() throws {
    let path = try home.add("shelf", in: "work")
    try link("shelf", to: path)
    // The group of the user may write.
    for name in ["", "/plugin.json", "/run"] { chmod(path + name, 0o770) }
    #expect(try verdict(path).isUsable)
    for name in ["", "/plugin.json", "/run"] {
      chmod(path + name, 0o777)
      #expect(try verdict(path).status == .unsafe)
      chmod(path + name, 0o700)
    }
    #expect(try verdict(path).isUsable)
  }

  /// A build's product is linked into the folder.
  @Test func aLinkedExecutableIsChecked() throws {
    let path = try home.add("shelf", in: "work")
    try link("shelf", to: path)
    try FileManager.default.removeItem(atPath: path + "/run")
    let product = home.folder.write("product", "#!/bin/sh\n", mode: 0o700)
    try FileManager.default.createSymbolicLink(atPath: path + "/run", withDestinationPath: product)
    #expect(try verdict(path).isUsable)
    chmod(product, 0o777)
    #expect(try verdict(path).status == .unsafe)
    chmod(product, 0o600)
    #expect(try verdict(path).status == .broken)
  }

  @Test func aMissingProgramIsBroken() throws {
    let path = try home.add("shelf", in: "work")
    try link("shelf", to: path)
    chmod(path + "/run", 0o600)
    #expect(try verdict(path).status == .broken)
    try FileManager.default.removeItem(atPath: path)
    #expect(try verdict(path).status == .broken)
  }
}
