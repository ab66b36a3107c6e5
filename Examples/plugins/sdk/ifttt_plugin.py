"""Everything that a provider plugin of ifttt needs, in one file: Python 3.8 or later, no dependencies.

Copy this file beside the plugin's executable. A provider registers a function for each request that it supports:

    from ifttt_plugin import Connection, Host, Plugin

    plugin = Plugin("shelf", "1.0.0")

    @plugin.list_connections
    def list_connections(host: Host, status):
        yield Connection("lamp", "Lamp", "enabled")

    plugin.run()

The library frames, flushes and answers the messages, streams lists, and handles cancellation and errors. What the
plugin prints goes to stderr, which the user sees with the plugin's name. ifttt-plugin(5) describes the protocol.
"""

from __future__ import annotations

import collections
import json
import os
import sys
import threading
import time
import traceback
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from typing import Any, BinaryIO, Callable, Deque, Dict, Iterable, Iterator, List, Optional, Sequence, Set, Tuple, Union
from urllib.parse import parse_qsl

__all__ = [
    "Call", "Canceled", "Connection", "CredentialState", "Disconnected", "Host", "Plugin", "PluginError", "Question",
    "Redirect", "StatusChange",
]

PROTOCOL = "1"
MESSAGE_LIMIT = 16 << 20

Json = Dict[str, Any]
Handler = Callable[..., Any]


class PluginError(Exception):
    """An error that ifttt shows to the user.

    `code` is one of ifttt's error codes, such as `not_found` or `unauthorized`; it determines the exit code. The message
    says what happened, the reason why, and the hint what to do. Put a command in a hint in single quotes.
    """

    def __init__(
        self, code: str, message: str, *, reason: Optional[str] = None, hint: Optional[str] = None,
        retry_after: Optional[int] = None, status: Optional[int] = None, number: int = -32000,
    ) -> None:
        super().__init__(message)
        self.code, self.reason, self.hint, self.number = code, reason, hint, number
        self.retry_after, self.status = retry_after, status

    def to_json(self) -> Json:
        members = {
            "code": self.code, "reason": self.reason, "hint": self.hint, "retry_after": self.retry_after,
            "status": self.status,
        }
        data = {name: value for name, value in members.items() if value not in (None, "")}
        return {"code": self.number, "message": str(self), **({"data": data} if data else {})}

    @classmethod
    def from_json(cls, value: Any) -> "PluginError":
        value = value if isinstance(value, dict) else {}
        data = value.get("data") if isinstance(value.get("data"), dict) else {}
        return cls(
            data.get("code") or "", str(value.get("message") or "no reason was given"), reason=data.get("reason"),
            hint=data.get("hint"), retry_after=data.get("retry_after"), status=data.get("status"),
            number=value.get("code") if isinstance(value.get("code"), int) else -32000)


class Canceled(PluginError):
    """The request was canceled. Let it pass: the library responds to the request."""

    def __init__(self) -> None:
        super().__init__("", "canceled", number=-32800)


class Disconnected(Exception):
    """ifttt closed its end. Let it pass: the library ends the program."""


@dataclass
class Connection:
    """A connection of the provider. `more` has further members of `ifttt connections show --json`."""

    id: str
    name: str
    status: str
    description: Optional[str] = None
    url: Optional[str] = None
    more: Json = field(default_factory=dict)

    def to_json(self) -> Json:
        members = asdict(self)
        more = members.pop("more")
        return {**more, **{name: value for name, value in members.items() if value is not None}}


@dataclass
class StatusChange:
    """The result of enabling or disabling a connection."""

    status: str
    previous_status: str

    def to_json(self) -> Json:
        return {**asdict(self), "changed": self.status != self.previous_status}


@dataclass
class CredentialState:
    """The state of a stored credential: `valid`, `expired`, `missing` or `unknown`."""

    name: str
    state: str
    expires_at: Optional[str] = None
    account: Optional[str] = None

    def to_json(self) -> Json:
        return asdict(self)


@dataclass
class Call:
    """A command to run. The manifest describes its options and arguments, and ifttt has checked them."""

    command: List[str]
    options: Json
    arguments: List[str]
    words: List[str]
    output: str


@dataclass
class Question:
    """A value to complete, while a shell waits."""

    kind: str
    command: List[str]
    profile: str
    prefix: str


@dataclass
class Redirect:
    """The redirect of the browser after a sign-in."""

    redirect_uri: str
    query: str
    via: str

    @property
    def parameters(self) -> Dict[str, str]:
        return dict(parse_qsl(self.query, keep_blank_values=True))


class _Wire:
    """The two pipes. A thread reads, so that a cancellation is noticed while a request is handled."""

    def __init__(self, source: BinaryIO, sink: BinaryIO) -> None:
        self._source, self._sink, self._writing = source, sink, threading.Lock()
        self.changed = threading.Condition()
        self.requests: Deque[Json] = collections.deque()
        self.current: Any = None
        self.awaited: Any = None
        self.response: Optional[Json] = None
        self.canceled: Set[Any] = set()
        self.has_ended = False

    @classmethod
    def standard(cls) -> "_Wire":
        """Takes over stdin and stdout, so that neither `print` nor a child process writes between the messages."""
        wire = cls(os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb"))
        null = os.open(os.devnull, os.O_RDONLY)
        os.dup2(null, 0)
        os.close(null)
        os.dup2(2, 1)
        return wire

    def send(self, message: Json) -> None:
        text = json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=False, separators=(",", ":"))
        line = text.encode("utf-8", "replace")
        if len(line) > MESSAGE_LIMIT:
            raise PluginError("plugin_failed", f"a message is longer than {MESSAGE_LIMIT >> 20} MiB")
        try:
            with self._writing:
                self._sink.write(line + b"\n")
                self._sink.flush()
        except (OSError, ValueError):
            raise Disconnected() from None

    def fail(self, request: Any, number: int, message: str) -> None:
        self.send({"id": request, "error": {"code": number, "message": message}})

    def read(self) -> None:
        try:
            while True:
                line = self._source.readline(MESSAGE_LIMIT + 2)
                if not line or len(line) > MESSAGE_LIMIT + 1:
                    break
                if line.strip():
                    self._receive(line)
        except (OSError, ValueError, Disconnected):
            pass
        with self.changed:
            self.has_ended = True
            self.changed.notify_all()
        # Requests that arrived before the end still get a response, but no handler keeps the process alive.
        time.sleep(1)
        os._exit(0)

    def _receive(self, line: bytes) -> None:
        try:
            message = json.loads(line.decode("utf-8"))
        except (ValueError, RecursionError) as error:
            return self.fail(None, -32700, f"not JSON: {error}")
        if not isinstance(message, dict) or not isinstance(message.get("method", ""), str):
            return self.fail(None, -32600, "not a message of the protocol")
        request, params = message.get("id"), message.get("params")
        with self.changed:
            if "method" not in message:
                if request is not None and request == self.awaited:
                    self.response = message
            elif message["method"] == "$/cancel":
                known = [self.current] + [each["id"] for each in self.requests]
                if isinstance(params, dict) and params.get("id") in known:
                    self.canceled.add(params["id"])
            elif isinstance(request, (int, str)):
                self.requests.append(message)
            self.changed.notify_all()


class Host:
    """ifttt during one request: the facts about this run, and the services that a plugin can use.

    A service that ifttt rejects raises PluginError, for example if there is no person to prompt.
    """

    def __init__(self, wire: _Wire, facts: Json) -> None:
        self._wire, self._last, self._tidying = wire, 0, False
        self.profile: str = facts.get("profile") or "default"
        self.locale: str = facts.get("locale") or "en-US"
        self.interactive: bool = facts.get("interactive") is True
        self.offline: bool = facts.get("offline") is True
        self.dry_run: bool = facts.get("dry_run") is True
        self.verbose: bool = facts.get("verbose") is True
        self.timeout: float = (facts.get("timeout_ms") or 30_000) / 1000
        self.capabilities: List[str] = facts.get("capabilities") or []

    # --- Results and messages ---

    def send(self, item: Union[Connection, Json]) -> None:
        """Sends one element of a list, or one row of a command."""
        self.check_canceled()
        value = item.to_json() if isinstance(item, Connection) else item
        self._notify("item", {"id": self._wire.current, "item": value})

    def progress(self, done: int, total: Optional[int] = None, message: Optional[str] = None) -> None:
        self.check_canceled()
        self._notify("progress", {"id": self._wire.current, "done": done, "total": total, "message": message})

    def log(self, message: str, level: str = "info") -> None:
        """Shows a line to the user: `info`, `warning`, or `debug` for --verbose. It must not contain secrets."""
        self._notify("log", {"level": level, "message": message})

    # --- Cancellation ---

    @property
    def is_canceled(self) -> bool:
        return self._wire.current in self._wire.canceled

    def check_canceled(self) -> None:
        """Raises Canceled if the request was canceled. Call it in long loops."""
        if self.is_canceled and not self._tidying:
            raise Canceled()

    def sleep(self, seconds: float) -> None:
        """Waits, and stops waiting if the request is canceled."""
        with self._wire.changed:
            self._wire.changed.wait_for(lambda: self._wire.has_ended or self.is_canceled, seconds)
        if self._wire.has_ended:
            raise Disconnected()
        self.check_canceled()

    @contextmanager
    def tidying(self) -> Iterator[None]:
        """Lets services be used for two seconds after a cancellation, to save or delete credentials."""
        before, self._tidying = self._tidying, True
        try:
            yield
        finally:
            self._tidying = before

    # --- Credentials: encrypted, one set per profile, limited to the names in the manifest ---

    def credential(self, name: str, take: bool = False) -> Optional[str]:
        """Returns a stored credential, or None. With `take`, it is also deleted in the same step."""
        return self.request("credential/get", {"name": name, **({"take": True} if take else {})}).get("value")

    def credential_names(self, prefix: str = "") -> List[str]:
        return self.request("credential/list", {"prefix": prefix}).get("names") or []

    def save_credentials(
        self, values: Dict[str, str], delete: Sequence[str] = (), recover: bool = False
    ) -> None:
        """Saves and deletes credentials in one transaction. Use `recover` for values that cannot be obtained again."""
        self.request("credential/put", {"values": values, "delete": list(delete), "recover": recover})

    def delete_credential(self, name: str) -> bool:
        return self.request("credential/delete", {"name": name}).get("deleted") is True

    @contextmanager
    def lock(self, name: str, timeout: float = 30) -> Iterator[None]:
        """Lets only one process at a time do something."""
        self.request("lock/acquire", {"name": name, "timeout_ms": int(timeout * 1000)})
        try:
            yield
        finally:
            with self.tidying():
                self.request("lock/release", {"name": name})

    # --- The person: not in lists, details and completion ---

    def prompt(self, message: str, secret: bool = False) -> str:
        return self.request("prompt", {"message": message, "secret": secret}).get("value") or ""

    def confirm(self, message: str) -> bool:
        return self.request("confirm", {"message": message}).get("yes") is True

    def read_input(self, limit: int = 65_536) -> str:
        """Reads the stdin of ifttt, for an option whose value is `-`."""
        return self.request("input/read", {"limit": limit}).get("text") or ""

    def wait(self, seconds: float) -> None:
        """Waits while the user does something elsewhere. The request's timeout is paused."""
        self.request("wait", {"timeout_ms": int(seconds * 1000)})

    def open_browser(self, url: str) -> bool:
        return self.request("browser/open", {"url": url}).get("opened") is True

    def bind_redirect(self, redirect_uri: Optional[str] = None, path: str = "/callback") -> str:
        """Listens for the browser's redirect, and returns the redirect URI with its port."""
        return str(self.request("redirect/bind", {"redirect_uri": redirect_uri, "path": path})["redirect_uri"])

    def open_redirect(
        self, url: str, redirect_uri: str, state: str, *, issuer: Optional[str] = None, timeout: float = 300,
        open_browser: bool = True,
    ) -> Redirect:
        """Opens a page in the browser, and waits for the redirect with this state."""
        result = self.request("redirect/open", {
            "url": url, "redirect_uri": redirect_uri, "state": state, "iss": issuer, "open_browser": open_browser,
            "timeout_ms": int(timeout * 1000)})
        return Redirect(
            result.get("redirect_uri") or redirect_uri, result.get("query") or "", result.get("via") or "listener")

    def finish_redirect(self, success: bool) -> None:
        """Reports the outcome to the page in the browser, which is waiting for it."""
        self.request("redirect/finish", {"outcome": "success" if success else "failure"})

    def request(self, method: str, params: Json) -> Json:
        """Sends any request to ifttt and waits for the result."""
        self.check_canceled()
        self._last += 1
        wire, request = self._wire, self._last
        wire.awaited, wire.response = request, None
        wire.send({"id": request, "method": method, "params": params})
        with wire.changed:
            wire.changed.wait_for(
                lambda: wire.response or wire.has_ended or (self.is_canceled and not self._tidying))
            response, wire.awaited = wire.response, None
        if response is None:
            raise Disconnected() if wire.has_ended else Canceled()
        if "error" in response:
            raise PluginError.from_json(response["error"])
        result = response.get("result")
        return result if isinstance(result, dict) else {}

    def _notify(self, method: str, params: Json) -> None:
        self._wire.send({"method": method, "params": params})


class Plugin:
    """A provider. Its capabilities are the requests that functions are registered for."""

    def __init__(self, name: str, version: str) -> None:
        self.name, self.version = name, version
        self._handlers: Dict[str, Callable[[Host, Json], Optional[Json]]] = {}
        self._commands: Dict[Tuple[str, ...], Handler] = {}

    # --- Registration ---

    def list_connections(self, handler: Handler) -> Handler:
        """`handler(host, status)` returns or yields connections. ifttt drops those with another status."""
        return self._add("connections/list", handler, lambda host, params: _stream(
            host, handler(host, params.get("status"))))

    def show_connection(self, handler: Handler) -> Handler:
        """`handler(host, id)` returns a connection, or raises PluginError with `not_found`."""
        return self._add("connections/show", handler, lambda host, params: {
            "connection": _plain(handler(host, _id(params)))})

    def enable_connection(self, handler: Handler) -> Handler:
        """`handler(host, id, options)` returns a StatusChange."""
        return self._add("connections/enable", handler, lambda host, params: _plain(
            handler(host, _id(params), params.get("options") or {})))

    def disable_connection(self, handler: Handler) -> Handler:
        """`handler(host, id, options)` returns a StatusChange."""
        return self._add("connections/disable", handler, lambda host, params: _plain(
            handler(host, _id(params), params.get("options") or {})))

    def activate_connection(self, handler: Handler) -> Handler:
        """`handler(host, id, values)` returns the activated connection."""
        return self._add("connections/activate", handler, lambda host, params: {
            "connection": _plain(handler(host, _id(params), params.get("values") or {}))})

    def configure_connection(self, handler: Handler) -> Handler:
        """`handler(host, id, values)` returns the configured connection."""
        return self._add("connections/configure", handler, lambda host, params: {
            "connection": _plain(handler(host, _id(params), params.get("values") or {}))})

    def credential_status(self, handler: Handler) -> Handler:
        """`handler(host)` returns the states of the credentials."""
        return self._add("credential/status", handler, lambda host, params: {
            "credentials": [_plain(state) for state in handler(host)]})

    def refresh_credential(self, handler: Handler) -> Handler:
        """`handler(host, name)` returns whether anything changed; the name is None for all credentials."""
        return self._add("credential/refresh", handler, lambda host, params: {
            "changed": bool(handler(host, params.get("name")))})

    def revoke_credential(self, handler: Handler) -> Handler:
        """`handler(host, name)` returns whether anything changed; the name is None for all credentials."""
        return self._add("credential/revoke", handler, lambda host, params: {
            "changed": bool(handler(host, params.get("name")))})

    def command(self, *path: str) -> Callable[[Handler], Handler]:
        """`handler(host, call)` returns text to print, or rows: one object, or an iterable of objects."""
        def register(handler: Handler) -> Handler:
            self._commands[path] = handler
            return self._add("command/run", handler, self._run_command)
        return register

    def complete(self, handler: Handler) -> Handler:
        """`handler(host, question)` returns values, or pairs of a value and its description."""
        def answer(host: Host, params: Json) -> Json:
            found = handler(host, Question(
                str(params.get("kind") or ""), params.get("command") or [], str(params.get("profile") or ""),
                str(params.get("prefix") or "")))
            pairs = [(each, None) if isinstance(each, str) else each for each in found]
            return {"candidates": [{"value": value, "description": text} for value, text in pairs]}
        return self._add("complete", handler, answer)

    def _add(self, method: str, handler: Handler, answer: Callable[[Host, Json], Optional[Json]]) -> Handler:
        self._handlers[method] = answer
        return handler

    def _run_command(self, host: Host, params: Json) -> Optional[Json]:
        call = Call(
            params.get("command") or [], params.get("options") or {}, params.get("arguments") or [],
            params.get("words") or [], str(params.get("output") or ""))
        handler = self._commands.get(tuple(call.command))
        if handler is None:
            raise PluginError("usage", "no such command")
        result = handler(host, call)
        return {"text": result} if isinstance(result, str) else _stream(host, result)

    # --- Requests ---

    def run(self) -> None:
        """Serves requests until ifttt closes its end."""
        wire, host = _Wire.standard(), None
        threading.Thread(target=wire.read, daemon=True).start()
        try:
            while True:
                with wire.changed:
                    wire.changed.wait_for(lambda: wire.requests or wire.has_ended)
                    if not wire.requests:
                        return
                    message = wire.requests.popleft()
                    wire.current = message["id"]
                host = self._serve(wire, host, message)
                with wire.changed:
                    wire.canceled.discard(wire.current)
                    wire.current = None
        except Disconnected:
            pass

    def _serve(self, wire: _Wire, host: Optional[Host], message: Json) -> Optional[Host]:
        request, method, params = message["id"], message["method"], message.get("params") or {}
        try:
            if not isinstance(params, dict):
                raise PluginError("", "'params' is not an object", number=-32600)
            if method == "initialize":
                if host is not None:
                    raise PluginError("", "'initialize' was already sent", number=-32600)
                self._check_version(params)
                host = Host(wire, params)
                result: Optional[Json] = {
                    "name": self.name, "version": self.version, "protocol": PROTOCOL,
                    "capabilities": sorted(self._handlers)}
            elif method not in self._handlers:
                raise PluginError("", f"no method '{method}'", number=-32601)
            elif host is None:
                raise PluginError("", "'initialize' must be the first request", number=-32600)
            else:
                host.check_canceled()
                result = self._handlers[method](host, params)
            wire.send({"id": request, "result": result or {}})
        except PluginError as error:
            wire.send({"id": request, "error": error.to_json()})
        except Disconnected:
            raise
        except Exception as error:  # A fault in one handler must not end the program.
            traceback.print_exc(file=sys.stderr)
            wire.fail(request, -32603, f"{type(error).__name__}: {error}")
        return host

    @staticmethod
    def _check_version(params: Json) -> None:
        if PROTOCOL not in (params.get("protocol") or []):
            raise PluginError(
                "", f"this plugin supports only protocol {PROTOCOL}", hint="Update the plugin or ifttt.", number=-32602)


def _id(params: Json) -> str:
    if not isinstance(params.get("id"), str):
        raise PluginError("", "'id' is missing", number=-32602)
    return str(params["id"])


def _plain(value: Any) -> Any:
    return value.to_json() if hasattr(value, "to_json") else value


def _stream(host: Host, items: Union[None, Json, Iterable[Union[Connection, Json]]]) -> Json:
    if items is not None:
        for item in [items] if isinstance(items, dict) or hasattr(items, "to_json") else items:
            host.send(_plain(item))
    return {}
