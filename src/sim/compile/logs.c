// SPDX-License-Identifier: BSD-3-Clause
#include "sim/compile/logs.h"

#include <string.h>

enum { LONGEST_NAME = 64, MOST_LOGS = 32 };

static bool is_file_name(const char* name) {
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+";
  const size_t length = strlen(name);
  return length > 0 && length <= LONGEST_NAME && name[0] != '-' && strspn(name, plain) == length;
}

static void check_logs(const rutDraft* draft, rutNode parent) {
  const rutSpec* spec = draft->spec;
  int n = 0;
  for (rutNode node = rut_node_first(spec, parent, "log"); !rut_node_is_null(node);
       node = rut_node_next(spec, node, "log")) {
    const char* name = rut_node_name(spec, node);
    if (++n > MOST_LOGS) {
      rut_node_error(spec, node, NULL, RUT_ERR_CAPACITY, "", "more than %d logs in one element",
                     MOST_LOGS);
      return;
    }
    if (is_file_name(name)) continue;
    rut_node_error(spec, node, NULL, RUT_ERR_MODEL,
                   "use up to 64 ASCII letters, digits, '_', '+' and, after the first, '-'",
                   "'%.100s' cannot name a log, whose file gets the same name", name);
  }
}

void rut_draft_check_logs(rutDraft* draft) {
  check_logs(draft, rut_spec_root(draft->spec));
  for (int i = 0; i < draft->vehicle.n; i++) {
    check_logs(draft, ((const rutDraftVehicle*)rut_list_at(&draft->vehicle, i))->node);
  }
}
