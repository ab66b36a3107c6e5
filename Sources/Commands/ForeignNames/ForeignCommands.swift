import CommandLine
import Text

/// Commands of other programs, and this program's equivalents. The tests run every one.
enum ForeignCommands {
  /// Synonyms of nouns, each with the path of its group.
  static let nouns: [String: [String]] = [
    "connection": ["connections"], "conn": ["connections"], "conns": ["connections"], "cx": ["connections"],
    "automation": ["connections"], "automations": ["connections"],
    "applet": ["applets"], "recipe": ["applets"], "recipes": ["applets"],
    "tokens": ["token"], "user-token": ["token"], "credential": ["token"], "credentials": ["token"],
    "profiles": ["profile"], "account": ["profile"], "accounts": ["profile"], "context": ["profile"],
    "contexts": ["profile"], "config": ["profile"], "configs": ["profile"], "workspace": ["profile"],
    "plugins": ["plugin"], "extension": ["plugin"], "extensions": ["plugin"], "addon": ["plugin"],
    "addons": ["plugin"], "webhooks": ["webhook"], "hook": ["webhook"], "hooks": ["webhook"], "services": ["service"],
    "db": ["store"], "database": ["store"], "storage": ["store"], "cache": ["store"],
    "emulator": ["sandbox"], "emulators": ["sandbox"],
    "simulator": ["sandbox"], "geofence": ["location"], "geofences": ["location"], "geo": ["location"],
    "locations": ["location"], "gps": ["location"], "telemetry": ["privacy"], "analytics": ["privacy"],
    "metrics": ["privacy"], "realtime": ["service"], "notifications": ["service"],
    "tracking": ["privacy"], "reports": ["report"], "runs": ["report"],
    "fault": ["sandbox", "faults"], "faults": ["sandbox", "faults"], "event": ["service", "events"],
    "events": ["service", "events"], "index": ["plugin", "index"], "registry": ["plugin", "index"],
    "trust": ["plugin", "trust"],
  ]

  /// Synonyms of verbs, each with the verbs that it may mean. Only verbs that the noun has are suggested.
  static let verbs: [String: [String]] = [
    "ls": ["list", "fetch"], "all": ["list", "fetch"], "list": ["fetch", "regions"], "index": ["list"],
    "get": ["show", "fetch"], "describe": ["show", "fetch"], "view": ["show", "fetch"], "info": ["show", "info"],
    "cat": ["show"], "read": ["show", "fetch"], "inspect": ["show", "fetch"], "details": ["show", "fetch"],
    "display": ["show"], "print": ["show"], "show": ["fetch", "info"],
    "delete": ["remove", "clear"], "rm": ["remove", "clear"], "del": ["remove", "clear"], "remove": ["clear"],
    "destroy": ["remove"], "uninstall": ["remove"], "drop": ["remove"], "purge": ["remove", "clear"],
    "new": ["create", "add", "new"], "make": ["create", "new"], "create": ["add", "new", "set"],
    "add": ["create", "install", "set"], "register": ["add", "create"],
    "switch": ["use"], "select": ["use"], "track": ["add"], "untrack": ["remove"], "forget": ["remove"],
    "on": ["enable"], "off": ["disable"], "reopen": ["enable"], "close": ["disable"], "start": ["enable", "on"],
    "stop": ["disable", "off"],
    "enable": ["on"], "disable": ["off"], "pause": ["disable", "off"], "unpause": ["enable", "on"],
    "activate": ["use", "enable", "on"], "deactivate": ["disable", "off"],
    "connect": ["activate"], "authorize": ["activate"], "disconnect": ["disable"],
    "check": ["verify", "test", "check"], "validate": ["verify", "test", "check"], "lint": ["test", "check"],
    "fetch": ["list"], "find": ["search", "list", "fetch"], "search": ["list", "fetch"], "query": ["list"],
    "reload": ["update"], "refresh": ["update"], "update": ["upgrade", "set"], "edit": ["set"], "change": ["set"],
    "modify": ["set"], "configure": ["set"], "save": ["set"], "put": ["set"], "import": ["restore", "set"],
    "replace": ["set"], "retry": ["replay", "flush"], "resend": ["replay", "flush"], "send": ["flush", "fire"],
    "reset": ["reset", "clear"], "combine": ["merge"], "sum": ["merge"],
  ]

  /// Whole commands, which take precedence over the synonyms above.
  static let table = ForeignNames.rows(
    """
    login, signin, sign-in, auth login, oauth, authenticate = init | token exchange | grab login
    auth, auth status, auth whoami, whoami, me, user, id, identity, sts, account show = token verify
    sts get-caller-identity = token verify
    auth token, print-token = token show --print
    auth list, keys, credentials, token-list, users list, users ls, user list, users = token list
    secrets, secrets list, secrets ls, secrets show, keys list, keys show, key show, keys ls = profile show
    credentials list, credentials ls, credentials show = profile show
    auth refresh, refresh-token, get-token = token exchange
    credentials rotate, keys rotate, key rotate, auth rotate = profile set --service-key-file FILE | token exchange
    auth set, auth add, auth setup, credentials set, credentials add = profile set --service-key-file FILE
    keys set, keys add, key set, key add, secrets put, secret put, secret add = profile set --service-key-file FILE
    auth switch, switch, checkout, config use-context, use-context = profile use
    logout, signout, sign-out, auth logout = token remove | grab logout
    setup, quickstart, onboard, start-here, wizard = init | profile create
    key, service-key, api-key, set-key, secret, secret set, secrets set = profile set --service-key-file FILE
    config, env list, settings, current-context, config current-context, config view = profile show
    config get, config show, profile get = profile show
    config path, config dir, config file, config location = doctor
    config set, config edit, config update, set-profile = profile set
    config list, config ls, config get-contexts, get-contexts, config profiles, config contexts = profile list
    profile current, profile which, profile whoami, profile status, profile get, profile settings = profile show
    profile default, profile set-default, profile activate, profile load = profile use
    profile edit, profile update, profile change, profile modify, profile configure, profile save = profile set
    ls, ps, ll, dir, top, all, state, state list = connections list
    list = connections list
    get, describe, view, info, cat, inspect, read, details, state show = connections show
    show = connections show
    del, untrack, forget = connections remove
    add, track, new, create, register = connections add
    status = connections list | connections show | doctor
    on, resume, turn-on, activate-all, unpause = connections enable
    off, pause, turn-off, deactivate, kill, stop = connections disable
    start = connections enable | sandbox start
    run, exec, execute, invoke = connections run
    connect, authorize, link, install-connection = connections activate
    set, edit, config-connection, customize = configure
    bulk disable, batch disable = connections disable
    bulk enable, batch enable = connections enable
    toggle, connections toggle, connections switch = connections enable | connections disable
    import, deploy, push, up-all, load = connections apply
    export, pull, dump = connections export --all | connections export
    sync, refresh, reload = connections list --refresh
    plan, compare, preview, drift = connections diff
    validate, lint = connections diff | service test
    rollback, revert = connections undo | plugin rollback
    rollout undo, releases rollback = connections undo
    log, logs, audit, changelog, activity = connections history | sandbox requests
    releases, run list, run ls, run view, run show = connections history
    logs tail, log tail = sandbox requests --follow
    tail, monitor, follow, poll = connections watch
    browse, web, dashboard, url = connections open
    badge, embed, widget, snippet = connections button
    options, explain = connections options
    fields, fields list, fields ls, fields show, fields get = configure --no-input
    field, field list, field show, field get = configure --no-input
    field options, field values = connections options
    unset, connections unset = configure {1} --set {2}= | configure ID --set FIELD=
    delete, rm, destroy = connections remove | connections disable
    connections delete, connections rm, connections destroy = connections remove | connections disable
    fields set, field set, options set = configure
    fields options, options list, options get, options show = connections options
    connections import, connections load, connections restore, connections push = connections apply
    connections deploy, connections up, connections put, connections upload = connections apply
    connections pull, connections dump, connections save, connections backup, connections download = connections export
    connections copy, connections clone = connections export
    connections plan, connections compare, connections preview, connections drift = connections diff
    connections sync, connections refresh, connections reload, connections fetch = connections list --refresh
    connections rollback, connections revert, connections unapply = connections undo
    connections status, connections state, connections ping = connections show | connections list
    connections log, connections logs, connections runs, connections audit = connections history
    connections activity, connections changes, connections journal = connections history
    connections create, connections new, connections register = connections add | connections activate
    connections edit, connections set, connections update, connections config, connections settings = configure
    connections modify, connections change, connections patch, connections customize = configure
    connections refresh-labels, connections labels, connections update-labels = connections options --refresh
    connections schema = connections options
    connections fields, connections values, connections inputs = configure --no-input
    connections search, connections find, search, find = connections list --search {1} | connections list --search TEXT
    connections link, connections login, connections install, connections approve = connections activate
    connections resume, connections turn-on = connections enable
    connections turn-off, connections revoke, connections kill, connections suspend = connections disable
    connections tail, connections follow, connections monitor, connections poll = connections watch
    connections subscribe, connections listen = connections watch
    connections trigger, connections fire, connections try = connections test
    connections action, connections exec, connections execute, connections invoke, connections call = connections run
    connections actions, connections triggers, connections steps = connections show
    connections browse, connections web, connections url, connections page = connections open
    connections badge, connections embed, connections widget, connections snippet = connections button
    connections enabled, connections active = connections list --status enabled
    connections disabled, connections inactive = connections list --status disabled
    applets status, applets search, applets info = applets fetch
    applets connect, applets install, applets authorize = applets activate
    applets history, applets log, applets logs = connections history
    applets undo, applets revert = connections undo
    token create = token exchange | token set
    token get = token show
    token new, token login, token fetch, token request, token generate, token issue = token exchange
    token refresh, token renew, token rotate, token mint, token update = token exchange
    token add, token save, token store, token import, token put = token set
    token revoke, token logout, token clear, token forget = token remove
    token check, token test, token validate, token status, token info, token whoami, token owner = token verify
    token print, token reveal, token export, token copy, token cat = token show
    privacy opt-out, privacy no, privacy never, telemetry opt-out = privacy off
    privacy opt-in, privacy yes, telemetry opt-in = privacy on
    privacy status, privacy info, privacy get, privacy list = privacy show
    cache clear, cache purge, clear-cache, cache clean, cache refresh = connections list --refresh
    store path, store where, store location, store status, store size, store stats, store dir = store info
    store export, store dump, store save, store copy = store backup
    store import, store load, store recover = store restore
    store verify, store fsck, store repair, store test, store integrity = store check
    store encrypt, store rotate, store passphrase, store key, store lock = store rekey
    check, diagnose, health, healthcheck, self-test, selftest, ping, troubleshoot, support = doctor
    cluster-info, system info, system check = doctor
    install = plugin install
    uninstall = plugin remove
    upgrade, update = version | plugin upgrade
    self-update, selfupdate, self update, self upgrade, about, ver = version
    plugin update, plugin up = plugin upgrade
    plugin enable, plugin get, plugin download, plugin add, plugin i = plugin install
    plugin disable, plugin delete = plugin remove
    plugin info, plugin inspect, plugin permissions = plugin show
    plugin create, plugin init, plugin scaffold, plugin generate, plugin template = plugin new
    plugin pack, plugin build, plugin bundle, plugin publish, plugin release = plugin package
    plugin lint, plugin conformance = plugin test
    plugin dev, plugin develop, plugin run, plugin load = plugin link
    plugin browse, plugin explore, plugin available, plugin market = plugin search
    plugin downgrade, plugin revert, plugin undo = plugin rollback
    test = service test | connections test
    test triggers = service test --only triggers
    test actions = service test --only actions
    test queries = service test --only queries
    test status = service test --only status
    service lint, service check, service validate, service verify, service status = service test
    service run, service trigger, service invoke, service request = service call | service test
    service query, service action = service call
    service serve, service start, service forward, service tunnel, service proxy = service listen
    service logs, service log, service webhooks, service history = service events list
    service ping = service test
    service push, service realtime, service poll = service notify
    events tail, events listen, events watch = service listen
    webhook listen, webhook serve, webhook receive = service listen
    webhook list, webhook ls, webhook logs, webhook events = service events list
    webhook send, webhook trigger, webhook post, webhook call, webhook test, webhook emit, webhook run = webhook fire
    trigger = webhook fire
    geofences, geofence, fences, regions = location regions
    users token, user token = token show
    users export, user export = token list
    endpoint, endpoints, endpoint check, endpoints check, endpoint test, endpoints test = service test
    service send, realtime send, realtime push = service notify
    send, emit, maker = webhook fire
    serve, server, mock, dev, local, emulate, up, compose up, local start = sandbox start
    fixtures = sandbox seed
    demo, try, example, playground = connections list --profile sandbox
    sandbox connections, sandbox connections list, sandbox connection list = connections list --profile sandbox
    sandbox enable = connections enable --profile sandbox
    sandbox disable = connections disable --profile sandbox
    sandbox show = connections show --profile sandbox
    sandbox run, sandbox serve, sandbox up, sandbox launch, sandbox init, sandbox create, sandbox server = sandbox start
    sandbox ps, sandbox list, sandbox ls, sandbox info = sandbox status
    sandbox url, sandbox address, sandbox port = sandbox env
    sandbox down, sandbox kill, sandbox shutdown, down, compose down = sandbox stop
    sandbox resend, sandbox replay, sandbox retry = sandbox send-again
    sandbox logs, sandbox log, sandbox tail, sandbox history = sandbox requests
    sandbox fault, sandbox fail, sandbox inject, sandbox chaos, sandbox break = sandbox faults set
    sandbox faults add, sandbox faults inject = sandbox faults set
    sandbox fire, sandbox event, sandbox emit = sandbox trigger
    sandbox clear, sandbox clean, sandbox restart, sandbox wipe = sandbox reset
    sandbox fixtures, sandbox export, sandbox data = sandbox seed
    location simulate, location play, location track, location run, location test, location walk = location replay
    location import, location load, location upload = location replay
    simulate, walk = location replay
    location send, location push, location post, location trigger, location enter = location report
    location update = location report
    location show, location geofences, location fences, location status = location regions
    location view, location draw, location plot = location map
    location queue, location pending = location events list
    location clear, location forget = location reset
    runs merge, merge = report merge
    call = service call | api
    request, curl, http, raw = api
    post = api POST
    put = api PUT
    patch = api PATCH
    docs, documentation, manual, usage, commands, tutorial, examples, api-resources = help
    exit-codes, errors, codes = help exit-codes
    formats = help formats
    env, environment = help environment | sandbox env
    feedback, bug, issue, report-bug = doctor
    completions, autocomplete, shell-completion, complete = completion
    """)

  /// Hints for names without a direct equivalent.
  static let hints: [String: [Hint]] = [
    "applets create": [createApplet], "applets new": [createApplet], "applets add": [createApplet],
    "applets delete": [
      "An Applet is deleted at https://ifttt.com/my_applets. Disable it with \(ifttt: "applets disable ID")."
    ],
    "applets remove": [
      "An Applet is deleted at https://ifttt.com/my_applets. Disable it with \(ifttt: "applets disable ID")."
    ],
    "ci": [ci], "ci init": [ci], "workflow": [ci], "actions": [ci], "github": [ci],
    "users import": [users], "users add": [users], "import users": [users], "users create": [users],
    "user add": [users], "user create": [users], "user import": [users],
    "location add": [regions], "location create": [regions], "location set": [regions], "location define": [regions],
    "trigger": [ofConnection], "token revoke": [revocation], "delete": [removal], "rm": [removal], "destroy": [removal],
    "connections delete": [removal], "connections rm": [removal], "connections destroy": [removal],
    "alias": ["Define an alias or a function in your shell."],
    "upgrade": [newVersion], "update": [newVersion], "self-update": [newVersion], "selfupdate": [newVersion],
    "self update": [newVersion], "self upgrade": [newVersion],
    "stop": [stopServer],
    "profile rename": [noRename], "profile copy": [noRename], "profile clone": [noRename],
    "profile duplicate": [noRename],
    "store clear": [clearStore], "store wipe": [clearStore], "store reset": [clearStore], "store delete": [clearStore],
    "plugin enable": [togglePlugin], "plugin disable": [togglePlugin],
    "ifttt-plugin": ["The page about plugin.json and the protocol is in section 5: man 5 ifttt-plugin"],
    "ifttt-store": ["The page about the store is in section 5: man 5 ifttt-store"],
    "ifttt-sandbox": ["The page about the sandbox is in section 7: man 7 ifttt-sandbox"],
    "ifttt-service": ["The page about endpoint tests is in section 7: man 7 ifttt-service"],
    "shell": [noShell], "repl": [noShell], "console": [noShell], "interactive": [noShell],
  ]

  private static let ci: Hint =
    "In CI, set IFTTT_SERVICE_KEY, and pass --report junit=FILE; \(ifttt: "help environment") lists the variables."
  private static let users: Hint =
    "To store a user's token: \(ifttt: "token exchange --user-id ID"). To run a command for each user of a file, pass "
    + "--users FILE to it."
  private static let regions: Hint =
    "A region is a field of a connection: \(ifttt: "configure ID --set FIELD=LATITUDE,LONGITUDE,METERS"). "
    + "\(ifttt: "location regions") lists the regions."
  static let language: Hint =
    "Errors and help are in English. The connect flow has a language: pass --locale LOCALE."
  private static let removal: Hint =
    "IFTTT has no request that deletes a connection. 'remove' removes it from this profile's list; 'disable' stops it."
  private static let revocation: Hint =
    "IFTTT has no request that revokes a token; it is only removed from this machine."
  static let ofOutput: Hint = "The format is not stored: pass --output FORMAT, or set IFTTT_OUTPUT."
  static let ofSettings: Hint =
    "A profile stores --service, --user-id, --service-key-file and base URLs: "
    + "\(ifttt: "profile set NAME --service SLUG")"
  private static let ofConnection: Hint =
    "To test a trigger of a connection: \(ifttt: "connections test ID SERVICE.TRIGGER")"
  private static let stopServer: Hint = "To stop a server of the sandbox: \(ifttt: "sandbox stop")"
  private static let createApplet: Hint =
    "Applets are created at https://platform.ifttt.com. List those of your service: \(ifttt: "applets fetch")"
  static let newVersion: Hint = "Upgrade ifttt the way you installed it."
  private static let clearStore: Hint = "Remove profiles one at a time: \(ifttt: "profile remove NAME")"
  private static let togglePlugin: Hint =
    "An installed plugin is always enabled; --no-plugins disables all plugins for one command."
  private static let noRename: Hint = "Create a profile under the new name: \(ifttt: "profile create NAME")"
  private static let noShell: Hint = "Run one command at a time; \(ifttt: "help") lists them."
}
