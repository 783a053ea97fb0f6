// A guest's call and its answer. A CallHandler serves one family of operations (`fs.…`, `net.…`) for one run.
// Everything here happens on the Sandbox's loop thread; a handler that works elsewhere posts back to it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "calls/call_arguments.h"

namespace glovebox::broker {
class CallDesk;
}
namespace glovebox::replay {
struct RecordedReply;
}

namespace glovebox::calls {

// What the guest throws: an error of class `name` (one of Deno.errors, or TypeError, or Error).
struct CallError {
  std::string name = "Error";
  std::string code;  // error.code as in Node and Deno: ENOENT; may be empty
  std::string message;
  std::string data{};  // of a tool's error: JSON that came with it; may be empty
  // For the owner only, never sent: the target of a link that was not followed.
  std::string leads_to{};
};

// Bytes to be sent to the guest without copying them: frames, or a part of one.
struct OutgoingBytes {
  std::shared_ptr<const void> owner;  // keeps them alive
  std::string_view bytes;
  std::function<void()> sent;  // may be empty
  bool more_follows = false;   // at once: both are sent together
};

// The answer to one call, to be given once. If it is dropped unanswered, the guest waits until its time is up.
class Answer {
 public:
  Answer(std::weak_ptr<broker::CallDesk> desk, std::uint64_t call_id) : desk_(std::move(desk)), call_id_(call_id) {}

  std::uint64_t call_id() const { return call_id_; }
  // False once the call is answered or the run is over.
  bool is_awaited() const;

  // What the trace shows as the target of the call: a path, a URL, a command; for a tool, also its arguments.
  void about(std::string target, std::string_view arguments = {});
  // The trace shows that the answer came from a cache.
  void from_cache();

  // The bytes of earlier answers that the guest has not taken yet. They wait in our memory.
  std::size_t unsent_bytes() const;

  // `value_json` is passed on unchanged. `body_bytes` is how many bytes were sent before it with send(). `sent` is
  // called when the guest has taken it, if it ever does.
  void value(std::string value_json = "null", std::uint64_t body_bytes = 0, std::function<void()> sent = {});
  // The same at a given time of the guest's clock.
  void value_at(std::int64_t now_ms, std::string value_json = "null");
  // The same with a body that is in memory already.
  void value_with_bytes(std::string value_json, std::string_view bytes, std::function<void()> sent = {});
  // A JSON value of any size. A large one is sent without copying it; `owner` keeps it alive.
  void large_value(std::shared_ptr<const void> owner, std::string_view value_json);
  void fail(CallError error);
  // Not granted by the owner: recorded as a blocked attempt.
  void deny(std::string message) { deny(CallError{"PermissionDenied", "", std::move(message)}); }
  void deny(CallError error);
  // Our bridge would not send such a call: the guest is compromised, and the run ends.
  void violation(std::string why);
  // Data frames of this call (wire/data_frame.h), before its value.
  void send(OutgoingBytes data);

 private:
  std::weak_ptr<broker::CallDesk> desk_;
  std::uint64_t call_id_;
};

struct Call {
  std::uint64_t id = 0;
  std::string op;
  CallArguments arguments;
  std::uint64_t body_bytes = 0;
  std::string_view arguments_json = "{}";  // the same arguments as received, valid as long
  bool repeated = false;                   // it was made in an earlier attempt of the run and not answered
};

// Receives the bytes that follow a call, in pieces.
class BodySink {
 public:
  virtual ~BodySink() = default;
  // Nothing more is read from the guest until `resume` is called.
  virtual void take(std::string bytes, bool last, std::function<void()> resume) = 0;
};

class CallHandler {
 public:
  virtual ~CallHandler() = default;
  // Null: the bytes that follow the call, if any, are discarded.
  virtual std::shared_ptr<BodySink> handle(const Call& call, std::shared_ptr<Answer> answer) = 0;
  // The call was made in an earlier attempt of the run. With a `reply`, that will be its answer: nothing is done,
  // except to restore what was lost with that attempt, unseen by the code. Without one, the call is made again as
  // `repeated` once the history is over, unless it is answered from here.
  struct Recalled {
    std::shared_ptr<BodySink> sink = nullptr;
    bool is_answered = false;  // here; now or later
  };
  virtual Recalled recall(const Call& call, std::shared_ptr<Answer> answer, const replay::RecordedReply* reply);
  // The run is over: what is still under way is abandoned. `ended` is called once it can have no effect any more.
  virtual void end(std::function<void()> ended) { ended(); }
};

}  // namespace glovebox::calls
