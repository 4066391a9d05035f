# SPDX-License-Identifier: BSD-3-Clause
"""The packets of `rut run --remote`: a state comes, set points go back (docs/manual/remote.md). Nothing but the standard library."""
import ctypes
import mmap
import os
import socket
import struct
import termios
import time
import tty
import zlib

HEAD = struct.Struct("<4sHHIId")  # "RUTS" or "RUTC", version, number of values, sequence, layout, time [s]


class State:
    """A state of the run: its time [s] and its values, in the order of the layout, whose number --remote-layout prints. ValueError: the
    bytes are no state, or one of other signals."""

    def __init__(self, packet, layout=None):
        if len(packet) < HEAD.size + 4:
            raise ValueError("no state of rut")
        word, version, count, self.sequence, self.layout, self.time = HEAD.unpack_from(packet)
        (check,) = struct.unpack("<I", packet[-4:])
        if word != b"RUTS" or version != 1 or len(packet) != HEAD.size + 8 * count + 4 or check != zlib.crc32(packet[:-4]):
            raise ValueError("no state of rut")
        if layout is not None and layout != self.layout:
            raise ValueError(f"states of other signals: their layout is {self.layout}, not {layout}")
        self.values = struct.unpack_from(f"<{count}d", packet, HEAD.size)

    def answer(self, set_points):
        """The packet with set points for this state; math.nan leaves one as it is."""
        body = HEAD.pack(b"RUTC", 1, len(set_points), self.sequence, self.layout, self.time) + struct.pack(f"<{len(set_points)}d", *set_points)
        return body + struct.pack("<I", zlib.crc32(body))


class Udp:
    """States that come to a port of this computer."""

    def __init__(self, port):
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", port))
        self.source = None

    def take(self):
        packet, self.source = self.socket.recvfrom(65536)
        return packet

    def give(self, packet):
        self.socket.sendto(packet, self.source)


class Serial:
    """States that come over a serial line, each as a frame without zeros, and a zero (consistent overhead byte stuffing)."""

    def __init__(self, name):
        self.file = os.open(name, os.O_RDWR | os.O_NOCTTY)
        tty.setraw(self.file, termios.TCSANOW)
        self.bytes = b""

    def take(self):
        while b"\0" not in self.bytes:
            more = os.read(self.file, 4096)
            if not more:
                raise EOFError("the line is closed")
            self.bytes += more
        frame, self.bytes = self.bytes.split(b"\0", 1)
        packet, at = b"", 0
        while at < len(frame):
            code = frame[at]
            packet += frame[at + 1:at + code]
            at += code
            if code < 255 and at < len(frame):
                packet += b"\0"
        return packet

    def give(self, packet):
        frame = b""
        for part in packet.split(b"\0"):
            while len(part) >= 254:
                frame += b"\xff" + part[:254]
                part = part[254:]
            frame += bytes([len(part) + 1]) + part
        os.write(self.file, frame + b"\0")


class SharedMemory:
    """States in shared memory (shm:NAME). EOFError: the run has ended, or its process is gone."""

    FUTEX = {"x86_64": 202, "aarch64": 98}.get(os.uname().machine)  # to wake the run at once; else it looks every 0.2 ms
    BOX = 64  # where the box of the state begins

    def __init__(self, name, patience=10):
        path, end = f"/dev/shm/{name}", time.monotonic() + patience
        while True:
            try:
                with open(path, "r+b") as file:
                    self.memory = mmap.mmap(file.fileno(), 0)
                if self.memory[:4] == b"RUTM":
                    break
            except (FileNotFoundError, ValueError):  # there is none yet, or none of its length
                pass
            if time.monotonic() > end:
                raise FileNotFoundError(path)
            time.sleep(0.005)
        self.process, = struct.unpack_from("<I", self.memory, 8)
        self.answer = self.BOX + struct.unpack_from("<I", self.memory, 16)[0]
        self.count = 0
        self.libc = ctypes.CDLL(None, use_errno=True)

    def number(self, at):
        return struct.unpack_from("<I", self.memory, at)[0]

    def take(self):
        looks = 0
        while True:
            count = self.number(self.BOX)
            if count != self.count and count % 2 == 0:
                size = self.number(self.BOX + 4)
                packet = self.memory[self.BOX + 8:self.BOX + 8 + size]
                if self.number(self.BOX) == count:
                    self.count = count
                    return packet
            if self.number(12):
                raise EOFError("the run has ended")
            looks += 1
            time.sleep(0 if looks < 100 else 5e-5)
            if looks % 1000 == 0:
                try:
                    os.kill(self.process, 0)
                except ProcessLookupError:
                    raise EOFError("the process of the run is gone") from None

    def give(self, packet):
        begun = self.number(self.answer) | 1
        struct.pack_into("<I", self.memory, self.answer, begun)
        struct.pack_into("<I", self.memory, self.answer + 4, len(packet))
        self.memory[self.answer + 8:self.answer + 8 + len(packet)] = packet
        struct.pack_into("<I", self.memory, self.answer, (begun + 1) & 0xffffffff)
        if self.FUTEX:
            word = ctypes.c_uint32.from_buffer(self.memory, self.answer)
            self.libc.syscall(self.FUTEX, ctypes.byref(word), 1, 1, None, None, 0)
