// An untrusted glovebox.json: every node is at its reported offset, plain JSON is read as JSON, and a file that was not
// named never gives the code more.
#include <cstdint>
#include <string_view>

#include "base/text/utf8.h"
#include "config/config_file.h"
#include "expect.h"

namespace fuzz_config {

namespace {

using namespace glovebox;
using config::JsonArray;
using config::JsonNode;
using config::JsonObject;

// Checks that the first byte is one that a value of its kind begins with.
void check_place(std::string_view text, const JsonNode& node) {
  FUZZ_EXPECT(node.offset < text.size());
  const char first = text[node.offset];
  if (node.as<std::string>()) FUZZ_EXPECT(first == '"');
  if (node.as<std::nullptr_t>()) FUZZ_EXPECT(first == 'n');
  if (const auto* truth = node.as<bool>()) FUZZ_EXPECT(first == (*truth ? 't' : 'f'));
  if (node.as<std::int64_t>() || node.as<double>()) FUZZ_EXPECT(first == '-' || (first >= '0' && first <= '9'));
  if (const auto* items = node.as<JsonArray>()) {
    FUZZ_EXPECT(first == '[');
    for (const JsonNode& item : *items) check_place(text, item);
  }
  if (const auto* members = node.as<JsonObject>()) {
    FUZZ_EXPECT(first == '{');
    for (const auto& member : *members) {
      FUZZ_EXPECT(text[member.key_offset] == '"' && member.key_offset < member.value.offset);
      check_place(text, member.value);
    }
  }
}

void check_settings(const config::SandboxSettings& settings) {
  const SandboxConfig standard;
  SandboxConfig config;
  settings.tighten(config);
  FUZZ_EXPECT(config.timeout <= standard.timeout && config.memory_bytes <= standard.memory_bytes);
  FUZZ_EXPECT(config.max_output_bytes <= standard.max_output_bytes && config.max_log_bytes <= standard.max_log_bytes);
  FUZZ_EXPECT(config.max_read_bytes <= standard.max_read_bytes && config.max_write_bytes <= standard.max_write_bytes);
  FUZZ_EXPECT(config.max_new_files <= standard.max_new_files && config.max_fetch_bytes <= standard.max_fetch_bytes);
  FUZZ_EXPECT(config.allow_read.empty() && config.allow_write.empty() && config.allow_net.empty() &&
              config.allow_env.empty() && config.allow_run.empty() && !config.allow_net_private);
}

}  // namespace

FUZZ_TARGET(config) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto root = config::parse_jsonc(text);
  if (root) {
    check_place(text, root.value());
  } else {
    FUZZ_EXPECT(root.failure().offset <= text.size());
    FUZZ_EXPECT(base::is_utf8(root.failure().message));
  }
  const auto file = config::parse_config(text, "glovebox.json");
  if (file) check_settings(file.value().sandbox);
  if (!file) FUZZ_EXPECT(!file.failure().problems.empty() && base::is_utf8(file.failure().text()));
  return 0;
}

}  // namespace fuzz_config
