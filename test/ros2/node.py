# SPDX-License-Identifier: BSD-3-Clause
"""A node of ROS 2 that did not come from us: Cyclone DDS's own binding for Python, and types that are defined here. Run by
test/cli/test_ros2.py in an environment that has the package `cyclonedds` of PyPI.

    node.py TASK [ARGUMENT...]      prints what it found as JSON
"""
import json
import sys
import time
from dataclasses import dataclass, field
from types import new_class

from cyclonedds.builtin import BuiltinDataReader, BuiltinTopicDcpsPublication
from cyclonedds.core import Policy, Qos
from cyclonedds.domain import DomainParticipant
from cyclonedds.idl import IdlStruct, annotations, types
from cyclonedds.pub import DataWriter
from cyclonedds.sub import DataReader
from cyclonedds.topic import Topic
from cyclonedds.util import duration

DOMAIN = int(sys.argv[2])
DEADLINE = time.monotonic() + 60


def message(name, part="msg"):
    """A final type, under the name that ROS 2 gives it."""
    package, kind = name.split("/")

    def make(body):
        inside = {word: value for word, value in body.__dict__.items() if word not in ("__dict__", "__weakref__")}
        typename = {"typename": f"{package}.{part}.dds_.{kind}_"}
        return annotations.final(dataclass(new_class(kind, (IdlStruct,), typename, lambda space: space.update(inside))))
    return make


@message("builtin_interfaces/Time")
class Time:
    sec: types.int32 = 0
    nanosec: types.uint32 = 0


@message("std_msgs/Header")
class Header:
    stamp: Time = field(default_factory=Time)
    frame_id: str = ""


@message("geometry_msgs/Vector3")
class Vector3:
    x: types.float64 = 0.0
    y: types.float64 = 0.0
    z: types.float64 = 0.0


@message("geometry_msgs/Quaternion")
class Quaternion:
    x: types.float64 = 0.0
    y: types.float64 = 0.0
    z: types.float64 = 0.0
    w: types.float64 = 1.0


@message("geometry_msgs/Point")
class Point:
    x: types.float64 = 0.0
    y: types.float64 = 0.0
    z: types.float64 = 0.0


@message("geometry_msgs/Pose")
class Pose:
    position: Point = field(default_factory=Point)
    orientation: Quaternion = field(default_factory=Quaternion)


@message("geometry_msgs/PoseWithCovariance")
class PoseWithCovariance:
    pose: Pose
    covariance: types.array[types.float64, 36]


@message("geometry_msgs/Twist")
class Twist:
    linear: Vector3 = field(default_factory=Vector3)
    angular: Vector3 = field(default_factory=Vector3)


@message("geometry_msgs/TwistStamped")
class TwistStamped:
    header: Header
    twist: Twist


@message("geometry_msgs/TwistWithCovariance")
class TwistWithCovariance:
    twist: Twist
    covariance: types.array[types.float64, 36]


@message("geometry_msgs/Transform")
class Transform:
    translation: Vector3
    rotation: Quaternion


@message("geometry_msgs/TransformStamped")
class TransformStamped:
    header: Header
    child_frame_id: str
    transform: Transform


@message("tf2_msgs/TFMessage")
class TFMessage:
    transforms: types.sequence[TransformStamped]


@message("nav_msgs/Odometry")
class Odometry:
    header: Header
    child_frame_id: str
    pose: PoseWithCovariance
    twist: TwistWithCovariance


@message("nav_msgs/MapMetaData")
class MapMetaData:
    map_load_time: Time
    resolution: types.float32
    width: types.uint32
    height: types.uint32
    origin: Pose


@message("nav_msgs/OccupancyGrid")
class OccupancyGrid:
    header: Header
    info: MapMetaData
    data: types.sequence[types.int8]


@message("geometry_msgs/PoseStamped")
class PoseStamped:
    header: Header
    pose: Pose


@message("nav_msgs/Path")
class Path:
    header: Header
    poses: types.sequence[PoseStamped]


@message("std_msgs/MultiArrayDimension")
class MultiArrayDimension:
    label: str
    size: types.uint32
    stride: types.uint32


@message("std_msgs/MultiArrayLayout")
class MultiArrayLayout:
    dim: types.sequence[MultiArrayDimension]
    data_offset: types.uint32


@message("std_msgs/Float32MultiArray")
class Float32MultiArray:
    layout: MultiArrayLayout
    data: types.sequence[types.float32]


@message("grid_map_msgs/GridMapInfo")
class GridMapInfo:
    resolution: types.float64
    length_x: types.float64
    length_y: types.float64
    pose: Pose


@message("grid_map_msgs/GridMap")
class GridMap:
    header: Header
    info: GridMapInfo
    layers: types.sequence[str]
    basic_layers: types.sequence[str]
    data: types.sequence[Float32MultiArray]
    outer_start_index: types.uint16
    inner_start_index: types.uint16


@message("rosgraph_msgs/Clock")
class Clock:
    clock: Time


@message("sensor_msgs/LaserScan")
class LaserScan:
    header: Header
    angle_min: types.float32
    angle_max: types.float32
    angle_increment: types.float32
    time_increment: types.float32
    scan_time: types.float32
    range_min: types.float32
    range_max: types.float32
    ranges: types.sequence[types.float32]
    intensities: types.sequence[types.float32]


@message("sensor_msgs/Imu")
class Imu:
    header: Header
    orientation: Quaternion
    orientation_covariance: types.array[types.float64, 9]
    angular_velocity: Vector3
    angular_velocity_covariance: types.array[types.float64, 9]
    linear_acceleration: Vector3
    linear_acceleration_covariance: types.array[types.float64, 9]


@message("sensor_msgs/Image")
class Image:
    header: Header
    height: types.uint32
    width: types.uint32
    encoding: str
    is_bigendian: types.uint8
    step: types.uint32
    data: types.sequence[types.uint8]


@message("sensor_msgs/BatteryState")
class BatteryState:
    header: Header
    voltage: types.float32
    temperature: types.float32
    current: types.float32
    charge: types.float32
    capacity: types.float32
    design_capacity: types.float32
    percentage: types.float32
    power_supply_status: types.uint8
    power_supply_health: types.uint8
    power_supply_technology: types.uint8
    present: bool
    cell_voltage: types.sequence[types.float32]
    cell_temperature: types.sequence[types.float32]
    location: str
    serial_number: str


@message("rmw_dds_common/Gid")
class Gid:
    data: types.array[types.uint8, 16]


@message("rmw_dds_common/NodeEntitiesInfo")
class NodeEntitiesInfo:
    node_namespace: types.bounded_str[256]
    node_name: types.bounded_str[256]
    reader_gid_seq: types.sequence[Gid]
    writer_gid_seq: types.sequence[Gid]


@message("rmw_dds_common/ParticipantEntitiesInfo")
class ParticipantEntitiesInfo:
    gid: Gid
    node_entities_info_seq: types.sequence[NodeEntitiesInfo]


@message("std_msgs/Bool")
class Bool:
    data: bool


@message("std_msgs/UInt64")
class UInt64:
    data: types.uint64


@message("std_msgs/Float64")
class Float64:
    data: types.float64


@message("std_msgs/Empty")
class Empty:
    structure_needs_at_least_one_member: types.uint8 = 0


@message("std_msgs/MultiArrayDimension")
class MultiArrayDimension:
    label: str
    size: types.uint32
    stride: types.uint32


@message("std_msgs/MultiArrayLayout")
class MultiArrayLayout:
    dim: types.sequence[MultiArrayDimension]
    data_offset: types.uint32


@message("std_msgs/Float64MultiArray")
class Float64MultiArray:
    layout: MultiArrayLayout
    data: types.sequence[types.float64]


@message("ackermann_msgs/AckermannDrive")
class AckermannDrive:
    steering_angle: types.float32
    steering_angle_velocity: types.float32
    speed: types.float32
    acceleration: types.float32
    jerk: types.float32


@message("ackermann_msgs/AckermannDriveStamped")
class AckermannDriveStamped:
    header: Header
    drive: AckermannDrive


@message("geometry_msgs/Accel")
class Accel:
    linear: Vector3 = field(default_factory=Vector3)
    angular: Vector3 = field(default_factory=Vector3)


@message("simulation_interfaces/Result")
class Result:
    result: types.uint8
    error_message: str


@message("simulation_interfaces/SimulationState")
class SimulationState:
    state: types.uint8


@message("simulation_interfaces/SimulatorFeatures")
class SimulatorFeatures:
    features: types.sequence[types.uint16]
    spawn_formats: types.sequence[str]
    custom_info: str


@message("simulation_interfaces/EntityCategory")
class EntityCategory:
    category: types.uint8


@message("simulation_interfaces/TagsFilter")
class TagsFilter:
    tags: types.sequence[str]
    filter_mode: types.uint8


@message("simulation_interfaces/Bounds")
class Bounds:
    type: types.uint8
    points: types.sequence[Vector3]


@message("simulation_interfaces/EntityFilters")
class EntityFilters:
    filter: str
    categories: types.sequence[EntityCategory]
    tags: TagsFilter
    bounds: Bounds


@message("simulation_interfaces/EntityState")
class EntityState:
    header: Header
    pose: Pose
    twist: Twist
    acceleration: Accel


RELIABLE = Policy.Reliability.Reliable(duration(seconds=1))
LATCHED = Qos(RELIABLE, Policy.Durability.TransientLocal, Policy.History.KeepLast(10))
STATE = Qos(RELIABLE, Policy.Durability.Volatile, Policy.History.KeepLast(50))
SENSOR = Qos(Policy.Reliability.BestEffort, Policy.Durability.Volatile, Policy.History.KeepLast(5))

participant = DomainParticipant(DOMAIN)


def hear(name, kind, qos):
    return DataReader(participant, Topic(participant, name, kind), qos=qos)


def tell(name, kind, qos=STATE):
    return DataWriter(participant, Topic(participant, name, kind), qos=qos)


def seconds(stamp):
    return stamp.sec + 1e-9 * stamp.nanosec


def one(reader):
    """The next message, None once there is no time left."""
    while time.monotonic() < DEADLINE:
        for sample in reader.take(1):
            return sample
        time.sleep(0.002)
    return None


def look():
    """One message of each topic, and what is told of the endpoints."""
    readers = {"clock": hear("rt/clock", Clock, SENSOR), "odom": hear("rt/odom", Odometry, STATE),
               "tf": hear("rt/tf", TFMessage, STATE), "fixed": hear("rt/tf_static", TFMessage, LATCHED),
               "scan": hear("rt/scan", LaserScan, SENSOR), "imu": hear("rt/imu/data_raw", Imu, SENSOR),
               "image": hear("rt/camera/image_raw", Image, SENSOR), "battery": hear("rt/battery_state", BatteryState, SENSOR),
               "graph": hear("ros_discovery_info", ParticipantEntitiesInfo, LATCHED)}
    ends = BuiltinDataReader(participant, BuiltinTopicDcpsPublication)
    found = {name: one(reader) for name, reader in readers.items()}
    user_data = {}
    for sample in ends.take(200):
        policy = sample.qos[Policy.Userdata] if sample.qos and Policy.Userdata in sample.qos else None
        if policy:
            user_data[sample.topic_name] = [sample.type_name, bytes(policy.data).decode()]
    told = {"missing": [name for name, sample in found.items() if sample is None], "user_data": user_data}
    if not told["missing"]:
        scan, imu, image, battery, graph = (found[k] for k in ("scan", "imu", "image", "battery", "graph"))
        nodes = graph.node_entities_info_seq
        told.update(
            scan={"rays": len(scan.ranges), "frame": scan.header.frame_id, "angle_min": scan.angle_min, "angle_max": scan.angle_max,
                  "ahead": scan.ranges[len(scan.ranges) // 2], "period": scan.scan_time},
            odom=[found["odom"].header.frame_id, found["odom"].child_frame_id],
            tf=[[t.header.frame_id, t.child_frame_id] for t in found["tf"].transforms],
            fixed={t.child_frame_id: [t.header.frame_id, t.transform.translation.x, t.transform.translation.z] for t in found["fixed"].transforms},
            up=imu.linear_acceleration.z, unknown=imu.orientation_covariance[0], image=[image.width, image.height, image.encoding, len(image.data)],
            battery=[battery.voltage, battery.percentage, battery.present],
            nodes=[[n.node_namespace, n.node_name, len(n.reader_gid_seq), len(n.writer_gid_seq)] for n in nodes])
    return told


def drive(speed, yaw_rate, span):
    """Command a twist for a span of simulated time from the first odometry on, then the difference of both ends."""
    odometry, orders = hear("rt/odom", Odometry, STATE), tell("rt/cmd_vel", Twist)
    first = last = one(odometry)
    speed_seen = 0
    while last and seconds(last.header.stamp) - seconds(first.header.stamp) < span and time.monotonic() < DEADLINE:
        orders.write(Twist(Vector3(speed, 0.0, 0.0), Vector3(0.0, 0.0, yaw_rate)))
        last = one(odometry)
        speed_seen = last.twist.twist.linear.x if last else speed_seen
    return {"from": first.pose.pose.position.x, "to": last.pose.pose.position.x, "speed": speed_seen,
            "yaw_rate": last.twist.twist.angular.z}


def lockstep(pause, periods):
    """Answer each odometry by a law, after a pause of the clock."""
    odometry, orders = hear("rt/odom", Odometry, STATE), tell("rt/cmd_vel", TwistStamped)
    answered = -1.0
    count = 0
    while count < periods:
        state = one(odometry)
        if state is None:
            break
        now = seconds(state.header.stamp)
        time.sleep(pause * (count % 3))
        x = state.pose.pose.position.x
        orders.write(TwistStamped(Header(state.header.stamp, ""), Twist(Vector3(0.3 + 0.05 * x, 0.0, 0.0), Vector3(0.0, 0.0, 0.4 * x + 1.7))))
        count += now > answered
        answered = max(answered, now)
    # the last answer is on its way
    orders.wait_for_acks(duration(seconds=20))
    return {"answered": count}


def maps():
    """The local map of a late reader, with the qualities that Nav2 gives to it, and a path."""
    # the truck has stopped to plan or drives on: whoever comes now still gets the last of each
    latched = Qos(RELIABLE, Policy.Durability.TransientLocal, Policy.History.KeepLast(1))
    path = one(hear("rt/plan", Path, latched))
    # a cell is occupied once two scans have met something there
    grid = until(hear("rt/local_costmap/costmap", OccupancyGrid, latched), lambda m: seconds(m.header.stamp) > 0.5)
    layers = one(hear("rt/local_costmap/grid_map", GridMap, latched))
    if not path or not grid or not layers:
        return {"missing": [name for name, m in (("path", path), ("grid", grid), ("layers", layers)) if not m]}
    side, origin = grid.info.resolution, grid.info.origin.position

    def cost(x, y):
        return grid.data[int((y - origin.y) / side) * grid.info.width + int((x - origin.x) / side)]
    return {"missing": [], "size": [grid.info.width, grid.info.height, side], "frames": [m.header.frame_id for m in (path, grid, layers)],
            "wall": [cost(10.05, y / 4 + 0.01) for y in range(-15, 16)], "before": cost(6, 0.1), "behind": cost(12, 0.1),
            "poses": len(path.poses), "layers": layers.layers, "cells": [len(layer.data) for layer in layers.data]}


def until(reader, wanted):
    """The first message that is wanted, None once there is no time left."""
    while (sample := one(reader)) is not None and not wanted(sample):
        pass
    return sample


def command():
    """Three vehicles of a name space, each by messages of another type, and then the run as a whole."""
    topics = {name: hear(f"rt/team/{name}/{topic}", Odometry, STATE) for name, topic in (("rover", "odom"), ("car", "ground_truth"), ("tug", "odom"))}
    frames = {name: hear(f"rt/team/{name}/tf", TFMessage, STATE) for name in topics}
    twist, angle = tell("rt/team/rover/cmd_vel", TwistStamped), tell("rt/team/car/ackermann_cmd", AckermannDriveStamped)
    values = tell("rt/team/tug/set_points", Float64MultiArray)
    clock = hear("rt/clock", Clock, STATE)
    begin = now = seconds(one(clock).clock)
    while now < begin + 4 and time.monotonic() < DEADLINE:
        twist.write(TwistStamped(Header(), Twist(Vector3(0.5, 0.0, 0.0), Vector3(0.0, 0.0, 0.5))))
        angle.write(AckermannDriveStamped(Header(), AckermannDrive(0.35, 0.0, 1.5, 0.0, 0.0)))
        values.write(Float64MultiArray(MultiArrayLayout([], 0), [0.3, 0.1]))
        now = seconds(one(clock).clock)
    told = {name: [s.twist.twist.linear.x, s.twist.twist.angular.z] for name, reader in topics.items() for s in [one_newest(reader)]}
    told["frames"] = {name: sorted({t.child_frame_id for s in reader.take(50) for t in s.transforms}) for name, reader in frames.items()}
    return told | ask_topics(clock)


def one_newest(reader):
    newest = one(reader)
    for sample in reader.take(200):
        newest = sample
    return newest


def ask_topics(clock):
    """Pause, steps, reset and speed by topics; times of the clock."""
    pause, step = tell("rt/team/rut/pause", Bool), tell("rt/team/rut/step", UInt64)
    reset, speed = tell("rt/team/rut/reset", Empty), tell("rt/team/rut/speed", Float64)
    for writer in (pause, step, reset, speed):
        while not writer.get_matched_subscriptions() and time.monotonic() < DEADLINE:
            time.sleep(0.01)
    pause.write(Bool(True))
    paused = seconds(silence(clock).clock)
    step.write(UInt64(40))
    stepped = seconds(until(clock, lambda c: seconds(c.clock) > paused + 0.199).clock)
    further = silence(clock)
    reset.write(Empty())
    zero = seconds(until(clock, lambda c: seconds(c.clock) < stepped).clock)
    still = silence(clock)
    speed.write(Float64(float("nan")))
    speed.write(Float64(20.0))
    pause.write(Bool(False))
    fast = until(clock, lambda c: seconds(c.clock) > 3)
    return {"stepped": stepped - paused, "further": further is not None, "zero": zero, "still": still is None, "fast": fast is not None}


def silence(reader):
    """The last message before none came for a while; None if none came."""
    last, since = None, time.monotonic()
    while time.monotonic() - since < 0.15 and time.monotonic() < DEADLINE:
        for sample in reader.take(100):
            last, since = sample, time.monotonic()
        time.sleep(0.01)
    return last


def service(name, kind, request, reply):
    """A client as rmw_cyclonedds_cpp has it: 16 bytes name the client and count its calls, in front of the fields of request and reply;
    endpoints of a client know each other by user data. A call waits until the server's ends are there."""
    def make(part, fields):
        body = type(kind, (), {"__annotations__": {"guid": types.uint64, "number": types.int64} | fields})
        return message(f"simulation_interfaces/{kind}_{part}", "srv")(body)
    own, counter, ask_type = 0x0102030405060708 + len(name), [0], make("Request", request)
    ends = Qos(RELIABLE, Policy.Durability.Volatile, Policy.History.KeepLast(10), Policy.Userdata(b"clientid=0.1.2.3;"))
    writer, reader = tell(f"rq/{name}Request", ask_type, ends), hear(f"rr/{name}Reply", make("Response", reply), ends)

    def call(*values, answered=True):
        while not (writer.get_matched_subscriptions() and reader.get_matched_publications()) and time.monotonic() < DEADLINE:
            time.sleep(0.01)
        counter[0] += 1
        writer.write(ask_type(own, counter[0], *values))
        got = one(reader) if answered else None
        if answered and (got is None or [got.guid, got.number] != [own, counter[0]]):
            raise SystemExit(f"{name}: the reply is not that of the call: {got}")
        return got
    return call


def everything(pattern="", categories=(), kind=0, points=()):
    return EntityFilters(pattern, [EntityCategory(c) for c in categories], TagsFilter([], 0), Bounds(kind, [Vector3(*p) for p in points]))


def services():
    """Each service, with what is right and what is wrong."""
    result, filters = {"result": Result}, {"filters": EntityFilters}
    nothing = {"structure_needs_at_least_one_member": types.uint8}
    features = service("get_simulator_features", "GetSimulatorFeatures", nothing, {"features": SimulatorFeatures})
    state = service("get_simulation_state", "GetSimulationState", nothing, {"state": SimulationState} | result)
    change = service("set_simulation_state", "SetSimulationState", {"state": SimulationState}, result)
    reset = service("reset_simulation", "ResetSimulation", {"scope": types.uint8}, result)
    step = service("step_simulation", "StepSimulation", {"steps": types.uint64}, result)
    entities = service("get_entities", "GetEntities", filters, result | {"entities": types.sequence[str]})
    entity = service("get_entity_state", "GetEntityState", {"entity": str}, result | {"state": EntityState})
    states = service("get_entities_states", "GetEntitiesStates", filters, result | {"entities": types.sequence[str], "states": types.sequence[EntityState]})
    names = ((), ("cr.*",), ("", (1,)), ("", (), 1, ((2.5, 1.5, -1.0), (3.5, 2.5, 1.0))), ("", (), 3, ((-4.0, 1.0, 0.0), (1.0, 0.0, 0.0))))
    told = {"features": sorted(features(0).features.features), "info": features(0).features.custom_info, "playing": state(0).state.state,
            "step_while_playing": step(5).result.result, "no_state": change(SimulationState(9)).result.result,
            "pause": change(SimulationState(2)).result.result, "again": change(SimulationState(2)).result.result, "paused": state(0).state.state,
            "names": [list(entities(everything(*words)).entities) for words in names],
            "no_pattern": entities(everything("(")).result.result, "no_bounds": entities(everything("", (), 3, ((0.0, 0.0, 0.0),))).result.result,
            "nobody": entity("nobody").result.result, "scope": reset(2).result.result, "most": step(10**10).result.result}
    before = entity("crate").state
    told["crate"] = [before.pose.position.x, before.pose.position.y, before.header.frame_id]
    told["steps"] = step(40).result.result
    told["stepped"] = seconds(entity("crate").state.header.stamp) - seconds(before.header.stamp)
    told["reset"] = reset(0).result.result
    all_of = states(everything())
    told["all"] = {name: [s.pose.position.x, s.pose.position.y, seconds(s.header.stamp)] for name, s in zip(all_of.entities, all_of.states, strict=True)}
    told["stopped"] = state(0).state.state
    # a call that ends after the first half of its head
    short = message("simulation_interfaces/SetSimulationState_Request", "srv")(type("Short", (), {"__annotations__": {"guid": types.uint64}}))
    other = DomainParticipant(DOMAIN)
    damaged = DataWriter(other, Topic(other, "rq/set_simulation_stateRequest", short), qos=STATE)
    while not damaged.get_matched_subscriptions() and time.monotonic() < DEADLINE:
        time.sleep(0.01)
    damaged.write(short(1))
    damaged.wait_for_acks(duration(seconds=20))
    told["quit"] = change(SimulationState(3)).result.result
    return told


def page(first):
    """The run of a page: what it is (0 stopped, 1 playing, 2 paused), and its robot; before that, at first, step, drive and pause it."""
    nothing, result = {"structure_needs_at_least_one_member": types.uint8}, {"result": Result}
    state = service("get_simulation_state", "GetSimulationState", nothing, {"state": SimulationState} | result)
    entity = service("get_entity_state", "GetEntityState", {"entity": str}, result | {"state": EntityState})
    told = {"before": state(0).state.state}
    if first:
        change = service("set_simulation_state", "SetSimulationState", {"state": SimulationState}, result)
        step = service("step_simulation", "StepSimulation", {"steps": types.uint64}, result)
        told["steps"] = [step(40).result.result, seconds(entity("robot").state.header.stamp)]
        told["results"] = [change(SimulationState(1)).result.result]
        told["speed"] = drive(0.5, 0.0, 1.5)["speed"]
        told["results"] += [change(SimulationState(2)).result.result, change(SimulationState(3)).result.result]
    robot = entity("robot").state
    return told | {"state": state(0).state.state, "time": seconds(robot.header.stamp), "at": [robot.pose.position.x, robot.pose.position.y]}


def stand():
    """Times of a run's states after pauses were acknowledged, and a while later; and after steps of each pause."""
    result = {"result": Result}
    entity = service("get_entity_state", "GetEntityState", {"entity": str}, result | {"state": EntityState})
    change = service("set_simulation_state", "SetSimulationState", {"state": SimulationState}, result)
    step = service("step_simulation", "StepSimulation", {"steps": types.uint64}, result)
    told = {"paused": [], "later": [], "stepped": []}
    for _ in range(10):
        change(SimulationState(1))
        time.sleep(0.01)
        change(SimulationState(2))
        told["paused"].append(seconds(entity("robot").state.header.stamp))
        time.sleep(0.02)
        told["later"].append(seconds(entity("robot").state.header.stamp))
        step(3)
        told["stepped"].append(seconds(entity("robot").state.header.stamp))
    return told


def leave():
    """Answer some states of a lockstep, then go."""
    return lockstep(0, 5)


tasks = {"maps": maps, "look": look, "drive": drive, "lockstep": lockstep, "command": command, "services": services, "page": page, "leave": leave, "stand": stand}
print(json.dumps(tasks[sys.argv[1]](*map(float, sys.argv[3:]))))
