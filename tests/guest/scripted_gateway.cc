#include "scripted_gateway.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <stdexcept>

#include "base/program_part.h"
#include "base/text/json_text.h"
#include "jail/control_socket.h"
#include "jail/zygote_protocol.h"
#include "wire/data_frame.h"
#include "wire/json_members.h"

namespace glovebox::guest_test {
namespace {

jail::ZygoteProcess launch_zygote() {
  auto zygote = jail::ZygoteProcess::launch(
      {base::program_part("glovebox-engine"), base::program_part("libglovebox-guest.so"), 0, false});
  if (!zygote.ok()) throw std::runtime_error(zygote.failure().message);
  return std::move(zygote.value());
}

jail::GuestProcess fork_guest(jail::ZygoteProcess& zygote) {
  int ends[2] = {-1, -1};
  EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
  base::UniqueFd ours(ends[0]);
  const base::UniqueFd theirs(ends[1]);
  jail::Spawn request;
  EXPECT_TRUE(jail::send_packet(zygote.control_fd(), &request, sizeof request, theirs.get()));
  jail::GuestReport spawned;
  int pidfd = -1;
  EXPECT_GT(jail::receive_packet(zygote.control_fd(), &spawned, sizeof spawned, pidfd), 0);
  return std::move(jail::GuestProcess::adopt(1, std::move(ours), base::UniqueFd(pidfd), false).value());
}

}  // namespace

ScriptedGateway::ScriptedGateway() : zygote_(launch_zygote()), guest_(fork_guest(zygote_)) {}

std::string ScriptedGateway::run(std::string_view code, Script script) {
  send(R"({"frame":"run","lang":"js","name":"agent.ts","seed":"s","context":null,"memoryBytes":134217728,)"
       R"("maxOutputBytes":1048576,"maxLogBytes":65536,"now":)" +
       std::to_string(now_ms_) + R"(,"code":)" + base::json_string(code) + "}");
  while (const auto payload = next_payload()) {
    const auto frame = wire::JsonMembers::split(*payload);
    if (!frame) return "no frame: " + *payload;
    if (frame->word("frame") == "log") continue;
    if (frame->word("frame") != "call") {
      guest_.kill();
      // Which of clock and randomness it used is tested elsewhere.
      const auto used = frame->word("frame") == "done" ? payload->rfind(",\"used\":[") : std::string::npos;
      return used == std::string::npos ? *payload : payload->substr(0, used) + "}";
    }
    HostCall call{static_cast<std::uint64_t>(frame->integer("id").value_or(0)),
                  std::string(*frame->word("op")),
                  std::string(frame->raw("args")),
                  {}};
    const auto size = static_cast<std::size_t>(frame->integer("body").value_or(0));
    while (call.bytes.size() < size) {
      const auto data = next_payload();
      const auto piece = data ? wire::read_data(*data) : std::nullopt;
      if (!piece || piece->call_id != call.id) return "no data after its call";
      call.bytes += piece->bytes;
    }
    if (call.op == "sleep") {
      now_ms_ = wire::JsonMembers::split(call.args)->integer("until").value_or(now_ms_);
      reply(call.id, "null");
    } else {
      script(call);
    }
  }
  return "the guest ended without a word";
}

void ScriptedGateway::reply(std::uint64_t id, std::string_view value_json, std::string_view bytes) {
  if (!bytes.empty()) {
    char header[wire::kPrefixBytes + wire::kDataHeaderBytes];
    wire::write_data_header(header, id, bytes.size(), bytes.size());
    const std::string frame = std::string(header, sizeof header) + std::string(bytes);
    ASSERT_EQ(::send(guest_.socket(), frame.data(), frame.size(), MSG_NOSIGNAL), static_cast<ssize_t>(frame.size()));
  }
  send(R"({"frame":"reply","id":)" + std::to_string(id) + R"(,"now":)" + std::to_string(now_ms_) +
       R"(,"ok":true,"value":)" + std::string(value_json) + R"(,"body":)" + std::to_string(bytes.size()) + "}");
}

void ScriptedGateway::refuse(std::uint64_t id, std::string_view error_json) {
  send(R"({"frame":"reply","id":)" + std::to_string(id) + R"(,"now":)" + std::to_string(now_ms_) +
       R"(,"ok":false,"error":)" + std::string(error_json) + "}");
}

std::optional<std::string> ScriptedGateway::next_payload() {
  while (true) {
    std::string_view payload;
    switch (frames_.next(payload)) {
      case wire::FrameReader::State::kFrame: return std::string(payload);
      case wire::FrameReader::State::kNeedMore: break;
      default: return std::nullopt;
    }
    char buffer[65536];
    const ssize_t size = ::read(guest_.socket(), buffer, sizeof buffer);
    if (size <= 0) return std::nullopt;
    frames_.append({buffer, static_cast<std::size_t>(size)});
  }
}

void ScriptedGateway::send(std::string_view payload) {
  const std::string frame = wire::make_frame(payload);
  ASSERT_EQ(::send(guest_.socket(), frame.data(), frame.size(), MSG_NOSIGNAL), static_cast<ssize_t>(frame.size()));
}

}  // namespace glovebox::guest_test
