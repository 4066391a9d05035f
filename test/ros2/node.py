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


def message(name):
    """A final type, under the name that ROS 2 gives it."""
    package, kind = name.split("/")

    def make(body):
        inside = {word: value for word, value in body.__dict__.items() if word not in ("__dict__", "__weakref__")}
        typename = {"typename": f"{package}.msg.dds_.{kind}_"}
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
    # the truck has stopped to plan or drives on: whoever comes now still gets the last map
    path = one(hear("rt/plan", Path, STATE))
    latched = Qos(RELIABLE, Policy.Durability.TransientLocal, Policy.History.KeepLast(1))
    grid = one(hear("rt/local_costmap/costmap", OccupancyGrid, latched))
    layers = one(hear("rt/local_costmap/grid_map", GridMap, latched))
    if not path or not grid or not layers:
        return {"missing": [name for name, m in (("path", path), ("grid", grid), ("layers", layers)) if not m]}
    side, origin = grid.info.resolution, grid.info.origin.position

    def cost(x, y):
        return grid.data[int((y - origin.y) / side) * grid.info.width + int((x - origin.x) / side)]
    return {"missing": [], "size": [grid.info.width, grid.info.height, side], "frames": [m.header.frame_id for m in (path, grid, layers)],
            "wall": [cost(10.05, y / 4 + 0.01) for y in range(-15, 16)], "before": cost(6, 0.1), "behind": cost(12, 0.1),
            "poses": len(path.poses), "layers": layers.layers, "cells": [len(layer.data) for layer in layers.data]}


tasks = {"maps": maps, "look": look, "drive": drive, "lockstep": lockstep}
print(json.dumps(tasks[sys.argv[1]](*map(float, sys.argv[3:]))))
