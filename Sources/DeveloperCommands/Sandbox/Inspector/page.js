// The inspector of a sandbox server. It uses the same control endpoint as the commands below `ifttt sandbox`.
//
// Servers and users choose most of the texts here. They become text nodes or attribute values, never markup, and every link
// leads to a path that this file builds.

// MARK: Elements

const $ = id => document.getElementById(id)

/** Creates an element. Attributes that begin with "on" are event listeners; a child that is not an element becomes text. */
function el(tag, attributes = {}, ...children) {
  return build(document.createElement(tag), attributes, children)
}

function svg(tag, attributes = {}, ...children) {
  return build(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children)
}

function build(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value)
    else if (value === true) element.setAttribute(name, "")
    else if (value !== false && value != null) element.setAttribute(name, value)
  }
  element.append(...children.flat(2).filter(child => child != null && child !== false))
  return element
}

/** A button that ignores clicks while its work is in progress, and shows the error of work that fails. */
function button(name, work, attributes = {}) {
  const element = el("button", { type: "button", ...attributes }, name)
  onAction(element, "click", work)
  return element
}

function onAction(element, event, work) {
  element.addEventListener(event, async happened => {
    happened.preventDefault()
    if (element.ariaBusy === "true") return
    element.ariaBusy = "true"
    try {
      await work()
    } catch (error) {
      notice(error.message, { isError: true })
    } finally {
      element.ariaBusy = null
    }
  })
}

/** Replaces the children, and returns the focus to the control with the same `data-focus`. */
function fill(element, ...children) {
  const focused = element.contains(document.activeElement) ? document.activeElement.dataset.focus : undefined
  element.replaceChildren(...children.flat(2).filter(child => child != null && child !== false))
  if (focused) element.querySelector(`[data-focus="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true })
}

function fillSelect(select, options, selected = select.value) {
  select.replaceChildren(...options.map(([value, label]) => el("option", { value }, visible(label))))
  if (options.some(([value]) => value === selected)) select.value = selected
}

function fillFacts(facts) {
  return el("dl", {}, facts.filter(([, value]) => value != null && value !== "").map(([name, value]) =>
    [el("dt", {}, name), el("dd", {}, value instanceof Node ? value : text(value))]))
}

// MARK: Texts

/** The text with visible symbols for control characters, and for characters that change the direction of what follows. */
function visible(value, keepsLines = false) {
  return String(value).replace(/[\0-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, character => {
    if (keepsLines && (character === "\n" || character === "\t")) return character
    const code = character.charCodeAt(0)
    if (code < 0x20) return String.fromCharCode(0x2400 + code)
    return code === 0x7f ? "␡" : `[U+${code.toString(16).toUpperCase().padStart(4, "0")}]`
  })
}

const text = (value, attributes = {}) => el("bdi", attributes, visible(value))
const code = value => el("code", {}, text(value))

function masked(secret) {
  return secret.length > 24 ? `${secret.slice(0, 4)}…${secret.slice(-4)}` : "…"
}

const words = name => name.replaceAll("_", " ")
const sentence = phrase => phrase.charAt(0).toUpperCase() + phrase.slice(1)
const count = (number, noun, plural = `${noun}s`) => `${number.toLocaleString("en-US")} ${number === 1 ? noun : plural}`

const clock = new Intl.DateTimeFormat("en-US", { hourCycle: "h23", hour: "2-digit", minute: "2-digit", second: "2-digit" })
const calendar = new Intl.DateTimeFormat("en-US", { dateStyle: "medium" })

function time(at, withDate = false) {
  const date = new Date(at)
  if (isNaN(date)) return text(at)
  const shown = withDate ? `${calendar.format(date)}, ${clock.format(date)}` : clock.format(date)
  return el("time", { datetime: at, title: visible(at) }, shown)
}

function duration(milliseconds) {
  if (milliseconds < 1000) return `${milliseconds} ms`
  const seconds = Math.floor(milliseconds / 1000)
  if (seconds < 60) return `${(milliseconds / 1000).toFixed(1)} s`
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  return hours > 0 ? `${hours} h ${minutes} min` : `${minutes} min ${seconds % 60} s`
}

function bytes(size) {
  return size < 1024 ? count(size, "byte") : `${(size / 1024).toLocaleString("en-US", { maximumFractionDigits: 1 })} KiB`
}

const pause = milliseconds => new Promise(resolve => setTimeout(resolve, milliseconds))

/** Shows a message, with a link to an entry if there is one. Errors stay until the next message. */
function notice(message, { entry, isError = false } = {}) {
  const box = $("notice")
  clearTimeout(notice.timer)
  const close = el("button", { type: "button", "aria-label": "Close message", onclick: () => fill(box) }, "×")
  fill(box, el("div", {}, el("p", { class: isError ? "bad" : "" }, text(message), entry && [" ", entryLink(entry)]), close))
  if (!isError) notice.timer = setTimeout(() => fill(box), 10_000)
}

async function copy(content, what) {
  if (navigator.clipboard) {
    await navigator.clipboard.writeText(content)
  } else {
    // Browsers have no clipboard interface for pages over plain HTTP from another machine.
    const field = el("textarea", { class: "spoken" }, content)
    document.body.append(field)
    field.select()
    document.execCommand("copy")
    field.remove()
  }
  notice(`Copied ${what}.`)
}

// MARK: Key and requests

const storage = "ifttt-sandbox-key"
let key = null

/** Reads the key from the fragment, which is removed at once, or from the storage of this tab. */
function readKey() {
  const given = /^#key=([^&]+)/.exec(location.hash)?.[1]
  if (given) {
    history.replaceState(null, "", location.pathname)
    sessionStorage.setItem(storage, decodeURIComponent(given))
  }
  key = sessionStorage.getItem(storage)
  if (key !== null && !/^[\x21-\x7e]+$/.test(key)) key = null
}

function lock(reason) {
  key = null
  sessionStorage.removeItem(storage)
  stream.abort()
  for (const id of ["app", "parts", "live"]) $(id).hidden = true
  $("locked").hidden = false
  $("locked-reason").textContent = reason
  document.title = "IFTTT sandbox"
}

/** Sends a request to the control endpoint. Its error is the server's text. */
async function request(method, path, body, signal) {
  const usedKey = key
  const headers = { Authorization: `Bearer ${usedKey}` }
  if (body !== undefined) headers["Content-Type"] = "application/json"
  let response
  try {
    response = await fetch(`/.sandbox${path}`, { method, headers, body: body && JSON.stringify(body), signal, cache: "no-store" })
  } catch {
    throw new Error("The server does not respond.")
  }
  if (response.status === 401 && usedKey === key) lock("The server rejects the key of this page, perhaps because it was restarted.")
  if (!response.ok) throw new Error((await response.text()).trim() || `The server responded with ${response.status}.`)
  return response
}

const get = async path => (await request("GET", path)).json()
const send = async (method, path, body) => (await request(method, path, body)).json()

// MARK: Parts

let part = "overview"

/** Each part's function loads what the part shows. It runs when the part opens and after new entries. */
const refreshments = {
  overview: refreshOverview, connections: refreshConnections, timeline: refreshTimeline, triggers: refreshTriggers,
  faults: refreshFaults, state: () => {},
}

function route({ movesFocus = true } = {}) {
  const hash = location.hash.slice(1)
  const entry = /^entry-(\d+)$/.exec(hash)
  if (!entry && hash && !(hash in refreshments)) return
  part = entry ? "timeline" : hash || "overview"
  for (const link of $("parts").children) {
    if (link.hash === `#${part}`) link.setAttribute("aria-current", "page")
    else link.removeAttribute("aria-current")
  }
  for (const section of document.querySelectorAll("[data-part]")) section.hidden = section.dataset.part !== part
  document.title = `${sentence(part)} – IFTTT sandbox`
  if (entry) openEntry(Number(entry[1]))
  else if (part === "timeline") closeEntry()
  if (movesFocus && !entry && !opened.wasOpen) $(`${part}-title`).focus()
  opened.wasOpen = Boolean(entry)
  refresh()
}

async function refresh() {
  try {
    await refreshments[part]()
  } catch (error) {
    if (key) notice(error.message, { isError: true })
  }
}

/** Refreshes the open part after new entries, at most every two seconds. */
function refreshSoon() {
  if (part === "timeline" || refreshSoon.timer) return
  refreshSoon.timer = setTimeout(() => {
    refreshSoon.timer = null
    if (key && !document.hidden) refresh()
  }, 2000)
}

// MARK: Overview

let server = null
let environmentIsRevealed = false

async function refreshOverview() {
  const [status, faults] = await Promise.all([get(""), get("/faults"), loadUsers()])
  server = status
  $("base-url").textContent = visible(baseURL())
  $("seed-name").textContent = server.seed ? sentence(visible(server.seed)) : "From a file or a definition"
  fill($("service"), server.service === null ? "None" : [text(server.service), " at ", serverURL(server.service_url)])
  $("request-count").textContent = server.requests.toLocaleString("en-US")
  fill($("faults-in-force"), faults.length === 0 ? "None" : el("ul", { class: "rules" },
    faults.map(fault => el("li", {}, code(fault.text)))))
  showUptime()
  showEnvironment()
}

const baseURL = () => server.environment.IFTTT_API_URL ?? location.origin

function serverURL(url) {
  if (url === null) return "an unknown address"
  if (!/^https?:\/\//i.test(url)) return code(url)
  return el("a", { href: url, target: "_blank", rel: "noopener noreferrer" }, text(url))
}

function showUptime() {
  if (server) $("uptime").textContent = duration(Math.max(0, Date.now() - Date.parse(server.started_at)))
}

const shellQuoted = value => `'${value.replaceAll("'", `'\\''`)}'`

/** How each format writes a variable. */
const environmentFormats = {
  sh: (name, value) => `export ${name}=${shellQuoted(value)}`,
  fish: (name, value) => `set -gx ${name} '${value.replace(/['\\]/g, "\\$&")}'`,
  env: (name, value) =>
    `${name}=${/^[\w./:@-]*$/.test(value) ? value : `"${value.replace(/["\\$]/g, "\\$&").replaceAll("\n", "\\n")}"`}`,
  compose: (name, value) => `  ${name}: ${JSON.stringify(value.replaceAll("$", "$$$$"))}`,
}

function environment(isRevealed) {
  const format = $("environment-format").value
  const lines = Object.entries(server.environment).map(([name, value]) => {
    const isSecret = /KEY|TOKEN|CODE/.test(name) && value !== ""
    return environmentFormats[format](name, isSecret && !isRevealed ? masked(value) : value)
  })
  return (format === "compose" ? "environment:\n" : "") + lines.join("\n")
}

function showEnvironment() {
  if (server) $("environment").textContent = visible(environment(environmentIsRevealed), true)
}

function setUpOverview() {
  onAction($("copy-url"), "click", () => copy(baseURL(), "the base URL"))
  onAction($("copy-environment"), "click", () => copy(environment(true) + "\n", "the environment"))
  onAction($("more-users"), "click", showMoreUsers)
  $("environment-format").addEventListener("change", showEnvironment)
  $("reveal-environment").addEventListener("click", () => {
    environmentIsRevealed = !environmentIsRevealed
    $("reveal-environment").setAttribute("aria-pressed", environmentIsRevealed)
    showEnvironment()
  })
  setInterval(showUptime, 1000)
}

// MARK: Users

/** The loaded users. `next` is the position of the next page, or null after the last one. */
const users = { list: [], next: 0, shown: 20 }

/** Loads the first users. A list of one page is loaded again, because a person who signs in becomes a user. */
async function loadUsers() {
  if (users.list.length > 0 && (users.next !== null || users.list.length > 1000)) return
  const page = await get("/users?from=0")
  // Showing the same list again would hide a revealed token.
  if (users.list.length > 0 && JSON.stringify(page.users) === JSON.stringify(users.list)) return
  Object.assign(users, { list: page.users, next: page.next })
  showUsers()
}

async function loadPageOfUsers() {
  const from = users.next
  const page = await get(`/users?from=${from}`)
  if (users.next !== from) return
  users.list.push(...page.users)
  users.next = page.next
  showUsers()
}

/** Shows more users, in small steps because a server can have a million. */
async function showMoreUsers() {
  users.shown += 20
  if (users.shown > users.list.length && users.next !== null) await loadPageOfUsers()
  else showUsers()
}

function showUsers() {
  $("more-users").hidden = users.shown >= users.list.length && users.next === null
  fill($("users"), users.list.slice(0, users.shown).map(userItem))
  fill($("known-users"), users.list.slice(0, 1000).map(user => el("option", { value: user.user_id, label: user.email ?? user.login })))
  for (const id of ["connections-user", "triggers-user"]) if (!$(id).value) $(id).value = users.list[0]?.user_id ?? ""
}

function forgetUsers() {
  Object.assign(users, { list: [], next: 0, shown: 20 })
}

function userItem(user, index) {
  const id = `user-${index}`
  return el("li", {},
    el("h3", { id, dir: "auto" }, text(user.user_id)),
    el("p", { class: "soft" }, text(user.login), user.email !== null && [" · ", text(user.email)]),
    tokenRow("User token", user.user_token, id), tokenRow("Access token", user.access_token, id))
}

function tokenRow(name, token, describedBy) {
  if (token == null) return null
  const shown = el("code", {}, text(masked(token)))
  const reveal = el("button", { type: "button", "aria-pressed": "false", "aria-describedby": describedBy, onclick: () => {
    const isRevealed = reveal.getAttribute("aria-pressed") !== "true"
    reveal.setAttribute("aria-pressed", isRevealed)
    fill(shown, text(isRevealed ? token : masked(token)))
  } }, "Reveal")
  const copyToken = button("Copy", () => copy(token, `the ${name.toLowerCase()}`), { "aria-describedby": describedBy })
  return el("p", { class: "token" }, el("span", { class: "soft" }, name), shown, copyToken, reveal)
}

// MARK: Brand colors

// The brightness rule of the Connect Button: a knob in nearly the color of the track would have no edge.
const track = [0x22, 0x22, 0x22]
const unknownBrand = [0x99, 0x99, 0x99]

const brightness = color => Math.max(...color) / 255

function knobColor(text) {
  const digits = /^#([0-9a-f]{6})$/i.exec(text ?? "")?.[1]
  const color = digits ? [0, 2, 4].map(at => parseInt(digits.slice(at, at + 2), 16)) : unknownBrand
  const level = brightness(color)
  if (Math.abs(level - brightness(track)) >= 0.2) return color
  const target = level < 0.25 ? level + 0.25 : level - 0.15
  return color.map(channel => Math.round(level === 0 ? target * 255 : channel / level * target))
}

function luminance(color) {
  const [red, green, blue] = color.map(channel =>
    channel / 255 <= 0.04045 ? channel / 255 / 12.92 : ((channel / 255 + 0.055) / 1.055) ** 2.4)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** A knob with the first letter of the service: its icon is on another host, which this page never contacts. */
function knob(service) {
  const color = knobColor(service.color)
  const element = el("span", { class: "knob", "aria-hidden": "true" }, visible(Array.from(service.name)[0] ?? "?").toUpperCase())
  element.style.setProperty("--brand", `rgb(${color.join(" ")})`)
  // Black and white have the same contrast with a color of this luminance.
  element.style.setProperty("--on-brand", luminance(color) > 0.179 ? "#000" : "#fff")
  return element
}

// MARK: Connections

const connectionStatuses = { enabled: "Enabled", disabled: "Disabled", never_enabled: "Never enabled" }
let shownConnections = ""

async function connectionsOf(userID) {
  return userID ? get(`/connections?user=${encodeURIComponent(userID)}`) : []
}

async function refreshConnections() {
  await loadUsers()
  const userID = $("connections-user").value.trim()
  const list = await connectionsOf(userID)
  if (userID !== $("connections-user").value.trim()) return
  const shown = JSON.stringify([userID, list])
  if (shown === shownConnections) return
  shownConnections = shown
  fill($("connections"), list.length > 0
    ? list.map((connection, index) => connectionCard(connection, userID, `connection-${index}`))
    : el("p", { class: "soft" }, "This user has no connections."))
}

function connectionCard(connection, userID, id) {
  const isEnabled = connection.status === "enabled"
  const link = (label, path) => el("a", {
    href: path, target: "_blank", rel: "noopener", class: "button", "aria-describedby": id, "data-focus": `${id} ${label}`,
  }, label)
  const action = isEnabled ? "disable" : "enable"
  const change = button(sentence(action), () => changeConnection(connection, userID, action),
    { "aria-describedby": id, "data-focus": `${id} change`, class: isEnabled ? "" : "main" })
  return el("article", { class: "card connection", "aria-labelledby": id },
    el("div", { class: "heading" },
      el("span", { class: `pill ${isEnabled ? "on" : ""}`, "aria-hidden": "true" },
        knob(connection.services[0] ?? { name: connection.name }), el("span", {}, isEnabled ? "Connected" : "Connect")),
      el("h2", { id, dir: "auto" }, text(connection.name))),
    el("p", { class: "chips" },
      el("span", { class: `chip ${isEnabled ? "good" : ""}` }, connectionStatuses[connection.status] ?? text(connection.status)),
      connection.pending && el("span", { class: "chip warn" }, "Pending"), code(connection.id)),
    connection.description && el("p", { class: "soft", dir: "auto" }, text(connection.description)),
    el("ul", { class: "chips" }, connection.services.map(service => el("li", { class: "service" }, knob(service), text(service.name)))),
    fillFacts([
      ["Last run", connection.last_run_at ? time(connection.last_run_at, true) : "Never"],
      ["Enabled by", connection.enabled_count == null ? null : count(connection.enabled_count, "user")],
    ]),
    connection.features.map(featureItem),
    el("div", { class: "row" }, change, link("Activation page", activationPath(connection, userID)),
      connection.status === "enabled" && link("Edit", editPath(connection, userID))))
}

function editPath(connection, userID) {
  return `/connections/${encodeURIComponent(connection.id)}/edit?user_id=${encodeURIComponent(userID)}`
}

function activationPath(connection, userID) {
  const user = users.list.find(user => user.user_id === userID)
  const path = `/connect/${encodeURIComponent(connection.id)}`
  if (!user) return path
  return path + (user.email === null
    ? `?username=${encodeURIComponent(user.login)}` : `?email=${encodeURIComponent(user.email)}`)
}

const stepKinds = { triggers: "Trigger", queries: "Query", actions: "Action" }

/** The configuration of a feature in words. */
function featureItem(feature) {
  return el("details", { class: "feature", open: feature.enabled },
    el("summary", {}, text(feature.title), !feature.enabled && el("span", { class: "chip" }, "Off")),
    fieldList(feature.fields),
    el("ul", {}, feature.steps.map(step => el("li", {},
      el("span", { class: "kind" }, stepKinds[step.kind] ?? text(step.kind)), " ", text(step.label), " ",
      el("code", { class: "soft" }, text(step.name)), fieldList(step.fields)))))
}

function fieldList(fields) {
  if (fields.length === 0) return null
  return el("dl", {}, fields.map(field =>
    [el("dt", {}, text(field.label)), el("dd", {}, field.value === null ? el("i", {}, "Not set") : text(field.value))]))
}

async function changeConnection(connection, userID, action) {
  const entry = await send("POST", `/connections/${encodeURIComponent(connection.id)}/${action}`, { user_id: userID })
  const isDone = entry.status >= 200 && entry.status < 300
  notice(isDone ? `${connection.name} is ${action}d.` : entry.message ?? `The response was ${entry.status}.`,
    { entry: entry.number, isError: !isDone })
  await refreshConnections()
}

// MARK: Timeline: stored entries

const maximum = { stored: 10_000, rows: 2000, rowsPerStep: 150, page: 300 }

const timeline = {
  /** The summaries by number. */
  entries: new Map(),
  /** The numbers of the effects of each entry, in ascending order. */
  effects: new Map(),
  /** The ranges of entries that the stream skipped, in ascending order: after, through, count. */
  gaps: [],
  last: 0, cleared: 0, isPaused: false, started: null, lastBusy: 0,
}

/** Stores summaries. A cause can have a higher number than its effects, because it is complete after them. */
function store(summaries) {
  for (const summary of summaries) {
    if (summary.number <= timeline.cleared || timeline.entries.has(summary.number)) continue
    timeline.entries.set(summary.number, { ...summary, row: null, filter: null, isMatch: false })
    addEffect(summary)
  }
  if (timeline.entries.size > maximum.stored) removeOld()
  if (opened.number && summaries.some(summary => summary.caused_by === opened.number)) showRelations()
  renderSoon()
}

function addEffect({ number, caused_by: cause }) {
  if (cause === null) return
  const numbers = timeline.effects.get(cause)
  if (!numbers) return timeline.effects.set(cause, [number])
  numbers.push(number)
  if (numbers.at(-2) > number) numbers.sort((a, b) => a - b)
}

function removeOld() {
  // Some more, so that not each new entry removes one.
  const oldest = timeline.last - maximum.stored + 500
  for (const number of timeline.entries.keys()) if (number <= oldest) timeline.entries.delete(number)
  timeline.effects.clear()
  for (const entry of timeline.entries.values()) addEffect(entry)
}

function addGap(after, through, skipped) {
  const previous = timeline.gaps.at(-1)
  if (previous?.through === after) Object.assign(previous, { through, count: previous.count + skipped })
  else timeline.gaps.push({ after, through, count: skipped })
}

/** The number of entries that the stream skipped and that can still be loaded. */
function skippedCount() {
  const oldest = Math.max(timeline.cleared, timeline.last - maximum.stored)
  timeline.gaps = timeline.gaps.filter(gap => gap.through > oldest)
  for (const gap of timeline.gaps) {
    gap.after = Math.max(gap.after, oldest)
    gap.count = Math.min(gap.count, gap.through - gap.after)
  }
  return timeline.gaps.reduce((sum, gap) => sum + gap.count, 0)
}

/** Loads skipped entries: all that are among the 500 before the newest of them. */
async function loadSkipped() {
  const { through } = timeline.gaps.at(-1)
  const after = Math.max(0, through - 500)
  let path = `/entries?after=${after}&through=${through}`
  while (path) {
    const response = await request("GET", path)
    store(await response.json())
    path = /<\/\.sandbox(\/entries\?[^>]*)>; *rel="?next/.exec(response.headers.get("Link") ?? "")?.[1]
  }
  timeline.gaps = timeline.gaps.flatMap(gap => [
    { ...gap, through: Math.min(gap.through, after) }, { ...gap, after: Math.max(gap.after, through) },
  ]).filter(gap => gap.after < gap.through)
}

/** Loads skipped entries while few new ones arrive, or all of them on demand. */
async function catchUp({ isForced = false } = {}) {
  if (catchUp.isRunning) return
  catchUp.isRunning = true
  try {
    while (key && !timeline.isPaused && skippedCount() > 0 && (isForced || Date.now() - timeline.lastBusy > 1000)) {
      await loadSkipped()
      await pause(isForced ? 50 : 250)
    }
  } finally {
    catchUp.isRunning = false
    renderSoon()
  }
}

function forgetEntries() {
  timeline.entries.clear()
  timeline.effects.clear()
  timeline.gaps = []
}

// MARK: Timeline: filters

/** The values of the controls. Each change makes another object, so that an entry knows which one it was compared with. */
let filter = {}

function readFilter() {
  const names = ["search", "user", "connection", "direction", "step", "status"]
  filter = Object.fromEntries(names.map(name => [name, $(`filter-${name}`).value.trim().toLowerCase()]))
  limit = maximum.page
  renderSoon()
}

const contains = (value, part) => value !== null && value.toLowerCase().includes(part)

function statusMatches(status, wanted) {
  const digits = wanted.replaceAll("x", "")
  return status !== null && String(status).startsWith(digits)
}

const searched = ["number", "method", "url", "step", "cause", "connection_id", "user_id", "endpoint", "event_id",
  "trigger_identity", "detail", "message", "fault", "status"]

function matches(entry) {
  if (entry.filter === filter) return entry.isMatch
  entry.filter = filter
  entry.searchText ??= searched.map(name => entry[name] ?? "").join("\n").toLowerCase()
  entry.isMatch = (!filter.user || contains(entry.user_id, filter.user))
    && (!filter.connection || contains(entry.connection_id, filter.connection))
    && (!filter.direction || entry.direction === filter.direction)
    && (!filter.step || entry.step === filter.step)
    && (!filter.status || statusMatches(entry.status, filter.status))
    && (!filter.search || entry.searchText.includes(filter.search))
  return entry.isMatch
}

/** Offers the users and connections of recent entries in the filters. */
function offerSeen() {
  const recent = [...timeline.entries.values()].slice(-500)
  for (const [id, name] of [["seen-users", "user_id"], ["seen-connections", "connection_id"]]) {
    const values = [...new Set(recent.map(entry => entry[name]).filter(Boolean))].sort().slice(0, 100)
    fill($(id), values.map(value => el("option", { value })))
  }
}

// MARK: Timeline: rows

let limit = maximum.page
let shownEntries = []
const news = { number: 0, lastAt: 0, last: 0 }

function renderSoon() {
  renderSoon.timer ??= setTimeout(() => {
    renderSoon.timer = null
    if (part === "timeline" && key) renderTimeline()
  }, 250)
}

/** The matching entries with their causes, as trees: the tree with the newest entry first, effects after their cause. */
function treeRows() {
  const shown = new Set()
  const newest = new Map()
  for (const entry of timeline.entries.values()) {
    if (!matches(entry)) continue
    let root = entry
    for (let height = 0; height < 50; height++) {
      shown.add(root)
      const cause = timeline.entries.get(root.caused_by)
      if (!cause) break
      root = cause
    }
    newest.set(root, Math.max(newest.get(root) ?? 0, entry.number))
  }
  const rows = []
  const visit = (entry, depth) => {
    if (rows.length === limit || depth > 50) return
    rows.push({ entry, depth })
    for (const number of timeline.effects.get(entry.number) ?? []) {
      const effect = timeline.entries.get(number)
      if (shown.has(effect)) visit(effect, depth + 1)
    }
  }
  for (const [root] of [...newest].sort((a, b) => b[1] - a[1])) visit(root, 0)
  return { rows, total: shown.size }
}

/** Shows the rows, of which few are new in one step so that the page stays responsive. */
function renderTimeline() {
  const { rows, total } = treeRows()
  const list = $("entries")
  const focused = document.activeElement
  const wanted = new Set(rows.map(row => row.entry))
  for (const entry of shownEntries) {
    if (wanted.has(entry)) continue
    entry.row.remove()
    entry.row = null
  }
  shownEntries = []
  let created = 0
  let next = list.firstElementChild
  for (const { entry, depth } of rows) {
    if (!entry.row) {
      if (created === maximum.rowsPerStep) continue
      entry.row = entryRow(entry)
      created++
    }
    shownEntries.push(entry)
    placeRow(entry, depth)
    if (entry.row === next) next = next.nextElementSibling
    else list.insertBefore(entry.row, next)
  }
  // A row that moves loses the focus.
  if (focused !== document.activeElement && list.contains(focused)) focused.focus({ preventScroll: true })
  if (created === maximum.rowsPerStep) renderSoon()
  showCounts(total)
  announce()
}

function placeRow({ row, number, isMatch }, depth) {
  if (row.ariaLevel !== String(depth + 1)) {
    row.ariaLevel = depth + 1
    row.className = depth === 0 ? "root" : `effect depth-${Math.min(depth, 4)}`
  }
  row.classList.toggle("context", !isMatch)
  if (opened.number === number) row.firstElementChild.ariaCurrent = "true"
  else row.firstElementChild.ariaCurrent = null
}

function entryRow(entry) {
  const what = entry.endpoint ?? entry.path ?? entry.detail ?? ""
  const reason = entry.message ?? entry.detail
  return el("li", {}, el("a", { href: `#entry-${entry.number}` },
    el("span", { class: "at" }, time(entry.at)), " ", kindChip(entry), " ",
    el("span", { class: "what" }, entry.method && el("b", {}, visible(entry.method)), " ",
      text(what, { class: "path" }),
      entry.attempt > 1 && el("span", { class: "chip warn" }, `attempt ${entry.attempt}`),
      entry.fault && el("span", { class: "chip warn" }, text(`fault ${entry.fault}`)),
      reason && reason !== what && text(reason, { class: isFailure(entry) ? "reason bad" : "reason" })), " ",
    el("span", { class: `status ${isFailure(entry) ? "bad" : ""}` }, entry.status ?? ""), " ",
    el("span", { class: "took" }, entry.duration_ms === null ? "" : duration(entry.duration_ms))))
}

const isFailure = entry => entry.status >= 400 || entry.step === "failed" || entry.step === "given_up"

function kindName(entry) {
  if (entry.step) return words(entry.step)
  return entry.direction === "sent" ? "sent" : "received"
}

function kindChip(entry) {
  const look = isFailure(entry) ? "bad" : { found: "accent", ran: "good", warning: "warn" }[entry.step] ?? ""
  return el("span", { class: `chip ${look}` }, visible(kindName(entry)))
}

function showCounts(total) {
  const skipped = skippedCount()
  $("not-shown").hidden = skipped === 0
  $("not-shown").firstElementChild.textContent = timeline.isPaused
    ? `${count(skipped, "new entry", "new entries")} since the pause.` : `${count(skipped, "entry", "entries")} not shown.`
  $("load").hidden = timeline.isPaused
  $("empty").hidden = total > 0
  $("empty").textContent = Object.values(filter).some(Boolean) ? "No entries match the filters." : "No entries yet. Requests appear here as they happen."
  $("show-more").hidden = total <= limit
  $("show-more").disabled = limit === maximum.rows
  $("show-more").textContent = limit === maximum.rows
    ? `Use the filters to see ${count(total - limit, "older entry", "older entries")}`
    : `Show more of ${count(total - limit, "older entry", "older entries")}`
}

/** Announces new entries to screen readers, at most every five seconds. */
function announce() {
  const wait = news.lastAt + 5000 - Date.now()
  if (news.last === 0) news.last = timeline.last
  if (timeline.last === news.last || wait > 0) return
  const latest = timeline.entries.get(timeline.last)
  const number = timeline.last - news.last
  $("news").textContent = number === 1 && latest
    ? `New entry: ${visible([kindName(latest), latest.endpoint ?? latest.path, latest.status].filter(Boolean).join(", "))}`
    : count(number, "new entry", "new entries")
  Object.assign(news, { last: timeline.last, lastAt: Date.now() })
}

async function refreshTimeline() {
  renderSoon()
  if ($("filter-step").options.length > 1) return
  server ??= await get("")
  fillSelect($("filter-step"), [["", "Any"], ...server.steps.map(step => [step, words(step)])])
}

function setUpTimeline() {
  $("filters").addEventListener("submit", event => event.preventDefault())
  $("filters").addEventListener("input", readFilter)
  for (const name of ["user", "connection"]) $(`filter-${name}`).addEventListener("focus", offerSeen)
  onAction($("load"), "click", () => catchUp({ isForced: true }))
  $("show-more").addEventListener("click", () => {
    limit = Math.min(maximum.rows, limit + maximum.page)
    renderSoon()
  })
  $("pause").addEventListener("click", () => {
    timeline.isPaused = !timeline.isPaused
    $("pause").textContent = timeline.isPaused ? "Resume" : "Pause"
    showLive()
    renderSoon()
    if (!timeline.isPaused) catchUp({ isForced: true }).catch(error => notice(error.message, { isError: true }))
  })
  $("clear").addEventListener("click", () => {
    timeline.cleared = timeline.last
    forgetEntries()
    renderSoon()
  })
  $("entries").addEventListener("keydown", moveBetweenRows)
  readFilter()
}

/** The arrow keys, Home and End move between rows, because a long list has many stops for Tab. */
function moveBetweenRows(event) {
  const row = event.target.closest("li")
  const target = {
    ArrowDown: row?.nextElementSibling, ArrowUp: row?.previousElementSibling, Home: row?.parentElement.firstElementChild,
    End: row?.parentElement.lastElementChild,
  }[event.key]
  if (!target) return
  event.preventDefault()
  target.firstElementChild.focus()
}

// MARK: Stream

let stream = new AbortController()
let live = { state: "live", text: "" }

function showLive(state = live.state, explanation = "") {
  live = { state, text: explanation }
  const shown = state === "live" && timeline.isPaused ? "paused" : state
  $("live").dataset.state = shown
  $("live").textContent = explanation || { live: "Live", paused: "Paused", connecting: "Connecting" }[shown]
}

/** Follows the log until the key is gone. After each failure it waits twice as long, up to ten seconds. */
async function follow() {
  let wait = 500
  follow.isRunning = true
  showLive("connecting")
  while (key) {
    try {
      const status = await get("")
      if (timeline.started !== null && timeline.started !== status.started_at) restartTimeline()
      timeline.started = status.started_at
      await readStream(() => {
        wait = 500
        showLive("live")
      })
    } catch {
      // The next attempt follows.
    }
    if (key) showLive("gone", "The server is gone. Trying again.")
    await pause(wait)
    wait = Math.min(wait * 2, 10_000)
  }
  follow.isRunning = false
}

/** Another process serves at this address now, and its numbers begin at 1. */
function restartTimeline() {
  Object.assign(timeline, { last: 0, cleared: 0 })
  news.last = 0
  shownConnections = ""
  forgetEntries()
  forgetUsers()
}

async function readStream(connected) {
  stream = new AbortController()
  // The server sends a comment every 15 seconds.
  const expire = () => setTimeout(() => stream.abort(), 40_000)
  let timer = expire()
  try {
    const response = await request("GET", `/stream?after=${timeline.last}`, undefined, stream.signal)
    connected()
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    let rest = ""
    for (;;) {
      const { value, done } = await reader.read()
      if (done) return
      clearTimeout(timer)
      timer = expire()
      const messages = (rest + value).split("\n\n")
      rest = messages.pop()
      for (const message of messages) receive(message)
    }
  } finally {
    clearTimeout(timer)
  }
}

function receive(message) {
  const data = message.split("\n").filter(line => line.startsWith("data:")).map(line => line.slice(5)).join("\n")
  if (!data) return
  const { entries, skipped, last } = JSON.parse(data)
  const first = timeline.isPaused ? last : (entries[0]?.number ?? last + 1) - 1
  const missing = timeline.isPaused ? skipped + entries.length : skipped
  if (missing > 0) addGap(timeline.last, first, missing)
  if (timeline.last > 0 && skipped + entries.length > 50) timeline.lastBusy = Date.now()
  timeline.last = last
  if (!timeline.isPaused) store(entries)
  renderSoon()
  refreshSoon()
}

// MARK: One entry

const opened = { number: null, entry: null, wasOpen: false }

function entryLink(number) {
  const summary = timeline.entries.get(number)
  const what = summary && `${kindName(summary)} ${summary.endpoint ?? summary.path ?? ""}`
  return el("a", { href: `#entry-${number}` }, `Entry ${number}`, what && [" ", text(what)])
}

async function openEntry(number) {
  opened.number = number
  renderSoon()
  const box = $("entry")
  let content
  try {
    opened.entry = await get(`/entries/${number}`)
    content = entryView(opened.entry)
  } catch (error) {
    opened.entry = null
    content = [entryHeading(`Entry ${number}`), el("p", { class: "bad" }, text(error.message))]
  }
  if (opened.number !== number || !key) return
  fill(box, content)
  box.hidden = false
  box.scrollTop = 0
  document.body.classList.add("has-entry")
  if (opened.entry) showRelations()
  $("entry-title").focus()
}

function closeEntry() {
  const row = timeline.entries.get(opened.number)?.row
  opened.number = null
  $("entry").hidden = true
  document.body.classList.remove("has-entry")
  row?.firstElementChild.focus()
  renderSoon()
}

function entryHeading(title, ...more) {
  return el("div", { class: "heading" }, el("h2", { id: "entry-title", tabindex: "-1" }, title), ...more,
    el("a", { href: "#timeline", class: "button close" }, "Close"))
}

function entryView(entry) {
  const again = button("Send again", () => sendAgain(entry, {}))
  const edit = button("Edit", () => showEditForm(entry))
  const copyCurl = button("Copy as curl", () => copy(curlCommand(entry), "the curl command"))
  const reason = entry.message ?? (isFailure(entry) ? entry.detail : null)
  return [
    entryHeading(`Entry ${entry.number}`, kindChip(entry)),
    reason && el("div", { class: "words" }, el("h3", {}, entry.direction === "sent" ? "Message from the service’s server" : "Message"),
      el("p", { dir: "auto" }, text(reason))),
    entry.method && el("p", { class: "target" }, el("b", {}, visible(entry.method)), " ", text(entry.url ?? entry.path)),
    entry.method && el("div", { class: "row" }, again, edit, copyCurl),
    el("div", { id: "edit" }),
    el("div", { id: "relations" }),
    fillFacts([
      ["Status", entry.status], ["Duration", entry.duration_ms === null ? null : duration(entry.duration_ms)],
      ["Attempt", entry.attempt], ["Time", time(entry.at, true)], ["Direction", entry.direction && sentence(entry.direction)],
      ["Step", entry.step && sentence(words(entry.step))], ["Reason", entry.cause && sentence(words(entry.cause))], ["Detail", entry.detail],
      ["Fault", entry.fault], ["Connection", entry.connection_id], ["User", entry.user_id], ["Endpoint", entry.endpoint],
      ["Event", entry.event_id], ["Trigger identity", entry.trigger_identity], ["Request id", entry.request_id],
    ]),
    entry.fields && el("div", { class: "message" }, el("h3", {}, "Fields"), jsonView(entry.fields)),
    entry.request && messageView("Request", entry.request),
    entry.method && (entry.response ? messageView("Response", entry.response) : el("p", { class: "soft" }, "No response.")),
    entry.method && el("details", {}, el("summary", {}, "curl command"),
      el("pre", { tabindex: "0", "aria-label": "curl command" }, visible(curlCommand(entry), true))),
  ]
}

function showRelations() {
  const { entry } = opened
  if (!entry || !$("relations")) return
  const effects = [...new Set([...entry.effects, ...timeline.effects.get(entry.number) ?? []])].sort((a, b) => a - b)
  fill($("relations"), fillFacts([
    ["Cause", entry.caused_by && entryLink(entry.caused_by)],
    ["Effects", effects.length > 0 && el("ul", {}, effects.slice(0, 100).map(number => el("li", {}, entryLink(number))),
      effects.length > 100 && el("li", {}, `${effects.length - 100} more`))],
  ].filter(([, value]) => value)))
}

function messageView(title, message) {
  const headers = Object.entries(message.headers)
  const size = message.body_truncated ? `${bytes(message.body_size)}, of which the beginning is stored` : bytes(message.body_size)
  return el("div", { class: "message" }, el("h3", {}, title),
    el("details", { open: title === "Request" && headers.length < 12 }, el("summary", {}, count(headers.length, "header")),
      el("dl", { class: "headers" }, headers.map(([name, value]) => [el("dt", {}, text(name)), el("dd", {}, text(value))]))),
    message.body === null ? el("p", { class: "soft" }, "No body.") : [el("p", { class: "soft" }, `Body, ${size}`), bodyView(message.body)])
}

/** JSON as a tree with the text as it was sent, or else only the text. */
function bodyView(body) {
  const plain = el("pre", { tabindex: "0", "aria-label": "Body" }, el("bdi", {}, visible(body, true)))
  let value
  try {
    value = JSON.parse(body)
  } catch {
    return plain
  }
  if (value === null || typeof value !== "object") return plain
  return [jsonView(value), el("details", {}, el("summary", {}, "As sent"), plain)]
}

/** The tree of a JSON value. A part is created when it is opened, since a body can have thousands. */
function jsonView(value) {
  return el("div", { class: "json" }, jsonItem(null, value, { open: 200 }))
}

function jsonItem(name, value, budget) {
  const label = name === null ? null : el("span", { class: "name" }, text(name), ": ")
  if (value === null || typeof value !== "object") return el("div", { class: "leaf" }, label, jsonLeaf(value))
  const items = Array.isArray(value) ? value.map((item, index) => [index, item]) : Object.entries(value)
  const [left, right] = Array.isArray(value) ? "[]" : "{}"
  const size = Array.isArray(value) ? count(items.length, "item") : count(items.length, "member")
  if (items.length === 0) return el("div", { class: "leaf" }, label, left + right)
  const inside = el("div", { class: "inside" })
  const addItems = from => {
    inside.append(...items.slice(from, from + 200).map(([key, item]) => jsonItem(key, item, budget)))
    if (from + 200 >= items.length) return
    const more = el("button", { type: "button", onclick: () => (more.remove(), addItems(from + 200)) }, `Show more of ${size}`)
    inside.append(more)
  }
  const isOpen = items.length <= budget.open
  if (isOpen) {
    budget.open -= items.length
    addItems(0)
  }
  return el("details", { open: isOpen, ontoggle: () => { if (!inside.firstChild) addItems(0) } },
    el("summary", {}, label, `${left} `, el("span", { class: "soft" }, size), ` ${right}`), inside)
}

function jsonLeaf(value) {
  if (typeof value === "string") return el("span", { class: "string" }, el("bdi", {}, visible(JSON.stringify(value))))
  return el("span", { class: "literal" }, String(value))
}

// MARK: Send again

async function sendAgain(entry, changes) {
  const created = await send("POST", `/entries/${entry.number}/send`, changes)
  store([created])
  location.hash = `#entry-${created.number}`
  notice(`Sent ${created.method} again: ${created.status ?? "no response"}.`)
}

const isMasked = value => /^(?:\S+ )?\S{0,4}…\S{0,4}$/.test(value)
const connectionHeaders = new Set(["connection", "content-length", "host", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade"])

/** The headers that a person can edit: those of the TCP connection are set for each request, masked ones are not known. */
function editableHeaders(entry) {
  return Object.entries(entry.request.headers).filter(([name, value]) =>
    !connectionHeaders.has(name.toLowerCase()) && !isMasked(value))
}

const pathAndQuery = entry => entry.path + (entry.query === null ? "" : `?${entry.query}`)

function showEditForm(entry) {
  const field = (id, label, value, lines) => el("label", {}, label, lines
    ? el("textarea", { id, rows: lines, spellcheck: "false" }, value)
    : el("input", { id, value, autocomplete: "off", spellcheck: "false" }))
  const lines = editableHeaders(entry).map(([name, value]) => `${name}: ${value}`)
  const form = el("form", { class: "edit", "aria-label": "Edit the request" },
    field("edit-method", "Method", entry.method),
    field("edit-path", "Path", pathAndQuery(entry)),
    field("edit-headers", "Headers", lines.join("\n"), Math.min(8, lines.length + 1)),
    field("edit-body", "Body", entry.request.body ?? "", 8),
    el("p", { class: "soft" }, "Only the changes are sent. Credentials and removed headers stay as they were."),
    el("div", { class: "row" }, el("button", { class: "main" }, "Send edited"),
      el("button", { type: "button", onclick: () => fill($("edit")) }, "Cancel")))
  onAction(form, "submit", () => sendAgain(entry, editedRequest(entry)))
  fill($("edit"), form)
  $("edit-method").focus()
}

function editedRequest(entry) {
  const changes = {}
  const [method, path, body] = ["edit-method", "edit-path", "edit-body"].map(id => $(id).value)
  if (method.trim() !== entry.method) changes.method = method.trim()
  if (path.trim() !== pathAndQuery(entry)) changes.path = path.trim()
  // A textarea has line feeds in place of carriage returns.
  if (body !== (entry.request.body ?? "").replace(/\r\n?/g, "\n")) changes.body = body
  const headers = {}
  for (const line of $("edit-headers").value.split("\n").filter(line => line.trim())) {
    const [, name, value] = /^([^:]+):(.*)$/.exec(line) ?? []
    if (!name) throw new Error(`A header has no colon: ${line}`)
    if (entry.request.headers[name.trim()] !== value.trim()) headers[name.trim()] = value.trim()
  }
  if (Object.keys(headers).length > 0) changes.headers = headers
  return changes
}

// MARK: curl

const secretVariables = {
  "ifttt-service-key": "IFTTT_SERVICE_KEY", "ifttt-channel-key": "IFTTT_SERVICE_KEY", user_token: "IFTTT_USER_TOKEN",
  token: "IFTTT_USER_TOKEN", access_token: "IFTTT_ACCESS_TOKEN", refresh_token: "IFTTT_REFRESH_TOKEN", code: "IFTTT_OAUTH_CODE",
  oauth_code: "IFTTT_OAUTH_CODE", invite_code: "IFTTT_INVITE_CODE", client_secret: "IFTTT_CLIENT_SECRET",
  key: "IFTTT_WEBHOOKS_KEY",
}

/** The text for a POSIX shell. Control characters are written by printf, because a terminal would act on them. */
function quotedPart(part) {
  if (/^[\w./:@%+-]+$/.test(part)) return part
  return shellQuoted(part).replace(/[\x01-\x08\x0b-\x1f\x7f]/g, character =>
    `'"$(printf '\\${character.charCodeAt(0).toString(8).padStart(3, "0")}')"'`)
}

/** The text with each masked secret as a variable, quoted for a POSIX shell. */
function quotedWithVariables(content) {
  const secret = /(["?&/]|^)([\w-]+)("\s*:\s*"|=|: |\/)(Bearer |Basic )?([^"&\s\/…]{0,4}(?:…|%E2%80%A6)[^"&\s…]{0,4})(?=["&]|$)/gim
  let quoted = "", end = 0
  for (const match of content.matchAll(secret)) {
    const [whole, , name] = match
    const variable = secretVariables[name.toLowerCase()] ?? name.toUpperCase().replaceAll("-", "_")
    quoted += quotedPart(content.slice(end, match.index + whole.length - match[5].length)) + `"$${variable}"`
    end = match.index + whole.length
  }
  quoted += end < content.length || !quoted ? quotedPart(content.slice(end)) : ""
  return quoted.replace(/^'([^'"$`\\!\n]*)'("\$\w+")$/, (_, start, variable) => `"${start}${variable.slice(1)}`)
}

/** The command that sends the request, with its secrets as variables. */
function curlCommand(entry) {
  const url = entry.url?.startsWith("http") ? entry.url : `http://localhost${pathAndQuery(entry)}`
  const { body } = entry.request
  const options = []
  if (entry.method === "HEAD") options.push("--head")
  else if (entry.method !== "GET" || body !== null) options.push(`--request ${quotedPart(entry.method)}`)
  if (/[[\]{}]/.test(url)) options.push("--globoff")
  if (/\/\.\.?(\/|$)/.test(entry.path)) options.push("--path-as-is")
  const headers = Object.entries(entry.request.headers)
  for (const [name, value] of headers) {
    const lowered = name.toLowerCase()
    if (connectionHeaders.has(lowered)) continue
    if (lowered === "accept-encoding") options.push("--compressed")
    else options.push(`--header ${curlHeader(entry, name, value)}`)
  }
  if (body !== null) {
    if (!headers.some(([name]) => name.toLowerCase() === "content-type")) options.push("--header 'Content-Type:'")
    options.push(`--data-raw ${quotedWithVariables(body)}`)
  }
  return ["curl", ...options, quotedWithVariables(url)].join(" \\\n  ")
}

function curlHeader(entry, name, value) {
  // A service gets access tokens, and the sandbox gets user tokens.
  if (name.toLowerCase() === "authorization" && isMasked(value) && value.startsWith("Bearer ")) {
    return `"${name}: Bearer $${entry.direction === "sent" ? "IFTTT_ACCESS_TOKEN" : "IFTTT_USER_TOKEN"}"`
  }
  return value === "" ? quotedPart(`${name};`) : quotedWithVariables(`${name}: ${value}`)
}

// MARK: Triggers

const firing = { connections: [], shown: "" }

async function refreshTriggers() {
  await loadUsers()
  const userID = $("triggers-user").value.trim()
  const list = (await connectionsOf(userID)).filter(connection => connection.status === "enabled" && triggersOf(connection).length > 0)
  const shown = JSON.stringify([userID, list])
  if (shown === firing.shown || userID !== $("triggers-user").value.trim()) return
  Object.assign(firing, { shown, connections: list })
  fillSelect($("trigger-connection"), list.map(connection => [connection.id, connection.name]))
  $("no-triggers").hidden = list.length > 0
  showTriggers()
}

const triggersOf = connection => connection.features.filter(feature => feature.enabled)
  .flatMap(feature => feature.steps.filter(step => step.kind === "triggers"))

const chosenConnection = () => firing.connections.find(connection => connection.id === $("trigger-connection").value)
const triggerID = step => step.id ?? step.name
const chosenTrigger = () => triggersOf(chosenConnection() ?? { features: [] }).find(step => triggerID(step) === $("trigger").value)

function showTriggers() {
  const connection = chosenConnection()
  fillSelect($("trigger"), connection ? triggersOf(connection).map(step => [triggerID(step), `${step.label} (${step.name})`]) : [])
  showTrigger()
}

function showTrigger() {
  const trigger = chosenTrigger()
  const ingredients = trigger?.ingredients ?? []
  $("ingredients").hidden = ingredients.length === 0
  fill($("ingredients").lastElementChild, ingredients.map((ingredient, index) => el("label", {}, text(ingredient.name),
    el("input", { id: `ingredient-${index}`, "data-name": ingredient.name, value: ingredient.example, autocomplete: "off", spellcheck: "false" }))))
  $("region").hidden = !trigger?.region
  if (trigger?.region) showRegion(trigger.region)
}

/** What the control endpoint needs to know about the chosen trigger. */
function firedTrigger() {
  const trigger = chosenTrigger()
  if (!trigger) throw new Error("Select a trigger of an enabled connection.")
  return { user_id: $("triggers-user").value.trim(), connection_id: chosenConnection().id, trigger: triggerID(trigger) }
}

async function fire() {
  const inputs = [...$("ingredients").querySelectorAll("input")]
  const ingredients = Object.fromEntries(inputs.map(input => [input.dataset.name, input.value]))
  const entry = await send("POST", "/trigger", { ...firedTrigger(), ingredients })
  notice("Fired.", { entry: entry.number })
}

async function reportLocation(event) {
  const entry = await send("POST", "/location", { ...firedTrigger(), event })
  placePerson(event === "entry" ? "inside" : "outside")
  notice(`Reported an ${event}.`, { entry: entry.number })
}

async function notify() {
  const identity = $("identity").value.trim()
  const entry = await send("POST", "/notify", identity ? { trigger_identity: identity } : { user_id: $("triggers-user").value.trim() })
  notice("Notified.", { entry: entry.number })
}

function setUpTriggers() {
  onAction($("trigger-form"), "submit", fire)
  onAction($("notify-form"), "submit", notify)
  onAction($("enter-region"), "click", () => reportLocation("entry"))
  onAction($("exit-region"), "click", () => reportLocation("exit"))
  $("triggers-user").addEventListener("change", refresh)
  $("connections-user").addEventListener("change", refresh)
  $("trigger-connection").addEventListener("change", showTriggers)
  $("trigger").addEventListener("change", showTrigger)
}

/** A map without tiles: the circle of the region, a scale, and the user as a dot. */
function showRegion({ latitude, longitude, radius, event }) {
  const pixels = 70
  const length = niceLength(radius * 1.2)
  const place = `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`
  const distance = meters => meters < 1000 ? `${meters} m` : `${meters / 1000} km`
  const lines = [40, 80, 120, 160, 200, 240, 280].map(at => `M${at} 0V200`).concat([40, 80, 120, 160].map(at => `M0 ${at}H320`))
  fill($("map"), svg("svg", { viewBox: "0 0 320 200", role: "img", "aria-label": `Region of ${distance(radius)} around ${place}` },
    svg("path", { class: "grid", d: lines.join("") }),
    svg("circle", { class: "area", cx: 160, cy: 96, r: pixels }),
    svg("path", { class: "center", d: "M160 90v12M154 96h12" }),
    svg("circle", { id: "person", r: 7 }),
    svg("path", { class: "scale", d: `M12 180v6h${(length / radius * pixels).toFixed(1)}v-6` }),
    svg("text", { x: 16, y: 176 }, distance(length)),
    svg("text", { x: 308, y: 186, "text-anchor": "end" }, place),
    svg("path", { class: "scale", d: "M304 30V14m-4 6l4-6 4 6" })))
  placePerson("outside")
  const reacts = { entry: "entries", exit: "exits", both: "entries and exits" }[event]
  $("region-text").textContent = `The trigger reacts to ${reacts}. Report one to the location endpoint:`
}

function placePerson(side) {
  $("person").setAttribute("class", `person ${side}`)
}

/** The longest of 1, 2 or 5 times a power of ten that is at most this long. */
function niceLength(meters) {
  const power = 10 ** Math.floor(Math.log10(meters))
  return [5, 2, 1].find(factor => factor * power <= meters) * power
}

// MARK: Faults

/** Values to start with for the placeholders in the names of faults. */
const faultValues = { DURATION: "2s", CODE: "503", SIZE: "1M", ORIGIN: "http://127.0.0.1:9" }

async function refreshFaults() {
  const [faults, status] = await Promise.all([get("/faults"), server ?? get("")])
  server = status
  if ($("fault").options.length === 0) {
    fillSelect($("fault"), server.fault_names.map(({ name, summary }) => [name, `${name}: ${summary}`]))
    // The person may have typed a rule while the list was loading.
    if ($("rule").value === "") proposeRule()
  }
  showFaults(faults)
}

function proposeRule() {
  $("rule").value = $("fault").value.replace(/[A-Z]+$/, placeholder => faultValues[placeholder] ?? placeholder)
}

function showFaults(faults) {
  $("clear-faults").disabled = faults.length === 0
  const remove = index => async () => {
    const others = faults.filter((_, other) => other !== index).map(fault => fault.text)
    showFaults(await send("PUT", "/faults", { faults: others, seed: 0 }))
  }
  fill($("faults"), faults.length === 0 ? el("li", { class: "soft" }, "None") : faults.map((fault, index) =>
    el("li", {}, code(fault.text), button("Remove", remove(index), { "data-focus": `fault-${index}` }))))
}

function setUpFaults() {
  $("fault").addEventListener("change", proposeRule)
  onAction($("fault-form"), "submit", async () => {
    showFaults(await send("POST", "/faults", { faults: [$("rule").value.trim()], seed: 0 }))
    notice(`Added ${$("rule").value.trim()}.`)
  })
  onAction($("clear-faults"), "click", async () => {
    showFaults(await send("DELETE", "/faults"))
    notice("Cleared all faults.")
  })
}

// MARK: State

function confirmed(question, action) {
  const dialog = $("confirmation")
  $("confirmation-text").textContent = visible(question)
  $("confirm").textContent = action
  dialog.returnValue = ""
  dialog.showModal()
  return new Promise(resolve => dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true }))
}

async function downloadSeed() {
  const seed = await (await request("GET", "/seed")).blob()
  const link = el("a", { href: URL.createObjectURL(seed), download: "sandbox-seed.json" })
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

async function loadSeed() {
  const [file] = $("load-seed").files
  if (!file) return
  try {
    let seed
    try {
      seed = JSON.parse(await file.text())
    } catch {
      throw new Error(`${file.name} is not JSON.`)
    }
    if (!await confirmed(`Replace the state of the server with ${file.name}?`, "Replace the state")) return
    await send("PUT", "/seed", seed)
    stateWasReplaced()
    notice(`Loaded ${file.name}.`)
  } finally {
    $("load-seed").value = ""
  }
}

async function reset() {
  if (!await confirmed("Reset the server? All changes, entries and faults are lost.", "Reset the server")) return
  await send("POST", "/reset")
  stateWasReplaced()
  notice("Reset the server.")
}

function stateWasReplaced() {
  timeline.cleared = timeline.last
  forgetEntries()
  forgetUsers()
  for (const id of ["connections-user", "triggers-user"]) $(id).value = ""
  shownConnections = firing.shown = ""
  server = null
}

function setUpState() {
  onAction($("download-seed"), "click", downloadSeed)
  onAction($("load-seed"), "change", loadSeed)
  onAction($("reset"), "click", reset)
  $("confirm").addEventListener("click", () => $("confirmation").close("yes"))
  $("cancel").addEventListener("click", () => $("confirmation").close())
}

// MARK: Start

function start() {
  readKey()
  if (!key) return lock("")
  $("locked").hidden = true
  for (const id of ["app", "parts", "live"]) $(id).hidden = false
  route({ movesFocus: false })
  // A stream that has an earlier key begins again.
  if (follow.isRunning) stream.abort()
  else follow()
}

setUpOverview()
setUpTimeline()
setUpTriggers()
setUpFaults()
setUpState()
addEventListener("hashchange", () => /^#key=/.test(location.hash) ? start() : key && route())
document.addEventListener("visibilitychange", () => { if (key && !document.hidden) refresh() })
setInterval(() => key && catchUp().catch(() => {}), 1000)
start()
