// The guests of one zygote that can serve more than one run: those that are about to be remembered, those that are
// being rewound, and those that wait for the next run of the same owner.
#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "jail/guest_process.h"
#include "jail/launcher.h"
#include "jail/rewind/rewinder.h"

namespace glovebox::jail {

// Whose runs may share a guest. Everything else that differs between runs is sent with the run, or is not in the guest.
struct ReuseKey {
  std::string client;
  std::string conversation;  // never empty: such a run shares with no other
  std::size_t memory_bytes = 0;

  auto operator<=>(const ReuseKey&) const = default;  // NOLINT(modernize-use-nullptr)
};

// On one thread, but for `post`, which brings the Rewinder's answers to it.
class ReusableGuests {
 public:
  struct Links {
    std::function<void(std::function<void()>)> post;
    std::function<void(std::function<void()>)> in_a_minute;
    std::function<void(GuestProcess)> ready;                 // for its first run, rewindable or not
    std::function<void()> changed;                           // a guest waits again, or will not
    std::function<void(const std::string& why)> impossible;  // once: no guest of this zygote can be rewound
  };
  ReusableGuests(ZygoteProcess& zygote, Links links);
  // Ends the guests that wait. To be called when the zygote has ended.
  ~ReusableGuests();

  // A guest that was just forked.
  void add(GuestProcess guest);
  // A guest that has ended a run and may serve another one.
  void rewind(ReuseKey key, GuestProcess guest);
  std::optional<GuestProcess> take(const ReuseKey& key);
  // Those that are being rewound, to be promised to runs. If there is only one, it is not: so a conversation with one
  // run after the other gets a second guest, and no run waits while the other guest is being rewound.
  class Coming {
   public:
    explicit Coming(const ReusableGuests& guests);
    bool take(const ReuseKey& key);

   private:
    std::map<ReuseKey, std::size_t> guests_;
  };
  std::size_t being_remembered() const { return new_.size(); }
  bool is_busy() const { return !new_.empty() || !rewinding_.empty(); }
  void ended(pid_t guest_id);

 private:
  using Clock = std::chrono::steady_clock;
  struct Used {
    ReuseKey key;
    GuestProcess guest;
    Clock::time_point since = Clock::now();
  };
  using New = std::list<GuestProcess>;
  using Rewinding = std::list<Used>;
  void remembered(New::iterator guest, Rewinder::Verdict verdict);
  void rewound(Rewinding::iterator used, bool is_done);
  void end_one_of_many();
  void end_where_none_comes();
  // An answer that comes after this object is gone is dropped.
  Rewinder::Answer to_me(std::function<void(Rewinder::Verdict)> then);

  Links links_;
  std::unique_ptr<Rewinder> rewinder_;  // null: the kernel cannot ask
  bool is_possible_ = true;
  bool will_look_ = false;
  std::map<pid_t, pid_t> pids_;  // by the id that the zygote knows
  New new_;
  Rewinding rewinding_;
  std::deque<Used> waiting_;  // the one that has waited longest first
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace glovebox::jail
