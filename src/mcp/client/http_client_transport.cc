#include "mcp/client/http_client_transport.h"

#include <boost/asio/steady_timer.hpp>
#include <limits>
#include <map>

#include "base/characters/ascii.h"
#include "base/try.h"
#include "mcp/client/http_fetch.h"
#include "mcp/http/header_value.h"
#include "mcp/http/sse.h"
#include "mcp/oauth/oauth.h"
#include "net/request_headers.h"

namespace glovebox::mcp {
namespace {

// The body of a refusal is for people, and short.
constexpr std::size_t kMaxRefusalBytes = 64 * 1024;

// Authorizations that one request may lead to: a first token, and more scopes for it once or twice.
constexpr int kMaxAuthorizations = 3;

// A broken stream is resumed, but only so often in a row without an event.
constexpr int kMaxFruitlessResumptions = 5;
constexpr std::size_t kMaxLingering = 64;
constexpr std::chrono::milliseconds kStreamPatience{500};
constexpr std::chrono::milliseconds kFirstPause{1000};
constexpr std::chrono::milliseconds kShortestPause{100};  // whatever the server asks for
constexpr std::chrono::milliseconds kLongestPause{30'000};

RequestFailureKind kind_of(const net::FetchError& error) {
  switch (error.kind) {
    case net::FetchError::Kind::kLimit: return RequestFailureKind::kTooLarge;
    case net::FetchError::Kind::kTimeout: return RequestFailureKind::kTimeout;
    case net::FetchError::Kind::kCancelled: return RequestFailureKind::kCancelled;
    default: return RequestFailureKind::kUnreachable;
  }
}

bool is_type(const std::string& content_type, std::string_view wanted) {
  return base::equal_ignoring_case(std::string_view(content_type).substr(0, wanted.size()), wanted);
}

}  // namespace

Result<std::string> grant_for(std::string_view url) {
  const bool secure = url.rfind("https://", 0) == 0;
  if (!secure && url.rfind("http://", 0) != 0)
    return Failure{ErrorCode::kInvalidArgument, std::string(url) + " is neither an http nor an https URL"};
  std::string_view rest = url.substr(secure ? 8 : 7);
  rest = rest.substr(0, rest.find_first_of("/?#"));
  if (const std::size_t at = rest.rfind('@'); at != rest.npos) rest.remove_prefix(at + 1);
  if (rest.empty()) return Failure{ErrorCode::kInvalidArgument, std::string(url) + " names no host"};
  const std::size_t colon = rest.rfind(':');
  const bool has_port = colon != rest.npos && rest.find(']', colon) == rest.npos;
  return std::string(rest) + (has_port ? "" : secure ? ":443" : ":80");
}

// One POST or GET and its state.
struct Conversation {
  OutgoingMessage message;  // of a POST
  bool background = false;  // the GET for messages that belong to no request
  std::function<void()> on_head;
  std::shared_ptr<HttpFetch> fetch;
  int status = 0;
  std::string authorization;  // the value of the field, as it was sent
  std::string refusal_challenge;
  std::string body;
  std::optional<SseReader> events;
  std::string last_event;
  std::chrono::milliseconds pause = kFirstPause;
  std::unique_ptr<boost::asio::steady_timer> timer;
  bool answered = false;
  int fruitless = 0;
  int authorizations = 0;
};
using ConversationPtr = std::shared_ptr<Conversation>;

struct HttpClientTransport::State : std::enable_shared_from_this<State> {
  State(boost::asio::any_io_executor executor, HttpServerAddress address, std::unique_ptr<net::HttpSession> session)
      : executor(std::move(executor)), address(std::move(address)), session(std::move(session)) {}

  boost::asio::any_io_executor executor;
  HttpServerAddress address;
  std::unique_ptr<net::HttpSession> session;
  Events events;
  std::string session_id;
  std::string revision;
  std::map<std::string, ConversationPtr, std::less<>> by_id;
  std::vector<ConversationPtr> others;  // notifications and answers under way, and streams after their answer
  ConversationPtr background;
  bool over = false;

  net::HttpRequest request(const std::string& method, const Conversation& conversation) const {
    net::HttpRequest request;
    request.method = method;
    request.url = address.url;
    request.headers = address.headers;
    const auto add = [&](const char* name, std::string value) { request.headers.push_back({name, std::move(value)}); };
    if (!conversation.authorization.empty()) add("Authorization", conversation.authorization);
    const OutgoingMessage& message = conversation.message;
    const std::string& version = message.revision.empty() ? revision : message.revision;
    if (!version.empty()) add("MCP-Protocol-Version", version);
    if (!session_id.empty() && message.era == Era::kLegacy) add("Mcp-Session-Id", session_id);
    if (method == "POST") {
      add("Content-Type", "application/json");
      add("Accept", "application/json, text/event-stream");
      if (!message.method.empty()) add("Mcp-Method", message.method);
      if (!message.name.empty()) add("Mcp-Name", header_value(message.name));
      for (const auto& [name, value] : message.fields) request.headers.push_back({name, value});
      request.body = message.text;
    } else {
      add("Accept", "text/event-stream");
      if (!conversation.last_event.empty()) add("Last-Event-ID", conversation.last_event);
    }
    return request;
  }

  void run(const ConversationPtr& conversation, const std::string& method) {
    if (over) return;
    conversation->status = 0;
    conversation->authorization = address.authorizer ? address.authorizer->authorization() : "";
    conversation->body.clear();
    conversation->events.reset();
    conversation->fetch = HttpFetch::start(
        executor, *session, request(method, *conversation),
        {.on_head = [self = shared_from_this(),
                     conversation](const net::ResponseHead& head) { self->head(conversation, head); },
         .on_bytes = [self = shared_from_this(),
                      conversation](std::string bytes) { self->bytes(conversation, std::move(bytes)); },
         .on_end = [self = shared_from_this(),
                    conversation](std::optional<net::FetchError> error) { self->ended(conversation, error); }});
  }

  void head(const ConversationPtr& conversation, const net::ResponseHead& head) {
    conversation->status = head.status;
    if (conversation->on_head) conversation->on_head();
    conversation->refusal_challenge = field_of(head, "www-authenticate");
    if (head.status != 200) return;
    if (conversation->message.method == "initialize") session_id = field_of(head, "mcp-session-id");
    if (is_type(field_of(head, "content-type"), "text/event-stream"))
      conversation->events.emplace(address.max_message_bytes);
  }

  // What has arrived of messages that are not complete yet.
  std::size_t unfinished() const {
    std::size_t bytes = 0;
    const auto add = [&bytes](const ConversationPtr& one) {
      if (one) bytes += one->body.size() + (one->events ? one->events->unfinished_bytes() : 0);
    };
    for (const auto& [id, conversation] : by_id) add(conversation);
    for (const ConversationPtr& conversation : others) add(conversation);
    add(background);
    return bytes;
  }

  void bytes(const ConversationPtr& conversation, std::string piece) {
    if (unfinished() + piece.size() > kMaxUnfinishedMessages * address.max_message_bytes) {
      return fail(conversation, {RequestFailureKind::kTooLarge,
                                 "the server sends too many messages at once without finishing them",
                                 {},
                                 conversation->status});
    }
    if (conversation->events) {
      const auto fed =
          conversation->events->feed(piece, [&](SseEvent event) { heard(conversation, std::move(event)); });
      if (!fed) fail(conversation, {RequestFailureKind::kTooLarge, fed.failure().message, {}, 0});
      return;
    }
    const std::size_t limit = conversation->status == 200 ? address.max_message_bytes : kMaxRefusalBytes;
    if (conversation->body.size() + piece.size() > limit) {
      return fail(conversation, {RequestFailureKind::kTooLarge,
                                 "a message is larger than " + std::to_string(limit) + " bytes",
                                 {},
                                 conversation->status});
    }
    conversation->body += piece;
  }

  void heard(const ConversationPtr& conversation, SseEvent event) {
    if (over) return;
    if (!event.id.empty()) conversation->last_event = event.id;
    if (event.data.empty() || (!event.name.empty() && event.name != "message")) return;
    conversation->fruitless = 0;
    deliver(conversation, std::move(event.data));
  }

  void deliver(const ConversationPtr& conversation, std::string text) {
    auto message = Message::parse(std::move(text), {.max_depth = kMaxMessageDepth});
    if (!message && conversation == background) return;  // it answers no request, and those after it are still of use
    if (!message)
      return fail(conversation, {RequestFailureKind::kProtocol,
                                 "the server sent something that is not a message: " + message.failure().message,
                                 {},
                                 0});
    const bool answer = message->kind() == MessageKind::kResult || message->kind() == MessageKind::kError;
    if (answer && message->kind() == MessageKind::kError && message->id().empty() &&
        !conversation->message.id.empty()) {
      // An error without an id on the stream of our request is about that request.
      auto error = parse_error(message->error());
      const std::string said = error ? error->message : "an error that cannot be read";
      return fail(conversation, {RequestFailureKind::kAnswered, said,
                                 error ? std::optional<RpcError>(*error) : std::nullopt, conversation->status});
    }
    if (answer && message->id() == conversation->message.id) {
      conversation->answered = true;
      by_id.erase(conversation->message.id);
      linger(conversation);
    }
    // A copy, because close() releases the callbacks while one of them runs.
    if (const auto on_message = events.on_message) on_message(std::move(message).value());
  }

  // The rest of a stream after its answer, which the server ought to end now. Only a few of them are kept open.
  void linger(const ConversationPtr& conversation) {
    others.push_back(conversation);
    if (others.size() <= kMaxLingering) return;
    if (others.front()->fetch) others.front()->fetch->cancel();
    others.erase(others.begin());
  }

  void ended(const ConversationPtr& conversation, const std::optional<net::FetchError>& error) {
    if (over) return;
    if (conversation->events) return stream_ended(conversation);
    if (error && conversation->on_head) conversation->on_head();
    if (error && conversation == background) return resume(conversation);
    if (error) return fail(conversation, {kind_of(*error), error->message, {}, 0});
    const int status = conversation->status;
    if (status == 401 || status == 403) return refused(conversation);
    if (conversation == background) {
      background.reset();  // 405: the server offers no stream for messages of its own
      return;
    }
    if (status >= 200 && status < 300) {
      if (!conversation->message.id.empty() && conversation->body.empty())
        return fail(conversation,
                    {RequestFailureKind::kProtocol, "the server answered a request with nothing", {}, status});
      if (!conversation->body.empty()) deliver(conversation, std::move(conversation->body));
      return done(conversation);
    }
    if (status == 404 && !session_id.empty() && conversation->message.era == Era::kLegacy) {
      session_id.clear();
      return lost({RequestFailureKind::kSessionLost, "the server has forgotten the session", {}, 404});
    }
    not_accepted(conversation);
  }

  // A status that refuses, perhaps with a JSON-RPC error that gives the reason.
  void not_accepted(const ConversationPtr& conversation) {
    const int status = conversation->status;
    auto message = Message::parse(conversation->body, {.max_depth = kMaxMessageDepth});
    if (message && message->kind() == MessageKind::kError) {
      if (auto error = parse_error(message->error())) {
        const std::string said = error->message;
        return fail(conversation, {RequestFailureKind::kAnswered, said, std::move(error).value(), status});
      }
    }
    fail(conversation,
         {RequestFailureKind::kHttp, "the server answered with HTTP status " + std::to_string(status), {}, status});
  }

  void refused(const ConversationPtr& conversation) {
    const RequestFailure why{
        RequestFailureKind::kUnauthorized, "the server requires authorization", {}, conversation->status};
    if (!address.authorizer || ++conversation->authorizations > kMaxAuthorizations) return fail(conversation, why);
    address.authorizer->authorize(
        {conversation->status, conversation->refusal_challenge, address.url, conversation->authorization},
        [self = shared_from_this(), conversation, why](Result<void> authorized) {
          if (self->over) return;
          if (!authorized) {
            RequestFailure failure = why;
            failure.message = authorized.failure().message;
            return self->fail(conversation, std::move(failure));
          }
          self->run(conversation, conversation->background ? "GET" : "POST");
        });
  }

  void stream_ended(const ConversationPtr& conversation) {
    if (const auto wanted = conversation->events->retry()) conversation->pause = std::max(*wanted, kShortestPause);
    if (conversation == background) return resume(conversation);
    if (conversation->message.id.empty() || conversation->answered) return done(conversation);
    if (conversation->message.era == Era::kModern || conversation->last_event.empty())
      return fail(conversation, {RequestFailureKind::kClosed, "the server ended the stream without an answer", {}, 0});
    resume(conversation);
  }

  // Resumes the stream where it broke, after the delay that the server asks for.
  void resume(const ConversationPtr& conversation) {
    if (!conversation->background && ++conversation->fruitless > kMaxFruitlessResumptions)
      return fail(conversation, {RequestFailureKind::kClosed, "the server breaks every stream", {}, 0});
    conversation->timer = std::make_unique<boost::asio::steady_timer>(executor, conversation->pause);
    conversation->pause = std::min(conversation->pause * 2, kLongestPause);
    conversation->timer->async_wait([weak = weak_from_this(), conversation](const boost::system::error_code& error) {
      const auto self = weak.lock();
      if (self && !error && !self->over) self->run(conversation, "GET");
    });
  }

  void done(const ConversationPtr& conversation) {
    std::erase(others, conversation);
    const auto found = by_id.find(conversation->message.id);
    if (found == by_id.end() || found->second != conversation) return;
    by_id.erase(found);
    const auto on_failed = events.on_failed;
    if (!conversation->answered && on_failed)
      on_failed(conversation->message.id,
                {RequestFailureKind::kProtocol, "the server answered another request", {}, 0});
  }

  // Nothing more of it is read: what is in none of the lists is not counted.
  void fail(const ConversationPtr& conversation, RequestFailure failure) {
    if (conversation->fetch) conversation->fetch->cancel();
    std::erase(others, conversation);
    if (conversation == background) return background.reset();
    const auto found = by_id.find(conversation->message.id);
    if (found == by_id.end() || found->second != conversation) return;
    by_id.erase(found);
    if (const auto on_failed = events.on_failed) on_failed(conversation->message.id, std::move(failure));
  }

  void lost(RequestFailure failure) {
    const auto on_closed = std::move(events.on_closed);
    stop();
    if (on_closed) on_closed(std::move(failure));
  }

  void stop() {
    if (over) return;
    over = true;
    events = {};
    const auto cancel = [](const ConversationPtr& conversation) {
      if (conversation && conversation->fetch) conversation->fetch->cancel();
      if (conversation && conversation->timer) conversation->timer->cancel();
    };
    for (const auto& [id, conversation] : by_id) cancel(conversation);
    for (const auto& conversation : others) cancel(conversation);
    cancel(background);
    by_id.clear();
    others.clear();
    background.reset();
    if (session_id.empty()) return session.reset();
    // Lets the server drop the session. Whether it does is up to the server.
    Conversation farewell;
    net::HttpRequest last = request("DELETE", farewell);
    last.deadline = std::chrono::steady_clock::now() + std::chrono::seconds(2);
    fetch_whole(executor, *session, std::move(last), kMaxRefusalBytes,
                [self = shared_from_this()](const net::FetchResult<WholeResponse>&) {});
  }
};

HttpClientTransport::HttpClientTransport(std::shared_ptr<State> state) : state_(std::move(state)) {}
HttpClientTransport::~HttpClientTransport() {
  state_->stop();
}

Result<std::unique_ptr<HttpClientTransport>> HttpClientTransport::open(boost::asio::any_io_executor executor,
                                                                       net::HttpClient& client,
                                                                       HttpServerAddress address) {
  if (address.grants.empty()) address.grants.push_back(GLOVEBOX_TRY(grant_for(address.url)));
  // The owner has named this server, so it may be anywhere.
  policy::NetGrants grants = GLOVEBOX_TRY(policy::NetGrants::parse(address.grants, true));
  net::SessionLimits limits;
  // A stream has no size limit; its events have.
  limits.max_response_bytes = std::numeric_limits<std::size_t>::max() / 4;
  limits.max_concurrent = kMaxConcurrentRequests;
  auto session = client.open(std::move(grants), limits);
  return std::unique_ptr<HttpClientTransport>(
      new HttpClientTransport(std::make_shared<State>(std::move(executor), std::move(address), std::move(session))));
}

void HttpClientTransport::start(Events events) {
  state_->events = std::move(events);
}

void HttpClientTransport::send(OutgoingMessage message) {
  if (state_->over) return;
  auto conversation = std::make_shared<Conversation>();
  conversation->message = std::move(message);
  if (!conversation->message.revision.empty()) state_->revision = conversation->message.revision;
  if (conversation->message.method == "initialize") {
    state_->session_id.clear();
    state_->revision.clear();
  }
  if (conversation->message.id.empty()) {
    state_->linger(conversation);
  } else {
    state_->by_id[conversation->message.id] = conversation;
  }
  state_->run(conversation, "POST");
}

bool HttpClientTransport::forget(const std::string& id) {
  const auto found = state_->by_id.find(id);
  if (found == state_->by_id.end()) return true;
  const auto conversation = found->second;
  state_->by_id.erase(found);
  if (conversation->fetch) conversation->fetch->cancel();
  if (conversation->timer) conversation->timer->cancel();
  // In the modern era closing the stream cancels the request; before, it means only a broken connection.
  return conversation->message.era == Era::kModern;
}

void HttpClientTransport::established(std::function<void()> next) {
  if (state_->over || state_->background) return next();
  state_->background = std::make_shared<Conversation>();
  state_->background->background = true;
  // Some servers send the response head only with their first event, which may never come.
  auto timer = std::make_shared<boost::asio::steady_timer>(state_->executor, kStreamPatience);
  timer->async_wait([timer, next = std::move(next)](const boost::system::error_code&) { next(); });
  state_->background->on_head = [timer] { timer->cancel(); };
  state_->run(state_->background, "GET");
}

void HttpClientTransport::close() {
  state_->stop();
}

}  // namespace glovebox::mcp
