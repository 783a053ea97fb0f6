// A trace as people read it: one line a span, indented beneath its parent, with a bar where its time lies.
#pragma once

#include <string>
#include <vector>

#include "observe/span.h"

namespace glovebox::observe {

// Spans of one trace that lie beneath `root`, parents before children and each in the order in which it began. Spans of
// several runs may be given; what leads nowhere is left out, circles too.
std::vector<Span> tree_of(const std::vector<Span>& spans, const SpanId& root);

struct WaterfallOptions {
  std::size_t width = 100;  // of a line
  std::int64_t now_us = 0;  // where spans end that have not
  bool has_unicode = true;  // else bars are made of #
};
// `spans` as tree_of gives them. Text that came from elsewhere is not neutralised.
std::string waterfall(const std::vector<Span>& spans, const WaterfallOptions& options);

}  // namespace glovebox::observe
