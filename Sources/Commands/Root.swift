package import CommandLine
import ConnectionCommands
import DeveloperCommands
import Output
package import Session
import World

/// The tree of commands. Each noun lists its commands in a file of its own module.
enum Root {
  /// The program's own commands.
  static var group: CommandGroup<Action, OutputSchema?> { group(adopting: nil) }

  /// - Parameter plugins: The commands that plugins add to the program's own.
  static func group(adopting plugins: ExternalCommands<Action, OutputSchema?>?) -> CommandGroup<Action, OutputSchema?> {
    CommandGroup(
      "ifttt", summary: "Work with IFTTT Connections from the shell", external: plugins,
      advice: { ForeignNames.advice(on: $0, in: group(adopting: plugins)) }
    ) {
      [
        .connections, .location, .applets,
        .verb(Init.self),
        .token, .profiles, .privacy, .store, .plugin, .report, .service, .webhook, .sandbox,
        .configure,
        .verb(APICommand.self),
        .doctor,
        .verb(SchemaCommand.self),
        .verb(CompletionCommand.self),
        .verb(ManCommand.self),
        .verb(HelpCommand.self),
        .verb(VersionCommand.self),
        .verb(PagesCommand.self),
        .usageSender,
      ]
    }
  }

  /// The command tree that a session uses.
  static var tree: CommandTree { tree(adopting: nil) }

  static func tree(adopting plugins: ExternalCommands<Action, OutputSchema?>?) -> CommandTree {
    CommandTree(root: group(adopting: plugins), own: group)
  }

  /// A command's own options.
  static func options(of path: [String]) -> [OptionSchema] { tree.ownParser.page(at: path)?.options ?? [] }

  /// The part of the tree that the page of one command shows: that command, its direct subcommands, and the bare
  /// names of its parents. Nil if no command has this path.
  private static func branch(to path: [String], in group: CommandGroup<Action, OutputSchema?>) -> CommandSchema? {
    let parser = CommandTree.parser(of: group)
    guard var schema = parser.page(at: path) else { return nil }
    for index in path.indices.reversed() {
      let name = index == 0 ? parser.root.name : path[index - 1]
      schema = CommandSchema(name: name, summary: "", subcommands: [schema])
    }
    // The program's own page already has them.
    if !path.isEmpty { schema.options = parser.globalOptions }
    return schema
  }

  /// - Parameter isNew: whether nothing is set up yet.
  static func helpPage(
    path: [String], _ detail: HelpDetail, isNew: Bool = false, in group: CommandGroup<Action, OutputSchema?>,
    world: World
  ) -> String {
    let isTerminal = world.terminal.outputIsTerminal
    let isStyled = isTerminal && useColor(.auto, environment: world.environment, isTerminal: true)
    let page = branch(to: path, in: group).flatMap {
      HelpPage(
        root: $0, path: path, columns: world.terminal.columns ?? 80, isStyled: isStyled,
        gettingStarted: (isNew ? [PageContents.howToSetUp] : []) + [PageContents.howToBegin], topics: HelpCommand.topics
      )
    }
    return page?.text(detail) ?? ""
  }
}

extension Node {
  package static var doctor: Node { .verb(Doctor.self) }
  /// Hidden: sends usage events in the background.
  package static var usageSender: Node { .verb(UsageSend.self) }

  package static var profiles: Node {
    .group(
      "profile", summary: "Manage profiles: named sets of credentials, base URLs and connections", heading: "Setup"
    ) {
      [
        .verb(ProfileList.self),
        .verb(ProfileCreate.self),
        .verb(ProfileSet.self),
        .verb(ProfileUse.self),
        .verb(ProfileShow.self),
        .verb(ProfileRemove.self),
      ]
    }
  }

  package static var token: Node {
    .group("token", summary: "Get, store and verify user tokens", heading: "Setup") {
      [
        .verb(TokenExchange.self),
        .verb(TokenList.self),
        .verb(TokenShow.self),
        .verb(TokenSet.self),
        .verb(TokenRemove.self),
        .verb(TokenVerify.self),
      ]
    }
  }
}

extension ValueKind<String> {
  /// The id of a user whose token is stored. The empty id selects the token that was stored without one.
  static var tokenUser: ValueKind { .text("USER", completion: .dynamic("token-user")) }
}

extension Node {
  package static var privacy: Node {
    .group("privacy", summary: "Show or change whether usage events are sent to IFTTT", heading: "Setup") {
      [.verb(PrivacyShow.self), .verb(PrivacyOn.self), .verb(PrivacyOff.self), .verb(PrivacyReset.self)]
    }
  }

  package static var store: Node {
    .group("store", summary: "Manage the database: check, back up, restore, change its key", heading: "Setup") {
      [
        .verb(StoreInfo.self),
        .verb(StoreCheck.self),
        .verb(StoreBackup.self),
        .verb(StoreRestore.self),
        .verb(StoreRekey.self),
      ]
    }
  }
}
