#include "calls/python/wheel_calls.h"

#include <algorithm>
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

CallError error(std::string message) {
  return {"Error", "", std::move(message)};
}

}  // namespace

std::shared_ptr<BodySink> WheelCalls::handle(const Call& call, std::shared_ptr<Answer> answer) {
  const auto name = call.arguments.text("name");
  if (call.op == "python.wheels") {
    list(*answer);
  } else if (call.op == "python.wheel" && name) {
    answer->about(*name);
    read(*name, *answer);
  } else {
    answer->violation("a wheel operation that does not exist");
  }
  return nullptr;
}

void WheelCalls::list(Answer& answer) const {
  const auto sums = base::read_whole_file(folder_ + kSums, kMaxSumsBytes);
  if (!sums)
    return answer.fail(error("the folder of wheels has no SHA256SUMS; create it with sha256sum *.whl > SHA256SUMS"));
  base::ListText names;
  for (const Pin& pin : read_pins(sums.value())) names.text(pin.name);
  answer.value(names.done());
}

void WheelCalls::read(const std::string& name, Answer& answer) const {
  if (answer.unsent_bytes() > kMaxUnreadBytes) return answer.fail(error("earlier wheels have not been read yet"));
  const auto sums = base::read_whole_file(folder_ + kSums, kMaxSumsBytes);
  if (!sums) return answer.fail(error("the folder of wheels has no SHA256SUMS"));
  for (const Pin& pin : read_pins(sums.value())) {
    if (pin.name != name) continue;
    const auto wheel = base::read_whole_file(folder_ + "/" + name, kMaxWheelBytes);
    if (!wheel) return answer.fail(error("the wheel " + name + " cannot be read"));
    if (base::sha256_hex(wheel.value()) != pin.digest) {
      return answer.fail(error("the wheel " + name + " is not the one whose SHA-256 is in SHA256SUMS"));
    }
    return answer.value_with_bytes("null", wheel.value());
  }
  answer.fail(error("there is no wheel of this name in SHA256SUMS"));
}

}  // namespace glovebox::calls
