#include "calls/net/net_calls.h"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <map>
#include <utility>

#include "base/text/json_builder.h"
#include "calls/net/byte_string.h"
#include "calls/net/fetch_request.h"
#include "replay/replay.h"
#include "wire/json_members.h"
#include "wire/limits.h"

namespace glovebox::calls {
namespace {

namespace asio = boost::asio;
using AnswerPointer = std::shared_ptr<Answer>;

void report_fetch_error(Answer& answer, const net::FetchError& error) {
  using Kind = net::FetchError::Kind;
  switch (error.kind) {
    case Kind::kDenied: return answer.deny(error.message);
    case Kind::kInvalid:
    case Kind::kNetwork: return answer.fail({"TypeError", "", error.message});
    case Kind::kLimit: return answer.fail({"LimitError", "FETCH_LIMIT", error.message});
    case Kind::kTimeout: return answer.fail({"TimedOut", "ETIMEDOUT", error.message});
    case Kind::kCancelled: return answer.fail({"Interrupted", "ECANCELED", error.message});
  }
}

std::string head_json(const net::ResponseHead& head, std::optional<std::int64_t> stream) {
  const auto header_json = [](const net::Header& header) {
    return base::ListText().text(header.name).text(text_of_bytes(header.value)).done();
  };
  return base::ObjectText()
      .number("status", head.status)
      .text("statusText", text_of_bytes(head.status_text))
      .text("url", text_of_bytes(head.url))
      .flag("redirected", head.redirected)
      .json("headers", base::json_list(head.headers, header_json))
      .json("stream", stream ? std::to_string(*stream) : "null")
      .done();
}

// Collects the pieces of a small body and hands it over whole, without pausing the guest.
class Collector : public BodySink {
 public:
  explicit Collector(std::function<void(std::string)> done) : done_(std::move(done)) {}

  void take(std::string bytes, bool last, std::function<void()> resume) override {
    bytes_ += bytes;
    if (last) done_(std::move(bytes_));
    resume();
  }

 private:
  std::function<void(std::string)> done_;
  std::string bytes_;
};

}  // namespace

// The requests of a run. On the loop thread; results from the client's thread are posted to it.
class NetCalls::Book : public std::enable_shared_from_this<Book> {
 public:
  Book(std::shared_ptr<asio::io_context> io, OpenSession open_session, std::chrono::steady_clock::time_point deadline)
      : io_(std::move(io)), open_session_(std::move(open_session)), deadline_(deadline) {}

  std::shared_ptr<BodySink> fetch(const Call& call, AnswerPointer answer);
  void read(const Call& call, AnswerPointer answer);
  std::shared_ptr<BodySink> send(const Call& call, AnswerPointer answer);
  void cancel(const Call& call, Answer& answer);
  void end(std::function<void()> ended);
  void forget_streams_up_to(std::int64_t stream) { last_stream_ = std::max(last_stream_, stream); }

 private:
  // Streams a large body from the guest to the server. Nothing is read from the guest while a piece is being written.
  class Upload;

  struct Fetch {
    std::unique_ptr<net::Exchange> exchange;
    std::string url;
    bool head_only = false;
    std::size_t held_bytes = 0;
    std::int64_t stream = 0;  // once there is a response
  };

  void start(std::uint64_t id, FetchRequest request, net::RequestBody body, const AnswerPointer& answer);
  void head(std::uint64_t id, net::FetchResult<net::ResponseHead> head, Answer& answer);
  void chunk(std::uint64_t id, net::FetchResult<net::Chunk> chunk, Answer& answer);
  // Lets a response without a body end by itself, so that its connection can be reused.
  void let_end(std::uint64_t id);
  void release(Fetch& fetch) { held_bytes_ -= std::exchange(fetch.held_bytes, 0); }
  void drop(std::uint64_t id);
  Fetch* find(std::uint64_t id);

  // For the client's thread: `work` runs on the loop, if this Book still exists.
  template <typename Work>
  auto later(Work work) {
    return [io = io_, book = weak_from_this(), work = std::move(work)](auto result) mutable {
      asio::post(*io, [book = std::move(book), work = std::move(work), result = std::move(result)]() mutable {
        if (const auto self = book.lock()) work(*self, std::move(result));
      });
    };
  }

  std::shared_ptr<asio::io_context> io_;
  OpenSession open_session_;
  std::unique_ptr<net::HttpSession> session_;  // once there was a request
  std::chrono::steady_clock::time_point deadline_;
  std::map<std::uint64_t, Fetch> fetches_;         // by the id of the call
  std::map<std::int64_t, std::uint64_t> streams_;  // stream to that id
  std::int64_t last_stream_ = 0;
  std::size_t held_bytes_ = 0;  // of bodies that are kept for redirects
};

class NetCalls::Book::Upload : public BodySink, public std::enable_shared_from_this<Upload> {
 public:
  Upload(std::weak_ptr<Book> book, std::uint64_t id) : book_(std::move(book)), id_(id) {}

  void take(std::string bytes, bool last, std::function<void()> resume) override {
    const auto book = book_.lock();
    Fetch* fetch = book ? book->find(id_) : nullptr;
    if (!fetch || !wanted_) return resume();  // denied, failed or answered already; the rest is discarded
    fetch->exchange->write(std::move(bytes), last,
                           book->later([self = shared_from_this(), resume](Book&, net::FetchResult<bool> result) {
                             self->wanted_ = result && result.value();
                             resume();
                           }));
  }

 private:
  std::weak_ptr<Book> book_;
  std::uint64_t id_;
  bool wanted_ = true;
};

std::shared_ptr<BodySink> NetCalls::Book::fetch(const Call& call, AnswerPointer answer) {
  auto request = FetchRequest::parse(call);
  if (!request) {
    answer->violation("a malformed request");
    return nullptr;
  }
  answer->about(request->http.method + " " + request->http.url);
  const std::uint64_t id = call.id;
  switch (request->body) {
    case FetchRequest::Body::kNone: start(id, std::move(*request), net::NoBody{}, answer); return nullptr;
    case FetchRequest::Body::kStream: start(id, std::move(*request), net::StreamedBody{}, answer); return nullptr;
    case FetchRequest::Body::kBytes: break;
  }
  if (call.body_bytes == 0) {
    start(id, std::move(*request), std::string(), answer);
    return nullptr;
  }
  // A small body is kept, so that it can follow a redirect.
  if (call.body_bytes <= wire::kMaxKeptBodyBytes && held_bytes_ + call.body_bytes <= wire::kMaxHeldBodyBytes) {
    held_bytes_ += call.body_bytes;
    fetches_[id].held_bytes = call.body_bytes;
    return std::make_shared<Collector>(
        [book = weak_from_this(), id, request = std::move(*request), answer](std::string bytes) {
          if (const auto self = book.lock()) self->start(id, request, std::move(bytes), answer);
        });
  }
  start(id, std::move(*request), net::StreamedBody{call.body_bytes}, answer);
  return std::make_shared<Upload>(weak_from_this(), id);
}

void NetCalls::Book::start(std::uint64_t id, FetchRequest request, net::RequestBody body, const AnswerPointer& answer) {
  if (!session_) {
    auto opened = open_session_();
    if (!opened) {
      drop(id);  // with the body that is kept for it
      return answer->fail({"Error", "", opened.failure().message});
    }
    session_ = std::move(opened).value();
  }
  Fetch& fetch = fetches_[id];
  fetch.url = request.http.url;
  fetch.head_only = request.http.method == "HEAD";
  request.http.body = std::move(body);
  request.http.deadline = deadline_;
  fetch.exchange = session_->fetch(std::move(request.http),
                                   later([id, answer](Book& book, net::FetchResult<net::ResponseHead> result) {
                                     book.head(id, std::move(result), *answer);
                                   }));
}

void NetCalls::Book::head(std::uint64_t id, net::FetchResult<net::ResponseHead> head, Answer& answer) {
  Fetch* fetch = find(id);
  if (!head || !fetch) {
    drop(id);
    return head ? report_fetch_error(answer, {net::FetchError::Kind::kCancelled, "the request was cancelled", ""})
                : report_fetch_error(answer, head.failure());
  }
  release(*fetch);
  const int status = head->status;
  if (fetch->head_only || status == 204 || status == 205 || status == 304) {
    answer.value(head_json(*head, std::nullopt));
    return let_end(id);
  }
  fetch->stream = ++last_stream_;
  streams_[fetch->stream] = id;
  answer.value(head_json(*head, fetch->stream));
}

void NetCalls::Book::let_end(std::uint64_t id) {
  find(id)->exchange->read(later([id](Book& book, const net::FetchResult<net::Chunk>&) { book.drop(id); }));
}

void NetCalls::Book::read(const Call& call, AnswerPointer answer) {
  const auto stream = call.arguments.integer("stream");
  if (!stream || *stream <= 0 || *stream > last_stream_) return answer->violation("a stream that never existed");
  const auto found = streams_.find(*stream);
  if (found == streams_.end()) return answer->fail({"BadResource", "", "the body was already read or cancelled"});
  const std::uint64_t id = found->second;
  Fetch& fetch = fetches_.at(id);
  answer->about(fetch.url);
  fetch.exchange->read(later(
      [id, answer](Book& book, net::FetchResult<net::Chunk> result) { book.chunk(id, std::move(result), *answer); }));
}

void NetCalls::Book::chunk(std::uint64_t id, net::FetchResult<net::Chunk> chunk, Answer& answer) {
  if (!chunk) {
    // A second read at the same time is the guest's mistake, and does not end the first.
    if (chunk.failure().kind != net::FetchError::Kind::kInvalid) drop(id);
    return report_fetch_error(answer, chunk.failure());
  }
  if (chunk->done) {
    drop(id);
    return answer.value("{\"done\":true}");
  }
  answer.value_with_bytes("null", chunk->bytes);
}

std::shared_ptr<BodySink> NetCalls::Book::send(const Call& call, AnswerPointer answer) {
  const auto id = call.arguments.integer("fetch");
  if (!id || *id <= 0 || static_cast<std::uint64_t>(*id) >= call.id || call.body_bytes > net::kMaxWriteBytes) {
    answer->violation("part of a body that belongs to no request");
    return nullptr;
  }
  const auto write = [book = weak_from_this(), id = static_cast<std::uint64_t>(*id), last = call.arguments.flag("last"),
                      answer](std::string bytes) {
    const auto self = book.lock();
    Fetch* fetch = self ? self->find(id) : nullptr;
    // A request that is over takes no more bytes; its own answer said why it is over.
    if (!fetch || !fetch->exchange) return answer->value("false");
    answer->about(fetch->url);
    fetch->exchange->write(std::move(bytes), last, self->later([answer](Book&, net::FetchResult<bool> result) {
      if (!result) return report_fetch_error(*answer, result.failure());
      answer->value(result.value() ? "true" : "false");
    }));
  };
  if (call.body_bytes == 0) {
    write("");
    return nullptr;
  }
  return std::make_shared<Collector>(write);
}

void NetCalls::Book::cancel(const Call& call, Answer& answer) {
  if (const auto id = call.arguments.integer("fetch"); id && *id > 0) drop(static_cast<std::uint64_t>(*id));
  if (const auto stream = call.arguments.integer("stream")) {
    if (const auto found = streams_.find(*stream); found != streams_.end()) drop(found->second);
  }
  answer.value();
}

NetCalls::Book::Fetch* NetCalls::Book::find(std::uint64_t id) {
  const auto found = fetches_.find(id);
  return found == fetches_.end() ? nullptr : &found->second;
}

// Calls that still wait for it are answered by the client, which calls every callback.
void NetCalls::Book::drop(std::uint64_t id) {
  Fetch* fetch = find(id);
  if (!fetch) return;
  release(*fetch);
  streams_.erase(fetch->stream);
  fetches_.erase(id);
}

void NetCalls::Book::end(std::function<void()> ended) {
  fetches_.clear();
  streams_.clear();
  if (!session_) return ended();
  // Moved out when it is posted, so that `ended` is not destroyed on the client's thread.
  auto shared = std::make_shared<std::function<void()>>(std::move(ended));
  session_->close([io = io_, shared] { asio::post(*io, [done = std::exchange(*shared, nullptr)] { done(); }); });
}

NetCalls::NetCalls(std::shared_ptr<asio::io_context> io, OpenSession open_session,
                   std::chrono::steady_clock::time_point deadline)
    : book_(std::make_shared<Book>(std::move(io), std::move(open_session), deadline)) {}

NetCalls::~NetCalls() = default;

std::shared_ptr<BodySink> NetCalls::handle(const Call& call, AnswerPointer answer) {
  if (call.op == "net.fetch") return book_->fetch(call, std::move(answer));
  if (call.op == "net.send") return book_->send(call, std::move(answer));
  if (call.body_bytes == 0 && call.op == "net.read") {
    book_->read(call, std::move(answer));
  } else if (call.body_bytes == 0 && call.op == "net.cancel") {
    book_->cancel(call, *answer);
  } else {
    answer->violation("a network operation that does not exist");
  }
  return nullptr;
}

// Connections were lost with the earlier attempt: reading from them is refused like reading a body twice.
CallHandler::Recalled NetCalls::recall(const Call& call, AnswerPointer answer, const replay::RecordedReply* reply) {
  if (call.op != "net.fetch") return {};
  const auto request = FetchRequest::parse(call);
  if (!request) return {};
  answer->about(request->http.method + " " + request->http.url);
  const auto head = reply && reply->ok ? wire::JsonMembers::split(reply->value_json) : std::nullopt;
  if (head) book_->forget_streams_up_to(head->integer("stream").value_or(0));
  return {};
}

void NetCalls::end(std::function<void()> ended) {
  book_->end(std::move(ended));
}

}  // namespace glovebox::calls
