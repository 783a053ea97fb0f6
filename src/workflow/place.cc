#include "workflow/place.h"

#include <charconv>

#include "base/characters/ascii.h"

namespace glovebox::workflow {
namespace {

std::string unescaped(std::string_view step) {
  std::string key;
  for (std::size_t i = 0; i < step.size(); ++i) {
    if (step[i] == '~' && i + 1 < step.size()) {
      key += step[++i] == '1' ? '/' : '~';
    } else {
      key += step[i];
    }
  }
  return key;
}

template <typename Visit>
void each_step(std::string_view pointer, Visit visit) {
  while (!pointer.empty()) {
    pointer.remove_prefix(1);
    const std::size_t end = std::min(pointer.find('/'), pointer.size());
    if (!visit(unescaped(pointer.substr(0, end)))) return;
    pointer.remove_prefix(end);
  }
}

}  // namespace

config::TextPosition place_of(const config::JsonNode& root, std::string_view text, std::string_view pointer,
                              bool at_key) {
  const config::JsonNode* node = &root;
  std::size_t offset = root.offset;
  each_step(pointer, [&](const std::string& step) {
    if (const auto* object = node->as<config::JsonObject>()) {
      for (const config::JsonMember& member : *object) {
        if (member.key != step) continue;
        node = &member.value;
        offset = at_key ? member.key_offset : node->offset;
        return true;
      }
    } else if (const auto* list = node->as<config::JsonArray>()) {
      std::size_t index = 0;
      const auto [end, wrong] = std::from_chars(step.data(), step.data() + step.size(), index);
      if (wrong == std::errc() && end == step.data() + step.size() && index < list->size()) {
        node = &(*list)[index];
        offset = node->offset;
        return true;
      }
    }
    return false;
  });
  return config::position_of(text, offset);
}

Result<DefinitionFile> DefinitionFile::parse(std::string path, std::string text) {
  const auto line = [&](std::size_t offset, const std::string& message) {
    const auto place = config::position_of(text, offset);
    return Failure{ErrorCode::kInvalidArgument,
                   path + ":" + std::to_string(place.line) + ":" + std::to_string(place.column) + ": " + message};
  };
  auto root = config::parse_jsonc(text);
  if (!root) return line(root.failure().offset, root.failure().message);
  json::error_code wrong;
  json::parse_options options;
  options.max_depth = 200;
  auto tree = json::parse(config::to_json(root.value(), text), wrong, {}, options);
  if (wrong) return line(0, "this cannot be read: " + wrong.message());
  return DefinitionFile{std::move(path), std::move(text), std::move(root).value(), std::move(tree)};
}

std::string DefinitionFile::describe(const Problems& problems) const {
  std::string out;
  for (const Problem& problem : problems) {
    const auto place = place_of(root, text, problem.pointer, problem.at_key);
    out += (out.empty() ? "" : "\n") + path + ":" + std::to_string(place.line) + ":" + std::to_string(place.column) +
           ": " + problem.message;
  }
  return out;
}

std::string describe(const Problems& problems) {
  std::string out;
  for (const Problem& problem : problems) {
    std::string where;
    each_step(problem.pointer, [&](const std::string& step) {
      const bool number = base::is_number(step);
      where += number ? "[" + step + "]" : (where.empty() ? "" : ".") + step;
      return true;
    });
    out += (out.empty() ? "" : "\n") + (where.empty() ? "" : where + ": ") + problem.message;
  }
  return out;
}

}  // namespace glovebox::workflow
