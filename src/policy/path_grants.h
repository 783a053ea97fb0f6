// Which paths a run may read and write. Text only: nothing here reads the disk, so that every rule is a table test.
// Paths are absolute and normal (see normal_path) unless a comment says otherwise.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace glovebox::policy {

enum class Access { kRead, kWrite };

// `text` as an absolute path without `.`, `..`, empty components or a trailing slash; a relative one starts at
// `folder`. `..` goes back by name, before any link is followed: that is how Deno compares grants, too.
std::string normal_path(std::string_view folder, std::string_view text);

// "/a/b" of "/a/b/c"; "/" of "/a" and of "/".
std::string_view parent_path(std::string_view path);
// "c" of "/a/b/c"; nothing of "/".
std::string_view last_name(std::string_view path);
// "/a/b" with "c"; `parent` may be "/".
std::string join_path(std::string_view parent, std::string_view name);
std::vector<std::string_view> path_components(std::string_view path);
// Whether `path` is `folder` or lies beneath it, component by component: "/ab" is not beneath "/a".
bool is_at_or_beneath(std::string_view path, std::string_view folder);
// What follows `folder` in `path`, without a leading slash; "." when they are the same. `path` lies at or beneath it.
std::string_view relative_to(std::string_view path, std::string_view folder);

struct PathGrant {
  std::string path;   // its real path
  std::string alias;  // how its owner spelled it; differs from `path` when a link is on the way
  bool read = false;
  bool write = false;

  bool allows(Access access) const { return access == Access::kRead ? read : write; }
};

class PathGrants {
 public:
  // Grants of one path are joined into one.
  void add(PathGrant grant);
  // What a request asks for within the grants: from now on a path is covered only if it is also at or beneath one of
  // `asked`. That adds no grant and changes none.
  void narrow(Access access, std::vector<std::string> asked);

  const std::vector<PathGrant>& all() const { return grants_; }
  // The longest grant at or above `path` that gives `access`, if the path was asked for.
  std::optional<std::size_t> covering(std::string_view path, Access access) const;
  // The same, whatever was asked for: from where a path is reached, and which grant names it.
  std::optional<std::size_t> granting(std::string_view path, Access access) const;
  // `path` with the longest alias at or above it replaced by the real path of that grant.
  std::string canonical(std::string_view path) const;

 private:
  using Asked = std::optional<std::vector<std::string>>;  // nothing: all that is granted
  const Asked& asked(Access access) const { return access == Access::kRead ? asked_to_read_ : asked_to_write_; }

  std::vector<PathGrant> grants_;
  Asked asked_to_read_, asked_to_write_;
};

}  // namespace glovebox::policy
