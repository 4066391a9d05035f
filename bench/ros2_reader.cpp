// SPDX-License-Identifier: BSD-3-Clause
//
// Counts the messages of topics of ROS 2 on Fast DDS for some seconds, and how long each was under
// way: from the time that its writer put on it to the time at which its bytes are here. One thread
// per topic. Prints a line per topic: messages, bytes, and the median, the 99th percentile and the
// largest of the delays in microseconds.
//
//     ros2_reader DOMAIN SECONDS TOPIC TYPE [TOPIC TYPE]...
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "../test/ros2/fastdds_node.hpp"

struct Heard {
  std::string topic;
  DataReader* reader;
  size_t bytes = 0;
  std::vector<double> delays;
};

// sensor_msgs/Image as DDS knows it: sensor_msgs::msg::dds_::Image_
static std::string wire_name(const std::string& type) {
  const size_t slash = type.find('/');
  return type.substr(0, slash) + "::msg::dds_::" + type.substr(slash + 1) + "_";
}

static DataReader* open_reader(DomainParticipant* node, const std::string& topic,
                               const std::string& type) {
  constexpr uint32_t largest = 8u << 20;
  TypeSupport support(new Opaque(wire_name(type), largest));
  node->register_type(support);
  Topic* heard = node->create_topic("rt" + topic, support.get_type_name(), TOPIC_QOS_DEFAULT);
  DataReaderQos demands;
  demands.reliability().kind = BEST_EFFORT_RELIABILITY_QOS;
  demands.history().depth = 10;
  demands.endpoint().history_memory_policy = eprosima::fastrtps::rtps::DYNAMIC_REUSABLE_MEMORY_MODE;
  return node->create_subscriber(SUBSCRIBER_QOS_DEFAULT)->create_datareader(heard, demands);
}

static void listen(Heard* heard, std::chrono::steady_clock::time_point end) {
  using namespace std::chrono;
  const double begin = duration<double>(system_clock::now().time_since_epoch()).count();
  Bytes bytes;
  while (steady_clock::now() < end) {
    heard->reader->wait_for_unread_message({0, 100000000});
    SampleInfo info;
    while (heard->reader->take_next_sample(&bytes, &info) == ReturnCode_t::RETCODE_OK) {
      if (!info.valid_data) continue;
      const double now = duration<double>(system_clock::now().time_since_epoch()).count();
      const double written = static_cast<double>(info.source_timestamp.to_ns()) * 1e-9;
      // what came while participants found each other has waited here
      if (written < begin) continue;
      heard->delays.push_back(now - written);
      heard->bytes += bytes.size();
    }
  }
}

int main(int argc, char** argv) {
  if (argc < 5 || argc % 2 == 0) return 2;
  DomainParticipant* node = join(static_cast<uint32_t>(std::atoi(argv[1])));
  if (!node) return 1;
  std::vector<Heard> topics;
  for (int i = 3; i < argc; i += 2) {
    topics.push_back({argv[i], open_reader(node, argv[i], argv[i + 1])});
    if (!topics.back().reader) return 1;
  }
  // participants find each other before anything is counted
  std::this_thread::sleep_for(std::chrono::seconds(2));
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(std::atoi(argv[2]));
  std::vector<std::thread> threads;
  for (Heard& heard : topics) threads.emplace_back(listen, &heard, end);
  for (std::thread& thread : threads) thread.join();
  for (Heard& heard : topics) {
    std::vector<double>& d = heard.delays;
    std::sort(d.begin(), d.end());
    const size_t n = d.size();
    std::printf("%s %zu %zu", heard.topic.c_str(), n, heard.bytes);
    if (n > 0)
      std::printf(" %.0f %.0f %.0f", 1e6 * d[n / 2], 1e6 * d[n * 99 / 100], 1e6 * d[n - 1]);
    std::printf("\n");
  }
  // the process ends with what it has opened
  std::fflush(stdout);
  std::_Exit(0);
}
