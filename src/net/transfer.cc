#include "net/transfer.h"

#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <cstring>

#include "base/characters/ascii.h"
#include "base/try.h"
#include "net/request_headers.h"
#include "net/trust/system_certificates.h"

namespace glovebox::net {
namespace {

template <typename T>
void set(CURL* easy, CURLoption option, T value) {
  // Fails only for options that this curl lacks or when out of memory. A policy that could not be set must not be
  // ignored.
  GLOVEBOX_CHECK(::curl_easy_setopt(easy, option, value) == CURLE_OK);
}

std::string os_error_text(CURL* easy) {
  long number = 0;
  ::curl_easy_getinfo(easy, CURLINFO_OS_ERRNO, &number);
  if (number == 0) return "could not connect";
  char buffer[128];
  return std::string(::strerror_r(static_cast<int>(number), buffer, sizeof buffer)) + " (os error " +
         std::to_string(number) + ")";
}

}  // namespace

Transfer::Transfer(std::shared_ptr<SessionState> session, HttpRequest request, HeadCallback on_head)
    : session_(std::move(session)),
      request_(std::move(request)),
      on_head_(std::move(on_head)),
      body_(std::move(request_.body)) {}

void Transfer::begin() {
  auto method = checked_method(request_.method);
  if (!method) return fail(std::move(method).failure());
  auto url = RequestUrl::parse(request_.url);
  if (!url) return fail(std::move(url).failure());
  auto headers = checked_request_headers(std::move(request_.headers));
  if (!headers) return fail(std::move(headers).failure());
  if (body_.present() && (*method == "GET" || *method == "HEAD")) {
    return fail({FetchError::Kind::kInvalid, "Request with GET/HEAD method cannot have body", ""});
  }
  hop_ = Hop{std::move(*method), std::move(*url), std::move(*headers), body_.present()};
  if (auto verdict = session_->grants.check_name(hop_->url.host(), hop_->url.port()); !verdict) {
    fail({FetchError::Kind::kDenied, verdict.failure().message, verdict.failure().target});
  }
}

CURL* Transfer::prepare(const Addresses& addresses) {
  easy_.reset(::curl_easy_init());
  GLOVEBOX_CHECK(easy_ != nullptr);
  CURL* easy = easy_.get();
  const RequestUrl& url = hop_->url;
  set(easy, CURLOPT_CURLU, url.handle());
  set_policy_options();
  set_request_options();

  // The resolved addresses, for this host alone. open_socket() decides about them; those that it would refuse are left
  // out here, because curl may wait in vain when it gets no socket for some of several.
  resolve_list_.reset();
  if (!addresses.empty()) {
    Addresses permitted;
    std::copy_if(addresses.begin(), addresses.end(), std::back_inserter(permitted),
                 [&](const policy::IpAddress& address) { return may_connect(address, url.port()); });
    if (permitted.empty()) permitted.push_back(addresses.front());  // to be refused
    std::string entry = "+" + url.host().text + ":" + std::to_string(url.port()) + ":";
    for (const auto& address : permitted) entry += (entry.back() == ':' ? "" : ",") + address.host_text();
    resolve_list_.reset(::curl_slist_append(nullptr, entry.c_str()));
    set(easy, CURLOPT_RESOLVE, resolve_list_.get());
  }
  head_ = ResponseHeadParser(session_->limits.max_header_bytes, session_->limits.max_headers);
  redirecting_ = false;
  redirect_body_bytes_ = 0;
  receive_paused_ = false;
  send_paused_ = false;
  denial_.reset();
  in_curl_ = true;
  return easy;
}

// What holds for every request of every session.
void Transfer::set_policy_options() {
  CURL* easy = easy_.get();
  set(easy, CURLOPT_PRIVATE, static_cast<void*>(this));
  set(easy, CURLOPT_SHARE, session_->connections.get());
  set(easy, CURLOPT_ERRORBUFFER, reason_);
  reason_[0] = 0;

  set(easy, CURLOPT_PROTOCOLS_STR, "http,https");
  set(easy, CURLOPT_FOLLOWLOCATION, 0L);
  set(easy, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
  set(easy, CURLOPT_HTTP09_ALLOWED, 0L);
  set(easy, CURLOPT_PROXY, "");
  set(easy, CURLOPT_NOPROXY, "*");
  set(easy, CURLOPT_NETRC, static_cast<long>(CURL_NETRC_IGNORED));
  set(easy, CURLOPT_NOSIGNAL, 1L);
  set(easy, CURLOPT_QUICK_EXIT, 1L);
  set(easy, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(session_->limits.connect_timeout.count()));

  set(easy, CURLOPT_SSL_VERIFYPEER, 1L);
  set(easy, CURLOPT_SSL_VERIFYHOST, 2L);
  set(easy, CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
  const std::string& certificates = session_->ca_file.empty() ? system_certificates() : session_->ca_file;
  if (!certificates.empty()) {
    set(easy, CURLOPT_CAINFO, certificates.c_str());
    set(easy, CURLOPT_CAPATH, static_cast<char*>(nullptr));
  }

  set(easy, CURLOPT_OPENSOCKETFUNCTION, &Transfer::open_socket);
  set(easy, CURLOPT_OPENSOCKETDATA, static_cast<void*>(this));
  set(easy, CURLOPT_PREREQFUNCTION, &Transfer::before_request);
  set(easy, CURLOPT_PREREQDATA, static_cast<void*>(this));
  set(easy, CURLOPT_HEADERFUNCTION, &Transfer::header_callback);
  set(easy, CURLOPT_HEADERDATA, static_cast<void*>(this));
  set(easy, CURLOPT_WRITEFUNCTION, &Transfer::write_callback);
  set(easy, CURLOPT_WRITEDATA, static_cast<void*>(this));
}

void Transfer::set_request_options() {
  CURL* easy = easy_.get();
  const bool sends_length_zero = hop_->method == "POST" || hop_->method == "PUT";
  if (hop_->method == "HEAD") {
    set(easy, CURLOPT_NOBODY, 1L);
  } else if (hop_->with_body || sends_length_zero) {
    set(easy, CURLOPT_UPLOAD, 1L);
    set(easy, CURLOPT_CUSTOMREQUEST, hop_->method.c_str());
    set(easy, CURLOPT_READFUNCTION, &Transfer::read_callback);
    set(easy, CURLOPT_READDATA, static_cast<void*>(this));
    set(easy, CURLOPT_SEEKFUNCTION, &Transfer::seek_callback);
    set(easy, CURLOPT_SEEKDATA, static_cast<void*>(this));
    const auto size = hop_->with_body ? body_.size() : std::uint64_t{0};
    if (size) set(easy, CURLOPT_INFILESIZE_LARGE, static_cast<curl_off_t>(*size));
    // A reused connection that the server has meanwhile closed would swallow a part of the stream.
    if (hop_->with_body && body_.streamed()) set(easy, CURLOPT_FRESH_CONNECT, 1L);
  } else {
    set(easy, CURLOPT_HTTPGET, 1L);
    set(easy, CURLOPT_CUSTOMREQUEST, hop_->method.c_str());
  }

  curl_slist* list = nullptr;
  const auto add = [&list](const std::string& line) {
    list = ::curl_slist_append(list, line.c_str());
    GLOVEBOX_CHECK(list != nullptr);
  };
  // Curl takes "name:" as "leave it out" and "name;" as "empty".
  for (const Header& header : hop_->headers) {
    add(header.value.empty() ? header.name + ";" : header.name + ": " + header.value);
  }
  if (!find_header(hop_->headers, "accept-encoding")) add(std::string("Accept-Encoding: ") + kAcceptedEncodings);
  if (!find_header(hop_->headers, "user-agent")) add("User-Agent: glovebox");
  add("Expect:");
  header_list_.reset(list);
  set(easy, CURLOPT_HTTPHEADER, header_list_.get());
}

bool Transfer::may_connect(const policy::IpAddress& address, std::uint16_t port) {
  const RequestUrl& url = hop_->url;
  if (port != url.port()) return false;
  auto verdict = session_->grants.check_address(url.host(), address, port);
  if (!verdict && !denial_) denial_ = verdict.failure();
  return verdict.ok();
}

// The final check of where a connection goes: this very address is passed to the kernel, whatever DNS said before or
// says next.
curl_socket_t Transfer::open_socket(void* self, curlsocktype purpose, curl_sockaddr* address) {
  if (purpose != CURLSOCKTYPE_IPCXN) return CURL_SOCKET_BAD;
  const auto ip = policy::IpAddress::from_sockaddr(&address->addr, address->addrlen);
  if (!ip) return CURL_SOCKET_BAD;
  const std::uint16_t port = address->family == AF_INET
                                 ? ntohs(reinterpret_cast<const sockaddr_in*>(&address->addr)->sin_port)
                                 : ntohs(reinterpret_cast<const sockaddr_in6*>(&address->addr)->sin6_port);
  if (!static_cast<Transfer*>(self)->may_connect(*ip, port)) return CURL_SOCKET_BAD;
  return ::socket(address->family, address->socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, address->protocol);
}

// A reused connection was vetted when it was made, for its own request. Now it is vetted for this one.
int Transfer::before_request(void* self, char* remote, char*, int remote_port, int) {
  const auto ip = policy::IpAddress::parse(remote);
  const bool good = ip && static_cast<Transfer*>(self)->may_connect(*ip, static_cast<std::uint16_t>(remote_port));
  return good ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT;
}

std::size_t Transfer::header_callback(char* data, std::size_t size, std::size_t count, void* self) {
  return static_cast<Transfer*>(self)->take_header_line({data, size * count});
}

std::size_t Transfer::take_header_line(std::string_view line) {
  const bool was_complete = head_.complete();
  if (auto fed = head_.feed(line); !fed) {
    error_ = fed.failure().kind == FetchError::Kind::kLimit ? limit_error(fed.failure().message)
                                                            : network_error(hop_->url, fed.failure().message);
    return 0;
  }
  if (head_.complete() && !was_complete) head_is_there();
  return line.size();
}

void Transfer::head_is_there() {
  redirecting_ = request_.redirect != RedirectMode::kManual && is_redirect(head_.status(), head_.headers());
  if (redirecting_) return;
  head_ready_ = true;
  const bool has_body = hop_->method != "HEAD" && head_.status() != 204 && head_.status() != 304;
  if (const Header* coding = find_header(head_.headers(), "content-encoding"); coding && has_body) {
    decoder_ = ContentDecoder::make(coding->value);
  }
}

std::size_t Transfer::write_callback(char* data, std::size_t size, std::size_t count, void* self) {
  return static_cast<Transfer*>(self)->take_body({data, size * count});
}

std::size_t Transfer::take_body(std::string_view bytes) {
  if (redirecting_) {
    redirect_body_bytes_ += bytes.size();
    return redirect_body_bytes_ > kMaxRedirectBodyBytes ? 0 : bytes.size();
  }
  const std::size_t room = anybody_read_ ? kWaitingBytes : kWaitingBytesBeforeRead;
  if (waiting_.size() >= room) {
    receive_paused_ = true;
    return CURL_WRITEFUNC_PAUSE;
  }
  received_bytes_ += bytes.size();
  if (received_bytes_ > session_->limits.max_response_bytes) {
    error_ =
        limit_error("the response is larger than " + std::to_string(session_->limits.max_response_bytes) + " bytes");
    return 0;
  }
  waiting_.append(bytes);
  return bytes.size();
}

std::size_t Transfer::read_callback(char* buffer, std::size_t size, std::size_t count, void* self) {
  auto* transfer = static_cast<Transfer*>(self);
  if (!transfer->hop_->with_body) return 0;
  const auto taken = transfer->body_.take({buffer, size * count});
  if (!taken) transfer->send_paused_ = true;
  return taken.value_or(CURL_READFUNC_PAUSE);
}

int Transfer::seek_callback(void* self, curl_off_t offset, int origin) {
  const bool good = offset == 0 && origin == SEEK_SET && static_cast<Transfer*>(self)->body_.rewind();
  return good ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_FAIL;
}

bool Transfer::finish_hop(CURLcode code) {
  in_curl_ = false;
  if (error_) return false;
  if (redirecting_) {
    if (request_.redirect == RedirectMode::kError) {
      fail(
          {FetchError::Kind::kNetwork, "Fetch failed: Encountered redirect while redirect mode is set to 'error'", ""});
      return false;
    }
    if (++redirects_ > session_->limits.max_redirects) {
      fail(network_error(hop_->url, "too many redirects"));
      return false;
    }
    auto next = next_hop(*hop_, head_.status(), head_.headers(), body_.replayable());
    if (!next) {
      fail(std::move(next).failure());
      return false;
    }
    hop_ = std::move(*next);
    body_.rewind();
    if (auto verdict = session_->grants.check_name(hop_->url.host(), hop_->url.port()); !verdict) {
      fail({FetchError::Kind::kDenied, verdict.failure().message, verdict.failure().target});
      return false;
    }
    return true;
  }
  if (code == CURLE_OK && head_ready_) {
    received_all_ = true;
  } else {
    error_ = error_of(code);
  }
  easy_.reset();
  return false;
}

FetchError Transfer::error_of(CURLcode code) const {
  if (denial_ && !head_ready_) return {FetchError::Kind::kDenied, denial_->message, denial_->target};
  const RequestUrl& url = hop_->url;
  if (head_ready_) return {FetchError::Kind::kNetwork, "error reading a body from connection", ""};
  switch (code) {
    case CURLE_COULDNT_CONNECT:
      return network_error(url, "client error (Connect): tcp connect error: " + os_error_text(easy_.get()));
    case CURLE_OPERATION_TIMEDOUT: return network_error(url, "client error (Connect): the connection took too long");
    case CURLE_PEER_FAILED_VERIFICATION:
      return network_error(url, std::string("client error (Connect): invalid peer certificate: ") +
                                    (reason_[0] ? reason_ : ::curl_easy_strerror(code)));
    case CURLE_SSL_CONNECT_ERROR: return network_error(url, "client error (Connect): the TLS handshake failed");
    case CURLE_OK:
    case CURLE_GOT_NOTHING:
    case CURLE_RECV_ERROR:
    case CURLE_SEND_ERROR:
    case CURLE_PARTIAL_FILE: return network_error(url, "connection closed before message completed");
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_WEIRD_SERVER_REPLY: return network_error(url, "the response is not valid HTTP");
    default: return network_error(url, ::curl_easy_strerror(code));
  }
}

FetchError Transfer::limit_error(std::string_view what) const {
  return {FetchError::Kind::kLimit,
          "error reading the response from url (" + hop_->url.text() + "): " + std::string(what), ""};
}

void Transfer::fail(FetchError error) {
  in_curl_ = false;
  // What was received is not needed any more.
  waiting_.clear();
  if (!error_) error_ = std::move(error);
  received_all_ = false;
  easy_.reset();
}

void Transfer::fail_lookup(const std::string& reason) {
  fail(network_error(hop_->url, "client error (Connect): dns error: failed to lookup address information: " + reason));
}

void Transfer::read(ReadCallback done) {
  if (on_read_) return done(FetchError{FetchError::Kind::kInvalid, "this body is already being read", ""});
  on_read_ = std::move(done);
  anybody_read_ = true;
}

void Transfer::write(std::string bytes, bool last, WriteCallback done) {
  const auto invalid = [&done](const char* why) { done(FetchError{FetchError::Kind::kInvalid, why, ""}); };
  if (!body_.streamed()) return invalid("the request has no body to be streamed");
  if (on_written_) return invalid("this body is already being written");
  if (body_.ended()) return invalid("the body has already ended");
  if (bytes.size() > kMaxWriteBytes) return invalid("a chunk of a body is too large");
  on_written_ = std::move(done);
  if (!body_.add(std::move(bytes), last)) {
    error_ = FetchError{FetchError::Kind::kInvalid, "the body of the request does not have the announced length", ""};
  } else if (in_curl_ && send_paused_) {
    resume();
  }
}

// Lifts the pauses of both directions; curl calls back at once, and pauses again what has no room or no bytes.
void Transfer::resume() {
  receive_paused_ = false;
  send_paused_ = false;
  const CURLcode code = ::curl_easy_pause(easy_.get(), CURLPAUSE_CONT);
  if (code != CURLE_OK && !error_) error_ = error_of(code);
}

// A decompressor keeps its window until its response is read to the end or cancelled, and a server may ask for a large
// one with a few bytes.
bool Transfer::decoders_have_room() {
  session_->decoder_bytes -= decoder_bytes_;
  decoder_bytes_ = decoder_->memory();
  session_->decoder_bytes += decoder_bytes_;
  if (session_->decoder_bytes <= session_->limits.max_decoder_bytes) return true;
  // Those under way go on.
  decoder_.reset();
  session_->decoder_bytes -= std::exchange(decoder_bytes_, 0);
  error_ = limit_error("too many compressed responses are being read at one time; read some to their end first");
  return false;
}

// The next bytes for a reader, or the end. False: neither is available yet, or it failed.
bool Transfer::next_chunk(Chunk& chunk) {
  std::string_view input = waiting_;
  if (decoder_) {
    const bool good = decoder_->decode(input, chunk.bytes, kReadBytes);
    waiting_.erase(0, waiting_.size() - input.size());
    if (!good) {
      error_ = network_error(hop_->url, "the response's compressed data is corrupt");
      return false;
    }
    if (!decoders_have_room()) return false;
  } else if (input.size() <= kReadBytes) {
    chunk.bytes = std::exchange(waiting_, {});
  } else {
    chunk.bytes = input.substr(0, kReadBytes);
    waiting_.erase(0, kReadBytes);
  }
  decoded_bytes_ += chunk.bytes.size();
  if (decoded_bytes_ > session_->limits.max_response_bytes) {
    error_ =
        limit_error("the response is larger than " + std::to_string(session_->limits.max_response_bytes) + " bytes");
    return false;
  }
  if (!chunk.bytes.empty()) return true;
  if (!received_all_ || !waiting_.empty()) return false;
  if (decoder_ && !decoder_->complete()) {
    error_ = network_error(hop_->url, "the response's compressed data is truncated");
    return false;
  }
  chunk.done = true;
  return true;
}

void Transfer::pump() {
  if (on_head_ && (head_ready_ || error_)) {
    const auto done = std::exchange(on_head_, nullptr);
    if (!head_ready_) {
      done(*error_);
    } else {
      ResponseHead head{head_.status(), head_.status_text(), hop_->url.text(), redirects_ > 0, head_.headers()};
      if (decoder_) {
        std::erase_if(head.headers, [](const Header& header) {
          return base::equal_ignoring_case(header.name, "content-encoding") ||
                 base::equal_ignoring_case(header.name, "content-length");
        });
      }
      done(std::move(head));
    }
  }
  while (on_read_ && head_ready_) {
    Chunk chunk;
    const bool lost_in_the_middle = error_ && error_->kind != FetchError::Kind::kNetwork;
    if (!lost_in_the_middle && next_chunk(chunk)) {
      std::exchange(on_read_, nullptr)(std::move(chunk));
    } else if (error_ || !receive_paused_ || !in_curl_) {
      break;
    }
    if (receive_paused_ && in_curl_ && waiting_.size() <= kWaitingBytes / 2) resume();
  }
  if (on_read_ && error_) std::exchange(on_read_, nullptr)(*error_);
  if (on_written_) {
    if (error_) {
      std::exchange(on_written_, nullptr)(*error_);
    } else if (received_all_ || (hop_ && !hop_->with_body)) {
      std::exchange(on_written_, nullptr)(false);
    } else if (body_.drained()) {
      std::exchange(on_written_, nullptr)(!body_.ended());
    }
  }
}

}  // namespace glovebox::net
