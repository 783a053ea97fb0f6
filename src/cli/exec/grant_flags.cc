#include "cli/exec/grant_flags.h"

#include <algorithm>

#include "base/try.h"

namespace glovebox::cli {
namespace {

Failure wrong_flag(std::string message) {
  return {ErrorCode::kInvalidArgument, std::move(message)};
}

Result<void> replace(const char* flag, const char* example, const std::vector<std::string>& given,
                     std::vector<std::string>& grants) {
  if (given.empty()) return {};
  grants.clear();
  for (const std::string& text : given) {
    for (std::size_t from = 0; from <= text.size();) {
      const std::size_t comma = std::min(text.find(',', from), text.size());
      if (comma == from)
        return wrong_flag(std::string(flag) + " has an empty value; write it like " + flag + "=" + example);
      grants.push_back(text.substr(from, comma - from));
      from = comma + 1;
    }
  }
  return {};
}

}  // namespace

Result<void> apply_grant_flags(const GrantFlags& flags, SandboxConfig& config) {
  GLOVEBOX_TRY_VOID(replace("--allow-read", "./data,/etc/hosts", flags.read, config.allow_read));
  GLOVEBOX_TRY_VOID(replace("--allow-write", "./out", flags.write, config.allow_write));
  GLOVEBOX_TRY_VOID(replace("--allow-net", "api.example.com:443,*.example.org", flags.net, config.allow_net));
  GLOVEBOX_TRY_VOID(replace("--allow-env", "HOME,APP_*", flags.env, config.allow_env));
  GLOVEBOX_TRY_VOID(replace("--allow-run", "git,./tool.sh", flags.run, config.allow_run));
  if (flags.net_private) config.allow_net_private = true;
  std::vector<std::string> lifted;
  GLOVEBOX_TRY_VOID(replace("--python-allow-import", "os,socket", flags.python_imports, lifted));
  std::erase_if(config.python_blocked_imports,
                [&](const std::string& name) { return std::find(lifted.begin(), lifted.end(), name) != lifted.end(); });
  if (flags.vfs == "direct") {
    config.file_mode = FileMode::kDirect;
  } else if (flags.vfs == "overlay") {
    config.file_mode = FileMode::kOverlay;
  } else if (!flags.vfs.empty()) {
    return wrong_flag("--vfs takes direct or overlay, not \"" + flags.vfs + "\"");
  }
  const bool overlay = config.file_mode == FileMode::kOverlay;
  if (flags.commit && flags.discard) return wrong_flag("--commit and --discard cannot be combined");
  if ((flags.commit || flags.discard) && !overlay) {
    return wrong_flag(std::string(flags.commit ? "--commit" : "--discard") +
                      " decides about the changes of an overlay; add --vfs=overlay");
  }
  if (overlay && !config.allow_run.empty()) {
    return wrong_flag(
        "commands cannot be granted (--allow-run) together with --vfs=overlay: a command writes to the real disk, past "
        "the overlay, so its changes could be neither shown nor dropped");
  }
  return {};
}

}  // namespace glovebox::cli
