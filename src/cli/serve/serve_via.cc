#include "cli/serve/serve_via.h"

#include <errno.h>
#include <unistd.h>

#include "base/characters/ascii.h"
#include "base/system_error.h"

namespace glovebox::cli {
namespace {

Failure bad_place(const std::string& place) {
  return {ErrorCode::kInvalidArgument,
          "--via takes ssh://[USER@]HOST[:PORT], docker://CONTAINER, wsl or wsl://DISTRIBUTION, not " + place};
}

// What begins with a dash would be an option of the program that leads there.
bool is_name(std::string_view text, std::string_view extra) {
  return base::is_word(text, extra) && text.front() != '-';
}

// ssh hands its words to a shell.
std::string quoted(const std::string& word) {
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

Result<std::vector<std::string>> by_ssh(std::string host, const std::vector<std::string>& serve,
                                        const std::string& place) {
  std::vector<std::string> command = {"ssh", "-T"};
  // [::1]:22 has colons of its own.
  const std::size_t colon = host.rfind(':');
  if (colon != host.npos && host.find(']', colon) == host.npos) {
    const std::string port = host.substr(colon + 1);
    if (port.size() > 5 || !base::is_number(port)) return bad_place(place);
    command.insert(command.end(), {"-p", port});
    host.resize(colon);
  }
  std::erase_if(host, [](char c) { return c == '[' || c == ']'; });
  if (!is_name(host, "._-@:%")) return bad_place(place);
  command.insert(command.end(), {"--", host});
  for (const std::string& word : serve) command.push_back(quoted(word));
  return command;
}

}  // namespace

Result<std::vector<std::string>> command_via(const std::string& place, const std::vector<std::string>& serve) {
  const std::size_t end = place.find("://");
  const std::string kind = place.substr(0, end);
  const std::string name = end == place.npos ? "" : place.substr(end + 3);
  std::vector<std::string> command;
  if (kind == "ssh" && end != place.npos) return by_ssh(name, serve, place);
  if (kind == "docker" && is_name(name, "._-")) {
    command = {"docker", "exec", "-i", name};
  } else if (kind == "wsl" && end == place.npos) {
    command = {"wsl.exe", "--"};
  } else if (kind == "wsl" && is_name(name, "._-")) {
    command = {"wsl.exe", "-d", name, "--"};
  } else {
    return bad_place(place);
  }
  command.insert(command.end(), serve.begin(), serve.end());
  return command;
}

Failure become(const std::vector<std::string>& command) {
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  ::execvp(words.front(), words.data());
  return base::system_failure(errno, "cannot start " + command.front());
}

}  // namespace glovebox::cli
