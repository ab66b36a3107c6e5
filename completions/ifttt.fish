# Completion of ifttt for fish. Generated from the command tree.
# Source it, or install it as share/fish/vendor_completions.d/ifttt.fish.

# PATH: writes the names, each with its description.
function __ifttt_subcommands
  switch $argv[1]
    case ''
      printf '%s\n' 'connections	List, show and change connections' 'location	Replay tracks through geofences and report location events' 'applets	Fetch and change a service\'s Applets (API v1)' 'init	Set up a profile for your service, step by step' 'token	Get, store and verify user tokens' 'profile	Manage profiles: named sets of credentials, base URLs and connections' 'privacy	Show or change whether usage events are sent to IFTTT' 'store	Manage the database: check, back up, restore, change its key' 'plugin	Manage plugins: list, install, upgrade, create' 'report	Combine the reports of several runs' 'service	Test and run the server of your own service' 'webhook	Fire events of the Webhooks service' 'sandbox	Run the local emulator of IFTTT as an HTTP server' 'configure	Show and set a connection\'s fields' 'api	Send any request with this profile\'s credentials' 'doctor	Check the setup and suggest fixes for problems' 'schema	Print the JSON Schema of a command\'s output, or an OpenAPI description' 'completion	Print a shell completion script' 'man	Show a command\'s man page; in a pipe, print its mdoc source' 'help	Show a command\'s help; with --json, print the command tree' 'version	Print the program\'s version' 'grab	Sign in with a Grab account'
    case 'connections'
      printf '%s\n' 'list	List the connections this profile tracks' 'show	Show connections in full' 'add	Track connections' 'remove	Stop tracking connections; nothing changes at IFTTT' 'enable	Enable connections' 'disable	Disable connections' 'activate	Activate a connection for the first time, in the browser' 'history	List the runs that changed something' 'undo	Undo the last run that changed something' 'redo	Redo the last run that was undone' 'export	Write the state of connections to a file for version control' 'diff	Compare a file of connections with IFTTT' 'apply	Change connections to the state in a file' 'wait	Wait for connections to reach a state' 'watch	Watch connections for changes' 'open	Open a connection\'s page at IFTTT in the browser' 'options	Show what each field of a connection accepts' 'run	Run an action of a connection' 'query	Run a query of a connection' 'test	Test a trigger of a connection' 'button	Draw a connection\'s Connect Button' 'configure	Show and set a connection\'s fields'
    case 'location'
      printf '%s\n' 'regions	List the geofences of the enabled connections' 'replay	Replay a track through the geofences and report entries and exits' 'map	Draw the geofences, and a track with its entries and exits' 'report	Report one entry or exit to IFTTT' 'reset	Clear the remembered inside/outside states' 'on	Enable location reporting for a connection' 'off	Disable location reporting for a connection; changes nothing at IFTTT' 'events	Show, send or discard the queued location events'
    case 'location events'
      printf '%s\n' 'list	List the location events that IFTTT has not accepted yet, oldest first' 'flush	Send the queued location events' 'clear	Discard queued location events without sending them'
    case 'applets'
      printf '%s\n' 'fetch	Fetch a service\'s Applets' 'activate	Activate an Applet for the first time, in the browser' 'enable	Enable Applets' 'disable	Disable Applets' 'list	Fetch a service\'s Applets'
    case 'token'
      printf '%s\n' 'exchange	Get and store an IFTTT user token for a user of your service' 'list	List the user tokens stored in this profile, masked' 'show	Show a user token' 'set	Store a user token that you already have' 'remove	Remove stored user tokens; they stay valid at IFTTT' 'verify	Verify credentials with IFTTT and show their owner'
    case 'profile'
      printf '%s\n' 'list	List the profiles' 'create	Create a profile' 'set	Change a profile\'s settings and credentials' 'use	Set the default profile' 'show	Show a profile\'s settings and the kinds of its stored credentials' 'remove	Remove a profile with its credentials and tracked connections'
    case 'privacy'
      printf '%s\n' 'show	Show whether usage events are on, and the next request' 'on	Enable usage events, and create an anonymous id' 'off	Disable usage events; delete the anonymous id and all queued events' 'reset	Create a new anonymous id; delete events queued under the old one'
    case 'store'
      printf '%s\n' 'info	Show the store\'s location, size and encryption key' 'check	Check both databases and decrypt every credential' 'backup	Copy the database to a file' 'restore	Restore the database from a backup' 'rekey	Encrypt every credential with a new key'
    case 'plugin'
      printf '%s\n' 'list	List plugins and their status' 'show	Show the details, permissions and status of a plugin' 'install	Install a plugin from a folder, archive, URL, Git repository or index' 'search	Search the indexes for plugins' 'outdated	List plugins that have a newer version' 'upgrade	Upgrade plugins to their newest versions' 'rollback	Restore the version of a plugin before its last upgrade' 'remove	Remove an installed plugin' 'link	Run a plugin from its folder while you develop it' 'unlink	Remove the link to a plugin\'s folder' 'verify	Verify that plugins are unchanged since they were installed' 'new	Create a plugin from a template' 'test	Run the conformance tests on a plugin' 'package	Create an archive of a plugin for publication' 'index	Manage the indexes that plugins are installed from' 'trust	Manage the keys whose signatures on plugins are trusted'
    case 'plugin index'
      printf '%s\n' 'list	List the indexes of plugins' 'add	Add an index of plugins' 'update	Fetch the indexes of plugins again' 'remove	Remove an index of plugins'
    case 'plugin trust'
      printf '%s\n' 'list	List the keys whose signatures on plugins are trusted' 'add	Trust a public key to sign plugins' 'remove	Stop trusting a key to sign plugins'
    case 'report'
      printf '%s\n' 'merge	Add up the summaries of the shards of a run'
    case 'service'
      printf '%s\n' 'test	Run the endpoint tests that a service must pass' 'call	Send one request to an endpoint of a partner\'s server, as IFTTT would' 'listen	Receive IFTTT\'s webhooks on this machine' 'events	Show, replay or remove the received webhooks' 'notify	Notify IFTTT that new trigger events are waiting'
    case 'service events'
      printf '%s\n' 'list	List the received webhooks, oldest first' 'show	Show a received webhook in full' 'replay	Send received webhooks to a server again' 'clear	Remove the received webhooks from the store'
    case 'webhook'
      printf '%s\n' 'fire	Fire a Webhooks event'
    case 'sandbox'
      printf '%s\n' 'start	Run the sandbox as an HTTP server, to test other programs against it' 'status	List the running servers' 'stop	Stop a running server' 'env	Print the environment variables for the running server' 'open	Open the running server\'s inspector in the browser' 'faults	Inject faults into the responses of the running server' 'requests	Show the requests that the server received and sent' 'send-again	Send a request of the running server again' 'activity	Show what the sandbox did as IFTTT, and why' 'trigger	Fire a trigger of a connection in the running server' 'users	List the users of the running server, as a file for --users' 'reset	Reset the running server, or the sandbox profile' 'seed	Print the sandbox\'s fixtures as a file to edit'
    case 'sandbox faults'
      printf '%s\n' 'set	Set the faults that the running server injects' 'list	List the faults that the running server injects' 'clear	Clear all injected faults'
    case 'grab'
      printf '%s\n' 'login	Sign in with the browser, or with a code on another device' 'complete	Finish a sign-in with the URL that the browser was redirected to' 'status	Show whether the access token and the ID token are valid' 'id-token	Verify the ID token and show its claims' 'refresh	Exchange the refresh token for new tokens' 'logout	Sign out: revoke the tokens, then delete them' 'apps	Show the apps that a phone would open to sign in'
  end
end

# PATH: writes the options that the command accepts.
function __ifttt_spellings
  switch $argv[1]
    case 'connections list'
      printf '%s\n' '--status	Only connections with one of these statuses' '--refresh	Fetch all connections again, regardless of age' '--provider	Only the connections of this provider' '--as	Authentication level' '--user-token-file	Read the user token from this file, \'-\' for stdin (or set IFTTT_USER_TOKEN)' '--service-key-file	Read the service key from this file, \'-\' for stdin (or set IFTTT_SERVICE_KEY)' '--user-id	The user\'s id on your own service' '--invite-code	Invite code of an unpublished service' '--users	Run for each user in this file, \'-\' for stdin: JSON Lines or CSV with user_id; a repeated user is processed once' '--ordered	Print results in the order of the users' '--rate	Maximum rate of requests, such as 50/s or 600/m, retries included' '--shard	Process only the K-th of N parts; \'auto\' reads K from the job\'s environment' '--shards	Number of parts for --shard auto' '--report	Write each result as JUnit XML to this file, or the counts, as JSON with summary=FILE or as variables with dotenv=FILE; until the run ends, the file reports it as unfinished' '--sort	Sort by these fields; a dash before a field reverses its order' '--limit	Print at most this many rows' '--search	Print only rows with this text in any field, ignoring case'
    case 'connections show'
      printf '%s\n' '--all	All connections that \'connections list\' prints' '--status	Tracked connections with one of these statuses' '--stdin	Connections from stdin, also with \'-\': one id per line, JSON Lines, a JSON array, or the output of \'connections list\'; at most 100,000' '--track	Track the shown connections' '--raw	Print IFTTT\'s own JSON, byte for byte' '--provider	Provider of the ids, as in NAME:ID' '--as	Authentication level' '--user-token-file	Read the user token from this file, \'-\' for stdin (or set IFTTT_USER_TOKEN)' '--service-key-file	Read the service key from this file, \'-\' for stdin (or set IFTTT_SERVICE_KEY)' '--user-id	The user\'s id on your own service' '--invite-code	Invite code of an unpublished service' '--users	Run for each user in this file, \'-\' for stdin: JSON Lines or CSV with user_id; a repeated user is processed once' '--ordered	Print results in the order of the users' '--rate	Maximum rate of requests, such as 50/s or 600/m, retries included' '--shard	Process only the K-th of N parts; \'auto\' reads K from the job\'s environment' '--shards	Number of parts for --shard auto' '--report	Write each result as JUnit XML to this file, or the counts, as JSON with summary=FILE or as variables with dotenv=FILE; until the run ends, the file reports it as unfinished'
    case 'connections add'
      printf '%s\n' '--stdin	Connections from stdin, also with \'-\': one id per line, JSON Lines, a JSON array, or the output of \'connections list\'; at most 100,000' '--as	Authentication level' '--user-token-file	Read the user token from this file, \'-\' for stdin (or set IFTTT_USER_TOKEN)' '--service-key-file	Read the service key from this file, \'-\' for stdin (or set IFTTT_SERVICE_KEY)' '--user-id	The user\'s id on your own service' '--invite-code	Invite code of an unpublished service' '--report	Write each result as JUnit XML to this file, or the counts, as JSON with summary=FILE or as variables with dotenv=FILE; until the run ends, the file reports it as unfinished'
    case 'connections remove'
      printf '%s\n' '--all	All connections that \'connections list\' prints' '--status	Tracked connections with one of these statuses' '--stdin	Connections from stdin, also with \'-\': one id per line, JSON Lines, a JSON array, or the output of \'connections list\'; at most 100,000'
    case 'connections enable'
      printf '%s\n' '--all	All connections that \'connections list\' prints' '--status	Tracked connections with one of these statuses' '--stdin	Connections from stdin, also with \'-\': one id per line, JSON Lines, a JSON array, or the output of \'connections list\'; at most 100,000' '--resume	Resume the last run of this command that was interrupted or failed' '--force	Send the request even if nothing would change' '--provider	Provider of the ids, as in NAME:ID' '--as	Authentication level' '--user-token-file	Read the user token from this file, \'-\' for stdin (or set IFTTT_USER_TOKEN)' '--service-key-file	Read the service key from this file, \'-\' for stdin (or set IFTTT_SERVICE_KEY)' '--user-id	The user\'s id on your own service' '--invite-code	Invite code of an unpublished service' '--users	Run for each user in this file, \'-\' for stdin: JSON Lines or CSV with user_id; a repeated user is processed once' '--ordered	Print results in the order of the users' '--rate	Maximum rate of requests, such as 50/s or 600/m, retries included' '--shard	Process only the K-th of N parts; \'auto\' reads K from the job\'s environment' '--shards	Number of parts for --shard auto' '--report	Write each result as JUnit XML to this file, or the counts, as JSON with summary=FILE or as variables with dotenv=FILE; until the run ends, the file reports it as unfinished'
    case 'connections disable'
      printf '%s\n' '--all	All connections that \'connections list\' prints' '--status	Tracked connections with one of these statuses' '--stdin	Connections from stdin, also with \'-\': one id per line, JSON Lines, a JSON array, or the output of \'connections list\'; at most 100,000' '--resume	Resume the last run of this command that was interrupted or failed' '--force	Send the request even if nothing would change' '--provider	Provider of the ids, as in NAME:ID' '--as	Authentication level' '--user-token-file	Read the user token from this file, \'-\' for stdin (or set IFTTT_USER_TOKEN)' '--service-key-file	Read the service key from this file, \'-\' for stdin (or set IFTTT_SERVICE_KEY)' '--user-id	The user\'s id on your own service' '--invite-code	Invite code of an unpublished service' '--users	Run for each user in this file, \'-\' for stdin: JSON Lines or CSV with user_id; a repeated user is processed once' '--ordered	Print results in the order of the users' '--rate	Maximum rate of requests, such as 50/s or 600/m, retries included' '--shard	Process only the K-th of N parts; \'auto\' reads K from the job\'s environment' '--shards	Number of parts for --shard auto' '--report	Write each result as JUnit XML to this file, or the counts, as JSON with summary=FILE or as variables with dotenv=FILE; until the run ends, the file reports it as unfinished'
    case 'connections activate'
      printf '%s\n' '--email	The user\'s email address, which identifies a user without a user token' '--force	Use the browser even if the connection is already enabled' '--url	IFTTT page to open' '--finish	Complete an earlier run with the URL of its redirect; \'-\' reads stdin' '--oauth-code-file	Read the OAuth code of your service from this file, \'-\' for stdin (or set IFTTT_OAUTH_CODE)' '--reveal	Print the URL including the OAuth code' '--browser	Open the browser; without it, only print the URL and wait' '--no-browser	The opposite of --browser' '--redirect-uri	Redirect the browser to this URI: a loopback address to listen on, your own page, or your own scheme' '--nonce	Add a random part to --redirect-uri, and reject redirects without it' '--no-nonce	The opposite of --nonce' '--skip-config	Skip IFTTT\'s configuration screen; the connection is then pending until it is configured' '--no-skip-config	The opposite of --skip-config' '--as	Authentication level' '--user-token-file	Read the user token from this file, \'-\' for stdin (or set IFTTT_USER_TOKEN)' '--service-key-file	Read the service key from this file, \'-\' for stdin (or set IFTTT_SERVICE_KEY)' '--user-id	The user\'s id on your own service' '--invite-code	Invite code of an unpublished service'
    case 'connections history'
      printf '%s\n' '--sort	Sort by these fields; a dash before a field reverses its order' '--limit	Print at most this many rows' '--search	Print only rows with this text in any field, ignoring case'
    case 'connections undo'
      printf '%s\n' '--resume	Resume the last undo that was interrupted or failed' '--force	Also revert connections that others have changed since' '--rate	Maximum rate of requests, such as 50/s or 600/m, retries included' '--as	Authentication level' '--user-token-file	Read the user token from this file, \'-\' for stdin (or set IFTTT_USER_TOKEN)' '--service-key-file	Read the service key from this file, \'-\' for stdin (or set IFTTT_SERVICE_KEY)' '--user-id	The user\'s id on your own service' '--invite-code	Invite code of an unpublished service' '--report	Write each result as JUnit XML to this file, or the counts, as JSON with summary=FILE or as variables with dotenv=FILE; until the run ends, the file reports it as unfinished'
    case 'connections redo'
      printf '%s\n' '--resume	Resume the last redo that was interrupted or failed' '--force	Also revert connections that others have changed since' '--rate	Maximum rate of requests, such as 50/s or 600/m, retries included' '--as	Authentication level' '--user-token-file	Read the user token from this file, \'-\' for stdin (or set IFTTT_USER_TOKEN)' '--service-key-file	Read the service key from this file, \'-\' for stdin (or set IFTTT_SERVICE_KEY)' '--user-id	The user\'s id on your own service' '--invite-code	Invite code of an unpublished service' '--report	Write each result as JUnit XML to this file, or the counts, as JSON with summary=FILE or as variables with dotenv=FILE; until the run ends, the file reports it as unfinished'
    case 'connections export'
      printf '%s\n' '--all	All connections that \'connections list\' prints' '--status	Tracked connections with one of these statuses' '--stdin	Connections from stdin, also with \'-\': one id per line, JSON Lines, a JSON array, or the output of \'connections list\'; at most 100,000' '--as	Authentication level' '--user-token-file	Read the user token from this file, \'-\' for stdin (or set IFTTT_USER_TOKEN)' '--service-key-file	Read the service key from this file, \'-\' for stdin (or set IFTTT_SERVICE_KEY)' '--user-id	The user\'s id on your own service' '--invite-code	Invite code of an unpublished service' '--users	Run for each user in this file, \'-\' for stdin: JSON Lines or CSV with user_id; a repeated user is processed once' '--ordered	Print results in the order of the users' '--rate	Maximum rate of requests, such as 50/s or 600/m, retries included' '--shard	Process only the K-th of N parts; \'auto\' reads K from the job\'s environment' '--shards	Number of parts for --shard auto' '--report	Write each result as JUnit XML to this file, or the counts, as JSON with summary=FILE or as variables with dotenv=FILE; until the run ends, the file reports it as unfinished'
    case 'connections diff'
      printf '%s\n' '--plan-out	Write a plan for \'connections apply --plan\' to this file' '--prune	Disable tracked, enabled connections that are not in the file' '--allow-removal	Allow removing settings, and disabling with --prune' '--as	Authentication level' '--user-token-file	Read the user token from this file, \'-\' for stdin (or set IFTTT_USER_TOKEN)' '--service-key-file	Read the service key from this file, \'-\' for stdin (or set IFTTT_SERVICE_KEY)' '--user-id	The user\'s id on your own service' '--invite-code	Invite code of an unpublished service' '--users	Run for each user in this file, \'-\' for stdin: JSON Lines or CSV with user_id; a repeated user is processed once' '--ordered	Print results in the order of the users' '--rate	Maximum rate of requests, such as 50/s or 600/m, retries included' '--shard	Process only the K-th of N parts; \'auto\' reads K from the job\'s environment' '--shards	Number of parts for --shard auto' '--report	Write each result as JUnit XML to this file, or the counts, as JSON with summary=FILE or as variables with dotenv=FILE; codequality=FILE has the results as findings for GitLab; until the run ends, the file reports it as unfinished' '--sort	Sort by these fields; a dash before a field reverses its order' '--limit	Print at most this many rows' '--search	Print only rows with this text in any field, ignoring case'
    case 'connections apply'
      printf '%s\n' '--plan	Execute this plan of \'connections diff --plan-out\' instead of a file of connections' '--resume	Resume the last run that was interrupted or failed' '--prune	Disable tracked, enabled connections that are not in the file' '--allow-removal	Allow removing settings, and disabling with --prune' '--as	Authentication level' '--user-token-file	Read the user token from this file, \'-\' for stdin (or set IFTTT_USER_TOKEN)' '--service-key-file	Read the service key from this file, \'-\' for stdin (or set IFTTT_SERVICE_KEY)' '--user-id	The user\'s id on your own service' '--invite-code	Invite code of an unpublished service' '--users	Run for each user in this file, \'-\' for stdin: JSON Lines or CSV with user_id; a repeated user is processed once' '--ordered	Print results in the order of the users' '--rate	Maximum rate of requests, such as 50/s or 600/m, retries included' '--shard	Process only the K-th of N parts; \'auto\' reads K from the job\'s environment' '--shards	Number of parts for --shard auto' '--report	Write each result as JUnit XML to this file, or the counts, as JSON with summary=FILE or as variables with dotenv=FILE; until the run ends, the file reports it as unfinished'
    case 'connections wait'
      printf '%s\n' '--for	Condition to wait for, such as status=enabled' '--interval	Polling interval; longer while requests fail or are rate limited' '--as	Authentication level' '--user-token-file	Read the user token from this file, \'-\' for stdin (or set IFTTT_USER_TOKEN)' '--service-key-file	Read the service key from this file, \'-\' for stdin (or set IFTTT_SERVICE_KEY)' '--user-id	The user\'s id on your own service' '--invite-code	Invite code of an unpublished service' '--report	Write each result as JUnit XML to this file, or the counts, as JSON with summary=FILE or as variables with dotenv=FILE; until the run ends, the file reports it as unfinished'
    case 'connections watch'
      printf '%s\n' '--interval	Polling interval; longer while requests fail or are rate limited' '--initial	First print every connection\'s current state, as kind \'present\'' '--count	Stop after this many changes' '--exec	Run this command once per change, with the arguments after \'--\'' '--as	Authentication level' '--user-token-file	Read the user token from this file, \'-\' for stdin (or set IFTTT_USER_TOKEN)' '--service-key-file	Read the service key from this file, \'-\' for stdin (or set IFTTT_SERVICE_KEY)' '--user-id	The user\'s id on your own service' '--invite-code	Invite code of an unpublished service'
    case 'connections open'
      printf '%s\n' '--edit	Open the edit page instead of the manage page' '--browser	Open the browser; without it, only print the URL' '--no-browser	The opposite of --browser'
    case 'connections options'
      printf '%s\n' '--refresh	Make IFTTT fetch the options again and update the names in stored settings' '--as	Authentication level' '--user-token-file	Read the user token from this file, \'-\' for stdin (or set IFTTT_USER_TOKEN)' '--service-key-file	Read the service key from this file, \'-\' for stdin (or set IFTTT_SERVICE_KEY)' '--user-id	The user\'s id on your own service' '--invite-code	Invite code of an unpublished service' '--sort	Sort by these fields; a dash before a field reverses its order' '--limit	Print at most this many rows' '--search	Print only rows with this text in any field, ignoring case'
    case 'connections run'
      printf '%s\n' '--field	Value to use instead of the stored one: text, an option\'s value or label, or lat,lng[,radius]' '-f	Value to use instead of the stored one: text, an option\'s value or label, or lat,lng[,radius]' '--user-feature	User feature to use: its id, or FEATURE#2 for the second; default: the first' '--as	Authentication level' '--user-token-file	Read the user token from this file, \'-\' for stdin (or set IFTTT_USER_TOKEN)' '--service-key-file	Read the service key from this file, \'-\' for stdin (or set IFTTT_SERVICE_KEY)' '--user-id	The user\'s id on your own service' '--invite-code	Invite code of an unpublished service'
    case 'connections query'
      printf '%s\n' '--field	Value to use instead of the stored one: text, an option\'s value or label, or lat,lng[,radius]' '-f	Value to use instead of the stored one: text, an option\'s value or label, or lat,lng[,radius]' '--all	Fetch all pages, not only the first' '--include	Resolve this ingredient inline' '--page-size	Number of rows per page' '--cursor	Begin with the page of this cursor' '--user-feature	User feature to use: its id, or FEATURE#2 for the second; default: the first' '--as	Authentication level' '--user-token-file	Read the user token from this file, \'-\' for stdin (or set IFTTT_USER_TOKEN)' '--service-key-file	Read the service key from this file, \'-\' for stdin (or set IFTTT_SERVICE_KEY)' '--user-id	The user\'s id on your own service' '--invite-code	Invite code of an unpublished service' '--sort	Sort by these fields; a dash before a field reverses its order' '--limit	Print at most this many rows' '--search	Print only rows with this text in any field, ignoring case'
    case 'connections test'
      printf '%s\n' '--user-feature	User feature to use: its id, or FEATURE#2 for the second; default: the first' '--as	Authentication level' '--user-token-file	Read the user token from this file, \'-\' for stdin (or set IFTTT_USER_TOKEN)' '--service-key-file	Read the service key from this file, \'-\' for stdin (or set IFTTT_SERVICE_KEY)' '--user-id	The user\'s id on your own service' '--invite-code	Invite code of an unpublished service'
    case 'connections button'
      printf '%s\n' '--format	Format of the drawing' '--state	State of the button to draw' '--style	Kind of page to draw the button for' '--email	Email address in the field and in the footer' '--footer	Draw the footer under the button' '--no-footer	The opposite of --footer' '--icons	Link to the services\' icons in svg and html; a browser that shows the drawing may fetch them' '--no-icons	The opposite of --icons' '--as	Authentication level' '--user-token-file	Read the user token from this file, \'-\' for stdin (or set IFTTT_USER_TOKEN)' '--service-key-file	Read the service key from this file, \'-\' for stdin (or set IFTTT_SERVICE_KEY)' '--user-id	The user\'s id on your own service' '--invite-code	Invite code of an unpublished service'
    case 'connections configure'
      printf '%s\n' '--set	Set a field, named as FEATURE.FIELD or FEATURE.STEP.FIELD; an empty value removes it' '--file	Read the configuration from this JSON file, \'-\' for stdin' '--add-feature	Add one more user feature, with its fields\' default values' '--enable-feature	Enable a feature; it is added if it was never used' '--disable-feature	Disable a feature without removing its values' '--remove-feature	Remove a user feature and its values' '--skip	Activate without IFTTT\'s configuration screen; without ID, make this the default' '--no-skip	The opposite of --skip' '--wait	With --skip, wait for the activation, then continue with the settings; with --no-wait, print the result' '--no-wait	The opposite of --wait' '--resume	Resume the last run of this command that was interrupted or failed' '--email	The user\'s email address, which identifies a user without a user token' '--force	Use the browser even if the connection is already enabled' '--url	IFTTT page to open' '--finish	Complete an earlier run with the URL of its redirect; \'-\' reads stdin' '--oauth-code-file	Read the OAuth code of your service from this file, \'-\' for stdin (or set IFTTT_OAUTH_CODE)' '--reveal	Print the URL including the OAuth code' '--browser	Open the browser; without it, only print the URL and wait' '--no-browser	The opposite of --browser' '--redirect-uri	Redirect the browser to this URI: a loopback address to listen on, your own page, or your own scheme' '--nonce	Add a random part to --redirect-uri, and reject redirects without it' '--no-nonce	The opposite of --nonce' '--as	Authentication level' '--user-token-file	Read the user token from this file, \'-\' for stdin (or set IFTTT_USER_TOKEN)' '--service-key-file	Read the service key from this file, \'-\' for stdin (or set IFTTT_SERVICE_KEY)' '--user-id	The user\'s id on your own service' '--invite-code	Invite code of an unpublished service' '--report	Write each result as JUnit XML to this file, or the counts, as JSON with summary=FILE or as variables with dotenv=FILE; until the run ends, the file reports it as unfinished'
    case 'location regions'
      printf '%s\n' '--format	Format of the list' '--as	Authentication level' '--user-token-file	Read the user token from this file, \'-\' for stdin (or set IFTTT_USER_TOKEN)' '--service-key-file	Read the service key from this file, \'-\' for stdin (or set IFTTT_SERVICE_KEY)' '--user-id	The user\'s id on your own service' '--invite-code	Invite code of an unpublished service' '--sort	Sort by these fields; a dash before a field reverses its order' '--limit	Print at most this many rows' '--search	Print only rows with this text in any field, ignoring case'
    case 'location replay'
      printf '%s\n' '--track-format	Format of the track' '--gpsd	Read live positions from a gpsd server' '--speed	Speed of the replay, such as 1x or 60x' '--times	Times of the events' '--connection	Only the regions of this connection' '--remember	Start with the stored inside/outside states, and store the final ones' '--initial	Report an entry if the first position is inside a region' '--max-regions	Maximum number of regions to monitor, nearest first; iOS monitors 20' '--min-accuracy	Skip positions less accurate than this many meters' '--hysteresis	Count an exit only this many meters beyond the radius' '--dwell	Count an entry or exit only after staying inside or outside for this long' '--as	Authentication level' '--user-token-file	Read the user token from this file, \'-\' for stdin (or set IFTTT_USER_TOKEN)' '--service-key-file	Read the service key from this file, \'-\' for stdin (or set IFTTT_SERVICE_KEY)' '--user-id	The user\'s id on your own service' '--invite-code	Invite code of an unpublished service'
    case 'location map'
      printf '%s\n' '--format	Format of the drawing' '--output-file	Write the drawing to this file; \'-\' for stdout' '--connection	Only the regions of this connection' '--track-format	Format of the track' '--initial	Report an entry if the first position is inside a region' '--max-regions	Maximum number of regions to monitor, nearest first; iOS monitors 20' '--min-accuracy	Skip positions less accurate than this many meters' '--hysteresis	Count an exit only this many meters beyond the radius' '--dwell	Count an entry or exit only after staying inside or outside for this long' '--as	Authentication level' '--user-token-file	Read the user token from this file, \'-\' for stdin (or set IFTTT_USER_TOKEN)' '--service-key-file	Read the service key from this file, \'-\' for stdin (or set IFTTT_SERVICE_KEY)' '--user-id	The user\'s id on your own service' '--invite-code	Invite code of an unpublished service'
    case 'location report'
      printf '%s\n' '--at	Time of the event' '--force	Report the event even if the trigger does not report this direction' '--as	Authentication level' '--user-token-file	Read the user token from this file, \'-\' for stdin (or set IFTTT_USER_TOKEN)' '--service-key-file	Read the service key from this file, \'-\' for stdin (or set IFTTT_SERVICE_KEY)' '--user-id	The user\'s id on your own service' '--invite-code	Invite code of an unpublished service'
    case 'location events list'
      printf '%s\n' '--sort	Sort by these fields; a dash before a field reverses its order' '--limit	Print at most this many rows' '--search	Print only rows with this text in any field, ignoring case'
    case 'location events flush'
      printf '%s\n' '--refused	Send rejected events again, each in its own request' '--as	Authentication level' '--user-token-file	Read the user token from this file, \'-\' for stdin (or set IFTTT_USER_TOKEN)' '--service-key-file	Read the service key from this file, \'-\' for stdin (or set IFTTT_SERVICE_KEY)' '--user-id	The user\'s id on your own service' '--invite-code	Invite code of an unpublished service'
    case 'location events clear'
      printf '%s\n' '--refused	Only events that IFTTT rejected' '--older-than	Only events older than this'
    case 'applets fetch'
      printf '%s\n' '--order	Order of the list' '--platform	Include Applets that use services of this platform' '--service	Slug of your service: the last part of https://ifttt.com/SLUG' '--raw	Print IFTTT\'s own JSON, byte for byte' '--as	Authentication level' '--user-token-file	Read the user token from this file, \'-\' for stdin (or set IFTTT_USER_TOKEN)' '--service-key-file	Read the service key from this file, \'-\' for stdin (or set IFTTT_SERVICE_KEY)' '--user-id	The user\'s id on your own service' '--invite-code	Invite code of an unpublished service' '--sort	Sort by these fields; a dash before a field reverses its order' '--limit	Print at most this many rows' '--search	Print only rows with this text in any field, ignoring case'
    case 'applets activate'
      printf '%s\n' '--email	Email address to prefill on IFTTT\'s page' '--service	Slug of your service: the last part of https://ifttt.com/SLUG' '--force	Use the browser even if the Applet is already enabled' '--browser	Open the browser; without it, only print the URL and wait' '--no-browser	The opposite of --browser' '--redirect-uri	Redirect the browser to this URI: a loopback address to listen on, your own page, or your own scheme' '--nonce	Add a random part to --redirect-uri, and reject redirects without it' '--no-nonce	The opposite of --nonce' '--as	Authentication level' '--user-token-file	Read the user token from this file, \'-\' for stdin (or set IFTTT_USER_TOKEN)' '--service-key-file	Read the service key from this file, \'-\' for stdin (or set IFTTT_SERVICE_KEY)' '--user-id	The user\'s id on your own service' '--invite-code	Invite code of an unpublished service'
    case 'applets enable'
      printf '%s\n' '--service	Slug of your service: the last part of https://ifttt.com/SLUG' '--resume	Resume the last run of this command that was interrupted or failed' '--force	Send the request even if nothing would change' '--as	Authentication level' '--user-token-file	Read the user token from this file, \'-\' for stdin (or set IFTTT_USER_TOKEN)' '--service-key-file	Read the service key from this file, \'-\' for stdin (or set IFTTT_SERVICE_KEY)' '--user-id	The user\'s id on your own service' '--invite-code	Invite code of an unpublished service' '--report	Write each result as JUnit XML to this file, or the counts, as JSON with summary=FILE or as variables with dotenv=FILE; until the run ends, the file reports it as unfinished'
    case 'applets disable'
      printf '%s\n' '--service	Slug of your service: the last part of https://ifttt.com/SLUG' '--resume	Resume the last run of this command that was interrupted or failed' '--force	Send the request even if nothing would change' '--as	Authentication level' '--user-token-file	Read the user token from this file, \'-\' for stdin (or set IFTTT_USER_TOKEN)' '--service-key-file	Read the service key from this file, \'-\' for stdin (or set IFTTT_SERVICE_KEY)' '--user-id	The user\'s id on your own service' '--invite-code	Invite code of an unpublished service' '--report	Write each result as JUnit XML to this file, or the counts, as JSON with summary=FILE or as variables with dotenv=FILE; until the run ends, the file reports it as unfinished'
    case 'applets list'
      printf '%s\n' '--order	Order of the list' '--platform	Include Applets that use services of this platform' '--service	Slug of your service: the last part of https://ifttt.com/SLUG' '--raw	Print IFTTT\'s own JSON, byte for byte' '--as	Authentication level' '--user-token-file	Read the user token from this file, \'-\' for stdin (or set IFTTT_USER_TOKEN)' '--service-key-file	Read the service key from this file, \'-\' for stdin (or set IFTTT_SERVICE_KEY)' '--user-id	The user\'s id on your own service' '--invite-code	Invite code of an unpublished service' '--sort	Sort by these fields; a dash before a field reverses its order' '--limit	Print at most this many rows' '--search	Print only rows with this text in any field, ignoring case'
    case 'token exchange'
      printf '%s\n' '--user-id	The user\'s id on your own service' '--access-token-file	Read the OAuth access token from this file, \'-\' for stdin (or set IFTTT_ACCESS_TOKEN)' '--service-key-file	Read the service key from this file, \'-\' for stdin (or set IFTTT_SERVICE_KEY)' '--invite-code	Invite code of an unpublished service' '--api	API to use: the Connect API (v2) or the older Applets API (v1)' '--service	Slug of your service: the last part of https://ifttt.com/SLUG' '--save	Store the token in the profile' '--no-save	The opposite of --save' '--print	Print only the token, for $(…)' '--reveal	Print the token unmasked' '--resume	Resume the last run with --users that was interrupted or failed' '--users	Run for each user in this file, \'-\' for stdin: JSON Lines or CSV with user_id; a repeated user is processed once' '--ordered	Print results in the order of the users' '--rate	Maximum rate of requests, such as 50/s or 600/m, retries included' '--shard	Process only the K-th of N parts; \'auto\' reads K from the job\'s environment' '--shards	Number of parts for --shard auto' '--report	Write each result as JUnit XML to this file, or the counts, as JSON with summary=FILE or as variables with dotenv=FILE; until the run ends, the file reports it as unfinished'
    case 'token list'
      printf '%s\n' '--sort	Sort by these fields; a dash before a field reverses its order' '--limit	Print at most this many rows' '--search	Print only rows with this text in any field, ignoring case'
    case 'token show'
      printf '%s\n' '--reveal	Show the token unmasked' '--print	Print only the token, for $(…)'
    case 'token set'
      printf '%s\n' '--user-id	The user\'s id on your own service' '--user-token-file	Read the user token from this file, \'-\' for stdin (or set IFTTT_USER_TOKEN)'
    case 'token remove'
      printf '%s\n' '--all	Remove every user token of this profile, after confirmation'
    case 'token verify'
      printf '%s\n' '--as	Authentication level' '--user-token-file	Read the user token from this file, \'-\' for stdin (or set IFTTT_USER_TOKEN)' '--service-key-file	Read the service key from this file, \'-\' for stdin (or set IFTTT_SERVICE_KEY)' '--user-id	The user\'s id on your own service' '--invite-code	Invite code of an unpublished service'
    case 'profile list'
      printf '%s\n' '--sort	Sort by these fields; a dash before a field reverses its order' '--limit	Print at most this many rows' '--search	Print only rows with this text in any field, ignoring case'
    case 'profile create'
      printf '%s\n' '--service	Slug of your service: the last part of https://ifttt.com/SLUG' '--user-id	The user\'s id on your own service' '--invite-code	The invite code of an unpublished service' '--service-key-file	Read the service key from this file, \'-\' for stdin' '--user-token-file	Read the user token from this file, \'-\' for stdin' '--webhooks-key-file	Read the webhooks key from this file, \'-\' for stdin' '--service-key-command	A program that prints the service key; pass it and its arguments after --' '--user-token-command	A program that prints the user token; pass it and its arguments after --' '--access-token-command	A program that prints the OAuth access token; pass it and its arguments after --' '--webhooks-key-command	A program that prints the webhooks key; pass it and its arguments after --' '--base-url	Base URL of a server in place of all of IFTTT\'s, such as the one that \'sandbox start\' prints' '--connect-url	Base URL of the Connect API' '--location-url	Base URL of the location API' '--api-url	Base URL of the Applets API' '--web-url	Base URL of IFTTT\'s web pages' '--realtime-url	Base URL of the Realtime API' '--webhooks-url	Base URL of Webhooks' '--redirect-uri	Redirect URI registered for the service; the default for activations' '--allow-http	Host to which requests may use plain http, in which tokens are readable; several separated by commas' '--use	Make it the default profile'
    case 'profile set'
      printf '%s\n' '--service	Slug of your service: the last part of https://ifttt.com/SLUG' '--user-id	The user\'s id on your own service' '--invite-code	The invite code of an unpublished service' '--service-key-file	Read the service key from this file, \'-\' for stdin' '--user-token-file	Read the user token from this file, \'-\' for stdin' '--webhooks-key-file	Read the webhooks key from this file, \'-\' for stdin' '--service-key-command	A program that prints the service key; pass it and its arguments after --' '--user-token-command	A program that prints the user token; pass it and its arguments after --' '--access-token-command	A program that prints the OAuth access token; pass it and its arguments after --' '--webhooks-key-command	A program that prints the webhooks key; pass it and its arguments after --' '--base-url	Base URL of a server in place of all of IFTTT\'s, such as the one that \'sandbox start\' prints' '--connect-url	Base URL of the Connect API' '--location-url	Base URL of the location API' '--api-url	Base URL of the Applets API' '--web-url	Base URL of IFTTT\'s web pages' '--realtime-url	Base URL of the Realtime API' '--webhooks-url	Base URL of Webhooks' '--redirect-uri	Redirect URI registered for the service; the default for activations' '--allow-http	Host to which requests may use plain http, in which tokens are readable; several separated by commas' '--use	Make it the default profile'
    case 'store backup'
      printf '%s\n' '--force	Replace the file if it exists' '--with-key	Write the key, unencrypted, to this new file; both files together reveal the credentials'
    case 'store restore'
      printf '%s\n' '--key-file	Read the key from this file, written by --with-key, and make it the store\'s own' '--force	Restore the backup even if some credentials cannot be decrypted'
    case 'store rekey'
      printf '%s\n' '--key-file	Key file with 64 hexadecimal digits; created with a new key if it does not exist' '--key-command	A program that prints the key; pass it and its arguments after the options' '--passphrase	A key derived from a passphrase; prompts for it twice' '--passphrase-file	A key derived from the passphrase on the first line of this file' '--secret-service	A new key in the desktop\'s Secret Service' '--keychain	A new key in the macOS keychain'
    case 'plugin list'
      printf '%s\n' '--sort	Sort by these fields; a dash before a field reverses its order' '--limit	Print at most this many rows' '--search	Print only rows with this text in any field, ignoring case'
    case 'plugin install'
      printf '%s\n' '--sha256	Expected SHA-256 of the archive' '--index	Search only this index for NAME' '--allow-new-permissions	With --yes, also grant permissions that the installed version does not have'
    case 'plugin search'
      printf '%s\n' '--sort	Sort by these fields; a dash before a field reverses its order' '--limit	Print at most this many rows' '--search	Print only rows with this text in any field, ignoring case'
    case 'plugin outdated'
      printf '%s\n' '--sort	Sort by these fields; a dash before a field reverses its order' '--limit	Print at most this many rows' '--search	Print only rows with this text in any field, ignoring case'
    case 'plugin upgrade'
      printf '%s\n' '--all	Upgrade all plugins that can have newer versions' '--allow-new-permissions	With --yes, also grant permissions that the installed version does not have'
    case 'plugin verify'
      printf '%s\n' '--write-lock	Write the versions and SHA-256 of all installed plugins to the lock file'
    case 'plugin new'
      printf '%s\n' '--language	Language of the template' '--kind	Kind of plugin' '--directory	New folder to create'
    case 'plugin test'
      printf '%s\n' '--check	Run only this check' '--answers	JSON file with the answers of the user and stored credentials' '--report	Write each result as JUnit XML to this file, or the counts, as JSON with summary=FILE or as variables with dotenv=FILE; until the run ends, the file reports it as unfinished'
    case 'plugin package'
      printf '%s\n' '--platform	Platform of the archive' '--directory	Folder to write to' '--index	Index to add the entry to' '--sign	SSH key to sign the archive with'
    case 'plugin index list'
      printf '%s\n' '--sort	Sort by these fields; a dash before a field reverses its order' '--limit	Print at most this many rows' '--search	Print only rows with this text in any field, ignoring case'
    case 'plugin index add'
      printf '%s\n' '--header-file	Read the header for requests from this file' '--header-command	A program that prints the header; pass it and its arguments after LOCATION'
    case 'plugin trust list'
      printf '%s\n' '--sort	Sort by these fields; a dash before a field reverses its order' '--limit	Print at most this many rows' '--search	Print only rows with this text in any field, ignoring case'
    case 'plugin trust add'
      printf '%s\n' '--valid-before	Date from which its signatures are no longer accepted'
    case 'service test'
      printf '%s\n' '--service-key-file	Read the service key from this file, \'-\' for stdin (or set IFTTT_SERVICE_KEY)' '--access-token-file	Read a user\'s access token from this file, \'-\' for stdin (or set IFTTT_ACCESS_TOKEN)' '--definition	Service definition, as JSON' '--only	Only these checks, endpoints or parts' '--skip	All but these checks, endpoints or parts' '--webhooks	Also send the four webhooks of a connection' '--list	Print the checks and what they prove, and send nothing' '--fail-fast	Send no more requests after a check has failed' '--sign-in	Also test the sign-in of users, which needs a browser' '--client-id	IFTTT\'s client id at your service' '--client-secret-file	Read IFTTT\'s client secret from this file (or set IFTTT_CLIENT_SECRET)' '--authorize-url	Your authorization URL' '--token-url	Your token URL' '--scope	The scope to request' '--redirect-uri	The loopback URL to listen on, as registered at your service' '--browser	Open the browser; without it, only print the URL and wait' '--no-browser	The opposite of --browser' '--report	Write each result as JUnit XML to this file, or the counts, as JSON with summary=FILE or as variables with dotenv=FILE; until the run ends, the file reports it as unfinished'
    case 'service call'
      printf '%s\n' '--set	Value of a field' '--limit	Maximum number of events or rows' '--include	Ingredients of a query to resolve, separated by commas' '--trigger-identity	Trigger identity; by default derived from the trigger and its fields' '--timezone	The user\'s time zone' '--header	Add a header to the request' '-H	Add a header to the request' '--cursor	Page of a query, as returned by the page before' '--realtime	Mark the request as the result of a Realtime notification' '--follow	Poll the trigger, and print new events' '-f	Poll the trigger, and print new events' '--interval	Polling interval; longer while requests fail or are rate limited' '--service-key-file	Read the service key from this file, \'-\' for stdin (or set IFTTT_SERVICE_KEY)' '--access-token-file	Read a user\'s access token from this file, \'-\' for stdin (or set IFTTT_ACCESS_TOKEN)' '--sort	Sort by these fields; a dash before a field reverses its order' '--search	Print only rows with this text in any field, ignoring case'
    case 'service listen'
      printf '%s\n' '--port	Port to listen on; 0 for any free port' '--bind	IP address to listen on; an address that is not loopback needs a service key' '--ready-file	Write a JSON object with the URL and the process id to this file, once requests are accepted' '--for	Show only this type or event, such as connection/enabled, and stop after the first (or after --count)' '--count	Stop after this many webhooks' '--exec	Run this command once per webhook, with the arguments after \'--\'' '--forward	Forward each webhook to the server with this API URL; /ifttt/v1 is added unless present' '--forward-key	Send the service key to the --forward server even if it is not on this machine' '--service-key-file	Read the service key from this file, \'-\' for stdin (or set IFTTT_SERVICE_KEY)'
    case 'service events list'
      printf '%s\n' '--type	Only this type or event, such as connection/enabled' '--last	Only the last N webhooks' '--sort	Sort by these fields; a dash before a field reverses its order' '--limit	Print at most this many rows' '--search	Print only rows with this text in any field, ignoring case'
    case 'service events show'
      printf '%s\n' '--raw	Print only the body, byte for byte'
    case 'service events replay'
      printf '%s\n' '--forward	Forward each webhook to the server with this API URL; /ifttt/v1 is added unless present' '--forward-key	Send the service key to the --forward server even if it is not on this machine' '--service-key-file	Read the service key from this file, \'-\' for stdin (or set IFTTT_SERVICE_KEY)'
    case 'service events clear'
      printf '%s\n' '--type	Only this type or event, such as connection/enabled'
    case 'service notify'
      printf '%s\n' '--trigger-identity	A trigger identity with new events' '--user-id	A user of your service with new events in any trigger' '--stdin	Read the notifications from stdin, one per line' '--service-key-file	Read the service key from this file, \'-\' for stdin (or set IFTTT_SERVICE_KEY)' '--report	Write each result as JUnit XML to this file, or the counts, as JSON with summary=FILE or as variables with dotenv=FILE; until the run ends, the file reports it as unfinished'
    case 'webhook fire'
      printf '%s\n' '--value1	The ingredient Value1' '--value2	The ingredient Value2' '--value3	The ingredient Value3' '--json-file	Send the JSON in this file; \'-\' reads stdin' '--stdin	Send the JSON on stdin' '--webhooks-key-file	Read the webhooks key from this file, \'-\' for stdin (or set IFTTT_WEBHOOKS_KEY)'
    case 'sandbox start'
      printf '%s\n' '--port	Port to listen on' '--host	IP address to listen on; an address that is not loopback needs --allow-host' '--allow-host	Host name, without a port, under which other machines or containers reach the server' '--control-key-file	Read the key of the control endpoint from this file, at least 32 characters' '--detach	Return once the server accepts requests, and leave it running in the background' '--ready-file	Also write the object to this file, once requests are accepted' '--seed	Built-in seed, \'plain\' or \'unusual\', or a seed file with the fixtures' '--connections	Number of additional connections, for load tests: L0000001 and so on' '--users	Number of additional users, for load tests: u-0000001 and so on' '--fault	Initial fault; see \'sandbox faults set\'' '--fault-seed	Seed of the random selection of requests for faults' '--outcome	End every activation page at once with this outcome' '--registered-redirect	Redirect only to the URLs given with this option' '--connect-results	Also append the result to the Connect URL\'s redirect_uri' '--service-url	Send requests to the partner\'s server at this API URL prefix, as IFTTT does' '--service-key-file	Read the server\'s service key from this file, \'-\' for stdin (or set IFTTT_SERVICE_KEY)' '--access-token-file	Read the first user\'s access token from this file, \'-\' for stdin (or set IFTTT_ACCESS_TOKEN)' '--poll	Time between two polls of a trigger of --service-url' '--client-id	IFTTT\'s client id at the service, to sign users in and to refresh access tokens' '--client-secret-file	Read IFTTT\'s client secret from this file (or set IFTTT_CLIENT_SECRET)' '--authorize-url	The service\'s authorization URL, at which the activation pages sign users in' '--token-url	The service\'s token URL, to exchange codes, and to refresh access tokens after a 401' '--webhook-names	Add \'type\' and \'event\' to the bodies of webhooks'
    case 'sandbox status'
      printf '%s\n' '--sort	Sort by these fields; a dash before a field reverses its order' '--limit	Print at most this many rows' '--search	Print only rows with this text in any field, ignoring case'
    case 'sandbox stop'
      printf '%s\n' '--url	URL of the server, if several are running' '--control-key-file	Read the control key of the server at --url from this file, for a server in a container or elsewhere'
    case 'sandbox env'
      printf '%s\n' '--wait	Maximum time to wait for a server that is starting' '--url	URL of the server, if several are running' '--control-key-file	Read the control key of the server at --url from this file, for a server in a container or elsewhere'
    case 'sandbox open'
      printf '%s\n' '--print	Print the URL with the key, and do not start the browser' '--url	URL of the server, if several are running' '--control-key-file	Read the control key of the server at --url from this file, for a server in a container or elsewhere'
    case 'sandbox faults set'
      printf '%s\n' '--path	Apply only to these paths; \'*\' matches anything' '--method	Apply only to this method' '--times	Maximum number of requests it applies to' '--share	Fraction of the requests it applies to, from 0 to 1' '--add	Keep the existing faults' '--fault-seed	Seed of the random selection with --share' '--url	URL of the server, if several are running' '--control-key-file	Read the control key of the server at --url from this file, for a server in a container or elsewhere'
    case 'sandbox faults list'
      printf '%s\n' '--url	URL of the server, if several are running' '--control-key-file	Read the control key of the server at --url from this file, for a server in a container or elsewhere' '--sort	Sort by these fields; a dash before a field reverses its order' '--limit	Print at most this many rows' '--search	Print only rows with this text in any field, ignoring case'
    case 'sandbox faults clear'
      printf '%s\n' '--url	URL of the server, if several are running' '--control-key-file	Read the control key of the server at --url from this file, for a server in a container or elsewhere'
    case 'sandbox requests'
      printf '%s\n' '--method	Only requests with this method' '--path	Only these paths; \'*\' matches anything' '--status	Only requests with this response status' '--direction	Only requests that the server received, or only those it sent' '--connection	Only sent requests of this connection' '--user	Only sent requests of this user of the service' '--last	Only the last N requests' '--follow	Continue with new requests, as JSON Lines by default, until Ctrl-C' '-f	Continue with new requests, as JSON Lines by default, until Ctrl-C' '--url	URL of the server, if several are running' '--control-key-file	Read the control key of the server at --url from this file, for a server in a container or elsewhere' '--sort	Sort by these fields; a dash before a field reverses its order' '--limit	Print at most this many rows' '--search	Print only rows with this text in any field, ignoring case'
    case 'sandbox send-again'
      printf '%s\n' '--method	Send it with another method' '-X	Send it with another method' '--path	Send it to another path of the same server' '--header	Add or replace a header' '-H	Add or replace a header' '--input	Send a file as the body; \'-\' reads stdin' '--url	URL of the server, if several are running' '--control-key-file	Read the control key of the server at --url from this file, for a server in a container or elsewhere'
    case 'sandbox activity'
      printf '%s\n' '--connection	Only this connection' '--user	Only this user of the service' '--step	Only this kind of step' '--status	Only steps with this response status' '--last	Only the last N steps' '--follow	Continue with new steps, as JSON Lines by default, until Ctrl-C' '-f	Continue with new steps, as JSON Lines by default, until Ctrl-C' '--url	URL of the server, if several are running' '--control-key-file	Read the control key of the server at --url from this file, for a server in a container or elsewhere' '--sort	Sort by these fields; a dash before a field reverses its order' '--limit	Print at most this many rows' '--search	Print only rows with this text in any field, ignoring case'
    case 'sandbox trigger'
      printf '%s\n' '--user-id	The user\'s id in the service' '--set	Value of an ingredient' '--url	URL of the server, if several are running' '--control-key-file	Read the control key of the server at --url from this file, for a server in a container or elsewhere'
    case 'sandbox users'
      printf '%s\n' '--tokens	Include access tokens, which \'token exchange\' accepts in the sandbox' '--url	URL of the server, if several are running' '--control-key-file	Read the control key of the server at --url from this file, for a server in a container or elsewhere' '--sort	Sort by these fields; a dash before a field reverses its order' '--limit	Print at most this many rows' '--search	Print only rows with this text in any field, ignoring case'
    case 'sandbox reset'
      printf '%s\n' '--seed	Load this built-in seed, \'plain\' or \'unusual\', or this seed file' '--url	URL of the server, if several are running' '--control-key-file	Read the control key of the server at --url from this file, for a server in a container or elsewhere'
    case 'sandbox seed'
      printf '%s\n' '--seed	Print this built-in seed' '--definition	Generate the fixtures from this service definition' '--running	Print the present state of the running server' '--url	URL of the server, if several are running' '--control-key-file	Read the control key of the server at --url from this file, for a server in a container or elsewhere'
    case 'configure'
      printf '%s\n' '--set	Set a field, named as FEATURE.FIELD or FEATURE.STEP.FIELD; an empty value removes it' '--file	Read the configuration from this JSON file, \'-\' for stdin' '--add-feature	Add one more user feature, with its fields\' default values' '--enable-feature	Enable a feature; it is added if it was never used' '--disable-feature	Disable a feature without removing its values' '--remove-feature	Remove a user feature and its values' '--skip	Activate without IFTTT\'s configuration screen; without ID, make this the default' '--no-skip	The opposite of --skip' '--wait	With --skip, wait for the activation, then continue with the settings; with --no-wait, print the result' '--no-wait	The opposite of --wait' '--resume	Resume the last run of this command that was interrupted or failed' '--email	The user\'s email address, which identifies a user without a user token' '--force	Use the browser even if the connection is already enabled' '--url	IFTTT page to open' '--finish	Complete an earlier run with the URL of its redirect; \'-\' reads stdin' '--oauth-code-file	Read the OAuth code of your service from this file, \'-\' for stdin (or set IFTTT_OAUTH_CODE)' '--reveal	Print the URL including the OAuth code' '--browser	Open the browser; without it, only print the URL and wait' '--no-browser	The opposite of --browser' '--redirect-uri	Redirect the browser to this URI: a loopback address to listen on, your own page, or your own scheme' '--nonce	Add a random part to --redirect-uri, and reject redirects without it' '--no-nonce	The opposite of --nonce' '--as	Authentication level' '--user-token-file	Read the user token from this file, \'-\' for stdin (or set IFTTT_USER_TOKEN)' '--service-key-file	Read the service key from this file, \'-\' for stdin (or set IFTTT_SERVICE_KEY)' '--user-id	The user\'s id on your own service' '--invite-code	Invite code of an unpublished service' '--report	Write each result as JUnit XML to this file, or the counts, as JSON with summary=FILE or as variables with dotenv=FILE; until the run ends, the file reports it as unfinished'
    case 'api'
      printf '%s\n' '--field	Add a string to the query or the body' '-f	Add a string to the query or the body' '--typed-field	Add a number, true, false, null, a file (@FILE) or a string to the query or the body' '-F	Add a number, true, false, null, a file (@FILE) or a string to the query or the body' '--header	Add a header to the request' '-H	Add a header to the request' '--method	Request method, an alternative to the argument METHOD' '-X	Request method, an alternative to the argument METHOD' '--input	Send a file as the body; \'-\' reads stdin' '--as	Authentication level' '--user-token-file	Read the user token from this file, \'-\' for stdin (or set IFTTT_USER_TOKEN)' '--service-key-file	Read the service key from this file, \'-\' for stdin (or set IFTTT_SERVICE_KEY)' '--user-id	The user\'s id on your own service' '--invite-code	Invite code of an unpublished service'
    case 'doctor'
      printf '%s\n' '--fix	Make safe repairs'
    case 'schema'
      printf '%s\n' '--service	With \'openapi\': describe what the server of a service must offer' '--definition	With --service: describe the service in this service definition' '--sort	Sort by these fields; a dash before a field reverses its order' '--limit	Print at most this many rows' '--search	Print only rows with this text in any field, ignoring case'
    case 'help'
      printf '%s\n' '--all	Describe every option, including groups that --help shows by name only'
    case 'grab login'
      printf '%s\n' '--client-id	Client id that is registered with Grab' '--environment	Grab\'s environment for partners' '--scope	Scopes to request, separated by spaces' '--redirect-uri	Redirect URI that is registered for the client' '--account	Account, by name, partner user id or id' '--force	Sign in even if the session is valid' '--no-browser	Print the URL instead of opening it, and wait' '--browser	Program that opens the URL' '--port	Port on which to listen for the redirect' '--print-url	Print the URL, store the sign-in for \'ifttt grab complete\', and exit' '--device	Sign in with a code on another device, if the service supports it' '--from-plist	Read the settings from an iOS app\'s Info.plist' '--from-manifest	Read the settings from an Android app\'s AndroidManifest.xml' '--acr-value	A pair of acr_values, such as service:PASSENGER' '--login-hint	Expected user, in a form that the service accepts' '--id-token-hint	Send the stored ID token, for single sign-on' '--id-token-hint-file	Send the ID token in this file; \'-\' reads stdin' '--prompt	Pages that the service must show again' '--request-file	Send the request object in this file; \'-\' reads stdin' '--claims	Claims to request, as a JSON object (OpenID Connect Core, section 5.5)' '--ui-locales	Languages of the service\'s pages' '--max-auth-age	Maximum time since the user signed in at the service' '--param	Additional parameter of the authorization URL' '--require-pkce	Reject a service that does not advertise support for PKCE' '--no-require-pkce	The opposite of --require-pkce' '--require-acr	Reject an ID token whose acr does not contain every --acr-value' '--no-require-acr	The opposite of --require-acr' '--verify-remote	Whether each sign-in also verifies the ID token at the service' '--discovery-url	URL of the discovery document, used unchanged' '--issuer	Exact issuer that metadata and tokens must have' '--client-secret-file	Read the client secret, if there is one, from this file; \'-\' reads stdin' '--partner-id	Partner id that the ID token must have as pid' '--trusted-audience	Additional audience that an ID token may have' '--algorithm	Signature algorithm to accept in addition to RS256 and ES256' '--clock-allowance	Maximum difference between the clocks, up to 5 minutes' '--strict-kid	Reject an ID token without a key id if the issuer has several keys' '--no-strict-kid	The opposite of --strict-kid' '--token-request	Format of requests to the token endpoint' '--token-info-request	Format of requests to verify an ID token at the service'
    case 'grab status'
      printf '%s\n' '--account	Account, by name, partner user id or id'
    case 'grab id-token'
      printf '%s\n' '--account	Account, by name, partner user id or id' '--remote	Verify the token at the service too, and compare the claims' '--raw	Print the token itself' '--client-secret-file	Read the client secret, if there is one, from this file; \'-\' reads stdin' '--partner-id	Partner id that the ID token must have as pid' '--trusted-audience	Additional audience that an ID token may have' '--algorithm	Signature algorithm to accept in addition to RS256 and ES256' '--clock-allowance	Maximum difference between the clocks, up to 5 minutes' '--strict-kid	Reject an ID token without a key id if the issuer has several keys' '--no-strict-kid	The opposite of --strict-kid' '--token-info-request	Format of requests to verify an ID token at the service'
    case 'grab refresh'
      printf '%s\n' '--account	Account, by name, partner user id or id' '--if-needed	Refresh only if the access token expires within two minutes, or a fifth of its lifetime if that is shorter' '--print	Print only the access token, for $(…)' '--client-secret-file	Read the client secret, if there is one, from this file; \'-\' reads stdin' '--token-request	Format of requests to the token endpoint'
    case 'grab logout'
      printf '%s\n' '--account	Account, by name, partner user id or id' '--all	Sign out every account of the profile' '--local	Delete the tokens without revoking them' '--browser	Also open the service\'s own sign-out page' '--no-browser	Print the URL of the sign-out page, which contains the ID token, instead of opening it' '--require-revocation	Fail, after the local sign-out, if a token could not be revoked' '--client-secret-file	Read the client secret, if there is one, from this file; \'-\' reads stdin'
    case 'grab apps'
      printf '%s\n' '--client-id	Client id that is registered with Grab' '--environment	Grab\'s environment for partners' '--discovery-url	URL of the discovery document, used unchanged' '--issuer	Exact issuer that metadata and tokens must have' '--open	Open the store\'s page for this platform'
  end
  printf '%s\n' '--profile	Profile to use; \'sandbox\' needs no network' '-p	Profile to use; \'sandbox\' needs no network' '--output	Output format' '-o	Output format' '--json	Same as --output json' '--fields	Print only these fields, in this order; dotted paths select values inside objects' '--jq	Pass the JSON output through jq with this expression, and print strings without quotes' '--no-header	Omit the header row in table, csv and tsv output' '--color	When to color the output; NO_COLOR, FORCE_COLOR, CLICOLOR, CLICOLOR_FORCE and TERM=dumb are honored' '--time-style	How tables show when something happened: \'relative\' is \'5 min ago\'' '--offline	Never use the network' '--max-age	Maximum age of a cached row before it is fetched again; 0 always fetches' '--timeout	Timeout of one request, retries included' '--retries	Maximum number of retries for idempotent requests' '--jobs	Maximum number of concurrent requests' '--locale	Language of the connect flow; errors and results stay in English' '--dry-run	Print the requests that would change something, and change nothing; fetches data unless --offline is given' '-n	Print the requests that would change something, and change nothing; fetches data unless --offline is given' '--exit-code	Exit 8 if a dry run or \'connections diff\' finds a difference' '--yes	Do not prompt for confirmation' '-y	Do not prompt for confirmation' '--no-input	Never prompt' '--no-plugins	Disable plugins' '--no-linked-plugins	Disable plugins that were linked with \'plugin link\'' '--trace-plugins	Print each message to and from plugins as JSON on stderr, with secrets masked' '--quiet	Suppress notes' '-q	Suppress notes' '--verbose	Print each request, with secrets masked, and the source of each option\'s value' '-v	Print each request, with secrets masked, and the source of each option\'s value' '--record	Record requests and responses in this new folder, with secrets replaced' '--replay	Replay the responses that --record saved in this folder: no network, no credentials, no store' '--help	Show help: -h on one screen, --help in full' '-h	Show help: -h on one screen, --help in full' '--version	Show the version' '-V	Show the version'
end

# PATH SPELLING: writes the long name, repeats or once, kind, source and choices, one per line.
function __ifttt_option
  switch "$argv[1]:$argv[2]"
    case 'connections list:--status'
      printf '%s\n' --status repeats choices '' enabled disabled never_enabled unknown
      return
    case 'connections list:--refresh'
      printf '%s\n' --refresh once switch ''
      return
    case 'connections list:--provider'
      printf '%s\n' --provider once value ''
      return
    case 'connections list:--as'
      printf '%s\n' --as once choices '' user service anonymous
      return
    case 'connections list:--user-token-file'
      printf '%s\n' --user-token-file once file ''
      return
    case 'connections list:--service-key-file'
      printf '%s\n' --service-key-file once file ''
      return
    case 'connections list:--user-id'
      printf '%s\n' --user-id once request token-user
      return
    case 'connections list:--invite-code'
      printf '%s\n' --invite-code once value ''
      return
    case 'connections list:--users'
      printf '%s\n' --users once file ''
      return
    case 'connections list:--ordered'
      printf '%s\n' --ordered once switch ''
      return
    case 'connections list:--rate'
      printf '%s\n' --rate once value ''
      return
    case 'connections list:--shard'
      printf '%s\n' --shard once value ''
      return
    case 'connections list:--shards'
      printf '%s\n' --shards once value ''
      return
    case 'connections list:--report'
      printf '%s\n' --report repeats file ''
      return
    case 'connections list:--sort'
      printf '%s\n' --sort once list sort-field
      return
    case 'connections list:--limit'
      printf '%s\n' --limit once value ''
      return
    case 'connections list:--search'
      printf '%s\n' --search once value ''
      return
    case 'connections show:--all'
      printf '%s\n' --all once switch ''
      return
    case 'connections show:--status'
      printf '%s\n' --status repeats choices '' enabled disabled never_enabled unknown
      return
    case 'connections show:--stdin'
      printf '%s\n' --stdin once switch ''
      return
    case 'connections show:--track'
      printf '%s\n' --track once switch ''
      return
    case 'connections show:--raw'
      printf '%s\n' --raw once switch ''
      return
    case 'connections show:--provider'
      printf '%s\n' --provider once value ''
      return
    case 'connections show:--as'
      printf '%s\n' --as once choices '' user service anonymous
      return
    case 'connections show:--user-token-file'
      printf '%s\n' --user-token-file once file ''
      return
    case 'connections show:--service-key-file'
      printf '%s\n' --service-key-file once file ''
      return
    case 'connections show:--user-id'
      printf '%s\n' --user-id once request token-user
      return
    case 'connections show:--invite-code'
      printf '%s\n' --invite-code once value ''
      return
    case 'connections show:--users'
      printf '%s\n' --users once file ''
      return
    case 'connections show:--ordered'
      printf '%s\n' --ordered once switch ''
      return
    case 'connections show:--rate'
      printf '%s\n' --rate once value ''
      return
    case 'connections show:--shard'
      printf '%s\n' --shard once value ''
      return
    case 'connections show:--shards'
      printf '%s\n' --shards once value ''
      return
    case 'connections show:--report'
      printf '%s\n' --report repeats file ''
      return
    case 'connections add:--stdin'
      printf '%s\n' --stdin once switch ''
      return
    case 'connections add:--as'
      printf '%s\n' --as once choices '' user service anonymous
      return
    case 'connections add:--user-token-file'
      printf '%s\n' --user-token-file once file ''
      return
    case 'connections add:--service-key-file'
      printf '%s\n' --service-key-file once file ''
      return
    case 'connections add:--user-id'
      printf '%s\n' --user-id once request token-user
      return
    case 'connections add:--invite-code'
      printf '%s\n' --invite-code once value ''
      return
    case 'connections add:--report'
      printf '%s\n' --report repeats file ''
      return
    case 'connections remove:--all'
      printf '%s\n' --all once switch ''
      return
    case 'connections remove:--status'
      printf '%s\n' --status repeats choices '' enabled disabled never_enabled unknown
      return
    case 'connections remove:--stdin'
      printf '%s\n' --stdin once switch ''
      return
    case 'connections enable:--all'
      printf '%s\n' --all once switch ''
      return
    case 'connections enable:--status'
      printf '%s\n' --status repeats choices '' enabled disabled never_enabled unknown
      return
    case 'connections enable:--stdin'
      printf '%s\n' --stdin once switch ''
      return
    case 'connections enable:--resume'
      printf '%s\n' --resume once switch ''
      return
    case 'connections enable:--force'
      printf '%s\n' --force once switch ''
      return
    case 'connections enable:--provider'
      printf '%s\n' --provider once value ''
      return
    case 'connections enable:--as'
      printf '%s\n' --as once choices '' user service anonymous
      return
    case 'connections enable:--user-token-file'
      printf '%s\n' --user-token-file once file ''
      return
    case 'connections enable:--service-key-file'
      printf '%s\n' --service-key-file once file ''
      return
    case 'connections enable:--user-id'
      printf '%s\n' --user-id once request token-user
      return
    case 'connections enable:--invite-code'
      printf '%s\n' --invite-code once value ''
      return
    case 'connections enable:--users'
      printf '%s\n' --users once file ''
      return
    case 'connections enable:--ordered'
      printf '%s\n' --ordered once switch ''
      return
    case 'connections enable:--rate'
      printf '%s\n' --rate once value ''
      return
    case 'connections enable:--shard'
      printf '%s\n' --shard once value ''
      return
    case 'connections enable:--shards'
      printf '%s\n' --shards once value ''
      return
    case 'connections enable:--report'
      printf '%s\n' --report repeats file ''
      return
    case 'connections disable:--all'
      printf '%s\n' --all once switch ''
      return
    case 'connections disable:--status'
      printf '%s\n' --status repeats choices '' enabled disabled never_enabled unknown
      return
    case 'connections disable:--stdin'
      printf '%s\n' --stdin once switch ''
      return
    case 'connections disable:--resume'
      printf '%s\n' --resume once switch ''
      return
    case 'connections disable:--force'
      printf '%s\n' --force once switch ''
      return
    case 'connections disable:--provider'
      printf '%s\n' --provider once value ''
      return
    case 'connections disable:--as'
      printf '%s\n' --as once choices '' user service anonymous
      return
    case 'connections disable:--user-token-file'
      printf '%s\n' --user-token-file once file ''
      return
    case 'connections disable:--service-key-file'
      printf '%s\n' --service-key-file once file ''
      return
    case 'connections disable:--user-id'
      printf '%s\n' --user-id once request token-user
      return
    case 'connections disable:--invite-code'
      printf '%s\n' --invite-code once value ''
      return
    case 'connections disable:--users'
      printf '%s\n' --users once file ''
      return
    case 'connections disable:--ordered'
      printf '%s\n' --ordered once switch ''
      return
    case 'connections disable:--rate'
      printf '%s\n' --rate once value ''
      return
    case 'connections disable:--shard'
      printf '%s\n' --shard once value ''
      return
    case 'connections disable:--shards'
      printf '%s\n' --shards once value ''
      return
    case 'connections disable:--report'
      printf '%s\n' --report repeats file ''
      return
    case 'connections activate:--email'
      printf '%s\n' --email once value ''
      return
    case 'connections activate:--force'
      printf '%s\n' --force once switch ''
      return
    case 'connections activate:--url'
      printf '%s\n' --url once choices '' 'sdk	the page that IFTTT\'s SDKs open; returns a user token' 'connect	the documented page; returns no result'
      return
    case 'connections activate:--finish'
      printf '%s\n' --finish once value ''
      return
    case 'connections activate:--oauth-code-file'
      printf '%s\n' --oauth-code-file once file ''
      return
    case 'connections activate:--reveal'
      printf '%s\n' --reveal once switch ''
      return
    case 'connections activate:--browser' 'connections activate:--no-browser'
      printf '%s\n' --browser once switch ''
      return
    case 'connections activate:--redirect-uri'
      printf '%s\n' --redirect-uri once value ''
      return
    case 'connections activate:--nonce' 'connections activate:--no-nonce'
      printf '%s\n' --nonce once switch ''
      return
    case 'connections activate:--skip-config' 'connections activate:--no-skip-config'
      printf '%s\n' --skip-config once switch ''
      return
    case 'connections activate:--as'
      printf '%s\n' --as once choices '' user service anonymous
      return
    case 'connections activate:--user-token-file'
      printf '%s\n' --user-token-file once file ''
      return
    case 'connections activate:--service-key-file'
      printf '%s\n' --service-key-file once file ''
      return
    case 'connections activate:--user-id'
      printf '%s\n' --user-id once request token-user
      return
    case 'connections activate:--invite-code'
      printf '%s\n' --invite-code once value ''
      return
    case 'connections history:--sort'
      printf '%s\n' --sort once list sort-field
      return
    case 'connections history:--limit'
      printf '%s\n' --limit once value ''
      return
    case 'connections history:--search'
      printf '%s\n' --search once value ''
      return
    case 'connections undo:--resume'
      printf '%s\n' --resume once switch ''
      return
    case 'connections undo:--force'
      printf '%s\n' --force once switch ''
      return
    case 'connections undo:--rate'
      printf '%s\n' --rate once value ''
      return
    case 'connections undo:--as'
      printf '%s\n' --as once choices '' user service anonymous
      return
    case 'connections undo:--user-token-file'
      printf '%s\n' --user-token-file once file ''
      return
    case 'connections undo:--service-key-file'
      printf '%s\n' --service-key-file once file ''
      return
    case 'connections undo:--user-id'
      printf '%s\n' --user-id once request token-user
      return
    case 'connections undo:--invite-code'
      printf '%s\n' --invite-code once value ''
      return
    case 'connections undo:--report'
      printf '%s\n' --report repeats file ''
      return
    case 'connections redo:--resume'
      printf '%s\n' --resume once switch ''
      return
    case 'connections redo:--force'
      printf '%s\n' --force once switch ''
      return
    case 'connections redo:--rate'
      printf '%s\n' --rate once value ''
      return
    case 'connections redo:--as'
      printf '%s\n' --as once choices '' user service anonymous
      return
    case 'connections redo:--user-token-file'
      printf '%s\n' --user-token-file once file ''
      return
    case 'connections redo:--service-key-file'
      printf '%s\n' --service-key-file once file ''
      return
    case 'connections redo:--user-id'
      printf '%s\n' --user-id once request token-user
      return
    case 'connections redo:--invite-code'
      printf '%s\n' --invite-code once value ''
      return
    case 'connections redo:--report'
      printf '%s\n' --report repeats file ''
      return
    case 'connections export:--all'
      printf '%s\n' --all once switch ''
      return
    case 'connections export:--status'
      printf '%s\n' --status repeats choices '' enabled disabled never_enabled unknown
      return
    case 'connections export:--stdin'
      printf '%s\n' --stdin once switch ''
      return
    case 'connections export:--as'
      printf '%s\n' --as once choices '' user service anonymous
      return
    case 'connections export:--user-token-file'
      printf '%s\n' --user-token-file once file ''
      return
    case 'connections export:--service-key-file'
      printf '%s\n' --service-key-file once file ''
      return
    case 'connections export:--user-id'
      printf '%s\n' --user-id once request token-user
      return
    case 'connections export:--invite-code'
      printf '%s\n' --invite-code once value ''
      return
    case 'connections export:--users'
      printf '%s\n' --users once file ''
      return
    case 'connections export:--ordered'
      printf '%s\n' --ordered once switch ''
      return
    case 'connections export:--rate'
      printf '%s\n' --rate once value ''
      return
    case 'connections export:--shard'
      printf '%s\n' --shard once value ''
      return
    case 'connections export:--shards'
      printf '%s\n' --shards once value ''
      return
    case 'connections export:--report'
      printf '%s\n' --report repeats file ''
      return
    case 'connections diff:--plan-out'
      printf '%s\n' --plan-out once file ''
      return
    case 'connections diff:--prune'
      printf '%s\n' --prune once switch ''
      return
    case 'connections diff:--allow-removal'
      printf '%s\n' --allow-removal once switch ''
      return
    case 'connections diff:--as'
      printf '%s\n' --as once choices '' user service anonymous
      return
    case 'connections diff:--user-token-file'
      printf '%s\n' --user-token-file once file ''
      return
    case 'connections diff:--service-key-file'
      printf '%s\n' --service-key-file once file ''
      return
    case 'connections diff:--user-id'
      printf '%s\n' --user-id once request token-user
      return
    case 'connections diff:--invite-code'
      printf '%s\n' --invite-code once value ''
      return
    case 'connections diff:--users'
      printf '%s\n' --users once file ''
      return
    case 'connections diff:--ordered'
      printf '%s\n' --ordered once switch ''
      return
    case 'connections diff:--rate'
      printf '%s\n' --rate once value ''
      return
    case 'connections diff:--shard'
      printf '%s\n' --shard once value ''
      return
    case 'connections diff:--shards'
      printf '%s\n' --shards once value ''
      return
    case 'connections diff:--report'
      printf '%s\n' --report repeats file ''
      return
    case 'connections diff:--sort'
      printf '%s\n' --sort once list sort-field
      return
    case 'connections diff:--limit'
      printf '%s\n' --limit once value ''
      return
    case 'connections diff:--search'
      printf '%s\n' --search once value ''
      return
    case 'connections apply:--plan'
      printf '%s\n' --plan once file ''
      return
    case 'connections apply:--resume'
      printf '%s\n' --resume once switch ''
      return
    case 'connections apply:--prune'
      printf '%s\n' --prune once switch ''
      return
    case 'connections apply:--allow-removal'
      printf '%s\n' --allow-removal once switch ''
      return
    case 'connections apply:--as'
      printf '%s\n' --as once choices '' user service anonymous
      return
    case 'connections apply:--user-token-file'
      printf '%s\n' --user-token-file once file ''
      return
    case 'connections apply:--service-key-file'
      printf '%s\n' --service-key-file once file ''
      return
    case 'connections apply:--user-id'
      printf '%s\n' --user-id once request token-user
      return
    case 'connections apply:--invite-code'
      printf '%s\n' --invite-code once value ''
      return
    case 'connections apply:--users'
      printf '%s\n' --users once file ''
      return
    case 'connections apply:--ordered'
      printf '%s\n' --ordered once switch ''
      return
    case 'connections apply:--rate'
      printf '%s\n' --rate once value ''
      return
    case 'connections apply:--shard'
      printf '%s\n' --shard once value ''
      return
    case 'connections apply:--shards'
      printf '%s\n' --shards once value ''
      return
    case 'connections apply:--report'
      printf '%s\n' --report repeats file ''
      return
    case 'connections wait:--for'
      printf '%s\n' --for repeats request condition
      return
    case 'connections wait:--interval'
      printf '%s\n' --interval once value ''
      return
    case 'connections wait:--as'
      printf '%s\n' --as once choices '' user service anonymous
      return
    case 'connections wait:--user-token-file'
      printf '%s\n' --user-token-file once file ''
      return
    case 'connections wait:--service-key-file'
      printf '%s\n' --service-key-file once file ''
      return
    case 'connections wait:--user-id'
      printf '%s\n' --user-id once request token-user
      return
    case 'connections wait:--invite-code'
      printf '%s\n' --invite-code once value ''
      return
    case 'connections wait:--report'
      printf '%s\n' --report repeats file ''
      return
    case 'connections watch:--interval'
      printf '%s\n' --interval once value ''
      return
    case 'connections watch:--initial'
      printf '%s\n' --initial once switch ''
      return
    case 'connections watch:--count'
      printf '%s\n' --count once value ''
      return
    case 'connections watch:--exec'
      printf '%s\n' --exec once file ''
      return
    case 'connections watch:--as'
      printf '%s\n' --as once choices '' user service anonymous
      return
    case 'connections watch:--user-token-file'
      printf '%s\n' --user-token-file once file ''
      return
    case 'connections watch:--service-key-file'
      printf '%s\n' --service-key-file once file ''
      return
    case 'connections watch:--user-id'
      printf '%s\n' --user-id once request token-user
      return
    case 'connections watch:--invite-code'
      printf '%s\n' --invite-code once value ''
      return
    case 'connections open:--edit'
      printf '%s\n' --edit once switch ''
      return
    case 'connections open:--browser' 'connections open:--no-browser'
      printf '%s\n' --browser once switch ''
      return
    case 'connections options:--refresh'
      printf '%s\n' --refresh once switch ''
      return
    case 'connections options:--as'
      printf '%s\n' --as once choices '' user service anonymous
      return
    case 'connections options:--user-token-file'
      printf '%s\n' --user-token-file once file ''
      return
    case 'connections options:--service-key-file'
      printf '%s\n' --service-key-file once file ''
      return
    case 'connections options:--user-id'
      printf '%s\n' --user-id once request token-user
      return
    case 'connections options:--invite-code'
      printf '%s\n' --invite-code once value ''
      return
    case 'connections options:--sort'
      printf '%s\n' --sort once list sort-field
      return
    case 'connections options:--limit'
      printf '%s\n' --limit once value ''
      return
    case 'connections options:--search'
      printf '%s\n' --search once value ''
      return
    case 'connections run:--field' 'connections run:-f'
      printf '%s\n' --field repeats value ''
      return
    case 'connections run:--user-feature'
      printf '%s\n' --user-feature once request feature
      return
    case 'connections run:--as'
      printf '%s\n' --as once choices '' user service anonymous
      return
    case 'connections run:--user-token-file'
      printf '%s\n' --user-token-file once file ''
      return
    case 'connections run:--service-key-file'
      printf '%s\n' --service-key-file once file ''
      return
    case 'connections run:--user-id'
      printf '%s\n' --user-id once request token-user
      return
    case 'connections run:--invite-code'
      printf '%s\n' --invite-code once value ''
      return
    case 'connections query:--field' 'connections query:-f'
      printf '%s\n' --field repeats value ''
      return
    case 'connections query:--all'
      printf '%s\n' --all once switch ''
      return
    case 'connections query:--include'
      printf '%s\n' --include repeats value ''
      return
    case 'connections query:--page-size'
      printf '%s\n' --page-size once value ''
      return
    case 'connections query:--cursor'
      printf '%s\n' --cursor once value ''
      return
    case 'connections query:--user-feature'
      printf '%s\n' --user-feature once request feature
      return
    case 'connections query:--as'
      printf '%s\n' --as once choices '' user service anonymous
      return
    case 'connections query:--user-token-file'
      printf '%s\n' --user-token-file once file ''
      return
    case 'connections query:--service-key-file'
      printf '%s\n' --service-key-file once file ''
      return
    case 'connections query:--user-id'
      printf '%s\n' --user-id once request token-user
      return
    case 'connections query:--invite-code'
      printf '%s\n' --invite-code once value ''
      return
    case 'connections query:--sort'
      printf '%s\n' --sort once list sort-field
      return
    case 'connections query:--limit'
      printf '%s\n' --limit once value ''
      return
    case 'connections query:--search'
      printf '%s\n' --search once value ''
      return
    case 'connections test:--user-feature'
      printf '%s\n' --user-feature once request feature
      return
    case 'connections test:--as'
      printf '%s\n' --as once choices '' user service anonymous
      return
    case 'connections test:--user-token-file'
      printf '%s\n' --user-token-file once file ''
      return
    case 'connections test:--service-key-file'
      printf '%s\n' --service-key-file once file ''
      return
    case 'connections test:--user-id'
      printf '%s\n' --user-id once request token-user
      return
    case 'connections test:--invite-code'
      printf '%s\n' --invite-code once value ''
      return
    case 'connections button:--format'
      printf '%s\n' --format once choices '' 'ansi	text for a terminal, colored if colors are allowed' 'svg	an SVG image' 'html	a self-contained HTML snippet'
      return
    case 'connections button:--state'
      printf '%s\n' --state once choices '' loading loading-failed connect email invalid-email verifying creating-account signing-in connecting check-mark connected disconnecting disconnected
      return
    case 'connections button:--style'
      printf '%s\n' --style once choices '' 'light	a black button for light pages' 'dark	a white button for dark pages'
      return
    case 'connections button:--email'
      printf '%s\n' --email once value ''
      return
    case 'connections button:--footer' 'connections button:--no-footer'
      printf '%s\n' --footer once switch ''
      return
    case 'connections button:--icons' 'connections button:--no-icons'
      printf '%s\n' --icons once switch ''
      return
    case 'connections button:--as'
      printf '%s\n' --as once choices '' user service anonymous
      return
    case 'connections button:--user-token-file'
      printf '%s\n' --user-token-file once file ''
      return
    case 'connections button:--service-key-file'
      printf '%s\n' --service-key-file once file ''
      return
    case 'connections button:--user-id'
      printf '%s\n' --user-id once request token-user
      return
    case 'connections button:--invite-code'
      printf '%s\n' --invite-code once value ''
      return
    case 'connections configure:--set'
      printf '%s\n' --set repeats request setting
      return
    case 'connections configure:--file'
      printf '%s\n' --file once file ''
      return
    case 'connections configure:--add-feature'
      printf '%s\n' --add-feature repeats request feature
      return
    case 'connections configure:--enable-feature'
      printf '%s\n' --enable-feature repeats request feature
      return
    case 'connections configure:--disable-feature'
      printf '%s\n' --disable-feature repeats request feature
      return
    case 'connections configure:--remove-feature'
      printf '%s\n' --remove-feature repeats request feature
      return
    case 'connections configure:--skip' 'connections configure:--no-skip'
      printf '%s\n' --skip once switch ''
      return
    case 'connections configure:--wait' 'connections configure:--no-wait'
      printf '%s\n' --wait once switch ''
      return
    case 'connections configure:--resume'
      printf '%s\n' --resume once switch ''
      return
    case 'connections configure:--email'
      printf '%s\n' --email once value ''
      return
    case 'connections configure:--force'
      printf '%s\n' --force once switch ''
      return
    case 'connections configure:--url'
      printf '%s\n' --url once choices '' 'sdk	the page that IFTTT\'s SDKs open; returns a user token' 'connect	the documented page; returns no result'
      return
    case 'connections configure:--finish'
      printf '%s\n' --finish once value ''
      return
    case 'connections configure:--oauth-code-file'
      printf '%s\n' --oauth-code-file once file ''
      return
    case 'connections configure:--reveal'
      printf '%s\n' --reveal once switch ''
      return
    case 'connections configure:--browser' 'connections configure:--no-browser'
      printf '%s\n' --browser once switch ''
      return
    case 'connections configure:--redirect-uri'
      printf '%s\n' --redirect-uri once value ''
      return
    case 'connections configure:--nonce' 'connections configure:--no-nonce'
      printf '%s\n' --nonce once switch ''
      return
    case 'connections configure:--as'
      printf '%s\n' --as once choices '' user service anonymous
      return
    case 'connections configure:--user-token-file'
      printf '%s\n' --user-token-file once file ''
      return
    case 'connections configure:--service-key-file'
      printf '%s\n' --service-key-file once file ''
      return
    case 'connections configure:--user-id'
      printf '%s\n' --user-id once request token-user
      return
    case 'connections configure:--invite-code'
      printf '%s\n' --invite-code once value ''
      return
    case 'connections configure:--report'
      printf '%s\n' --report repeats file ''
      return
    case 'location regions:--format'
      printf '%s\n' --format once choices '' 'rows	in the format of --output' 'geojson	one GeoJSON document, regardless of --output'
      return
    case 'location regions:--as'
      printf '%s\n' --as once choices '' user service anonymous
      return
    case 'location regions:--user-token-file'
      printf '%s\n' --user-token-file once file ''
      return
    case 'location regions:--service-key-file'
      printf '%s\n' --service-key-file once file ''
      return
    case 'location regions:--user-id'
      printf '%s\n' --user-id once request token-user
      return
    case 'location regions:--invite-code'
      printf '%s\n' --invite-code once value ''
      return
    case 'location regions:--sort'
      printf '%s\n' --sort once list sort-field
      return
    case 'location regions:--limit'
      printf '%s\n' --limit once value ''
      return
    case 'location regions:--search'
      printf '%s\n' --search once value ''
      return
    case 'location replay:--track-format'
      printf '%s\n' --track-format once choices '' gpx geojson nmea jsonl
      return
    case 'location replay:--gpsd'
      printf '%s\n' --gpsd once value ''
      return
    case 'location replay:--speed'
      printf '%s\n' --speed once value ''
      return
    case 'location replay:--times'
      printf '%s\n' --times once choices '' 'kept	as in the track' 'now	all shifted so that the first position is now'
      return
    case 'location replay:--connection'
      printf '%s\n' --connection repeats request connection-id
      return
    case 'location replay:--remember'
      printf '%s\n' --remember once switch ''
      return
    case 'location replay:--initial'
      printf '%s\n' --initial once switch ''
      return
    case 'location replay:--max-regions'
      printf '%s\n' --max-regions once value ''
      return
    case 'location replay:--min-accuracy'
      printf '%s\n' --min-accuracy once value ''
      return
    case 'location replay:--hysteresis'
      printf '%s\n' --hysteresis once value ''
      return
    case 'location replay:--dwell'
      printf '%s\n' --dwell once value ''
      return
    case 'location replay:--as'
      printf '%s\n' --as once choices '' user service anonymous
      return
    case 'location replay:--user-token-file'
      printf '%s\n' --user-token-file once file ''
      return
    case 'location replay:--service-key-file'
      printf '%s\n' --service-key-file once file ''
      return
    case 'location replay:--user-id'
      printf '%s\n' --user-id once request token-user
      return
    case 'location replay:--invite-code'
      printf '%s\n' --invite-code once value ''
      return
    case 'location map:--format'
      printf '%s\n' --format once choices '' 'svg	a picture' 'html	a self-contained page that loads nothing'
      return
    case 'location map:--output-file'
      printf '%s\n' --output-file once file ''
      return
    case 'location map:--connection'
      printf '%s\n' --connection repeats request connection-id
      return
    case 'location map:--track-format'
      printf '%s\n' --track-format once choices '' gpx geojson nmea jsonl
      return
    case 'location map:--initial'
      printf '%s\n' --initial once switch ''
      return
    case 'location map:--max-regions'
      printf '%s\n' --max-regions once value ''
      return
    case 'location map:--min-accuracy'
      printf '%s\n' --min-accuracy once value ''
      return
    case 'location map:--hysteresis'
      printf '%s\n' --hysteresis once value ''
      return
    case 'location map:--dwell'
      printf '%s\n' --dwell once value ''
      return
    case 'location map:--as'
      printf '%s\n' --as once choices '' user service anonymous
      return
    case 'location map:--user-token-file'
      printf '%s\n' --user-token-file once file ''
      return
    case 'location map:--service-key-file'
      printf '%s\n' --service-key-file once file ''
      return
    case 'location map:--user-id'
      printf '%s\n' --user-id once request token-user
      return
    case 'location map:--invite-code'
      printf '%s\n' --invite-code once value ''
      return
    case 'location report:--at'
      printf '%s\n' --at once value ''
      return
    case 'location report:--force'
      printf '%s\n' --force once switch ''
      return
    case 'location report:--as'
      printf '%s\n' --as once choices '' user service anonymous
      return
    case 'location report:--user-token-file'
      printf '%s\n' --user-token-file once file ''
      return
    case 'location report:--service-key-file'
      printf '%s\n' --service-key-file once file ''
      return
    case 'location report:--user-id'
      printf '%s\n' --user-id once request token-user
      return
    case 'location report:--invite-code'
      printf '%s\n' --invite-code once value ''
      return
    case 'location events list:--sort'
      printf '%s\n' --sort once list sort-field
      return
    case 'location events list:--limit'
      printf '%s\n' --limit once value ''
      return
    case 'location events list:--search'
      printf '%s\n' --search once value ''
      return
    case 'location events flush:--refused'
      printf '%s\n' --refused once switch ''
      return
    case 'location events flush:--as'
      printf '%s\n' --as once choices '' user service anonymous
      return
    case 'location events flush:--user-token-file'
      printf '%s\n' --user-token-file once file ''
      return
    case 'location events flush:--service-key-file'
      printf '%s\n' --service-key-file once file ''
      return
    case 'location events flush:--user-id'
      printf '%s\n' --user-id once request token-user
      return
    case 'location events flush:--invite-code'
      printf '%s\n' --invite-code once value ''
      return
    case 'location events clear:--refused'
      printf '%s\n' --refused once switch ''
      return
    case 'location events clear:--older-than'
      printf '%s\n' --older-than once value ''
      return
    case 'applets fetch:--order'
      printf '%s\n' --order once choices '' published_at_asc published_at_desc enabled_count_asc enabled_count_desc
      return
    case 'applets fetch:--platform'
      printf '%s\n' --platform once choices '' ios android
      return
    case 'applets fetch:--service'
      printf '%s\n' --service once value ''
      return
    case 'applets fetch:--raw'
      printf '%s\n' --raw once switch ''
      return
    case 'applets fetch:--as'
      printf '%s\n' --as once choices '' user service anonymous
      return
    case 'applets fetch:--user-token-file'
      printf '%s\n' --user-token-file once file ''
      return
    case 'applets fetch:--service-key-file'
      printf '%s\n' --service-key-file once file ''
      return
    case 'applets fetch:--user-id'
      printf '%s\n' --user-id once request token-user
      return
    case 'applets fetch:--invite-code'
      printf '%s\n' --invite-code once value ''
      return
    case 'applets fetch:--sort'
      printf '%s\n' --sort once list sort-field
      return
    case 'applets fetch:--limit'
      printf '%s\n' --limit once value ''
      return
    case 'applets fetch:--search'
      printf '%s\n' --search once value ''
      return
    case 'applets activate:--email'
      printf '%s\n' --email once value ''
      return
    case 'applets activate:--service'
      printf '%s\n' --service once value ''
      return
    case 'applets activate:--force'
      printf '%s\n' --force once switch ''
      return
    case 'applets activate:--browser' 'applets activate:--no-browser'
      printf '%s\n' --browser once switch ''
      return
    case 'applets activate:--redirect-uri'
      printf '%s\n' --redirect-uri once value ''
      return
    case 'applets activate:--nonce' 'applets activate:--no-nonce'
      printf '%s\n' --nonce once switch ''
      return
    case 'applets activate:--as'
      printf '%s\n' --as once choices '' user service anonymous
      return
    case 'applets activate:--user-token-file'
      printf '%s\n' --user-token-file once file ''
      return
    case 'applets activate:--service-key-file'
      printf '%s\n' --service-key-file once file ''
      return
    case 'applets activate:--user-id'
      printf '%s\n' --user-id once request token-user
      return
    case 'applets activate:--invite-code'
      printf '%s\n' --invite-code once value ''
      return
    case 'applets enable:--service'
      printf '%s\n' --service once value ''
      return
    case 'applets enable:--resume'
      printf '%s\n' --resume once switch ''
      return
    case 'applets enable:--force'
      printf '%s\n' --force once switch ''
      return
    case 'applets enable:--as'
      printf '%s\n' --as once choices '' user service anonymous
      return
    case 'applets enable:--user-token-file'
      printf '%s\n' --user-token-file once file ''
      return
    case 'applets enable:--service-key-file'
      printf '%s\n' --service-key-file once file ''
      return
    case 'applets enable:--user-id'
      printf '%s\n' --user-id once request token-user
      return
    case 'applets enable:--invite-code'
      printf '%s\n' --invite-code once value ''
      return
    case 'applets enable:--report'
      printf '%s\n' --report repeats file ''
      return
    case 'applets disable:--service'
      printf '%s\n' --service once value ''
      return
    case 'applets disable:--resume'
      printf '%s\n' --resume once switch ''
      return
    case 'applets disable:--force'
      printf '%s\n' --force once switch ''
      return
    case 'applets disable:--as'
      printf '%s\n' --as once choices '' user service anonymous
      return
    case 'applets disable:--user-token-file'
      printf '%s\n' --user-token-file once file ''
      return
    case 'applets disable:--service-key-file'
      printf '%s\n' --service-key-file once file ''
      return
    case 'applets disable:--user-id'
      printf '%s\n' --user-id once request token-user
      return
    case 'applets disable:--invite-code'
      printf '%s\n' --invite-code once value ''
      return
    case 'applets disable:--report'
      printf '%s\n' --report repeats file ''
      return
    case 'applets list:--order'
      printf '%s\n' --order once choices '' published_at_asc published_at_desc enabled_count_asc enabled_count_desc
      return
    case 'applets list:--platform'
      printf '%s\n' --platform once choices '' ios android
      return
    case 'applets list:--service'
      printf '%s\n' --service once value ''
      return
    case 'applets list:--raw'
      printf '%s\n' --raw once switch ''
      return
    case 'applets list:--as'
      printf '%s\n' --as once choices '' user service anonymous
      return
    case 'applets list:--user-token-file'
      printf '%s\n' --user-token-file once file ''
      return
    case 'applets list:--service-key-file'
      printf '%s\n' --service-key-file once file ''
      return
    case 'applets list:--user-id'
      printf '%s\n' --user-id once request token-user
      return
    case 'applets list:--invite-code'
      printf '%s\n' --invite-code once value ''
      return
    case 'applets list:--sort'
      printf '%s\n' --sort once list sort-field
      return
    case 'applets list:--limit'
      printf '%s\n' --limit once value ''
      return
    case 'applets list:--search'
      printf '%s\n' --search once value ''
      return
    case 'token exchange:--user-id'
      printf '%s\n' --user-id once request token-user
      return
    case 'token exchange:--access-token-file'
      printf '%s\n' --access-token-file once file ''
      return
    case 'token exchange:--service-key-file'
      printf '%s\n' --service-key-file once file ''
      return
    case 'token exchange:--invite-code'
      printf '%s\n' --invite-code once value ''
      return
    case 'token exchange:--api'
      printf '%s\n' --api once choices '' v1 v2
      return
    case 'token exchange:--service'
      printf '%s\n' --service once value ''
      return
    case 'token exchange:--save' 'token exchange:--no-save'
      printf '%s\n' --save once switch ''
      return
    case 'token exchange:--print'
      printf '%s\n' --print once switch ''
      return
    case 'token exchange:--reveal'
      printf '%s\n' --reveal once switch ''
      return
    case 'token exchange:--resume'
      printf '%s\n' --resume once switch ''
      return
    case 'token exchange:--users'
      printf '%s\n' --users once file ''
      return
    case 'token exchange:--ordered'
      printf '%s\n' --ordered once switch ''
      return
    case 'token exchange:--rate'
      printf '%s\n' --rate once value ''
      return
    case 'token exchange:--shard'
      printf '%s\n' --shard once value ''
      return
    case 'token exchange:--shards'
      printf '%s\n' --shards once value ''
      return
    case 'token exchange:--report'
      printf '%s\n' --report repeats file ''
      return
    case 'token list:--sort'
      printf '%s\n' --sort once list sort-field
      return
    case 'token list:--limit'
      printf '%s\n' --limit once value ''
      return
    case 'token list:--search'
      printf '%s\n' --search once value ''
      return
    case 'token show:--reveal'
      printf '%s\n' --reveal once switch ''
      return
    case 'token show:--print'
      printf '%s\n' --print once switch ''
      return
    case 'token set:--user-id'
      printf '%s\n' --user-id once request token-user
      return
    case 'token set:--user-token-file'
      printf '%s\n' --user-token-file once file ''
      return
    case 'token remove:--all'
      printf '%s\n' --all once switch ''
      return
    case 'token verify:--as'
      printf '%s\n' --as once choices '' user service anonymous
      return
    case 'token verify:--user-token-file'
      printf '%s\n' --user-token-file once file ''
      return
    case 'token verify:--service-key-file'
      printf '%s\n' --service-key-file once file ''
      return
    case 'token verify:--user-id'
      printf '%s\n' --user-id once request token-user
      return
    case 'token verify:--invite-code'
      printf '%s\n' --invite-code once value ''
      return
    case 'profile list:--sort'
      printf '%s\n' --sort once list sort-field
      return
    case 'profile list:--limit'
      printf '%s\n' --limit once value ''
      return
    case 'profile list:--search'
      printf '%s\n' --search once value ''
      return
    case 'profile create:--service'
      printf '%s\n' --service once value ''
      return
    case 'profile create:--user-id'
      printf '%s\n' --user-id once value ''
      return
    case 'profile create:--invite-code'
      printf '%s\n' --invite-code once value ''
      return
    case 'profile create:--service-key-file'
      printf '%s\n' --service-key-file once file ''
      return
    case 'profile create:--user-token-file'
      printf '%s\n' --user-token-file once file ''
      return
    case 'profile create:--webhooks-key-file'
      printf '%s\n' --webhooks-key-file once file ''
      return
    case 'profile create:--service-key-command'
      printf '%s\n' --service-key-command once switch ''
      return
    case 'profile create:--user-token-command'
      printf '%s\n' --user-token-command once switch ''
      return
    case 'profile create:--access-token-command'
      printf '%s\n' --access-token-command once switch ''
      return
    case 'profile create:--webhooks-key-command'
      printf '%s\n' --webhooks-key-command once switch ''
      return
    case 'profile create:--base-url'
      printf '%s\n' --base-url once value ''
      return
    case 'profile create:--connect-url'
      printf '%s\n' --connect-url once value ''
      return
    case 'profile create:--location-url'
      printf '%s\n' --location-url once value ''
      return
    case 'profile create:--api-url'
      printf '%s\n' --api-url once value ''
      return
    case 'profile create:--web-url'
      printf '%s\n' --web-url once value ''
      return
    case 'profile create:--realtime-url'
      printf '%s\n' --realtime-url once value ''
      return
    case 'profile create:--webhooks-url'
      printf '%s\n' --webhooks-url once value ''
      return
    case 'profile create:--redirect-uri'
      printf '%s\n' --redirect-uri once value ''
      return
    case 'profile create:--allow-http'
      printf '%s\n' --allow-http once value ''
      return
    case 'profile create:--use'
      printf '%s\n' --use once switch ''
      return
    case 'profile set:--service'
      printf '%s\n' --service once value ''
      return
    case 'profile set:--user-id'
      printf '%s\n' --user-id once value ''
      return
    case 'profile set:--invite-code'
      printf '%s\n' --invite-code once value ''
      return
    case 'profile set:--service-key-file'
      printf '%s\n' --service-key-file once file ''
      return
    case 'profile set:--user-token-file'
      printf '%s\n' --user-token-file once file ''
      return
    case 'profile set:--webhooks-key-file'
      printf '%s\n' --webhooks-key-file once file ''
      return
    case 'profile set:--service-key-command'
      printf '%s\n' --service-key-command once switch ''
      return
    case 'profile set:--user-token-command'
      printf '%s\n' --user-token-command once switch ''
      return
    case 'profile set:--access-token-command'
      printf '%s\n' --access-token-command once switch ''
      return
    case 'profile set:--webhooks-key-command'
      printf '%s\n' --webhooks-key-command once switch ''
      return
    case 'profile set:--base-url'
      printf '%s\n' --base-url once value ''
      return
    case 'profile set:--connect-url'
      printf '%s\n' --connect-url once value ''
      return
    case 'profile set:--location-url'
      printf '%s\n' --location-url once value ''
      return
    case 'profile set:--api-url'
      printf '%s\n' --api-url once value ''
      return
    case 'profile set:--web-url'
      printf '%s\n' --web-url once value ''
      return
    case 'profile set:--realtime-url'
      printf '%s\n' --realtime-url once value ''
      return
    case 'profile set:--webhooks-url'
      printf '%s\n' --webhooks-url once value ''
      return
    case 'profile set:--redirect-uri'
      printf '%s\n' --redirect-uri once value ''
      return
    case 'profile set:--allow-http'
      printf '%s\n' --allow-http once value ''
      return
    case 'profile set:--use'
      printf '%s\n' --use once switch ''
      return
    case 'store backup:--force'
      printf '%s\n' --force once switch ''
      return
    case 'store backup:--with-key'
      printf '%s\n' --with-key once file ''
      return
    case 'store restore:--key-file'
      printf '%s\n' --key-file once file ''
      return
    case 'store restore:--force'
      printf '%s\n' --force once switch ''
      return
    case 'store rekey:--key-file'
      printf '%s\n' --key-file once file ''
      return
    case 'store rekey:--key-command'
      printf '%s\n' --key-command once switch ''
      return
    case 'store rekey:--passphrase'
      printf '%s\n' --passphrase once switch ''
      return
    case 'store rekey:--passphrase-file'
      printf '%s\n' --passphrase-file once file ''
      return
    case 'store rekey:--secret-service'
      printf '%s\n' --secret-service once switch ''
      return
    case 'store rekey:--keychain'
      printf '%s\n' --keychain once switch ''
      return
    case 'plugin list:--sort'
      printf '%s\n' --sort once list sort-field
      return
    case 'plugin list:--limit'
      printf '%s\n' --limit once value ''
      return
    case 'plugin list:--search'
      printf '%s\n' --search once value ''
      return
    case 'plugin install:--sha256'
      printf '%s\n' --sha256 once value ''
      return
    case 'plugin install:--index'
      printf '%s\n' --index once request plugin-index
      return
    case 'plugin install:--allow-new-permissions'
      printf '%s\n' --allow-new-permissions once switch ''
      return
    case 'plugin search:--sort'
      printf '%s\n' --sort once list sort-field
      return
    case 'plugin search:--limit'
      printf '%s\n' --limit once value ''
      return
    case 'plugin search:--search'
      printf '%s\n' --search once value ''
      return
    case 'plugin outdated:--sort'
      printf '%s\n' --sort once list sort-field
      return
    case 'plugin outdated:--limit'
      printf '%s\n' --limit once value ''
      return
    case 'plugin outdated:--search'
      printf '%s\n' --search once value ''
      return
    case 'plugin upgrade:--all'
      printf '%s\n' --all once switch ''
      return
    case 'plugin upgrade:--allow-new-permissions'
      printf '%s\n' --allow-new-permissions once switch ''
      return
    case 'plugin verify:--write-lock'
      printf '%s\n' --write-lock once switch ''
      return
    case 'plugin new:--language'
      printf '%s\n' --language once choices '' 'sh	a command as a shell script' 'python	Python 3.8 or later, without dependencies' 'javascript	JavaScript for Node 18 or later, without dependencies' 'go	Go 1.19 or later, without dependencies' 'swift	Swift, with the PluginProtocol library of ifttt\'s package'
      return
    case 'plugin new:--kind'
      printf '%s\n' --kind once choices '' 'provider	a provider of connections' 'command	a command' 'both	a provider of connections that also has commands'
      return
    case 'plugin new:--directory'
      printf '%s\n' --directory once directory ''
      return
    case 'plugin test:--check'
      printf '%s\n' --check repeats choices '' 'manifest	Its manifest and its name are valid' 'start	It exits by itself when run without arguments and input' 'handshake	It identifies itself within 2 s' 'capabilities	It offers exactly the methods in its manifest' 'version-mismatch	It rejects a protocol version that it does not support' 'unknown-method	It responds to an unknown method with -32601, and continues' 'split-lines	It accepts a message that arrives in pieces' 'joined-lines	It accepts several messages that arrive at once' 'huge-message	It accepts a message of up to 16 MiB' 'huge-response	It can send a message of up to 16 MiB' 'unicode	Text in any script passes through it byte for byte' 'rubbish	Invalid messages do not end it' 'connections	It lists connections with an id, a name and a status' 'show	It shows a listed connection' 'enable	It enables a listed connection, which is disabled again' 'disable	It disables a listed connection, which is enabled again' 'configure	It configures a connection with the scripted values' 'activate	It activates a connection, with the scripted answers' 'credential-status	It reports the states of its credentials' 'complete	It responds to a request for completions' 'commands	It runs the scripted commands' 'secrets	It shows no secret that it received or saved' 'cancel	It responds to a canceled request within 2 s, and then to the next one' 'cancel-in-request	It responds to a canceled request while it waits for a response itself' 'slow-response	It waits if ifttt responds slowly' 'end-of-input	It exits within 2 s after its stdin is closed' 'end-in-mid-stream	It exits within 2 s even during a list' 'end-in-request	It exits within 2 s even while it waits for a response' 'nothing-left	It leaves no processes behind'
      return
    case 'plugin test:--answers'
      printf '%s\n' --answers once file ''
      return
    case 'plugin test:--report'
      printf '%s\n' --report repeats file ''
      return
    case 'plugin package:--platform'
      printf '%s\n' --platform once choices '' any linux-x86_64 linux-aarch64 macos-x86_64 macos-arm64
      return
    case 'plugin package:--directory'
      printf '%s\n' --directory once directory ''
      return
    case 'plugin package:--index'
      printf '%s\n' --index once file ''
      return
    case 'plugin package:--sign'
      printf '%s\n' --sign once file ''
      return
    case 'plugin index list:--sort'
      printf '%s\n' --sort once list sort-field
      return
    case 'plugin index list:--limit'
      printf '%s\n' --limit once value ''
      return
    case 'plugin index list:--search'
      printf '%s\n' --search once value ''
      return
    case 'plugin index add:--header-file'
      printf '%s\n' --header-file once file ''
      return
    case 'plugin index add:--header-command'
      printf '%s\n' --header-command once switch ''
      return
    case 'plugin trust list:--sort'
      printf '%s\n' --sort once list sort-field
      return
    case 'plugin trust list:--limit'
      printf '%s\n' --limit once value ''
      return
    case 'plugin trust list:--search'
      printf '%s\n' --search once value ''
      return
    case 'plugin trust add:--valid-before'
      printf '%s\n' --valid-before once value ''
      return
    case 'service test:--service-key-file'
      printf '%s\n' --service-key-file once file ''
      return
    case 'service test:--access-token-file'
      printf '%s\n' --access-token-file once file ''
      return
    case 'service test:--definition'
      printf '%s\n' --definition once file ''
      return
    case 'service test:--only'
      printf '%s\n' --only repeats request service-check
      return
    case 'service test:--skip'
      printf '%s\n' --skip repeats request service-check
      return
    case 'service test:--webhooks'
      printf '%s\n' --webhooks once switch ''
      return
    case 'service test:--list'
      printf '%s\n' --list once switch ''
      return
    case 'service test:--fail-fast'
      printf '%s\n' --fail-fast once switch ''
      return
    case 'service test:--sign-in'
      printf '%s\n' --sign-in once switch ''
      return
    case 'service test:--client-id'
      printf '%s\n' --client-id once value ''
      return
    case 'service test:--client-secret-file'
      printf '%s\n' --client-secret-file once file ''
      return
    case 'service test:--authorize-url'
      printf '%s\n' --authorize-url once value ''
      return
    case 'service test:--token-url'
      printf '%s\n' --token-url once value ''
      return
    case 'service test:--scope'
      printf '%s\n' --scope once value ''
      return
    case 'service test:--redirect-uri'
      printf '%s\n' --redirect-uri once value ''
      return
    case 'service test:--browser' 'service test:--no-browser'
      printf '%s\n' --browser once switch ''
      return
    case 'service test:--report'
      printf '%s\n' --report repeats file ''
      return
    case 'service call:--set'
      printf '%s\n' --set repeats value ''
      return
    case 'service call:--limit'
      printf '%s\n' --limit once value ''
      return
    case 'service call:--include'
      printf '%s\n' --include repeats value ''
      return
    case 'service call:--trigger-identity'
      printf '%s\n' --trigger-identity once value ''
      return
    case 'service call:--timezone'
      printf '%s\n' --timezone once value ''
      return
    case 'service call:--header' 'service call:-H'
      printf '%s\n' --header repeats value ''
      return
    case 'service call:--cursor'
      printf '%s\n' --cursor once value ''
      return
    case 'service call:--realtime'
      printf '%s\n' --realtime once switch ''
      return
    case 'service call:--follow' 'service call:-f'
      printf '%s\n' --follow once switch ''
      return
    case 'service call:--interval'
      printf '%s\n' --interval once value ''
      return
    case 'service call:--service-key-file'
      printf '%s\n' --service-key-file once file ''
      return
    case 'service call:--access-token-file'
      printf '%s\n' --access-token-file once file ''
      return
    case 'service call:--sort'
      printf '%s\n' --sort once list sort-field
      return
    case 'service call:--search'
      printf '%s\n' --search once value ''
      return
    case 'service listen:--port'
      printf '%s\n' --port once value ''
      return
    case 'service listen:--bind'
      printf '%s\n' --bind once value ''
      return
    case 'service listen:--ready-file'
      printf '%s\n' --ready-file once file ''
      return
    case 'service listen:--for'
      printf '%s\n' --for once choices '' connection trigger_subscription enabled updated disabled fired connection/enabled connection/updated connection/disabled trigger_subscription/fired
      return
    case 'service listen:--count'
      printf '%s\n' --count once value ''
      return
    case 'service listen:--exec'
      printf '%s\n' --exec once file ''
      return
    case 'service listen:--forward'
      printf '%s\n' --forward once value ''
      return
    case 'service listen:--forward-key'
      printf '%s\n' --forward-key once switch ''
      return
    case 'service listen:--service-key-file'
      printf '%s\n' --service-key-file once file ''
      return
    case 'service events list:--type'
      printf '%s\n' --type once choices '' connection trigger_subscription enabled updated disabled fired connection/enabled connection/updated connection/disabled trigger_subscription/fired
      return
    case 'service events list:--last'
      printf '%s\n' --last once value ''
      return
    case 'service events list:--sort'
      printf '%s\n' --sort once list sort-field
      return
    case 'service events list:--limit'
      printf '%s\n' --limit once value ''
      return
    case 'service events list:--search'
      printf '%s\n' --search once value ''
      return
    case 'service events show:--raw'
      printf '%s\n' --raw once switch ''
      return
    case 'service events replay:--forward'
      printf '%s\n' --forward once value ''
      return
    case 'service events replay:--forward-key'
      printf '%s\n' --forward-key once switch ''
      return
    case 'service events replay:--service-key-file'
      printf '%s\n' --service-key-file once file ''
      return
    case 'service events clear:--type'
      printf '%s\n' --type once choices '' connection trigger_subscription enabled updated disabled fired connection/enabled connection/updated connection/disabled trigger_subscription/fired
      return
    case 'service notify:--trigger-identity'
      printf '%s\n' --trigger-identity repeats value ''
      return
    case 'service notify:--user-id'
      printf '%s\n' --user-id repeats value ''
      return
    case 'service notify:--stdin'
      printf '%s\n' --stdin once switch ''
      return
    case 'service notify:--service-key-file'
      printf '%s\n' --service-key-file once file ''
      return
    case 'service notify:--report'
      printf '%s\n' --report repeats file ''
      return
    case 'webhook fire:--value1'
      printf '%s\n' --value1 once value ''
      return
    case 'webhook fire:--value2'
      printf '%s\n' --value2 once value ''
      return
    case 'webhook fire:--value3'
      printf '%s\n' --value3 once value ''
      return
    case 'webhook fire:--json-file'
      printf '%s\n' --json-file once file ''
      return
    case 'webhook fire:--stdin'
      printf '%s\n' --stdin once switch ''
      return
    case 'webhook fire:--webhooks-key-file'
      printf '%s\n' --webhooks-key-file once file ''
      return
    case 'sandbox start:--port'
      printf '%s\n' --port once value ''
      return
    case 'sandbox start:--host'
      printf '%s\n' --host once value ''
      return
    case 'sandbox start:--allow-host'
      printf '%s\n' --allow-host repeats value ''
      return
    case 'sandbox start:--control-key-file'
      printf '%s\n' --control-key-file once file ''
      return
    case 'sandbox start:--detach'
      printf '%s\n' --detach once switch ''
      return
    case 'sandbox start:--ready-file'
      printf '%s\n' --ready-file once file ''
      return
    case 'sandbox start:--seed'
      printf '%s\n' --seed once file ''
      return
    case 'sandbox start:--connections'
      printf '%s\n' --connections once value ''
      return
    case 'sandbox start:--users'
      printf '%s\n' --users once value ''
      return
    case 'sandbox start:--fault'
      printf '%s\n' --fault repeats choices '' 'latency=DURATION	respond later; DURATION..DURATION for a random delay' 'status=CODE	an error status; with retry-after=SECONDS or retry-after-date=SECONDS' 'reset	reset the connection instead of responding' 'reset-in-body	reset the connection in the middle of the body' 'truncate	close the connection in the middle of the body' 'drip=DURATION	send the body byte by byte, with this pause' 'bad-json	truncate the JSON' 'html	respond with an HTML page and status 200' 'gzip	compress the body' 'chunked	send the body in chunks' 'chunked-trailer	send the body in chunks, with a trailer field after the last one' 'invalid-utf8	put invalid UTF-8 into names' 'duplicate-keys	repeat each key' 'unknown-enum	use unknown statuses and field types' 'wrong-types	send numbers as strings and names as numbers' 'extra-keys	add unknown keys' 'huge=SIZE	pad the body to this size; default: 100M' 'redirect=ORIGIN	redirect to another scheme://host:port' 'escapes	put terminal escapes into names'
      return
    case 'sandbox start:--fault-seed'
      printf '%s\n' --fault-seed once value ''
      return
    case 'sandbox start:--outcome'
      printf '%s\n' --outcome once choices '' 'complete	enabled, with a token' 'complete-without-token	enabled, without a token' 'complete-skipped	enabled, but not configured yet' 'complete-as-another	enabled by another user, with that user\'s token' 'account-creation-failed	the account could not be created' 'auth-error	signing in to the service failed' 'verification-failed	the user could not be verified' 'connection-request-failed	the IFTTT app could not finish' 'cancelled	cancelled' 'odd-nothing	redirect without a result' 'odd-next-step	redirect with an unknown next_step' 'odd-fragment	redirect with the result after a #' 'odd-escape	redirect with an invalid escape' 'stay	no redirect; the page stays'
      return
    case 'sandbox start:--registered-redirect'
      printf '%s\n' --registered-redirect repeats value ''
      return
    case 'sandbox start:--connect-results'
      printf '%s\n' --connect-results once switch ''
      return
    case 'sandbox start:--service-url'
      printf '%s\n' --service-url once value ''
      return
    case 'sandbox start:--service-key-file'
      printf '%s\n' --service-key-file once file ''
      return
    case 'sandbox start:--access-token-file'
      printf '%s\n' --access-token-file once file ''
      return
    case 'sandbox start:--poll'
      printf '%s\n' --poll once value ''
      return
    case 'sandbox start:--client-id'
      printf '%s\n' --client-id once value ''
      return
    case 'sandbox start:--client-secret-file'
      printf '%s\n' --client-secret-file once file ''
      return
    case 'sandbox start:--authorize-url'
      printf '%s\n' --authorize-url once value ''
      return
    case 'sandbox start:--token-url'
      printf '%s\n' --token-url once value ''
      return
    case 'sandbox start:--webhook-names'
      printf '%s\n' --webhook-names once switch ''
      return
    case 'sandbox status:--sort'
      printf '%s\n' --sort once list sort-field
      return
    case 'sandbox status:--limit'
      printf '%s\n' --limit once value ''
      return
    case 'sandbox status:--search'
      printf '%s\n' --search once value ''
      return
    case 'sandbox stop:--url'
      printf '%s\n' --url once value ''
      return
    case 'sandbox stop:--control-key-file'
      printf '%s\n' --control-key-file once file ''
      return
    case 'sandbox env:--wait'
      printf '%s\n' --wait once value ''
      return
    case 'sandbox env:--url'
      printf '%s\n' --url once value ''
      return
    case 'sandbox env:--control-key-file'
      printf '%s\n' --control-key-file once file ''
      return
    case 'sandbox open:--print'
      printf '%s\n' --print once switch ''
      return
    case 'sandbox open:--url'
      printf '%s\n' --url once value ''
      return
    case 'sandbox open:--control-key-file'
      printf '%s\n' --control-key-file once file ''
      return
    case 'sandbox faults set:--path'
      printf '%s\n' --path once value ''
      return
    case 'sandbox faults set:--method'
      printf '%s\n' --method once choices '' GET HEAD POST PUT PATCH DELETE
      return
    case 'sandbox faults set:--times'
      printf '%s\n' --times once value ''
      return
    case 'sandbox faults set:--share'
      printf '%s\n' --share once value ''
      return
    case 'sandbox faults set:--add'
      printf '%s\n' --add once switch ''
      return
    case 'sandbox faults set:--fault-seed'
      printf '%s\n' --fault-seed once value ''
      return
    case 'sandbox faults set:--url'
      printf '%s\n' --url once value ''
      return
    case 'sandbox faults set:--control-key-file'
      printf '%s\n' --control-key-file once file ''
      return
    case 'sandbox faults list:--url'
      printf '%s\n' --url once value ''
      return
    case 'sandbox faults list:--control-key-file'
      printf '%s\n' --control-key-file once file ''
      return
    case 'sandbox faults list:--sort'
      printf '%s\n' --sort once list sort-field
      return
    case 'sandbox faults list:--limit'
      printf '%s\n' --limit once value ''
      return
    case 'sandbox faults list:--search'
      printf '%s\n' --search once value ''
      return
    case 'sandbox faults clear:--url'
      printf '%s\n' --url once value ''
      return
    case 'sandbox faults clear:--control-key-file'
      printf '%s\n' --control-key-file once file ''
      return
    case 'sandbox requests:--method'
      printf '%s\n' --method once choices '' GET HEAD POST PUT PATCH DELETE
      return
    case 'sandbox requests:--path'
      printf '%s\n' --path once value ''
      return
    case 'sandbox requests:--status'
      printf '%s\n' --status once value ''
      return
    case 'sandbox requests:--direction'
      printf '%s\n' --direction once choices '' received sent
      return
    case 'sandbox requests:--connection'
      printf '%s\n' --connection once value ''
      return
    case 'sandbox requests:--user'
      printf '%s\n' --user once value ''
      return
    case 'sandbox requests:--last'
      printf '%s\n' --last once value ''
      return
    case 'sandbox requests:--follow' 'sandbox requests:-f'
      printf '%s\n' --follow once switch ''
      return
    case 'sandbox requests:--url'
      printf '%s\n' --url once value ''
      return
    case 'sandbox requests:--control-key-file'
      printf '%s\n' --control-key-file once file ''
      return
    case 'sandbox requests:--sort'
      printf '%s\n' --sort once list sort-field
      return
    case 'sandbox requests:--limit'
      printf '%s\n' --limit once value ''
      return
    case 'sandbox requests:--search'
      printf '%s\n' --search once value ''
      return
    case 'sandbox send-again:--method' 'sandbox send-again:-X'
      printf '%s\n' --method once choices '' GET HEAD POST PUT PATCH DELETE
      return
    case 'sandbox send-again:--path'
      printf '%s\n' --path once value ''
      return
    case 'sandbox send-again:--header' 'sandbox send-again:-H'
      printf '%s\n' --header repeats value ''
      return
    case 'sandbox send-again:--input'
      printf '%s\n' --input once file ''
      return
    case 'sandbox send-again:--url'
      printf '%s\n' --url once value ''
      return
    case 'sandbox send-again:--control-key-file'
      printf '%s\n' --control-key-file once file ''
      return
    case 'sandbox activity:--connection'
      printf '%s\n' --connection once value ''
      return
    case 'sandbox activity:--user'
      printf '%s\n' --user once value ''
      return
    case 'sandbox activity:--step'
      printf '%s\n' --step once choices '' notified polled found queried ran skipped failed given_up options validated webhook_sent signed_in refreshed identity_deleted warning
      return
    case 'sandbox activity:--status'
      printf '%s\n' --status once value ''
      return
    case 'sandbox activity:--last'
      printf '%s\n' --last once value ''
      return
    case 'sandbox activity:--follow' 'sandbox activity:-f'
      printf '%s\n' --follow once switch ''
      return
    case 'sandbox activity:--url'
      printf '%s\n' --url once value ''
      return
    case 'sandbox activity:--control-key-file'
      printf '%s\n' --control-key-file once file ''
      return
    case 'sandbox activity:--sort'
      printf '%s\n' --sort once list sort-field
      return
    case 'sandbox activity:--limit'
      printf '%s\n' --limit once value ''
      return
    case 'sandbox activity:--search'
      printf '%s\n' --search once value ''
      return
    case 'sandbox trigger:--user-id'
      printf '%s\n' --user-id once value ''
      return
    case 'sandbox trigger:--set'
      printf '%s\n' --set repeats value ''
      return
    case 'sandbox trigger:--url'
      printf '%s\n' --url once value ''
      return
    case 'sandbox trigger:--control-key-file'
      printf '%s\n' --control-key-file once file ''
      return
    case 'sandbox users:--tokens'
      printf '%s\n' --tokens once switch ''
      return
    case 'sandbox users:--url'
      printf '%s\n' --url once value ''
      return
    case 'sandbox users:--control-key-file'
      printf '%s\n' --control-key-file once file ''
      return
    case 'sandbox users:--sort'
      printf '%s\n' --sort once list sort-field
      return
    case 'sandbox users:--limit'
      printf '%s\n' --limit once value ''
      return
    case 'sandbox users:--search'
      printf '%s\n' --search once value ''
      return
    case 'sandbox reset:--seed'
      printf '%s\n' --seed once file ''
      return
    case 'sandbox reset:--url'
      printf '%s\n' --url once value ''
      return
    case 'sandbox reset:--control-key-file'
      printf '%s\n' --control-key-file once file ''
      return
    case 'sandbox seed:--seed'
      printf '%s\n' --seed once choices '' 'plain	short English names, and places in one city' 'unusual	texts in other scripts, with emoji, markup and escapes, and places that are hard to draw'
      return
    case 'sandbox seed:--definition'
      printf '%s\n' --definition once file ''
      return
    case 'sandbox seed:--running'
      printf '%s\n' --running once switch ''
      return
    case 'sandbox seed:--url'
      printf '%s\n' --url once value ''
      return
    case 'sandbox seed:--control-key-file'
      printf '%s\n' --control-key-file once file ''
      return
    case 'configure:--set'
      printf '%s\n' --set repeats request setting
      return
    case 'configure:--file'
      printf '%s\n' --file once file ''
      return
    case 'configure:--add-feature'
      printf '%s\n' --add-feature repeats request feature
      return
    case 'configure:--enable-feature'
      printf '%s\n' --enable-feature repeats request feature
      return
    case 'configure:--disable-feature'
      printf '%s\n' --disable-feature repeats request feature
      return
    case 'configure:--remove-feature'
      printf '%s\n' --remove-feature repeats request feature
      return
    case 'configure:--skip' 'configure:--no-skip'
      printf '%s\n' --skip once switch ''
      return
    case 'configure:--wait' 'configure:--no-wait'
      printf '%s\n' --wait once switch ''
      return
    case 'configure:--resume'
      printf '%s\n' --resume once switch ''
      return
    case 'configure:--email'
      printf '%s\n' --email once value ''
      return
    case 'configure:--force'
      printf '%s\n' --force once switch ''
      return
    case 'configure:--url'
      printf '%s\n' --url once choices '' 'sdk	the page that IFTTT\'s SDKs open; returns a user token' 'connect	the documented page; returns no result'
      return
    case 'configure:--finish'
      printf '%s\n' --finish once value ''
      return
    case 'configure:--oauth-code-file'
      printf '%s\n' --oauth-code-file once file ''
      return
    case 'configure:--reveal'
      printf '%s\n' --reveal once switch ''
      return
    case 'configure:--browser' 'configure:--no-browser'
      printf '%s\n' --browser once switch ''
      return
    case 'configure:--redirect-uri'
      printf '%s\n' --redirect-uri once value ''
      return
    case 'configure:--nonce' 'configure:--no-nonce'
      printf '%s\n' --nonce once switch ''
      return
    case 'configure:--as'
      printf '%s\n' --as once choices '' user service anonymous
      return
    case 'configure:--user-token-file'
      printf '%s\n' --user-token-file once file ''
      return
    case 'configure:--service-key-file'
      printf '%s\n' --service-key-file once file ''
      return
    case 'configure:--user-id'
      printf '%s\n' --user-id once request token-user
      return
    case 'configure:--invite-code'
      printf '%s\n' --invite-code once value ''
      return
    case 'configure:--report'
      printf '%s\n' --report repeats file ''
      return
    case 'api:--field' 'api:-f'
      printf '%s\n' --field repeats value ''
      return
    case 'api:--typed-field' 'api:-F'
      printf '%s\n' --typed-field repeats value ''
      return
    case 'api:--header' 'api:-H'
      printf '%s\n' --header repeats value ''
      return
    case 'api:--method' 'api:-X'
      printf '%s\n' --method once choices '' GET HEAD POST PUT PATCH DELETE
      return
    case 'api:--input'
      printf '%s\n' --input once file ''
      return
    case 'api:--as'
      printf '%s\n' --as once choices '' user service anonymous
      return
    case 'api:--user-token-file'
      printf '%s\n' --user-token-file once file ''
      return
    case 'api:--service-key-file'
      printf '%s\n' --service-key-file once file ''
      return
    case 'api:--user-id'
      printf '%s\n' --user-id once request token-user
      return
    case 'api:--invite-code'
      printf '%s\n' --invite-code once value ''
      return
    case 'doctor:--fix'
      printf '%s\n' --fix once switch ''
      return
    case 'schema:--service'
      printf '%s\n' --service once switch ''
      return
    case 'schema:--definition'
      printf '%s\n' --definition once file ''
      return
    case 'schema:--sort'
      printf '%s\n' --sort once list sort-field
      return
    case 'schema:--limit'
      printf '%s\n' --limit once value ''
      return
    case 'schema:--search'
      printf '%s\n' --search once value ''
      return
    case 'help:--all'
      printf '%s\n' --all once switch ''
      return
    case 'grab login:--client-id'
      printf '%s\n' --client-id once value ''
      return
    case 'grab login:--environment'
      printf '%s\n' --environment once choices '' production 'staging	for tests'
      return
    case 'grab login:--scope'
      printf '%s\n' --scope repeats value ''
      return
    case 'grab login:--redirect-uri'
      printf '%s\n' --redirect-uri once value ''
      return
    case 'grab login:--account'
      printf '%s\n' --account once request account
      return
    case 'grab login:--force'
      printf '%s\n' --force once switch ''
      return
    case 'grab login:--no-browser'
      printf '%s\n' --no-browser once switch ''
      return
    case 'grab login:--browser'
      printf '%s\n' --browser once value ''
      return
    case 'grab login:--port'
      printf '%s\n' --port once value ''
      return
    case 'grab login:--print-url'
      printf '%s\n' --print-url once switch ''
      return
    case 'grab login:--device'
      printf '%s\n' --device once switch ''
      return
    case 'grab login:--from-plist'
      printf '%s\n' --from-plist once file ''
      return
    case 'grab login:--from-manifest'
      printf '%s\n' --from-manifest once file ''
      return
    case 'grab login:--acr-value'
      printf '%s\n' --acr-value repeats value ''
      return
    case 'grab login:--login-hint'
      printf '%s\n' --login-hint once value ''
      return
    case 'grab login:--id-token-hint'
      printf '%s\n' --id-token-hint once choices '' 'stored	the account\'s ID token'
      return
    case 'grab login:--id-token-hint-file'
      printf '%s\n' --id-token-hint-file once file ''
      return
    case 'grab login:--prompt'
      printf '%s\n' --prompt once value ''
      return
    case 'grab login:--request-file'
      printf '%s\n' --request-file once file ''
      return
    case 'grab login:--claims'
      printf '%s\n' --claims once value ''
      return
    case 'grab login:--ui-locales'
      printf '%s\n' --ui-locales once value ''
      return
    case 'grab login:--max-auth-age'
      printf '%s\n' --max-auth-age once value ''
      return
    case 'grab login:--param'
      printf '%s\n' --param repeats value ''
      return
    case 'grab login:--require-pkce' 'grab login:--no-require-pkce'
      printf '%s\n' --require-pkce once switch ''
      return
    case 'grab login:--require-acr' 'grab login:--no-require-acr'
      printf '%s\n' --require-acr once switch ''
      return
    case 'grab login:--verify-remote'
      printf '%s\n' --verify-remote once choices '' never 'always	as Grab asks partners to do'
      return
    case 'grab login:--discovery-url'
      printf '%s\n' --discovery-url once value ''
      return
    case 'grab login:--issuer'
      printf '%s\n' --issuer once value ''
      return
    case 'grab login:--client-secret-file'
      printf '%s\n' --client-secret-file once file ''
      return
    case 'grab login:--partner-id'
      printf '%s\n' --partner-id once value ''
      return
    case 'grab login:--trusted-audience'
      printf '%s\n' --trusted-audience repeats value ''
      return
    case 'grab login:--algorithm'
      printf '%s\n' --algorithm repeats choices '' PS256 EdDSA
      return
    case 'grab login:--clock-allowance'
      printf '%s\n' --clock-allowance once value ''
      return
    case 'grab login:--strict-kid' 'grab login:--no-strict-kid'
      printf '%s\n' --strict-kid once switch ''
      return
    case 'grab login:--token-request'
      printf '%s\n' --token-request once choices '' 'form	as in RFC 6749' 'json	as in some of Grab\'s own clients'
      return
    case 'grab login:--token-info-request'
      printf '%s\n' --token-info-request once choices '' 'query	as in Grab\'s SDKs' json form
      return
    case 'grab status:--account'
      printf '%s\n' --account once request account
      return
    case 'grab id-token:--account'
      printf '%s\n' --account once request account
      return
    case 'grab id-token:--remote'
      printf '%s\n' --remote once switch ''
      return
    case 'grab id-token:--raw'
      printf '%s\n' --raw once switch ''
      return
    case 'grab id-token:--client-secret-file'
      printf '%s\n' --client-secret-file once file ''
      return
    case 'grab id-token:--partner-id'
      printf '%s\n' --partner-id once value ''
      return
    case 'grab id-token:--trusted-audience'
      printf '%s\n' --trusted-audience repeats value ''
      return
    case 'grab id-token:--algorithm'
      printf '%s\n' --algorithm repeats choices '' PS256 EdDSA
      return
    case 'grab id-token:--clock-allowance'
      printf '%s\n' --clock-allowance once value ''
      return
    case 'grab id-token:--strict-kid' 'grab id-token:--no-strict-kid'
      printf '%s\n' --strict-kid once switch ''
      return
    case 'grab id-token:--token-info-request'
      printf '%s\n' --token-info-request once choices '' 'query	as in Grab\'s SDKs' json form
      return
    case 'grab refresh:--account'
      printf '%s\n' --account once request account
      return
    case 'grab refresh:--if-needed'
      printf '%s\n' --if-needed once switch ''
      return
    case 'grab refresh:--print'
      printf '%s\n' --print once switch ''
      return
    case 'grab refresh:--client-secret-file'
      printf '%s\n' --client-secret-file once file ''
      return
    case 'grab refresh:--token-request'
      printf '%s\n' --token-request once choices '' 'form	as in RFC 6749' 'json	as in some of Grab\'s own clients'
      return
    case 'grab logout:--account'
      printf '%s\n' --account once request account
      return
    case 'grab logout:--all'
      printf '%s\n' --all once switch ''
      return
    case 'grab logout:--local'
      printf '%s\n' --local once switch ''
      return
    case 'grab logout:--browser'
      printf '%s\n' --browser once switch ''
      return
    case 'grab logout:--no-browser'
      printf '%s\n' --no-browser once switch ''
      return
    case 'grab logout:--require-revocation'
      printf '%s\n' --require-revocation once switch ''
      return
    case 'grab logout:--client-secret-file'
      printf '%s\n' --client-secret-file once file ''
      return
    case 'grab apps:--client-id'
      printf '%s\n' --client-id once value ''
      return
    case 'grab apps:--environment'
      printf '%s\n' --environment once choices '' production 'staging	for tests'
      return
    case 'grab apps:--discovery-url'
      printf '%s\n' --discovery-url once value ''
      return
    case 'grab apps:--issuer'
      printf '%s\n' --issuer once value ''
      return
    case 'grab apps:--open'
      printf '%s\n' --open once choices '' ios android
      return
  end
  switch $argv[2]
    case --profile -p
      printf '%s\n' --profile once request profile
      return
    case --output -o
      printf '%s\n' --output once choices '' 'table	for people' 'json	one document' 'jsonl	one object per line' 'csv	RFC 4180' 'tsv	separated by tabs; \\t and \\n are escaped' 'yaml	YAML 1.2, one document' 'env	NAME=VALUE, for eval in a shell'
      return
    case --json
      printf '%s\n' --json once switch ''
      return
    case --fields
      printf '%s\n' --fields once list field
      return
    case --jq
      printf '%s\n' --jq once value ''
      return
    case --no-header
      printf '%s\n' --no-header once switch ''
      return
    case --color
      printf '%s\n' --color once choices '' auto always never
      return
    case --time-style
      printf '%s\n' --time-style once choices '' relative absolute
      return
    case --offline
      printf '%s\n' --offline once switch ''
      return
    case --max-age
      printf '%s\n' --max-age once value ''
      return
    case --timeout
      printf '%s\n' --timeout once value ''
      return
    case --retries
      printf '%s\n' --retries once value ''
      return
    case --jobs
      printf '%s\n' --jobs once value ''
      return
    case --locale
      printf '%s\n' --locale once request language
      return
    case --dry-run -n
      printf '%s\n' --dry-run once switch ''
      return
    case --exit-code
      printf '%s\n' --exit-code once switch ''
      return
    case --yes -y
      printf '%s\n' --yes once switch ''
      return
    case --no-input
      printf '%s\n' --no-input once switch ''
      return
    case --no-plugins
      printf '%s\n' --no-plugins once switch ''
      return
    case --no-linked-plugins
      printf '%s\n' --no-linked-plugins once switch ''
      return
    case --trace-plugins
      printf '%s\n' --trace-plugins once switch ''
      return
    case --quiet -q
      printf '%s\n' --quiet once switch ''
      return
    case --verbose -v
      printf '%s\n' --verbose once switch ''
      return
    case --record
      printf '%s\n' --record once directory ''
      return
    case --replay
      printf '%s\n' --replay once directory ''
      return
    case --help -h
      printf '%s\n' --help once switch ''
      return
    case --version -V
      printf '%s\n' --version once switch ''
      return
  end
  return 1
end

# PATH NUMBER: writes kind, source and choices, one per line.
function __ifttt_argument
  switch "$argv[1]:$argv[2]"
    case 'connections show:*'
      printf '%s\n' request connection-id
    case 'connections add:*'
      printf '%s\n' value ''
    case 'connections remove:*'
      printf '%s\n' request connection-id
    case 'connections enable:*'
      printf '%s\n' request connection-id
    case 'connections disable:*'
      printf '%s\n' request connection-id
    case 'connections activate:0'
      printf '%s\n' request connection-id
    case 'connections history:0'
      printf '%s\n' value ''
    case 'connections undo:0'
      printf '%s\n' value ''
    case 'connections export:*'
      printf '%s\n' request connection-id
    case 'connections diff:0'
      printf '%s\n' file ''
    case 'connections apply:0'
      printf '%s\n' file ''
    case 'connections wait:*'
      printf '%s\n' request connection-id
    case 'connections watch:*'
      printf '%s\n' request connection-id
    case 'connections open:0'
      printf '%s\n' request connection-id
    case 'connections options:0'
      printf '%s\n' request connection-id
    case 'connections options:*'
      printf '%s\n' request field-address
    case 'connections run:0'
      printf '%s\n' request connection-id
    case 'connections run:1'
      printf '%s\n' request action
    case 'connections query:0'
      printf '%s\n' request connection-id
    case 'connections query:1'
      printf '%s\n' request query
    case 'connections test:0'
      printf '%s\n' request connection-id
    case 'connections test:1'
      printf '%s\n' request trigger
    case 'connections button:0'
      printf '%s\n' request connection-id
    case 'connections configure:0'
      printf '%s\n' request connection-id
    case 'location regions:*'
      printf '%s\n' request connection-id
    case 'location replay:0'
      printf '%s\n' file ''
    case 'location map:0'
      printf '%s\n' file ''
    case 'location report:0'
      printf '%s\n' request region
    case 'location report:1'
      printf '%s\n' choices '' enter exit
    case 'location reset:*'
      printf '%s\n' request region
    case 'location on:*'
      printf '%s\n' request connection-id
    case 'location off:*'
      printf '%s\n' request connection-id
    case 'location events clear:*'
      printf '%s\n' value ''
    case 'applets fetch:*'
      printf '%s\n' request applet-id
    case 'applets activate:0'
      printf '%s\n' request applet-id
    case 'applets enable:*'
      printf '%s\n' request applet-id
    case 'applets disable:*'
      printf '%s\n' request applet-id
    case 'applets list:*'
      printf '%s\n' request applet-id
    case 'token show:0'
      printf '%s\n' request token-user
    case 'token remove:*'
      printf '%s\n' request token-user
    case 'profile create:0'
      printf '%s\n' value ''
    case 'profile create:*'
      printf '%s\n' value ''
    case 'profile set:0'
      printf '%s\n' request profile
    case 'profile set:*'
      printf '%s\n' value ''
    case 'profile use:0'
      printf '%s\n' request profile
    case 'profile show:0'
      printf '%s\n' request profile
    case 'profile remove:0'
      printf '%s\n' request profile
    case 'store backup:0'
      printf '%s\n' file ''
    case 'store restore:0'
      printf '%s\n' file ''
    case 'store rekey:*'
      printf '%s\n' value ''
    case 'plugin show:0'
      printf '%s\n' request plugin
    case 'plugin install:0'
      printf '%s\n' file ''
    case 'plugin search:0'
      printf '%s\n' value ''
    case 'plugin upgrade:*'
      printf '%s\n' request plugin
    case 'plugin rollback:0'
      printf '%s\n' request plugin
    case 'plugin remove:0'
      printf '%s\n' request plugin
    case 'plugin link:0'
      printf '%s\n' directory ''
    case 'plugin unlink:0'
      printf '%s\n' request plugin
    case 'plugin verify:*'
      printf '%s\n' request plugin
    case 'plugin new:0'
      printf '%s\n' value ''
    case 'plugin test:0'
      printf '%s\n' directory ''
    case 'plugin package:0'
      printf '%s\n' directory ''
    case 'plugin index add:0'
      printf '%s\n' request plugin-index
    case 'plugin index add:1'
      printf '%s\n' file ''
    case 'plugin index add:*'
      printf '%s\n' value ''
    case 'plugin index update:*'
      printf '%s\n' request plugin-index
    case 'plugin index remove:0'
      printf '%s\n' request plugin-index
    case 'plugin trust add:0'
      printf '%s\n' value ''
    case 'plugin trust add:1'
      printf '%s\n' file ''
    case 'plugin trust remove:0'
      printf '%s\n' value ''
    case 'report merge:*'
      printf '%s\n' file ''
    case 'service test:0'
      printf '%s\n' value ''
    case 'service call:0'
      printf '%s\n' value ''
    case 'service call:1'
      printf '%s\n' request service-endpoint
    case 'service listen:*'
      printf '%s\n' value ''
    case 'service events show:0'
      printf '%s\n' value ''
    case 'service events replay:*'
      printf '%s\n' value ''
    case 'webhook fire:0'
      printf '%s\n' value ''
    case 'sandbox faults set:*'
      printf '%s\n' choices '' 'latency=DURATION	respond later; DURATION..DURATION for a random delay' 'status=CODE	an error status; with retry-after=SECONDS or retry-after-date=SECONDS' 'reset	reset the connection instead of responding' 'reset-in-body	reset the connection in the middle of the body' 'truncate	close the connection in the middle of the body' 'drip=DURATION	send the body byte by byte, with this pause' 'bad-json	truncate the JSON' 'html	respond with an HTML page and status 200' 'gzip	compress the body' 'chunked	send the body in chunks' 'chunked-trailer	send the body in chunks, with a trailer field after the last one' 'invalid-utf8	put invalid UTF-8 into names' 'duplicate-keys	repeat each key' 'unknown-enum	use unknown statuses and field types' 'wrong-types	send numbers as strings and names as numbers' 'extra-keys	add unknown keys' 'huge=SIZE	pad the body to this size; default: 100M' 'redirect=ORIGIN	redirect to another scheme://host:port' 'escapes	put terminal escapes into names'
    case 'sandbox requests:0'
      printf '%s\n' value ''
    case 'sandbox send-again:0'
      printf '%s\n' value ''
    case 'sandbox activity:0'
      printf '%s\n' value ''
    case 'sandbox trigger:0'
      printf '%s\n' request connection-id
    case 'sandbox trigger:1'
      printf '%s\n' value ''
    case 'configure:0'
      printf '%s\n' request connection-id
    case 'api:0'
      printf '%s\n' choices '' GET HEAD POST PUT PATCH DELETE
    case 'api:1'
      printf '%s\n' value ''
    case 'schema:*'
      printf '%s\n' request schema
    case 'completion:0'
      printf '%s\n' choices '' bash zsh fish
    case 'man:*'
      printf '%s\n' command ''
    case 'help:*'
      printf '%s\n' command '' options exit-codes environment formats files plugins tracks
    case 'grab complete:0'
      printf '%s\n' value ''
  end
end

# Requests the values of a kind from the program. Its output is only compared and quoted, never evaluated.
# PREFIX SOURCE COMMAND PROFILE TYPED ARGUMENT: writes candidates that begin with PREFIX.
function __ifttt_request
  # If the program is not on PATH, fish would print an error at the prompt.
  command -q ifttt; or return
  set -l context "--command=$argv[3]"
  test -z "$argv[4]"; or set -a context "--profile=$argv[4]"
  test -z "$argv[6]"; or set -a context "--argument=$argv[6]"
  set -l candidates (command ifttt __complete $argv[2] $context -- $argv[5] 2>/dev/null </dev/null)
  set -q candidates[1]; and printf '%s\n' $argv[1]$candidates
end

# PREFIX TYPED COMMAND PROFILE ARGUMENTS KIND SOURCE CHOICES...: writes candidates that begin with PREFIX.
function __ifttt_values
  set -l prefix $argv[1]
  set -l typed $argv[2]
  switch "$argv[6]"
    case choices
      printf "%s\n" $prefix$argv[8..-1]
    case command
      __ifttt_subcommands $argv[5]
      test -n "$argv[5]"; or printf "%s\n" $argv[8..-1]
    case request
      __ifttt_request "$prefix" $argv[7] $argv[3] $argv[4] "$typed" (string split ' ' -- $argv[5])[1]
    case list
      set -l parts (string match -r -- '^((?:.*,)?)([^,]*)$' $typed)
      __ifttt_request "$prefix$parts[2]" $argv[7] $argv[3] $argv[4] "$parts[3]" (string split ' ' -- $argv[5])[1]
    case file directory
      for path in (complete -C "'' "(string escape -- $typed))
        # A candidate can have a description.
        set -l bare (string split -m 1 -- \t $path)[1]
        if test $argv[6] = file; or string match -q -- '*/' $bare
          printf '%s\n' "$prefix$bare"
        end
      end
  end
end

# Reads the words before the cursor, then writes the candidates.
function __ifttt_complete
  set -l words (commandline -opc)
  set -l raw (commandline -ct)
  # Close an open quote before reading the word.
  set -l cur (string unescape -- "$raw"; or string unescape -- "$raw'"; or string unescape -- "$raw\"")
  set -l command ''
  set -l given
  set -l arguments
  set -l profile ''
  set -l ended ''
  set -l awaited ''
  set -l seen
  for word in $words[2..-1]
    if test -n "$awaited"
      test "$awaited" = --profile; and set profile $word
      set awaited ''
    else if test -n "$ended"; or not string match -q -- '-?*' $word
      if test -z "$ended"; and not set -q arguments[1]
          and contains -- $word (__ifttt_subcommands $command | string replace -r -- '\t.*' '')
        set command (string trim -- "$command $word")
      else
        set -a arguments $word
      end
    else if test "$word" = --
      set ended 1
    else if string match -q -- '--*' $word
      set -l name (string split -m 1 -- = $word)
      set -l facts (__ifttt_option $command $name[1]); or continue
      test $facts[2] = repeats; or set -a given $facts[1]
      if set -q name[2]
        test $facts[1] = --profile; and set profile $name[2]
      else if test $facts[3] != switch
        set awaited $facts[1]
      end
    else
      for index in (seq 2 (string length -- $word))
        set -l facts (__ifttt_option $command -(string sub -s $index -l 1 -- $word)); or continue
        test $facts[2] = repeats; or set -a given $facts[1]
        test $facts[3] = switch; and continue
        if test $index -eq (string length -- $word)
          set awaited $facts[1]
        else if test $facts[1] = --profile
          set profile (string sub -s (math $index + 1) -- $word)
        end
        break
      end
    end
  end

  if test -n "$awaited"
    set -l facts (__ifttt_option $command $awaited)
    __ifttt_values '' "$cur" "$command" "$profile" "$arguments" $facts[3..-1]
  else if test -z "$ended"; and string match -q -- '--*=*' $cur
    set -l name (string split -m 1 -- = $cur)
    set -l facts (__ifttt_option $command $name[1]); or return
    __ifttt_values "$name[1]=" "$name[2]" "$command" "$profile" "$arguments" $facts[3..-1]
  else if test -z "$ended"; and string match -q -- '-*' $cur
    if string match -q -r -- '^-[^-].' $cur
      for index in (seq 2 (math (string length -- $cur) - 1))
        set -l facts (__ifttt_option $command -(string sub -s $index -l 1 -- $cur)); or break
        test $facts[3] = switch; and continue
        set -l typed (string sub -s (math $index + 1) -- $cur)
        set -l prefix (string sub -l $index -- $cur)
        __ifttt_values $prefix $typed "$command" "$profile" "$arguments" $facts[3..-1]
        return
      end
    end
    for line in (__ifttt_spellings $command)
      set -l spelling (string split -m 1 -- \t $line)[1]
      set -l facts (__ifttt_option $command $spelling)
      # A command's own option hides a global option of the same name.
      contains -- $facts[1] $given; or contains -- $spelling $seen; or printf '%s\n' $line
      set -a seen $spelling
    end
  else
    if test -z "$ended"; and not set -q arguments[1]
      __ifttt_subcommands $command
    end
    set -l facts (__ifttt_argument $command (count $arguments))
    set -q facts[1]; or return
    # A value that would be parsed as an option is not offered.
    set -l options '-*'
    test -z "$ended"; or set options ''
    __ifttt_values '' "$cur" "$command" "$profile" "$arguments" $facts | string match -v -- $options
  end
end

complete -c ifttt -e
complete -c ifttt -f -a '(__ifttt_complete)'
