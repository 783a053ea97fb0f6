// Draws a trace for people: one line per span, indented beneath its parent, with a bar for its time.
#pragma once

#include <string>
#include <vector>

#include "observe/span.h"

namespace glovebox::observe {

// Spans of one trace beneath `root`, parents before children and each in the order in which it began. Spans of several
// runs may be given; those without a path to `root` are left out, cycles too.
std::vector<Span> tree_of(const std::vector<Span>& spans, const SpanId& root);

struct WaterfallOptions {
  std::size_t width = 100;  // of a line
  std::int64_t now_us = 0;  // end of spans that have not ended
  bool has_unicode = true;  // else bars are made of #
};
// `spans` as tree_of returns them. Untrusted text in them is not escaped.
std::string waterfall(const std::vector<Span>& spans, const WaterfallOptions& options);

}  // namespace glovebox::observe
