#include "assembly/standing/live_logs.h"

#include <fcntl.h>
#include <unistd.h>

#include <chrono>

#include "base/private_folder.h"
#include "base/unique_fd.h"

namespace glovebox::assembly {
namespace {

// More often would not be visible; a run that ends before this writes no file.
constexpr std::chrono::milliseconds kBetweenLogs{100};
constexpr std::size_t kMostLogBytes = std::size_t{256} << 10;

}  // namespace

LiveLogs::LiveLogs(const boost::asio::any_io_executor& executor, std::string folder)
    : folder_(std::move(folder)), timer_(executor) {}

LiveLogs::~LiveLogs() {
  timer_.cancel();
  for (const auto& [run, log] : logs_)
    if (log.written > 0) ::unlink(path_of(run).c_str());
}

std::string LiveLogs::path_of(const std::string& run) const {
  return folder_ + "/" + run + ".log";
}

void LiveLogs::add(const std::string& run, const LogLine& line) {
  Log& log = logs_[run];
  if (log.is_cut) return;
  log.is_cut = log.written + log.unwritten.size() + line.text.size() > kMostLogBytes;
  log.unwritten += log.is_cut ? "… the rest is shown when the run ends\n" : line.text + "\n";
  if (!waits_) write_soon();
}

void LiveLogs::ended(const std::string& run) {
  const auto found = logs_.find(run);
  if (found == logs_.end()) return;
  if (found->second.written > 0) ::unlink(path_of(run).c_str());
  logs_.erase(found);
}

void LiveLogs::write_soon() {
  waits_ = true;
  timer_.expires_after(kBetweenLogs);
  timer_.async_wait([this, alive = std::weak_ptr<bool>(alive_)](const boost::system::error_code& error) {
    if (error || alive.expired()) return;
    waits_ = false;
    for (auto& [run, log] : logs_) write(run, log);
  });
}

// What cannot be written is not shown before the end.
void LiveLogs::write(const std::string& run, Log& log) {
  if (log.unwritten.empty()) return;
  if (log.written == 0 && !base::make_private_folders(folder_)) return;
  const int how = O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_CREAT | (log.written == 0 ? O_TRUNC : O_APPEND);
  const base::UniqueFd file(::open(path_of(run).c_str(), how, 0600));
  if (file.valid() && ::write(file.get(), log.unwritten.data(), log.unwritten.size()) > 0)
    log.written += log.unwritten.size();
  log.unwritten.clear();
}

}  // namespace glovebox::assembly
