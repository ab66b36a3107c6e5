import Display

extension Session {
  /// How a command that takes several ids prints its result: as data always an array, so that a script need not count
  /// its ids; for reading, one thing as a card.
  package func shape(_ many: OutputSchema, of count: Int, card one: OutputSchema? = nil) -> OutputSchema {
    count == 1 && options.format == .table ? one ?? many.single : many
  }
}
