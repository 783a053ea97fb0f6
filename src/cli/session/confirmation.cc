#include "cli/session/confirmation.h"

#include <boost/asio/io_context.hpp>
#include <random>

#include "cli/session/terminal_prompt.h"

namespace glovebox::cli {

std::optional<bool> confirmed_by_code(const gateway::ApprovalRequest& request, const std::string& note) {
  boost::asio::io_context loop;
  const auto terminal = TerminalPrompt::open(loop.get_executor());
  if (!terminal) return std::nullopt;
  bool said = false;
  const std::string code = std::to_string(1000 + std::random_device()() % 9000);
  terminal->ask_for_code(request, note, code, [&](const gateway::ApprovalAnswer& answer) { said = answer.approved; });
  loop.run();
  return said;
}

}  // namespace glovebox::cli
