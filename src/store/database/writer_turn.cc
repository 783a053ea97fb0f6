#include "store/database/writer_turn.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "base/system_error.h"

namespace glovebox::store {
namespace {

constexpr std::chrono::milliseconds kLongestTurnPause{10};

}  // namespace

Result<WriterTurns> WriterTurns::open(const std::string& path) {
  base::UniqueFd file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!file.valid()) return base::system_failure(errno, path);
  return WriterTurns(std::move(file));
}

std::optional<WriterTurns::Turn> WriterTurns::take_if_free() {
  if (::flock(file_.get(), LOCK_EX | LOCK_NB) != 0) return std::nullopt;
  return Turn(file_.get());
}

Result<WriterTurns::Turn> WriterTurns::wait_for_turn(int tries) {
  for (int tried = 0; tried < tries; ++tried) {
    if (auto turn = take_if_free()) return std::move(*turn);
    if (errno != EWOULDBLOCK && errno != EINTR) return base::system_failure(errno, "waiting for the store");
    std::this_thread::sleep_for(std::min(std::chrono::milliseconds(tried + 1), kLongestTurnPause));
  }
  return Failure{ErrorCode::kSystem, "the store is locked by another process, which does not release it"};
}

// Unlocked explicitly, since a child that was just forked shares the descriptor until it calls exec.
WriterTurns::Turn::~Turn() {
  if (file_ >= 0) ::flock(file_, LOCK_UN);
}

}  // namespace glovebox::store
