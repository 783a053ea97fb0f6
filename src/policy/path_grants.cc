#include "policy/path_grants.h"

#include <algorithm>
#include <utility>

namespace glovebox::policy {

std::vector<std::string_view> path_components(std::string_view path) {
  std::vector<std::string_view> components;
  std::size_t at = 0;
  while (at < path.size()) {
    const std::size_t slash = std::min(path.find('/', at), path.size());
    if (slash > at) components.push_back(path.substr(at, slash - at));
    at = slash + 1;
  }
  return components;
}

std::string normal_path(std::string_view folder, std::string_view text) {
  std::vector<std::string_view> kept;
  const auto take = [&kept](std::string_view part) {
    for (const std::string_view component : path_components(part)) {
      if (component == ".") continue;
      if (component != "..") {
        kept.push_back(component);
      } else if (!kept.empty()) {
        kept.pop_back();
      }
    }
  };
  if (!text.starts_with('/')) take(folder);
  take(text);
  std::string path;
  for (const std::string_view component : kept) path.append("/").append(component);
  return path.empty() ? "/" : path;
}

std::string_view parent_path(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == 0 || slash == std::string_view::npos ? path.substr(0, 1) : path.substr(0, slash);
}

std::string_view last_name(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

std::string join_path(std::string_view parent, std::string_view name) {
  std::string path(parent);
  if (!path.ends_with('/')) path += '/';
  return path.append(name);
}

bool is_at_or_beneath(std::string_view path, std::string_view folder) {
  if (folder == "/") return path.starts_with('/');
  return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

std::string_view relative_to(std::string_view path, std::string_view folder) {
  if (path.size() == folder.size()) return ".";
  return path.substr(folder == "/" ? 1 : folder.size() + 1);
}

void PathGrants::add(PathGrant grant) {
  for (PathGrant& known : grants_) {
    if (known.path != grant.path || known.alias != grant.alias) continue;
    known.read |= grant.read;
    known.write |= grant.write;
    return;
  }
  grants_.push_back(std::move(grant));
}

void PathGrants::narrow(Access access, std::vector<std::string> asked) {
  (access == Access::kRead ? asked_to_read_ : asked_to_write_) = std::move(asked);
}

std::optional<std::size_t> PathGrants::covering(std::string_view path, Access access) const {
  const Asked& asked = this->asked(access);
  const auto is_asked_for = [path](const std::string& one) { return is_at_or_beneath(path, one); };
  if (asked && std::none_of(asked->begin(), asked->end(), is_asked_for)) return std::nullopt;
  return granting(path, access);
}

std::optional<std::size_t> PathGrants::granting(std::string_view path, Access access) const {
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < grants_.size(); ++i) {
    const PathGrant& grant = grants_[i];
    if (!grant.allows(access) || !is_at_or_beneath(path, grant.path)) continue;
    if (!best || grant.path.size() > grants_[*best].path.size()) best = i;
  }
  return best;
}

std::string PathGrants::canonical(std::string_view path) const {
  const PathGrant* best = nullptr;
  for (const PathGrant& grant : grants_) {
    if (!is_at_or_beneath(path, grant.alias)) continue;
    if (best == nullptr || grant.alias.size() > best->alias.size()) best = &grant;
  }
  if (best == nullptr || best->alias == best->path) return std::string(path);
  const std::string_view rest = relative_to(path, best->alias);
  return rest == "." ? best->path : join_path(best->path, rest);
}

}  // namespace glovebox::policy
