// Gateway side: one forked guest, held by its socket and pidfd. What the gateway knows of it comes from the kernel,
// never from the guest.
#pragma once

#include <sched.h>
#include <sys/types.h>
#include <time.h>

#include <chrono>
#include <cstddef>
#include <cstdint>

#include "base/unique_fd.h"
#include "glovebox/result.h"

namespace glovebox::jail {

class GuestProcess {
 public:
  static Result<GuestProcess> adopt(pid_t id, base::UniqueFd socket, base::UniqueFd pidfd, bool warm);

  pid_t id() const { return id_; }  // its pid as the zygote sees it
  bool warm() const { return warm_; }
  pid_t pid() const { return pid_; }  // as we see it
  int pidfd() const { return pidfd_.get(); }
  int socket() const { return socket_.get(); }
  base::UniqueFd take_socket() { return std::move(socket_); }
  // After a run from which it is to be rewound. The pages that it has by then are no longer counted as added.
  void give_back(base::UniqueFd socket, std::size_t memory_added);

  // Limits what the guest may map beyond what it has now, which becomes the base of its memory use. Once: the limits of
  // a guest that is rewound stay.
  Result<void> limit_memory(std::size_t bytes);
  bool is_limited() const { return base_.data > 0; }
  // Anonymous memory added since limit_memory, with its page tables where there are many; 0 once the guest is gone.
  std::size_t memory_added(std::chrono::microseconds cpu_used_since) const;
  // In less time no guest fills many page tables: for each, the kernel finds, clears and accounts a page.
  static constexpr std::chrono::microseconds kTooShortForTables{200};
  std::chrono::microseconds cpu_time() const;
  bool is_alive() const;
  // Asleep, which for a guest means: it waits for a frame.
  bool is_waiting() const;
  void yield_to_others() const;
  // False: the kernel refuses, or the guest is gone.
  bool run_on(const cpu_set_t& cores) const;
  void kill() const;

 private:
  struct Pages {
    std::size_t anonymous = 0;
    std::size_t data = 0;
  };
  bool read_pages(Pages& pages) const;

  pid_t id_ = 0;
  pid_t pid_ = -1;
  bool warm_ = false;
  clockid_t cpu_clock_ = 0;
  base::UniqueFd socket_;
  base::UniqueFd pidfd_;
  base::UniqueFd statm_;  // stays bound to this process, even if its pid is reused
  Pages base_;
};

}  // namespace glovebox::jail
