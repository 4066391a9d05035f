// SPDX-License-Identifier: BSD-3-Clause
//
// The functions of libwebsockets that the server uses. The library is loaded when a viewer starts,
// as it would make every other start of the command twice as long.
#ifndef RUT_VIEW_WEBSOCKETS_H
#define RUT_VIEW_WEBSOCKETS_H

#include <libwebsockets.h>

#define VIEW_LWS_FUNCTIONS(X)       \
  X(lws_add_http_common_headers)    \
  X(lws_add_http_header_by_name)    \
  X(lws_adopt_descriptor_vhost)     \
  X(lws_callback_on_writable)       \
  X(lws_cancel_service)             \
  X(lws_close_reason)               \
  X(lws_context_destroy)            \
  X(lws_context_user)               \
  X(lws_create_context)             \
  X(lws_create_vhost)               \
  X(lws_finalize_write_http_header) \
  X(lws_get_context)                \
  X(lws_get_protocol)               \
  X(lws_get_socket_fd)              \
  X(lws_get_urlarg_by_name)         \
  X(lws_get_vhost_listen_port)      \
  X(lws_hdr_copy)                   \
  X(lws_hdr_custom_copy)            \
  X(lws_hdr_total_length)           \
  X(lws_http_get_uri_and_method)    \
  X(lws_http_transaction_completed) \
  X(lws_rx_flow_control)            \
  X(lws_service)                    \
  X(lws_set_log_level)              \
  X(lws_set_timeout)                \
  X(lws_set_timer_usecs)            \
  X(lws_validity_confirmed)         \
  X(lws_write)

typedef struct viewWebsockets {
#define X(name) __typeof__(name)* name;
  VIEW_LWS_FUNCTIONS(X)
#undef X
} viewWebsockets;

// Load the library. NULL, with the reason in message, if that fails.
const viewWebsockets* view_websockets_load(char* message, size_t size);
// The functions, once they are loaded.
const viewWebsockets* view_websockets(void);

#endif  // RUT_VIEW_WEBSOCKETS_H
