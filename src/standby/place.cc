#include "standby/place.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <utility>

#include "base/private_folder.h"
#include "base/program_part.h"
#include "base/system_error.h"
#include "base/try.h"

namespace glovebox::standby {
namespace {

constexpr const char* kOwnFolder = "standby";

struct Place {
  std::string base;
  const char* below = "";
};

Place place() {
  const std::pair<const char*, const char*> choices[] = {
      {"XDG_RUNTIME_DIR", "/glovebox"}, {"XDG_STATE_HOME", "/glovebox"}, {"HOME", "/.local/state/glovebox"}};
  for (const auto& [variable, below] : choices) {
    const char* const base = ::getenv(variable);
    if (base && *base == '/') return {base, below};
  }
  return {};
}

// FNV-1a. It tells builds apart, and is no defence: whoever could use a collision owns the folder.
class Fingerprint {
 public:
  void add(std::uint64_t value) {
    for (int shift = 0; shift < 64; shift += 8) hash_ = (hash_ ^ (value >> shift & 0xff)) * 0x100000001b3;
  }
  std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325;
};

}  // namespace

std::string folder_path() {
  const auto [base, below] = place();
  return base.empty() ? "" : base + below + "/" + kOwnFolder;
}

Result<void> check_base_folder() {
  const std::string base = place().base;
  struct stat status {};
  if (base.empty()) return Failure{ErrorCode::kNotFound, "neither XDG_RUNTIME_DIR nor HOME is set"};
  if (::stat(base.c_str(), &status) != 0) return base::system_failure(errno, base);
  if (status.st_uid != ::geteuid()) return Failure{ErrorCode::kSystem, base + " is not used: it is another user's"};
  return {};
}

Result<base::UniqueFd> open_folder(const std::string& path) {
  const std::string parent = path.substr(0, path.rfind('/'));
  const base::UniqueFd above = GLOVEBOX_TRY(base::open_private_folder(parent));
  return base::open_private_folder(above.get(), path.substr(parent.size() + 1), path);
}

std::string socket_name() {
  Fingerprint build;
  for (const char* part :
       {"glovebox-engine", "libglovebox-guest.so", "libglovebox-guest.image", "libglovebox-light.so"}) {
    struct stat file {};
    if (::stat(base::program_part(part).c_str(), &file) != 0) return "";
    for (const auto value : {file.st_dev, file.st_ino, static_cast<dev_t>(file.st_size),
                             static_cast<dev_t>(file.st_mtim.tv_sec), static_cast<dev_t>(file.st_mtim.tv_nsec)})
      build.add(value);
  }
  char name[32];
  ::snprintf(name, sizeof name, "%016llx.socket", static_cast<unsigned long long>(build.value()));
  return name;
}

sockaddr_un address_in(const base::UniqueFd& folder, const std::string& name) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  ::snprintf(address.sun_path, sizeof address.sun_path, "/proc/self/fd/%d/%s", folder.get(), name.c_str());
  return address;
}

}  // namespace glovebox::standby
