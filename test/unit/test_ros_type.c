// SPDX-License-Identifier: BSD-3-Clause
//
// Types of ROS 2 messages: SHA-256 against FIPS 180-4's examples; hashes of types against those
// that ROS 2 publishes (REP 2016, type_description of rosidl), so that every definition that we
// write is that of ROS, field by field.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/sha256.h"
#include "host/log_schema.h"
#include "host/ros2_schema.h"
#include "host/ros_type.h"
#include "host/sensor_message.h"

static void digests(void** state) {
  (void)state;
  char digest[65];
  rut_sha256("", 0, digest);
  assert_string_equal(digest, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  rut_sha256("abc", 3, digest);
  assert_string_equal(digest, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  // 56 bytes: length and padding take a second block
  rut_sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56, digest);
  assert_string_equal(digest, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  char* million = malloc(1000000);
  assert_non_null(million);
  memset(million, 'a', 1000000);
  rut_sha256(million, 1000000, digest);
  free(million);
  assert_string_equal(digest, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

static const char* definition_of(const char* schema) {
  for (int form = 0; form < RUT_FORM_COUNT; form++) {
    const rutSensorMessage* message = rut_sensor_message((rutSensorForm)form);
    for (; message; message = message->next) {
      if (strcmp(message->schema, schema) == 0) return message->definition;
    }
  }
  return NULL;
}

// Published hashes.
static void published(void** state) {
  (void)state;
  const struct {
    const char *name, *definition, *hash;
  } type[] = {
      {"std_msgs/msg/String", "string data\n",
       "df668c740482bbd48fb39d76a70dfd4bd59db1288021743503259e948f6b1a18"},
      {"rosgraph_msgs/msg/Clock", RUT_MSG_CLOCK,
       "692f7a66e93a3c83e71765d033b60349ba68023a8c689a79e48078bcb5c58564"},
      {"sensor_msgs/msg/LaserScan", definition_of("sensor_msgs/msg/LaserScan"),
       "64c191398013af96509d518dac71d5164f9382553fce5c1f8cca5be7924bd828"},
      {"sensor_msgs/msg/PointCloud2", definition_of("sensor_msgs/msg/PointCloud2"),
       "9198cabf7da3796ae6fe19c4cb3bdd3525492988c70522628af5daa124bae2b5"},
      {"nav_msgs/msg/Odometry", RUT_MSG_ODOMETRY,
       "3cc97dc7fb7502f8714462c526d369e35b603cfc34d946e3f2eda2766dfec6e0"},
      {"tf2_msgs/msg/TFMessage", RUT_MSG_TF,
       "e369d0f05a23ae52508854b66f6aa0437f3449d652e8cbf22d5abe85d020f087"},
      {"sensor_msgs/msg/Imu", definition_of("sensor_msgs/msg/Imu"),
       "7d9a00ff131080897a5ec7e26e315954b8eae3353c3f995c55faf71574000b5b"},
      {"geometry_msgs/msg/TwistStamped", RUT_MSG_TWIST_STAMPED,
       "5f0fcd4f81d5d06ad9b4c4c63e3ea51b82d6ae4d0558f1d475229b1121db6f64"},
      {"sensor_msgs/msg/JointState", RUT_MSG_JOINT_STATE,
       "a13ee3a330e346c9d87b5aa18d24e11690752bd33a0350f11c5882bc9179260e"},
      {"rmw_dds_common/msg/ParticipantEntitiesInfo", RUT_MSG_PARTICIPANT,
       "91a0593bacdcc50ea9bdcf849a938b128412cc1ea821245c663bcd26f83c295e"},
  };
  for (size_t i = 0; i < sizeof type / sizeof type[0]; i++) {
    char hash[RUT_ROS_HASH_SIZE];
    rutError err = {0};
    assert_non_null(type[i].definition);
    assert_int_equal(rut_ros_type_hash(type[i].name, type[i].definition, hash, &err), RUT_OK);
    if (strcmp(hash + 7, type[i].hash) != 0) print_message("%s\n", type[i].name);
    assert_memory_equal(hash, "RIHS01_", 7);
    assert_string_equal(hash + 7, type[i].hash);
  }
}

// Append a file of message definitions. False if it is not there.
static bool append(const char* package, const char* name, bool first, char* text, size_t size) {
  static const char* const roots[] = {"common_interfaces/", ""};
  for (int i = 0; i < 2; i++) {
    char path[600];
    snprintf(path, sizeof path, "%s/data/ros2/%s%s/msg/%s.msg", RUT_SHARED_DIR, roots[i], package,
             name);
    FILE* file = fopen(path, "r");
    if (!file) continue;
    size_t used = strlen(text);
    if (!first) {
      used += (size_t)snprintf(text + used, size - used, "====\nMSG: %s/%s\n", package, name);
    }
    const size_t n = fread(text + used, 1, size - used - 2, file);
    text[used + n] = '\n';
    text[used + n + 1] = '\0';
    fclose(file);
    return true;
  }
  return false;
}

// The same hash as that of the definitions of ROS itself, with the types that each is made of.
static void as_defined(void** state) {
  (void)state;
  static const char time[] = "====\nMSG: builtin_interfaces/Time\nint32 sec\nuint32 nanosec\n";
  static const struct {
    const char *package, *name;
    const char* inner[6][2];
  } type[] = {
      {"sensor_msgs", "CameraInfo", {{"std_msgs", "Header"}, {"sensor_msgs", "RegionOfInterest"}}},
      {"sensor_msgs", "Image", {{"std_msgs", "Header"}}},
      {"sensor_msgs", "CompressedImage", {{"std_msgs", "Header"}}},
      {"sensor_msgs", "MagneticField", {{"std_msgs", "Header"}, {"geometry_msgs", "Vector3"}}},
      {"sensor_msgs", "FluidPressure", {{"std_msgs", "Header"}}},
      {"sensor_msgs", "NavSatFix", {{"std_msgs", "Header"}, {"sensor_msgs", "NavSatStatus"}}},
      {"sensor_msgs", "Range", {{"std_msgs", "Header"}}},
      {"sensor_msgs", "BatteryState", {{"std_msgs", "Header"}}},
  };
  for (size_t i = 0; i < sizeof type / sizeof type[0]; i++) {
    static char text[65536];
    char name[100], wanted[RUT_ROS_HASH_SIZE], own[RUT_ROS_HASH_SIZE];
    text[0] = '\0';
    if (!append(type[i].package, type[i].name, true, text, sizeof text)) skip();
    for (int k = 0; k < 6 && type[i].inner[k][0]; k++) {
      assert_true(append(type[i].inner[k][0], type[i].inner[k][1], false, text, sizeof text));
    }
    strcat(text, time);
    // definitions of a package leave its name out
    char* header = strstr(text, "\nHeader header");
    assert_null(header);
    char* local = strstr(text, "\nRegionOfInterest roi");
    if (!local) local = strstr(text, "\nNavSatStatus status");
    if (local) {
      memmove(local + 13, local + 1, strlen(local + 1) + 1);
      memcpy(local + 1, "sensor_msgs/", 12);
    }
    snprintf(name, sizeof name, "%s/msg/%s", type[i].package, type[i].name);
    rutError err = {0};
    if (rut_ros_type_hash(name, text, wanted, &err) != RUT_OK) print_message("%s\n", err.message);
    assert_int_equal(err.status, RUT_OK);
    assert_int_equal(rut_ros_type_hash(name, definition_of(name), own, &err), RUT_OK);
    if (strcmp(own, wanted) != 0) print_message("%s\n", name);
    assert_string_equal(own, wanted);
  }
}

static void names(void** state) {
  (void)state;
  char type[RUT_ROS_TYPE_SIZE], name[RUT_ROS_NAME_SIZE];
  assert_true(rut_ros_dds_type("nav_msgs/msg/Odometry", type));
  assert_string_equal(type, "nav_msgs::msg::dds_::Odometry_");
  assert_true(rut_ros_dds_type("a/srv/B_Request", type));
  assert_string_equal(type, "a::srv::dds_::B_Request_");
  assert_false(rut_ros_dds_type("Odometry", type));
  rut_ros_name("front laser-2/3d", true, name);
  assert_string_equal(name, "front_laser_2/_3d");
  rut_ros_name("a/b", false, name);
  assert_string_equal(name, "a_b");
}

static void wrong_definitions(void** state) {
  (void)state;
  char hash[RUT_ROS_HASH_SIZE];
  rutError err = {0};
  assert_int_equal(rut_ros_type_hash("a/msg/B", "std_msgs/Header header\n", hash, &err),
                   RUT_ERR_PARSE);
  assert_non_null(strstr(err.message, "std_msgs/msg/Header"));
  assert_int_equal(rut_ros_type_hash("a/msg/B", "float64\n", hash, &err), RUT_ERR_PARSE);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(digests), cmocka_unit_test(published),         cmocka_unit_test(as_defined),
      cmocka_unit_test(names),   cmocka_unit_test(wrong_definitions),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
