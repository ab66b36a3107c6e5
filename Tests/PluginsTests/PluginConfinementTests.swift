import PluginProtocol
import Support
import Testing
import World

@testable import Plugins

/// The files that a plugin may open.
@Suite struct PluginConfinementTests {
  private let tree: PluginTree

  init() throws { tree = try PluginTree() }

  @Test func itsFolderAndTheSystemAreReadable() throws {
    let found = try tree.confinement()
    #expect(found.readable.contains(tree["plugin"]) && found.readable.contains("/usr"))
    #expect(found.writable == [] && found.listable == [])
    #expect(!found.readable.contains { $0 == "/" || $0.hasPrefix(tree["home"]) })
  }

  @Test(arguments: [
    ("~/feeds.opml", ["home/feeds.opml"]), (".", ["home/work"]), ("./a", ["home/work/a"]), ("$TMPDIR", ["tmp"]),
    ("$TMPDIR/a", ["tmp/a"]), ("$NOTES", ["notes"]), ("$NOTES/a", ["notes/a"]), ("$LOCAL", ["home/work/here"]),
    ("$NONE", []),
  ])
  func permittedPathsAreAdded(_ path: String, _ expected: [String]) throws {
    let variables = ["NOTES": tree["notes"], "LOCAL": "here"]
    let plain = try tree.confinement(more: variables).readable
    let read = try tree.confinement([FileAccess(.read, path)], more: variables)
    #expect(read.readable.filter { !plain.contains($0) } == expected.map { tree[$0] } && read.writable == [])
    let written = try tree.confinement([FileAccess(.write, path)], more: variables)
    #expect(written.writable == expected.map { tree[$0] })
  }

  @Test func onlyIFTTTHomeOpensTheDataOfTheProgram() throws {
    for path in ["~/.local/share/ifttt", "~/.local/share/ifttt/ifttt.db", "$XDG/ifttt", "~/.config/ifttt"] {
      let found = try tree.confinement([FileAccess(.write, path)], more: ["XDG": tree["home/.local/share"]])
      #expect(found.writable == [] && found.listable == [])
    }
    let found = try tree.confinement([FileAccess(.write, "$IFTTT_HOME")])
    #expect(
      found.writable == [
        tree["home/.config/ifttt"], tree["home/.local/share/ifttt"], tree["home/.local/state/ifttt"],
        tree["home/.cache/ifttt"],
      ])
    #expect(found.readable.contains(tree["opt/bin/ifttt"]) && !found.readable.contains(tree["opt/bin"]))
  }

  @Test(arguments: ["~", "$ROOT", "$HOMELINK", "$SPELLED"])
  func aFolderAroundTheStoreIsOpenedWithoutIt(_ path: String) throws {
    let variables = ["ROOT": tree.path, "HOMELINK": tree["link"], "SPELLED": tree["home/../link/."]]
    for mode in FileAccess.Mode.allCases {
      let found = try tree.confinement([FileAccess(mode, path)], more: variables)
      #expect(tree.opens("home/feeds.opml", found) && tree.opens("home/.local/share/other", found))
      #expect(found.listable.contains(tree["home/.local/share"]))
      for secret in PluginTree.stored { #expect(!tree.opens(secret, found), "\(secret)") }
    }
    let all = try tree.confinement([FileAccess(.read, path), FileAccess(.read, "$IFTTT_HOME")], more: variables)
    #expect(tree.opens("home/.local/share/ifttt/ifttt.db", all))
    let named = try tree.confinement(named: [tree["home"]])
    #expect(tree.opens("home/feeds.opml", named) && !tree.opens("home/.local/share/ifttt/ifttt.db", named))
  }

  /// However a path in a variable is spelled, it does not open the home folder or the program's own.
  @Test(arguments: [
    "home", "home/", "home//bin", "home/./bin", "home/bin/../bin", "home/bin/..", "home/bin/../bin/", "link",
    "link/bin",
    "link/bin/..", ".", "home/.local", "home/.local/share", "home/.local/share/ifttt", "keys", "keys/", "keys/bin/..",
  ])
  func noSpellingOpensTheHomeFolder(_ entry: String) throws {
    let path = tree[entry]
    let homes = [
      ["HOME": tree["home"]], ["HOME": tree["link"]], ["HOME": tree["home//"]],
      ["XDG_DATA_HOME": tree["link/.local/share"]], ["IFTTT_HOME": "../.local/share/ifttt"],
      ["IFTTT_HOME": tree["link/.local/share/ifttt"]],
    ]
    for home in homes {
      for variable in ["PATH", "SSL_CERT_DIR", "SSL_CERT_FILE", "CURL_CA_BUNDLE"] {
        let found = try tree.confinement(
          more: home.merging([variable: path, "IFTTT_STORE_KEY_FILE": tree["link/../keys/store"]]) { $1 })
        for secret in PluginTree.stored + ["home/.netrc", "keys/store"] {
          #expect(!tree.opens(secret, found), "\(secret) with \(variable)=\(path) and \(home)")
        }
        if variable == "PATH", entry.hasSuffix("bin") { #expect(tree.opens("home/bin/tool", found)) }
      }
    }
  }

  /// A user may choose the home folder as the folder of this program.
  @Test func otherFilesInTheFolderOfTheProgramCanBePermitted() throws {
    let home = ["IFTTT_HOME": tree["home"]]
    let found = try tree.confinement([FileAccess(.write, "~/work"), FileAccess(.read, "~/feeds.opml")], more: home)
    #expect(tree.opens("home/work/a", found) && tree.opens("home/feeds.opml", found))
    #expect(try tree.opens("home/bin/tool", tree.confinement(more: home.merging(["PATH": tree["home/bin"]]) { $1 })))
    for path in ["~", "~/.local/share/ifttt", "~/.local/share/ifttt/ifttt.db"] {
      let found = try tree.confinement([FileAccess(.read, path)], more: home)
      #expect(!tree.opens(PluginTree.stored[0], found), "\(path)")
    }
  }

  @Test func keyFilesStayClosed() throws {
    let keys = tree["keys"]
    for more in [["IFTTT_STORE_KEY_FILE": "\(keys)/store"], ["IFTTT_STORE_PASSPHRASE_FILE": "\(keys)/store"]] {
      let found = try tree.confinement([FileAccess(.read, keys)], more: more)
      #expect(tree.opens("keys/other", found) && !tree.opens("keys/store", found))
    }
    let found = try tree.confinement([FileAccess(.read, keys)], storeFiles: ["\(keys)/other"])
    #expect(tree.opens("keys/store", found) && !tree.opens("keys/other", found))
  }

  /// A plugin that may write a folder could make a link in it to files that it may not open.
  @Test func aLinkInAWritableFolderIsNotFollowed() throws {
    tree.link("tmp/data", to: tree["notes"])
    let read = FileAccess(.read, "$TMPDIR/data/a")
    #expect(try tree.opens("notes/a", tree.confinement([read])))
    for write in [FileAccess(.write, "$TMPDIR"), FileAccess(.write, "$SAME")] {
      #expect(
        try !tree.opens("notes/a", tree.confinement([write, read], more: ["SAME": tree["home/../tmp"]])))
    }
    let made = FileAccess(.write, "$TMPDIR/data/new")
    _ = try tree.confinement([FileAccess(.write, "$TMPDIR"), made])
    #expect(tree.location("notes/new")?.kind == nil)
    _ = try tree.confinement([made])
    #expect(tree.location("notes/new")?.kind == .folder)
  }

  @Test func certificatesOfTheUserAreReadable() throws {
    let found = try tree.confinement(more: [
      "SSL_CERT_FILE": tree["notes/a"], "SSL_CERT_DIR": "\(tree["tmp"]):relative:\(tree["opt"])",
    ])
    for path in ["notes/a", "tmp", "opt"] { #expect(found.readable.contains(tree[path])) }
    #expect(!found.readable.contains("relative"))
    // A folder instead of a file is a mistake.
    #expect(try !tree.opens("notes/a", tree.confinement(more: ["SSL_CERT_FILE": tree["notes"]])))
  }

  @Test func withoutSupportOfTheSystemNothingIsConfined() {
    let world = TestWorld(folder: tree.folder).world
    #expect(
      PluginConfinement(folder: "/p", executable: "/p/x", permitted: [], world: world).confinement == nil)
  }
}
