#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A thread that runs one closure.
package final class WorkerThread {
  private var thread: pthread_t?

  private init(_ thread: pthread_t?) { self.thread = thread }

  /// - Throws: ``SystemError`` if no thread can be created.
  package static func start(_ body: @escaping @Sendable () -> Void) throws(SystemError) -> WorkerThread {
    let context = Unmanaged.passRetained(ThreadBody(run: body)).toOpaque()
    var thread: pthread_t?
    let number = makeThread(&thread, context)
    guard number == 0 else {
      Unmanaged<ThreadBody>.fromOpaque(context).release()
      throw SystemError(number: number, call: "pthread_create")
    }
    return WorkerThread(thread)
  }

  /// Waits until the closure has returned.
  package func join() {
    guard let thread else { return }
    self.thread = nil
    pthread_join(thread, nil)
  }
}

private final class ThreadBody {
  let run: @Sendable () -> Void
  init(run: @escaping @Sendable () -> Void) { self.run = run }
}

/// Calls pthread_create(3), whose declarations differ between the systems.
private func makeThread(_ thread: inout pthread_t?, _ context: UnsafeMutableRawPointer) -> Int32 {
  #if canImport(Glibc)
    var made = pthread_t()
    let number = pthread_create(&made, nil, { runBody($0) }, context)
    thread = made
    return number
  #else
    return pthread_create(&thread, nil, { runBody($0) }, context)
  #endif
}

private func runBody(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let context { Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue().run() }
  return nil
}
