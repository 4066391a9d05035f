// SPDX-License-Identifier: BSD-3-Clause
//
// What programs on Fast DDS share that hear and speak to rut as a node of ROS 2: messages as bytes,
// and a participant that stays on 127.0.0.1.
#ifndef RUT_TEST_FASTDDS_NODE_HPP
#define RUT_TEST_FASTDDS_NODE_HPP
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include <fastdds/dds/domain/DomainParticipant.hpp>
#include <fastdds/dds/domain/DomainParticipantFactory.hpp>
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
  Opaque(const std::string& name, uint32_t largest) {
    setName(name.c_str());
    m_typeSize = largest;
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

// A participant on the loopback alone, without multicast; NULL where there can be none.
inline DomainParticipant* join(uint32_t domain) {
  DomainParticipantQos qos;
  auto udp = std::make_shared<eprosima::fastdds::rtps::UDPv4TransportDescriptor>();
  udp->interfaceWhiteList.push_back("127.0.0.1");
  // the usual 208 kB lose messages of 500 kB, and small ones beside them
  udp->receiveBufferSize = 4u << 20;
  qos.transport().use_builtin_transports = false;
  qos.transport().user_transports.push_back(udp);
  eprosima::fastrtps::rtps::Locator_t here;
  eprosima::fastrtps::rtps::IPLocator::setIPv4(here, "127.0.0.1");
  qos.wire_protocol().builtin.initialPeersList.push_back(here);
  return DomainParticipantFactory::get_instance()->create_participant(domain, qos);
}

#endif
