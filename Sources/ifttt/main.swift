#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

// Only this: Swift isolates the code of this file to the main actor, which would link the runtime for concurrency and
// libdispatch, and double the number of functions to resolve at each start.
#if DEBUG
  // The tools that measure coverage and find races write their results in exit(3).
  exit(start())
#else
  // Everything is written and closed. The exit functions of OpenSSL and the other libraries of libcurl would only free
  // their memory, which takes 3 percent of a request.
  _exit(start())
#endif
