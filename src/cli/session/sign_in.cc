#include "cli/session/sign_in.h"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <memory>

#include "base/characters/ascii.h"
#include "base/hmac.h"
#include "mcp/http/http_rules.h"
#include "workspace/report.h"

namespace glovebox::cli {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;

// The port of the address to which authorization servers send the browser (mcp::OAuthOptions::redirect_uri).
constexpr unsigned short kPort = 33418;
constexpr std::string_view kHost = "127.0.0.1:33418";
constexpr std::size_t kMostHeadBytes = 32 * 1024;
constexpr std::chrono::minutes kSignInPatience{10};

constexpr std::string_view kThanks =
    "HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n"
    "Glovebox is signed in. You can close this window.\n";
constexpr std::string_view kNothingHere = "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";

struct Waiting : std::enable_shared_from_this<Waiting> {
  Waiting(const asio::any_io_executor& executor, std::string state, std::function<void(Result<std::string>)> done)
      : state(std::move(state)), acceptor(executor), patience(executor, kSignInPatience), done(std::move(done)) {}

  const std::string state;  // that only the page which we sent the person to knows
  tcp::acceptor acceptor;
  asio::steady_timer patience;
  std::function<void(Result<std::string>)> done;

  void finish(Result<std::string> result) {
    boost::system::error_code ignored;
    acceptor.close(ignored);
    patience.cancel();
    if (const auto callback = std::exchange(done, nullptr)) callback(std::move(result));
  }

  Result<void> start() {
    boost::system::error_code error;
    const tcp::endpoint here(asio::ip::address_v4::loopback(), kPort);
    acceptor.open(here.protocol(), error);
    if (!error) acceptor.set_option(tcp::acceptor::reuse_address(true), error);
    if (!error) acceptor.bind(here, error);
    if (!error) acceptor.listen(8, error);
    if (error) return Failure{ErrorCode::kSystem, "cannot wait for the browser at port 33418: " + error.message()};
    patience.async_wait([weak = weak_from_this()](const boost::system::error_code& cancelled) {
      const auto self = weak.lock();
      if (self && !cancelled) self->finish(Failure{ErrorCode::kSystem, "the sign-in was not completed"});
    });
    accept();
    return {};
  }

  void accept() {
    auto socket = std::make_shared<tcp::socket>(acceptor.get_executor());
    acceptor.async_accept(*socket, [self = shared_from_this(), socket](const boost::system::error_code& error) {
      if (error) return;
      self->read(socket);
      self->accept();
    });
  }

  void read(const std::shared_ptr<tcp::socket>& socket) {
    auto head = std::make_shared<std::string>();
    asio::async_read_until(*socket, asio::dynamic_buffer(*head, kMostHeadBytes), "\r\n\r\n",
                           [self = shared_from_this(), socket, head](const boost::system::error_code& error, auto) {
                             if (error || !self->done) return;
                             const std::string url = redirected_url(*head, self->state);
                             asio::async_write(*socket, asio::buffer(url.empty() ? kNothingHere : kThanks),
                                               [self, socket, url](const boost::system::error_code&, auto) {
                                                 boost::system::error_code ignored;
                                                 socket->shutdown(tcp::socket::shutdown_both, ignored);
                                                 if (!url.empty() && self->done) self->finish(url);
                                               });
                           });
  }
};

// The value of the one Host field; empty when there is none, or more.
std::string_view host_in(std::string_view head) {
  std::string_view host;
  std::size_t fields = 0;
  for (std::size_t line = head.find("\r\n"); line != head.npos; line = head.find("\r\n", line + 2)) {
    std::string_view field = head.substr(line + 2, head.find("\r\n", line + 2) - line - 2);
    if (!base::equal_ignoring_case(field.substr(0, 5), "host:")) continue;
    host = base::trimmed(field.substr(5), " \t");
    ++fields;
  }
  return fields == 1 ? host : "";
}

}  // namespace

std::string_view state_in(std::string_view url) {
  constexpr std::string_view kState = "state=";
  for (std::size_t at = url.find('?'); at != url.npos; at = url.find('&', at + 1)) {
    const std::string_view rest = url.substr(at + 1);
    if (rest.starts_with(kState)) return rest.substr(kState.size(), rest.find_first_of("&#") - kState.size());
  }
  return "";
}

std::string redirected_url(std::string_view head, std::string_view state) {
  constexpr std::string_view kStart = "GET /callback?";
  if (!head.starts_with(kStart) || state.empty()) return "";
  const std::size_t end = head.find(' ', kStart.size());
  const std::size_t line = head.find("\r\n");
  if (end == head.npos || end > line) return "";
  const std::string_view target = head.substr(4, end - 4);
  // A page that uses another name for this machine, or does not know the state, is refused.
  if (host_in(head) != kHost || !base::equal_secrets(state_in(target), state)) return "";
  return "http://" + std::string(kHost) + std::string(target);
}

Visit sign_in_at_terminal(boost::asio::any_io_executor executor) {
  return [executor](const std::string& server, const std::string& url, std::function<void(Result<std::string>)> done) {
    const auto waiting = std::make_shared<Waiting>(executor, std::string(state_in(url)), std::move(done));
    if (const auto started = waiting->start(); !started)
      return asio::post(executor, [waiting, failure = started.failure()] { waiting->finish(failure); });
    print_note(server + " requires a sign-in. Open this page in a browser on this machine:\n  " + url);
  };
}

}  // namespace glovebox::cli
