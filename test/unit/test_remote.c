// SPDX-License-Identifier: BSD-3-Clause
//
// What a program that drives over packets, or a page that asks for things meanwhile, cannot do to
// the run that waits.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "rut/remote.h"
#include "world_fixture.h"

static const char world[] =
    "<world timestep='10 ms'><vehicle name='v'><chassis mass='20'/>"
    "<wheel place='left' position='0 0.25'/><wheel place='right' position='0 -0.25'/>"
    "<tyre type='coulomb'/><drive type='direct'/><controller type='twist_pid'/></vehicle></world>";

typedef struct Bench {
  World w;
  int socket;  // of the program
  rutRemote* remote;
} Bench;

static Bench open_bench(double wait, bool (*stop)(void)) {
  const rutComponent* const none[] = {NULL};
  Bench b = {.w = open_world_with(world, 1, none), .socket = socket(AF_INET, SOCK_DGRAM, 0)};
  struct sockaddr_in own = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t size = sizeof own;
  assert_int_equal(bind(b.socket, (const struct sockaddr*)&own, size), 0);
  assert_int_equal(getsockname(b.socket, (struct sockaddr*)&own, &size), 0);
  char link[32];
  snprintf(link, sizeof link, "udp:%d", ntohs(own.sin_port));
  rutRemoteDef def = rut_default_remote();
  def.link = link;
  def.wait = wait;
  def.stop = stop;
  rutError err = {0};
  if (rut_remote_open(b.w.model, &def, &b.remote, &err) != RUT_OK) fail_msg("%s", err.message);
  return b;
}

static void close_bench(Bench* b) {
  rut_remote_close(b->remote);
  close(b->socket);
  close_world(&b->w);
}

// An order is there at every second look.
static bool order_is_there(void) {
  static int looks;
  return ++looks % 2 == 0;
}

// A call waits 50 ms before it looks the second time: ten of them.
static void orders_give_no_more_time(void** state) {
  (void)state;
  Bench b = open_bench(0.5, order_is_there);
  rutError err = {0};
  int calls = 0;
  rutStatus status = RUT_OK;
  for (; calls < 60 && status == RUT_OK; calls++) {
    status = rut_remote_step(b.remote, b.w.model, b.w.data, &err);
  }
  assert_int_equal(status, RUT_ERR_IO);
  assert_non_null(strstr(err.message, "no answer within 0.5 s to the state at t = 0 s"));
  assert_true(calls > 1);
  assert_int_equal(rut_remote_report(b.remote).packets, 1);
  assert_true(rut_remote_report(b.remote).again > 0);
  // whoever goes on after that asks anew
  status = rut_remote_step(b.remote, b.w.model, b.w.data, &err);
  assert_true(status == RUT_OK && rut_remote_waits(b.remote));
  assert_int_equal(rut_remote_report(b.remote).packets, 2);
  close_bench(&b);
}

// The run stands for longer than the wait.
static void nobody_waits_while_the_run_stands(void** state) {
  (void)state;
  static const struct timespec LONG = {1, 0};
  Bench b = open_bench(0.8, order_is_there);
  rutError err = {0};
  while (!rut_remote_waits(b.remote)) {
    assert_int_equal(rut_remote_step(b.remote, b.w.model, b.w.data, &err), RUT_OK);
  }
  nanosleep(&LONG, NULL);
  assert_int_equal(rut_remote_step(b.remote, b.w.model, b.w.data, &err), RUT_OK);
  assert_true(rut_remote_waits(b.remote));
  close_bench(&b);
}

static void a_flood_is_taken_in_parts(void** state) {
  (void)state;
  enum { SENT = 150, PART = 64 };
  Bench b = open_bench(0, NULL);
  rutError err = {0};
  char packet[9000];
  struct sockaddr_in from;
  socklen_t size = sizeof from;
  assert_int_equal(rut_remote_step(b.remote, b.w.model, b.w.data, &err), RUT_OK);
  assert_true(recvfrom(b.socket, packet, sizeof packet, 0, (struct sockaddr*)&from, &size) > 0);
  for (int i = 0; i < SENT; i++) {
    assert_int_equal(sendto(b.socket, "x", 1, 0, (const struct sockaddr*)&from, size), 1);
  }
  for (int all = PART; all < SENT + PART; all += PART) {
    assert_int_equal(rut_remote_step(b.remote, b.w.model, b.w.data, &err), RUT_OK);
    assert_int_equal(rut_remote_report(b.remote).damaged, all < SENT ? all : SENT);
  }
  close_bench(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(orders_give_no_more_time),
      cmocka_unit_test(nobody_waits_while_the_run_stands),
      cmocka_unit_test(a_flood_is_taken_in_parts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
