#include "gateway/redaction.h"

#include <algorithm>
#include <array>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include "base/json_text.h"
#include "policy/tool_rules.h"

namespace glovebox::gateway {
namespace {

namespace json = boost::json;

constexpr std::size_t kMostText = 256;
constexpr std::size_t kMostItems = 20;
constexpr int kMostDepth = 6;
constexpr const char* kRedacted = "\"[redacted]\"";

bool looks_like_secret(std::string_view text) {
  constexpr std::array<std::string_view, 12> kBeginnings = {
      "ghp_", "gho_", "ghs_", "github_pat_", "glpat-", "sk-", "xoxb-", "xoxp-", "AKIA", "eyJ", "Bearer ", "Basic "};
  if (text.find("-----BEGIN") != std::string_view::npos && text.find("PRIVATE KEY") != std::string_view::npos)
    return true;
  return text.size() >= 16 && std::any_of(kBeginnings.begin(), kBeginnings.end(),
                                          [&](std::string_view begin) { return text.starts_with(begin); });
}

std::string shortened(std::string_view text) {
  if (text.size() <= kMostText) return base::json_string(text);
  std::size_t end = kMostText;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;  // not inside a character
  return base::json_string(std::string(text.substr(0, end)) + "… (" + std::to_string(text.size()) + " bytes)");
}

void append(std::string& out, const json::value& value, int depth) {
  if (const json::string* text = value.if_string()) {
    const std::string_view view(text->data(), text->size());
    out += looks_like_secret(view) ? kRedacted : shortened(view);
  } else if (const json::array* items = value.if_array()) {
    if (depth == kMostDepth) {
      out += "\"[…]\"";
      return;
    }
    out += '[';
    for (std::size_t i = 0; i < items->size() && i < kMostItems; ++i) {
      if (i > 0) out += ',';
      append(out, (*items)[i], depth + 1);
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
      out += shortened(key) + ":";
      if (looks_like_secret_key(key)) {
        out += kRedacted;
      } else {
        append(out, member.value(), depth + 1);
      }
    }
    out += '}';
  } else {
    out += json::serialize(value);
  }
}

}  // namespace

bool looks_like_secret_key(std::string_view key) {
  std::string plain;
  for (const char c : key) {
    if (c >= 'A' && c <= 'Z') {
      plain += static_cast<char>(c - 'A' + 'a');
    } else if (c != '_' && c != '-' && c != '.' && c != ' ') {
      plain += c;
    }
  }
  constexpr std::array<std::string_view, 12> kParts = {"password",   "passwd",    "passphrase", "secret",
                                                       "token",      "apikey",    "credential", "authorization",
                                                       "privatekey", "accesskey", "cookie",     "sessionid"};
  return plain == "auth" || plain == "pwd" || plain == "pin" || plain == "pass" ||
         std::any_of(kParts.begin(), kParts.end(),
                     [&](std::string_view part) { return plain.find(part) != std::string::npos; });
}

std::string redacted(std::string_view text) {
  auto object = policy::parse_arguments(text);
  if (!object) return "null";
  std::string out;
  append(out, json::value(std::move(object).value()), 0);
  return out;
}

}  // namespace glovebox::gateway
