# SPDX-License-Identifier: BSD-3-Clause
"""A truck that maps level ground with a wall ahead, whose face is at x = 10.1 m, inside cells from y = -4 to 4 m, to drive around it."""


def wall_world(publish, speed="2 m/s", vehicle="truck"):
    return f"""<world description="A wall ahead" timestep="2 ms" duration="1 s" noise="none">
  <soil name="road" type="magic_formula" surface="dry"/>
  <block name="wall" fixed="true" shape="box" size="1 8 3 m" position="10.6 0 m"/>
  <vehicle name="{vehicle}">
    <chassis mass="1600 kg" com="0 0 0.7 m" outline="-2 -0.8, 2 -0.8, 2 0.8, -2 0.8" z_min="0.4 m" z_max="1.6 m"/>
    <suspension type="slider" stiffness="60 kN/m" damping="6 kN s/m"/>
    <tyre type="linear" stiffness="300 kN/m" damping="1 kN s/m"/>
    <axle x="1.4 m" track="1.6 m" radius="0.4 m" width="0.25 m" wheel_mass="50 kg" max_steer="35 deg" brake="3 kN m"/>
    <axle x="-1.4 m" track="1.6 m" radius="0.4 m" width="0.25 m" wheel_mass="50 kg" brake="3 kN m"/>
    <drive type="direct"/>
    <sensor type="lidar" name="lidar" channels="32" columns="720" elevation_first="-40 deg" elevation_last="3 deg" period="0.2 s"
            rolling="false" max_range="40 m" rated_range="0 m" z="2 m"/>
    <controller type="drive_to_goal" name="pilot" commands="drive" period="20 ms" goals="30 0" speed="{speed}" front="2" rear="2"
                width="1.9" lidar_z="2 m" range="40 m" publish="{publish}"/>
    <controller type="p_gravity" name="drive" speed_gain="4 1/s" brake_force="20 kN"/>
  </vehicle>
</world>
"""
