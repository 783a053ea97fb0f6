#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include "privacy/other_texts.h"

namespace glovebox::bench {
namespace {

namespace fs = std::filesystem;
constexpr std::uintmax_t kLargest = 4 << 20;

struct Read {
  std::size_t files = 0;
  std::size_t lines = 0;
  std::size_t bytes = 0;
  std::map<std::string, std::size_t> found;  // by entity and kind
};

void read_file(const privacy::Detector& detector, const fs::path& path, Read& read, bool verbose) {
  std::error_code error;
  if (!fs::is_regular_file(fs::symlink_status(path, error)) || fs::file_size(path, error) > kLargest) return;
  std::ifstream stream(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  if (text.empty() || text.find('\0') != std::string::npos) return;
  ++read.files;
  read.bytes += text.size();
  read.lines += static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1;
  for (const privacy::Finding& finding : detector.scan(text)) {
    std::string what(entity_name(finding.entity));
    if (!finding.kind.empty()) what += " " + std::string(finding.kind);
    ++read.found[what];
    if (!verbose) continue;
    const std::size_t begin = finding.begin > 40 ? finding.begin - 40 : 0;
    std::string around = text.substr(begin, std::min<std::size_t>(finding.end - begin + 10, 160));
    std::replace(around.begin(), around.end(), '\n', ' ');
    const std::string value = text.substr(finding.begin, std::min<std::size_t>(finding.end - finding.begin, 60));
    std::printf("%s\t%s\t%s\t%s\n", what.c_str(), value.c_str(), around.c_str(), path.c_str());
  }
}

}  // namespace

int measure_real_lines(const privacy::Detector& detector, const std::vector<std::string>& paths, bool verbose) {
  Read read;
  for (const std::string& path : paths) {
    std::error_code error;
    if (fs::is_regular_file(path, error)) read_file(detector, path, read, verbose);
    auto entries = fs::recursive_directory_iterator(path, fs::directory_options::skip_permission_denied, error);
    for (; !error && entries != fs::recursive_directory_iterator(); entries.increment(error)) {
      const std::string name = entries->path().filename();
      if (entries->is_directory() && (name == ".git" || name == "build")) entries.disable_recursion_pending();
      read_file(detector, entries->path(), read, verbose);
    }
  }
  std::printf("%zu files, %zu lines, %.1f MB\n| found | times | per 10,000 lines |\n|---|---|---|\n", read.files,
              read.lines, static_cast<double>(read.bytes) / 1e6);
  for (const auto& [what, times] : read.found)
    std::printf("| %s | %zu | %.3f |\n", what.c_str(), times,
                static_cast<double>(times) * 1e4 / static_cast<double>(std::max<std::size_t>(read.lines, 1)));
  return 0;
}

}  // namespace glovebox::bench
