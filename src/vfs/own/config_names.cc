#include "vfs/own/config_names.h"

#include <algorithm>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <cstdlib>
#include <optional>

#include "base/characters/ascii.h"
#include "policy/path_grants.h"

namespace glovebox::vfs {
namespace {

namespace json = boost::json;

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

using Text = std::optional<std::string>;

struct Names {
  Text skills;
  bool has_env_file = false;  // it may set any variable
  Text store;
};

enum class Prefer { kEnvironment, kDefaults };

// The text between ${ and }: as in config/variables.h, which is above this layer.
Text value_of(std::string_view inside, const std::string& folder, bool has_env_file, Prefer prefer) {
  const std::size_t dash = std::min(inside.find(":-"), inside.size());
  std::string_view name = inside.substr(0, dash);
  const Text otherwise = dash < inside.size() ? Text(inside.substr(dash + 2)) : std::nullopt;
  if (name.starts_with("env:")) name.remove_prefix(4);
  if (name == "workspaceFolder") return folder;
  if (has_env_file || !base::is_identifier(name)) return std::nullopt;
  if (otherwise && prefer == Prefer::kDefaults) return otherwise;
  const char* value = std::getenv(std::string(name).c_str());
  if (value && (*value != '\0' || !otherwise)) return value;
  return otherwise;
}

Text expanded(std::string_view text, const std::string& folder, bool has_env_file, Prefer prefer) {
  std::string out;
  for (;;) {
    const std::size_t start = text.find("${");
    out += text.substr(0, start);
    if (start == text.npos) return out;
    const std::size_t end = text.find('}', start);
    if (end == text.npos) return std::nullopt;
    const Text value = value_of(text.substr(start + 2, end - start - 2), folder, has_env_file, prefer);
    if (!value) return std::nullopt;
    out += *value;
    text.remove_prefix(end + 1);
  }
}

std::vector<std::string> places_of(const Names& names, const std::string& folder) {
  std::vector<std::string> places;
  const auto add = [&](const std::string& name) {
    std::string place = policy::normal_path(folder, name);
    if (std::find(places.begin(), places.end(), place) == places.end()) places.push_back(std::move(place));
  };
  if (names.skills) {
    // A variable that is set here may not be where the workspace is served.
    for (const Prefer prefer : {Prefer::kEnvironment, Prefer::kDefaults})
      add(expanded(*names.skills, folder, names.has_env_file, prefer).value_or(folder));
  }
  if (names.store && names.store->find("://") == std::string::npos) {
    for (const char* part : {"", "-wal", "-shm", "-journal", "-turn"}) add(*names.store + part);
  }
  return places;
}

Text text_of(const json::value* value) {
  return value && value->is_string() ? Text(value->get_string()) : std::nullopt;
}

// "./skills" or {"folder": "./skills"}.
Text text_or_member(const json::value* value, const char* member) {
  return text_of(value && value->is_object() ? value->get_object().if_contains(member) : value);
}

}  // namespace

std::vector<std::string> places_named_in(std::string_view text, const std::string& folder) {
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  json::parse_options lax;
  lax.allow_comments = true;
  lax.allow_trailing_commas = true;
  boost::system::error_code error;
  const json::value config = json::parse(text, error, {}, lax);
  if (error || !config.is_object()) return {folder};
  const json::value* skills = config.get_object().if_contains("skills");
  Names names;
  names.skills = text_or_member(skills, "folder");
  names.has_env_file = skills && skills->is_object() && skills->get_object().contains("envFile");
  names.store = text_or_member(config.get_object().if_contains("store"), "path");
  return places_of(names, folder);
}

std::vector<std::string> places_agreed_to(const json::array& lines, const std::string& folder) {
  Names names;
  for (const json::value& line : lines) {
    const std::string text = text_of(&line).value_or("");
    const std::size_t space = std::min(text.find(' '), text.size());
    const std::string_view key = std::string_view(text).substr(0, space);
    boost::system::error_code error;
    const json::value value = json::parse(std::string_view(text).substr(space), error);
    if (error || !value.is_string()) continue;
    if (key == "skills" || key == "skills.folder") names.skills = text_of(&value);
    if (key == "skills.envFile") names.has_env_file = true;
    if (key == "store.path") names.store = text_of(&value);
  }
  return places_of(names, folder);
}

}  // namespace glovebox::vfs
