package import CommandContext

/// What a run over many is about, once that is known.
package struct BatchSelection<ID: Hashable & CustomStringConvertible> {
  /// Something that was asked for and cannot be had: a line that names nothing, a connection whose status is not known.
  package struct Fault {
    package var name: String
    package var problem: Problem
  }

  package var ids: [ID]
  package var faults: [Fault] = []
  /// Whether one thing was named on the command line, which then is no run over many.
  package var isSingle = false

  package init(ids: [ID], faults: [Fault] = [], isSingle: Bool = false) {
    (self.ids, self.faults, self.isSingle) = (ids, faults, isSingle)
  }
}
