import Plugins
import Testing

/// What archives list, by the programs there are, and what is refused before anything is unpacked.
@Suite struct ArchiveListingTests {
  private func problem(_ listing: ArchiveListing) -> String? {
    do throws(ContentsProblem) {
      try listing.check()
      return nil
    } catch {
      return error.description
    }
  }

  @Test func asGNUTarHasIt() throws {
    let listing = try ArchiveListing(
      names: "shelf/\nshelf/a b\n",
      tarDetails:
        "drwxr-xr-x root/root         0 2026-11-21 20:06 shelf/\n-rw-r--r-- root/root       579 2026-11-21 20:06 shelf/a b\n"
    )
    #expect(listing.kinds == ["d", "-"])
    #expect(listing.size == 579)
    #expect(problem(listing) == nil)
  }

  @Test func asBSDTarHasIt() throws {
    let listing = try ArchiveListing(
      names: "shelf/run\n", tarDetails: "-rwxr-xr-x  0 kai    staff     1234 Nov 21 20:06 shelf/run\n")
    #expect(listing.size == 1234)
  }

  @Test func asUnzipHasIt() throws {
    let listing = try ArchiveListing(
      names: "run\nplugin.json\n",
      zipDetails: """
        Archive:  tides.zip
        Zip file size: 922 bytes, number of entries: 2
        -rwxr-xr-x  3.0 unx      654 tx defN 26-Nov-21 20:06 run
        ?rw-------  2.0 unx      579 b- defN 26-Nov-21 20:06 plugin.json
        2 files, 1233 bytes uncompressed, 600 bytes compressed:  51.3%

        """)
    #expect(listing.size == 1233)
    #expect(problem(listing) == nil)
  }

  @Test(arguments: [
    "/etc/passwd", "../x", "a/../../x", "a/..", "a\\..\\x", "a\u{7}b", "..",
  ])
  func aNameThatLeadsElsewhere(name: String) throws {
    let listing = try ArchiveListing(names: name + "\n", tarDetails: "-rw-r--r-- a/b 1 2026-11-21 20:06 x\n")
    #expect(problem(listing) == "the archive has a name that leads elsewhere: '\(name)'")
  }

  @Test(arguments: ["l", "h", "c", "b", "p", "s"]) func linksAndDevices(kind: String) throws {
    let listing = try ArchiveListing(names: "x\n", tarDetails: "\(kind)rw-r--r-- a/b 1 2026-11-21 20:06 x\n")
    #expect(problem(listing) == "the archive has a link or a device: 'x'")
  }

  @Test func tooMuch() throws {
    let half = PluginContents.sizeLimit / 2 + 1
    let line = "-rw-r--r-- a/b \(half) 2026-11-21 20:06 x\n"
    #expect(problem(try ArchiveListing(names: "x\ny\n", tarDetails: line + line)) == "it is larger than 64 MiB")
    let many = try ArchiveListing(
      names: String(repeating: "x\n", count: 1001),
      tarDetails: String(repeating: "-rw-r--r-- a/b 1 2026-11-21 20:06 x\n", count: 1001))
    #expect(problem(many) == "it has more than 1000 files")
  }

  @Test(arguments: ["", "nonsense\n", "-rw-r--r-- a/b x 2026-11-21\n", "-rw-r--r-- a/b 99999999999999999999 2026\n"])
  func whatCannotBeUnderstood(details: String) {
    #expect(throws: ContentsProblem.self) { _ = try ArchiveListing(names: "x\n", tarDetails: details) }
  }
}
