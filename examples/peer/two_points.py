#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Drives a vehicle of rut from outside, with nothing but Python's standard library.

    python3 examples/peer/two_points.py /tmp/driver.sock &
    rut run worlds/autonomy/peer.xml --peer /tmp/driver.sock

It steers along a sine by a near and a far point of it (docs/manual/driver_model.md) and holds 10 m/s. The dialogue is lines of JSON
(docs/manual/peer.md): it is told what it perceives and answers with what it does, and rut waits for each answer.
"""
import json
import math
import socket
import sys

SPEED, GAIN, SHARE, RATE = 10.0, 0.24, 0.8, 0.03
MAX_STEER = math.radians(30)  # of the vehicle: its set point is a share of that


def course(x):
    return 3.5 * math.sin(2 * math.pi * x / 150)


class Driver:
    def __init__(self):
        self.near = self.far = self.angle = self.pedal = self.error = 0.0

    def direction(self, percept, ahead):
        """Of the point of the way that is so far ahead, from the heading."""
        x = percept["x"] + ahead
        return math.remainder(math.atan2(course(x) - percept["y"], ahead) - percept["yaw"], 2 * math.pi)

    def act(self, percept, time):
        near, far = self.direction(percept, 10), self.direction(percept, 30)
        error = SPEED - percept["speed"]
        changes = SHARE * (far - self.far) + (1 - SHARE) * (near - self.near)
        self.angle += GAIN * (changes + RATE * near * time)
        self.pedal += 0.3 * (error - self.error) + 0.1 * error * time
        self.near, self.far, self.error = near, far, error
        self.pedal = max(-1.0, min(1.0, self.pedal))
        return {"steering": self.angle / MAX_STEER, "throttle": max(self.pedal, 0), "brake": max(-self.pedal, 0)}


def main():
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        listener.bind(sys.argv[1])
        listener.listen(1)
        connection, _ = listener.accept()
    driver, period = Driver(), None
    with connection, connection.makefile("rw", encoding="utf-8") as lines:
        def say(message):
            lines.write(json.dumps(message) + "\n")
            lines.flush()

        for line in lines:
            message = json.loads(line)
            if message["type"] == "hello":
                period = message["period"]
                print("percepts:", ", ".join(p["name"] for p in message["percepts"]))
                print("actions: ", ", ".join(a["name"] for a in message["actions"]))
                say({"type": "hello", "version": 1})
            elif message["type"] == "percept":
                say({"type": "act", "seq": message["seq"], **driver.act(message, period)})
            elif message["type"] == "bye":
                print("good-bye:", message["reason"])
                return


if __name__ == "__main__":
    main()
