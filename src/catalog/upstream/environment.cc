#include "catalog/upstream/environment.h"

#include <unistd.h>

#include <algorithm>
#include <string_view>

namespace glovebox::catalog {
namespace {

constexpr std::string_view kPassedOn[] = {
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "TERM",
    "TMPDIR",
    "LANG",
    "LANGUAGE",
    "TZ",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "NODE_EXTRA_CA_CERTS",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "NO_PROXY",
    "http_proxy",
    "https_proxy",
    "no_proxy",
};
constexpr std::string_view kPrefixes[] = {"LC_", "XDG_"};

bool is_passed_on(std::string_view name) {
  return std::find(std::begin(kPassedOn), std::end(kPassedOn), name) != std::end(kPassedOn) ||
         std::any_of(std::begin(kPrefixes), std::end(kPrefixes),
                     [&](std::string_view prefix) { return name.starts_with(prefix); });
}

}  // namespace

std::vector<std::string> server_environment(const std::map<std::string, std::string>& declared) {
  std::vector<std::string> all;
  bool has_path = declared.contains("PATH");
  for (char** entry = environ; entry && *entry; ++entry) {
    const std::string_view text = *entry;
    const std::size_t equals = text.find('=');
    if (equals == text.npos) continue;
    const std::string name(text.substr(0, equals));
    if (!is_passed_on(name) || declared.contains(name)) continue;
    has_path = has_path || name == "PATH";
    all.emplace_back(text);
  }
  if (!has_path) all.emplace_back("PATH=/usr/local/bin:/usr/bin:/bin");
  for (const auto& [name, value] : declared) all.push_back(name + "=" + value);
  return all;
}

}  // namespace glovebox::catalog
