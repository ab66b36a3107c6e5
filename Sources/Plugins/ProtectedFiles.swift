import World

/// Files and folders that stay closed although a folder that contains them is opened.
///
/// Landlock can only open folders with everything in them. A folder around a protected one is therefore opened piece by
/// piece: what it contains at this moment, without the folders on the way to the protected one.
struct ProtectedFiles {
  private let locations: [FileLocation]
  private let files: any Files

  /// - Parameter mounts: the paths at which file systems are mounted. A folder may be mounted at several.
  init(_ paths: [String], mounts: [String], in world: World) {
    let named = paths.compactMap(world.location)
    self.init(named + named.flatMap { $0.otherMounts(mounts, in: world.files) }, in: world.files)
  }

  private init(_ locations: [FileLocation], in files: any Files) { (self.locations, self.files) = (locations, files) }

  /// Whether a location is protected itself, or in a protected folder.
  func contain(_ location: FileLocation) -> Bool { locations.contains { $0.contains(location) } }

  /// Whether opening a location with everything in it would open a protected one.
  func areOpened(with location: FileLocation) -> Bool { locations.contains { location.contains($0) } }

  /// Those inside a folder.
  func inside(_ folder: FileLocation) -> ProtectedFiles {
    ProtectedFiles(locations.filter { folder.contains($0) }, in: files)
  }

  /// The parts of a location that can be opened.
  struct Parts: Equatable {
    /// The files, and the folders with everything in them.
    var whole: [String] = []
    /// The folders around protected ones.
    var listed: [String] = []
  }

  func parts(of location: FileLocation) -> Parts {
    var parts = Parts()
    add(location, to: &parts)
    return parts
  }

  private func add(_ location: FileLocation, to parts: inout Parts) {
    if contain(location) { return }
    guard areOpened(with: location) else { return parts.whole.append(location.path) }
    parts.listed.append(location.path)
    // The target of a link is elsewhere.
    for inner in location.contents(in: files) where inner.kind != .link { add(inner, to: &parts) }
  }
}
