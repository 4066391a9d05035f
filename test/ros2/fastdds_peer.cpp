// SPDX-License-Identifier: BSD-3-Clause
//
// A node that did not come from us, on Fast DDS: it hears odometry as bytes, reads its position, and
// tells the robot to drive. Prints the last position once the robot has come as far as it is told.
//
//     fastdds_peer DOMAIN SPEED DISTANCE
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

#include <fastdds/dds/domain/DomainParticipantFactory.hpp>
#include <fastdds/dds/domain/DomainParticipant.hpp>
#include <fastdds/dds/publisher/DataWriter.hpp>
#include <fastdds/dds/publisher/Publisher.hpp>
#include <fastdds/dds/subscriber/DataReader.hpp>
#include <fastdds/dds/subscriber/SampleInfo.hpp>
#include <fastdds/dds/subscriber/Subscriber.hpp>
#include <fastdds/dds/topic/TopicDataType.hpp>
#include <fastdds/rtps/transport/UDPv4TransportDescriptor.h>
#include <fastrtps/utils/IPLocator.h>

using namespace eprosima::fastdds::dds;
using eprosima::fastrtps::rtps::InstanceHandle_t;
using eprosima::fastrtps::rtps::SerializedPayload_t;

using Bytes = std::vector<unsigned char>;

// Any type of a name: what goes over the wire is what the caller has.
class Opaque : public TopicDataType {
 public:
  explicit Opaque(const char* name) {
    setName(name);
    m_typeSize = 65536;
    m_isGetKeyDefined = false;
    auto_fill_type_information(false);
    auto_fill_type_object(false);
  }
  bool serialize(void* data, SerializedPayload_t* payload) override {
    const Bytes& bytes = *static_cast<Bytes*>(data);
    payload->encapsulation = CDR_LE;
    payload->length = static_cast<uint32_t>(bytes.size());
    std::memcpy(payload->data, bytes.data(), bytes.size());
    return true;
  }
  bool deserialize(SerializedPayload_t* payload, void* data) override {
    static_cast<Bytes*>(data)->assign(payload->data, payload->data + payload->length);
    return true;
  }
  std::function<uint32_t()> getSerializedSizeProvider(void* data) override {
    return [data] { return static_cast<uint32_t>(static_cast<Bytes*>(data)->size()); };
  }
  void* createData() override { return new Bytes; }
  void deleteData(void* data) override { delete static_cast<Bytes*>(data); }
  bool getKey(void*, InstanceHandle_t*, bool) override { return false; }
};

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

static DomainParticipant* join(uint32_t domain) {
  DomainParticipantQos qos;
  auto udp = std::make_shared<eprosima::fastdds::rtps::UDPv4TransportDescriptor>();
  udp->interfaceWhiteList.push_back("127.0.0.1");
  qos.transport().use_builtin_transports = false;
  qos.transport().user_transports.push_back(udp);
  eprosima::fastrtps::rtps::Locator_t here;
  eprosima::fastrtps::rtps::IPLocator::setIPv4(here, "127.0.0.1");
  qos.wire_protocol().builtin.initialPeersList.push_back(here);
  return DomainParticipantFactory::get_instance()->create_participant(domain, qos);
}

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const double speed = std::atof(argv[2]), distance = std::atof(argv[3]);
  DomainParticipant* node = join(static_cast<uint32_t>(std::atoi(argv[1])));
  if (!node) return 1;
  TypeSupport odometry(new Opaque("nav_msgs::msg::dds_::Odometry_"));
  TypeSupport twist(new Opaque("geometry_msgs::msg::dds_::Twist_"));
  node->register_type(odometry);
  node->register_type(twist);
  Topic* heard = node->create_topic("rt/odom", odometry.get_type_name(), TOPIC_QOS_DEFAULT);
  Topic* told = node->create_topic("rt/cmd_vel", twist.get_type_name(), TOPIC_QOS_DEFAULT);
  DataReaderQos demands;
  demands.reliability().kind = RELIABLE_RELIABILITY_QOS;
  DataReader* reader =
      node->create_subscriber(SUBSCRIBER_QOS_DEFAULT)->create_datareader(heard, demands);
  DataWriter* writer =
      node->create_publisher(PUBLISHER_QOS_DEFAULT)->create_datawriter(told, DATAWRITER_QOS_DEFAULT);
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
