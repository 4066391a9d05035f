// SPDX-License-Identifier: BSD-3-Clause
//
// Any bytes as an XML document: a tree or an error, never both.
#include <stdlib.h>
#include <string.h>

#include "format/xml.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  for (int wrap = 0; wrap < 2; wrap++) {
    rutReporter reporter;
    memset(&reporter, 0, sizeof reporter);
    rutXml* xml = NULL;
    const rutStatus status =
        rut_xml_parse((const char*)data, size, "fuzz.xml", wrap, &reporter, &xml);
    if ((status == RUT_OK) != (xml != NULL) || (status == RUT_OK) != (reporter.errors == 0)) {
      abort();
    }
    rut_xml_destroy(xml);
  }
  return 0;
}
