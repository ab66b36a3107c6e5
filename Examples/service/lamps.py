"""The product: lamps, the moments people switched them on, and scenes. It has no knowledge of IFTTT."""

import threading
import time
import uuid
from typing import NamedTuple, Optional


class Lamp(NamedTuple):
    id: str
    name: str
    room: Optional[str]


class Event(NamedTuple):
    """A moment at which a lamp was switched on. `at` is in Unix seconds."""

    id: str
    lamp: str
    at: int
    brightness: int


ROOMS = {"garden": "Garden", "house": "House"}
SCENES = {"sc_04": "Evening", "sc_05": "Night", "sc_06": "Away"}
LAMPS = [
    Lamp("garden-2", "Pond", "garden"),
    Lamp("garden-1", "Gate", "garden"),
    Lamp("garden-3", "Shed", "garden"),
    Lamp("hall-1", "Hall", "house"),
    Lamp("stairs-1", "Stairs", "house"),
    Lamp("street-1", "Street", None),
]

DAY = 24 * 60 * 60
LAST_EVENING = 1772647500  # 2026-03-04T18:05:00Z


def history():
    """The past events, newest first: 60 evenings of the pond lamp, and six of each other lamp.

    A response has at most 50 events unless IFTTT sets another limit, so the pond lamp has more.
    """
    moments = [(LAST_EVENING - evening * DAY - number * 17 * 60, lamp.id, 40 + evening)
               for number, lamp in enumerate(LAMPS)
               for evening in range(60 if lamp.id == "garden-2" else 6)]
    moments.sort(reverse=True)
    return [Event(f"ev-{3107 - index}", lamp, at, brightness) for index, (at, lamp, brightness) in enumerate(moments)]


class House:
    """The state of the product. `lock` guards it, because each connection to the server has a thread."""

    def __init__(self):
        self.lock = threading.Lock()
        self.lit = {"garden-2", "hall-1"}
        self.past = history()
        self.scenes = []

    def events(self):
        """All events, newest first. A trigger is a timeline of events, so an event stays when the lamp goes off."""
        with self.lock:
            return list(self.past)

    def switch_on(self, lamp):
        """Adds an event. Its id is random, so that it differs from the ids of an earlier run of the program."""
        with self.lock:
            # A clock that is set back must not change the order of the events.
            now = max(int(time.time()), self.past[0].at)
            event = Event(f"ev-{uuid.uuid4().hex[:12]}", lamp, now, 100)
            self.past.insert(0, event)
            self.lit.add(lamp)
            return event

    def set_scene(self, scene, note, user):
        """Adds a run. `user` is the id of the person for whom it ran, or None for a service without users."""
        with self.lock:
            run = {"id": f"run-{len(self.scenes) + 1}", "scene": scene, "note": note, "user": user}
            self.scenes.append(run)
            return run
