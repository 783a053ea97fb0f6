#include "observe/waterfall.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <set>

#include "observe/semantic_names.h"

namespace glovebox::observe {
namespace {

// Beyond it nothing is indented further: there would be no room for names.
constexpr std::size_t kMostIndent = 12;
constexpr std::size_t kTimeWidth = 10;

std::string duration_text(std::int64_t us) {
  char text[32];
  const double ms = static_cast<double>(us) / 1000;
  if (ms < 10) {
    std::snprintf(text, sizeof text, "%.2f ms", ms);
  } else if (ms < 1000) {
    std::snprintf(text, sizeof text, "%.0f ms", ms);
  } else if (ms < 120'000) {
    std::snprintf(text, sizeof text, "%.2f s", ms / 1000);
  } else {
    std::snprintf(text, sizeof text, "%.1f min", ms / 60'000);
  }
  return text;
}

std::string text_of(const Span& span, const char* name) {
  const AttributeValue* value = span.attribute(name);
  const auto* text = value ? std::get_if<std::string>(value) : nullptr;
  return text ? *text : "";
}

std::string label_of(const Span& span) {
  std::string label = span.name;
  const std::string tool = text_of(span, names::kToolName);
  if (!tool.empty()) label = text_of(span, names::kServer) + "." + tool;
  for (const char* more : {names::kFilePath, names::kUrlFull, names::kDecision})
    if (const std::string text = text_of(span, more); !text.empty()) label += " " + text;
  if (span.status == Span::Status::kError) {
    const std::string type = text_of(span, names::kErrorType);
    label += " ! " + (type.empty() ? "error" : type);
  }
  return label;
}

// The number of characters, assuming one column each.
std::size_t columns(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::string fitted(std::string text, std::size_t width) {
  while (columns(text) > width) {
    while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xc0) == 0x80) text.pop_back();
    if (!text.empty()) text.pop_back();
  }
  return text + std::string(width - columns(text), ' ');
}

}  // namespace

std::vector<Span> tree_of(const std::vector<Span>& spans, const SpanId& root) {
  std::map<std::array<std::uint8_t, 8>, std::vector<const Span*>> children;
  const Span* first = nullptr;
  for (const Span& span : spans) {
    if (span.id == root && !first) first = &span;
    children[span.parent.bytes].push_back(&span);
  }
  std::vector<Span> ordered;
  if (!first) return ordered;
  for (auto& [parent, list] : children) {
    std::stable_sort(list.begin(), list.end(), [](const Span* a, const Span* b) { return a->start_us < b->start_us; });
  }
  std::set<std::array<std::uint8_t, 8>> seen;
  std::vector<const Span*> stack = {first};
  while (!stack.empty()) {
    const Span* span = stack.back();
    stack.pop_back();
    if (!seen.insert(span->id.bytes).second) continue;
    ordered.push_back(*span);
    const auto below = children.find(span->id.bytes);
    if (below == children.end()) continue;
    for (auto child = below->second.rbegin(); child != below->second.rend(); ++child) stack.push_back(*child);
  }
  return ordered;
}

std::string waterfall(const std::vector<Span>& spans, const WaterfallOptions& options) {
  if (spans.empty()) return "";
  const auto end_of = [&](const Span& span) {
    return std::max(span.start_us, span.end_us ? span.end_us : options.now_us);
  };
  std::int64_t from = spans.front().start_us;
  std::int64_t to = from;
  std::map<std::array<std::uint8_t, 8>, std::size_t> depths;
  std::size_t widest = 0;
  for (const Span& span : spans) {
    from = std::min(from, span.start_us);
    to = std::max(to, end_of(span));
    const auto parent = depths.find(span.parent.bytes);
    depths[span.id.bytes] = parent == depths.end() ? 0 : std::min(parent->second + 1, kMostIndent);
    widest = std::max(widest, 2 * depths[span.id.bytes] + columns(label_of(span)));
  }
  const std::size_t width = std::max<std::size_t>(options.width, 60);
  const std::size_t label_width = std::min(widest, width / 2);
  const std::size_t bar_width = width - label_width - kTimeWidth - 2;
  const double scale = static_cast<double>(bar_width) / static_cast<double>(std::max<std::int64_t>(to - from, 1));
  std::string out;
  for (const Span& span : spans) {
    const std::string label = std::string(2 * depths[span.id.bytes], ' ') + label_of(span);
    const auto place = [&](std::int64_t us) {
      return std::min(bar_width, static_cast<std::size_t>(static_cast<double>(us - from) * scale));
    };
    const std::size_t begin = std::min(place(span.start_us), bar_width - 1);
    const std::size_t end = std::max(place(end_of(span)), begin + 1);
    std::string time = duration_text(end_of(span) - span.start_us);
    if (!span.end_us) time += "…";
    out += fitted(label, label_width) + " ";
    out += std::string(kTimeWidth - std::min(kTimeWidth, columns(time)), ' ') + time + " ";
    out += std::string(begin, ' ');
    const bool failed = span.status == Span::Status::kError;
    for (std::size_t i = begin; i < end; ++i) out += options.has_unicode ? (failed ? "▒" : "█") : (failed ? "!" : "#");
    out += "\n";
  }
  return out;
}

}  // namespace glovebox::observe
