#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

// Only this: Swift isolates the code of this file to the main actor, which would link the runtime for concurrency and
// libdispatch, and double the number of functions to resolve at each start.
exit(start())
