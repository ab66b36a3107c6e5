"""Sends webhooks to `ifttt service listen`, as IFTTT would or as it never would.

crowd PORT N    N clients at once, one webhook each; prints the number of each status
flood PORT      40 clients that send until the server is gone; prints the user id of each acknowledged webhook
slow PORT N     N clients that never finish their request, then one that does; prints its status
one PORT USER   one webhook; prints its status
malformed PORT  requests that are not webhooks, nor HTTP; prints the status of each
endless PORT    a chunked body without an end; prints the status
receive         a server that prints its port, and then the path and X-Request-ID of each request; its statuses
                are the arguments, and the last one is repeated
hold            a server that prints its port, and then the user id of each webhook; it responds once a line is typed
"""
import collections
import http.client
import http.server
import json
import socket
import sys
import threading

PATH = "/prefix/ifttt/v1/webhooks/connection/enabled"


def body(user):
    return json.dumps({"sent_at": 1772646131850, "data": {"connection_id": "Kd7Rn2Qx", "user_id": user},
                       "event_data": {"enabled_at": "1772646131602"}, "random_7f": "ignored"})


def post(connection, user):
    connection.request("POST", PATH, body(user), {"Content-Type": "application/json", "X-Request-ID": "r" + user})
    response = connection.getresponse()
    response.read()
    return response.status


def connect(port):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.connect()
    return connection


def start(work, count):
    threads = [threading.Thread(target=work, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def crowd(port, count):
    statuses, gate = collections.Counter(), threading.Barrier(count)

    def work(number):
        gate.wait()
        try:
            statuses[post(connect(port), f"u{number}")] += 1
        except OSError as error:
            statuses[type(error).__name__] += 1

    start(work, count)
    print(dict(statuses))


def flood(port):
    lock = threading.Lock()

    def work(client):
        try:
            connection = connect(port)
            for number in range(1_000_000):
                user = f"{port}-{client}-{number}"
                if post(connection, user) == 200:
                    with lock:
                        print(user, flush=True)
        except (OSError, http.client.HTTPException):
            pass

    start(work, 40)


def slow(port, count):
    head = f"POST {PATH} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 50\r\n\r\n".encode()
    clients = []
    for number in range(count):
        client = socket.create_connection(("127.0.0.1", port))
        client.sendall(head[: number % len(head)] if number % 2 else head + b"{")
        clients.append(client)
    print(post(connect(port), "patient"))


def endless(port):
    client = socket.create_connection(("127.0.0.1", port))
    client.sendall(f"POST {PATH} HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n".encode())
    try:
        while True:
            client.sendall(b"10000\r\n" + b"[" * 65536 + b"\r\n")
    except OSError:
        pass
    print(client.recv(12).decode())


def malformed(port):
    for request in ["not HTTP\r\n\r\n", "GET / HTTP/1.1\r\n" + 40_000 * "x",
                    "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nExpect: nothing\r\n\r\n",
                    "POST /x HTTP/1.1\r\nHost: evil.test\r\n\r\n"]:
        client = socket.create_connection(("127.0.0.1", port))
        client.sendall(request.encode())
        print(client.recv(12).decode())


def serve(respond):
    """`respond` gets a handler and the user id of its webhook."""
    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self):
            respond(self, json.loads(self.rfile.read(int(self.headers["Content-Length"])))["data"]["user_id"])

        def end(self, status):
            self.send_response(status)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(server.server_address[1], flush=True)
    server.serve_forever()


def receive(statuses):
    def respond(handler, user):
        status = statuses.pop(0) if len(statuses) > 1 else statuses[0]
        handler.end(status)
        key = handler.headers["IFTTT-Service-Key"]
        print(status, handler.path, handler.headers["X-Request-ID"], key, user, flush=True)

    serve(respond)


def hold():
    def respond(handler, user):
        print(user, flush=True)
        sys.stdin.readline()
        handler.end(200)

    serve(respond)


if __name__ == "__main__":
    mode, words = sys.argv[1], sys.argv[2:]
    if mode == "one":
        print(post(connect(int(words[0])), words[1]))
        sys.exit()
    numbers = [int(word) for word in words]
    if mode == "receive":
        receive(numbers)
    else:
        {"hold": hold, "crowd": crowd, "flood": flood, "slow": slow, "endless": endless, "malformed": malformed}[mode](*numbers)
