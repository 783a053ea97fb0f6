#include "skills/skill_guard.h"

#include <algorithm>
#include <filesystem>

namespace glovebox::skills {
namespace {

namespace fs = std::filesystem;

// Empty when it cannot be known.
fs::path on_disk(const std::string& path) {
  std::error_code error;
  fs::path place = fs::weakly_canonical(fs::absolute(path, error), error);
  if (error) return {};
  // A folder that is written with a slash at its end is the same folder.
  return place.has_filename() ? place : place.parent_path();
}

bool lies_in(const fs::path& inner, const fs::path& outer) {
  return std::mismatch(outer.begin(), outer.end(), inner.begin(), inner.end()).first == outer.end();
}

bool meet(const std::string& grant, const std::string& folder) {
  const fs::path a = on_disk(grant);
  const fs::path b = on_disk(folder);
  return a.empty() || b.empty() || lies_in(a, b) || lies_in(b, a);
}

}  // namespace

std::vector<std::string> take_out_grants(std::vector<std::string>& allow_write,
                                         const std::vector<std::string>& folders) {
  std::vector<std::string> taken;
  std::erase_if(allow_write, [&](const std::string& grant) {
    const bool meets =
        std::any_of(folders.begin(), folders.end(), [&](const std::string& folder) { return meet(grant, folder); });
    if (meets) taken.push_back(grant);
    return meets;
  });
  return taken;
}

std::function<void()> SkillGuard::submit(RunRequest request, std::function<void(Outcome)> done) {
  for (const std::string& grant : take_out_grants(request.config.allow_write, folders_())) {
    if (notice_) notice_("the grant to write " + grant + " does not count: it meets the folder of skills");
  }
  return behind_.submit(std::move(request), std::move(done));
}

}  // namespace glovebox::skills
