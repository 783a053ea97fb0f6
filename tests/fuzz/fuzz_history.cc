// A damaged history: it is refused, or it can be replayed to its end.
#include <cstdint>
#include <string>
#include <string_view>

#include "expect.h"
#include "replay/replay.h"

namespace fuzz_history {

namespace {

using namespace glovebox;

}  // namespace

// The frames of one reply.
FUZZ_TARGET(history) {
  const std::string frames(reinterpret_cast<const char*>(data), size);
  auto replay = replay::Replay::of({{JournalEntry::Kind::kCall, 1, "tool", "d", ""},
                                    {JournalEntry::Kind::kReply, 1, "", "", frames},
                                    {JournalEntry::Kind::kCall, 2, "sleep", "d", ""}});
  if (!replay) {
    FUZZ_EXPECT(!replay.failure().message.empty());
    return 0;
  }
  const replay::RecordedReply* reply = replay->reply_to(1);
  FUZZ_EXPECT(reply != nullptr);
  FUZZ_EXPECT(reply->body_bytes <= frames.size());
  FUZZ_EXPECT(reply->ok != reply->value_json.empty());
  FUZZ_EXPECT(replay->accept(1, "tool", "d"));
  FUZZ_EXPECT(replay->take_reply()->frames == frames);
  FUZZ_EXPECT(replay->accept(2, "sleep", "d"));
  FUZZ_EXPECT(replay->is_over());
  return 0;
}

}  // namespace fuzz_history
