# Completion of ifttt for fish. Generated from the command tree.
# Source it, or install it as share/fish/vendor_completions.d/ifttt.fish.

# PATH: writes the names, each with its description.
function __ifttt_subcommands
  switch $argv[1]
    case ''
      printf '%s\n' 'connections	List, show and change connections' 'location	Watch a connection\'s geofences from a track, without walking' 'applets	Fetch and change a service\'s Applets (API v1)' 'token	Exchange and keep user tokens' 'profile	Keep sets of credentials, base URLs and connections under names' 'privacy	See and choose whether usage events are sent to IFTTT' 'store	Look after the database: check, back up, restore, change its key' 'plugin	Look after plugins: list, install, verify, write them' 'sandbox	Serve the local emulator of IFTTT to other programs' 'configure	Show and set a connection\'s fields' 'api	Send any request with this profile\'s credentials' 'doctor	Check the set-up, and say what to do about it' 'schema	Print the JSON Schema of a command\'s JSON output' 'completion	Print the completion script of a shell' 'man	Show a command\'s man page; in a pipe, its source' 'help	Explain a command in full; with --json, the whole tree as data' 'version	Print the program\'s version' 'grab	Sign in with a Grab account'
    case 'connections'
      printf '%s\n' 'list	List the connections this profile tracks' 'show	Show connections in full, and track them' 'add	Track connections' 'remove	Stop tracking connections; nothing changes at IFTTT' 'enable	Turn connections on again' 'disable	Turn connections off' 'activate	Switch a connection on for the first time, in the browser' 'undo	Undo the last batch of changes' 'wait	Wait until connections are as asked' 'watch	Show changes of connections as they happen' 'open	Open a connection\'s page at IFTTT in the browser' 'options	Show what each field of a connection accepts' 'run	Run an action of a connection' 'query	Perform a query of a connection' 'test	Fire a test of a connection\'s trigger' 'refresh-labels	Have IFTTT read the options\' labels again' 'button	Draw a connection\'s Connect Button'
    case 'location'
      printf '%s\n' 'regions	List the geofences of the enabled connections' 'replay	Walk a track through the geofences and report entries and exits' 'map	Draw the geofences, and a track with its entries and exits' 'report	Report one entry or exit to IFTTT' 'reset	Clear the remembered inside/outside states' 'on	Have a connection\'s geofences watched, and IFTTT told of entries and exits' 'off	Leave a connection\'s geofences alone; nothing changes at IFTTT' 'events	The location events that IFTTT has not accepted yet'
    case 'location events'
      printf '%s\n' 'list	List the location events that IFTTT has not accepted yet, oldest first' 'flush	Send the location events that wait' 'clear	Give up location events that wait; IFTTT will never hear of them'
    case 'applets'
      printf '%s\n' 'fetch	Fetch a service\'s Applets' 'activate	Switch an Applet on for the first time, in the browser' 'enable	Turn Applets on again' 'disable	Turn Applets off'
    case 'token'
      printf '%s\n' 'exchange	Get a user token for a user of your service, and keep it' 'list	List the user tokens kept in this profile, masked' 'show	Show a user token' 'set	Keep a user token that you already have' 'remove	Forget user tokens; they stay valid at IFTTT' 'verify	Ask IFTTT whose credentials these are'
    case 'profile'
      printf '%s\n' 'list	List the profiles' 'create	Make a profile, or change one with --update' 'use	Use a profile from now on where no other is named' 'show	Show a profile\'s settings and which credentials it keeps' 'remove	Remove a profile with its credentials and tracked connections'
    case 'privacy'
      printf '%s\n' 'show	Show whether usage events are on, and what would be sent next' 'on	Switch usage events on, and make an anonymous id' 'off	Switch usage events off; forget the anonymous id and all that waits' 'reset	Make a new anonymous id; what waits under the old one is forgotten'
    case 'store'
      printf '%s\n' 'info	Show where the store is, its size, and which key seals it' 'check	Check both databases and open every sealed credential' 'backup	Copy the database to a file' 'restore	Put a backup in the place of the database' 'rekey	Seal every credential with a new key'
    case 'plugin'
      printf '%s\n' 'list	List the plugins there are, also those that cannot be used, and why' 'show	Show what a plugin says of itself, what it may see and whether it can be used' 'install	Install a plugin from a folder, a file or an archive, once you have seen what it asks for' 'remove	Remove a plugin that was installed' 'verify	Read all files of the plugins again and hold them against what was installed' 'new	Write a plugin that works, to begin with' 'test	Run the conformance tests on a plugin'
    case 'sandbox'
      printf '%s\n' 'start	Serve the sandbox over HTTP, for other programs\' tests' 'env	Print the environment that makes a program use the running server' 'faults	Make the running server fail' 'requests	Show the requests that the running server received, and what it would send' 'reset	Reset the running server, or the sandbox profile' 'seed	Print the sandbox\'s fixtures, as a file to change'
    case 'sandbox faults'
      printf '%s\n' 'set	Make the running server fail, in the ways named' 'list	List the faults that still strike' 'clear	Let no fault strike any more'
    case 'grab'
      printf '%s\n' 'login	Sign in with the browser, or with a code on another device' 'complete	Finish a sign-in with the address that the browser ended at' 'status	Whether the access token and the ID token are valid, and why not' 'id-token	What the ID token says, verified' 'refresh	Exchange the refresh token for new tokens' 'logout	Sign out: revoke the tokens, then forget them' 'apps	The apps that a phone would hand the sign-in to'
  end
end

# PATH: writes the options the command takes.
function __ifttt_spellings
  switch $argv[1]
    case 'connections list'
      printf '%s\n' '--status	Only connections with this status, or one of several' '--refresh	Fetch all again, whatever their age' '--report	Write how each one went to this file, as JUnit XML' '--provider	Only the connections of this provider' '--as	Authenticate at this level' '--user-token-file	Read the user token from this file, \'-\' for standard input (or set IFTTT_USER_TOKEN)' '--service-key-file	Read the service key from this file, \'-\' for standard input (or set IFTTT_SERVICE_KEY)' '--user-id	The user\'s id on your own service' '--invite-code	The code that lets people use an unpublished service'
    case 'connections show'
      printf '%s\n' '--all	All connections that this profile tracks' '--status	Tracked connections with this status, or one of several' '--stdin	Connections from stdin: one id per line, JSON Lines, a JSON array, or the output of \'connections list\'' '--track	Track what is shown' '--no-track	Track what is shown' '--raw	Print IFTTT\'s own JSON, byte for byte' '--report	Write how each one went to this file, as JUnit XML' '--provider	The ids are this provider\'s, as in NAME:ID' '--as	Authenticate at this level' '--user-token-file	Read the user token from this file, \'-\' for standard input (or set IFTTT_USER_TOKEN)' '--service-key-file	Read the service key from this file, \'-\' for standard input (or set IFTTT_SERVICE_KEY)' '--user-id	The user\'s id on your own service' '--invite-code	The code that lets people use an unpublished service'
    case 'connections add'
      printf '%s\n' '--stdin	Connections from stdin: one id per line, JSON Lines, a JSON array, or the output of \'connections list\'' '--report	Write how each one went to this file, as JUnit XML' '--as	Authenticate at this level' '--user-token-file	Read the user token from this file, \'-\' for standard input (or set IFTTT_USER_TOKEN)' '--service-key-file	Read the service key from this file, \'-\' for standard input (or set IFTTT_SERVICE_KEY)' '--user-id	The user\'s id on your own service' '--invite-code	The code that lets people use an unpublished service'
    case 'connections remove'
      printf '%s\n' '--all	All connections that this profile tracks' '--status	Tracked connections with this status, or one of several' '--stdin	Connections from stdin: one id per line, JSON Lines, a JSON array, or the output of \'connections list\''
    case 'connections enable'
      printf '%s\n' '--all	All connections that this profile tracks' '--status	Tracked connections with this status, or one of several' '--stdin	Connections from stdin: one id per line, JSON Lines, a JSON array, or the output of \'connections list\'' '--resume	Go on with the last run of this command that was interrupted or failed' '--force	Send the request even where nothing would change' '--report	Write how each one went to this file, as JUnit XML' '--provider	The ids are this provider\'s, as in NAME:ID' '--as	Authenticate at this level' '--user-token-file	Read the user token from this file, \'-\' for standard input (or set IFTTT_USER_TOKEN)' '--service-key-file	Read the service key from this file, \'-\' for standard input (or set IFTTT_SERVICE_KEY)' '--user-id	The user\'s id on your own service' '--invite-code	The code that lets people use an unpublished service'
    case 'connections disable'
      printf '%s\n' '--all	All connections that this profile tracks' '--status	Tracked connections with this status, or one of several' '--stdin	Connections from stdin: one id per line, JSON Lines, a JSON array, or the output of \'connections list\'' '--resume	Go on with the last run of this command that was interrupted or failed' '--force	Send the request even where nothing would change' '--report	Write how each one went to this file, as JUnit XML' '--provider	The ids are this provider\'s, as in NAME:ID' '--as	Authenticate at this level' '--user-token-file	Read the user token from this file, \'-\' for standard input (or set IFTTT_USER_TOKEN)' '--service-key-file	Read the service key from this file, \'-\' for standard input (or set IFTTT_SERVICE_KEY)' '--user-id	The user\'s id on your own service' '--invite-code	The code that lets people use an unpublished service'
    case 'connections activate'
      printf '%s\n' '--email	The user\'s e-mail address, which identifies a user without a user token' '--force	Go through the browser even if the connection is already enabled' '--url	Open this one of IFTTT\'s two pages' '--redirect-url	Accept this redirect of an earlier run, \'-\' for stdin, instead of opening a page' '--oauth-code-file	Read the OAuth code of your service from this file, \'-\' for stdin (or set IFTTT_OAUTH_CODE)' '--reveal	Print the URL with the OAuth code in it' '--browser	Open the browser; without it, only print the URL and wait' '--no-browser	Open the browser; without it, only print the URL and wait' '--redirect-uri	Redirect the browser to this URI: a loopback address to listen on, your own page, or your own scheme' '--nonce	Add a random part to --redirect-uri, and reject redirects without it' '--no-nonce	Add a random part to --redirect-uri, and reject redirects without it' '--skip-config	Skip IFTTT\'s configuration screen; the connection is then pending until it is configured' '--no-skip-config	Skip IFTTT\'s configuration screen; the connection is then pending until it is configured' '--as	Authenticate at this level' '--user-token-file	Read the user token from this file, \'-\' for standard input (or set IFTTT_USER_TOKEN)' '--service-key-file	Read the service key from this file, \'-\' for standard input (or set IFTTT_SERVICE_KEY)' '--user-id	The user\'s id on your own service' '--invite-code	The code that lets people use an unpublished service'
    case 'connections undo'
      printf '%s\n' '--resume	Resume the last undo that was interrupted or failed' '--force	Send the request whatever was changed since' '--report	Write how each one went to this file, as JUnit XML' '--as	Authenticate at this level' '--user-token-file	Read the user token from this file, \'-\' for standard input (or set IFTTT_USER_TOKEN)' '--service-key-file	Read the service key from this file, \'-\' for standard input (or set IFTTT_SERVICE_KEY)' '--user-id	The user\'s id on your own service' '--invite-code	The code that lets people use an unpublished service'
    case 'connections wait'
      printf '%s\n' '--for	Wait for this, such as status=enabled' '--interval	Ask this often; less often while IFTTT fails or asks for patience' '--as	Authenticate at this level' '--user-token-file	Read the user token from this file, \'-\' for standard input (or set IFTTT_USER_TOKEN)' '--service-key-file	Read the service key from this file, \'-\' for standard input (or set IFTTT_SERVICE_KEY)' '--user-id	The user\'s id on your own service' '--invite-code	The code that lets people use an unpublished service'
    case 'connections watch'
      printf '%s\n' '--interval	Ask this often; less often while IFTTT fails or asks for patience' '--initial	First print every connection as it is, as kind \'present\'' '--count	End after this many changes' '--exec	Run this command once per change, with the arguments after \'--\'' '--as	Authenticate at this level' '--user-token-file	Read the user token from this file, \'-\' for standard input (or set IFTTT_USER_TOKEN)' '--service-key-file	Read the service key from this file, \'-\' for standard input (or set IFTTT_SERVICE_KEY)' '--user-id	The user\'s id on your own service' '--invite-code	The code that lets people use an unpublished service'
    case 'connections open'
      printf '%s\n' '--edit	Open its edit page instead of its manage page' '--browser	Open the browser; without it, only print the URL' '--no-browser	Open the browser; without it, only print the URL'
    case 'connections options'
      printf '%s\n' '--as	Authenticate at this level' '--user-token-file	Read the user token from this file, \'-\' for standard input (or set IFTTT_USER_TOKEN)' '--service-key-file	Read the service key from this file, \'-\' for standard input (or set IFTTT_SERVICE_KEY)' '--user-id	The user\'s id on your own service' '--invite-code	The code that lets people use an unpublished service'
    case 'connections run'
      printf '%s\n' '--field	Use this value instead of the stored one; an option by value or label, a location as lat,lng[,radius]' '-f	Use this value instead of the stored one; an option by value or label, a location as lat,lng[,radius]' '--user-feature	The user feature to use, by its id or as FEATURE#2; without it, the first' '--as	Authenticate at this level' '--user-token-file	Read the user token from this file, \'-\' for standard input (or set IFTTT_USER_TOKEN)' '--service-key-file	Read the service key from this file, \'-\' for standard input (or set IFTTT_SERVICE_KEY)' '--user-id	The user\'s id on your own service' '--invite-code	The code that lets people use an unpublished service'
    case 'connections query'
      printf '%s\n' '--field	Use this value instead of the stored one; an option by value or label, a location as lat,lng[,radius]' '-f	Use this value instead of the stored one; an option by value or label, a location as lat,lng[,radius]' '--all	All pages, not only the first' '--include	Resolve this ingredient in place' '--limit	Ask for so many rows at once' '--user-feature	The user feature to use, by its id or as FEATURE#2; without it, the first' '--as	Authenticate at this level' '--user-token-file	Read the user token from this file, \'-\' for standard input (or set IFTTT_USER_TOKEN)' '--service-key-file	Read the service key from this file, \'-\' for standard input (or set IFTTT_SERVICE_KEY)' '--user-id	The user\'s id on your own service' '--invite-code	The code that lets people use an unpublished service'
    case 'connections test'
      printf '%s\n' '--user-feature	The user feature to use, by its id or as FEATURE#2; without it, the first' '--as	Authenticate at this level' '--user-token-file	Read the user token from this file, \'-\' for standard input (or set IFTTT_USER_TOKEN)' '--service-key-file	Read the service key from this file, \'-\' for standard input (or set IFTTT_SERVICE_KEY)' '--user-id	The user\'s id on your own service' '--invite-code	The code that lets people use an unpublished service'
    case 'connections refresh-labels'
      printf '%s\n' '--as	Authenticate at this level' '--user-token-file	Read the user token from this file, \'-\' for standard input (or set IFTTT_USER_TOKEN)' '--service-key-file	Read the service key from this file, \'-\' for standard input (or set IFTTT_SERVICE_KEY)' '--user-id	The user\'s id on your own service' '--invite-code	The code that lets people use an unpublished service'
    case 'connections button'
      printf '%s\n' '--format	Draw it as this' '--state	Draw this point of the way' '--style	Draw it for this kind of page' '--email	The e-mail address in the field, and in the footer' '--footer	Draw the line under the button' '--no-footer	Draw the line under the button' '--icons	Name the services\' icons in svg and html; a browser that shows the drawing may fetch them' '--no-icons	Name the services\' icons in svg and html; a browser that shows the drawing may fetch them' '--as	Authenticate at this level' '--user-token-file	Read the user token from this file, \'-\' for standard input (or set IFTTT_USER_TOKEN)' '--service-key-file	Read the service key from this file, \'-\' for standard input (or set IFTTT_SERVICE_KEY)' '--user-id	The user\'s id on your own service' '--invite-code	The code that lets people use an unpublished service'
    case 'location regions'
      printf '%s\n' '--format	Print them as this' '--as	Authenticate at this level' '--user-token-file	Read the user token from this file, \'-\' for standard input (or set IFTTT_USER_TOKEN)' '--service-key-file	Read the service key from this file, \'-\' for standard input (or set IFTTT_SERVICE_KEY)' '--user-id	The user\'s id on your own service' '--invite-code	The code that lets people use an unpublished service'
    case 'location replay'
      printf '%s\n' '--track-format	Read the track as this' '--gpsd	Take positions from a gpsd as they come, for as long as it gives any' '--speed	Play the track this fast, such as 1x or 60x' '--times	Which times the events have' '--connection	Only the regions of this connection' '--remember	Begin on the sides remembered from last time, and remember where the track ends' '--initial	Count being inside a region at first sight as an entry' '--limit	Watch only so many regions at once, the nearest ones; iOS watches 20' '--min-accuracy	Skip positions whose accuracy is worse, which is a larger number of metres' '--hysteresis	Count a region as left only so many metres beyond its radius' '--dwell	Count a crossing only once the track has stayed on the new side for so long' '--as	Authenticate at this level' '--user-token-file	Read the user token from this file, \'-\' for standard input (or set IFTTT_USER_TOKEN)' '--service-key-file	Read the service key from this file, \'-\' for standard input (or set IFTTT_SERVICE_KEY)' '--user-id	The user\'s id on your own service' '--invite-code	The code that lets people use an unpublished service'
    case 'location map'
      printf '%s\n' '--format	Draw it as this' '--output-file	Write the drawing to this file, \'-\' for stdout' '--connection	Only the regions of this connection' '--track-format	Read the track as this' '--initial	Count being inside a region at first sight as an entry' '--limit	Watch only so many regions at once, the nearest ones; iOS watches 20' '--min-accuracy	Skip positions whose accuracy is worse, which is a larger number of metres' '--hysteresis	Count a region as left only so many metres beyond its radius' '--dwell	Count a crossing only once the track has stayed on the new side for so long' '--as	Authenticate at this level' '--user-token-file	Read the user token from this file, \'-\' for standard input (or set IFTTT_USER_TOKEN)' '--service-key-file	Read the service key from this file, \'-\' for standard input (or set IFTTT_SERVICE_KEY)' '--user-id	The user\'s id on your own service' '--invite-code	The code that lets people use an unpublished service'
    case 'location report'
      printf '%s\n' '--at	When it happened' '--force	Also where the trigger does not want this direction' '--as	Authenticate at this level' '--user-token-file	Read the user token from this file, \'-\' for standard input (or set IFTTT_USER_TOKEN)' '--service-key-file	Read the service key from this file, \'-\' for standard input (or set IFTTT_SERVICE_KEY)' '--user-id	The user\'s id on your own service' '--invite-code	The code that lets people use an unpublished service'
    case 'location events flush'
      printf '%s\n' '--refused	Send those again that IFTTT refused, each in a request of its own' '--as	Authenticate at this level' '--user-token-file	Read the user token from this file, \'-\' for standard input (or set IFTTT_USER_TOKEN)' '--service-key-file	Read the service key from this file, \'-\' for standard input (or set IFTTT_SERVICE_KEY)' '--user-id	The user\'s id on your own service' '--invite-code	The code that lets people use an unpublished service'
    case 'location events clear'
      printf '%s\n' '--refused	Only those that IFTTT refused' '--older-than	Only those that happened longer ago than this'
    case 'applets fetch'
      printf '%s\n' '--order	Sort the list' '--platform	Include Applets that use this platform\'s own services' '--service	The service that owns the Applets' '--raw	Print IFTTT\'s own JSON, byte for byte' '--as	Authenticate at this level' '--user-token-file	Read the user token from this file, \'-\' for standard input (or set IFTTT_USER_TOKEN)' '--service-key-file	Read the service key from this file, \'-\' for standard input (or set IFTTT_SERVICE_KEY)' '--user-id	The user\'s id on your own service' '--invite-code	The code that lets people use an unpublished service'
    case 'applets activate'
      printf '%s\n' '--email	The user\'s e-mail, to fill in at IFTTT' '--service	The service that owns the Applets' '--force	Go through the browser even where the Applet is on already' '--browser	Open the browser; without it, only print the URL and wait' '--no-browser	Open the browser; without it, only print the URL and wait' '--redirect-uri	Redirect the browser to this URI: a loopback address to listen on, your own page, or your own scheme' '--nonce	Add a random part to --redirect-uri, and reject redirects without it' '--no-nonce	Add a random part to --redirect-uri, and reject redirects without it' '--as	Authenticate at this level' '--user-token-file	Read the user token from this file, \'-\' for standard input (or set IFTTT_USER_TOKEN)' '--service-key-file	Read the service key from this file, \'-\' for standard input (or set IFTTT_SERVICE_KEY)' '--user-id	The user\'s id on your own service' '--invite-code	The code that lets people use an unpublished service'
    case 'applets enable'
      printf '%s\n' '--service	The service that owns the Applets' '--force	Send the request even where nothing would change' '--as	Authenticate at this level' '--user-token-file	Read the user token from this file, \'-\' for standard input (or set IFTTT_USER_TOKEN)' '--service-key-file	Read the service key from this file, \'-\' for standard input (or set IFTTT_SERVICE_KEY)' '--user-id	The user\'s id on your own service' '--invite-code	The code that lets people use an unpublished service'
    case 'applets disable'
      printf '%s\n' '--service	The service that owns the Applets' '--force	Send the request even where nothing would change' '--as	Authenticate at this level' '--user-token-file	Read the user token from this file, \'-\' for standard input (or set IFTTT_USER_TOKEN)' '--service-key-file	Read the service key from this file, \'-\' for standard input (or set IFTTT_SERVICE_KEY)' '--user-id	The user\'s id on your own service' '--invite-code	The code that lets people use an unpublished service'
    case 'token exchange'
      printf '%s\n' '--user-id	The user\'s id on your own service' '--access-token-file	Read the OAuth access token from this file, \'-\' for standard input (or set IFTTT_ACCESS_TOKEN)' '--service-key-file	Read the service key from this file, \'-\' for standard input (or set IFTTT_SERVICE_KEY)' '--invite-code	The code that lets people use an unpublished service' '--api	Ask the Connect API (v2), or the older API of Applets (v1)' '--service	The service that owns the Applets' '--save	Keep the token in the profile' '--no-save	Keep the token in the profile' '--print	Print the token and nothing else, for $(…)' '--reveal	Print the token unmasked'
    case 'token show'
      printf '%s\n' '--reveal	Show the token unmasked' '--print	Print the token and nothing else, for $(…)'
    case 'token set'
      printf '%s\n' '--user-id	The user\'s id on your own service' '--user-token-file	Read the user token from this file, \'-\' for standard input (or set IFTTT_USER_TOKEN)'
    case 'token remove'
      printf '%s\n' '--all	Forget every user token of this profile, after confirmation'
    case 'token verify'
      printf '%s\n' '--as	Authenticate at this level' '--user-token-file	Read the user token from this file, \'-\' for standard input (or set IFTTT_USER_TOKEN)' '--service-key-file	Read the service key from this file, \'-\' for standard input (or set IFTTT_SERVICE_KEY)' '--user-id	The user\'s id on your own service' '--invite-code	The code that lets people use an unpublished service'
    case 'profile create'
      printf '%s\n' '--service	The service that owns the Applets' '--user-id	The user\'s id on your own service' '--invite-code	The invite code of an unpublished service' '--service-key-file	Keep the service key in this file, \'-\' for standard input' '--user-token-file	Keep the user token in this file, \'-\' for standard input' '--connect-url	Base URL of the Connect API' '--api-url	Base URL of the Applets API' '--web-url	Base URL of IFTTT\'s web pages' '--redirect-uri	Redirect URI registered for the service; the default for activations' '--update	Change the profile if there is one already' '--use	Use it from now on where no other is named'
    case 'store backup'
      printf '%s\n' '--force	Replace the file if it is there' '--with-key	Write the key, in the clear, to this new file; who has both files has the credentials'
    case 'store restore'
      printf '%s\n' '--key-file	Take the key from this file, as --with-key wrote it, and keep it as the store\'s own' '--force	Restore a backup whose credentials do not all open'
    case 'store rekey'
      printf '%s\n' '--key-file	A file of 64 hexadecimal digits; made with a new key if it is not there' '--key-command	A program that prints the key: the words after the options' '--passphrase	A key made from a passphrase, which is asked for twice' '--passphrase-file	The same, from the first line of a file' '--secret-service	A new key in the desktop\'s Secret Service' '--keychain	A new key in the keychain of macOS'
    case 'plugin verify'
      printf '%s\n' '--write-lock	Write the versions and SHA-256 of all that were installed to the lock file'
    case 'plugin new'
      printf '%s\n' '--language	Write it in this language' '--directory	Write it to this new folder'
    case 'plugin test'
      printf '%s\n' '--check	Only this check, or these'
    case 'sandbox start'
      printf '%s\n' '--port	Listen on this port' '--host	Listen on this loopback address' '--ready-file	Write the object to this file too, once requests are taken' '--seed	Hold the world in this file' '--connections	Hold this many more connections, for load: L0000001 and so on' '--fault	Begin with this fault; see \'sandbox faults set\'' '--fault-seed	Make faults strike the same requests again' '--outcome	End every visit of an activation page with this, at once' '--registered-redirect	Return to this address and to no other that is not named so' '--connect-results	Append the result to the Connect URL\'s redirect_uri too'
    case 'sandbox env'
      printf '%s\n' '--wait	Wait this long for a server that is starting' '--url	The server at this URL, where several run'
    case 'sandbox faults set'
      printf '%s\n' '--path	Strike only these paths; \'*\' stands for anything' '--method	Strike only this method' '--times	Strike this often, then never again' '--share	Strike this part of the requests, from 0 to 1' '--add	Keep the faults that are set already' '--fault-seed	Make --share strike the same requests again' '--url	The server at this URL, where several run'
    case 'sandbox faults list'
      printf '%s\n' '--url	The server at this URL, where several run'
    case 'sandbox faults clear'
      printf '%s\n' '--url	The server at this URL, where several run'
    case 'sandbox requests'
      printf '%s\n' '--method	Only this method' '--path	Only these paths; \'*\' stands for anything' '--status	Only what was answered with this status' '--last	Only the last N of them' '-n	Only the last N of them' '--follow	Go on with those that come, one JSON object a line, until Ctrl-C' '-f	Go on with those that come, one JSON object a line, until Ctrl-C' '--url	The server at this URL, where several run'
    case 'sandbox reset'
      printf '%s\n' '--url	The server at this URL, where several run'
    case 'configure'
      printf '%s\n' '--set	Set a field, named as FEATURE.FIELD or FEATURE.STEP.FIELD; an empty value is none' '--file	Take the configuration from this JSON file, \'-\' for standard input' '--add-feature	Add one more user feature, with the values its fields begin with' '--enable-feature	Turn a feature on, added where it was never used' '--disable-feature	Turn a feature off, its values kept' '--remove-feature	Remove a user feature with its values' '--skip	Activate with IFTTT\'s configuration screen skipped; without ID, do so from now on' '--no-skip	Activate with IFTTT\'s configuration screen skipped; without ID, do so from now on' '--wait	With --skip, wait for the activation, then continue with the settings; with --no-wait, print the result' '--no-wait	With --skip, wait for the activation, then continue with the settings; with --no-wait, print the result' '--email	With --skip, the user\'s e-mail address, which identifies a user without a user token' '--force	With --skip, go through the browser even if the connection is already enabled' '--url	With --skip, open this one of IFTTT\'s two pages' '--redirect-url	With --skip, accept this redirect of an earlier run, \'-\' for stdin, instead of opening a page' '--oauth-code-file	With --skip, read the OAuth code of your service from this file, \'-\' for stdin (or set IFTTT_OAUTH_CODE)' '--reveal	With --skip, print the URL with the OAuth code in it' '--browser	With --skip, open the browser; without it, only print the URL and wait' '--no-browser	With --skip, open the browser; without it, only print the URL and wait' '--redirect-uri	With --skip, redirect the browser to this URI: a loopback address to listen on, your own page, or your own scheme' '--nonce	With --skip, add a random part to --redirect-uri, and reject redirects without it' '--no-nonce	With --skip, add a random part to --redirect-uri, and reject redirects without it' '--as	Authenticate at this level' '--user-token-file	Read the user token from this file, \'-\' for standard input (or set IFTTT_USER_TOKEN)' '--service-key-file	Read the service key from this file, \'-\' for standard input (or set IFTTT_SERVICE_KEY)' '--user-id	The user\'s id on your own service' '--invite-code	The code that lets people use an unpublished service'
    case 'api'
      printf '%s\n' '--field	Add a string to the query or the body' '-f	Add a string to the query or the body' '--typed-field	Add a number, true, false, null, a file (@FILE) or a string to the query or the body' '-F	Add a number, true, false, null, a file (@FILE) or a string to the query or the body' '--header	Add a header to the request' '-H	Add a header to the request' '--method	The request method, instead of METHOD' '-X	The request method, instead of METHOD' '--input	Send this file as the body, \'-\' for stdin' '--as	Authenticate at this level' '--user-token-file	Read the user token from this file, \'-\' for standard input (or set IFTTT_USER_TOKEN)' '--service-key-file	Read the service key from this file, \'-\' for standard input (or set IFTTT_SERVICE_KEY)' '--user-id	The user\'s id on your own service' '--invite-code	The code that lets people use an unpublished service'
    case 'doctor'
      printf '%s\n' '--fix	Repair what is safe to repair'
    case 'grab login'
      printf '%s\n' '--client-id	The client that is registered with Grab' '--environment	Which of Grab\'s installations for partners' '--scope	What to ask for; several in one text where spaces part them' '--redirect-uri	Where the browser is sent back to, as registered' '--account	The account, by its name, partner user id or id' '--force	Sign in although a session lasts' '--no-browser	Print the URL instead of opening it, and wait' '--browser	Open the address with this program' '--port	Listen on this port for the browser\'s return' '--print-url	Print the address, keep the sign-in for \'ifttt grab complete\', and end' '--device	Sign in with a code on another device, where the service offers that' '--from-plist	Take the settings from an iOS app\'s Info.plist' '--from-manifest	Take the settings from an Android app\'s AndroidManifest.xml' '--acr-value	A pair of acr_values, such as service:PASSENGER' '--login-hint	Who is expected, in whatever form the service takes' '--id-token-hint	Send the ID token that is kept, for single sign-on' '--id-token-hint-file	Send the ID token in this file, \'-\' for standard input' '--prompt	What the service is to ask again' '--request-file	Send the request object in this file, \'-\' for standard input' '--claims	Claims to ask for, a JSON object (OpenID Connect Core, section 5.5)' '--ui-locales	Languages of the service\'s pages' '--max-auth-age	How long ago the person may have signed in at the service' '--param	One more parameter of the address' '--require-pkce	Refuse a service that does not say that it takes proof keys' '--no-require-pkce	Refuse a service that does not say that it takes proof keys' '--require-acr	Refuse an ID token whose acr does not name every --acr-value' '--no-require-acr	Refuse an ID token whose acr does not name every --acr-value' '--verify-remote	Whether the service is asked about the ID token at each sign-in' '--discovery-url	Where the service describes itself, used as it stands' '--issuer	The issuer that metadata and tokens must name, exactly' '--client-secret-file	Read the client\'s secret, where it has one, from this file, \'-\' for standard input' '--partner-id	The partner id that the ID token must bear as pid' '--trusted-audience	Another audience that an ID token may name besides the client' '--algorithm	A signature algorithm to take besides RS256 and ES256' '--clock-allowance	How far the clocks may differ, 5 minutes at most' '--strict-kid	Refuse an ID token that names no key where the issuer has several' '--no-strict-kid	Refuse an ID token that names no key where the issuer has several' '--token-request	How the token endpoint is asked' '--token-info-request	How the service\'s check of ID tokens is asked'
    case 'grab status'
      printf '%s\n' '--account	The account, by its name, partner user id or id'
    case 'grab id-token'
      printf '%s\n' '--account	The account, by its name, partner user id or id' '--remote	Ask the service as well, and compare' '--raw	Print the token itself' '--client-secret-file	Read the client\'s secret, where it has one, from this file, \'-\' for standard input' '--partner-id	The partner id that the ID token must bear as pid' '--trusted-audience	Another audience that an ID token may name besides the client' '--algorithm	A signature algorithm to take besides RS256 and ES256' '--clock-allowance	How far the clocks may differ, 5 minutes at most' '--strict-kid	Refuse an ID token that names no key where the issuer has several' '--no-strict-kid	Refuse an ID token that names no key where the issuer has several' '--token-info-request	How the service\'s check of ID tokens is asked'
    case 'grab refresh'
      printf '%s\n' '--account	The account, by its name, partner user id or id' '--if-needed	Only where the access token lasts less than two minutes, or a fifth of its life' '--print	Print the access token alone, for $(…)' '--client-secret-file	Read the client\'s secret, where it has one, from this file, \'-\' for standard input' '--token-request	How the token endpoint is asked'
    case 'grab logout'
      printf '%s\n' '--account	The account, by its name, partner user id or id' '--all	Every account of the profile' '--local	Only forget; revoke nothing' '--browser	Open the service\'s own page to sign out as well' '--no-browser	Print that page\'s address, which holds the ID token, instead of opening it' '--require-revocation	Fail, after signing out here, where not everything was revoked' '--client-secret-file	Read the client\'s secret, where it has one, from this file, \'-\' for standard input'
    case 'grab apps'
      printf '%s\n' '--client-id	The client that is registered with Grab' '--environment	Which of Grab\'s installations for partners' '--discovery-url	Where the service describes itself, used as it stands' '--issuer	The issuer that metadata and tokens must name, exactly' '--open	Open the store\'s page for this platform'
  end
  printf '%s\n' '--profile	Use this set of credentials and connections; \'sandbox\' needs no network' '--output	Print the result in this format' '-o	Print the result in this format' '--json	Same as --output json' '--fields	Print only these fields, in this order; a dot reaches into objects' '--no-header	Leave the heading line out of table, csv and tsv' '--color	Color the output; NO_COLOR, FORCE_COLOR, CLICOLOR, CLICOLOR_FORCE and TERM=dumb are honored' '--offline	Never touch the network' '--max-age	Fetch again what was fetched longer ago than this; 0 always fetches' '--timeout	Give up on a request after this long, all its tries included' '--retries	Try this often again what may be repeated safely' '--jobs	Have this many requests under way at once' '--locale	Speak this language where people connect and configure; errors and results stay English' '--dry-run	Print the requests that would change something, and change nothing; fetches data unless --offline is given' '--exit-code	With --dry-run, exit 8 when something would change' '--yes	Do not ask for confirmation' '--no-input	Never prompt' '--no-plugins	Use the program\'s own commands and connections alone' '--quiet	Print no notes' '-q	Print no notes' '--verbose	Print each request, secrets masked, and where each option\'s value came from' '-v	Print each request, secrets masked, and where each option\'s value came from' '--record	Write what is sent and answered to this new folder, secrets replaced' '--replay	Answer from what --record wrote: no network, no credentials, no store' '--help	Show help: -h on one screen, --help in full' '-h	Show help: -h on one screen, --help in full' '--version	Show the version' '-V	Show the version'
end

# PATH SPELLING: writes its long name, repeats or once, kind, source and choices, a line each.
function __ifttt_option
  switch "$argv[1]:$argv[2]"
    case 'connections list:--status'
      printf '%s\n' --status repeats choices '' enabled disabled never_enabled unknown
      return
    case 'connections list:--refresh'
      printf '%s\n' --refresh once switch ''
      return
    case 'connections list:--report'
      printf '%s\n' --report once file ''
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
      printf '%s\n' --user-id once ask token-user
      return
    case 'connections list:--invite-code'
      printf '%s\n' --invite-code once value ''
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
    case 'connections show:--track' 'connections show:--no-track'
      printf '%s\n' --track once switch ''
      return
    case 'connections show:--raw'
      printf '%s\n' --raw once switch ''
      return
    case 'connections show:--report'
      printf '%s\n' --report once file ''
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
      printf '%s\n' --user-id once ask token-user
      return
    case 'connections show:--invite-code'
      printf '%s\n' --invite-code once value ''
      return
    case 'connections add:--stdin'
      printf '%s\n' --stdin once switch ''
      return
    case 'connections add:--report'
      printf '%s\n' --report once file ''
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
      printf '%s\n' --user-id once ask token-user
      return
    case 'connections add:--invite-code'
      printf '%s\n' --invite-code once value ''
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
    case 'connections enable:--report'
      printf '%s\n' --report once file ''
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
      printf '%s\n' --user-id once ask token-user
      return
    case 'connections enable:--invite-code'
      printf '%s\n' --invite-code once value ''
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
    case 'connections disable:--report'
      printf '%s\n' --report once file ''
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
      printf '%s\n' --user-id once ask token-user
      return
    case 'connections disable:--invite-code'
      printf '%s\n' --invite-code once value ''
      return
    case 'connections activate:--email'
      printf '%s\n' --email once value ''
      return
    case 'connections activate:--force'
      printf '%s\n' --force once switch ''
      return
    case 'connections activate:--url'
      printf '%s\n' --url once choices '' 'sdk	the one that IFTTT\'s SDKs open; gives a user token' 'connect	the documented one; tells nothing when it is done'
      return
    case 'connections activate:--redirect-url'
      printf '%s\n' --redirect-url once value ''
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
      printf '%s\n' --user-id once ask token-user
      return
    case 'connections activate:--invite-code'
      printf '%s\n' --invite-code once value ''
      return
    case 'connections undo:--resume'
      printf '%s\n' --resume once switch ''
      return
    case 'connections undo:--force'
      printf '%s\n' --force once switch ''
      return
    case 'connections undo:--report'
      printf '%s\n' --report once file ''
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
      printf '%s\n' --user-id once ask token-user
      return
    case 'connections undo:--invite-code'
      printf '%s\n' --invite-code once value ''
      return
    case 'connections wait:--for'
      printf '%s\n' --for repeats ask condition
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
      printf '%s\n' --user-id once ask token-user
      return
    case 'connections wait:--invite-code'
      printf '%s\n' --invite-code once value ''
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
      printf '%s\n' --user-id once ask token-user
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
      printf '%s\n' --user-id once ask token-user
      return
    case 'connections options:--invite-code'
      printf '%s\n' --invite-code once value ''
      return
    case 'connections run:--field' 'connections run:-f'
      printf '%s\n' --field repeats value ''
      return
    case 'connections run:--user-feature'
      printf '%s\n' --user-feature once ask feature
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
      printf '%s\n' --user-id once ask token-user
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
    case 'connections query:--limit'
      printf '%s\n' --limit once value ''
      return
    case 'connections query:--user-feature'
      printf '%s\n' --user-feature once ask feature
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
      printf '%s\n' --user-id once ask token-user
      return
    case 'connections query:--invite-code'
      printf '%s\n' --invite-code once value ''
      return
    case 'connections test:--user-feature'
      printf '%s\n' --user-feature once ask feature
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
      printf '%s\n' --user-id once ask token-user
      return
    case 'connections test:--invite-code'
      printf '%s\n' --invite-code once value ''
      return
    case 'connections refresh-labels:--as'
      printf '%s\n' --as once choices '' user service anonymous
      return
    case 'connections refresh-labels:--user-token-file'
      printf '%s\n' --user-token-file once file ''
      return
    case 'connections refresh-labels:--service-key-file'
      printf '%s\n' --service-key-file once file ''
      return
    case 'connections refresh-labels:--user-id'
      printf '%s\n' --user-id once ask token-user
      return
    case 'connections refresh-labels:--invite-code'
      printf '%s\n' --invite-code once value ''
      return
    case 'connections button:--format'
      printf '%s\n' --format once choices '' 'ansi	text for a terminal, coloured where colours are allowed' 'svg	a picture' 'html	a part of a page, complete in itself'
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
      printf '%s\n' --user-id once ask token-user
      return
    case 'connections button:--invite-code'
      printf '%s\n' --invite-code once value ''
      return
    case 'location regions:--format'
      printf '%s\n' --format once choices '' 'rows	as --output says' 'geojson	one GeoJSON document, whatever --output says'
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
      printf '%s\n' --user-id once ask token-user
      return
    case 'location regions:--invite-code'
      printf '%s\n' --invite-code once value ''
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
      printf '%s\n' --times once choices '' 'kept	as the track has them' 'now	all shifted so that the first position is now'
      return
    case 'location replay:--connection'
      printf '%s\n' --connection repeats ask connection-id
      return
    case 'location replay:--remember'
      printf '%s\n' --remember once switch ''
      return
    case 'location replay:--initial'
      printf '%s\n' --initial once switch ''
      return
    case 'location replay:--limit'
      printf '%s\n' --limit once value ''
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
      printf '%s\n' --user-id once ask token-user
      return
    case 'location replay:--invite-code'
      printf '%s\n' --invite-code once value ''
      return
    case 'location map:--format'
      printf '%s\n' --format once choices '' 'svg	a picture' 'html	a page that is complete in itself and loads nothing'
      return
    case 'location map:--output-file'
      printf '%s\n' --output-file once file ''
      return
    case 'location map:--connection'
      printf '%s\n' --connection repeats ask connection-id
      return
    case 'location map:--track-format'
      printf '%s\n' --track-format once choices '' gpx geojson nmea jsonl
      return
    case 'location map:--initial'
      printf '%s\n' --initial once switch ''
      return
    case 'location map:--limit'
      printf '%s\n' --limit once value ''
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
      printf '%s\n' --user-id once ask token-user
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
      printf '%s\n' --user-id once ask token-user
      return
    case 'location report:--invite-code'
      printf '%s\n' --invite-code once value ''
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
      printf '%s\n' --user-id once ask token-user
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
      printf '%s\n' --user-id once ask token-user
      return
    case 'applets fetch:--invite-code'
      printf '%s\n' --invite-code once value ''
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
      printf '%s\n' --user-id once ask token-user
      return
    case 'applets activate:--invite-code'
      printf '%s\n' --invite-code once value ''
      return
    case 'applets enable:--service'
      printf '%s\n' --service once value ''
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
      printf '%s\n' --user-id once ask token-user
      return
    case 'applets enable:--invite-code'
      printf '%s\n' --invite-code once value ''
      return
    case 'applets disable:--service'
      printf '%s\n' --service once value ''
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
      printf '%s\n' --user-id once ask token-user
      return
    case 'applets disable:--invite-code'
      printf '%s\n' --invite-code once value ''
      return
    case 'token exchange:--user-id'
      printf '%s\n' --user-id once ask token-user
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
    case 'token show:--reveal'
      printf '%s\n' --reveal once switch ''
      return
    case 'token show:--print'
      printf '%s\n' --print once switch ''
      return
    case 'token set:--user-id'
      printf '%s\n' --user-id once ask token-user
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
      printf '%s\n' --user-id once ask token-user
      return
    case 'token verify:--invite-code'
      printf '%s\n' --invite-code once value ''
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
    case 'profile create:--connect-url'
      printf '%s\n' --connect-url once value ''
      return
    case 'profile create:--api-url'
      printf '%s\n' --api-url once value ''
      return
    case 'profile create:--web-url'
      printf '%s\n' --web-url once value ''
      return
    case 'profile create:--redirect-uri'
      printf '%s\n' --redirect-uri once value ''
      return
    case 'profile create:--update'
      printf '%s\n' --update once switch ''
      return
    case 'profile create:--use'
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
    case 'plugin verify:--write-lock'
      printf '%s\n' --write-lock once switch ''
      return
    case 'plugin new:--language'
      printf '%s\n' --language once choices '' 'sh	a command' 'python	a provider of connections, with nothing but Python\'s own library' 'swift	a provider of connections, on the PluginProtocol library'
      return
    case 'plugin new:--directory'
      printf '%s\n' --directory once directory ''
      return
    case 'plugin test:--check'
      printf '%s\n' --check repeats choices '' 'manifest	The program accepts its manifest and its name' 'start	It exits by itself when run without arguments and input' 'handshake	It says who it is within 2 s' 'capabilities	It offers what its manifest names, and no more' 'version-mismatch	It refuses a protocol that it does not speak' 'unknown-method	It answers -32601 to what it does not know, and goes on' 'split-lines	A message may come in pieces' 'joined-lines	Several messages may come at once' 'huge-message	A message may have up to 16 MiB' 'rubbish	What is no message does not end it' 'connections	It lists connections with an id, a name and a status' 'cancel	What is cancelled is answered within 2 s, and the next request too' 'slow-response	It waits for a program that responds slowly' 'end-of-input	It ends within 2 s once its input is closed' 'end-in-mid-stream	It ends within 2 s also while it lists' 'nothing-left	No process of its own outlives it'
      return
    case 'sandbox start:--port'
      printf '%s\n' --port once value ''
      return
    case 'sandbox start:--host'
      printf '%s\n' --host once choices '' 127.0.0.1 '::1'
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
    case 'sandbox start:--fault'
      printf '%s\n' --fault repeats choices '' 'latency=DURATION	answer later; DURATION..DURATION varies' 'status=CODE	an error status; with retry-after=SECONDS or retry-after-date=SECONDS' 'reset	reset the connection instead of answering' 'reset-in-body	reset it in the middle of the body' 'truncate	close it in the middle of the body' 'drip=DURATION	send the body byte by byte, with this pause' 'bad-json	cut the JSON off' 'html	answer with a page and the status 200' 'gzip	compress the body' 'chunked	send the body in chunks' 'chunked-trailer	send the body in chunks, with a trailer field after the last' 'invalid-utf8	put bytes into names that are not UTF-8' 'duplicate-keys	give each key twice' 'unknown-enum	use statuses and field types that nobody knows' 'wrong-types	send numbers as strings and names as numbers' 'extra-keys	add keys that nobody knows' 'huge=SIZE	make the body this long, 100M without a SIZE' 'redirect=ORIGIN	redirect to another scheme://host:port' 'escapes	put terminal escapes into names'
      return
    case 'sandbox start:--fault-seed'
      printf '%s\n' --fault-seed once value ''
      return
    case 'sandbox start:--outcome'
      printf '%s\n' --outcome once choices '' 'complete	switched on, with a token' 'complete-without-token	switched on, without a token' 'complete-skipped	switched on and still to be configured' 'complete-as-another	switched on by somebody else, with that user\'s token' 'account-creation-failed	no account could be made' 'auth-error	signing in at the service failed' 'verification-failed	nobody could tell who it was' 'connection-request-failed	the IFTTT app could not finish' 'cancelled	cancelled' 'odd-nothing	back without any result' 'odd-next-step	back with a next_step that nobody knows' 'odd-fragment	back with the result behind a #' 'odd-escape	back with a broken escape' 'stay	nothing; the page stays'
      return
    case 'sandbox start:--registered-redirect'
      printf '%s\n' --registered-redirect repeats value ''
      return
    case 'sandbox start:--connect-results'
      printf '%s\n' --connect-results once switch ''
      return
    case 'sandbox env:--wait'
      printf '%s\n' --wait once value ''
      return
    case 'sandbox env:--url'
      printf '%s\n' --url once value ''
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
    case 'sandbox faults list:--url'
      printf '%s\n' --url once value ''
      return
    case 'sandbox faults clear:--url'
      printf '%s\n' --url once value ''
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
    case 'sandbox requests:--last' 'sandbox requests:-n'
      printf '%s\n' --last once value ''
      return
    case 'sandbox requests:--follow' 'sandbox requests:-f'
      printf '%s\n' --follow once switch ''
      return
    case 'sandbox requests:--url'
      printf '%s\n' --url once value ''
      return
    case 'sandbox reset:--url'
      printf '%s\n' --url once value ''
      return
    case 'configure:--set'
      printf '%s\n' --set repeats ask setting
      return
    case 'configure:--file'
      printf '%s\n' --file once file ''
      return
    case 'configure:--add-feature'
      printf '%s\n' --add-feature repeats ask feature
      return
    case 'configure:--enable-feature'
      printf '%s\n' --enable-feature repeats ask feature
      return
    case 'configure:--disable-feature'
      printf '%s\n' --disable-feature repeats ask feature
      return
    case 'configure:--remove-feature'
      printf '%s\n' --remove-feature repeats ask feature
      return
    case 'configure:--skip' 'configure:--no-skip'
      printf '%s\n' --skip once switch ''
      return
    case 'configure:--wait' 'configure:--no-wait'
      printf '%s\n' --wait once switch ''
      return
    case 'configure:--email'
      printf '%s\n' --email once value ''
      return
    case 'configure:--force'
      printf '%s\n' --force once switch ''
      return
    case 'configure:--url'
      printf '%s\n' --url once choices '' 'sdk	the one that IFTTT\'s SDKs open; gives a user token' 'connect	the documented one; tells nothing when it is done'
      return
    case 'configure:--redirect-url'
      printf '%s\n' --redirect-url once value ''
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
      printf '%s\n' --user-id once ask token-user
      return
    case 'configure:--invite-code'
      printf '%s\n' --invite-code once value ''
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
      printf '%s\n' --user-id once ask token-user
      return
    case 'api:--invite-code'
      printf '%s\n' --invite-code once value ''
      return
    case 'doctor:--fix'
      printf '%s\n' --fix once switch ''
      return
    case 'grab login:--client-id'
      printf '%s\n' --client-id once value ''
      return
    case 'grab login:--environment'
      printf '%s\n' --environment once choices '' production 'staging	for first tries'
      return
    case 'grab login:--scope'
      printf '%s\n' --scope repeats value ''
      return
    case 'grab login:--redirect-uri'
      printf '%s\n' --redirect-uri once value ''
      return
    case 'grab login:--account'
      printf '%s\n' --account once ask account
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
      printf '%s\n' --id-token-hint once choices '' 'stored	the account\'s'
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
      printf '%s\n' --token-request once choices '' 'form	as RFC 6749 has it' 'json	as some of Grab\'s own clients do'
      return
    case 'grab login:--token-info-request'
      printf '%s\n' --token-info-request once choices '' 'query	as Grab\'s SDKs do' json form
      return
    case 'grab status:--account'
      printf '%s\n' --account once ask account
      return
    case 'grab id-token:--account'
      printf '%s\n' --account once ask account
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
      printf '%s\n' --token-info-request once choices '' 'query	as Grab\'s SDKs do' json form
      return
    case 'grab refresh:--account'
      printf '%s\n' --account once ask account
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
      printf '%s\n' --token-request once choices '' 'form	as RFC 6749 has it' 'json	as some of Grab\'s own clients do'
      return
    case 'grab logout:--account'
      printf '%s\n' --account once ask account
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
      printf '%s\n' --environment once choices '' production 'staging	for first tries'
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
    case --profile
      printf '%s\n' --profile once ask profile
      return
    case --output -o
      printf '%s\n' --output once choices '' 'table	for people' 'json	one document' 'jsonl	one object a line' 'csv	RFC 4180' 'tsv	tabs between, \\t and \\n escaped'
      return
    case --json
      printf '%s\n' --json once switch ''
      return
    case --fields
      printf '%s\n' --fields once list field
      return
    case --no-header
      printf '%s\n' --no-header once switch ''
      return
    case --color
      printf '%s\n' --color once choices '' auto always never
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
      printf '%s\n' --locale once ask language
      return
    case --dry-run
      printf '%s\n' --dry-run once switch ''
      return
    case --exit-code
      printf '%s\n' --exit-code once switch ''
      return
    case --yes
      printf '%s\n' --yes once switch ''
      return
    case --no-input
      printf '%s\n' --no-input once switch ''
      return
    case --no-plugins
      printf '%s\n' --no-plugins once switch ''
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

# PATH NUMBER: writes kind, source and choices, a line each.
function __ifttt_argument
  switch "$argv[1]:$argv[2]"
    case 'connections show:*'
      printf '%s\n' ask connection-id
    case 'connections add:*'
      printf '%s\n' value ''
    case 'connections remove:*'
      printf '%s\n' ask connection-id
    case 'connections enable:*'
      printf '%s\n' ask connection-id
    case 'connections disable:*'
      printf '%s\n' ask connection-id
    case 'connections activate:0'
      printf '%s\n' ask connection-id
    case 'connections wait:*'
      printf '%s\n' ask connection-id
    case 'connections watch:*'
      printf '%s\n' ask connection-id
    case 'connections open:0'
      printf '%s\n' ask connection-id
    case 'connections options:0'
      printf '%s\n' ask connection-id
    case 'connections options:*'
      printf '%s\n' ask field-address
    case 'connections run:0'
      printf '%s\n' ask connection-id
    case 'connections run:1'
      printf '%s\n' ask action
    case 'connections query:0'
      printf '%s\n' ask connection-id
    case 'connections query:1'
      printf '%s\n' ask query
    case 'connections test:0'
      printf '%s\n' ask connection-id
    case 'connections test:1'
      printf '%s\n' ask trigger
    case 'connections refresh-labels:0'
      printf '%s\n' ask connection-id
    case 'connections button:0'
      printf '%s\n' ask connection-id
    case 'location regions:*'
      printf '%s\n' ask connection-id
    case 'location replay:0'
      printf '%s\n' file ''
    case 'location map:0'
      printf '%s\n' file ''
    case 'location report:0'
      printf '%s\n' ask region
    case 'location report:1'
      printf '%s\n' choices '' enter exit
    case 'location reset:*'
      printf '%s\n' ask region
    case 'location on:*'
      printf '%s\n' ask connection-id
    case 'location off:*'
      printf '%s\n' ask connection-id
    case 'location events clear:*'
      printf '%s\n' value ''
    case 'applets fetch:*'
      printf '%s\n' ask applet-id
    case 'applets activate:0'
      printf '%s\n' ask applet-id
    case 'applets enable:*'
      printf '%s\n' ask applet-id
    case 'applets disable:*'
      printf '%s\n' ask applet-id
    case 'token show:0'
      printf '%s\n' ask token-user
    case 'token remove:*'
      printf '%s\n' ask token-user
    case 'profile create:0'
      printf '%s\n' value ''
    case 'profile use:0'
      printf '%s\n' ask profile
    case 'profile show:0'
      printf '%s\n' ask profile
    case 'profile remove:0'
      printf '%s\n' ask profile
    case 'store backup:0'
      printf '%s\n' file ''
    case 'store restore:0'
      printf '%s\n' file ''
    case 'store rekey:*'
      printf '%s\n' value ''
    case 'plugin show:0'
      printf '%s\n' ask plugin
    case 'plugin install:0'
      printf '%s\n' file ''
    case 'plugin remove:0'
      printf '%s\n' ask plugin
    case 'plugin verify:*'
      printf '%s\n' ask plugin
    case 'plugin new:0'
      printf '%s\n' value ''
    case 'plugin test:0'
      printf '%s\n' directory ''
    case 'sandbox faults set:*'
      printf '%s\n' choices '' 'latency=DURATION	answer later; DURATION..DURATION varies' 'status=CODE	an error status; with retry-after=SECONDS or retry-after-date=SECONDS' 'reset	reset the connection instead of answering' 'reset-in-body	reset it in the middle of the body' 'truncate	close it in the middle of the body' 'drip=DURATION	send the body byte by byte, with this pause' 'bad-json	cut the JSON off' 'html	answer with a page and the status 200' 'gzip	compress the body' 'chunked	send the body in chunks' 'chunked-trailer	send the body in chunks, with a trailer field after the last' 'invalid-utf8	put bytes into names that are not UTF-8' 'duplicate-keys	give each key twice' 'unknown-enum	use statuses and field types that nobody knows' 'wrong-types	send numbers as strings and names as numbers' 'extra-keys	add keys that nobody knows' 'huge=SIZE	make the body this long, 100M without a SIZE' 'redirect=ORIGIN	redirect to another scheme://host:port' 'escapes	put terminal escapes into names'
    case 'configure:0'
      printf '%s\n' ask connection-id
    case 'api:0'
      printf '%s\n' choices '' GET HEAD POST PUT PATCH DELETE
    case 'api:1'
      printf '%s\n' value ''
    case 'schema:*'
      printf '%s\n' ask schema
    case 'completion:0'
      printf '%s\n' choices '' bash zsh fish
    case 'man:*'
      printf '%s\n' command command
    case 'help:*'
      printf '%s\n' command command
    case 'grab complete:0'
      printf '%s\n' value ''
  end
end

# Asks the program for the values of a kind. Its answer is only ever compared and quoted.
# PREFIX SOURCE COMMAND PROFILE TYPED ARGUMENT: writes candidates that begin with PREFIX.
function __ifttt_ask
  # A program run from elsewhere is not asked; fish would complain at the prompt.
  command -q ifttt; or return
  set -l context "--command=$argv[3]"
  test -z "$argv[4]"; or set -a context "--profile=$argv[4]"
  test -z "$argv[6]"; or set -a context "--argument=$argv[6]"
  for line in (command ifttt __complete $argv[2] $context -- $argv[5] 2>/dev/null </dev/null)
    printf '%s\n' "$argv[1]$line"
  end
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
    case ask
      __ifttt_ask "$prefix" $argv[7] $argv[3] $argv[4] "$typed" (string split ' ' -- $argv[5])[1]
    case list
      set -l parts (string match -r -- '^((?:.*,)?)([^,]*)$' $typed)
      __ifttt_ask "$prefix$parts[2]" $argv[7] $argv[3] $argv[4] "$parts[3]" (string split ' ' -- $argv[5])[1]
    case file directory
      for path in (complete -C "'' "(string escape -- $typed))
        # A candidate may carry a description.
        set -l bare (string split -m 1 -- \t $path)[1]
        if test $argv[6] = file; or string match -q -- '*/' $bare
          printf '%s\n' "$prefix$bare"
        end
      end
  end
end

# Walks over the words before the cursor, then writes what may stand there.
function __ifttt_complete
  set -l words (commandline -opc)
  set -l raw (commandline -ct)
  # An open quote is closed for reading the word.
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
      for place in (seq 2 (string length -- $word))
        set -l facts (__ifttt_option $command -(string sub -s $place -l 1 -- $word)); or continue
        test $facts[2] = repeats; or set -a given $facts[1]
        test $facts[3] = switch; and continue
        if test $place -eq (string length -- $word)
          set awaited $facts[1]
        else if test $facts[1] = --profile
          set profile (string sub -s (math $place + 1) -- $word)
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
      for place in (seq 2 (math (string length -- $cur) - 1))
        set -l facts (__ifttt_option $command -(string sub -s $place -l 1 -- $cur)); or break
        test $facts[3] = switch; and continue
        set -l typed (string sub -s (math $place + 1) -- $cur)
        set -l prefix (string sub -l $place -- $cur)
        __ifttt_values $prefix $typed "$command" "$profile" "$arguments" $facts[3..-1]
        return
      end
    end
    for line in (__ifttt_spellings $command)
      set -l spelling (string split -m 1 -- \t $line)[1]
      set -l facts (__ifttt_option $command $spelling)
      # A command's own option hides a global one of that name.
      contains -- $facts[1] $given; or contains -- $spelling $seen; or printf '%s\n' $line
      set -a seen $spelling
    end
  else
    if test -z "$ended"; and not set -q arguments[1]
      __ifttt_subcommands $command
    end
    set -l facts (__ifttt_argument $command (count $arguments))
    set -q facts[1]; or return
    for line in (__ifttt_values '' "$cur" "$command" "$profile" "$arguments" $facts)
      # An argument that would be taken for an option is not offered.
      test -z "$ended"; and string match -q -- '-*' $line; or printf '%s\n' $line
    end
  end
end

complete -c ifttt -e
complete -c ifttt -f -a '(__ifttt_complete)'
