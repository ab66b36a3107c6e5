#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The function that libFuzzer calls with each input. `IFTTT_FUZZ` selects the target.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = Array(UnsafeBufferPointer(start: bytes, count: count))
  if let problem = chosen.problem(input) { fatalError("\(chosen.name): \(problem)") }
  return 0
}

private let chosen: FuzzTarget = {
  let name = getenv("IFTTT_FUZZ").map { String(cString: $0) } ?? ""
  guard let target = FuzzTarget.all.first(where: { $0.name == name }) else {
    fatalError("IFTTT_FUZZ names no target; there are \(FuzzTarget.all.map(\.name).joined(separator: ", "))")
  }
  return target
}()
