#include "assembly/tokens/token_file.h"

#include <errno.h>
#include <unistd.h>

#include "base/system_error.h"
#include "base/try.h"
#include "base/whole_file.h"

namespace glovebox::assembly {

// A file that is there would keep its mode if it were written to.
Result<TokenFile> TokenFile::write(const std::string& state_folder, std::uint16_t port, const std::string& token) {
  const std::string path = state_folder + "/http-" + std::to_string(port) + ".token";
  if (::unlink(path.c_str()) != 0 && errno != ENOENT) return base::system_failure(errno, path);
  GLOVEBOX_TRY_VOID(base::write_new_file(path, token + "\n", 0600));
  return TokenFile(path);
}

TokenFile::~TokenFile() {
  if (!path_.empty()) ::unlink(path_.c_str());
}

}  // namespace glovebox::assembly
