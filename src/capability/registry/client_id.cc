#include "capability/registry/client_id.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/characters/ascii.h"
#include "base/random.h"
#include "base/system_error.h"
#include "base/try.h"
#include "base/whole_file.h"
#include "catalog/pins/lock_document.h"

namespace glovebox::capability {
namespace {

constexpr std::size_t kMostIdBytes = 200;

bool is_client_id(const std::string& text) {
  return text.size() >= 16 && base::is_word(text, "-_");
}

}  // namespace

Result<std::string> client_id(const std::string& state_folder) {
  const std::string path = state_folder + "/client-id";
  const auto read = [&]() -> Result<std::string> {
    struct stat status {};
    // It is sent to registries: a repository must not say which of the owner's files that is.
    if (::lstat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode))
      return Failure{ErrorCode::kInvalidArgument, path + " is a link, or not a file; remove it to get a client id"};
    std::string text = GLOVEBOX_TRY(base::read_whole_file(path, kMostIdBytes));
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
    if (!is_client_id(text))
      return Failure{ErrorCode::kInvalidArgument, path + " contains no client id; remove it to get one"};
    return text;
  };
  auto known = read();
  if (known || known.failure().code != ErrorCode::kNotFound) return known;
  GLOVEBOX_TRY_VOID(catalog::make_dot_folder(state_folder));
  // link() never replaces a file, so the first id stays.
  const std::string own = path + "." + base::random_id("");
  GLOVEBOX_TRY_VOID(base::replace_file(own, base::random_id("client_") + "\n", 0600));
  const int linked = ::link(own.c_str(), path.c_str());
  const int error_number = errno;
  ::unlink(own.c_str());
  if (linked != 0 && error_number != EEXIST) return base::system_failure(error_number, path);
  return read();
}

}  // namespace glovebox::capability
