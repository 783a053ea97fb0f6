#include "check/language_server.h"

#include <errno.h>
#include <poll.h>
#include <simdjson.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/system_error.h"
#include "base/text/json_builder.h"
#include "base/try.h"
#include "check/limits.h"

namespace glovebox::check {
namespace {

namespace dom = simdjson::dom;

constexpr std::size_t kMostHeaderBytes = 4096;

Failure breach(const char* what) {
  return {ErrorCode::kProtocol, std::string("the type checker broke the protocol: ") + what};
}

// The number after Content-Length in a header block; nothing when it is malformed.
std::optional<std::size_t> length_in(std::string_view header) {
  constexpr std::string_view kName = "Content-Length: ";
  const std::size_t at = header.find(kName);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view digits = header.substr(at + kName.size());
  std::size_t length = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), length);
  if (error != std::errc() || end == digits.data() || *end != '\r') return std::nullopt;
  return length;
}

}  // namespace

void LanguageServer::send(std::string_view message) {
  to_send_ += "Content-Length: " + std::to_string(message.size()) + "\r\n\r\n";
  to_send_ += message;
}

void LanguageServer::tell(std::string_view method, std::string_view params_json) {
  send(base::ObjectText().text("jsonrpc", "2.0").text("method", method).json("params", params_json).done());
}

Result<std::string> LanguageServer::ask(std::string_view method, std::string_view params_json, Deadline deadline) {
  const std::int64_t id = next_id_++;
  base::ObjectText request;
  request.text("jsonrpc", "2.0").number("id", id).text("method", method).json("params", params_json);
  send(request.done());
  answer_bytes_ = 0;
  dom::parser parser;
  while (true) {
    const std::string message = GLOVEBOX_TRY(next_message(deadline));
    dom::object object;
    if (parser.parse(message).get_object().get(object) != simdjson::SUCCESS) return breach("not JSON");
    std::string_view asked;
    const bool is_theirs = object["method"].get_string().get(asked) == simdjson::SUCCESS;
    dom::element its_id;
    const bool has_id = object["id"].get(its_id) == simdjson::SUCCESS;
    if (is_theirs) {
      // Its own requests are about editors: whether it may watch files, how wide a tab is.
      if (has_id) {
        base::ObjectText refusal;
        refusal.text("jsonrpc", "2.0").json("id", simdjson::minify(its_id));
        send(refusal.json("error", R"({"code":-32601,"message":"there is no editor"})").done());
      }
      continue;
    }
    std::int64_t answered = 0;
    if (!has_id || its_id.get_int64().get(answered) != simdjson::SUCCESS || answered != id) {
      return breach("an answer without a request");
    }
    dom::element result;
    if (object["result"].get(result) != simdjson::SUCCESS) {
      std::string_view why;
      if (object["error"]["message"].get_string().get(why) != simdjson::SUCCESS) why = "no reason";
      return Failure{ErrorCode::kProtocol, "the type checker failed: " + std::string(why.substr(0, 200))};
    }
    return simdjson::minify(result);
  }
}

Result<std::string> LanguageServer::take_message() {
  const std::size_t header_end = received_.find("\r\n\r\n");
  if (header_end == std::string::npos) {
    if (received_.size() > kMostHeaderBytes) return breach("a header without an end");
    return std::string();
  }
  if (header_end > kMostHeaderBytes) return breach("a header that is too long");
  const auto length = length_in(std::string_view(received_).substr(0, header_end + 2));
  if (!length || *length == 0) return breach("a header without a length");
  if (*length > kMostMessageBytes) return breach("a message that is too long");
  const std::size_t begin = header_end + 4;
  if (received_.size() < begin + *length) return std::string();
  std::string message = received_.substr(begin, *length);
  received_.erase(0, begin + *length);
  return message;
}

Result<std::string> LanguageServer::next_message(Deadline deadline) {
  while (true) {
    std::string message = GLOVEBOX_TRY(take_message());
    if (!message.empty()) return message;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0) return Failure{ErrorCode::kSandboxUnavailable, "the type checker took too long"};
    const bool writes = sent_ < to_send_.size();
    pollfd events[] = {{output_, POLLIN, 0}, {writes ? input_ : -1, POLLOUT, 0}, {stop_, POLLIN, 0}};
    const int ready = ::poll(events, 3, static_cast<int>(std::min<std::int64_t>(left.count(), 60'000)));
    if (ready < 0 && errno != EINTR) return base::system_failure(errno, "poll");
    if (ready <= 0) continue;
    if (events[2].revents) return Failure{ErrorCode::kSandboxUnavailable, "the type checker is being closed"};
    if (events[1].revents) GLOVEBOX_TRY_VOID(write_some());
    if (events[0].revents) GLOVEBOX_TRY_VOID(read_some());
  }
}

Result<void> LanguageServer::write_some() {
  const ssize_t count = ::write(input_, to_send_.data() + sent_, to_send_.size() - sent_);
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return {};
  if (count < 0) return Failure{ErrorCode::kSandboxUnavailable, "the type checker ended"};
  sent_ += static_cast<std::size_t>(count);
  if (sent_ < to_send_.size()) return {};
  to_send_.clear();
  sent_ = 0;
  return {};
}

Result<void> LanguageServer::read_some() {
  char buffer[64 * 1024];
  const ssize_t count = ::read(output_, buffer, sizeof buffer);
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return {};
  if (count <= 0) return Failure{ErrorCode::kSandboxUnavailable, "the type checker ended"};
  answer_bytes_ += static_cast<std::size_t>(count);
  if (answer_bytes_ > kMostAnswerBytes) return breach("too many words");
  received_.append(buffer, static_cast<std::size_t>(count));
  return {};
}

}  // namespace glovebox::check
