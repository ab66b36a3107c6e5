"""A simulated browser: browser.py MODE FILE URL.

Opens the page and follows the redirect. With MODE `hostile`, it first sends hostile requests to the callback URL, and then
sends the redirect twice concurrently. When it is done, it writes its observations to FILE as one JSON object.
"""
import http.client
import json
import os
import socket
import sys
import threading
from urllib.parse import urljoin, urlsplit


def ask(url, method="GET", target=None, host=None):
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.hostname, parts.port)
    try:
        headers = {"User-Agent": "Browser/1.0", "Accept": "text/html"}
        if host:
            headers["Host"] = host
        connection.request(method, target or parts.path + ("?" + parts.query if parts.query else ""), headers=headers)
        answer = connection.getresponse()
        return answer.status, dict(answer.getheaders()), answer.read().decode()
    except (OSError, http.client.HTTPException):
        return 0, {}, ""
    finally:
        connection.close()


def visit(url):
    """Request the callback URL and the page that it redirects to, as a browser does."""
    answer = ask(url)
    return ask(urljoin(url, answer[1].get("Location", ""))) if answer[0] == 303 else answer


def long_line(url):
    parts = urlsplit(url)
    stream = socket.create_connection((parts.hostname, parts.port))
    try:
        stream.sendall(b"GET " + parts.path.encode() + b"?next_step=complete&x=" + b"x" * 100_000)
        stream.sendall(b" HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        return int(stream.recv(12).split()[1])
    except OSError:
        return 431
    finally:
        stream.close()


def main(mode, file, url):
    seen = {"statuses": {}, "body": "", "headers": {}}
    try:
        status, headers, _ = ask(url)
        back = headers.get("Location", "")
        seen["statuses"]["page"] = status
        if mode == "hostile":
            path = urlsplit(back).path
            evil = "?next_step=complete&user_token=evil"
            for name, words in {
                    "favicon": {"target": "/favicon.ico"}, "other path": {"target": path[:-1] + evil},
                    "root": {"target": "/" + evil}, "other host": {"target": path + evil, "host": "evil.test"},
                    "post": {"target": path + evil, "method": "POST"}, "head": {"target": path + evil, "method": "HEAD"},
            }.items():
                seen["statuses"][name] = ask(back, **words)[0]
            seen["statuses"]["long line"] = long_line(back)
        if back:
            answers = []
            count = 2 if mode == "hostile" else 1
            threads = [threading.Thread(target=lambda: answers.append(visit(back))) for _ in range(count)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            answers.sort(key=lambda answer: answer[0] != 200)
            seen["returns"] = [answer[0] for answer in answers]
            seen["headers"], seen["body"] = answers[0][1], answers[0][2]
    finally:
        with open(file + ".new", "w") as out:
            json.dump(seen, out)
        os.rename(file + ".new", file)


main(*sys.argv[1:])
