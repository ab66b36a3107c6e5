import Output

extension Session {
  /// The output schema of a command that takes several ids. Data is always an array, so that a script need not count
  /// its ids; for people, a single row is a card.
  package func shape(_ many: OutputSchema, of count: Int, card one: OutputSchema? = nil) -> OutputSchema {
    count == 1 && options.format == .table ? one ?? many.single : many
  }
}
