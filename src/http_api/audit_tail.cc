#include "http_api/audit_tail.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/unique_fd.h"

namespace glovebox::http_api {
namespace {

// A record may hold a program; a page of them needs no more than this.
constexpr off_t kMostBytes = 4 << 20;

// The end of a file, without the line that its beginning cuts.
std::string end_of(const std::string& path) {
  const base::UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW));
  struct stat status {};
  if (!file.valid() || ::fstat(file.get(), &status) != 0) return "";
  const off_t begin = std::max<off_t>(0, status.st_size - kMostBytes);
  std::string text(static_cast<std::size_t>(status.st_size - begin), '\0');
  const ssize_t got = ::pread(file.get(), text.data(), text.size(), begin);
  text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  if (begin > 0) text.erase(0, std::min(text.size(), text.find('\n') + 1));
  return text;
}

}  // namespace

void read_newest(const std::string& audit_log, const std::function<bool(mcp::json::object record)>& take) {
  const std::string text = end_of(audit_log);
  std::size_t end = text.rfind('\n');  // what follows it is being written
  while (end != text.npos && end > 0) {
    const std::size_t before = text.rfind('\n', end - 1);
    const std::size_t begin = before == text.npos ? 0 : before + 1;
    auto record = mcp::parse_object(std::string_view(text).substr(begin, end - begin));
    if (record && !take(std::move(record).value())) return;
    end = before;
  }
}

}  // namespace glovebox::http_api
