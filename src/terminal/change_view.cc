#include "terminal/change_view.h"

#include <algorithm>

#include "base/text/log_text.h"

namespace glovebox::cli {
namespace {

// On one line, and without power over a terminal.
std::string path_text(const Change& change) {
  std::string text;
  for (const char c : base::neutralise(change.path))
    text += c == '\n' || c == '\t' ? std::string("?") : std::string(1, c);
  return text;
}

std::string size_text(const Change& change) {
  if (!change.bytes_before && !change.bytes_after) return "";
  const auto bytes = [](std::uint64_t count) { return std::to_string(count) + (count == 1 ? " byte" : " bytes"); };
  if (!change.bytes_before) return bytes(*change.bytes_after);
  if (!change.bytes_after) return bytes(*change.bytes_before);
  return std::to_string(*change.bytes_before) + " -> " + bytes(*change.bytes_after);
}

}  // namespace

std::string describe_changes(const ChangeSet& set, bool run_failed) {
  if (set.empty()) return "no changes to files\n";
  std::size_t width = 0;
  for (const Change& change : set.changes()) width = std::max(width, path_text(change).size());
  std::string text;
  for (const Change& change : set.changes()) {
    std::string line = "  ";
    line += name_of(change.kind);
    line.resize(12, ' ');
    line += path_text(change);
    if (const std::string size = size_text(change); !size.empty()) {
      line.resize(12 + width + 2, ' ');
      line += size;
    }
    text += line + "\n";
  }
  const std::size_t count = set.changes().size();
  const std::string files = std::to_string(count) + (count == 1 ? " change" : " changes");
  if (set.is_committed()) return text + files + ", written to the disk\n";
  return text + files + (run_failed ? ", dropped because the run failed\n" : ", dropped; --commit writes them\n");
}

}  // namespace glovebox::cli
