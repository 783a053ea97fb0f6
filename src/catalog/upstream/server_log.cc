#include "catalog/upstream/server_log.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/wall_clock.h"
#include "base/whole_file.h"

namespace glovebox::catalog {
namespace {

constexpr std::size_t kMostLogBytes = 1 << 20;
constexpr std::size_t kMostBytesInASecond = 256 << 10;

}  // namespace

ServerLog::ServerLog(std::string folder, const std::string& name) : folder_(std::move(folder)) {
  if (!folder_.empty()) path_ = folder_ + "/" + name + ".log";
}

void ServerLog::write(std::string_view text) {
  if (path_.empty() || broken_) return;
  const auto now = std::chrono::steady_clock::now();
  if (now - second_ >= std::chrono::seconds(1)) {
    second_ = now;
    in_second_ = 0;
    if (dropped_ > 0) {
      const std::size_t dropped = std::exchange(dropped_, 0);
      append("[glovebox: " + std::to_string(dropped) + " bytes came too fast and are left out]\n");
    }
  }
  if (in_second_ + text.size() > kMostBytesInASecond) {
    dropped_ += text.size();
    return;
  }
  in_second_ += text.size();
  append(text);
}

void ServerLog::note(std::string_view text) {
  append("[glovebox " + base::iso_seconds(base::now_ms()) + ": " + std::string(text) + "]\n");
}

void ServerLog::append(std::string_view text) {
  if (path_.empty() || broken_) return;
  if (!file_.valid()) {
    // The folder above is the state folder.
    (void)base::make_folder(folder_.substr(0, folder_.rfind('/')));
    (void)base::make_folder(folder_);
    file_.reset(::open(path_.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
    struct stat status {};
    // A missing log is no reason not to run the server.
    if (!file_.valid() || ::fstat(file_.get(), &status) != 0 || !S_ISREG(status.st_mode)) {
      broken_ = true;
      return;
    }
    size_ = static_cast<std::size_t>(status.st_size);
  }
  if (size_ + text.size() > kMostLogBytes && size_ > 0) {
    ::rename(path_.c_str(), (path_ + ".1").c_str());
    file_.reset();
    size_ = 0;
    return append(text.substr(text.size() > kMostLogBytes ? text.size() - kMostLogBytes : 0));
  }
  (void)!::write(file_.get(), text.data(), text.size());
  size_ += text.size();
}

std::string last_failure(const std::string& log_file) {
  const auto text = base::read_whole_file(log_file, 2 * kMostLogBytes);
  if (!text) return "";
  const std::size_t begin = text->rfind("[glovebox 2");  // and a date
  const std::size_t colon = text->find("Z: ", begin);
  const std::size_t end = text->find("]\n", begin);
  if (begin == text->npos || colon == text->npos || end == text->npos || colon > end) return "";
  std::string said = text->substr(colon + 3, end - colon - 3);
  return said.starts_with("started") || said.starts_with("stopped") ? "" : said;
}

}  // namespace glovebox::catalog
