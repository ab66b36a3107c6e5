"""Makes a GPX file of a walk through a town, as a watch records it, and a program that only parses it."""

import http.server
import json
import math
import os
import random
import subprocess
import threading


def write_track(path, count):
    """Writes `count` points, a second and about one and a half meters apart. The same count gives the same points."""
    chance = random.Random(20)
    latitude, longitude, heading, height = 52.520008, 13.404954, 0.0, 34.0
    with open(path, "w", encoding="utf-8") as file:
        file.write('<?xml version="1.0" encoding="UTF-8"?>\n'
                   '<gpx version="1.1" creator="walk" xmlns="http://www.topografix.com/GPX/1/1">\n'
                   "  <trk>\n    <name>A walk</name>\n    <trkseg>\n")
        for second in range(count):
            heading += chance.gauss(0, 0.1)
            latitude += 1.35e-5 * math.cos(heading)
            longitude += 2.2e-5 * math.sin(heading)
            height += chance.gauss(0, 0.1)
            hours, rest = divmod(second, 3600)
            day, hour = divmod(hours, 24)
            file.write(f'      <trkpt lat="{latitude:.7f}" lon="{longitude:.7f}">\n        <ele>{height:.1f}</ele>\n'
                       f"        <time>2026-03-{day + 1:02}T{hour:02}:{rest // 60:02}:{rest % 60:02}.000Z</time>\n"
                       "      </trkpt>\n")
        file.write("    </trkseg>\n  </trk>\n</gpx>\n")


def expat_only(folder):
    """Compiles the program that parses a track at the lowest possible cost, and returns its path."""
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "expat-only.c")
    program = os.path.join(folder, "expat-only")
    subprocess.run(["cc", "-O2", "-o", program, source, "-lexpat"], check=True)
    return program


def home_with_regions(program, home, environment, count):
    """Tracks one connection with `count` regions around the town of the walk."""
    chance = random.Random(7)
    triggers = [{
        "id": f"region-{number}", "feature_trigger_id": "t", "user_fields": [{
            "field_id": "location", "field_type": "LOCATION_ENTER_OR_EXIT",
            "value": {"lat": 52.52 + chance.uniform(-0.01, 0.01), "lng": 13.405 + chance.uniform(-0.015, 0.015),
                      "radius": chance.uniform(50, 400)}}]} for number in range(count)]
    body = json.dumps({
        "type": "connection", "id": "walk", "name": "Walk", "user_status": "enabled", "services": [], "features": [],
        "user_connection": {"user_features": [{
            "id": "uf", "feature_id": "f", "enabled": True, "user_fields": [], "user_feature_triggers": triggers}]},
    }).encode()

    class Answer(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *words):
            pass

    with http.server.HTTPServer(("127.0.0.1", 0), Answer) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            subprocess.run([program, "connections", "add", "walk", "--quiet"], check=True, stdout=subprocess.DEVNULL, env={
                **environment, "IFTTT_HOME": home, "IFTTT_USER_TOKEN": "a-token-for-measuring",
                "IFTTT_CONNECT_URL": f"http://127.0.0.1:{server.server_address[1]}"})
        finally:
            server.shutdown()
            thread.join()
