#include "config/skill_settings.h"

#include <algorithm>
#include <iterator>

#include "base/program_part.h"
#include "config/schema/setting_schemas.h"
#include "config/value_reader.h"

namespace glovebox::config {
namespace {

constexpr const char* kExample = "\"./skills\"";
constexpr const char* kObjectExample = R"({"folder": "./skills"})";
constexpr std::string_view kServerKeys[] = {"callTimeoutMs", "cwd",     "disabled",      "env",
                                            "envFile",       "restart", "idleTimeoutMs", "startTimeoutMs"};

void read_members(const JsonMember& member, const JsonObject& keys, DeclaredServer& server,
                  std::vector<JsonProblem>& problems) {
  for (const JsonMember& key : keys) {
    ValueReader reader(member.key + "." + key.key, problems);
    if (key.key == "folder") {
      if (auto folder = reader.text(key.value, kExample)) server.spec.args = {std::move(*folder)};
    } else if (key.key == "python") {
      if (auto python = reader.text(key.value, "\"python3\"")) server.spec.command = std::move(*python);
    } else if (std::find(std::begin(kServerKeys), std::end(kServerKeys), key.key) != std::end(kServerKeys)) {
      read_server_key(key, member.key, server, problems);
    } else {
      std::vector<std::string_view> known(std::begin(kServerKeys), std::end(kServerKeys));
      known.insert(known.end(), {"folder", "python"});
      problems.push_back(unknown_key(member.key, key, known));
    }
  }
}

}  // namespace

void read_skills(const JsonMember& member, std::vector<DeclaredServer>& servers, std::vector<JsonProblem>& problems) {
  ValueReader reader(member.key, problems);
  DeclaredServer server;
  server.spec.name = kSkillServer;
  server.spec.command = "python3";
  server.spec.classes = true;
  const std::size_t before = problems.size();
  if (const auto* keys = member.value.as<JsonObject>()) {
    read_members(member, *keys, server, problems);
    if (server.spec.args.empty() && problems.size() == before)
      reader.refuse(member.value.offset, std::string("needs a folder, such as ") + kObjectExample);
  } else if (auto folder = reader.text(member.value, kExample)) {
    server.spec.args = {std::move(*folder)};
  }
  if (server.spec.args.empty()) return;
  const bool is_taken = std::any_of(servers.begin(), servers.end(),
                                    [](const DeclaredServer& other) { return other.spec.name == kSkillServer; });
  if (is_taken) {
    reader.refuse(member.key_offset, "is the name of the skills folder, and a server already has that name");
    return;
  }
  servers.push_back(std::move(server));
}

std::string skills_schema() {
  const SchemaObject server = server_schema();
  SchemaObject skills;
  for (const std::string_view key : kServerKeys) skills.add(std::string(key), server.of(key));
  const std::string text = R"({"type":"string","minLength":1})";
  skills.add("folder", text);
  skills.add("python", text);
  return any_of(text, skills.json());
}

std::vector<std::string> skill_host_arguments(std::string folder) {
  // -B: nothing is written into the folder.
  return {"-B", base::program_part("glovebox-skills"), std::move(folder)};
}

}  // namespace glovebox::config
