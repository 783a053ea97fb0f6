#include "calls/python/wheel_calls.h"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <utility>
#include <vector>

#include "base/digest.h"
#include "base/text/json_builder.h"
#include "base/text/utf8.h"
#include "base/whole_file.h"

namespace glovebox::calls {
namespace {

constexpr const char* kSums = "/SHA256SUMS";
constexpr std::size_t kMaxSumsBytes = 1 << 20;
constexpr std::size_t kMaxWheelBytes = std::size_t{32} << 20;
// Of replies that the guest has not taken. Ours takes a wheel before it asks for the next.
constexpr std::size_t kMaxUnreadBytes = 2 * kMaxWheelBytes;
constexpr std::size_t kMaxWheels = 256;
constexpr std::size_t kDigestDigits = 2 * SHA256_DIGEST_SIZE;

struct Pin {
  std::string name;
  std::string digest;
};

bool is_wheel_name(std::string_view name) {
  return name.ends_with(".whl") && name.find('/') == std::string_view::npos && !name.starts_with('.') &&
         base::is_utf8(name);
}

// Parses lines of sha256sum: 64 digits, a space, a space or an asterisk, the name. Only wheels for any platform count:
// others hold machine code that could not run here.
std::vector<Pin> read_pins(std::string_view text) {
  std::vector<Pin> pins;
  for (std::size_t from = 0; from < text.size() && pins.size() < kMaxWheels;) {
    const std::size_t end = std::min(text.find('\n', from), text.size());
    const std::string_view line = text.substr(from, end - from);
    from = end + 1;
    if (line.size() < kDigestDigits + 3 || line[kDigestDigits] != ' ') continue;
    const std::string_view name = line.substr(kDigestDigits + 2);
    if (is_wheel_name(name) && name.ends_with("-none-any.whl")) {
      pins.push_back({std::string(name), std::string(line.substr(0, kDigestDigits))});
    }
  }
  return pins;
}

// What a call is answered with.
struct Found {
  std::string json = "null";
  std::string bytes{};
  std::string wrong{};  // a message; empty: nothing is
};

Found list_wheels(const std::string& folder) {
  const auto sums = base::read_whole_file(folder + kSums, kMaxSumsBytes);
  if (!sums) return {.wrong = "the folder of wheels has no SHA256SUMS; create it with sha256sum *.whl > SHA256SUMS"};
  base::ListText names;
  for (const Pin& pin : read_pins(sums.value())) names.text(pin.name);
  return {.json = names.done()};
}

Found read_wheel(const std::string& folder, const std::string& name) {
  const auto sums = base::read_whole_file(folder + kSums, kMaxSumsBytes);
  if (!sums) return {.wrong = "the folder of wheels has no SHA256SUMS"};
  for (const Pin& pin : read_pins(sums.value())) {
    if (pin.name != name) continue;
    auto wheel = base::read_whole_file(folder + "/" + name, kMaxWheelBytes);
    if (!wheel) return {.wrong = "the wheel " + name + " cannot be read"};
    if (base::sha256_hex(wheel.value()) != pin.digest)
      return {.wrong = "the wheel " + name + " is not the one whose SHA-256 is in SHA256SUMS"};
    return {.bytes = std::move(wheel).value()};
  }
  return {.wrong = "there is no wheel of this name in SHA256SUMS"};
}

void give(const Found& found, Answer& answer) {
  if (!found.wrong.empty()) return answer.fail({"Error", "", found.wrong});
  answer.value_with_bytes(found.json, found.bytes);
}

}  // namespace

std::shared_ptr<BodySink> WheelCalls::handle(const Call& call, std::shared_ptr<Answer> answer) {
  const std::string name = call.op == "python.wheel" ? call.arguments.text("name").value_or("") : "";
  if (call.op != "python.wheels" && name.empty()) {
    answer->violation("a wheel operation that does not exist");
    return nullptr;
  }
  if (!name.empty()) answer->about(name);
  waiting_.push_back({name, std::move(answer)});
  begin_next();
  return nullptr;
}

void WheelCalls::begin_next() {
  while (!is_reading_ && !waiting_.empty()) {
    const Wish wish = std::move(waiting_.front());
    waiting_.pop_front();
    if (wish.answer->unsent_bytes() > kMaxUnreadBytes) {
      give({.wrong = "earlier wheels have not been read yet"}, *wish.answer);
      continue;
    }
    is_reading_ = true;
    lane_.post([this, io = io_, folder = folder_, wish] {
      const auto found =
          std::make_shared<const Found>(wish.name.empty() ? list_wheels(folder) : read_wheel(folder, wish.name));
      boost::asio::post(*io, [this, wish, found] {
        if (!wish.answer->is_awaited()) return;  // the run is over, and this handler may be gone
        is_reading_ = false;
        give(*found, *wish.answer);
        begin_next();
      });
    });
  }
}

}  // namespace glovebox::calls
