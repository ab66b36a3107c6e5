// 'ifttt @NAME@' runs this program. ifttt checks the arguments against plugin.json in the same folder and passes
// them on. Stdin, stdout and stderr are the user's, and the exit status is also the exit status of ifttt. The
// environment contains IFTTT_PROFILE and IFTTT_OUTPUT (the profile and the output format), a few common variables,
// and those under "environment" in plugin.json.
import Foundation

var (who, isLoud, hasEnded) = ([String](), false, false)
for argument in CommandLine.arguments.dropFirst() {
  switch argument {
  case "--" where !hasEnded: hasEnded = true  // All arguments after it are names.
  case "--loud" where !hasEnded: isLoud = true
  default: who.append(argument)
  }
}

let profile = ProcessInfo.processInfo.environment["IFTTT_PROFILE"] ?? "default"
let greeting = "Hello, \(who.isEmpty ? profile : who.joined(separator: " "))."
print(isLoud ? greeting.uppercased() : greeting)
