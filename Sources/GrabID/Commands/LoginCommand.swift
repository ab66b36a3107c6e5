import JSON
import PluginProtocol
import Text
import World

extension GrabCommands {
  func login(_ call: CommandCall) throws {
    var settings = try world.settings(for: call)
    if settings.interfaceLocales == nil { settings.interfaceLocales = world.host.greeting.locale }
    var options = LoginOptions()
    options.isForced = call.isSet("force")
    options.account = call.option("account")
    options.opensBrowser = !call.isSet("no-browser")
    options.hasBrowser = call.option("browser") != nil
    options.port = try call.port("port")
    options.printsURL = call.isSet("print-url")
    options.usesDevice = call.isSet("device")
    try check(options)
    let login = Login(world: world, client: try settings.client(), options: options)
    if try login.stillValidAccount() == nil { try checkInteraction(options) }
    switch try login.run() {
    case .stillSignedIn(let account):
      world.host.note(.info, "\(account.name) is still signed in; --force signs in again")
      try outputStatus(of: account)
    case .signedIn(let account): try outputStatus(of: account)
    case .pending(let url, let redirectURI, _):
      let finish: Hint =
        "Within ten minutes, run \(ifttt: "grab complete") with the URL that the browser is redirected to."
      world.host.note(.info, finish.text)
      let end = world.now + PendingLogin.lifetime
      try output(
        call.output != "table"
          ? .rows([
            ["url": .string(url), "redirect_uri": .string(redirectURI), "expires_at": .string(end.rfc3339)]
          ]) : .text(url + "\n"))
    case .planned(let url):
      world.host.note(.info, "would open \(url.prefix { $0 != "?" })?… and wait for the redirect")
    }
  }

  private func check(_ options: LoginOptions) throws(GrabError) {
    if options.usesDevice, options.printsURL || options.port != nil || options.hasBrowser {
      throw GrabError(.badSetting, "--device cannot be combined with --print-url, --port or --browser")
    }
  }

  private func checkInteraction(_ options: LoginOptions) throws(GrabError) {
    guard !world.host.isInteractive, options.opensBrowser, !options.hasBrowser, !options.printsURL,
      !options.usesDevice, !world.isDryRun
    else { return }
    // A job without a user must never open a browser tab.
    throw GrabError(
      .badSetting, "signing in requires a terminal", reason: "there is none, or --no-input was passed",
      hint: "Use --print-url with \(ifttt: "grab complete"), --no-browser to wait anyway, or --device.")
  }

  func complete(_ call: CommandCall) throws {
    let text: String
    switch call.arguments.first {
    case "-": text = try world.host.input()
    case let argument?: text = argument
    case nil:
      guard world.host.isInteractive else {
        throw GrabError(
          .badSetting, "the URL that the browser was redirected to is missing",
          hint: "Pass it as an argument, or pass - to read it from stdin.")
      }
      text = try world.host.prompt("URL that the browser was redirected to", secret: true)
    }
    if world.isDryRun {
      world.host.note(.info, "would exchange the code in that URL for tokens")
      return
    }
    try outputStatus(of: try LoginFinish(world: world).account(pasted: text))
  }
}
