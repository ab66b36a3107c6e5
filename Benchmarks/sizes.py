"""Measures the cache's size per connection, compared with the size of IFTTT's JSON."""

import glob
import http.server
import json
import os
import threading

from homes import fill, identifier

COUNT = 1000


def connection(identity):
    """About 3 KB, like the responses of IFTTT that the SDKs' tests contain: four features with fields, indented."""
    def feature(number):
        return {
            "id": f"{identity}-feature-{number}", "title": f"Dim the lamps when the water falls, part {number}",
            "description": None, "icon_url": f"https://assets.ifttt.com/images/applet_features/lamps-{number}.png",
            "actions": [{"id": f"lampost.{identity}_{number}", "label": "Dim lamps", "fields": [
                {"id": f"brightness_{number}", "label": "How bright?", "required": True, "type": "SLIDER",
                 "default_value": number}]}],
        }

    value = {
        "id": identity, "name": f"Lamps that follow the tide {identity}", "description": "Dims the lamps as the water falls.",
        "status": "enabled", "enabled_count": 12, "url": f"https://ifttt.com/applets/{identity}",
        "services": [{
            "id": service, "service_id": service, "service_name": service.title(), "service_short_name": service.title(),
            "is_primary": service == "lampost", "brand_color": "#ffb300",
            "monochrome_icon_url": f"https://assets.ifttt.com/images/channels/{service}/icons/monochrome_regular.png",
            "color_icon_url": f"https://assets.ifttt.com/images/channels/{service}/icons/on_color_regular.png",
            "url": f"https://ifttt.com/{service}"} for service in ("lampost", "tidebook")],
        "features": [feature(number) for number in range(4)], "user_connection": None,
    }
    return json.dumps(value).encode()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        body = connection(self.path.rsplit("/", 1)[1])
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def bytes_per_connection(program, folder):
    """The files of the cache and the JSON, each in KB per connection."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    home = os.path.join(folder, "sizes")
    try:
        fill(program, home, COUNT, server.server_port)
    finally:
        server.shutdown()
        server.server_close()
    cache = sum(os.path.getsize(path) for path in glob.glob(os.path.join(home, "cache.db*")) if not path.endswith("-shm"))
    sent = sum(len(connection(identifier(number))) for number in range(COUNT))
    return cache / COUNT / 1000, sent / COUNT / 1000
