import CommandLine
import Output
import Text

/// Options of other programs, and this program's equivalents. The tests run every one.
enum ForeignOptions {
  /// A row may begin with the command or the noun that it applies to.
  static let table = ForeignNames.rows(
    """
    --format, --output-format, --out, -O = --output
    --csv = --output csv
    --tsv, --plain, --porcelain = --output tsv
    --jsonl, --ndjson, --json-lines, --stream = --output jsonl
    --table, --human, --text, --pretty, --wide = --output table
    --columns, --cols, --select, --field, --attributes, --properties, --props, --include = --fields
    --no-headers, --noheader, --noheaders, --skip-header = --no-header
    --no-color, --no-colors, --nocolor, --monochrome, --no-colour, --no-ansi = --color never
    --colour, --colors = --color
    --debug, --trace, -d, -i, --show-requests, --show-headers = --verbose
    --silent, -s, --no-progress, --no-output = --quiet
    --no-cache, --force-refresh, --fresh, --update-cache, --reload = --max-age 0
    --cached, --cache-only, --no-network, --local = --offline
    --account, --context, --config, --workspace, --env, --as-profile = --profile
    --sandbox, --test-mode, --emulator = --profile sandbox
    --live, --production, --prod = --profile default
    --force, --assume-yes, --auto-approve, --no-confirm, --confirm, --skip-confirmation, --yes-to-all = --yes
    --non-interactive, --no-interactive, --no-prompt, --batch, --ci = --no-input
    --dryrun, --check, --what-if, --whatif, --simulate, --noop, --preview, --plan = --dry-run
    --concurrency, --parallel, -j, --threads, --workers, --max-concurrency = --jobs
    --retry, --max-retries, --max-attempts = --retries
    --wait-timeout, --request-timeout, --max-time, -m, --connect-timeout = --timeout
    --lang, --language = --locale
    --save-requests, --vcr, --capture = --record
    --key-file, --api-key-file, --service-key-path = --service-key-file
    --token-file, --user-token-path, --auth-file = --user-token-file
    --oauth-token-file, --bearer-file = --access-token-file
    --user, --uid, --username, -u, --for-user = --user-id
    --invite, --invitation = --invite-code
    --users-file, --user-file, --user-list = --users
    --all-users, --every-user, --for-all-users = --users FILE
    --anonymous, --no-auth, --public = --as anonymous
    --as-user = --as user
    --as-service = --as service
    --exit-status, --detailed-exitcode = --exit-code
    --raw, --compact = --output json
    -a = --all
    --redirect-url, --callback-url, --return-url = --finish
    --callback, --redirect, --return-to = --redirect-uri
    --no-open, --headless, --print-url, --no-launch = --no-browser
    --id, --connection, --connection-id, --connection_id = {ID}
    --profile-name, --name = {NAME}
    --file, --filename, --from-file = {FILE}
    -f = {FILE}
    connections enable -f, connections disable -f, connections remove -f, connections undo -f, profile remove -f = --yes
    token remove -f, store restore -f, plugin remove -f, applets enable -f, applets disable -f = --yes
    --watch, -w = connections watch
    connections --web, connections --browser, connections --open = connections open
    connections list -s = --status
    --follow = connections watch
    --only-enabled, --enabled, --active = --status enabled
    --only-disabled, --disabled, --inactive = --status disabled
    --state = --status
    --filter, --grep, -l, --selector, --match, --contains = --search {TEXT}
    --query = --jq .{EXPRESSION} | --search {TEXT}
    --order-by, --sort-by, --order, -S = --sort {FIELD}
    --max, --max-results, --max-items, --page-size, --per-page, --limit, -L = --limit {N}
    --count, --top, --head, --first = --limit {N}
    --max-rows, --tail, --lines, --since, --limit, -L = --last {N}
    --every, --poll-interval = --interval
    --junit, --report-file = --report junit={FILE}
    --summary, --summary-file = --report summary={FILE}
    connections list --update, connections list --sync = --refresh
    connections list --all, connections list -a, connections list --tracked = connections list
    connections show --no-track, connections show --no-save = connections show
    connections show --save, connections show --add, connections show --remember = --track
    connections wait --status, connections wait --state = --for status={STATUS}
    connections wait --pending = --for pending=false
    connections wait --until, connections wait --condition = --for
    connections watch --on-change, connections watch --command, connections watch --run, connections watch -c = --exec
    connections watch --max, connections watch --limit, connections watch --times = --count
    service listen --max, service listen --limit, service listen --times = --count
    location replay --limit, location map --limit = --max-regions
    connections apply --filename, connections apply --state-file = {FILE}
    connections apply --delete, connections apply --remove = --prune
    connections open --url, connections open --print = --no-browser
    connections run --set, connections run --param, connections run --data, connections run -d = --field
    connections query --set, connections query --param, connections query --data, connections query -d = --field
    connections query --every, connections query --all-pages, connections query --paginate = --all
    connections options --refresh-labels, connections options --labels, connections options --update = --refresh
    connections undo --last = connections undo
    connections options --field = {FIELD}
    connections history --tail, connections history --lines = --limit {N}
    connections enable --file, connections disable --file = --users
    service test --triggers = --only triggers
    service test --actions = --only actions
    service test --queries = --only queries
    init --with-token = token set --user-token-file {-}
    connections activate --open, connections activate --web = --browser
    connections enable --set, connections disable --set, connections show --set = configure --set {FIELD=VALUE}
    init --service-key-stdin = profile set NAME --service-key-file -
    connections undo --run, connections undo --id, connections history --run, connections history --id = {RUN}
    configure --field, configure --value, configure --option, configure --param, configure -d, configure -s = --set
    configure -f = --set | --file
    configure --list, configure --show = connections options
    configure --enable = --enable-feature
    configure --disable = --disable-feature
    configure --remove = --remove-feature
    configure --input, configure --config, configure --from = --file
    token show --user-id, token show --user, token show --id, token show -u = {USER}
    token remove --user-id, token remove --user, token remove --id = {USER}
    token show --raw, token show --plain, token show --unmask, token show --show = --reveal
    token set --file, token set --from-file, token set --stdin, token set --with-token = --user-token-file {-}
    token exchange --no-store, token exchange --dry = --no-save
    token exchange --token-file, token exchange --oauth-file = --access-token-file
    profile set --update, profile create --update = profile set
    profile create --default, profile create --activate, profile set --default = --use
    profile set --service-slug, profile create --service-slug = --service
    profile set --url, profile create --url, profile set --server, profile create --server = --base-url
    profile show --name, profile use --name, profile remove --name, profile create --name, profile set --name = {NAME}
    doctor --repair, doctor --autofix, doctor --auto-fix = --fix
    api --form, api --param = --field
    api --raw-field, api --data-urlencode = --field
    api --request, api --verb = --method
    api --silent = --quiet
    api --data-binary, api --from-file, api --json-file, api -T = --input
    completion --shell, completion -s = {SHELL}
    plugin install --checksum, plugin install --hash = --sha256
    plugin install --url, plugin install --path, plugin install --source, plugin install --from = {SOURCE}
    plugin new --lang, plugin new -l, plugin new --template = --language
    plugin new --type = --kind | --kind {KIND} --language python
    plugin new --dir, plugin new --path = --directory
    plugin package --dir, plugin package --out = --directory
    service test --url, service call --url, service test --endpoint = {URL}
    service test --key, service call --key = --service-key-file FILE
    service listen --forward-to, service listen -f = --forward
    service listen --address, service listen --host = --bind
    service listen --events, service listen --type = --for
    service notify --identity, service notify --trigger-id = --trigger-identity
    service notify --user = --user-id
    webhook fire --event, webhook fire --name, webhook fire -e = {EVENT}
    webhook fire --v1 = --value1
    webhook fire --v2 = --value2
    webhook fire --v3 = --value3
    webhook fire --data, webhook fire --json-body, webhook fire --payload, webhook fire -d = --json-file {FILE}
    webhook fire --key-file, webhook fire --token-file = --webhooks-key-file
    sandbox start --bind, sandbox start --listen, sandbox start --address = --host
    sandbox start --fixtures, sandbox start --file, sandbox start --data, sandbox start --state = --seed
    sandbox start --fail, sandbox start --inject, sandbox start --error = --fault
    sandbox faults set --fault, sandbox faults set --status, sandbox faults set --error = {FAULT}
    sandbox faults set --count = --times
    sandbox requests --tail, sandbox requests --lines = --last {N}
    sandbox requests --watch, sandbox activity --watch, sandbox requests --wait = --follow
    location replay --gpx, location replay --file, location replay --track, location replay --input = {FILE}
    location replay --id, location replay --connections = --connection
    location replay --rate = --speed
    location report --region = {REGION}
    location map --file, location map --track = {FILE}
    location map --out, location map --save = --output-file
    store backup --file, store backup --to, store restore --file, store restore --from = {FILE}
    report merge --input, report merge --files, report merge --from = {FILE}
    applets fetch --order-by = --order
    applets fetch --os = --platform
    """)

  /// Hints for options without a direct equivalent.
  static let hints: [String: [Hint]] = [
    "--yaml": [formats], "--xml": [formats], "--html": [formats], "--markdown": [formats],
    "--template": [templates], "-t": [templates], "--go-template": [templates], "--jsonpath": [templates],
    "connections button --output-file": [redirect],
    "connections button --out": [redirect], "connections button --file": [redirect],
    "--output-file": [redirect], "--output-to": [redirect],
    "--insecure": [certificates], "-k": [certificates], "--no-verify-ssl": [certificates],
    "--skip-verify": [certificates], "--cacert": [certificates], "--ca-cert": [certificates],
    "--no-check-certificate": [certificates],
    "sandbox start -d": [background], "sandbox start --daemon": [background],
    "sandbox start --background": [background], "--url": [hosts], "--host": [hosts], "--server": [hosts],
    "--endpoint": [hosts], "--base-url": [hosts], "--api-url": [hosts],
    "init --base-url": [newProfile], "init --url": [newProfile], "init --server": [newProfile],
    "--service": [services], "--page": [wholeLists], "--paginate": [wholeLists], "--all-pages": [wholeLists],
    "--no-paginate": [wholeLists], "--offset": [wholeLists], "--cursor": [wholeLists],
    "api --page": [apiPages], "api --paginate": [apiPages], "api --all": [apiPages],
    "--config-dir": [folders], "--home": [folders], "--data-dir": [folders], "--config-file": [folders],
    "configure --unset": [unset], "configure --reset": [unset], "configure --delete": [unset],
    "configure --clear": [unset],
    "profile set --unset": [unsetSetting], "profile create --unset": [unsetSetting],
    "profile set --delete": [unsetSetting],
    "--reverse": [descending], "--desc": [descending], "--descending": [descending], "--asc": [descending],
    "token exchange --code": [codes], "token exchange --oauth-code": [codes],
    "--lang": [ForeignCommands.language], "--language": [ForeignCommands.language],
    "configure --lat": [location], "configure --lng": [location], "configure --radius": [location],
    "configure --latitude": [location], "configure --longitude": [location],
    "version --check": [ForeignCommands.newVersion], "version --latest": [ForeignCommands.newVersion],
    "version --update": [ForeignCommands.newVersion],
    "location report --lat": [position], "location report --latitude": [position],
    "location report --lng": [position], "location report --lon": [position],
    "--proxy": ["Set HTTPS_PROXY to the URL of the proxy."],
    "connections export --output-file": [redirect], "connections export --file": [redirect],
    "connections export --out": [redirect],
    "connections watch --sort": [sortStream], "service listen --sort": [sortStream],
    "connections watch --search": [searchStream], "service listen --search": [searchStream],
    "-H": [header], "--header": [header], "-X": [method], "--request": [method],
  ]

  /// Hints for options that only some commands have, used if the typed command lacks them.
  static let alternatives: [String: [Hint]] = Dictionary(
    uniqueKeysWithValues: [
      "--max", "--max-results", "--max-items", "--page-size", "--per-page", "--limit", "-L", "--count", "--top",
      "--head", "--first", "--filter", "--query", "--grep", "-l", "--selector", "--match", "--contains", "--search",
      "--order-by", "--sort-by", "--order", "-S", "--sort",
    ].map { ($0, ["Only commands that print a list have --sort, --limit and --search; this one does not."]) }
      + [("-f", ["Select fields with --fields A,B.C, and rows of a list with --search TEXT."])])

  /// Options of other programs whose value is a secret. This program reads secrets only from files and variables.
  static let secrets: Set = [
    "--token", "--key", "--api-key", "--apikey", "--secret", "--password", "--auth", "--bearer", "--user-token",
    "--service-key", "--access-token", "--oauth-token", "--oauth-code", "--client-secret", "--webhooks-key", "--pass",
    "--auth-token", "--code", "--api-token", "--credentials",
  ]

  static let descending: Hint = "To sort in descending order, put '-' before the field: --sort -FIELD"
  private static let position: Hint =
    "The command reports a region, not a position. Replay the positions of a file: \(ifttt: "location replay FILE")"
  private static let formats: Hint =
    "Formats: \(Format.allCases.map(\.rawValue).joined(separator: ", ")), as in --output json."
  static let templates: Hint =
    "Select fields with --fields A,B.C, or format the JSON output with --jq EXPRESSION."
  private static let sortStream: Hint =
    "Rows are printed as they arrive. Pass --count to stop after a number of rows."
  private static let searchStream: Hint = "To search the rows, add: -o jsonl | grep TEXT"
  private static let background: Hint = "To leave the server running in the background, pass --detach."
  private static let location: Hint = "A location is one value: --set FIELD=LATITUDE,LONGITUDE,RADIUS"
  private static let codes: Hint =
    "The exchange accepts an OAuth access token, not a code: exchange the code at your OAuth server."
  private static let redirect: Hint = "Redirect the output to a file: add > FILE at the end."
  private static let certificates: Hint =
    "Certificates are always checked. Set SSL_CERT_FILE to trust the certificates in a file."
  private static let hosts: Hint =
    "The base URLs belong to a profile: \(ifttt: "profile set NAME --base-url URL")."
  private static let newProfile: Hint =
    "First create the profile with its server: \(ifttt: "profile create NAME --base-url URL"). Then run "
    + "\(ifttt: "--profile NAME init")."
  private static let services: Hint =
    "A connection belongs to several services; show them with --fields id,services.name."
  private static let wholeLists: Hint = "Lists are complete; there are no pages."
  private static let apiPages: Hint = "One command sends one request. Pass the page as a field: --field NAME=VALUE."
  private static let folders: Hint = "Set IFTTT_HOME to a folder for all files of this program."
  private static let unset: Hint = "To empty a field, set it to nothing: --set FIELD="
  private static let unsetSetting: Hint = "To remove a setting, pass an empty value: --user-id ''"
  private static let header: Hint = "Only \(ifttt: "api GET /v2/me --header NAME:VALUE") sends headers of your own."
  private static let method: Hint = "Only \(ifttt: "api POST /v2/me") sends a request of your own."
}
