// SPDX-License-Identifier: BSD-3-Clause
//
// Messages of the run for programs that subscribe to topics. The thread that steps puts them into a
// ring, that of the server takes them; a program that is slow misses some.
#ifndef RUT_VIEW_TOPICS_H
#define RUT_VIEW_TOPICS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "scene/bytes.h"
#include "scene/limits.h"

typedef struct viewTopic {
  char *name, *schema, *definition, *encoding;  // owned
  int readers;                                  // subscriptions of all programs
} viewTopic;

typedef struct viewTopicMessage {
  viewBytes* bytes;
  int topic;
  int64_t time;    // simulated [ns]
  double wall;     // when it was put [s]
  uint32_t jumps;  // of the run before it
} viewTopicMessage;

typedef struct viewTopics {
  pthread_mutex_t lock;
  viewTopic* topic;  // [count], which only grows
  int count;
  atomic_int readers;      // of all topics
  viewTopicMessage* ring;  // [VIEW_TOPIC_MESSAGES]
  uint64_t first, next;    // numbers of the oldest message that is kept, and of the next one
  size_t size;             // bytes of those that are kept
  uint32_t jumps;          // resets and restores so far
} viewTopics;

// False if out of memory.
bool view_topics_create(viewTopics* topics);
void view_topics_free(viewTopics* topics);
// ---- of the thread that steps ----
// Add a topic; texts are copied. False if out of memory, or there are too many.
bool view_topics_add(viewTopics* topics, const char* name, const char* schema,
                     const char* definition, const char* encoding);
// Whether somebody reads a topic.
bool view_topics_read(viewTopics* topics, int topic);
// Keep a message; the oldest ones go where there are too many.
void view_topics_put(viewTopics* topics, int topic, int64_t time, const void* bytes, size_t size);
// The run has jumped so many times: messages before that are of another time.
void view_topics_jump(viewTopics* topics, uint32_t jumps);
// ---- of the server ----
int view_topics_count(viewTopics* topics);
// A topic, whose texts stay where they are.
viewTopic view_topics_at(viewTopics* topics, int topic);
// One more (1) or less (-1) reads a topic.
void view_topics_subscribe(viewTopics* topics, int topic, int change);
// Number of the next message that will be put.
uint64_t view_topics_end(viewTopics* topics);
// The message of a number, whose bytes the caller drops; false if it is not there any more, or not
// yet, or older than `age` [s]: bytes are NULL then.
bool view_topics_take(viewTopics* topics, uint64_t number, double age, viewTopicMessage* out);

#endif  // RUT_VIEW_TOPICS_H
