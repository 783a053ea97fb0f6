#include "capability/registry/code_cache.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/try.h"
#include "base/whole_file.h"
#include "capability/limits.h"
#include "catalog/pins/lock_document.h"

namespace glovebox::capability {

CodeCache::CodeCache(const std::string& state_folder)
    : state_folder_(state_folder), folder_(state_folder + "/capabilities") {}

std::optional<std::string> CodeCache::find(const Integrity& integrity) const {
  auto text = base::read_whole_file(path_of(integrity), kMostMetadataBytes);
  if (!text || !integrity.matches(*text)) return std::nullopt;
  return std::move(text).value();
}

std::size_t CodeCache::bytes_of(const Integrity& integrity) const {
  struct stat status {};
  return ::stat(path_of(integrity).c_str(), &status) == 0 ? static_cast<std::size_t>(status.st_size) : 0;
}

Result<Integrity> CodeCache::put(std::string_view text) {
  Integrity integrity = Integrity::of(text);
  if (find(integrity)) return integrity;
  GLOVEBOX_TRY_VOID(catalog::make_dot_folder(state_folder_));
  GLOVEBOX_TRY_VOID(base::make_folder(folder_));
  GLOVEBOX_TRY_VOID(base::replace_entry(path_of(integrity), text, 0600));
  return integrity;
}

void CodeCache::remove(const Integrity& integrity) {
  ::unlink(path_of(integrity).c_str());
}

}  // namespace glovebox::capability
