// A guest's call on its way to an answer. A CallHandler serves one family of operations (`fs.…`, `net.…`) for one run.
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
  std::string code;  // as Node and Deno have it on error.code: ENOENT; may be empty
  std::string message;
  std::string data{};  // of a tool: JSON that came with it; may be empty
  // For the owner alone, and never sent: where a link leads to that is not followed.
  std::string leads_to{};
};

// Bytes to be sent to the guest as they lie in memory: a whole frame, or several.
struct OutgoingBytes {
  std::shared_ptr<const void> owner;  // keeps them alive
  std::string_view bytes;
  std::function<void()> sent;  // may be empty
  bool more_follows = false;   // at once: both go out together
};

// The answer to one call, to be given once. Whoever drops it unanswered leaves the guest waiting until its time is up.
class Answer {
 public:
  Answer(std::weak_ptr<broker::CallDesk> desk, std::uint64_t call_id) : desk_(std::move(desk)), call_id_(call_id) {}

  std::uint64_t call_id() const { return call_id_; }
  // False when the run is over and nobody listens any more.
  bool is_awaited() const;

  // What the trace shows as the object of the call: a path, a URL, a command; and of a tool what it was given.
  void about(std::string target, std::string_view arguments = {});
  // The trace shows that nobody was asked.
  void from_cache();

  // How much of the run's earlier answers the guest has not taken yet. It waits in our memory.
  std::size_t unsent_bytes() const;

  // `value_json` is passed on as it is. `body_bytes` is how many bytes went before it with send(). `sent` is called
  // when the guest has taken it, if it ever does.
  void value(std::string value_json = "null", std::uint64_t body_bytes = 0, std::function<void()> sent = {});
  // The same at a moment of the guest's clock that the caller knows.
  void value_at(std::int64_t now_ms, std::string value_json = "null");
  // The same with all its bytes, for those that are in memory anyway.
  void value_with_bytes(std::string value_json, std::string_view bytes);
  // A JSON value of any size, which goes to the guest as it lies in memory; `owner` keeps it there.
  void large_value(std::shared_ptr<const void> owner, std::string_view value_json);
  void fail(CallError error);
  // The owner did not grant it: on the record as a blocked attempt.
  void deny(std::string message) { deny(CallError{"PermissionDenied", "", std::move(message)}); }
  void deny(CallError error);
  // Our bridge would not have sent such a call: the guest is not itself any more, and ends.
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
  std::string_view arguments_json = "{}";  // the same arguments as they came, and as long valid
  bool repeated = false;                   // it was made in an earlier life of the run and not answered
};

// Where the bytes that follow a call go, in pieces.
class BodySink {
 public:
  virtual ~BodySink() = default;
  // Nothing more is read from the guest until `resume` is called.
  virtual void take(std::string bytes, bool last, std::function<void()> resume) = 0;
};

class CallHandler {
 public:
  virtual ~CallHandler() = default;
  // Null: the bytes that follow the call, if any, are of no interest.
  virtual std::shared_ptr<BodySink> handle(const Call& call, std::shared_ptr<Answer> answer) = 0;
  // The call was made in an earlier life of the run. With a `reply`, that will be its answer: nothing is done, except
  // what was lost with the earlier life and can be done again unseen. Without one, the call comes again as `repeated`
  // once the code has come to where it was, unless it is answered from here.
  struct Recalled {
    std::shared_ptr<BodySink> sink = nullptr;
    bool is_answered = false;  // here; now or later
  };
  virtual Recalled recall(const Call& call, std::shared_ptr<Answer> answer, const replay::RecordedReply* reply);
  // The run is over: what is still under way is given up. `ended` is called when nothing of it can happen any more.
  virtual void end(std::function<void()> ended) { ended(); }
};

}  // namespace glovebox::calls
