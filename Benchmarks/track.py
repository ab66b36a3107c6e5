"""Makes a GPX file of a walk through a town, as a watch records one; and what reads it and does nothing else."""

import math
import os
import random
import subprocess


def write_track(path, count):
    """`count` points, a second apart and about a metre and a half; the same for the same count."""
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
    """Compiles the program that costs the least that reading a track can cost, and returns its path."""
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "expat-only.c")
    program = os.path.join(folder, "expat-only")
    subprocess.run(["cc", "-O2", "-o", program, source, "-lexpat"], check=True)
    return program
