// SPDX-License-Identifier: BSD-3-Clause
//
// The user's browser.
#ifndef RUT_VIEW_BROWSER_H
#define RUT_VIEW_BROWSER_H

#include <stdbool.h>

// True if there is a desktop to open one on.
bool view_has_desktop(void);
// Open an address with xdg-open.
void view_open_browser(const char* address);

#endif  // RUT_VIEW_BROWSER_H
