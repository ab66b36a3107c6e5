"""The cost of the inspector: inspecting.py PROGRAM [SECONDS].

Sends 1,000 requests per second to a sandbox server, alone and with its inspector open in a headless Chromium, in turn and
twice. Prints for both the requests per second, the latency and the server's processor time of the better run, and the longest
task of the page in both runs.
"""
import asyncio
import json
import os
import pathlib
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

RATE, CONNECTIONS, SLICE = 1000, 8, 0.01
DRIVER = pathlib.Path(__file__).parent.parent / "Tests/TranscriptTests/Servers/inspector.py"


class Sandbox:
    def __init__(self, program, folder):
        self.program, self.environment = program, {**os.environ, "IFTTT_HOME": str(folder)}
        self.process = subprocess.Popen(
            [program, "sandbox", "start", "--json"], stdout=subprocess.PIPE, env=self.environment, text=True)
        self.row = json.loads(self.process.stdout.readline())
        self.port = int(self.row["url"].rsplit(":", 1)[1])

    def inspector(self):
        return subprocess.run(
            [self.program, "sandbox", "open", "--print"], env=self.environment, capture_output=True, text=True,
            check=True).stdout.strip()

    def processor_time(self):
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()


async def send(sandbox, seconds):
    """Sends at the rate, a few at a time on each connection, and returns the latencies in milliseconds."""
    token = sandbox.row["environment"]["IFTTT_USER_TOKEN"]
    lines = ["GET /v2/connections/Kd7Rn2Qx HTTP/1.1", "Host: 127.0.0.1", f"Authorization: Bearer {token}", "", ""]
    request = "\r\n".join(lines).encode()
    latencies = []

    async def work():
        reader, writer = await asyncio.open_connection("127.0.0.1", sandbox.port)
        start, sent = time.monotonic(), 0
        while (now := time.monotonic()) - start < seconds:
            due = int((now - start) * RATE / CONNECTIONS)
            if sent >= due:
                await asyncio.sleep(SLICE)
                continue
            begun = time.monotonic()
            writer.write(request)
            head = await reader.readuntil(b"\r\n\r\n")
            length = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
            await reader.readexactly(length)
            latencies.append((time.monotonic() - begun) * 1000)
            sent += 1
        writer.close()

    await asyncio.gather(*[work() for _ in range(CONNECTIONS)])
    return latencies


class Page:
    """The inspector in a browser, with its timeline open."""

    def __init__(self, url):
        self.process = subprocess.Popen(
            [sys.executable, "-B", DRIVER, shutil.which("chromium")],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.perform(
            ["wait", "Live"], ["click", {"name": "Timeline", "role": "link"}], ["pause", 1], ["longest-task"],
            url=url, width=1280, height=900, dark=False, scripts=True)

    def perform(self, *steps, **window):
        self.process.stdin.write(json.dumps({**window, "steps": steps}) + "\n")
        self.process.stdin.flush()
        response = json.loads(self.process.stdout.readline())
        if response["fault"]:
            raise SystemExit(response["fault"])
        return response["results"]

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def measure(program, seconds, with_page):
    with tempfile.TemporaryDirectory() as folder:
        sandbox = Sandbox(program, folder)
        page = Page(sandbox.inspector()) if with_page else None
        before = sandbox.processor_time()
        latencies = sorted(asyncio.run(send(sandbox, seconds)))
        used = sandbox.processor_time() - before
        task = page.perform(["longest-task"])[0] if page else None
        if page:
            page.close()
        sandbox.stop()
    return {
        "rate": len(latencies) / seconds, "median": statistics.median(latencies),
        "p99": latencies[int(len(latencies) * 0.99)], "processor": used / len(latencies) * 1e6, "task": task}


def main(program, seconds=30.0):
    runs = {False: [], True: []}
    for _ in range(2):
        for with_page in (False, True):
            runs[with_page].append(measure(program, float(seconds), with_page))
    print(f"{'':16}{'requests/s':>12}{'median ms':>12}{'p99 ms':>10}{'µs/request':>12}{'longest task':>14}")
    for with_page, name in ((False, "alone"), (True, "with the page")):
        best = {key: min(run[key] for run in runs[with_page]) for key in ("median", "p99", "processor")}
        rate = max(run["rate"] for run in runs[with_page])
        task = f"{max(run['task'] for run in runs[with_page]):.0f} ms" if with_page else ""
        print(f"{name:16}{rate:12.1f}{best['median']:12.2f}{best['p99']:10.2f}{best['processor']:12.1f}{task:>14}")


main(*sys.argv[1:])
