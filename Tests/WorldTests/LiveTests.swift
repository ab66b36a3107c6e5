import Testing

/// Tests that start programs, one after another: a program started at the wrong moment by another thread inherits a
/// pipe's end before it is marked as not to be inherited, and the pipe then never ends.
@Suite(.serialized) enum LiveTests {}
