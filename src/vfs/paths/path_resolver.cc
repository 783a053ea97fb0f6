#include "vfs/paths/path_resolver.h"

#include <climits>

#include "base/try.h"

namespace glovebox::vfs {
namespace {

// A link may be 4 KB of "a/../"; forty of them must not make a long walk.
constexpr std::size_t kMaxSteps = std::size_t{16} * PATH_MAX;

void push_components(std::vector<std::string>& pending, std::string_view path) {
  const auto components = policy::path_components(path);
  pending.insert(pending.end(), components.rbegin(), components.rend());
}

}  // namespace

TreeResult<std::string> resolve_links(FileTree& tree, const policy::PathGrants& grants, const std::string& path,
                                      policy::Access access, LastLink last_link) {
  std::vector<std::string> pending;  // the next one is last
  push_components(pending, path);
  std::string place = "/";
  int links = 0;
  for (std::size_t steps = 0; !pending.empty(); ++steps) {
    if (steps == kMaxSteps) return system_error(ELOOP);
    const std::string name = std::move(pending.back());
    pending.pop_back();
    if (name == ".") continue;
    if (name == "..") {
      place = policy::parent_path(place);
      continue;
    }
    const std::string next = grants.canonical(policy::join_path(place, name));
    if (next.size() >= PATH_MAX) return system_error(ENAMETOOLONG);
    const bool last = pending.empty();
    if (!grants.covering(next, access) || (last && last_link == LastLink::kKeep)) {
      place = next;
      continue;
    }
    auto found = tree.file_info(next, access);
    if (!found) {
      if (found.failure().number != ENOENT) return found.failure();
      // Nothing exists there, so there is no link beyond it; the operation decides whether it may be missing.
      place = next;
      for (; !pending.empty(); pending.pop_back()) {
        if (pending.back() == "..") return system_error(ENOENT);
        if (pending.back() != ".") place = policy::join_path(place, pending.back());
      }
      return place;
    }
    if (found->kind == FileKind::kSymlink) {
      if (++links > kMaxLinks) return system_error(ELOOP);
      const std::string target = GLOVEBOX_TRY(tree.read_link(next, access));
      if (target.starts_with('/')) place = "/";
      push_components(pending, target);
      continue;
    }
    if (!last && found->kind != FileKind::kDirectory) return system_error(ENOTDIR);
    place = next;
  }
  return place;
}

}  // namespace glovebox::vfs
