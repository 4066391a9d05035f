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


class Can:
    """A CAN bus of Linux: from the identifier `base` on, `signals` numbers come and `set_points` go back, as numbers of 32 bits."""

    def __init__(self, interface, signals, set_points, base=0x400):
        self.base, self.signals, self.set_points = base, signals, set_points
        self.extended = socket.CAN_EFF_FLAG if base > 0x7FF else 0
        self.time_id = base + 2 + (set_points + 1) // 2
        self.last_id = self.time_id + (signals + 1) // 2
        self.next, self.head, self.data = None, b"", b""
        self.socket = socket.socket(socket.AF_CAN, socket.SOCK_RAW, socket.CAN_RAW)
        self.socket.bind((interface,))

    def frame(self, number, data):
        """Take in a frame; the state that it ends, or None."""
        if number == self.base:
            self.next, self.head, self.data = self.time_id, data, b""
        elif self.time_id <= number <= self.last_id:
            whole = number == self.next  # a frame was lost if not
            self.next = number + 1 if whole else None
            self.data += data
            if whole and number == self.last_id:
                return self.state()
        return None

    def state(self):
        sequence, layout = struct.unpack("<II", self.head)
        (moment,) = struct.unpack_from("<d", self.data)
        values = struct.unpack_from(f"<{self.signals}f", self.data, 8)
        body = HEAD.pack(b"RUTS", 1, self.signals, sequence, layout, moment) + struct.pack(f"<{self.signals}d", *values)
        return body + struct.pack("<I", zlib.crc32(body))

    def take(self):
        while True:
            number, size, data = struct.unpack("=IB3x8s", self.socket.recv(16))
            if number & socket.CAN_EFF_FLAG == self.extended:
                packet = self.frame(number & socket.CAN_EFF_MASK, data[:size])
                if packet:
                    return packet

    def frames(self, packet):
        """The frames of an answer: identifiers and data."""
        _, _, count, sequence, layout, _ = HEAD.unpack_from(packet)
        data = struct.pack(f"<{count}f", *struct.unpack_from(f"<{count}d", packet, HEAD.size))
        yield self.base + 1, struct.pack("<II", sequence, layout)
        for k in range(0, len(data), 8):
            yield self.base + 2 + k // 8, data[k:k + 8]

    def give(self, packet):
        for number, data in self.frames(packet):
            self.socket.send(struct.pack("=IB3x8s", number | self.extended, len(data), data))
