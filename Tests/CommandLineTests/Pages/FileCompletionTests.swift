import CommandLine
import Support
import Testing

/// Completion of files and folders in the shell's current directory.
@Suite struct FileCompletionTests {
  private static let lines = [
    "ifttt connections export json some", "ifttt connections export --folder=some",
    "ifttt connections export --folder some",
  ]

  private func inFolder(_ shell: CompletionShell) throws -> (folder: ScratchFolder, script: String) {
    let folder = try ScratchFolder()
    try folder.write("", to: "some file.txt")
    try folder.write("", to: "some folder/inside")
    return (folder, Completion.script(for: shell, root: SampleTree.root) + "\ncd '\(folder.path)'\n")
  }

  @Test(.enabled(if: Tool.isInstalled("bash"), "skipped: needs bash")) func bashOffersFiles() throws {
    let (folder, script) = try inFolder(.bash)
    let offered = try withExtendedLifetime(folder) { try Shells.bashCompletions(script: script, lines: Self.lines) }
    // Outside readline, as in old versions of bash without file completion, the script quotes the names itself.
    #expect(
      offered.map { $0.sorted() } == [[#"some\ file.txt"#, #"some\ folder"#], [#"some\ folder"#], [#"some\ folder"#]])
  }

  @Test(.enabled(if: Tool.isInstalled("fish"), "skipped: needs fish")) func fishOffersFiles() throws {
    let (folder, script) = try inFolder(.fish)
    let offered = try withExtendedLifetime(folder) { try Shells.fishCompletions(script: script, lines: Self.lines) }
    #expect(
      offered.map { $0.map(\.value) } == [
        ["some file.txt", "some folder/"], ["--folder=some folder/"], ["some folder/"],
      ])
  }

  @Test(.enabled(if: Tool.isInstalled("zsh"), "skipped: needs zsh")) func zshInsertsFiles() throws {
    let (folder, script) = try inFolder(.zsh)
    let start = "ifttt connections export"
    let lines = try Shells.zshLines(
      script: script,
      lines: [
        "\(start) json \(folder.path)/some\\ fi", "\(start) json '\(folder.path)/some fi",
        "\(start) --folder=\(folder.path)/so", "\(start) --folder \(folder.path)/so",
      ])
    #expect(
      lines == [
        "\(start) json \(folder.path)/some\\ file.txt ", "\(start) json '\(folder.path)/some file.txt' ",
        "\(start) --folder=\(folder.path)/some\\ folder/", "\(start) --folder \(folder.path)/some\\ folder/",
      ])
  }

  @Test(.enabled(if: Tool.isInstalled("zsh") && Tool.isInstalled("bash"), "skipped: needs zsh and bash"))
  func bashInsertsFiles() throws {
    let (folder, script) = try inFolder(.bash)
    let start = "ifttt connections export"
    let lines = try withExtendedLifetime(folder) {
      try Shells.bashLines(
        script: script,
        lines: [
          "\(start) json some\\ fi", "\(start) json 'some fi", "\(start) --folder=so", "\(start) --folder so",
        ])
    }
    #expect(
      lines == [
        "\(start) json some\\ file.txt ", "\(start) json 'some file.txt' ", "\(start) --folder=some\\ folder/",
        "\(start) --folder some\\ folder/",
      ])
  }
}
