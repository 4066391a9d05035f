// SPDX-License-Identifier: BSD-3-Clause
//
// libxml2 checks that the document is well formed and decodes it; where each tag and attribute
// stands is found by a scan of our own before, because libxml2 tells the end of a tag only.
#include "format/xml.h"

#include <errno.h>
#include <libxml/SAX2.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/xmlversion.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/input.h"

enum {
  MAX_ATTRIBUTES = 512,          // of one element: libxml2 compares each with all before
  MAX_ALL_ATTRIBUTES = 1 << 22,  // of one document
  BLOCK_SIZE = 64 << 10
};

static const char wrap_open[] = "<_>";
static const char wrap_close[] = "</_>";

// ---------------------------------------------------------------------------------------------
// Memory: one chain of blocks, freed at once

typedef struct Block {
  struct Block* next;
  size_t used, size;
} Block;

// Header size that keeps what follows aligned for any type.
enum { BLOCK_HEADER = (sizeof(Block) + 15) & ~(size_t)15 };

struct rutXml {
  Block* blocks;
  char* file;
  rutXmlElement* root;
  int elements;
};

static void* take(rutXml* xml, size_t size) {
  size = (size + 15) & ~(size_t)15;
  Block* block = xml->blocks;
  if (!block || block->size - block->used < size) {
    const size_t room = size > BLOCK_SIZE ? size : BLOCK_SIZE;
    block = malloc(BLOCK_HEADER + room);
    if (!block) return NULL;
    *block = (Block){.next = xml->blocks, .used = 0, .size = room};
    xml->blocks = block;
  }
  void* result = (char*)block + BLOCK_HEADER + block->used;
  block->used += size;
  return result;
}

static char* take_text(rutXml* xml, const char* text, size_t size) {
  char* copy = take(xml, size + 1);
  if (!copy) return NULL;
  if (size) memcpy(copy, text, size);
  copy[size] = '\0';
  return copy;
}

void rut_xml_destroy(rutXml* xml) {
  if (!xml) return;
  for (Block *block = xml->blocks, *next; block; block = next) {
    next = block->next;
    free(block);
  }
  free(xml);
}

// ---------------------------------------------------------------------------------------------
// Places of tags and attributes

typedef struct Mark {
  int line, column;
  int first;  // of a tag: index of its first attribute
} Mark;

typedef struct Marks {
  Mark* mark;
  size_t n, capacity;
} Marks;

// Position in the text. Columns count characters, as editors do.
typedef struct Cursor {
  const char *p, *end;
  Mark at;
} Cursor;

typedef struct Scan {
  Marks tags, attributes;
  const char* fault;  // what is not supported, NULL if nothing
  Mark place;         // of the fault
  bool no_memory;
} Scan;

static bool add_mark(Marks* marks, Mark mark) {
  if (marks->n == marks->capacity) {
    const size_t capacity = marks->capacity ? 2 * marks->capacity : 256;
    Mark* grown = realloc(marks->mark, capacity * sizeof *grown);
    if (!grown) return false;
    marks->mark = grown;
    marks->capacity = capacity;
  }
  marks->mark[marks->n++] = mark;
  return true;
}

static void step(Cursor* cursor) {
  const unsigned char c = (unsigned char)*cursor->p++;
  if (c == '\n') {
    cursor->at.line++;
    cursor->at.column = 1;
  } else if ((c & 0xc0) != 0x80) {
    cursor->at.column++;
  }
}

static bool looking_at(const Cursor* cursor, const char* word) {
  const size_t n = strlen(word);
  return (size_t)(cursor->end - cursor->p) >= n && memcmp(cursor->p, word, n) == 0;
}

static void step_past(Cursor* cursor, const char* word) {
  while (cursor->p < cursor->end && !looking_at(cursor, word)) step(cursor);
  for (size_t n = strlen(word); n && cursor->p < cursor->end; --n) step(cursor);
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

static void step_blanks(Cursor* cursor) {
  while (cursor->p < cursor->end && is_blank(*cursor->p)) step(cursor);
}

// Step over name="value", or over whatever stands there in its place.
static void step_attribute(Cursor* cursor) {
  while (cursor->p < cursor->end && !strchr("=<>\"'/ \t\r\n", *cursor->p)) step(cursor);
  step_blanks(cursor);
  if (cursor->p < cursor->end && *cursor->p == '=') {
    step(cursor);
    step_blanks(cursor);
  }
  if (cursor->p < cursor->end && (*cursor->p == '"' || *cursor->p == '\'')) {
    const char quote[2] = {*cursor->p, '\0'};
    step(cursor);
    step_past(cursor, quote);
  }
}

static bool fail_scan(Scan* scan, const char* fault, Mark place) {
  scan->fault = fault;
  scan->place = place;
  return false;
}

static bool scan_tag(Cursor* cursor, Scan* scan) {
  if (scan->tags.n == RUT_XML_MAX_ELEMENTS) {
    return fail_scan(scan, "too many elements in one document", cursor->at);
  }
  const Mark tag = {cursor->at.line, cursor->at.column, (int)scan->attributes.n};
  if (!add_mark(&scan->tags, tag)) return !(scan->no_memory = true);
  step(cursor);
  while (cursor->p < cursor->end && !strchr("<>/ \t\r\n", *cursor->p)) step(cursor);
  for (int attributes = 0;;) {
    step_blanks(cursor);
    if (cursor->p == cursor->end || *cursor->p == '>' || *cursor->p == '<') return true;
    if (strchr("/=\"'", *cursor->p)) {
      step(cursor);
      continue;
    }
    if (++attributes > MAX_ATTRIBUTES || scan->attributes.n == MAX_ALL_ATTRIBUTES) {
      return fail_scan(scan, "too many attributes", cursor->at);
    }
    // namespaces are no attributes to libxml2, nor to us
    const bool attribute = !looking_at(cursor, "xmlns=") && !looking_at(cursor, "xmlns:");
    if (attribute && !add_mark(&scan->attributes, cursor->at)) return !(scan->no_memory = true);
    step_attribute(cursor);
  }
}

// Note where start tags and their attributes stand. False if something is not supported or memory
// ran out; a document that is not well formed is left to libxml2.
static bool scan_text(const char* text, size_t size, Scan* scan) {
  Cursor cursor = {text, text + size, {1, 1, 0}};
  if (looking_at(&cursor, "\xef\xbb\xbf")) cursor.p += 3;
  while (cursor.p < cursor.end) {
    if (*cursor.p != '<') {
      step(&cursor);
    } else if (looking_at(&cursor, "<!--")) {
      step_past(&cursor, "-->");
    } else if (looking_at(&cursor, "<![CDATA[")) {
      step_past(&cursor, "]]>");
    } else if (looking_at(&cursor, "<?")) {
      step_past(&cursor, "?>");
    } else if (looking_at(&cursor, "<!")) {
      return fail_scan(scan, "entity expansion and document types (<!DOCTYPE>) are not supported",
                       cursor.at);
    } else if (looking_at(&cursor, "</")) {
      step_past(&cursor, ">");
    } else if (!scan_tag(&cursor, scan)) {
      return false;
    }
  }
  return true;
}

// First byte that is not UTF-8 (RFC 3629) or is NUL; end if all is well.
static const char* bad_byte(const char* text, const char* end) {
  const unsigned char* p = (const unsigned char*)text;
  const unsigned char* last = (const unsigned char*)end;
  while (p < last) {
    int more = 0;
    unsigned low = 0x80, high = 0xbf;  // range of the second byte: no long forms, no surrogates
    if (*p == 0) break;
    if (*p >= 0x80) {
      if (*p < 0xc2 || *p > 0xf4) break;
      more = *p < 0xe0 ? 1 : *p < 0xf0 ? 2 : 3;
      if (*p == 0xe0) low = 0xa0;
      if (*p == 0xed) high = 0x9f;
      if (*p == 0xf0) low = 0x90;
      if (*p == 0xf4) high = 0x8f;
      if (last - p <= more || p[1] < low || p[1] > high) break;
      if (more > 1 && (p[2] & 0xc0) != 0x80) break;
      if (more > 2 && (p[3] & 0xc0) != 0x80) break;
    }
    p += 1 + more;
  }
  return (const char*)p;
}

// ---------------------------------------------------------------------------------------------
// The tree, built from SAX events

typedef struct Buffer {
  char* data;
  size_t size, capacity;
} Buffer;

typedef struct Builder {
  rutXml* xml;
  rutReporter* reporter;
  xmlParserCtxtPtr parser;
  Scan scan;
  bool wrap;
  size_t tags;  // used of the marks
  int depth;
  rutXmlElement* open[RUT_XML_MAX_DEPTH + 1];
  rutXmlElement* last[RUT_XML_MAX_DEPTH + 1];  // last child of each open element
  Buffer text[RUT_XML_MAX_DEPTH + 1];
  rutStatus status;
} Builder;

static rutPlace place_at(const Builder* builder, Mark mark) {
  return (rutPlace){builder->xml->file, mark.line, mark.column};
}

static void stop(Builder* builder, rutStatus status) {
  builder->status = status;
  if (builder->parser) xmlStopParser(builder->parser);
}

static void stop_memory(Builder* builder) {
  const Mark nowhere = {0, 0, 0};
  stop(builder, rut_report_error(builder->reporter, RUT_ERR_MEMORY, place_at(builder, nowhere), "",
                                 "", "out of memory"));
}

// "prefix:name", or the name alone. NULL if out of memory.
static char* take_name(rutXml* xml, const xmlChar* prefix, const xmlChar* name) {
  const char* local = (const char*)name;
  if (!prefix) return take_text(xml, local, strlen(local));
  const size_t size = strlen((const char*)prefix) + strlen(local) + 2;
  char* whole = take(xml, size);
  if (whole) snprintf(whole, size, "%s:%s", (const char*)prefix, local);
  return whole;
}

// Copy the attributes of the element that begins: five pointers each, which are name, prefix,
// namespace, begin and end of the value. False if out of memory.
static bool copy_attributes(Builder* builder, rutXmlElement* element, int n, const xmlChar** five,
                            Mark tag) {
  if (n == 0) return true;
  rutXmlAttribute* attribute = take(builder->xml, (size_t)n * sizeof *attribute);
  if (!attribute) return false;
  for (int i = 0; i < n; ++i, five += 5) {
    const size_t at = (size_t)tag.first + (size_t)i;
    const Mark mark = at < builder->scan.attributes.n ? builder->scan.attributes.mark[at] : tag;
    attribute[i] = (rutXmlAttribute){
        .name = take_name(builder->xml, five[1], five[0]),
        .value = take_text(builder->xml, (const char*)five[3], (size_t)(five[4] - five[3])),
        .line = mark.line,
        .column = mark.column,
    };
    if (!attribute[i].name || !attribute[i].value) return false;
  }
  element->attributes = n;
  element->attribute = attribute;
  return true;
}

static void start_element(void* user, const xmlChar* name, const xmlChar* prefix,
                          const xmlChar* uri, int namespaces, const xmlChar** namespace_pair,
                          int attributes, int defaulted, const xmlChar** five) {
  (void)uri, (void)namespaces, (void)namespace_pair, (void)defaulted;
  Builder* builder = user;
  if (builder->status != RUT_OK) return;
  const bool wrapper = builder->wrap && builder->depth == 0;
  Mark mark = {1, 1, 0};
  if (!wrapper && builder->tags < builder->scan.tags.n) {
    mark = builder->scan.tags.mark[builder->tags++];
  }
  if (builder->depth > RUT_XML_MAX_DEPTH - !builder->wrap) {
    stop(builder, rut_report_error(builder->reporter, RUT_ERR_PARSE, place_at(builder, mark), "",
                                   "", "elements are nested more than %d deep", RUT_XML_MAX_DEPTH));
    return;
  }
  rutXmlElement* element = take(builder->xml, sizeof *element);
  if (element) {
    *element = (rutXmlElement){.text = "",
                               .file = builder->xml->file,
                               .line = mark.line,
                               .column = mark.column,
                               .index = builder->xml->elements++};
    element->name = wrapper ? "" : take_name(builder->xml, prefix, name);
  }
  if (!element || !element->name || !copy_attributes(builder, element, attributes, five, mark)) {
    stop_memory(builder);
    return;
  }
  const int depth = builder->depth++;
  builder->open[depth] = element;
  builder->last[depth] = NULL;
  builder->text[depth].size = 0;
  if (depth == 0) {
    builder->xml->root = element;
    return;
  }
  rutXmlElement* parent = builder->open[depth - 1];
  element->parent = parent;
  if (builder->last[depth - 1]) {
    builder->last[depth - 1]->next = element;
  } else {
    parent->first = element;
  }
  builder->last[depth - 1] = element;
}

static void end_element(void* user, const xmlChar* name, const xmlChar* prefix,
                        const xmlChar* uri) {
  (void)name, (void)prefix, (void)uri;
  Builder* builder = user;
  if (builder->status != RUT_OK || builder->depth == 0) return;
  const int depth = --builder->depth;
  const Buffer* text = &builder->text[depth];
  size_t begin = 0, end = text->size;
  while (begin < end && is_blank(text->data[begin])) ++begin;
  while (end > begin && is_blank(text->data[end - 1])) --end;
  if (begin == end) return;
  const char* copy = take_text(builder->xml, text->data + begin, end - begin);
  if (!copy) {
    stop_memory(builder);
    return;
  }
  builder->open[depth]->text = copy;
}

static void characters(void* user, const xmlChar* text, int length) {
  Builder* builder = user;
  if (builder->status != RUT_OK || builder->depth == 0 || length <= 0) return;
  Buffer* buffer = &builder->text[builder->depth - 1];
  if (buffer->capacity - buffer->size < (size_t)length) {
    const size_t capacity = 2 * buffer->capacity + (size_t)length + 64;
    char* grown = realloc(buffer->data, capacity);
    if (!grown) {
      stop_memory(builder);
      return;
    }
    buffer->data = grown;
    buffer->capacity = capacity;
  }
  memcpy(buffer->data + buffer->size, text, (size_t)length);
  buffer->size += (size_t)length;
}

// The scan before should have met it; this is for a document in which the two disagree.
static void document_type(void* user, const xmlChar* name, const xmlChar* public_id,
                          const xmlChar* system_id) {
  (void)name, (void)public_id, (void)system_id;
  Builder* builder = user;
  const Mark nowhere = {0, 0, 0};
  if (builder->status != RUT_OK) return;
  stop(builder, rut_report_error(builder->reporter, RUT_ERR_PARSE, place_at(builder, nowhere), "",
                                 "", "entity expansion is not supported"));
}

#if LIBXML_VERSION >= 21200
typedef const xmlError* XmlErrorPtr;
#else
typedef xmlErrorPtr XmlErrorPtr;
#endif

// libxml2's first error is the fault; what follows comes from it.
static void parser_error(void* user, XmlErrorPtr error) {
  Builder* builder = user;
  if (builder->status != RUT_OK || error->level < XML_ERR_ERROR) return;
  // prefixes need not be declared: MVSim's <vehicle:class> has no namespace
  if (error->domain == XML_FROM_NAMESPACE) return;
  if (error->code == XML_ERR_NO_MEMORY) {
    stop_memory(builder);
    return;
  }
  char message[300];
  snprintf(message, sizeof message, "%s", error->message ? error->message : "not well formed");
  for (size_t n = strlen(message); n && is_blank(message[n - 1]); --n) message[n - 1] = '\0';
  Mark mark = {error->line, error->int2, 0};
  // the wrapper's own tag stands before the first line
  if (builder->wrap && mark.line == 1) mark.column -= (int)strlen(wrap_open);
  if (mark.column < 1) mark.column = 1;
  stop(builder, rut_report_error(builder->reporter, RUT_ERR_PARSE, place_at(builder, mark), "", "",
                                 "not well-formed XML: %s", message));
}

static void parse_events(Builder* builder, const char* text, size_t size) {
  // locked inside and done once; parsing itself then needs no shared state
  xmlInitParser();
  xmlParserCtxtPtr parser = xmlCreateMemoryParserCtxt(text, (int)size);
  if (!parser) {
    stop_memory(builder);
    return;
  }
  builder->parser = parser;
  // NOENT makes &amp; a plain &; declared entities cannot occur, as document types are refused
  xmlCtxtUseOptions(parser, XML_PARSE_NOENT | XML_PARSE_NONET | XML_PARSE_IGNORE_ENC);
  memset(parser->sax, 0, sizeof *parser->sax);
  parser->sax->initialized = XML_SAX2_MAGIC;
  parser->sax->internalSubset = document_type;
  parser->sax->startElementNs = start_element;
  parser->sax->endElementNs = end_element;
  parser->sax->characters = characters;
  parser->sax->ignorableWhitespace = characters;
  parser->sax->serror = parser_error;
  parser->userData = builder;
  const int failed = xmlParseDocument(parser);
  if (builder->status == RUT_OK && (failed || !parser->wellFormed || !builder->xml->root)) {
    const Mark nowhere = {0, 0, 0};
    builder->status = rut_report_error(builder->reporter, RUT_ERR_PARSE, place_at(builder, nowhere),
                                       "", "", "not well-formed XML");
  }
  if (parser->myDoc) xmlFreeDoc(parser->myDoc);
  xmlFreeParserCtxt(parser);
  builder->parser = NULL;
}

static bool is_declaration(const char* p, const char* end) {
  return end - p > 6 && memcmp(p, "<?xml", 5) == 0 && is_blank(p[5]);
}

static void blank_declaration(char* p, const char* end) {
  while (p < end && !(p[0] == '?' && p[1] == '>')) {
    if (*p != '\n') *p = ' ';
    ++p;
  }
  if (p < end) p[0] = p[1] = ' ';
}

// A declaration that libxml2 does not take, though all that it says is known: behind blanks, or of
// version 0.0, as some robots have it. NULL: there is none.
static const char* odd_declaration(const char* text, size_t size) {
  static const char version[] = "version";
  const char *p = text, *end = text + size;
  while (p < end && is_blank(*p)) ++p;
  if (!is_declaration(p, end)) return NULL;
  if (p > text) return p;
  const char* q = p + 5;
  while (q < end && is_blank(*q)) ++q;
  if (end - q < 16 || memcmp(q, version, sizeof version - 1) != 0) return NULL;
  q += sizeof version - 1;
  while (end - q > 4 && (is_blank(*q) || *q == '=')) ++q;
  return end - q > 4 && (*q == '"' || *q == '\'') && memcmp(q + 1, "0.0", 3) == 0 ? p : NULL;
}

// Put one element around the text, so that several may stand side by side. What may only open a
// document (byte order mark, XML declaration) becomes blanks. NULL if out of memory.
static char* wrapped(const char* text, size_t size, size_t* out_size) {
  const size_t open = strlen(wrap_open), close = strlen(wrap_close);
  char* copy = malloc(open + size + close + 1);
  if (!copy) return NULL;
  memcpy(copy, wrap_open, open);
  memcpy(copy + open, text, size);
  memcpy(copy + open + size, wrap_close, close + 1);
  *out_size = open + size + close;
  char* p = copy + open;
  char* end = p + size;
  if (size >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0) {
    memset(p, ' ', 3);
    p += 3;
  }
  if (is_declaration(p, end)) blank_declaration(p, end);
  return copy;
}

// Parse a text whose declaration, which begins at `odd`, is read over.
static void parse_without(Builder* builder, const char* text, size_t size, const char* odd) {
  char* copy = malloc(size + 1);
  if (!copy) {
    stop_memory(builder);
    return;
  }
  memcpy(copy, text, size);
  copy[size] = '\0';
  blank_declaration(copy + (odd - text), copy + size);
  parse_events(builder, copy, size);
  free(copy);
}

// Text that is not XML is not quoted: an <include> may name any file.
static bool check_first_character(Builder* builder, const char* text, size_t size) {
  Cursor cursor = {text, text + size, {1, 1, 0}};
  if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) cursor.p += 3;
  while (cursor.p < cursor.end && is_blank(*cursor.p)) step(&cursor);
  if (cursor.p == cursor.end || *cursor.p == '<') return true;
  rutReporter* reporter = builder->reporter;
  const rutAccess* access = reporter->access;
  reporter->access = NULL;
  builder->status = rut_report_error(reporter, RUT_ERR_PARSE, place_at(builder, cursor.at), "", "",
                                     "not well-formed XML: it does not begin with '<'");
  reporter->access = access;
  return false;
}

// Faults that need no parser. False if one was reported.
static bool check_text(Builder* builder, const char* text, size_t size) {
  const Mark start = {1, 1, 0};
  if (size > RUT_XML_MAX_SIZE) {
    builder->status =
        rut_report_error(builder->reporter, RUT_ERR_PARSE, place_at(builder, start), "", "",
                         "file is larger than %d MiB", RUT_XML_MAX_SIZE >> 20);
    return false;
  }
  if (!check_first_character(builder, text, size)) return false;
  const char* bad = bad_byte(text, text + size);
  if (bad != text + size) {
    Cursor cursor = {text, text + size, start};
    while (cursor.p < bad) step(&cursor);
    builder->status = rut_report_error(
        builder->reporter, RUT_ERR_PARSE, place_at(builder, cursor.at), "", "",
        *bad ? "byte 0x%02x is not UTF-8 text" : "byte 0x%02x (NUL) in an XML file",
        (unsigned)(unsigned char)*bad);
    return false;
  }
  if (scan_text(text, size, &builder->scan)) return true;
  if (builder->scan.no_memory) {
    stop_memory(builder);
  } else {
    builder->status =
        rut_report_error(builder->reporter, RUT_ERR_PARSE, place_at(builder, builder->scan.place),
                         "", "", "%s", builder->scan.fault);
  }
  return false;
}

static void build(Builder* builder, const char* text, size_t size) {
  if (!check_text(builder, text, size)) return;
  if (builder->scan.tags.n == 0 && !builder->wrap) {
    const Mark start = {1, 1, 0};
    builder->status = rut_report_error(builder->reporter, RUT_ERR_PARSE, place_at(builder, start),
                                       "", "", "there is no XML element in this file");
    return;
  }
  if (!builder->wrap) {
    const char* odd = odd_declaration(text, size);
    if (odd)
      parse_without(builder, text, size, odd);
    else
      parse_events(builder, text, size);
    return;
  }
  size_t whole;
  char* copy = wrapped(text, size, &whole);
  if (!copy) {
    stop_memory(builder);
    return;
  }
  parse_events(builder, copy, whole);
  free(copy);
}

rutStatus rut_xml_parse(const char* text, size_t size, const char* file, bool wrap,
                        rutReporter* reporter, rutXml** out) {
  *out = NULL;
  rutXml* xml = calloc(1, sizeof *xml);
  Builder* builder = calloc(1, sizeof *builder);
  if (xml) xml->file = take_text(xml, file, strlen(file));
  if (!xml || !builder || !xml->file) {
    rut_xml_destroy(xml);
    free(builder);
    const rutPlace place = {file, 0, 0};
    return rut_report_error(reporter, RUT_ERR_MEMORY, place, "", "", "out of memory");
  }
  builder->xml = xml;
  builder->reporter = reporter;
  builder->wrap = wrap;
  build(builder, text, size);

  for (int i = 0; i <= RUT_XML_MAX_DEPTH; ++i) free(builder->text[i].data);
  free(builder->scan.tags.mark);
  free(builder->scan.attributes.mark);
  const rutStatus status = builder->status;
  free(builder);
  if (status != RUT_OK) {
    rut_xml_destroy(xml);
    return status;
  }
  *out = xml;
  return RUT_OK;
}

const rutXmlElement* rut_xml_root(const rutXml* xml) { return xml->root; }
const char* rut_xml_file(const rutXml* xml) { return xml->file; }
int rut_xml_elements(const rutXml* xml) { return xml->elements; }

const rutXmlAttribute* rut_xml_attribute(const rutXmlElement* element, const char* name) {
  for (int i = 0; i < element->attributes; ++i) {
    if (strcmp(element->attribute[i].name, name) == 0) return &element->attribute[i];
  }
  return NULL;
}

// ---------------------------------------------------------------------------------------------
// A look at the beginning

static bool starts(const char* p, const char* end, const char* word) {
  const size_t n = strlen(word);
  return (size_t)(end - p) >= n && memcmp(p, word, n) == 0;
}

// Past the next `word`, or the end if there is none.
static const char* past(const char* p, const char* end, const char* word) {
  for (; p < end; p++) {
    if (starts(p, end, word)) return p + strlen(word);
  }
  return end;
}

bool rut_xml_first_element(const char* text, size_t size, char* name, size_t name_size) {
  const char *p = text, *end = text + size;
  if (starts(p, end, "\xef\xbb\xbf")) p += 3;
  while (p < end) {
    if (*p && strchr(" \t\r\n", *p)) {
      p++;
    } else if (starts(p, end, "<!--")) {
      p = past(p + 4, end, "-->");
    } else if (starts(p, end, "<?")) {
      p = past(p + 2, end, "?>");
    } else if (starts(p, end, "<!")) {
      // a document type, perhaps with declarations in brackets: reading will refuse it and say why
      const char* close = past(p, end, ">");
      p = past(p, end, memchr(p, '[', (size_t)(close - p)) ? "]>" : ">");
    } else {
      break;
    }
  }
  if (!starts(p, end, "<")) return false;
  size_t n = 0;
  for (p++; p < end && *p && !strchr(" \t\r\n/>", *p); p++) {
    if (n + 1 < name_size) name[n++] = *p;
  }
  name[n] = '\0';
  return n > 0;
}

// ---------------------------------------------------------------------------------------------
// Files

rutStatus rut_read_file(const char* path, size_t limit, rutReporter* reporter, rutPlace place,
                        char** text, size_t* size) {
  const int fault = rut_input_read(reporter->access, path, limit, text, size);
  if (!fault) return RUT_OK;
  char message[RUT_INPUT_TEXT], hint[RUT_INPUT_TEXT];
  rut_input_explain(fault, path, limit, message, hint);
  return rut_report_error(reporter, fault == ENOMEM ? RUT_ERR_MEMORY : RUT_ERR_IO, place, "", hint,
                          "%s", message);
}

size_t rut_read_head(const char* path, char* bytes, size_t size) {
  return rut_input_head(&rut_access_any, path, bytes, size);
}
