// SPDX-License-Identifier: BSD-3-Clause
#include "view/topics.h"

#include <stdlib.h>
#include <string.h>

#include "clock.h"

enum { MOST_TOPICS = 65536, MOST_BYTES = 32 << 20 };

bool view_topics_create(viewTopics* t) {
  *t = (viewTopics){.ring = calloc(VIEW_TOPIC_MESSAGES, sizeof *t->ring)};
  pthread_mutex_init(&t->lock, NULL);
  return t->ring != NULL;
}

void view_topics_free(viewTopics* t) {
  for (; t->first < t->next; t->first++) {
    view_bytes_drop(t->ring[t->first % VIEW_TOPIC_MESSAGES].bytes);
  }
  for (int i = 0; i < t->count; i++) {
    free(t->topic[i].name);
    free(t->topic[i].schema);
    free(t->topic[i].definition);
    free(t->topic[i].encoding);
  }
  free(t->topic);
  free(t->ring);
  pthread_mutex_destroy(&t->lock);
  *t = (viewTopics){0};
}

bool view_topics_add(viewTopics* t, const char* name, const char* schema, const char* definition,
                     const char* encoding) {
  viewTopic made = {strdup(name), strdup(schema), strdup(definition), strdup(encoding), 0};
  bool fine = made.name && made.schema && made.definition && made.encoding;
  pthread_mutex_lock(&t->lock);
  viewTopic* grown = NULL;
  if (fine && t->count < MOST_TOPICS) {
    grown = realloc(t->topic, ((size_t)t->count + 1) * sizeof *grown);
  }
  fine = grown != NULL;
  if (fine) {
    t->topic = grown;
    t->topic[t->count++] = made;
  }
  pthread_mutex_unlock(&t->lock);
  if (fine) return true;
  free(made.name);
  free(made.schema);
  free(made.definition);
  free(made.encoding);
  return false;
}

bool view_topics_read(viewTopics* t, int topic) {
  pthread_mutex_lock(&t->lock);
  const bool read = topic < t->count && t->topic[topic].readers > 0;
  pthread_mutex_unlock(&t->lock);
  return read;
}

void view_topics_put(viewTopics* t, int topic, int64_t time, const void* bytes, size_t size) {
  viewBytes* kept = view_bytes_of(bytes, size);
  if (!kept) return;
  pthread_mutex_lock(&t->lock);
  while (t->first < t->next &&
         (t->next - t->first == VIEW_TOPIC_MESSAGES || t->size + size > MOST_BYTES)) {
    viewTopicMessage* oldest = &t->ring[t->first++ % VIEW_TOPIC_MESSAGES];
    t->size -= oldest->bytes->size;
    view_bytes_drop(oldest->bytes);
  }
  t->ring[t->next++ % VIEW_TOPIC_MESSAGES] =
      (viewTopicMessage){kept, topic, time, cli_clock(), t->jumps};
  t->size += size;
  pthread_mutex_unlock(&t->lock);
}

void view_topics_jump(viewTopics* t, uint32_t jumps) {
  pthread_mutex_lock(&t->lock);
  t->jumps = jumps;
  pthread_mutex_unlock(&t->lock);
}

int view_topics_count(viewTopics* t) {
  pthread_mutex_lock(&t->lock);
  const int count = t->count;
  pthread_mutex_unlock(&t->lock);
  return count;
}

viewTopic view_topics_at(viewTopics* t, int topic) {
  pthread_mutex_lock(&t->lock);
  const viewTopic found = t->topic[topic];
  pthread_mutex_unlock(&t->lock);
  return found;
}

void view_topics_subscribe(viewTopics* t, int topic, int change) {
  pthread_mutex_lock(&t->lock);
  t->topic[topic].readers += change;
  pthread_mutex_unlock(&t->lock);
  atomic_fetch_add(&t->readers, change);
}

uint64_t view_topics_end(viewTopics* t) {
  pthread_mutex_lock(&t->lock);
  const uint64_t end = t->next;
  pthread_mutex_unlock(&t->lock);
  return end;
}

bool view_topics_take(viewTopics* t, uint64_t number, double age, viewTopicMessage* out) {
  bool there = false;
  pthread_mutex_lock(&t->lock);
  if (number >= t->first && number < t->next) {
    *out = t->ring[number % VIEW_TOPIC_MESSAGES];
    there = cli_clock() - out->wall <= age;
    out->bytes = there ? view_bytes_share(out->bytes) : NULL;
  }
  pthread_mutex_unlock(&t->lock);
  return there;
}
