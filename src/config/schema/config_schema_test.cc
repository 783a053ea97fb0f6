#include "config/schema/config_schema.h"

#include <gtest/gtest.h>

#include <set>

#include "base/source_folder.h"
#include "base/whole_file.h"
#include "config/config_file.h"
#include "config/schema/setting_schemas.h"

namespace glovebox::config {
namespace {

const JsonNode& property_of(const JsonNode& node, std::string_view key) {
  static const JsonNode kNone;
  if (const auto* members = node.as<JsonObject>())
    for (const JsonMember& member : *members)
      if (member.key == key) return member.value;
  return kNone;
}

TEST(ConfigSchema, IsTheFileThatIsShipped) {
  const auto shipped = base::read_whole_file(base::source_folder() + "/docs/glovebox.schema.json", 1 << 20);
  ASSERT_TRUE(shipped.ok()) << shipped.failure().message;
  EXPECT_EQ(*shipped, config_schema()) << "make it again: glovebox config schema >docs/glovebox.schema.json";
}

TEST(ConfigSchema, HasEveryKeyAtTheTopAndNoOther) {
  const auto schema = parse_jsonc(config_schema());
  ASSERT_TRUE(schema.ok());
  std::set<std::string> known = {"$schema"};
  for (const std::string_view key : config_keys()) known.emplace(key);
  std::set<std::string> described;
  for (const JsonMember& property : *property_of(*schema, "properties").as<JsonObject>()) {
    described.insert(property.key);
    if (property.key == "inputs") continue;  // VS Code's own business
    EXPECT_TRUE(property.value.as<JsonObject>()) << property.key << " may be anything";
  }
  EXPECT_EQ(described, known);
}

// The schema has what the readers require: a type, its bounds, its values.
TEST(ConfigSchema, SaysWhatTheReadersWant) {
  const std::string text = config_schema();
  const auto schema = parse_jsonc(text);
  const JsonNode& top = property_of(*schema, "properties");
  const auto of = [&](const char* part, const char* key) {
    return to_json(property_of(property_of(property_of(top, part), "properties"), key), text);
  };
  EXPECT_EQ(of("sandbox", "timeoutMs"), R"({"type":"integer","minimum":1,"maximum":1000000000000,"examples":[30000]})");
  EXPECT_EQ(of("sandbox", "heapLimitMB"), of("sandbox", "memoryMB"));
  EXPECT_EQ(of("sandbox", "vfs"), R"({"enum":["direct","overlay"]})");
  EXPECT_EQ(of("permissions", "ask"),
            R"({"type":"array","items":{"type":"string","minLength":1},"examples":[["github"]]})");
  EXPECT_EQ(of("http", "open"), R"({"type":"boolean"})");
  EXPECT_EQ(to_json(property_of(top, "check"), text), R"({"enum":["off","warn","tools","strict"]})");
}

// A reader that inspects the value by itself would leave its key without a type.
TEST(ConfigSchema, LeavesNoKeyOfOursOpen) {
  const std::string text = config_schema();
  const auto schema = parse_jsonc(text);
  for (const JsonMember& part : *property_of(*schema, "properties").as<JsonObject>()) {
    const auto* keys = property_of(part.value, "properties").as<JsonObject>();
    if (!keys) continue;
    for (const JsonMember& key : *keys) EXPECT_NE(to_json(key.value, text), "true") << part.key << "." << key.key;
  }
}

TEST(ConfigSchema, IsNamedByAConfigWithoutHarm) {
  EXPECT_TRUE(parse_config(R"({"$schema": "./.glovebox/glovebox.schema.json"})", "glovebox.json").ok());
}

}  // namespace
}  // namespace glovebox::config
