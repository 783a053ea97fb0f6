#include "cli/ui/browser.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/private_folder.h"
#include "base/unique_fd.h"
#include "config/state/state_folder.h"

extern char** environ;

namespace glovebox::cli {
namespace {

bool has_desktop() {
  return ::getenv("DISPLAY") != nullptr || ::getenv("WAYLAND_DISPLAY") != nullptr;
}

// The address is one of ours: it holds nothing that HTML reads otherwise.
std::string page_that_leads_to(const std::string& address) {
  return "<!doctype html><meta charset=utf-8><meta http-equiv=refresh content=\"0; url=" + address +
         "\"><title>Glovebox</title><a href=\"" + address + "\">Glovebox</a>\n";
}

bool write_privately(const std::string& path, const std::string& text) {
  ::unlink(path.c_str());
  const base::UniqueFd file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
  return file.valid() && ::write(file.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

}  // namespace

bool open_in_browser(const std::string& address) {
  const auto home = config::state_home();
  if (!has_desktop() || !home || !base::make_private_folders(*home)) return false;
  std::string path = *home + "/ui.html";
  if (!write_privately(path, page_that_leads_to(address))) return false;
  std::string program = "xdg-open";
  char* arguments[] = {program.data(), path.data(), nullptr};
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  for (const int fd : {0, 1, 2}) ::posix_spawn_file_actions_addopen(&actions, fd, "/dev/null", O_RDWR, 0);
  pid_t child = 0;
  const bool started = ::posix_spawnp(&child, "xdg-open", &actions, nullptr, arguments, environ) == 0;
  ::posix_spawn_file_actions_destroy(&actions);
  int status = 0;
  return started && ::waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace glovebox::cli
