#include "mcp/http/http_session.h"

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "base/characters/ascii.h"
#include "mcp/http/sse.h"
#include "mcp/limits.h"

namespace glovebox::mcp {
namespace {

// How long a client waits before it resumes a stream that was released.
constexpr std::chrono::milliseconds kRetry{500};

std::optional<long> parse_number(std::string_view text) {
  if (text.size() > 15 || !base::is_number(text)) return std::nullopt;
  return std::strtol(std::string(text).c_str(), nullptr, 10);
}

std::string event_id(long stream, long number) {
  return std::to_string(stream) + "-" + std::to_string(number);
}

}  // namespace

// One stream of messages, which outlives the connections that carry it.
class ServerSession::Stream final : public Outlet {
 public:
  Stream(std::weak_ptr<ServerSession> session, long number, std::shared_ptr<HttpReply> reply, bool primes)
      : session_(std::move(session)), number_(number), reply_(std::move(reply)), primes_(primes) {}

  void notify(std::string message) override {
    if (!reply_ || !reply_->is_crowded()) send(std::move(message));
  }

  void send(std::string message) override {
    begin();
    say(message);
  }

  void finish(std::string message, int http_status) override {
    const auto held = reply_;
    ended_ = true;
    if (held && held->attached() && !begun_) return held->whole(http_status, std::move(message));
    say(message);
    if (held) held->finish();
  }

  void abandon() override {
    ended_ = true;
    const auto held = reply_;
    if (!held) return;
    // There will be no answer, and HTTP requires a response: an empty stream.
    held->add("");
    held->finish();
  }

  void release() override {
    begin();
    if (reply_) reply_->finish();
    reply_.reset();
  }

  // Continues in another connection.
  void move_to(std::shared_ptr<HttpReply> reply) {
    reply_ = std::move(reply);
    begun_ = true;
    if (ended_) reply_->finish();
  }

  void begin() {
    if (begun_) return;
    begun_ = true;
    // An event without data lets a client resume this stream before anything was sent. Clients that do not know it take
    // it for a broken message.
    if (reply_) reply_->add(primes_ ? sse_event(event_id(number_, 0), "", kRetry) : "");
  }

  bool attached() const { return reply_ && reply_->attached() && !reply_->finished(); }
  long last() const { return last_; }

 private:
  void say(std::string_view message) {
    const auto session = session_.lock();
    if (!session) return;
    std::string text = session->keep(number_, ++last_, message);
    if (reply_) reply_->add(std::move(text));
  }

  std::weak_ptr<ServerSession> session_;
  long number_;
  std::shared_ptr<HttpReply> reply_;
  bool primes_;
  bool begun_ = false;
  bool ended_ = false;
  long last_ = 0;
};

ServerSession::ServerSession(std::string id, std::shared_ptr<ServerPeer> peer, std::shared_ptr<AllKept> all)
    : id_(std::move(id)), peer_(std::move(peer)), all_(std::move(all)) {}

ServerSession::~ServerSession() {
  forget_events();
}

std::string ServerSession::keep(long stream, long number, std::string_view message) {
  std::string text = sse_event(event_id(stream, number), message);
  event_bytes_ += text.size();
  if (all_) all_->bytes += text.size();
  events_.push_back({stream, number, text});
  while (event_bytes_ > kMaxReplayBytes && events_.size() > 1) forget_first();
  if (all_ && all_->bytes > all_->most && all_->full) all_->full();
  return text;
}

void ServerSession::forget_first() {
  const Event& first = events_.front();
  event_bytes_ -= first.text.size();
  if (all_) all_->bytes -= first.text.size();
  forgotten_ = std::max(forgotten_, first.stream);
  events_.pop_front();
}

void ServerSession::forget_events() {
  while (!events_.empty()) forget_first();
}

std::shared_ptr<Outlet> ServerSession::open_stream(std::shared_ptr<HttpReply> reply) {
  std::erase_if(streams_, [](const auto& entry) { return entry.second.expired(); });
  const long number = next_stream_++;
  auto stream =
      std::make_shared<Stream>(weak_from_this(), number, std::move(reply), peer_->revision() >= kNewestLegacyRevision);
  streams_[number] = stream;
  return stream;
}

ServerSession::Attached ServerSession::attach(const std::shared_ptr<HttpReply>& reply, std::string_view last_event_id) {
  if (last_event_id.empty()) {
    if (background_ && background_->attached()) return Attached::kTaken;
    background_ = std::make_shared<Stream>(weak_from_this(), 0, reply, peer_->revision() >= kNewestLegacyRevision);
    background_->begin();
    reply->add("");
    peer_->set_background(background_);
    return Attached::kYes;
  }
  const std::size_t dash = std::min(last_event_id.find('-'), last_event_id.size() - 1);
  const auto known_stream = parse_number(last_event_id.substr(0, dash));
  const auto known_number = parse_number(last_event_id.substr(dash + 1));
  if (!known_stream || !known_number || *known_stream >= next_stream_) return Attached::kUnknownEvent;
  const long stream = *known_stream;
  const long number = *known_number;

  const auto live = stream == 0 ? background_ : streams_.contains(stream) ? streams_[stream].lock() : nullptr;
  std::vector<const Event*> missed;
  long expected = number + 1;
  for (const Event& event : events_) {
    if (event.stream != stream || event.number < expected) continue;
    // A stream with a gap would seem complete.
    if (event.number != expected++) return Attached::kUnknownEvent;
    missed.push_back(&event);
  }
  if (live && live->last() >= expected) return Attached::kUnknownEvent;
  if (!live && missed.empty() && stream <= forgotten_) return Attached::kUnknownEvent;
  reply->add(": resumed\n\n");
  for (const Event* event : missed) reply->add(event->text);
  if (live) {
    live->move_to(reply);
  } else {
    reply->finish();
  }
  return Attached::kYes;
}

bool ServerSession::busy() const {
  return peer_->calls_under_way() > 0 || (background_ && background_->attached());
}

void ServerSession::close() {
  peer_->close();
  if (background_) background_->abandon();
}

}  // namespace glovebox::mcp
