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

CallError error(std::string message) {
  return {"Error", "", std::move(message)};
}

// As JSON.
Result<std::string, CallError> list_wheels(const std::string& folder) {
  const auto sums = base::read_whole_file(folder + kSums, kMaxSumsBytes);
  if (!sums) return error("the folder of wheels has no SHA256SUMS; create it with sha256sum *.whl > SHA256SUMS");
  base::ListText names;
  for (const Pin& pin : read_pins(sums.value())) names.text(pin.name);
  return names.done();
}

Result<std::string, CallError> read_wheel(const std::string& folder, const std::string& name) {
  const auto sums = base::read_whole_file(folder + kSums, kMaxSumsBytes);
  if (!sums) return error("the folder of wheels has no SHA256SUMS");
  for (const Pin& pin : read_pins(sums.value())) {
    if (pin.name != name) continue;
    auto wheel = base::read_whole_file(folder + "/" + name, kMaxWheelBytes);
    if (!wheel) return error("the wheel " + name + " cannot be read");
    if (base::sha256_hex(wheel.value()) != pin.digest)
      return error("the wheel " + name + " is not the one whose SHA-256 is in SHA256SUMS");
    return std::move(wheel).value();
  }
  return error("there is no wheel of this name in SHA256SUMS");
}

}  // namespace

std::shared_ptr<BodySink> WheelCalls::handle(const Call& call, std::shared_ptr<Answer> answer) {
  const bool lists = call.op == "python.wheels";
  const auto name = lists ? std::string() : call.arguments.text("name");
  if (!lists && (call.op != "python.wheel" || !name)) {
    answer->violation("a wheel operation that does not exist");
    return nullptr;
  }
  if (!lists) answer->about(*name);
  if (*reads_ || answer->unsent_bytes() > kMaxUnreadBytes) {
    answer->fail(error("earlier wheels have not been read yet"));
    return nullptr;
  }
  *reads_ = true;
  lane_.post([io = io_, reads = reads_, folder = folder_, lists, name = *name, answer = std::move(answer)]() mutable {
    auto found = lists ? list_wheels(folder) : read_wheel(folder, name);
    boost::asio::post(*io, [reads = std::move(reads), lists, answer = std::move(answer), found = std::move(found)] {
      *reads = false;
      if (!found) return answer->fail(found.failure());
      lists ? answer->value(*found) : answer->value_with_bytes("null", *found);
    });
  });
  return nullptr;
}

}  // namespace glovebox::calls
