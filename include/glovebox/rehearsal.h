// Rehearsal: runs code on the answers of an earlier run. Nothing that it asks for is done. The code may differ from the
// recorded one: identical requests get the recorded answers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "glovebox/journal.h"
#include "glovebox/result.h"

namespace glovebox {

// One call of a recorded run, with its answer.
struct RecordedCall {
  std::string op;           // tool, fs.read, sleep, …
  std::string arguments;    // JSON
  std::string body_digest;  // SHA-256 in hex of the bytes that came with it; empty where none did
  bool is_answered = false;
  bool ok = false;
  std::string value_json;  // what it was answered
  std::string bytes;       // and the bytes that came with that; of a tool none
  std::string error_name;  // or how it failed
  std::string error_code;
  std::string error_message;
  std::string error_data;   // JSON, or empty
  std::int64_t now_ms = 0;  // what the run's clock showed then
  std::size_t turn = 0;     // which answer of the run it was,
  std::size_t after = 0;    // and how many calls had been made by then
};

// Refuses what no run can have written. A journal of a former version lacks what was asked for: kNotFound.
Result<std::vector<RecordedCall>> recorded_calls(const std::vector<JournalEntry>& journal);

// One call of the code that is rehearsed.
struct RehearsedCall {
  std::string op;
  std::string arguments;
  std::string body_digest;
  std::optional<std::size_t> recorded;  // which of the recorded calls it is; nothing: it was not made then
};

struct Rehearsal {
  std::vector<RecordedCall> calls;
  std::vector<RehearsedCall> made;  // filled by the run, and whole when it has ended
};

}  // namespace glovebox
