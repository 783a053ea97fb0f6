// Dispatches a run's calls: hands each to the handler of its family and sends the answers back. It enforces the rules
// for calls: growing ids, a bounded number in flight, bytes that belong to the call before them.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/bounds/byte_shares.h"
#include "base/digest.h"
#include "broker/trace.h"
#include "calls/call.h"
#include "replay/call_digest.h"
#include "replay/rehearsal_book.h"
#include "replay/replay.h"
#include "wire/data_frame.h"

namespace glovebox::broker {

class CallDesk : public std::enable_shared_from_this<CallDesk> {
 public:
  struct Links {
    std::function<void(calls::OutgoingBytes)> send;
    std::function<std::size_t()> unsent_bytes;   // passed to send and not written yet
    std::function<std::int64_t()> now_ms;        // the guest's clock
    std::function<void(std::string)> blocked;    // logs which attempt was denied
    std::function<void(bool)> pause_reading;     // true: stop reading from the guest; false: resume
    std::function<void(std::string)> violation;  // the guest broke the rules
    std::function<void(std::string)> diverged;   // the guest departs from its history
    std::function<void(JournalEntry)> journal;   // may be empty
    // Counts a call's arguments; null: there is no room for them. May be empty.
    std::function<base::ByteShares::Held(std::size_t bytes)> hold;
    // Whether a call that is in the journal may be carried out now; if not, `go` is called when it may. May be empty.
    std::function<bool(bool acts, std::function<void()> go)> may_go_on;
  };
  explicit CallDesk(Links links);

  // `family` is the part of an op before its dot, or the whole op if it has none.
  void add(std::string family, std::unique_ptr<calls::CallHandler> handler);
  // The handler is made on first use, since most runs make few calls; never after end().
  using MakeHandler = std::function<std::unique_ptr<calls::CallHandler>()>;
  void add_on_first_use(std::string family, MakeHandler make);
  // Null when there is none.
  calls::CallHandler* handler_of(std::string_view family);

  // Before the first call.
  void replay(replay::Replay history);
  bool is_replaying() const { return replay_.has_value(); }
  // Before the first call. From then on, calls that a recording covers are answered from the book and not carried out.
  void rehearse(replay::RehearsalBook book);
  // To be called when the guest waits for us and has nothing left to send.
  void answer_idle_guest();

  void open(calls::Call call);
  void data(const wire::DataPiece& piece);
  bool is_idle() const { return open_.empty(); }
  // The announced bytes of a call have not all arrived.
  bool awaits_data() const { return body_.has_value(); }

  // From then on no answer is sent. `ended` is called once every handler has stopped.
  void end(std::function<void()> ended);
  CallTrace take_trace() { return std::move(trace_); }

 private:
  friend class calls::Answer;
  struct OpenCall {
    std::string op;
    std::string target;
    std::chrono::steady_clock::time_point since;
    std::uint64_t body_bytes = 0;
    std::string arguments;
    bool cached = false;
    std::string leads_to = {};
    base::ByteShares::Held held = {};
  };
  // A call that is served after its frame is gone, with a copy of its arguments.
  struct KeptCall {
    calls::Call call;
    std::string arguments_json;
  };
  struct EarlyAnswer {
    std::uint64_t call_id;
    calls::OutgoingBytes bytes;
    bool is_reply;
  };
  struct IncomingBody {
    std::uint64_t call_id;
    std::uint64_t left;
    std::shared_ptr<calls::BodySink> sink;
    std::optional<base::Sha256> digest;  // for a journal or a book
  };

  void serve(const calls::Call& call, calls::CallHandler& handler);
  void serve_when_written(const calls::Call& call, calls::CallHandler& handler);
  void serve_kept(KeptCall& kept);
  static bool read_arguments(KeptCall& kept, simdjson::dom::parser& parser);
  void recall(const calls::Call& call, calls::CallHandler& handler, const std::string& digest);
  void give_recorded_replies();
  void repeat(KeptCall kept);
  void give(const replay::RehearsalBook::Due& due);
  void give_due_answers();
  void pass_on(std::uint64_t id, calls::OutgoingBytes bytes, bool is_reply);
  // `json`: the value if `ok`, otherwise the error.
  void send_reply(std::uint64_t id, bool ok, std::string_view json, std::uint64_t body_bytes = 0,
                  std::optional<std::int64_t> now_ms = {}, std::function<void()> sent = {});
  void close(std::uint64_t id, TraceEntry::Outcome outcome, std::string_view error, std::uint64_t bytes);

  Links links_;
  struct Family {
    std::unique_ptr<calls::CallHandler> handler;
    MakeHandler make;
  };
  std::map<std::string, Family, std::less<>> families_;
  std::unordered_map<std::uint64_t, OpenCall> open_;
  std::optional<IncomingBody> body_;
  std::uint64_t last_id_ = 0;
  std::size_t unread_replies_ = 0;
  bool ended_ = false;
  CallTrace trace_;
  std::optional<replay::CallDigests> digests_;                   // where there is a journal or a history
  std::unordered_map<std::uint64_t, std::string> saying_;        // for the journal: data frames whose reply is to come
  std::unordered_map<std::uint64_t, std::string> body_digests_;  // for the journal, until the reply
  std::optional<replay::RehearsalBook> book_;
  std::optional<replay::Replay> replay_;  // until it is over
  std::vector<KeptCall> unanswered_;      // calls of the history without a reply; served after it
  std::vector<EarlyAnswer> early_;        // answers held back until the replay is over
};

}  // namespace glovebox::broker
