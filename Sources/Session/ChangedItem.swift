import Output

/// The result of a command that removes or selects something by its name.
package struct ChangedItem: OutputRecord {
  let name: String
  let changed: Bool

  package init(_ name: String, changed: Bool = true) { (self.name, self.changed) = (name, changed) }

  package static let fields: Fields = [
    Field("name", "The name or id of what was changed", column: "NAME", overflow: .keep) { $0.name },
    Field("changed", "Whether anything changed", column: "CHANGED") { $0.changed },
  ]
}

extension Output {
  /// A changed item, for programs. For people, the command writes a note instead.
  package static func changed(_ item: ChangedItem, in session: Session) -> Output {
    session.options.format == .table && session.options.fields == nil ? .nothing : .one(item)
  }

  /// A list of changed items, likewise.
  package static func changed(_ items: [ChangedItem], in session: Session) -> Output {
    session.options.format == .table && session.options.fields == nil ? .nothing : .rows(items)
  }
}
