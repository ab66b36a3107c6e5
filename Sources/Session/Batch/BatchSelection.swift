/// The items of a batch, once they are known.
package struct BatchSelection<ID: Hashable & CustomStringConvertible> {
  /// A requested item that is unavailable: a line without a valid id, or a connection whose status is unknown.
  package struct Fault {
    package var name: String
    package var problem: Problem

    package init(name: String, problem: Problem) { (self.name, self.problem) = (name, problem) }
  }

  package var ids: [ID]
  package var faults: [Fault] = []
  /// Whether a single item was named on the command line, which is not a batch.
  package var isSingle = false

  package init(ids: [ID], faults: [Fault] = [], isSingle: Bool = false) {
    (self.ids, self.faults, self.isSingle) = (ids, faults, isSingle)
  }

  /// The items of a shard. Faults have no id; they belong to the first shard, so that each counts once.
  package func limited(to shard: Shard?) -> BatchSelection {
    guard let shard else { return self }
    return BatchSelection(ids: ids.filter { shard.contains($0.description) }, faults: shard.number == 1 ? faults : [])
  }
}
