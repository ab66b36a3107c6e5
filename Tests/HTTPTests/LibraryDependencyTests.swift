#if os(Linux)
  import CCurl
  import Foundation
  import Support
  import Testing

  /// What `ccurl_open_dependencies` reads in the file of a shared library.
  @Suite struct LibraryDependencyTests {
    let folder: ScratchFolder
    /// A small library that this process has loaded.
    let path: String
    let bytes: [UInt8]

    init() throws {
      folder = try ScratchFolder()
      // Foundation reads a file of /proc only up to its first page in other ways.
      let maps = String(
        decoding: try #require(FileHandle(forReadingAtPath: "/proc/self/maps")).readDataToEndOfFile(), as: UTF8.self)
      path = try #require(
        maps.split(separator: "\n").compactMap { $0.split(separator: " ").last.map(String.init) }
          .first { $0.contains("/libexpat.so") })
      bytes = try Array(Data(contentsOf: URL(fileURLWithPath: path)))
    }

    private func opened(_ bytes: [UInt8]) throws -> Int32 {
      let file = folder.path + "/copy"
      try Data(bytes).write(to: URL(fileURLWithPath: file))
      return ccurl_open_dependencies(file)
    }

    @Test(.enabled(if: Support.Tool.isInstalled("readelf"), "skipped: needs readelf"))
    func opensWhatReadelfLists() throws {
      let lines = try Support.Tool.required("readelf").run(["--dynamic", path], in: folder).output.split(
        separator: "\n")
      let needed = lines.filter { $0.contains("(NEEDED)") }.count
      #expect(needed > 0)
      #expect(ccurl_open_dependencies(path) == needed)
      #expect(try opened(bytes) == needed)
      let name = try #require(path.split(separator: "/").last)
      #expect(ccurl_open_dependencies(String(name)) == needed)
    }

    @Test func whatIsNotALibraryHasNoDependencies() throws {
      #expect(try opened([]) == 0)
      #expect(try opened(Array("a text".utf8)) == 0)
      #expect(ccurl_open_dependencies(folder.path) == 0)
      #expect(ccurl_open_dependencies(folder.path + "/absent") == -1)
      #expect(ccurl_open_dependencies("libnothing-of-this-name.so.4") == -1)
    }

    /// Each byte of the headers at its extremes, and files that end at any place: nothing outside of the file is read.
    @Test func aDamagedFileIsReadWithinItsBounds() throws {
      for length in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 200)) {
        #expect(try (0...1).contains(opened(Array(bytes.prefix(length)))))
      }
      for place in 0..<1024 {
        for value: UInt8 in [0x00, 0x7f, 0xff] {
          var damaged = bytes
          damaged[place] = value
          #expect(try opened(damaged) >= 0)
        }
      }
      var random = SeededGenerator(seed: 7)
      for _ in 0..<1000 {
        var damaged = bytes
        for _ in 0..<200 {
          damaged[Int.random(in: 64..<damaged.count, using: &random)] = .random(in: 0...255, using: &random)
        }
        #expect(try opened(damaged) >= 0)
      }
    }
  }
#endif
