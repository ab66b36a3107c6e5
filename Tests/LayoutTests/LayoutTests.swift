import Foundation
import Support
import Testing

/// `docs/layout.md` describes the sources, and the sources follow its rules.
@Suite struct LayoutTests {
  private static let page = Result { try Checkout.text("docs/layout.md") }

  /// The modules of the page's table, each listed below those that it may import.
  private static func modules() throws -> [String] {
    let section = try page.get().split(separator: "## Modules").last?.split(separator: "## Tests").first ?? ""
    return section.split(separator: "\n").filter { $0.hasPrefix("| `") }.flatMap { row in
      row.split(separator: "|").first?.matches(of: /`(\w[\w-]*)`/).map { String($0.output.1) } ?? []
    }
  }

  @Test func thePageListsEveryModule() throws {
    let swift = Set(try SwiftSource.shared.get().map(\.module))
    #expect(Set(try Self.modules()) == swift)
  }

  @Test func everyImportPointsToAModuleAbove() throws {
    let order = try Self.modules()
    let own = Set(order)
    for source in try SwiftSource.shared.get() {
      let layer = try #require(order.firstIndex(of: source.module), "\(source.path)")
      for name in source.imports where own.contains(name) {
        #expect(try #require(order.firstIndex(of: name)) < layer, "\(source.path) imports \(name)")
      }
    }
  }

  @Test func theFoldersOfAModuleHaveNoCycle() throws {
    for (module, sources) in Dictionary(grouping: try SwiftSource.shared.get(), by: \.module) {
      let cycle = Self.cycle(in: Self.dependencies(of: sources))
      #expect(cycle == nil, "\(module): \(cycle?.joined(separator: " -> ") ?? "")")
    }
  }

  @Test func aCycleIsFound() {
    #expect(Self.cycle(in: ["a": ["b"], "b": ["c"], "c": []]) == nil)
    #expect(Self.cycle(in: ["a": ["b"], "b": ["c"], "c": ["a"]])?.count == 4)
  }

  @Test func everyNameOccursOnce() throws {
    let sources = try SwiftSource.shared.get()
    let files = Dictionary(grouping: sources.filter { $0.name != "main" }, by: \.name).filter { $0.value.count > 1 }
    #expect(files.mapValues { $0.map(\.path) } == [:])
    var types: [String: Set<String>] = [:]
    for source in sources { for type in source.types { types[type, default: []].insert(source.path) } }
    // One type may be declared in two files of the same module, for two platforms.
    let twice = types.filter { Set($0.value.map { path in path.prefix { $0 != "/" } }).count > 1 }
    #expect(twice == [:])
  }

  @Test func everyFileThatThePageNamesExists() throws {
    let files = FileManager.default
    for match in try Self.page.get().matches(of: /`([\w.-]+\/[\w.\/-]*)`/) {
      let path = String(match.output.1)
      guard !path.contains("NAME") else { continue }
      let exists = [path, "Sources/\(path)"].contains { files.fileExists(atPath: Checkout.path($0)) }
      #expect(exists, "\(path)")
    }
  }

  /// SwiftPM rejects a package that depends on a product with unsafe flags, such as a plugin that uses PluginProtocol.
  @Test func thePackageHasNoUnsafeFlags() throws {
    #expect(!(try Checkout.text("Package.swift").contains("unsafeFlags")))
  }

  /// The folders whose types each folder uses.
  private static func dependencies(of sources: [SwiftSource]) -> [String: Set<String>] {
    var folders: [String: Set<String>] = [:]
    for source in sources { for type in source.types { folders[type, default: []].insert(source.folder) } }
    var result: [String: Set<String>] = [:]
    for source in sources {
      result[source.folder, default: []].formUnion(
        source.identifiers.compactMap { name in
          guard let declared = folders[name], declared.count == 1, let folder = declared.first else { return nil }
          return folder == source.folder ? nil : folder
        })
    }
    return result
  }

  /// The nodes of one cycle, with the first repeated at the end; nil if absent.
  private static func cycle(in graph: [String: Set<String>]) -> [String]? {
    var finished: Set<String> = []
    func search(_ node: String, _ path: [String]) -> [String]? {
      if let start = path.firstIndex(of: node) { return path[start...] + [node] }
      guard !finished.contains(node) else { return nil }
      for next in (graph[node] ?? []).sorted() {
        if let cycle = search(next, path + [node]) { return cycle }
      }
      finished.insert(node)
      return nil
    }
    for node in graph.keys.sorted() {
      if let cycle = search(node, []) { return cycle }
    }
    return nil
  }
}
