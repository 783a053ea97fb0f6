// Journal: the calls of a run and their replies, in order. Guests are deterministic, so the same code with the same
// seed, clock and journal reaches the same point again, and nothing is done twice.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace glovebox {

struct JournalEntry {
  enum class Kind {
    kCall,   // the guest asked
    kReply,  // the guest was answered
  };
  Kind kind = Kind::kCall;
  std::uint64_t call_id = 0;
  std::string op;             // of a call: tool, fs.read, sleep, …
  std::string digest;         // of a call: SHA-256 over op, arguments and the bytes of the calls before it, in hex
  std::string frames;         // of a reply: everything that was sent to the guest for this call, as it was sent
  std::string arguments{};    // of a call: JSON, as the guest wrote them. The digest covers them
  std::string body_digest{};  // of a reply: SHA-256 in hex of the bytes that came with its call; empty where none did
};

}  // namespace glovebox
