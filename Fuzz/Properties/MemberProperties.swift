import Plugins

/// The list of an archive's members decides what is accepted: exactly the archives that keep the documented rules, and
/// of them exactly the files that they list. Links, devices, sparse files and contradictory lists are rejected.
///
/// The input describes the members; the archive is made from it, since a fuzzer finds no checksums.
enum MemberProperties {
  static func problem(in bytes: [UInt8]) -> String? {
    var choices = InputChoices(bytes)
    let form = choices.number(below: 3)
    guard form == 2 else {
      let tar = TarBuilder(ArchiveMember.list(&choices))
      guard form == 1 else { return problem(of: .tar, in: tar.bytes, tar.expected) }
      guard let packed = GzipWriter.compress(tar.bytes) else { return "there is no memory" }
      return problem(of: .compressedTar, in: packed, tar.expected)
    }
    let (lie, liar) = (choices.one(of: ZipBuilder.Lie.allCases), choices.number(below: 20))
    let zip = ZipBuilder(ArchiveMember.list(&choices), lie: lie, about: liar)
    return problem(of: .zip, in: zip.bytes, zip.expected)
  }

  private static func problem(of form: PluginArchive, in bytes: [UInt8], _ expected: ExpectedArchive) -> String? {
    switch (try? form.files(in: bytes), expected.accepted) {
    case (nil, nil): nil
    case (let files?, nil): "a forbidden \(form) is accepted: \(files.map(\.path))"
    case (nil, let files?): "a valid \(form) is rejected: \(files.map(\.path))"
    case (let files?, let others?): files == others ? nil : "\(files.map(\.path)) instead of \(others.map(\.path))"
    }
  }
}
