#include "mcp/http/http_server.h"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>

#include "base/digest.h"
#include "base/random.h"
#include "base/try.h"
#include "mcp/http/access.h"
#include "mcp/http/connection_places.h"
#include "mcp/http/http_session.h"
#include "mcp/http/http_stream.h"
#include "mcp/http/modern_outlet.h"
#include "mcp/http/prepared.h"
#include "mcp/http/response_text.h"
#include "mcp/http/session_table.h"
#include "mcp/json/base64.h"
#include "mcp/limits.h"

namespace glovebox::mcp {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using Tcp = asio::ip::tcp;
using Request = HttpRequest;
using Parser = http::request_parser<http::string_body>;
using Error = boost::system::error_code;

constexpr std::size_t kPieceBytes = 256 * 1024;
constexpr std::size_t kFirstBytes = 4096;
// For a client that was turned away because there are too many.
constexpr const char* kRetryAfter = "Retry-After: 5\r\n";

std::string crowded() {
  std::string text = rejection(503, rpc_error_body({}, kServerBusy, "too much at once; try again later"));
  return text.insert(text.find("\r\n") + 2, kRetryAfter);
}

}  // namespace

std::string random_token() {
  base::Sha256::Digest bytes;
  base::fill_randomly(bytes);
  return base64_url(base::as_text(bytes));
}

// How one request is served: the reply, and what to call when the client disconnects before it is complete.
struct Routed {
  std::shared_ptr<HttpReply> reply;
  std::string extra_head;
  std::function<void()> on_hang_up;
  std::function<bool()> still_counts{};  // whether the token is still valid
  std::string holder{};                  // of the token
};

class HttpServer::State : public std::enable_shared_from_this<State> {
 public:
  State(ServerCore& core, asio::any_io_executor executor, HttpServerOptions options)
      : core(&core),
        executor(executor),
        acceptor(executor),
        options(std::move(options)),
        places(this->options.max_answer_bytes) {}

  Result<void> open();
  void close();
  void cut_off(ConnectionPlaces::Connection connection);
  asio::awaitable<void> accept_loop();
  asio::awaitable<void> serve(std::shared_ptr<HttpStream> stream);

  Routed route(Request request, const Caller& caller);
  Routed post(Request request, const Caller& caller);
  Routed post_modern(Message message, const HeaderLookup& header, const Caller& caller);
  Routed post_legacy(Message message, const Request& request, const Caller& caller);
  Routed get(const Request& request, const Caller& caller);
  Routed erase(const Request& request, const Caller& caller);
  Routed plain(int status, std::string body = {}, std::string extra_head = {});
  std::shared_ptr<ServerSession> session_of(const Request& request, const Caller& caller, Routed* refusal);
  void tell_crowded(HttpServerOptions::Crowded what) const {
    if (options.on_crowded) options.on_crowded(what);
  }

  ServerCore* core;
  asio::any_io_executor executor;
  Tcp::acceptor acceptor;
  HttpServerOptions options;
  std::unique_ptr<asio::ssl::context> tls;
  std::function<PlainResponse(const PlainRequest&)> other_paths;
  StreamHandler streams;
  SessionTable sessions;
  std::map<ConnectionPlaces::Connection, std::weak_ptr<HttpStream>> connections;
  ConnectionPlaces places;
  bool closed = false;

 private:
  asio::awaitable<bool> write_reply(std::shared_ptr<HttpStream> stream, Routed routed, bool keep, bool events);
  asio::awaitable<bool> write(std::shared_ptr<HttpStream> stream, std::string text);
};

HttpServer::HttpServer(std::shared_ptr<State> state) : state_(std::move(state)) {}
HttpServer::~HttpServer() {
  state_->close();
}
std::uint16_t HttpServer::port() const {
  return state_->acceptor.local_endpoint().port();
}
std::size_t HttpServer::session_count() const {
  return state_->sessions.size();
}
std::size_t HttpServer::connection_count() const {
  return state_->connections.size();
}
void HttpServer::set_other_paths(std::function<PlainResponse(const PlainRequest&)> handler) {
  state_->other_paths = std::move(handler);
}

void HttpServer::set_streams(StreamHandler handler) {
  state_->streams = std::move(handler);
}

Result<std::unique_ptr<HttpServer>> HttpServer::start(ServerCore& core, asio::any_io_executor executor,
                                                      HttpServerOptions options) {
  auto state = std::make_shared<State>(core, executor, std::move(options));
  GLOVEBOX_TRY_VOID(state->open());
  asio::co_spawn(
      executor, [state] { return state->accept_loop(); }, asio::detached);
  return std::unique_ptr<HttpServer>(new HttpServer(std::move(state)));
}

Result<void> HttpServer::State::open() {
  Error error;
  const asio::ip::address address = asio::ip::make_address(options.address, error);
  if (error) return Failure{ErrorCode::kInvalidArgument, options.address + " is not an address"};
  if (std::holds_alternative<OpenOnLoopback>(options.access) && !address.is_loopback())
    return Failure{ErrorCode::kInvalidArgument,
                   "listening without a token needs a loopback address, and " + options.address + " is not one"};
  if (const auto* bearer = std::get_if<BearerToken>(&options.access); bearer && bearer->token.size() < 16)
    return Failure{ErrorCode::kInvalidArgument, "a token must have at least 16 characters"};
  if (options.certificate_file.empty() != options.key_file.empty())
    return Failure{ErrorCode::kInvalidArgument, "TLS needs both a certificate and its key"};
  if (!options.certificate_file.empty()) {
    tls = std::make_unique<asio::ssl::context>(asio::ssl::context::tls_server);
    tls->set_options(asio::ssl::context::no_tlsv1 | asio::ssl::context::no_tlsv1_1, error);
    tls->use_certificate_chain_file(options.certificate_file, error);
    if (error) return Failure{ErrorCode::kInvalidArgument, options.certificate_file + ": " + error.message()};
    tls->use_private_key_file(options.key_file, asio::ssl::context::pem, error);
    if (error) return Failure{ErrorCode::kInvalidArgument, options.key_file + ": " + error.message()};
  }
  const Tcp::endpoint endpoint(address, options.port);
  acceptor.open(endpoint.protocol(), error);
  if (!error) acceptor.set_option(asio::socket_base::reuse_address(true), error);
  if (!error) acceptor.bind(endpoint, error);
  if (!error) acceptor.listen(asio::socket_base::max_listen_connections, error);
  if (error)
    return Failure{ErrorCode::kSystem,
                   "cannot listen on " + options.address + ":" + std::to_string(options.port) + ": " + error.message()};
  return {};
}

void HttpServer::State::close() {
  closed = true;
  Error ignored;
  acceptor.close(ignored);
  sessions.close();
  for (const auto& [pointer, weak] : connections)
    if (const auto stream = weak.lock()) stream->tcp().close();
}

void HttpServer::State::cut_off(ConnectionPlaces::Connection connection) {
  const auto found = connections.find(connection);
  if (const auto stream = found == connections.end() ? nullptr : found->second.lock()) stream->tcp().close();
}

asio::awaitable<void> HttpServer::State::accept_loop() {
  const auto keep = shared_from_this();
  while (!closed) {
    Error error;
    Tcp::socket socket = co_await acceptor.async_accept(asio::redirect_error(asio::use_awaitable, error));
    if (closed) break;
    if (error) {
      // Out of descriptors, most likely: wait for some to come back instead of spinning.
      asio::steady_timer pause(executor, std::chrono::milliseconds(50));
      co_await pause.async_wait(asio::redirect_error(asio::use_awaitable, error));
      continue;
    }
    const asio::ip::address address = socket.remote_endpoint(error).address();
    if (error) continue;
    socket.set_option(Tcp::no_delay(true), error);
    auto stream = std::make_shared<HttpStream>(std::move(socket), tls.get());
    connections.emplace(stream.get(), stream);
    if (const auto leaves = places.enter(stream.get(), address)) cut_off(*leaves);
    asio::co_spawn(
        executor, [self = shared_from_this(), stream] { return self->serve(stream); },
        [self = shared_from_this(), pointer = stream.get()](std::exception_ptr) {
          self->connections.erase(pointer);
          self->places.leave(pointer);
        });
  }
}

asio::awaitable<bool> HttpServer::State::write(std::shared_ptr<HttpStream> stream, std::string text) {
  Error error;
  // Piece by piece, so that the timeout applies to a client that reads nothing and not to one with a slow line.
  for (std::size_t at = 0; at < text.size() && !error; at += kPieceBytes) {
    stream->tcp().expires_after(kWriteTime);
    const auto piece = asio::buffer(text.data() + at, std::min(kPieceBytes, text.size() - at));
    co_await asio::async_write(*stream, piece, asio::redirect_error(asio::use_awaitable, error));
  }
  stream->tcp().expires_never();
  co_return !error;
}

asio::awaitable<void> HttpServer::State::serve(std::shared_ptr<HttpStream> stream) {
  const auto keep = shared_from_this();
  Error error;
  if (stream->tls()) {
    stream->tcp().expires_after(kHeadTime);
    co_await stream->tls()->async_handshake(asio::ssl::stream_base::server,
                                            asio::redirect_error(asio::use_awaitable, error));
    if (error) co_return;
  }
  boost::beast::flat_buffer buffer(kMaxHeaderBytes + 64 * 1024);
  bool is_known = false;
  for (bool first = true; !closed; first = false) {
    // An authenticated connection may be idle for a while; after that, and at first, it has little time for the head.
    if (!first && buffer.size() == 0) {
      stream->tcp().expires_after(is_known ? kIdleConnectionTime : kHeadTime);
      buffer.commit(co_await stream->async_read_some(buffer.prepare(kFirstBytes),
                                                     asio::redirect_error(asio::use_awaitable, error)));
      if (error || closed) break;
    }
    Parser parser;
    parser.header_limit(static_cast<std::uint32_t>(kMaxHeaderBytes));
    parser.body_limit(kMaxRequestBytes);
    stream->tcp().expires_after(kHeadTime);
    co_await http::async_read_header(*stream, buffer, parser, asio::redirect_error(asio::use_awaitable, error));
    // The server, and all that it serves from, may have been destroyed while we waited.
    if (closed) co_return;
    if (error == http::error::header_limit) {
      co_await write(stream, rejection(431, rpc_error_body({}, kInvalidRequest, "the header is too large")));
      co_return;
    }
    if (error == http::error::body_limit) {
      co_await write(stream, rejection(413, rpc_error_body({}, kInvalidRequest, "the message is too large")));
      co_return;
    }
    if (error) {
      if (error.category() == make_error_code(http::error::bad_method).category() &&
          error != http::error::end_of_stream && error != http::error::partial_message)
        co_await write(stream, rejection(400, rpc_error_body({}, kInvalidRequest, "not an HTTP request")));
      co_return;
    }
    // An unauthorized caller is refused before it has sent much.
    const OwnOrigin own{tls != nullptr, acceptor.local_endpoint().port()};
    co_await prepared(options, bearer_in(parser.get()), executor);
    if (closed) co_return;
    const auto admitted = admit(parser.get(), options, own);
    if (const auto* refusal = std::get_if<PlainResponse>(&admitted)) {
      std::string text = rejection(refusal->status, refusal->body);
      if (refusal->status == 401) text.insert(text.find("\r\n") + 2, challenge(options));
      co_await write(stream, std::move(text));
      co_return;
    }
    is_known = !std::get<Caller>(admitted).is_public;
    const std::string holder = is_known ? token_holder(std::get<Caller>(admitted).principal) : "";
    const auto held = places.hold(holder, parser.chunked() ? kMaxRequestBytes : parser.content_length().value_or(0));
    if (!held || (is_known && !places.admit(stream.get(), holder))) {
      tell_crowded(HttpServerOptions::Crowded::kConnections);
      co_await write(stream, crowded());
      co_return;
    }
    if (field(parser.get(), "expect") == "100-continue") {
      if (!co_await write(stream, "HTTP/1.1 100 Continue\r\n\r\n")) co_return;
    }
    stream->tcp().expires_after(kRequestReadTime);
    co_await http::async_read(*stream, buffer, parser, asio::redirect_error(asio::use_awaitable, error));
    if (error == http::error::body_limit) {
      co_await write(stream, rejection(413, rpc_error_body({}, kInvalidRequest, "the message is too large")));
      co_return;
    }
    if (error || closed) co_return;
    stream->tcp().expires_never();
    const bool keep_alive = parser.keep_alive();
    Request request = parser.release();
    const bool events = accepts_events(request);
    const std::string token = bearer_in(request);
    Routed routed = route(std::move(request), std::get<Caller>(admitted));
    routed.still_counts = [this, token, is_known] { return !is_known || caller_with(token, options).has_value(); };
    routed.holder = holder;
    routed.reply->count_as(places.answers(), holder);
    const bool whole = co_await write_reply(stream, std::move(routed), keep_alive, events);
    if (!whole || !keep_alive) break;
  }
  if (stream->tls()) {
    stream->tcp().expires_after(std::chrono::seconds(5));
    co_await stream->tls()->async_shutdown(asio::redirect_error(asio::use_awaitable, error));
  } else {
    stream->tcp().socket().shutdown(Tcp::socket::shutdown_send, error);
  }
}

asio::awaitable<bool> HttpServer::State::write_reply(std::shared_ptr<HttpStream> stream, Routed routed, bool keep,
                                                     bool events) {
  const std::shared_ptr<HttpReply> reply = routed.reply;
  // Watches the client's side of the connection while nothing is read from it.
  auto watch = std::make_shared<asio::steady_timer>(executor);
  const auto watching = std::make_shared<std::function<void()>>();
  const std::weak_ptr<std::function<void()>> weak_watching = watching;
  *watching = [stream, reply, watch, weak_watching] {
    if (!stream->tcp().socket().is_open() || hung_up(stream->tcp().socket().native_handle())) return reply->detach();
    watch->expires_after(std::chrono::milliseconds(200));
    watch->async_wait([weak_watching](const Error& error) {
      if (const auto again = weak_watching.lock(); again && !error) (*again)();
    });
  };
  if (!reply->finished()) (*watching)();

  bool started = false;
  bool fine = true;
  while (fine) {
    if (!reply->attached() || closed) {
      fine = false;
      break;
    }
    if (reply->form() == HttpReply::Form::kWhole) {
      std::string text = reply->take();
      const auto held = places.hold_answer(routed.holder, text.size());
      if (!held) tell_crowded(HttpServerOptions::Crowded::kConnections);
      text = held ? head_text(*reply, text.size(), keep, routed.extra_head) + text : crowded();
      fine = co_await write(stream, std::move(text));
      fine = fine && held;
      break;
    }
    if (reply->form() == HttpReply::Form::kStream && !started) {
      started = true;
      fine = co_await write(stream, head_text(*reply, 0, keep, routed.extra_head));
      continue;
    }
    if (started && !routed.still_counts()) {
      fine = false;
      break;
    }
    if (started && !reply->empty()) {
      base::ByteShares::Held held;
      std::string piece = chunk(reply->take(&held));
      fine = co_await write(stream, std::move(piece));
      continue;
    }
    if (reply->finished()) {
      if (started) fine = co_await write(stream, "0\r\n\r\n");
      break;
    }
    Error error;
    reply->changed().expires_after(kKeepAlive);
    co_await reply->changed().async_wait(asio::redirect_error(asio::use_awaitable, error));
    if (!error && (started || events)) reply->add(": alive\n\n");
  }
  watch->cancel();
  if (!fine) reply->detach();
  if (!fine && routed.on_hang_up) routed.on_hang_up();
  co_return fine;
}

Routed HttpServer::State::plain(int status, std::string body, std::string extra_head) {
  auto reply = std::make_shared<HttpReply>(executor);
  reply->whole(status, std::move(body));
  return {std::move(reply), std::move(extra_head), nullptr};
}

Routed HttpServer::State::route(Request request, const Caller& caller) {
  // A web page cannot send this type without a CORS preflight.
  if (request.method() == http::verb::post && !is_json(request))
    return plain(415, rpc_error_body({}, kInvalidRequest, "the content type must be application/json"));
  const std::string_view target = view(request.target());
  if (target.substr(0, target.find('?')) != options.path) {
    if (!other_paths) return plain(404);
    PlainRequest plain_request{caller, std::string(view(request.method_string())), std::string(target),
                               std::move(request.body()), field(request, "last-event-id").value_or("")};
    auto reply = std::make_shared<HttpReply>(executor);
    std::function<void()> on_hang_up;
    if (streams && streams(plain_request, reply, on_hang_up)) return {std::move(reply), {}, std::move(on_hang_up)};
    PlainResponse response = other_paths(plain_request);
    reply->whole(response.status, std::move(response.body), std::move(response.content_type), std::move(response.head));
    return {std::move(reply), {}, nullptr};
  }
  switch (request.method()) {
    case http::verb::post: return post(std::move(request), caller);
    case http::verb::get: return get(request, caller);
    case http::verb::delete_: return erase(request, caller);
    default: return plain(405, {}, "Allow: GET, POST, DELETE\r\n");
  }
}

Routed HttpServer::State::post(Request request, const Caller& caller) {
  auto message = Message::parse(std::move(request.body()), {.max_depth = kMaxMessageDepth, .unique_keys = true});
  if (!message) return plain(400, rpc_error_body({}, kParseError, message.failure().message));
  const HeaderLookup header = [&](std::string_view name) { return field(request, name); };
  if (era_of(*message, header) == Era::kModern) return post_modern(std::move(message).value(), header, caller);
  return post_legacy(std::move(message).value(), request, caller);
}

Routed HttpServer::State::post_modern(Message message, const HeaderLookup& header, const Caller& caller) {
  if (message.kind() == MessageKind::kNotification) return plain(202);
  if (message.kind() != MessageKind::kRequest)
    return plain(400, rpc_error_body({}, kInvalidRequest, "a request or a notification was expected"));
  if (const auto error = check_modern_headers(message, header, *core))
    return plain(400, error_text(message.id(), *error));
  auto reply = std::make_shared<HttpReply>(executor);
  const auto peer = core->connect(caller, caller.principal);
  peer->receive(std::move(message), std::make_shared<ModernOutlet>(reply), header("traceparent").value_or(""));
  return {reply, {}, [peer] { peer->close(); }};
}

std::shared_ptr<ServerSession> HttpServer::State::session_of(const Request& request, const Caller& caller,
                                                             Routed* refusal) {
  const auto id = field(request, "mcp-session-id");
  if (!id) {
    *refusal = plain(400, rpc_error_body({}, kInvalidRequest, "Mcp-Session-Id is missing; begin with initialize"));
    return nullptr;
  }
  const auto found = sessions.find(*id);
  // A session belongs to the client that began it.
  if (!found || found->peer()->principal() != caller.principal) {
    *refusal = plain(404, rpc_error_body({}, kInvalidRequest, "there is no such session"));
    return nullptr;
  }
  // Revisions differ in details that every session can serve; it only matters that we know the revision.
  const auto version = field(request, "mcp-protocol-version");
  if (version && !is_legacy_revision(*version)) {
    *refusal = plain(400, rpc_error_body({}, kUnsupportedVersion, "Unsupported protocol version"));
    return nullptr;
  }
  found->last_used = std::chrono::steady_clock::now();
  return found;
}

Routed HttpServer::State::post_legacy(Message message, const Request& request, const Caller& caller) {
  auto reply = std::make_shared<HttpReply>(executor);
  if (message.kind() == MessageKind::kRequest && message.method() == "initialize") {
    const auto version = field(request, "mcp-protocol-version");
    if (version && !is_legacy_revision(*version))
      return plain(400, rpc_error_body(message.id(), kUnsupportedVersion, "Unsupported protocol version"));
    const auto evicted = [this] { tell_crowded(HttpServerOptions::Crowded::kSessionEvicted); };
    if (!sessions.make_room(token_holder(caller.principal), evicted)) {
      tell_crowded(HttpServerOptions::Crowded::kSessions);
      return plain(503, rpc_error_body(message.id(), kServerBusy, "too many sessions; try again later"), kRetryAfter);
    }
    auto session = std::make_shared<ServerSession>(random_token(), core->connect(caller), sessions.kept());
    session->peer()->receive(std::move(message), session->open_stream(reply));
    if (!session->peer()->initialized()) return {reply, {}, nullptr};
    sessions.add(session);
    return {reply, "Mcp-Session-Id: " + session->id() + "\r\n", nullptr};
  }
  Routed refusal;
  const auto session = session_of(request, caller, &refusal);
  if (!session) return refusal;
  if (message.kind() != MessageKind::kRequest) {
    session->peer()->receive(std::move(message), nullptr);
    return plain(202);
  }
  session->peer()->receive(std::move(message), session->open_stream(reply), field(request, "traceparent").value_or(""));
  // The work continues when the connection breaks: the client may reconnect for the answer.
  return {reply, {}, nullptr};
}

Routed HttpServer::State::get(const Request& request, const Caller& caller) {
  if (field(request, "mcp-protocol-version") == std::string(kModernRevision)) return plain(405, {}, "Allow: POST\r\n");
  const auto accept = field(request, "accept");
  if (!accept || accept->find("text/event-stream") == accept->npos) return plain(406);
  Routed refusal;
  const auto session = session_of(request, caller, &refusal);
  if (!session) return refusal;
  auto reply = std::make_shared<HttpReply>(executor);
  switch (session->attach(reply, field(request, "last-event-id").value_or(""))) {
    case ServerSession::Attached::kTaken:
      return plain(409, rpc_error_body({}, kInvalidRequest, "this session already has a stream"));
    case ServerSession::Attached::kUnknownEvent:
      return plain(400, rpc_error_body({}, kInvalidRequest, "this event is no longer known"));
    case ServerSession::Attached::kYes: break;
  }
  return {reply, {}, nullptr};
}

Routed HttpServer::State::erase(const Request& request, const Caller& caller) {
  if (field(request, "mcp-protocol-version") == std::string(kModernRevision)) return plain(405, {}, "Allow: POST\r\n");
  Routed refusal;
  const auto session = session_of(request, caller, &refusal);
  if (!session) return refusal;
  sessions.end(session->id());
  return plain(200);
}

}  // namespace glovebox::mcp
