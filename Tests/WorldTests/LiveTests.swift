import Testing

/// Tests that start programs, one after another. A program started by another thread at the wrong moment inherits a
/// pipe's end before it is marked close-on-exec, and the pipe then never ends.
@Suite(.serialized) enum LiveTests {}
