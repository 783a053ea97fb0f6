#include "gateway/privacy/redaction.h"

#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include "base/text/json_builder.h"
#include "base/text/utf8.h"
#include "policy/tool_rules.h"
#include "privacy/filter.h"
#include "privacy/secrets/secret_names.h"

namespace glovebox::gateway {
namespace {

namespace json = boost::json;

constexpr std::size_t kMostText = 256;
constexpr std::size_t kMostRead = 4096;  // of a text: enough to recognise what begins in the shown part
constexpr std::size_t kMostItems = 20;
constexpr int kMostDepth = 6;
constexpr const char* kRedacted = "\"[redacted]\"";

// A log never restores values: there is no vault.
const privacy::Filter& log_filter() {
  static const privacy::Filter filter(std::make_shared<privacy::Detector>(), nullptr, privacy::Mode::kTokenize);
  return filter;
}

std::string shortened(std::string_view text, std::string_view key) {
  const std::string context = key.empty() ? std::string() : std::string(key) + ": ";
  std::string shown = log_filter().text(std::string(base::beginning_of(text, kMostRead)), context).text;
  if (shown.size() <= kMostText && text.size() <= kMostRead) return shown;
  return std::string(base::beginning_of(shown, kMostText)) + "… (" + std::to_string(text.size()) + " bytes)";
}

std::string shown_json(const json::value& value, std::string_view name, int depth) {
  if (const json::string* text = value.if_string())
    return base::json_text(shortened(std::string_view(text->data(), text->size()), name));
  if (const json::array* items = value.if_array()) {
    if (depth == kMostDepth) return "\"[…]\"";
    base::ListText list;
    for (std::size_t i = 0; i < items->size() && i < kMostItems; ++i)
      list.json(shown_json((*items)[i], name, depth + 1));
    if (items->size() > kMostItems) list.text("… (" + std::to_string(items->size()) + " items)");
    return list.done();
  }
  if (const json::object* members = value.if_object()) {
    if (depth == kMostDepth) return "\"{…}\"";
    base::ObjectText object;
    std::size_t count = 0;
    for (const auto& member : *members) {
      if (count++ == kMostItems) {
        object.number("…", members->size());
        break;
      }
      const std::string_view key(member.key().data(), member.key().size());
      const bool is_secret = privacy::looks_like_secret_key(key);
      object.json(shortened(key, ""), is_secret ? kRedacted : shown_json(member.value(), key.substr(0, 64), depth + 1));
    }
    return object.done();
  }
  const std::string plain = json::serialize(value);
  const std::string shown = log_filter().text(plain, name.empty() ? "" : std::string(name) + ": ").text;
  return shown == plain ? plain : base::json_text(shown);
}

}  // namespace

std::string redacted(std::string_view text) {
  auto object = policy::parse_arguments(text);
  return object ? shown_json(json::value(std::move(object).value()), "", 0) : "null";
}

std::string redacted_text(std::string_view text) {
  return log_filter().text(std::string(text)).text;
}

}  // namespace glovebox::gateway
