import Session
import Testing

/// Command lines that people typed before they had seen any help, and the first suggestion for each.
@Suite struct FreshGuessTests {
  private static let guesses = rows(
    #"""
    connection list => connections list
    ls => connections list
    conn ls => connections list
    list --json => connections list --json
    list --json id,status => connections list --json --fields id,status
    list --json id,status --jq '.[].id' => connections list --json --fields id,status --jq '.[].id'
    list -q => connections list -q
    list --format '{{.ID}}' => connections list
    connections list --filter status=enabled => connections list --status enabled
    list --enabled => connections list --status enabled
    list --status enabled => connections list --status enabled
    list --sort name => connections list --sort name
    list --sort-by=.name => connections list --sort name
    list --limit 5 => connections list --limit 5
    list --page 2 --per-page 5 => connections list --limit 5
    list --no-headers => connections list --no-header
    list --query '[].id' => connections list --jq '.[].id'
    list -w => connections watch
    get connections => connections list
    describe connection Kd7Rn2Qx => connections show Kd7Rn2Qx
    show Kd7Rn2Qx => connections show Kd7Rn2Qx
    connections view Kd7Rn2Qx => connections show Kd7Rn2Qx
    connections get Kd7Rn2Qx --json => connections show Kd7Rn2Qx --json
    inspect Kd7Rn2Qx => connections show Kd7Rn2Qx
    view Kd7Rn2Qx --web => connections open Kd7Rn2Qx
    open Kd7Rn2Qx => connections open Kd7Rn2Qx
    enable Kd7Rn2Qx => connections enable Kd7Rn2Qx
    disable Kd7Rn2Qx --yes => connections disable Kd7Rn2Qx --yes
    disable Kd7Rn2Qx -f => connections disable Kd7Rn2Qx --yes
    disable --all => connections disable --all
    disable Kd7Rn2Qx --dry-run => connections disable Kd7Rn2Qx --dry-run
    enable Kd7Rn2Qx --user alice => connections enable Kd7Rn2Qx --user-id alice
    activate Kd7Rn2Qx => connections activate Kd7Rn2Qx
    connections activate Kd7Rn2Qx --print-url => connections activate Kd7Rn2Qx --no-browser
    status Kd7Rn2Qx => connections show Kd7Rn2Qx
    status => connections list
    config set Kd7Rn2Qx channel=general => configure Kd7Rn2Qx --set channel=general
    set Kd7Rn2Qx field=value => configure Kd7Rn2Qx --set field=value
    update Kd7Rn2Qx --field color=red => configure Kd7Rn2Qx --set color=red
    edit Kd7Rn2Qx => configure Kd7Rn2Qx
    fields list Kd7Rn2Qx => configure --no-input Kd7Rn2Qx
    connections fields Kd7Rn2Qx => configure --no-input Kd7Rn2Qx
    options Kd7Rn2Qx FIELD => connections options Kd7Rn2Qx FIELD
    fields options Kd7Rn2Qx FIELD => connections options Kd7Rn2Qx FIELD
    auth token => token show --print
    token exchange --user alice => token exchange --user-id alice
    auth login => init
    login => init
    auth status => token verify
    logout => token remove
    whoami => token verify
    auth set service-key => profile set NAME --service-key-file FILE
    credentials set service-key => profile set NAME --service-key-file FILE
    credentials set service-key abc123 => profile set NAME --service-key-file FILE
    config profiles => profile list
    credentials rotate => profile set --service-key-file FILE NAME
    secrets list => profile show
    config set service-key KEY => profile set NAME --service-key-file FILE
    keys show => profile show
    profiles => profile list
    config use-context sandbox => profile use sandbox
    list -p sandbox => connections list -p sandbox
    --env sandbox list => --profile sandbox connections list
    users list => token list
    disable Kd7Rn2Qx --users users.csv => connections disable Kd7Rn2Qx --users users.csv
    list --all-users => connections list --users FILE
    extension create hello => plugin new hello
    emulator start --port 8080 => sandbox start --port 8080
    trigger ping => webhook fire ping
    listen --forward-to localhost:3000/webhook => service listen --forward localhost:3000/webhook
    test http://localhost:3000 => service test http://localhost:3000
    service test --url http://localhost:3000 => service test http://localhost:3000
    notify --trigger-identity abc123 => service notify --trigger-identity abc123
    realtime notify --user-id 42 => service notify --user-id 42
    geofences list => location regions
    config list => profile list
    config get editor => profile show
    cache clear => connections list --refresh
    telemetry off => privacy off
    list --debug => connections list --verbose
    -vvv list => -vvv connections list
    logs --tail 10 => connections history --limit 10
    undo => connections undo
    history => connections history
    import connections.json --dry-run => connections apply connections.json --dry-run
    diff connections.json => connections diff connections.json
    apply -f connections.yaml => connections apply connections.yaml
    curl /v2/connections/ID => api /v2/connections/ID
    upgrade => version
    update --check => version
    list --no-color => connections list --color never
    connections ls => connections list
    list => connections list
    connections get Kd7Rn2Qx => connections show Kd7Rn2Qx
    connections info Kd7Rn2Qx => connections show Kd7Rn2Qx
    connections:info Kd7Rn2Qx => connections show Kd7Rn2Qx
    disable Kd7Rn2Qx -y => connections disable Kd7Rn2Qx -y
    connections delete Kd7Rn2Qx => connections remove Kd7Rn2Qx
    config set Kd7Rn2Qx city=Berlin => configure Kd7Rn2Qx --set city=Berlin
    connections update Kd7Rn2Qx --field city=Berlin => configure Kd7Rn2Qx --set city=Berlin
    fields Kd7Rn2Qx => configure --no-input Kd7Rn2Qx
    options Kd7Rn2Qx city => connections options Kd7Rn2Qx city
    fields options Kd7Rn2Qx city => connections options Kd7Rn2Qx city
    connections edit Kd7Rn2Qx => configure Kd7Rn2Qx
    connections apply -f connection.json => connections apply connection.json
    auth login --service-key-stdin => profile set NAME --service-key-file -
    tokens create --user 42 => token exchange --user-id 42
    users token user42 => token show user42
    credentials list => profile show
    secrets put SERVICE_KEY => profile set NAME --service-key-file FILE
    keys rotate => profile set --service-key-file FILE NAME
    use staging => profile use staging
    config use-context staging => profile use staging
    profiles create staging => profile create staging
    profiles delete staging => profile remove staging
    connections list --format csv => connections list --output csv
    connections list --no-headers => connections list --no-header
    connections list --enabled => connections list --status enabled
    connections list --sort-by name => connections list --sort name
    connections list --columns id,name => connections list --fields id,name
    connections list --query '[].id' => connections list --jq '.[].id'
    connections list --watch => connections watch
    connections list --user user42 => connections list --user-id user42
    plugins => plugin list
    plugins install ./ifttt-hello => plugin install ./ifttt-hello
    plugin create hello => plugin new hello
    emulators:start => sandbox start
    dev => sandbox start
    listen --forward-to localhost:3000 => service listen --forward localhost:3000
    trigger new_photo => webhook fire new_photo
    webhooks send my_event --data '{"value1":1}' => webhook fire my_event --json-file FILE
    completions bash => completion bash
    cache clean => connections list --refresh
    telemetry disable => privacy off
    --lang de connections list => --locale de connections list
    connections list --debug => connections list --verbose
    logs --tail => connections history --limit N
    diff backup.json => connections diff backup.json
    connection show Kd7Rn2Qx => connections show Kd7Rn2Qx
    connect Kd7Rn2Qx => connections activate Kd7Rn2Qx
    set Kd7Rn2Qx scene=evening => configure Kd7Rn2Qx --set scene=evening
    connections update Kd7Rn2Qx --field scene=evening => configure Kd7Rn2Qx --set scene=evening
    fields options Kd7Rn2Qx scene => connections options Kd7Rn2Qx scene
    connections options Kd7Rn2Qx --field city => connections options Kd7Rn2Qx city
    connections fields Kd7Rn2Qx -o json => configure --no-input Kd7Rn2Qx -o json
    connections list --columns id,name,status => connections list --fields id,name,status
    connections rm Kd7Rn2Qx => connections remove Kd7Rn2Qx
    connections search weather => connections list --search weather
    connections get Kd7Rn2Qx --web => connections open Kd7Rn2Qx
    tokens create --user alice => token exchange --user-id alice
    token revoke --user alice => token remove alice
    config set service-key sk_9f3a71c2 => profile set NAME --service-key-file FILE
    me => token verify
    config get-contexts => profile list
    profile delete staging --force => profile remove staging --yes
    config path => doctor
    config edit => profile set NAME --service SLUG
    connections enable Kd7Rn2Qx --users-file users.txt => connections enable Kd7Rn2Qx --users users.txt
    connections list --all-users => connections list --users FILE
    extension list => plugin list
    emulator start --port 8787 => sandbox start --port 8787
    serve --port 8787 --detach => sandbox start --port 8787 --detach
    webhooks trigger door_opened --value1 front => webhook fire door_opened --value1 front
    webhook send door_opened --data '{"value1":"x"}' => webhook fire door_opened --json-file FILE
    listen --forward-to http://localhost:3000/ifttt/v1 => service listen --forward http://localhost:3000/ifttt/v1
    test --endpoint https://api.example.com => service test https://api.example.com
    test triggers --url http://localhost:3000 => service test --only triggers http://localhost:3000
    realtime notify --user-id alice => service notify --user-id alice
    notify --trigger-identity 92429d82a41e93048 => service notify --trigger-identity 92429d82a41e93048
    completion --shell zsh => completion zsh
    logs --tail 20 => connections history --limit 20
    export --output-file connections.json => connections export --all
    apply -f connections.json --dry-run => connections apply connections.json --dry-run
    connection ls => connections list
    connections describe Kd7Rn2Qx => connections show Kd7Rn2Qx
    view Kd7Rn2Qx => connections show Kd7Rn2Qx
    get Kd7Rn2Qx -o yaml => connections show Kd7Rn2Qx -o yaml
    list --json id,name,status => connections list --json --fields id,name,status
    list -q '.[].id' => connections list -q --jq '.[].id'
    list --status disabled => connections list --status disabled
    list --filter status=enabled => connections list --status enabled
    list --sort-by name => connections list --sort name
    list -L 5 => connections list --limit 5
    list --limit 1 --columns id,name => connections list --limit 1 --fields id,name
    list -o csv => connections list -o csv
    list --watch => connections watch
    enable Kd7Rn2Qx --set location=home => configure --set location=home Kd7Rn2Qx
    disable Kd7Rn2Qx --force => connections disable Kd7Rn2Qx --force
    pause Kd7Rn2Qx => connections disable Kd7Rn2Qx
    toggle Kd7Rn2Qx => connections enable Kd7Rn2Qx
    delete Kd7Rn2Qx => connections remove Kd7Rn2Qx
    config set Kd7Rn2Qx scene=movie => configure Kd7Rn2Qx --set scene=movie
    configure Kd7Rn2Qx --field scene=movie => configure Kd7Rn2Qx --set scene=movie
    set Kd7Rn2Qx note="hello there" => configure Kd7Rn2Qx --set 'note=hello there'
    update Kd7Rn2Qx -f fields.json => configure Kd7Rn2Qx --file fields.json
    fields list --connection Kd7Rn2Qx => configure --no-input Kd7Rn2Qx
    options Kd7Rn2Qx scene => connections options Kd7Rn2Qx scene
    field options Kd7Rn2Qx calendar => connections options Kd7Rn2Qx calendar
    run Kd7Rn2Qx => connections run Kd7Rn2Qx SERVICE.ACTION
    trigger Kd7Rn2Qx => webhook fire Kd7Rn2Qx
    url Kd7Rn2Qx => connections open Kd7Rn2Qx
    token exchange --user ann --code 8f3a91c2 => token exchange --user-id ann
    token refresh => token exchange
    token revoke --user ann => token remove ann
    tokens ls => token list
    secret set SERVICE_KEY => profile set NAME --service-key-file FILE
    config set service_key sk_4f8b2c => profile set NAME --service-key-file FILE
    profiles add staging => profile create staging
    context current => profile show
    profile delete staging --yes => profile remove staging --yes
    users export -o users.csv => token list
    bulk disable --users users.txt --connection Kd7Rn2Qx => connections disable --users users.txt Kd7Rn2Qx
    enable Kd7Rn2Qx --users-file users.csv --concurrency 4 => connections enable Kd7Rn2Qx --users users.csv --jobs 4
    list --user ann@example.com => connections list --user-id ann@example.com
    extension install octo/ifttt-report => plugin install octo/ifttt-report
    plugins create report => plugin new report
    emulator start --port 4010 => sandbox start --port 4010
    webhook trigger door_opened --value1 hall => webhook fire door_opened --value1 hall
    listen --forward-to localhost:3000/ifttt/v1 => service listen --forward localhost:3000/ifttt/v1
    service test --url http://localhost:3000/ifttt/v1 => service test http://localhost:3000/ifttt/v1
    notify --user ann => service notify --user-id ann
    realtime send --trigger-identity 92429d82a41e93048 => service notify --trigger-identity 92429d82a41e93048
    completion -s fish => completion fish
    --lang de list => --locale de connections list
    logs --follow => connections watch
    diff connections.yml => connections diff connections.yml
    apply -f connections.yml --dry-run => connections apply connections.yml --dry-run
    list --ci --quiet => connections list --no-input --quiet
    upgrade --check => version
    """#)

  /// A typed command line and the suggested one, without the program's name.
  private static func rows(_ text: String) -> [(line: String, suggestion: String)] {
    text.split(separator: "\n").map { row in
      let parts = row.split(separator: " => ", maxSplits: 1)
      return (String(parts[0]), String(parts[1]))
    }
  }

  @Test(arguments: guesses) func theFirstSuggestionIsACommandLine(line: String, suggestion: String) {
    let run = ForeignNameStage().run(line)
    #expect(run.code == .usage && run.suggestions.first == "ifttt \(suggestion)", "\(run.errors)")
  }
}
