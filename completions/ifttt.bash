# shellcheck shell=bash
# Completion of ifttt for bash 3.2 and later; needs no other package. Generated from the command tree.
# Source it, or install it as share/bash-completion/completions/ifttt.

# PATH: sets names.
__ifttt_subcommands() {
  case "$1" in
  '') names=(connections location applets init token profile privacy store plugin report service webhook sandbox configure api doctor schema completion man help version grab) ;;
  'connections') names=(list show add remove enable disable activate history undo redo export diff apply wait watch open options run query test button configure) ;;
  'location') names=(regions replay map report reset on off events) ;;
  'location events') names=(list flush clear) ;;
  'applets') names=(fetch activate enable disable list) ;;
  'token') names=(exchange list show set remove verify) ;;
  'profile') names=(list create set use show remove) ;;
  'privacy') names=(show on off reset) ;;
  'store') names=(info check backup restore rekey) ;;
  'plugin') names=(list show install search outdated upgrade rollback remove link unlink verify new test package index trust) ;;
  'plugin index') names=(list add update remove) ;;
  'plugin trust') names=(list add remove) ;;
  'report') names=(merge) ;;
  'service') names=(test call listen events notify) ;;
  'service events') names=(list show replay clear) ;;
  'webhook') names=(fire) ;;
  'sandbox') names=(start status stop env open faults requests send-again activity trigger users reset seed) ;;
  'sandbox faults') names=(set list clear) ;;
  'grab') names=(login complete status id-token refresh logout apps) ;;
  *) names=() ;;
  esac
}

# PATH: sets names to the options that the command accepts.
__ifttt_spellings() {
  names=()
  case "$1" in
  'connections list') names=(--status --refresh --provider --as --user-token-file --service-key-file --user-id --invite-code --users --ordered --rate --shard --shards --report --sort --limit --search) ;;
  'connections show') names=(--all --status --stdin --track --raw --provider --as --user-token-file --service-key-file --user-id --invite-code --users --ordered --rate --shard --shards --report) ;;
  'connections add') names=(--stdin --as --user-token-file --service-key-file --user-id --invite-code --report) ;;
  'connections remove') names=(--all --status --stdin) ;;
  'connections enable') names=(--all --status --stdin --resume --force --provider --as --user-token-file --service-key-file --user-id --invite-code --users --ordered --rate --shard --shards --report) ;;
  'connections disable') names=(--all --status --stdin --resume --force --provider --as --user-token-file --service-key-file --user-id --invite-code --users --ordered --rate --shard --shards --report) ;;
  'connections activate') names=(--email --force --url --finish --oauth-code-file --reveal --browser --no-browser --redirect-uri --nonce --no-nonce --skip-config --no-skip-config --as --user-token-file --service-key-file --user-id --invite-code) ;;
  'connections history') names=(--sort --limit --search) ;;
  'connections undo') names=(--resume --force --rate --as --user-token-file --service-key-file --user-id --invite-code --report) ;;
  'connections redo') names=(--resume --force --rate --as --user-token-file --service-key-file --user-id --invite-code --report) ;;
  'connections export') names=(--all --status --stdin --as --user-token-file --service-key-file --user-id --invite-code --users --ordered --rate --shard --shards --report) ;;
  'connections diff') names=(--plan-out --prune --allow-removal --as --user-token-file --service-key-file --user-id --invite-code --users --ordered --rate --shard --shards --report --sort --limit --search) ;;
  'connections apply') names=(--plan --resume --prune --allow-removal --as --user-token-file --service-key-file --user-id --invite-code --users --ordered --rate --shard --shards --report) ;;
  'connections wait') names=(--for --interval --as --user-token-file --service-key-file --user-id --invite-code --report) ;;
  'connections watch') names=(--interval --initial --count --exec --as --user-token-file --service-key-file --user-id --invite-code) ;;
  'connections open') names=(--edit --browser --no-browser) ;;
  'connections options') names=(--refresh --as --user-token-file --service-key-file --user-id --invite-code --sort --limit --search) ;;
  'connections run') names=(--field -f --user-feature --as --user-token-file --service-key-file --user-id --invite-code) ;;
  'connections query') names=(--field -f --all --include --page-size --cursor --user-feature --as --user-token-file --service-key-file --user-id --invite-code --sort --limit --search) ;;
  'connections test') names=(--user-feature --as --user-token-file --service-key-file --user-id --invite-code) ;;
  'connections button') names=(--format --state --style --email --footer --no-footer --icons --no-icons --as --user-token-file --service-key-file --user-id --invite-code) ;;
  'connections configure') names=(--set --file --add-feature --enable-feature --disable-feature --remove-feature --skip --no-skip --wait --no-wait --resume --email --force --url --finish --oauth-code-file --reveal --browser --no-browser --redirect-uri --nonce --no-nonce --as --user-token-file --service-key-file --user-id --invite-code --report) ;;
  'location regions') names=(--format --as --user-token-file --service-key-file --user-id --invite-code --sort --limit --search) ;;
  'location replay') names=(--track-format --gpsd --speed --times --connection --remember --initial --max-regions --min-accuracy --hysteresis --dwell --as --user-token-file --service-key-file --user-id --invite-code) ;;
  'location map') names=(--format --output-file --connection --track-format --initial --max-regions --min-accuracy --hysteresis --dwell --as --user-token-file --service-key-file --user-id --invite-code) ;;
  'location report') names=(--at --force --as --user-token-file --service-key-file --user-id --invite-code) ;;
  'location events list') names=(--sort --limit --search) ;;
  'location events flush') names=(--refused --as --user-token-file --service-key-file --user-id --invite-code) ;;
  'location events clear') names=(--refused --older-than) ;;
  'applets fetch') names=(--order --platform --service --raw --as --user-token-file --service-key-file --user-id --invite-code --sort --limit --search) ;;
  'applets activate') names=(--email --service --force --browser --no-browser --redirect-uri --nonce --no-nonce --as --user-token-file --service-key-file --user-id --invite-code) ;;
  'applets enable') names=(--service --resume --force --as --user-token-file --service-key-file --user-id --invite-code --report) ;;
  'applets disable') names=(--service --resume --force --as --user-token-file --service-key-file --user-id --invite-code --report) ;;
  'applets list') names=(--order --platform --service --raw --as --user-token-file --service-key-file --user-id --invite-code --sort --limit --search) ;;
  'token exchange') names=(--user-id --access-token-file --service-key-file --invite-code --api --service --save --no-save --print --reveal --resume --users --ordered --rate --shard --shards --report) ;;
  'token list') names=(--sort --limit --search) ;;
  'token show') names=(--reveal --print) ;;
  'token set') names=(--user-id --user-token-file) ;;
  'token remove') names=(--all) ;;
  'token verify') names=(--as --user-token-file --service-key-file --user-id --invite-code) ;;
  'profile list') names=(--sort --limit --search) ;;
  'profile create') names=(--service --user-id --invite-code --service-key-file --user-token-file --webhooks-key-file --service-key-command --user-token-command --access-token-command --webhooks-key-command --base-url --connect-url --location-url --api-url --web-url --realtime-url --webhooks-url --redirect-uri --allow-http --use) ;;
  'profile set') names=(--service --user-id --invite-code --service-key-file --user-token-file --webhooks-key-file --service-key-command --user-token-command --access-token-command --webhooks-key-command --base-url --connect-url --location-url --api-url --web-url --realtime-url --webhooks-url --redirect-uri --allow-http --use) ;;
  'store backup') names=(--force --with-key) ;;
  'store restore') names=(--key-file --force) ;;
  'store rekey') names=(--key-file --key-command --passphrase --passphrase-file --secret-service --keychain) ;;
  'plugin list') names=(--sort --limit --search) ;;
  'plugin install') names=(--sha256 --index --allow-new-permissions) ;;
  'plugin search') names=(--sort --limit --search) ;;
  'plugin outdated') names=(--sort --limit --search) ;;
  'plugin upgrade') names=(--all --allow-new-permissions) ;;
  'plugin verify') names=(--write-lock) ;;
  'plugin new') names=(--language --kind --directory) ;;
  'plugin test') names=(--check --answers --report) ;;
  'plugin package') names=(--platform --directory --index --sign) ;;
  'plugin index list') names=(--sort --limit --search) ;;
  'plugin index add') names=(--header-file --header-command) ;;
  'plugin trust list') names=(--sort --limit --search) ;;
  'plugin trust add') names=(--valid-before) ;;
  'service test') names=(--service-key-file --access-token-file --definition --only --skip --webhooks --list --fail-fast --sign-in --client-id --client-secret-file --authorize-url --token-url --scope --redirect-uri --browser --no-browser --report) ;;
  'service call') names=(--set --limit --include --trigger-identity --timezone --header -H --cursor --realtime --follow -f --interval --service-key-file --access-token-file --sort --search) ;;
  'service listen') names=(--port --bind --ready-file --for --count --exec --forward --forward-key --service-key-file) ;;
  'service events list') names=(--type --last --sort --limit --search) ;;
  'service events show') names=(--raw) ;;
  'service events replay') names=(--forward --forward-key --service-key-file) ;;
  'service events clear') names=(--type) ;;
  'service notify') names=(--trigger-identity --user-id --stdin --service-key-file --report) ;;
  'webhook fire') names=(--value1 --value2 --value3 --json-file --stdin --webhooks-key-file) ;;
  'sandbox start') names=(--port --host --allow-host --control-key-file --detach --ready-file --seed --connections --users --fault --fault-seed --outcome --registered-redirect --connect-results --service-url --service-key-file --access-token-file --poll --client-id --client-secret-file --authorize-url --token-url --webhook-names) ;;
  'sandbox status') names=(--sort --limit --search) ;;
  'sandbox stop') names=(--url --control-key-file) ;;
  'sandbox env') names=(--wait --url --control-key-file) ;;
  'sandbox open') names=(--print --url --control-key-file) ;;
  'sandbox faults set') names=(--path --method --times --share --add --fault-seed --url --control-key-file) ;;
  'sandbox faults list') names=(--url --control-key-file --sort --limit --search) ;;
  'sandbox faults clear') names=(--url --control-key-file) ;;
  'sandbox requests') names=(--method --path --status --direction --connection --user --last --follow -f --url --control-key-file --sort --limit --search) ;;
  'sandbox send-again') names=(--method -X --path --header -H --input --url --control-key-file) ;;
  'sandbox activity') names=(--connection --user --step --status --last --follow -f --url --control-key-file --sort --limit --search) ;;
  'sandbox trigger') names=(--user-id --set --url --control-key-file) ;;
  'sandbox users') names=(--tokens --url --control-key-file --sort --limit --search) ;;
  'sandbox reset') names=(--seed --url --control-key-file) ;;
  'sandbox seed') names=(--seed --definition --running --url --control-key-file) ;;
  'configure') names=(--set --file --add-feature --enable-feature --disable-feature --remove-feature --skip --no-skip --wait --no-wait --resume --email --force --url --finish --oauth-code-file --reveal --browser --no-browser --redirect-uri --nonce --no-nonce --as --user-token-file --service-key-file --user-id --invite-code --report) ;;
  'api') names=(--field -f --typed-field -F --header -H --method -X --input --as --user-token-file --service-key-file --user-id --invite-code) ;;
  'doctor') names=(--fix) ;;
  'schema') names=(--service --definition --sort --limit --search) ;;
  'help') names=(--all) ;;
  'grab login') names=(--client-id --environment --scope --redirect-uri --account --force --no-browser --browser --port --print-url --device --from-plist --from-manifest --acr-value --login-hint --id-token-hint --id-token-hint-file --prompt --request-file --claims --ui-locales --max-auth-age --param --require-pkce --no-require-pkce --require-acr --no-require-acr --verify-remote --discovery-url --issuer --client-secret-file --partner-id --trusted-audience --algorithm --clock-allowance --strict-kid --no-strict-kid --token-request --token-info-request) ;;
  'grab status') names=(--account) ;;
  'grab id-token') names=(--account --remote --raw --client-secret-file --partner-id --trusted-audience --algorithm --clock-allowance --strict-kid --no-strict-kid --token-info-request) ;;
  'grab refresh') names=(--account --if-needed --print --client-secret-file --token-request) ;;
  'grab logout') names=(--account --all --local --browser --no-browser --require-revocation --client-secret-file) ;;
  'grab apps') names=(--client-id --environment --discovery-url --issuer --open) ;;
  esac
  names+=(--profile -p --output -o --json --fields --jq --no-header --color --time-style --offline --max-age --timeout --retries --jobs --locale --dry-run -n --exit-code --yes -y --no-input --no-plugins --no-linked-plugins --trace-plugins --quiet -q --verbose -v --record --replay --help -h --version -V)
}

# PATH SPELLING: sets found (the long name), kind, source, choices and repeats.
__ifttt_option() {
  found='' kind='' source='' repeats='' choices=()
  case "$1:$2" in
  'connections list:--status') found=--status repeats=1 kind='choices' choices=(enabled disabled never_enabled unknown) ;;
  'connections list:--refresh') found=--refresh kind=switch ;;
  'connections list:--provider') found=--provider kind='value' ;;
  'connections list:--as') found=--as kind='choices' choices=(user service anonymous) ;;
  'connections list:--user-token-file') found=--user-token-file kind='file' ;;
  'connections list:--service-key-file') found=--service-key-file kind='file' ;;
  'connections list:--user-id') found=--user-id kind='request' source=token-user ;;
  'connections list:--invite-code') found=--invite-code kind='value' ;;
  'connections list:--users') found=--users kind='file' ;;
  'connections list:--ordered') found=--ordered kind=switch ;;
  'connections list:--rate') found=--rate kind='value' ;;
  'connections list:--shard') found=--shard kind='value' ;;
  'connections list:--shards') found=--shards kind='value' ;;
  'connections list:--report') found=--report repeats=1 kind='file' ;;
  'connections list:--sort') found=--sort kind='list' source=sort-field ;;
  'connections list:--limit') found=--limit kind='value' ;;
  'connections list:--search') found=--search kind='value' ;;
  'connections show:--all') found=--all kind=switch ;;
  'connections show:--status') found=--status repeats=1 kind='choices' choices=(enabled disabled never_enabled unknown) ;;
  'connections show:--stdin') found=--stdin kind=switch ;;
  'connections show:--track') found=--track kind=switch ;;
  'connections show:--raw') found=--raw kind=switch ;;
  'connections show:--provider') found=--provider kind='value' ;;
  'connections show:--as') found=--as kind='choices' choices=(user service anonymous) ;;
  'connections show:--user-token-file') found=--user-token-file kind='file' ;;
  'connections show:--service-key-file') found=--service-key-file kind='file' ;;
  'connections show:--user-id') found=--user-id kind='request' source=token-user ;;
  'connections show:--invite-code') found=--invite-code kind='value' ;;
  'connections show:--users') found=--users kind='file' ;;
  'connections show:--ordered') found=--ordered kind=switch ;;
  'connections show:--rate') found=--rate kind='value' ;;
  'connections show:--shard') found=--shard kind='value' ;;
  'connections show:--shards') found=--shards kind='value' ;;
  'connections show:--report') found=--report repeats=1 kind='file' ;;
  'connections add:--stdin') found=--stdin kind=switch ;;
  'connections add:--as') found=--as kind='choices' choices=(user service anonymous) ;;
  'connections add:--user-token-file') found=--user-token-file kind='file' ;;
  'connections add:--service-key-file') found=--service-key-file kind='file' ;;
  'connections add:--user-id') found=--user-id kind='request' source=token-user ;;
  'connections add:--invite-code') found=--invite-code kind='value' ;;
  'connections add:--report') found=--report repeats=1 kind='file' ;;
  'connections remove:--all') found=--all kind=switch ;;
  'connections remove:--status') found=--status repeats=1 kind='choices' choices=(enabled disabled never_enabled unknown) ;;
  'connections remove:--stdin') found=--stdin kind=switch ;;
  'connections enable:--all') found=--all kind=switch ;;
  'connections enable:--status') found=--status repeats=1 kind='choices' choices=(enabled disabled never_enabled unknown) ;;
  'connections enable:--stdin') found=--stdin kind=switch ;;
  'connections enable:--resume') found=--resume kind=switch ;;
  'connections enable:--force') found=--force kind=switch ;;
  'connections enable:--provider') found=--provider kind='value' ;;
  'connections enable:--as') found=--as kind='choices' choices=(user service anonymous) ;;
  'connections enable:--user-token-file') found=--user-token-file kind='file' ;;
  'connections enable:--service-key-file') found=--service-key-file kind='file' ;;
  'connections enable:--user-id') found=--user-id kind='request' source=token-user ;;
  'connections enable:--invite-code') found=--invite-code kind='value' ;;
  'connections enable:--users') found=--users kind='file' ;;
  'connections enable:--ordered') found=--ordered kind=switch ;;
  'connections enable:--rate') found=--rate kind='value' ;;
  'connections enable:--shard') found=--shard kind='value' ;;
  'connections enable:--shards') found=--shards kind='value' ;;
  'connections enable:--report') found=--report repeats=1 kind='file' ;;
  'connections disable:--all') found=--all kind=switch ;;
  'connections disable:--status') found=--status repeats=1 kind='choices' choices=(enabled disabled never_enabled unknown) ;;
  'connections disable:--stdin') found=--stdin kind=switch ;;
  'connections disable:--resume') found=--resume kind=switch ;;
  'connections disable:--force') found=--force kind=switch ;;
  'connections disable:--provider') found=--provider kind='value' ;;
  'connections disable:--as') found=--as kind='choices' choices=(user service anonymous) ;;
  'connections disable:--user-token-file') found=--user-token-file kind='file' ;;
  'connections disable:--service-key-file') found=--service-key-file kind='file' ;;
  'connections disable:--user-id') found=--user-id kind='request' source=token-user ;;
  'connections disable:--invite-code') found=--invite-code kind='value' ;;
  'connections disable:--users') found=--users kind='file' ;;
  'connections disable:--ordered') found=--ordered kind=switch ;;
  'connections disable:--rate') found=--rate kind='value' ;;
  'connections disable:--shard') found=--shard kind='value' ;;
  'connections disable:--shards') found=--shards kind='value' ;;
  'connections disable:--report') found=--report repeats=1 kind='file' ;;
  'connections activate:--email') found=--email kind='value' ;;
  'connections activate:--force') found=--force kind=switch ;;
  'connections activate:--url') found=--url kind='choices' choices=(sdk connect) ;;
  'connections activate:--finish') found=--finish kind='value' ;;
  'connections activate:--oauth-code-file') found=--oauth-code-file kind='file' ;;
  'connections activate:--reveal') found=--reveal kind=switch ;;
  'connections activate:--browser' | 'connections activate:--no-browser') found=--browser kind=switch ;;
  'connections activate:--redirect-uri') found=--redirect-uri kind='value' ;;
  'connections activate:--nonce' | 'connections activate:--no-nonce') found=--nonce kind=switch ;;
  'connections activate:--skip-config' | 'connections activate:--no-skip-config') found=--skip-config kind=switch ;;
  'connections activate:--as') found=--as kind='choices' choices=(user service anonymous) ;;
  'connections activate:--user-token-file') found=--user-token-file kind='file' ;;
  'connections activate:--service-key-file') found=--service-key-file kind='file' ;;
  'connections activate:--user-id') found=--user-id kind='request' source=token-user ;;
  'connections activate:--invite-code') found=--invite-code kind='value' ;;
  'connections history:--sort') found=--sort kind='list' source=sort-field ;;
  'connections history:--limit') found=--limit kind='value' ;;
  'connections history:--search') found=--search kind='value' ;;
  'connections undo:--resume') found=--resume kind=switch ;;
  'connections undo:--force') found=--force kind=switch ;;
  'connections undo:--rate') found=--rate kind='value' ;;
  'connections undo:--as') found=--as kind='choices' choices=(user service anonymous) ;;
  'connections undo:--user-token-file') found=--user-token-file kind='file' ;;
  'connections undo:--service-key-file') found=--service-key-file kind='file' ;;
  'connections undo:--user-id') found=--user-id kind='request' source=token-user ;;
  'connections undo:--invite-code') found=--invite-code kind='value' ;;
  'connections undo:--report') found=--report repeats=1 kind='file' ;;
  'connections redo:--resume') found=--resume kind=switch ;;
  'connections redo:--force') found=--force kind=switch ;;
  'connections redo:--rate') found=--rate kind='value' ;;
  'connections redo:--as') found=--as kind='choices' choices=(user service anonymous) ;;
  'connections redo:--user-token-file') found=--user-token-file kind='file' ;;
  'connections redo:--service-key-file') found=--service-key-file kind='file' ;;
  'connections redo:--user-id') found=--user-id kind='request' source=token-user ;;
  'connections redo:--invite-code') found=--invite-code kind='value' ;;
  'connections redo:--report') found=--report repeats=1 kind='file' ;;
  'connections export:--all') found=--all kind=switch ;;
  'connections export:--status') found=--status repeats=1 kind='choices' choices=(enabled disabled never_enabled unknown) ;;
  'connections export:--stdin') found=--stdin kind=switch ;;
  'connections export:--as') found=--as kind='choices' choices=(user service anonymous) ;;
  'connections export:--user-token-file') found=--user-token-file kind='file' ;;
  'connections export:--service-key-file') found=--service-key-file kind='file' ;;
  'connections export:--user-id') found=--user-id kind='request' source=token-user ;;
  'connections export:--invite-code') found=--invite-code kind='value' ;;
  'connections export:--users') found=--users kind='file' ;;
  'connections export:--ordered') found=--ordered kind=switch ;;
  'connections export:--rate') found=--rate kind='value' ;;
  'connections export:--shard') found=--shard kind='value' ;;
  'connections export:--shards') found=--shards kind='value' ;;
  'connections export:--report') found=--report repeats=1 kind='file' ;;
  'connections diff:--plan-out') found=--plan-out kind='file' ;;
  'connections diff:--prune') found=--prune kind=switch ;;
  'connections diff:--allow-removal') found=--allow-removal kind=switch ;;
  'connections diff:--as') found=--as kind='choices' choices=(user service anonymous) ;;
  'connections diff:--user-token-file') found=--user-token-file kind='file' ;;
  'connections diff:--service-key-file') found=--service-key-file kind='file' ;;
  'connections diff:--user-id') found=--user-id kind='request' source=token-user ;;
  'connections diff:--invite-code') found=--invite-code kind='value' ;;
  'connections diff:--users') found=--users kind='file' ;;
  'connections diff:--ordered') found=--ordered kind=switch ;;
  'connections diff:--rate') found=--rate kind='value' ;;
  'connections diff:--shard') found=--shard kind='value' ;;
  'connections diff:--shards') found=--shards kind='value' ;;
  'connections diff:--report') found=--report repeats=1 kind='file' ;;
  'connections diff:--sort') found=--sort kind='list' source=sort-field ;;
  'connections diff:--limit') found=--limit kind='value' ;;
  'connections diff:--search') found=--search kind='value' ;;
  'connections apply:--plan') found=--plan kind='file' ;;
  'connections apply:--resume') found=--resume kind=switch ;;
  'connections apply:--prune') found=--prune kind=switch ;;
  'connections apply:--allow-removal') found=--allow-removal kind=switch ;;
  'connections apply:--as') found=--as kind='choices' choices=(user service anonymous) ;;
  'connections apply:--user-token-file') found=--user-token-file kind='file' ;;
  'connections apply:--service-key-file') found=--service-key-file kind='file' ;;
  'connections apply:--user-id') found=--user-id kind='request' source=token-user ;;
  'connections apply:--invite-code') found=--invite-code kind='value' ;;
  'connections apply:--users') found=--users kind='file' ;;
  'connections apply:--ordered') found=--ordered kind=switch ;;
  'connections apply:--rate') found=--rate kind='value' ;;
  'connections apply:--shard') found=--shard kind='value' ;;
  'connections apply:--shards') found=--shards kind='value' ;;
  'connections apply:--report') found=--report repeats=1 kind='file' ;;
  'connections wait:--for') found=--for repeats=1 kind='request' source=condition ;;
  'connections wait:--interval') found=--interval kind='value' ;;
  'connections wait:--as') found=--as kind='choices' choices=(user service anonymous) ;;
  'connections wait:--user-token-file') found=--user-token-file kind='file' ;;
  'connections wait:--service-key-file') found=--service-key-file kind='file' ;;
  'connections wait:--user-id') found=--user-id kind='request' source=token-user ;;
  'connections wait:--invite-code') found=--invite-code kind='value' ;;
  'connections wait:--report') found=--report repeats=1 kind='file' ;;
  'connections watch:--interval') found=--interval kind='value' ;;
  'connections watch:--initial') found=--initial kind=switch ;;
  'connections watch:--count') found=--count kind='value' ;;
  'connections watch:--exec') found=--exec kind='file' ;;
  'connections watch:--as') found=--as kind='choices' choices=(user service anonymous) ;;
  'connections watch:--user-token-file') found=--user-token-file kind='file' ;;
  'connections watch:--service-key-file') found=--service-key-file kind='file' ;;
  'connections watch:--user-id') found=--user-id kind='request' source=token-user ;;
  'connections watch:--invite-code') found=--invite-code kind='value' ;;
  'connections open:--edit') found=--edit kind=switch ;;
  'connections open:--browser' | 'connections open:--no-browser') found=--browser kind=switch ;;
  'connections options:--refresh') found=--refresh kind=switch ;;
  'connections options:--as') found=--as kind='choices' choices=(user service anonymous) ;;
  'connections options:--user-token-file') found=--user-token-file kind='file' ;;
  'connections options:--service-key-file') found=--service-key-file kind='file' ;;
  'connections options:--user-id') found=--user-id kind='request' source=token-user ;;
  'connections options:--invite-code') found=--invite-code kind='value' ;;
  'connections options:--sort') found=--sort kind='list' source=sort-field ;;
  'connections options:--limit') found=--limit kind='value' ;;
  'connections options:--search') found=--search kind='value' ;;
  'connections run:--field' | 'connections run:-f') found=--field repeats=1 kind='value' ;;
  'connections run:--user-feature') found=--user-feature kind='request' source=feature ;;
  'connections run:--as') found=--as kind='choices' choices=(user service anonymous) ;;
  'connections run:--user-token-file') found=--user-token-file kind='file' ;;
  'connections run:--service-key-file') found=--service-key-file kind='file' ;;
  'connections run:--user-id') found=--user-id kind='request' source=token-user ;;
  'connections run:--invite-code') found=--invite-code kind='value' ;;
  'connections query:--field' | 'connections query:-f') found=--field repeats=1 kind='value' ;;
  'connections query:--all') found=--all kind=switch ;;
  'connections query:--include') found=--include repeats=1 kind='value' ;;
  'connections query:--page-size') found=--page-size kind='value' ;;
  'connections query:--cursor') found=--cursor kind='value' ;;
  'connections query:--user-feature') found=--user-feature kind='request' source=feature ;;
  'connections query:--as') found=--as kind='choices' choices=(user service anonymous) ;;
  'connections query:--user-token-file') found=--user-token-file kind='file' ;;
  'connections query:--service-key-file') found=--service-key-file kind='file' ;;
  'connections query:--user-id') found=--user-id kind='request' source=token-user ;;
  'connections query:--invite-code') found=--invite-code kind='value' ;;
  'connections query:--sort') found=--sort kind='list' source=sort-field ;;
  'connections query:--limit') found=--limit kind='value' ;;
  'connections query:--search') found=--search kind='value' ;;
  'connections test:--user-feature') found=--user-feature kind='request' source=feature ;;
  'connections test:--as') found=--as kind='choices' choices=(user service anonymous) ;;
  'connections test:--user-token-file') found=--user-token-file kind='file' ;;
  'connections test:--service-key-file') found=--service-key-file kind='file' ;;
  'connections test:--user-id') found=--user-id kind='request' source=token-user ;;
  'connections test:--invite-code') found=--invite-code kind='value' ;;
  'connections button:--format') found=--format kind='choices' choices=(ansi svg html) ;;
  'connections button:--state') found=--state kind='choices' choices=(loading loading-failed connect email invalid-email verifying creating-account signing-in connecting check-mark connected disconnecting disconnected) ;;
  'connections button:--style') found=--style kind='choices' choices=(light dark) ;;
  'connections button:--email') found=--email kind='value' ;;
  'connections button:--footer' | 'connections button:--no-footer') found=--footer kind=switch ;;
  'connections button:--icons' | 'connections button:--no-icons') found=--icons kind=switch ;;
  'connections button:--as') found=--as kind='choices' choices=(user service anonymous) ;;
  'connections button:--user-token-file') found=--user-token-file kind='file' ;;
  'connections button:--service-key-file') found=--service-key-file kind='file' ;;
  'connections button:--user-id') found=--user-id kind='request' source=token-user ;;
  'connections button:--invite-code') found=--invite-code kind='value' ;;
  'connections configure:--set') found=--set repeats=1 kind='request' source=setting ;;
  'connections configure:--file') found=--file kind='file' ;;
  'connections configure:--add-feature') found=--add-feature repeats=1 kind='request' source=feature ;;
  'connections configure:--enable-feature') found=--enable-feature repeats=1 kind='request' source=feature ;;
  'connections configure:--disable-feature') found=--disable-feature repeats=1 kind='request' source=feature ;;
  'connections configure:--remove-feature') found=--remove-feature repeats=1 kind='request' source=feature ;;
  'connections configure:--skip' | 'connections configure:--no-skip') found=--skip kind=switch ;;
  'connections configure:--wait' | 'connections configure:--no-wait') found=--wait kind=switch ;;
  'connections configure:--resume') found=--resume kind=switch ;;
  'connections configure:--email') found=--email kind='value' ;;
  'connections configure:--force') found=--force kind=switch ;;
  'connections configure:--url') found=--url kind='choices' choices=(sdk connect) ;;
  'connections configure:--finish') found=--finish kind='value' ;;
  'connections configure:--oauth-code-file') found=--oauth-code-file kind='file' ;;
  'connections configure:--reveal') found=--reveal kind=switch ;;
  'connections configure:--browser' | 'connections configure:--no-browser') found=--browser kind=switch ;;
  'connections configure:--redirect-uri') found=--redirect-uri kind='value' ;;
  'connections configure:--nonce' | 'connections configure:--no-nonce') found=--nonce kind=switch ;;
  'connections configure:--as') found=--as kind='choices' choices=(user service anonymous) ;;
  'connections configure:--user-token-file') found=--user-token-file kind='file' ;;
  'connections configure:--service-key-file') found=--service-key-file kind='file' ;;
  'connections configure:--user-id') found=--user-id kind='request' source=token-user ;;
  'connections configure:--invite-code') found=--invite-code kind='value' ;;
  'connections configure:--report') found=--report repeats=1 kind='file' ;;
  'location regions:--format') found=--format kind='choices' choices=(rows geojson) ;;
  'location regions:--as') found=--as kind='choices' choices=(user service anonymous) ;;
  'location regions:--user-token-file') found=--user-token-file kind='file' ;;
  'location regions:--service-key-file') found=--service-key-file kind='file' ;;
  'location regions:--user-id') found=--user-id kind='request' source=token-user ;;
  'location regions:--invite-code') found=--invite-code kind='value' ;;
  'location regions:--sort') found=--sort kind='list' source=sort-field ;;
  'location regions:--limit') found=--limit kind='value' ;;
  'location regions:--search') found=--search kind='value' ;;
  'location replay:--track-format') found=--track-format kind='choices' choices=(gpx geojson nmea jsonl) ;;
  'location replay:--gpsd') found=--gpsd kind='value' ;;
  'location replay:--speed') found=--speed kind='value' ;;
  'location replay:--times') found=--times kind='choices' choices=(kept now) ;;
  'location replay:--connection') found=--connection repeats=1 kind='request' source=connection-id ;;
  'location replay:--remember') found=--remember kind=switch ;;
  'location replay:--initial') found=--initial kind=switch ;;
  'location replay:--max-regions') found=--max-regions kind='value' ;;
  'location replay:--min-accuracy') found=--min-accuracy kind='value' ;;
  'location replay:--hysteresis') found=--hysteresis kind='value' ;;
  'location replay:--dwell') found=--dwell kind='value' ;;
  'location replay:--as') found=--as kind='choices' choices=(user service anonymous) ;;
  'location replay:--user-token-file') found=--user-token-file kind='file' ;;
  'location replay:--service-key-file') found=--service-key-file kind='file' ;;
  'location replay:--user-id') found=--user-id kind='request' source=token-user ;;
  'location replay:--invite-code') found=--invite-code kind='value' ;;
  'location map:--format') found=--format kind='choices' choices=(svg html) ;;
  'location map:--output-file') found=--output-file kind='file' ;;
  'location map:--connection') found=--connection repeats=1 kind='request' source=connection-id ;;
  'location map:--track-format') found=--track-format kind='choices' choices=(gpx geojson nmea jsonl) ;;
  'location map:--initial') found=--initial kind=switch ;;
  'location map:--max-regions') found=--max-regions kind='value' ;;
  'location map:--min-accuracy') found=--min-accuracy kind='value' ;;
  'location map:--hysteresis') found=--hysteresis kind='value' ;;
  'location map:--dwell') found=--dwell kind='value' ;;
  'location map:--as') found=--as kind='choices' choices=(user service anonymous) ;;
  'location map:--user-token-file') found=--user-token-file kind='file' ;;
  'location map:--service-key-file') found=--service-key-file kind='file' ;;
  'location map:--user-id') found=--user-id kind='request' source=token-user ;;
  'location map:--invite-code') found=--invite-code kind='value' ;;
  'location report:--at') found=--at kind='value' ;;
  'location report:--force') found=--force kind=switch ;;
  'location report:--as') found=--as kind='choices' choices=(user service anonymous) ;;
  'location report:--user-token-file') found=--user-token-file kind='file' ;;
  'location report:--service-key-file') found=--service-key-file kind='file' ;;
  'location report:--user-id') found=--user-id kind='request' source=token-user ;;
  'location report:--invite-code') found=--invite-code kind='value' ;;
  'location events list:--sort') found=--sort kind='list' source=sort-field ;;
  'location events list:--limit') found=--limit kind='value' ;;
  'location events list:--search') found=--search kind='value' ;;
  'location events flush:--refused') found=--refused kind=switch ;;
  'location events flush:--as') found=--as kind='choices' choices=(user service anonymous) ;;
  'location events flush:--user-token-file') found=--user-token-file kind='file' ;;
  'location events flush:--service-key-file') found=--service-key-file kind='file' ;;
  'location events flush:--user-id') found=--user-id kind='request' source=token-user ;;
  'location events flush:--invite-code') found=--invite-code kind='value' ;;
  'location events clear:--refused') found=--refused kind=switch ;;
  'location events clear:--older-than') found=--older-than kind='value' ;;
  'applets fetch:--order') found=--order kind='choices' choices=(published_at_asc published_at_desc enabled_count_asc enabled_count_desc) ;;
  'applets fetch:--platform') found=--platform kind='choices' choices=(ios android) ;;
  'applets fetch:--service') found=--service kind='value' ;;
  'applets fetch:--raw') found=--raw kind=switch ;;
  'applets fetch:--as') found=--as kind='choices' choices=(user service anonymous) ;;
  'applets fetch:--user-token-file') found=--user-token-file kind='file' ;;
  'applets fetch:--service-key-file') found=--service-key-file kind='file' ;;
  'applets fetch:--user-id') found=--user-id kind='request' source=token-user ;;
  'applets fetch:--invite-code') found=--invite-code kind='value' ;;
  'applets fetch:--sort') found=--sort kind='list' source=sort-field ;;
  'applets fetch:--limit') found=--limit kind='value' ;;
  'applets fetch:--search') found=--search kind='value' ;;
  'applets activate:--email') found=--email kind='value' ;;
  'applets activate:--service') found=--service kind='value' ;;
  'applets activate:--force') found=--force kind=switch ;;
  'applets activate:--browser' | 'applets activate:--no-browser') found=--browser kind=switch ;;
  'applets activate:--redirect-uri') found=--redirect-uri kind='value' ;;
  'applets activate:--nonce' | 'applets activate:--no-nonce') found=--nonce kind=switch ;;
  'applets activate:--as') found=--as kind='choices' choices=(user service anonymous) ;;
  'applets activate:--user-token-file') found=--user-token-file kind='file' ;;
  'applets activate:--service-key-file') found=--service-key-file kind='file' ;;
  'applets activate:--user-id') found=--user-id kind='request' source=token-user ;;
  'applets activate:--invite-code') found=--invite-code kind='value' ;;
  'applets enable:--service') found=--service kind='value' ;;
  'applets enable:--resume') found=--resume kind=switch ;;
  'applets enable:--force') found=--force kind=switch ;;
  'applets enable:--as') found=--as kind='choices' choices=(user service anonymous) ;;
  'applets enable:--user-token-file') found=--user-token-file kind='file' ;;
  'applets enable:--service-key-file') found=--service-key-file kind='file' ;;
  'applets enable:--user-id') found=--user-id kind='request' source=token-user ;;
  'applets enable:--invite-code') found=--invite-code kind='value' ;;
  'applets enable:--report') found=--report repeats=1 kind='file' ;;
  'applets disable:--service') found=--service kind='value' ;;
  'applets disable:--resume') found=--resume kind=switch ;;
  'applets disable:--force') found=--force kind=switch ;;
  'applets disable:--as') found=--as kind='choices' choices=(user service anonymous) ;;
  'applets disable:--user-token-file') found=--user-token-file kind='file' ;;
  'applets disable:--service-key-file') found=--service-key-file kind='file' ;;
  'applets disable:--user-id') found=--user-id kind='request' source=token-user ;;
  'applets disable:--invite-code') found=--invite-code kind='value' ;;
  'applets disable:--report') found=--report repeats=1 kind='file' ;;
  'applets list:--order') found=--order kind='choices' choices=(published_at_asc published_at_desc enabled_count_asc enabled_count_desc) ;;
  'applets list:--platform') found=--platform kind='choices' choices=(ios android) ;;
  'applets list:--service') found=--service kind='value' ;;
  'applets list:--raw') found=--raw kind=switch ;;
  'applets list:--as') found=--as kind='choices' choices=(user service anonymous) ;;
  'applets list:--user-token-file') found=--user-token-file kind='file' ;;
  'applets list:--service-key-file') found=--service-key-file kind='file' ;;
  'applets list:--user-id') found=--user-id kind='request' source=token-user ;;
  'applets list:--invite-code') found=--invite-code kind='value' ;;
  'applets list:--sort') found=--sort kind='list' source=sort-field ;;
  'applets list:--limit') found=--limit kind='value' ;;
  'applets list:--search') found=--search kind='value' ;;
  'token exchange:--user-id') found=--user-id kind='request' source=token-user ;;
  'token exchange:--access-token-file') found=--access-token-file kind='file' ;;
  'token exchange:--service-key-file') found=--service-key-file kind='file' ;;
  'token exchange:--invite-code') found=--invite-code kind='value' ;;
  'token exchange:--api') found=--api kind='choices' choices=(v1 v2) ;;
  'token exchange:--service') found=--service kind='value' ;;
  'token exchange:--save' | 'token exchange:--no-save') found=--save kind=switch ;;
  'token exchange:--print') found=--print kind=switch ;;
  'token exchange:--reveal') found=--reveal kind=switch ;;
  'token exchange:--resume') found=--resume kind=switch ;;
  'token exchange:--users') found=--users kind='file' ;;
  'token exchange:--ordered') found=--ordered kind=switch ;;
  'token exchange:--rate') found=--rate kind='value' ;;
  'token exchange:--shard') found=--shard kind='value' ;;
  'token exchange:--shards') found=--shards kind='value' ;;
  'token exchange:--report') found=--report repeats=1 kind='file' ;;
  'token list:--sort') found=--sort kind='list' source=sort-field ;;
  'token list:--limit') found=--limit kind='value' ;;
  'token list:--search') found=--search kind='value' ;;
  'token show:--reveal') found=--reveal kind=switch ;;
  'token show:--print') found=--print kind=switch ;;
  'token set:--user-id') found=--user-id kind='request' source=token-user ;;
  'token set:--user-token-file') found=--user-token-file kind='file' ;;
  'token remove:--all') found=--all kind=switch ;;
  'token verify:--as') found=--as kind='choices' choices=(user service anonymous) ;;
  'token verify:--user-token-file') found=--user-token-file kind='file' ;;
  'token verify:--service-key-file') found=--service-key-file kind='file' ;;
  'token verify:--user-id') found=--user-id kind='request' source=token-user ;;
  'token verify:--invite-code') found=--invite-code kind='value' ;;
  'profile list:--sort') found=--sort kind='list' source=sort-field ;;
  'profile list:--limit') found=--limit kind='value' ;;
  'profile list:--search') found=--search kind='value' ;;
  'profile create:--service') found=--service kind='value' ;;
  'profile create:--user-id') found=--user-id kind='value' ;;
  'profile create:--invite-code') found=--invite-code kind='value' ;;
  'profile create:--service-key-file') found=--service-key-file kind='file' ;;
  'profile create:--user-token-file') found=--user-token-file kind='file' ;;
  'profile create:--webhooks-key-file') found=--webhooks-key-file kind='file' ;;
  'profile create:--service-key-command') found=--service-key-command kind=switch ;;
  'profile create:--user-token-command') found=--user-token-command kind=switch ;;
  'profile create:--access-token-command') found=--access-token-command kind=switch ;;
  'profile create:--webhooks-key-command') found=--webhooks-key-command kind=switch ;;
  'profile create:--base-url') found=--base-url kind='value' ;;
  'profile create:--connect-url') found=--connect-url kind='value' ;;
  'profile create:--location-url') found=--location-url kind='value' ;;
  'profile create:--api-url') found=--api-url kind='value' ;;
  'profile create:--web-url') found=--web-url kind='value' ;;
  'profile create:--realtime-url') found=--realtime-url kind='value' ;;
  'profile create:--webhooks-url') found=--webhooks-url kind='value' ;;
  'profile create:--redirect-uri') found=--redirect-uri kind='value' ;;
  'profile create:--allow-http') found=--allow-http kind='value' ;;
  'profile create:--use') found=--use kind=switch ;;
  'profile set:--service') found=--service kind='value' ;;
  'profile set:--user-id') found=--user-id kind='value' ;;
  'profile set:--invite-code') found=--invite-code kind='value' ;;
  'profile set:--service-key-file') found=--service-key-file kind='file' ;;
  'profile set:--user-token-file') found=--user-token-file kind='file' ;;
  'profile set:--webhooks-key-file') found=--webhooks-key-file kind='file' ;;
  'profile set:--service-key-command') found=--service-key-command kind=switch ;;
  'profile set:--user-token-command') found=--user-token-command kind=switch ;;
  'profile set:--access-token-command') found=--access-token-command kind=switch ;;
  'profile set:--webhooks-key-command') found=--webhooks-key-command kind=switch ;;
  'profile set:--base-url') found=--base-url kind='value' ;;
  'profile set:--connect-url') found=--connect-url kind='value' ;;
  'profile set:--location-url') found=--location-url kind='value' ;;
  'profile set:--api-url') found=--api-url kind='value' ;;
  'profile set:--web-url') found=--web-url kind='value' ;;
  'profile set:--realtime-url') found=--realtime-url kind='value' ;;
  'profile set:--webhooks-url') found=--webhooks-url kind='value' ;;
  'profile set:--redirect-uri') found=--redirect-uri kind='value' ;;
  'profile set:--allow-http') found=--allow-http kind='value' ;;
  'profile set:--use') found=--use kind=switch ;;
  'store backup:--force') found=--force kind=switch ;;
  'store backup:--with-key') found=--with-key kind='file' ;;
  'store restore:--key-file') found=--key-file kind='file' ;;
  'store restore:--force') found=--force kind=switch ;;
  'store rekey:--key-file') found=--key-file kind='file' ;;
  'store rekey:--key-command') found=--key-command kind=switch ;;
  'store rekey:--passphrase') found=--passphrase kind=switch ;;
  'store rekey:--passphrase-file') found=--passphrase-file kind='file' ;;
  'store rekey:--secret-service') found=--secret-service kind=switch ;;
  'store rekey:--keychain') found=--keychain kind=switch ;;
  'plugin list:--sort') found=--sort kind='list' source=sort-field ;;
  'plugin list:--limit') found=--limit kind='value' ;;
  'plugin list:--search') found=--search kind='value' ;;
  'plugin install:--sha256') found=--sha256 kind='value' ;;
  'plugin install:--index') found=--index kind='request' source=plugin-index ;;
  'plugin install:--allow-new-permissions') found=--allow-new-permissions kind=switch ;;
  'plugin search:--sort') found=--sort kind='list' source=sort-field ;;
  'plugin search:--limit') found=--limit kind='value' ;;
  'plugin search:--search') found=--search kind='value' ;;
  'plugin outdated:--sort') found=--sort kind='list' source=sort-field ;;
  'plugin outdated:--limit') found=--limit kind='value' ;;
  'plugin outdated:--search') found=--search kind='value' ;;
  'plugin upgrade:--all') found=--all kind=switch ;;
  'plugin upgrade:--allow-new-permissions') found=--allow-new-permissions kind=switch ;;
  'plugin verify:--write-lock') found=--write-lock kind=switch ;;
  'plugin new:--language') found=--language kind='choices' choices=(sh python javascript go swift) ;;
  'plugin new:--kind') found=--kind kind='choices' choices=(provider command both) ;;
  'plugin new:--directory') found=--directory kind='directory' ;;
  'plugin test:--check') found=--check repeats=1 kind='choices' choices=(manifest start handshake capabilities version-mismatch unknown-method split-lines joined-lines huge-message huge-response unicode rubbish connections show enable disable configure activate credential-status complete commands secrets cancel cancel-in-request slow-response end-of-input end-in-mid-stream end-in-request nothing-left) ;;
  'plugin test:--answers') found=--answers kind='file' ;;
  'plugin test:--report') found=--report repeats=1 kind='file' ;;
  'plugin package:--platform') found=--platform kind='choices' choices=(any linux-x86_64 linux-aarch64 macos-x86_64 macos-arm64) ;;
  'plugin package:--directory') found=--directory kind='directory' ;;
  'plugin package:--index') found=--index kind='file' ;;
  'plugin package:--sign') found=--sign kind='file' ;;
  'plugin index list:--sort') found=--sort kind='list' source=sort-field ;;
  'plugin index list:--limit') found=--limit kind='value' ;;
  'plugin index list:--search') found=--search kind='value' ;;
  'plugin index add:--header-file') found=--header-file kind='file' ;;
  'plugin index add:--header-command') found=--header-command kind=switch ;;
  'plugin trust list:--sort') found=--sort kind='list' source=sort-field ;;
  'plugin trust list:--limit') found=--limit kind='value' ;;
  'plugin trust list:--search') found=--search kind='value' ;;
  'plugin trust add:--valid-before') found=--valid-before kind='value' ;;
  'service test:--service-key-file') found=--service-key-file kind='file' ;;
  'service test:--access-token-file') found=--access-token-file kind='file' ;;
  'service test:--definition') found=--definition kind='file' ;;
  'service test:--only') found=--only repeats=1 kind='request' source=service-check ;;
  'service test:--skip') found=--skip repeats=1 kind='request' source=service-check ;;
  'service test:--webhooks') found=--webhooks kind=switch ;;
  'service test:--list') found=--list kind=switch ;;
  'service test:--fail-fast') found=--fail-fast kind=switch ;;
  'service test:--sign-in') found=--sign-in kind=switch ;;
  'service test:--client-id') found=--client-id kind='value' ;;
  'service test:--client-secret-file') found=--client-secret-file kind='file' ;;
  'service test:--authorize-url') found=--authorize-url kind='value' ;;
  'service test:--token-url') found=--token-url kind='value' ;;
  'service test:--scope') found=--scope kind='value' ;;
  'service test:--redirect-uri') found=--redirect-uri kind='value' ;;
  'service test:--browser' | 'service test:--no-browser') found=--browser kind=switch ;;
  'service test:--report') found=--report repeats=1 kind='file' ;;
  'service call:--set') found=--set repeats=1 kind='value' ;;
  'service call:--limit') found=--limit kind='value' ;;
  'service call:--include') found=--include repeats=1 kind='value' ;;
  'service call:--trigger-identity') found=--trigger-identity kind='value' ;;
  'service call:--timezone') found=--timezone kind='value' ;;
  'service call:--header' | 'service call:-H') found=--header repeats=1 kind='value' ;;
  'service call:--cursor') found=--cursor kind='value' ;;
  'service call:--realtime') found=--realtime kind=switch ;;
  'service call:--follow' | 'service call:-f') found=--follow kind=switch ;;
  'service call:--interval') found=--interval kind='value' ;;
  'service call:--service-key-file') found=--service-key-file kind='file' ;;
  'service call:--access-token-file') found=--access-token-file kind='file' ;;
  'service call:--sort') found=--sort kind='list' source=sort-field ;;
  'service call:--search') found=--search kind='value' ;;
  'service listen:--port') found=--port kind='value' ;;
  'service listen:--bind') found=--bind kind='value' ;;
  'service listen:--ready-file') found=--ready-file kind='file' ;;
  'service listen:--for') found=--for kind='choices' choices=(connection trigger_subscription enabled updated disabled fired connection/enabled connection/updated connection/disabled trigger_subscription/fired) ;;
  'service listen:--count') found=--count kind='value' ;;
  'service listen:--exec') found=--exec kind='file' ;;
  'service listen:--forward') found=--forward kind='value' ;;
  'service listen:--forward-key') found=--forward-key kind=switch ;;
  'service listen:--service-key-file') found=--service-key-file kind='file' ;;
  'service events list:--type') found=--type kind='choices' choices=(connection trigger_subscription enabled updated disabled fired connection/enabled connection/updated connection/disabled trigger_subscription/fired) ;;
  'service events list:--last') found=--last kind='value' ;;
  'service events list:--sort') found=--sort kind='list' source=sort-field ;;
  'service events list:--limit') found=--limit kind='value' ;;
  'service events list:--search') found=--search kind='value' ;;
  'service events show:--raw') found=--raw kind=switch ;;
  'service events replay:--forward') found=--forward kind='value' ;;
  'service events replay:--forward-key') found=--forward-key kind=switch ;;
  'service events replay:--service-key-file') found=--service-key-file kind='file' ;;
  'service events clear:--type') found=--type kind='choices' choices=(connection trigger_subscription enabled updated disabled fired connection/enabled connection/updated connection/disabled trigger_subscription/fired) ;;
  'service notify:--trigger-identity') found=--trigger-identity repeats=1 kind='value' ;;
  'service notify:--user-id') found=--user-id repeats=1 kind='value' ;;
  'service notify:--stdin') found=--stdin kind=switch ;;
  'service notify:--service-key-file') found=--service-key-file kind='file' ;;
  'service notify:--report') found=--report repeats=1 kind='file' ;;
  'webhook fire:--value1') found=--value1 kind='value' ;;
  'webhook fire:--value2') found=--value2 kind='value' ;;
  'webhook fire:--value3') found=--value3 kind='value' ;;
  'webhook fire:--json-file') found=--json-file kind='file' ;;
  'webhook fire:--stdin') found=--stdin kind=switch ;;
  'webhook fire:--webhooks-key-file') found=--webhooks-key-file kind='file' ;;
  'sandbox start:--port') found=--port kind='value' ;;
  'sandbox start:--host') found=--host kind='value' ;;
  'sandbox start:--allow-host') found=--allow-host repeats=1 kind='value' ;;
  'sandbox start:--control-key-file') found=--control-key-file kind='file' ;;
  'sandbox start:--detach') found=--detach kind=switch ;;
  'sandbox start:--ready-file') found=--ready-file kind='file' ;;
  'sandbox start:--seed') found=--seed kind='file' ;;
  'sandbox start:--connections') found=--connections kind='value' ;;
  'sandbox start:--users') found=--users kind='value' ;;
  'sandbox start:--fault') found=--fault repeats=1 kind='choices' choices=('latency=DURATION' 'status=CODE' reset reset-in-body truncate 'drip=DURATION' bad-json html gzip chunked chunked-trailer invalid-utf8 duplicate-keys unknown-enum wrong-types extra-keys 'huge=SIZE' 'redirect=ORIGIN' escapes) ;;
  'sandbox start:--fault-seed') found=--fault-seed kind='value' ;;
  'sandbox start:--outcome') found=--outcome kind='choices' choices=(complete complete-without-token complete-skipped complete-as-another account-creation-failed auth-error verification-failed connection-request-failed cancelled odd-nothing odd-next-step odd-fragment odd-escape stay) ;;
  'sandbox start:--registered-redirect') found=--registered-redirect repeats=1 kind='value' ;;
  'sandbox start:--connect-results') found=--connect-results kind=switch ;;
  'sandbox start:--service-url') found=--service-url kind='value' ;;
  'sandbox start:--service-key-file') found=--service-key-file kind='file' ;;
  'sandbox start:--access-token-file') found=--access-token-file kind='file' ;;
  'sandbox start:--poll') found=--poll kind='value' ;;
  'sandbox start:--client-id') found=--client-id kind='value' ;;
  'sandbox start:--client-secret-file') found=--client-secret-file kind='file' ;;
  'sandbox start:--authorize-url') found=--authorize-url kind='value' ;;
  'sandbox start:--token-url') found=--token-url kind='value' ;;
  'sandbox start:--webhook-names') found=--webhook-names kind=switch ;;
  'sandbox status:--sort') found=--sort kind='list' source=sort-field ;;
  'sandbox status:--limit') found=--limit kind='value' ;;
  'sandbox status:--search') found=--search kind='value' ;;
  'sandbox stop:--url') found=--url kind='value' ;;
  'sandbox stop:--control-key-file') found=--control-key-file kind='file' ;;
  'sandbox env:--wait') found=--wait kind='value' ;;
  'sandbox env:--url') found=--url kind='value' ;;
  'sandbox env:--control-key-file') found=--control-key-file kind='file' ;;
  'sandbox open:--print') found=--print kind=switch ;;
  'sandbox open:--url') found=--url kind='value' ;;
  'sandbox open:--control-key-file') found=--control-key-file kind='file' ;;
  'sandbox faults set:--path') found=--path kind='value' ;;
  'sandbox faults set:--method') found=--method kind='choices' choices=(GET HEAD POST PUT PATCH DELETE) ;;
  'sandbox faults set:--times') found=--times kind='value' ;;
  'sandbox faults set:--share') found=--share kind='value' ;;
  'sandbox faults set:--add') found=--add kind=switch ;;
  'sandbox faults set:--fault-seed') found=--fault-seed kind='value' ;;
  'sandbox faults set:--url') found=--url kind='value' ;;
  'sandbox faults set:--control-key-file') found=--control-key-file kind='file' ;;
  'sandbox faults list:--url') found=--url kind='value' ;;
  'sandbox faults list:--control-key-file') found=--control-key-file kind='file' ;;
  'sandbox faults list:--sort') found=--sort kind='list' source=sort-field ;;
  'sandbox faults list:--limit') found=--limit kind='value' ;;
  'sandbox faults list:--search') found=--search kind='value' ;;
  'sandbox faults clear:--url') found=--url kind='value' ;;
  'sandbox faults clear:--control-key-file') found=--control-key-file kind='file' ;;
  'sandbox requests:--method') found=--method kind='choices' choices=(GET HEAD POST PUT PATCH DELETE) ;;
  'sandbox requests:--path') found=--path kind='value' ;;
  'sandbox requests:--status') found=--status kind='value' ;;
  'sandbox requests:--direction') found=--direction kind='choices' choices=(received sent) ;;
  'sandbox requests:--connection') found=--connection kind='value' ;;
  'sandbox requests:--user') found=--user kind='value' ;;
  'sandbox requests:--last') found=--last kind='value' ;;
  'sandbox requests:--follow' | 'sandbox requests:-f') found=--follow kind=switch ;;
  'sandbox requests:--url') found=--url kind='value' ;;
  'sandbox requests:--control-key-file') found=--control-key-file kind='file' ;;
  'sandbox requests:--sort') found=--sort kind='list' source=sort-field ;;
  'sandbox requests:--limit') found=--limit kind='value' ;;
  'sandbox requests:--search') found=--search kind='value' ;;
  'sandbox send-again:--method' | 'sandbox send-again:-X') found=--method kind='choices' choices=(GET HEAD POST PUT PATCH DELETE) ;;
  'sandbox send-again:--path') found=--path kind='value' ;;
  'sandbox send-again:--header' | 'sandbox send-again:-H') found=--header repeats=1 kind='value' ;;
  'sandbox send-again:--input') found=--input kind='file' ;;
  'sandbox send-again:--url') found=--url kind='value' ;;
  'sandbox send-again:--control-key-file') found=--control-key-file kind='file' ;;
  'sandbox activity:--connection') found=--connection kind='value' ;;
  'sandbox activity:--user') found=--user kind='value' ;;
  'sandbox activity:--step') found=--step kind='choices' choices=(notified polled found queried ran skipped failed given_up options validated webhook_sent signed_in refreshed identity_deleted warning) ;;
  'sandbox activity:--status') found=--status kind='value' ;;
  'sandbox activity:--last') found=--last kind='value' ;;
  'sandbox activity:--follow' | 'sandbox activity:-f') found=--follow kind=switch ;;
  'sandbox activity:--url') found=--url kind='value' ;;
  'sandbox activity:--control-key-file') found=--control-key-file kind='file' ;;
  'sandbox activity:--sort') found=--sort kind='list' source=sort-field ;;
  'sandbox activity:--limit') found=--limit kind='value' ;;
  'sandbox activity:--search') found=--search kind='value' ;;
  'sandbox trigger:--user-id') found=--user-id kind='value' ;;
  'sandbox trigger:--set') found=--set repeats=1 kind='value' ;;
  'sandbox trigger:--url') found=--url kind='value' ;;
  'sandbox trigger:--control-key-file') found=--control-key-file kind='file' ;;
  'sandbox users:--tokens') found=--tokens kind=switch ;;
  'sandbox users:--url') found=--url kind='value' ;;
  'sandbox users:--control-key-file') found=--control-key-file kind='file' ;;
  'sandbox users:--sort') found=--sort kind='list' source=sort-field ;;
  'sandbox users:--limit') found=--limit kind='value' ;;
  'sandbox users:--search') found=--search kind='value' ;;
  'sandbox reset:--seed') found=--seed kind='file' ;;
  'sandbox reset:--url') found=--url kind='value' ;;
  'sandbox reset:--control-key-file') found=--control-key-file kind='file' ;;
  'sandbox seed:--seed') found=--seed kind='choices' choices=(plain unusual) ;;
  'sandbox seed:--definition') found=--definition kind='file' ;;
  'sandbox seed:--running') found=--running kind=switch ;;
  'sandbox seed:--url') found=--url kind='value' ;;
  'sandbox seed:--control-key-file') found=--control-key-file kind='file' ;;
  'configure:--set') found=--set repeats=1 kind='request' source=setting ;;
  'configure:--file') found=--file kind='file' ;;
  'configure:--add-feature') found=--add-feature repeats=1 kind='request' source=feature ;;
  'configure:--enable-feature') found=--enable-feature repeats=1 kind='request' source=feature ;;
  'configure:--disable-feature') found=--disable-feature repeats=1 kind='request' source=feature ;;
  'configure:--remove-feature') found=--remove-feature repeats=1 kind='request' source=feature ;;
  'configure:--skip' | 'configure:--no-skip') found=--skip kind=switch ;;
  'configure:--wait' | 'configure:--no-wait') found=--wait kind=switch ;;
  'configure:--resume') found=--resume kind=switch ;;
  'configure:--email') found=--email kind='value' ;;
  'configure:--force') found=--force kind=switch ;;
  'configure:--url') found=--url kind='choices' choices=(sdk connect) ;;
  'configure:--finish') found=--finish kind='value' ;;
  'configure:--oauth-code-file') found=--oauth-code-file kind='file' ;;
  'configure:--reveal') found=--reveal kind=switch ;;
  'configure:--browser' | 'configure:--no-browser') found=--browser kind=switch ;;
  'configure:--redirect-uri') found=--redirect-uri kind='value' ;;
  'configure:--nonce' | 'configure:--no-nonce') found=--nonce kind=switch ;;
  'configure:--as') found=--as kind='choices' choices=(user service anonymous) ;;
  'configure:--user-token-file') found=--user-token-file kind='file' ;;
  'configure:--service-key-file') found=--service-key-file kind='file' ;;
  'configure:--user-id') found=--user-id kind='request' source=token-user ;;
  'configure:--invite-code') found=--invite-code kind='value' ;;
  'configure:--report') found=--report repeats=1 kind='file' ;;
  'api:--field' | 'api:-f') found=--field repeats=1 kind='value' ;;
  'api:--typed-field' | 'api:-F') found=--typed-field repeats=1 kind='value' ;;
  'api:--header' | 'api:-H') found=--header repeats=1 kind='value' ;;
  'api:--method' | 'api:-X') found=--method kind='choices' choices=(GET HEAD POST PUT PATCH DELETE) ;;
  'api:--input') found=--input kind='file' ;;
  'api:--as') found=--as kind='choices' choices=(user service anonymous) ;;
  'api:--user-token-file') found=--user-token-file kind='file' ;;
  'api:--service-key-file') found=--service-key-file kind='file' ;;
  'api:--user-id') found=--user-id kind='request' source=token-user ;;
  'api:--invite-code') found=--invite-code kind='value' ;;
  'doctor:--fix') found=--fix kind=switch ;;
  'schema:--service') found=--service kind=switch ;;
  'schema:--definition') found=--definition kind='file' ;;
  'schema:--sort') found=--sort kind='list' source=sort-field ;;
  'schema:--limit') found=--limit kind='value' ;;
  'schema:--search') found=--search kind='value' ;;
  'help:--all') found=--all kind=switch ;;
  'grab login:--client-id') found=--client-id kind='value' ;;
  'grab login:--environment') found=--environment kind='choices' choices=(production staging) ;;
  'grab login:--scope') found=--scope repeats=1 kind='value' ;;
  'grab login:--redirect-uri') found=--redirect-uri kind='value' ;;
  'grab login:--account') found=--account kind='request' source=account ;;
  'grab login:--force') found=--force kind=switch ;;
  'grab login:--no-browser') found=--no-browser kind=switch ;;
  'grab login:--browser') found=--browser kind='value' ;;
  'grab login:--port') found=--port kind='value' ;;
  'grab login:--print-url') found=--print-url kind=switch ;;
  'grab login:--device') found=--device kind=switch ;;
  'grab login:--from-plist') found=--from-plist kind='file' ;;
  'grab login:--from-manifest') found=--from-manifest kind='file' ;;
  'grab login:--acr-value') found=--acr-value repeats=1 kind='value' ;;
  'grab login:--login-hint') found=--login-hint kind='value' ;;
  'grab login:--id-token-hint') found=--id-token-hint kind='choices' choices=(stored) ;;
  'grab login:--id-token-hint-file') found=--id-token-hint-file kind='file' ;;
  'grab login:--prompt') found=--prompt kind='value' ;;
  'grab login:--request-file') found=--request-file kind='file' ;;
  'grab login:--claims') found=--claims kind='value' ;;
  'grab login:--ui-locales') found=--ui-locales kind='value' ;;
  'grab login:--max-auth-age') found=--max-auth-age kind='value' ;;
  'grab login:--param') found=--param repeats=1 kind='value' ;;
  'grab login:--require-pkce' | 'grab login:--no-require-pkce') found=--require-pkce kind=switch ;;
  'grab login:--require-acr' | 'grab login:--no-require-acr') found=--require-acr kind=switch ;;
  'grab login:--verify-remote') found=--verify-remote kind='choices' choices=(never always) ;;
  'grab login:--discovery-url') found=--discovery-url kind='value' ;;
  'grab login:--issuer') found=--issuer kind='value' ;;
  'grab login:--client-secret-file') found=--client-secret-file kind='file' ;;
  'grab login:--partner-id') found=--partner-id kind='value' ;;
  'grab login:--trusted-audience') found=--trusted-audience repeats=1 kind='value' ;;
  'grab login:--algorithm') found=--algorithm repeats=1 kind='choices' choices=(PS256 EdDSA) ;;
  'grab login:--clock-allowance') found=--clock-allowance kind='value' ;;
  'grab login:--strict-kid' | 'grab login:--no-strict-kid') found=--strict-kid kind=switch ;;
  'grab login:--token-request') found=--token-request kind='choices' choices=(form json) ;;
  'grab login:--token-info-request') found=--token-info-request kind='choices' choices=(query json form) ;;
  'grab status:--account') found=--account kind='request' source=account ;;
  'grab id-token:--account') found=--account kind='request' source=account ;;
  'grab id-token:--remote') found=--remote kind=switch ;;
  'grab id-token:--raw') found=--raw kind=switch ;;
  'grab id-token:--client-secret-file') found=--client-secret-file kind='file' ;;
  'grab id-token:--partner-id') found=--partner-id kind='value' ;;
  'grab id-token:--trusted-audience') found=--trusted-audience repeats=1 kind='value' ;;
  'grab id-token:--algorithm') found=--algorithm repeats=1 kind='choices' choices=(PS256 EdDSA) ;;
  'grab id-token:--clock-allowance') found=--clock-allowance kind='value' ;;
  'grab id-token:--strict-kid' | 'grab id-token:--no-strict-kid') found=--strict-kid kind=switch ;;
  'grab id-token:--token-info-request') found=--token-info-request kind='choices' choices=(query json form) ;;
  'grab refresh:--account') found=--account kind='request' source=account ;;
  'grab refresh:--if-needed') found=--if-needed kind=switch ;;
  'grab refresh:--print') found=--print kind=switch ;;
  'grab refresh:--client-secret-file') found=--client-secret-file kind='file' ;;
  'grab refresh:--token-request') found=--token-request kind='choices' choices=(form json) ;;
  'grab logout:--account') found=--account kind='request' source=account ;;
  'grab logout:--all') found=--all kind=switch ;;
  'grab logout:--local') found=--local kind=switch ;;
  'grab logout:--browser') found=--browser kind=switch ;;
  'grab logout:--no-browser') found=--no-browser kind=switch ;;
  'grab logout:--require-revocation') found=--require-revocation kind=switch ;;
  'grab logout:--client-secret-file') found=--client-secret-file kind='file' ;;
  'grab apps:--client-id') found=--client-id kind='value' ;;
  'grab apps:--environment') found=--environment kind='choices' choices=(production staging) ;;
  'grab apps:--discovery-url') found=--discovery-url kind='value' ;;
  'grab apps:--issuer') found=--issuer kind='value' ;;
  'grab apps:--open') found=--open kind='choices' choices=(ios android) ;;
  esac
  [[ -z $found ]] || return 0
  case "$2" in
  --profile | -p) found=--profile kind='request' source=profile ;;
  --output | -o) found=--output kind='choices' choices=(table json jsonl csv tsv yaml env) ;;
  --json) found=--json kind=switch ;;
  --fields) found=--fields kind='list' source=field ;;
  --jq) found=--jq kind='value' ;;
  --no-header) found=--no-header kind=switch ;;
  --color) found=--color kind='choices' choices=(auto always never) ;;
  --time-style) found=--time-style kind='choices' choices=(relative absolute) ;;
  --offline) found=--offline kind=switch ;;
  --max-age) found=--max-age kind='value' ;;
  --timeout) found=--timeout kind='value' ;;
  --retries) found=--retries kind='value' ;;
  --jobs) found=--jobs kind='value' ;;
  --locale) found=--locale kind='request' source=language ;;
  --dry-run | -n) found=--dry-run kind=switch ;;
  --exit-code) found=--exit-code kind=switch ;;
  --yes | -y) found=--yes kind=switch ;;
  --no-input) found=--no-input kind=switch ;;
  --no-plugins) found=--no-plugins kind=switch ;;
  --no-linked-plugins) found=--no-linked-plugins kind=switch ;;
  --trace-plugins) found=--trace-plugins kind=switch ;;
  --quiet | -q) found=--quiet kind=switch ;;
  --verbose | -v) found=--verbose kind=switch ;;
  --record) found=--record kind='directory' ;;
  --replay) found=--replay kind='directory' ;;
  --help | -h) found=--help kind=switch ;;
  --version | -V) found=--version kind=switch ;;
  esac
  [[ -n $found ]]
}

# PATH NUMBER: sets kind, source and choices.
__ifttt_argument() {
  kind='' source='' choices=()
  case "$1:$2" in
  'connections show:'*) kind='request' source=connection-id ;;
  'connections add:'*) kind='value' ;;
  'connections remove:'*) kind='request' source=connection-id ;;
  'connections enable:'*) kind='request' source=connection-id ;;
  'connections disable:'*) kind='request' source=connection-id ;;
  'connections activate:0') kind='request' source=connection-id ;;
  'connections history:0') kind='value' ;;
  'connections undo:0') kind='value' ;;
  'connections export:'*) kind='request' source=connection-id ;;
  'connections diff:0') kind='file' ;;
  'connections apply:0') kind='file' ;;
  'connections wait:'*) kind='request' source=connection-id ;;
  'connections watch:'*) kind='request' source=connection-id ;;
  'connections open:0') kind='request' source=connection-id ;;
  'connections options:0') kind='request' source=connection-id ;;
  'connections options:'*) kind='request' source=field-address ;;
  'connections run:0') kind='request' source=connection-id ;;
  'connections run:1') kind='request' source=action ;;
  'connections query:0') kind='request' source=connection-id ;;
  'connections query:1') kind='request' source=query ;;
  'connections test:0') kind='request' source=connection-id ;;
  'connections test:1') kind='request' source=trigger ;;
  'connections button:0') kind='request' source=connection-id ;;
  'connections configure:0') kind='request' source=connection-id ;;
  'location regions:'*) kind='request' source=connection-id ;;
  'location replay:0') kind='file' ;;
  'location map:0') kind='file' ;;
  'location report:0') kind='request' source=region ;;
  'location report:1') kind='choices' choices=(enter exit) ;;
  'location reset:'*) kind='request' source=region ;;
  'location on:'*) kind='request' source=connection-id ;;
  'location off:'*) kind='request' source=connection-id ;;
  'location events clear:'*) kind='value' ;;
  'applets fetch:'*) kind='request' source=applet-id ;;
  'applets activate:0') kind='request' source=applet-id ;;
  'applets enable:'*) kind='request' source=applet-id ;;
  'applets disable:'*) kind='request' source=applet-id ;;
  'applets list:'*) kind='request' source=applet-id ;;
  'token show:0') kind='request' source=token-user ;;
  'token remove:'*) kind='request' source=token-user ;;
  'profile create:0') kind='value' ;;
  'profile create:'*) kind='value' ;;
  'profile set:0') kind='request' source=profile ;;
  'profile set:'*) kind='value' ;;
  'profile use:0') kind='request' source=profile ;;
  'profile show:0') kind='request' source=profile ;;
  'profile remove:0') kind='request' source=profile ;;
  'store backup:0') kind='file' ;;
  'store restore:0') kind='file' ;;
  'store rekey:'*) kind='value' ;;
  'plugin show:0') kind='request' source=plugin ;;
  'plugin install:0') kind='file' ;;
  'plugin search:0') kind='value' ;;
  'plugin upgrade:'*) kind='request' source=plugin ;;
  'plugin rollback:0') kind='request' source=plugin ;;
  'plugin remove:0') kind='request' source=plugin ;;
  'plugin link:0') kind='directory' ;;
  'plugin unlink:0') kind='request' source=plugin ;;
  'plugin verify:'*) kind='request' source=plugin ;;
  'plugin new:0') kind='value' ;;
  'plugin test:0') kind='directory' ;;
  'plugin package:0') kind='directory' ;;
  'plugin index add:0') kind='request' source=plugin-index ;;
  'plugin index add:1') kind='file' ;;
  'plugin index add:'*) kind='value' ;;
  'plugin index update:'*) kind='request' source=plugin-index ;;
  'plugin index remove:0') kind='request' source=plugin-index ;;
  'plugin trust add:0') kind='value' ;;
  'plugin trust add:1') kind='file' ;;
  'plugin trust remove:0') kind='value' ;;
  'report merge:'*) kind='file' ;;
  'service test:0') kind='value' ;;
  'service call:0') kind='value' ;;
  'service call:1') kind='request' source=service-endpoint ;;
  'service listen:'*) kind='value' ;;
  'service events show:0') kind='value' ;;
  'service events replay:'*) kind='value' ;;
  'webhook fire:0') kind='value' ;;
  'sandbox faults set:'*) kind='choices' choices=('latency=DURATION' 'status=CODE' reset reset-in-body truncate 'drip=DURATION' bad-json html gzip chunked chunked-trailer invalid-utf8 duplicate-keys unknown-enum wrong-types extra-keys 'huge=SIZE' 'redirect=ORIGIN' escapes) ;;
  'sandbox requests:0') kind='value' ;;
  'sandbox send-again:0') kind='value' ;;
  'sandbox activity:0') kind='value' ;;
  'sandbox trigger:0') kind='request' source=connection-id ;;
  'sandbox trigger:1') kind='value' ;;
  'configure:0') kind='request' source=connection-id ;;
  'api:0') kind='choices' choices=(GET HEAD POST PUT PATCH DELETE) ;;
  'api:1') kind='value' ;;
  'schema:'*) kind='request' source=schema ;;
  'completion:0') kind='choices' choices=(bash zsh fish) ;;
  'man:'*) kind='command' ;;
  'help:'*) kind='command' choices=(options exit-codes environment formats files plugins tracks) ;;
  'grab complete:0') kind='value' ;;
  esac
}

# LINE: splits it as the shell would and sets words (without quotes), cur (the last word), head (the part of cur
# that readline does not replace) and quote (the open quote).
__ifttt_split() {
  local line=$1 char index inside=''
  words=() cur='' head='' quote=''
  for ((index = 0; index < ${#line}; index++)); do
    char=${line:index:1}
    case $quote in
    "'")
      if [[ $char == "'" ]]; then quote='' head=$cur; else cur+=$char; fi
      continue
      ;;
    '"')
      if [[ $char == '"' ]]; then
        quote='' head=$cur
      elif [[ $char == "\\" && ${line:index+1:1} == [\$\`\"\\] ]]; then
        index=$((index + 1))
        cur+=${line:index:1}
      else
        cur+=$char
      fi
      continue
      ;;
    esac
    case $char in
    [[:space:]])
      [[ -z $inside ]] || words+=("$cur")
      cur='' head='' inside=''
      ;;
    "'" | '"') quote=$char head=$cur inside=1 ;;
    "\\")
      index=$((index + 1))
      cur+=${line:index:1} inside=1
      ;;
    *)
      cur+=$char inside=1
      [[ ${COMP_WORDBREAKS-} != *"$char"* ]] || head=$cur
      ;;
    esac
  done
}

# Reads words: sets command, given (names of options), arguments, profile, ended (whether there was a --) and awaited
# (the option whose value is next).
__ifttt_walk() {
  local word index
  for word in ${words[@]+"${words[@]:1}"}; do
    if [[ -n $awaited ]]; then
      [[ $awaited != --profile ]] || profile=$word
      awaited=''
    elif [[ -n $ended || $word == - || $word != -* ]]; then
      __ifttt_subcommands "$command"
      if [[ -z $ended && ${#arguments[@]} -eq 0 ]] && __ifttt_is_name "$word"; then
        command+=${command:+ }$word
      else
        arguments+=("$word")
      fi
    elif [[ $word == -- ]]; then
      ended=1
    elif [[ $word == --* ]]; then
      __ifttt_option "$command" "${word%%=*}" || continue
      [[ -n $repeats ]] || given+=" $found "
      if [[ $word == *=* ]]; then
        [[ $found != --profile ]] || profile=${word#*=}
      elif [[ $kind != switch ]]; then
        awaited=$found
      fi
    else
      for ((index = 1; index < ${#word}; index++)); do
        __ifttt_option "$command" "-${word:index:1}" || continue
        [[ -n $repeats ]] || given+=" $found "
        [[ $kind != switch ]] || continue
        if ((index + 1 == ${#word})); then
          awaited=$found
        elif [[ $found == --profile ]]; then
          profile=${word:index+1}
        fi
        break
      done
    fi
  done
}

# WORD: checks whether it is one of names.
__ifttt_is_name() {
  local candidate
  for candidate in ${names[@]+"${names[@]}"}; do
    [[ $candidate != "$1" ]] || return 0
  done
  return 1
}

# CANDIDATE...: adds each that begins with the typed text, with the quotes of the typed text. A candidate is a value, or
# a value, a tab and a description.
__ifttt_offer() {
  local candidate word char index words=() IFS=$'\n'
  for candidate; do
    word=$prefix${candidate%%$'\t'*}
    [[ -n $candidate && $word == "$cur"* && $word != *[[:cntrl:]]* ]] || continue
    # It is continued without a space if it ends in = or if its description is an ellipsis.
    case $candidate in *= | *=$'\t'* | *$'\t…') compopt -o nospace 2>/dev/null ;; esac
    words+=("${word#"$head"}")
    notes+=("$candidate")
  done
  # Most words need no quotes. One by one, 500 words take a shell 5 ms longer.
  if [[ -z $quote && ${words[*]-} != *[!A-Za-z0-9_.,:=@%+/$'\n'-]* ]]; then
    COMPREPLY+=(${words[@]+"${words[@]}"})
    return
  fi
  for candidate in ${words[@]+"${words[@]}"}; do
    case $quote in
    '')
      word=$candidate
      [[ $word != *[!A-Za-z0-9_.,:=@%+/-]* ]] || printf -v word %q "$candidate"
      ;;
    *)
      word=''
      for ((index = 0; index < ${#candidate}; index++)); do
        char=${candidate:index:1}
        case $quote$char in
        "''") word+="'\\''" ;;
        '"'[\$\`\"\\]) word+="\\$char" ;;
        *) word+=$char ;;
        esac
      done
      ;;
    esac
    COMPREPLY+=("$word")
  done
}

# Requests the values of $source from the program. Its output is only compared and quoted, never evaluated. A value
# that would be parsed as an option is not offered.
__ifttt_request() {
  local text options=$- IFS=$'\n' candidates
  local context=("--command=$command")
  [[ -z $profile ]] || context+=("--profile=$profile")
  [[ ${#arguments[@]} -eq 0 ]] || context+=("--argument=${arguments[0]}")
  text=$(command ifttt __complete "$source" "${context[@]}" -- "${cur#"$prefix"}" 2>/dev/null </dev/null)
  set -f
  # shellcheck disable=SC2206 # Names are not expanded while -f is set.
  candidates=($text)
  [[ $options == *f* ]] || set +f
  [[ -n $ended$awaited$prefix ]] || candidates=(${candidates[@]+"${candidates[@]/#-*/}"})
  __ifttt_offer ${candidates[@]+"${candidates[@]}"}
}

# Offers the values of $kind after $prefix.
__ifttt_values() {
  local name
  case $kind in
  choices) __ifttt_offer "${choices[@]}" ;;
  command)
    __ifttt_subcommands "${arguments[*]-}"
    [[ ${#arguments[@]} -gt 0 ]] || names+=(${choices[@]+"${choices[@]}"})
    __ifttt_offer ${names[@]+"${names[@]}"}
    ;;
  request) __ifttt_request ;;
  list)
    name=${cur#"$prefix"}
    [[ $name != *,* ]] || prefix+=${name%,*},
    compopt -o nospace 2>/dev/null
    __ifttt_request
    ;;
  file | directory)
    # If this bash supports -o filenames, Readline quotes the names and marks folders.
    if compopt -o filenames 2>/dev/null; then
      while IFS= read -r name; do
        [[ -z $name ]] || name=$prefix$name COMPREPLY+=("${name#"$head"}")
      done <<<"$(compgen "-${kind:0:1}" -- "${cur#"$prefix"}")"
      return
    fi
    while IFS= read -r name; do
      [[ $name == *[[:cntrl:]]* ]] || __ifttt_offer "$name"
    done <<<"$(compgen "-${kind:0:1}" -- "${cur#"$prefix"}")"
    ;;
  esac
}

# Determines the candidates at the cursor.
__ifttt_decide() {
  local name index seen=''
  if [[ -n $awaited ]]; then
    __ifttt_option "$command" "$awaited"
    __ifttt_values
  elif [[ -z $ended && $cur == --*=* ]]; then
    __ifttt_option "$command" "${cur%%=*}" || return 0
    prefix=${cur%%=*}=
    __ifttt_values
  elif [[ -z $ended && $cur == -* ]]; then
    for ((index = 1; index + 1 < ${#cur}; index++)); do
      __ifttt_option "$command" "-${cur:index:1}" || break
      [[ $kind != switch ]] || continue
      prefix=${cur:0:index+1}
      __ifttt_values
      return 0
    done
    __ifttt_spellings "$command"
    for name in ${names[@]+"${names[@]}"}; do
      __ifttt_option "$command" "$name"
      # A command's own option hides a global option of the same name.
      [[ $given == *" $found "* || $seen == *" $name "* ]] || __ifttt_offer "$name"
      seen+=" $name "
    done
  else
    if [[ -z $ended && ${#arguments[@]} -eq 0 ]]; then
      __ifttt_subcommands "$command"
      __ifttt_offer ${names[@]+"${names[@]}"}
    fi
    __ifttt_argument "$command" "${#arguments[@]}"
    __ifttt_values
  fi
}

_ifttt() {
  local IFS=$' \t\n' cur head quote command='' given='' profile='' ended='' awaited='' prefix=''
  local found kind source repeats index note
  local words names choices arguments=() notes=()
  COMPREPLY=()
  __ifttt_split "${COMP_LINE:0:COMP_POINT}"
  __ifttt_walk
  __ifttt_decide
  # Add descriptions only if bash lists the candidates and inserts none.
  if [[ ${COMP_TYPE-} == 63 && ${#COMPREPLY[@]} -gt 1 ]]; then
    for index in "${!notes[@]}"; do
      note=${notes[index]#*$'\t'}
      [[ ${notes[index]} != *$'\t'?* ]] || COMPREPLY[index]+="  (${note//[[:cntrl:]]/?})"
    done
  fi
}

complete -F _ifttt ifttt
