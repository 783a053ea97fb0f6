// Plays the gateway for one real, sealed guest: starts a program, shows the test each of its calls and sends the test's
// answers in the order that the test chooses. So the guest's half of the bridge can be tested alone.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "jail/guest_process.h"
#include "jail/launcher.h"
#include "wire/frame.h"
#include "wire/limits.h"

namespace glovebox::guest_test {

struct HostCall {
  std::uint64_t id = 0;
  std::string op;
  std::string args;  // JSON
  std::string bytes;
};

class ScriptedGateway {
 public:
  using Script = std::function<void(const HostCall&)>;

  ScriptedGateway();

  // The frame that ended the program, `done` or `fail`; if there was none, what went wrong. Sleeps are answered here.
  std::string run(std::string_view code, Script script);

  void reply(std::uint64_t id, std::string_view value_json, std::string_view bytes = {});
  void refuse(std::uint64_t id, std::string_view error_json);

 private:
  std::optional<std::string> next_payload();
  void send(std::string_view payload);

  jail::ZygoteProcess zygote_;
  jail::GuestProcess guest_;
  wire::FrameReader frames_{wire::kMaxFrameBytes};
  std::int64_t now_ms_ = 1000;
};

}  // namespace glovebox::guest_test
