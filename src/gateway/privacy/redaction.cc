#include "gateway/privacy/redaction.h"

#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include "base/text/json_text.h"
#include "base/text/utf8.h"
#include "policy/tool_rules.h"
#include "privacy/filter.h"
#include "privacy/secrets/secret_assignments.h"

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
  const std::string shown = log_filter().text(std::string(base::beginning_of(text, kMostRead)), context).text;
  if (shown.size() <= kMostText && text.size() <= kMostRead) return base::json_string(shown);
  return base::json_string(std::string(base::beginning_of(shown, kMostText)) + "… (" + std::to_string(text.size()) +
                           " bytes)");
}

void append(std::string& out, const json::value& value, std::string_view name, int depth) {
  if (const json::string* text = value.if_string()) {
    out += shortened(std::string_view(text->data(), text->size()), name);
  } else if (const json::array* items = value.if_array()) {
    if (depth == kMostDepth) {
      out += "\"[…]\"";
      return;
    }
    out += '[';
    for (std::size_t i = 0; i < items->size() && i < kMostItems; ++i) {
      if (i > 0) out += ',';
      append(out, (*items)[i], name, depth + 1);
    }
    if (items->size() > kMostItems) out += ",\"… (" + std::to_string(items->size()) + " items)\"";
    out += ']';
  } else if (const json::object* members = value.if_object()) {
    if (depth == kMostDepth) {
      out += "\"{…}\"";
      return;
    }
    out += '{';
    std::size_t count = 0;
    for (const auto& member : *members) {
      if (count++ == kMostItems) {
        out += ",\"…\":" + std::to_string(members->size());
        break;
      }
      if (count > 1) out += ',';
      const std::string_view key(member.key().data(), member.key().size());
      out += shortened(key, "") + ":";
      if (privacy::looks_like_secret_key(key)) {
        out += kRedacted;
      } else {
        append(out, member.value(), key.substr(0, 64), depth + 1);
      }
    }
    out += '}';
  } else {
    const std::string plain = json::serialize(value);
    const std::string shown = log_filter().text(plain, name.empty() ? "" : std::string(name) + ": ").text;
    out += shown == plain ? plain : base::json_string(shown);
  }
}

}  // namespace

std::string redacted(std::string_view text) {
  auto object = policy::parse_arguments(text);
  if (!object) return "null";
  std::string out;
  append(out, json::value(std::move(object).value()), "", 0);
  return out;
}

std::string redacted_text(std::string_view text) {
  return log_filter().text(std::string(text)).text;
}

}  // namespace glovebox::gateway
