#include "hostile_server.h"

#include <chrono>
#include <functional>
#include <map>
#include <string>
#include <thread>

#include "net/compressed_samples.h"

namespace glovebox::attack {
namespace {

using net::testing::Connection;
using net::testing::gzip_of;
using net::testing::ok_response;

const std::string& zeros() {
  static const std::string bytes(std::size_t{1} << 20, '0');
  return bytes;
}
const std::string& bomb() {
  static const std::string bytes = gzip_of(std::string(std::size_t{16} << 20, '0'));
  return bytes;
}

const std::string& many_headers() {
  static const std::string head = [] {
    std::string text = "HTTP/1.1 200 OK\r\n";
    for (int i = 0; i < 100'000; ++i) text += "x-" + std::to_string(i) + ": y\r\n";
    return text + "Content-Length: 0\r\n\r\n";
  }();
  return head;
}
const std::string& long_header() {
  static const std::string head = "HTTP/1.1 200 OK\r\nX: " + zeros() + "\r\nContent-Length: 0\r\n\r\n";
  return head;
}

std::string redirect(const std::string& status, const std::string& location) {
  return "HTTP/1.1 " + status + " Elsewhere\r\nLocation: " + location + "\r\nContent-Length: 0\r\n\r\n";
}

bool drip(Connection& connection, std::string_view text) {
  while (connection.send(text)) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  return false;
}

bool send_forever(Connection& connection) {
  while (connection.send(zeros())) {
  }
  return false;
}

// Returns whether the connection continues. `rest` is what follows the first '?' of the path.
using Act = std::function<bool(Connection&, const std::string& head, const std::string& rest)>;

Act always(std::string response, bool goes_on = true) {
  return [response = std::move(response), goes_on](Connection& connection, const auto&, const auto&) {
    return connection.send(response) && goes_on;
  };
}

const std::map<std::string, Act>& acts() {
  static const std::map<std::string, Act> table = {
      {"/ok", always(ok_response("ok"))},
      {"/echo", [](Connection& c, const auto& head, const auto&) { return c.send(ok_response(head)); }},
      {"/to", [](Connection& c, const auto&, const auto& rest) { return c.send(redirect("302", rest)); }},
      {"/to307", [](Connection& c, const auto&, const auto& rest) { return c.send(redirect("307", rest)); }},
      {"/to308", [](Connection& c, const auto&, const auto& rest) { return c.send(redirect("308", rest)); }},
      {"/loop", always(redirect("302", "/loop"))},
      {"/flip", always(redirect("302", "/flop"))},
      {"/flop", always(redirect("302", "/flip"))},
      {"/longer",
       [](Connection& c, const auto&, const auto& rest) { return c.send(redirect("302", "/longer?" + rest + "x")); }},
      {"/no-location", always("HTTP/1.1 302 Elsewhere\r\nContent-Length: 0\r\n\r\n")},
      {"/two-locations",
       always("HTTP/1.1 302 Elsewhere\r\nLocation: /ok\r\nLocation: http://127.0.0.1/\r\nContent-Length: 0\r\n\r\n")},
      {"/huge",
       [](Connection& c, const auto&, const auto&) { return c.send("HTTP/1.1 200 OK\r\n\r\n") && send_forever(c); }},
      {"/huge-length",
       [](Connection& c, const auto&, const auto&) {
         return c.send("HTTP/1.1 200 OK\r\nContent-Length: 9007199254740993\r\n\r\n") && send_forever(c);
       }},
      {"/bomb",
       [](Connection& c, const auto&, const auto&) {
         return c.send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: " + std::to_string(bomb().size()) +
                       "\r\n\r\n") &&
                c.send(bomb());
       }},
      {"/bomb-in-bomb",
       [](Connection& c, const auto&, const auto&) {
         const std::string twice = gzip_of(bomb());
         return c.send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip, gzip\r\nContent-Length: " +
                       std::to_string(twice.size()) + "\r\n\r\n" + twice);
       }},
      {"/encodings", always(
                         "HTTP/1.1 200 OK\r\nContent-Encoding: " +
                             [] {
                               std::string all = "gzip";
                               for (int i = 0; i < 200; ++i) all += ", gzip";
                               return all;
                             }() +
                             "\r\nContent-Length: 3\r\n\r\nabc",
                         false)},
      {"/not-gzip", always("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc", false)},
      {"/drip",
       [](Connection& c, const auto&, const auto&) {
         return c.send("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n") && drip(c, "x");
       }},
      {"/drip-head",
       [](Connection& c, const auto&, const auto&) { return c.send("HTTP/1.1 200 OK\r\nX: ") && drip(c, "x"); }},
      {"/silence", [](Connection& c, const auto&, const auto&) { return c.wait_until_closed(), false; }},
      {"/interim",
       [](Connection& c, const auto&, const auto&) { return drip(c, "HTTP/1.1 103 Early Hints\r\nX: y\r\n\r\n"); }},
      {"/many-headers", [](Connection& c, const auto&, const auto&) { return c.send(many_headers()); }},
      {"/long-header", [](Connection& c, const auto&, const auto&) { return c.send(long_header()); }},
      {"/header-forever",
       [](Connection& c, const auto&, const auto&) { return c.send("HTTP/1.1 200 OK\r\nX: ") && send_forever(c); }},
      {"/split-header", always("HTTP/1.1 200 OK\r\nX-A: 1\nX-B: 2\rX-C: 3\r\n\r\n", false)},
      {"/bad-header", always(std::string("HTTP/1.1 200 OK\r\nX-\0A: 1\r\nContent-Length: 0\r\n\r\n", 48), false)},
      {"/control-header", always("HTTP/1.1 200 \x1b[2JOK\r\nX-A: \x1b[31m\x9b\r\nContent-Length: 2\r\n\r\nok")},
      {"/short", always("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc", false)},
      {"/two-lengths", always("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 5\r\n\r\nabcde", false)},
      {"/negative-length", always("HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\nabc", false)},
      {"/both-lengths",
       always("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n", false)},
      {"/chunk-huge", always("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\nabc", false)},
      {"/chunk-negative", always("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\nabc\r\n0\r\n\r\n", false)},
      {"/chunk-cut", always("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab", false)},
      {"/chunk-extension",
       [](Connection& c, const auto&, const auto&) {
         return c.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;") && send_forever(c);
       }},
      {"/trailer-forever",
       [](Connection& c, const auto&, const auto&) {
         return c.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nX: ") && send_forever(c);
       }},
      {"/spill",
       always("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nFORGED")},
      {"/cookie", always(ok_response("ok", "Set-Cookie: a=SECRETCOOKIE; Domain=test; Path=/\r\n"))},
      {"/switch",
       always("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\nraw", false)},
      {"/alt",
       always(ok_response(
           "ok", "Alt-Svc: h2=\"127.0.0.1:80\"; ma=9999, h3=\":80\"\r\nRefresh: 0; url=http://127.0.0.1/\r\n"))},
      {"/need", always("HTTP/1.1 401 No\r\nWWW-Authenticate: Negotiate\r\nWWW-Authenticate: NTLM\r\nWWW-Authenticate: "
                       "Basic realm=x\r\nContent-Length: 2\r\n\r\nno")},
      {"/need-proxy", always("HTTP/1.1 407 No\r\nProxy-Authenticate: Basic realm=x\r\nContent-Length: 2\r\n\r\nno")},
      {"/not-http", always("SSH-2.0-OpenSSH_9.2\r\n", false)},
      {"/old", always("<html>old</html>", false)},
  };
  return table;
}

}  // namespace

void prepare_harm() {
  (void)bomb();
  (void)many_headers();
  (void)long_header();
  (void)acts();
}

void serve_harm(Connection& connection) {
  while (true) {
    const std::string head = connection.read_request_head();
    if (head.empty()) return;
    const std::size_t from = head.find(' ') + 1;
    const std::string target = head.substr(from, head.find(' ', from) - from);
    const std::size_t question = std::min(target.find('?'), target.size());
    const std::string rest = question < target.size() ? target.substr(question + 1) : "";
    const auto act = acts().find(target.substr(0, question));
    const bool goes_on = act == acts().end() ? connection.send("HTTP/1.1 404 None\r\nContent-Length: 0\r\n\r\n")
                                             : act->second(connection, head, rest);
    // The rest of a request's body is not read, so the connection ends.
    if (!goes_on || head.find("ontent-Length") != std::string::npos || head.find("hunked") != std::string::npos) return;
  }
}

}  // namespace glovebox::attack
