// SPDX-License-Identifier: BSD-3-Clause
//
// A node that did not come from us, on Fast DDS: it hears odometry as bytes, reads its position,
// and tells the robot to drive. Prints the last position once the robot has come as far as it is
// told.
//
//     fastdds_peer DOMAIN SPEED DISTANCE
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "fastdds_node.hpp"

// Position x of nav_msgs/Odometry, NaN if the bytes are none: a stamp, two texts, numbers.
static double position_of(const Bytes& b) {
  size_t at = 4 + 8;
  for (int i = 0; i < 2; i++) {
    at = 4 + (at - 4 + 3) / 4 * 4;
    uint32_t n = 0;
    if (at + 4 > b.size()) return NAN;
    std::memcpy(&n, &b[at], 4);
    at += 4 + n;
  }
  at = 4 + (at - 4 + 7) / 8 * 8;
  double x = NAN;
  if (at + 8 <= b.size()) std::memcpy(&x, &b[at], 8);
  return x;
}

static Bytes twist_of(double speed) {
  Bytes b(4 + 48, 0);
  b[1] = 1;
  std::memcpy(&b[4], &speed, 8);
  return b;
}

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const double speed = std::atof(argv[2]), distance = std::atof(argv[3]);
  DomainParticipant* node = join(static_cast<uint32_t>(std::atoi(argv[1])));
  if (!node) return 1;
  TypeSupport odometry(new Opaque("nav_msgs::msg::dds_::Odometry_", 65536));
  TypeSupport twist(new Opaque("geometry_msgs::msg::dds_::Twist_", 65536));
  node->register_type(odometry);
  node->register_type(twist);
  Topic* heard = node->create_topic("rt/odom", odometry.get_type_name(), TOPIC_QOS_DEFAULT);
  Topic* told = node->create_topic("rt/cmd_vel", twist.get_type_name(), TOPIC_QOS_DEFAULT);
  DataReaderQos demands;
  demands.reliability().kind = RELIABLE_RELIABILITY_QOS;
  DataReader* reader =
      node->create_subscriber(SUBSCRIBER_QOS_DEFAULT)->create_datareader(heard, demands);
  DataWriter* writer = node->create_publisher(PUBLISHER_QOS_DEFAULT)
                           ->create_datawriter(told, DATAWRITER_QOS_DEFAULT);
  if (!reader || !writer) return 1;
  Bytes order = twist_of(speed), bytes;
  double x = NAN, first = NAN;
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (std::chrono::steady_clock::now() < end && !(std::fabs(x - first) >= distance)) {
    SampleInfo info;
    while (reader->take_next_sample(&bytes, &info) == ReturnCode_t::RETCODE_OK) {
      if (!info.valid_data) continue;
      x = position_of(bytes);
      if (std::isnan(first)) first = x;
    }
    writer->write(&order);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  std::printf("%.6f %.6f\n", first, x);
  // the process ends with what it has opened
  std::fflush(stdout);
  std::_Exit(std::fabs(x - first) >= distance ? 0 : 1);
}
