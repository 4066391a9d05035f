// SPDX-License-Identifier: BSD-3-Clause
//
// Limits of the viewer's server.
#ifndef RUT_SCENE_LIMITS_H
#define RUT_SCENE_LIMITS_H

enum {
  VIEW_CLIENTS = 32,          // pages at once
  VIEW_MESSAGE_SIZE = 65536,  // bytes of a message of a page
  VIEW_SIGNALS = 64,          // that one page may subscribe
  VIEW_WATCHED = 16,          // sensors whose samples one page may watch
  VIEW_NAVIGATED = 16,        // vehicles whose maps, or paths, one page may watch
  VIEW_SOURCES = VIEW_WATCHED + 2 * VIEW_NAVIGATED,
  VIEW_SAMPLE_RATE = 10,        // samples of a sensor a second, wall clock
  VIEW_MAP_RATE = 5,            // maps of a vehicle
  VIEW_COMMANDS = 16,           // set points of one vehicle
  VIEW_LOGS = 256,              // of a world that pages are told of
  VIEW_SLOTS = 10,              // saved states
  VIEW_PATH_SIZE = 512,         // of a parameter
  VIEW_VALUE_SIZE = 512,        // of its value
  VIEW_TEXT_SIZE = 1024,        // of a message to a page
  VIEW_ORDERS = 1024,           // of pages that wait for the simulation
  VIEW_MAX_STEPS = 1000000000,  // of one message
  VIEW_SAMPLES = 1025,          // of the ground along each side of a request
  VIEW_CONTACTS = 256,          // of one frame
  VIEW_BODIES = 64,             // of one mechanism, as many as there may be
  VIEW_FRAME_RATE = 60,         // frames a second
  VIEW_TILE_SIDE = 33,          // heights along a side of a tile
  VIEW_TILES = 16384,           // of the ground
  VIEW_FRAME_TILES = 64,        // of one frame
  VIEW_CURVE_ROWS = 2048,       // that wait for one page
  VIEW_CURVE_RATE = 200,        // rows per simulated second
  VIEW_TOPIC_MESSAGES = 4096,   // that are kept for programs that read topics
  VIEW_HISTORY_SIGNALS = 2048,  // of which the last minute is kept
  VIEW_HISTORY_RATE = 20,       // rows of them per simulated second
  VIEW_HISTORY_ROWS = 60 * VIEW_HISTORY_RATE
};

#endif  // RUT_SCENE_LIMITS_H
