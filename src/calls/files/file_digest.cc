#include "calls/files/file_digest.h"

#include <vector>

#include "base/digest.h"
#include "calls/files/run_disk.h"
#include "replay/call_digest.h"

namespace glovebox::calls {

std::optional<std::string> digest_of_file(const SandboxConfig& config, const std::string& path,
                                          std::size_t& most_bytes) {
  SandboxConfig reading = config;
  reading.file_mode = FileMode::kDirect;
  RunDisk disk(reading);
  const auto view = disk.view();
  if (!view) return std::nullopt;
  const auto source = view.value()->open_to_read(path);
  if (!source) return std::nullopt;
  base::Sha256 digest;
  std::vector<char> buffer(64 * 1024);
  while (true) {
    const auto got = source.value()->read(buffer);
    if (!got || got.value() > most_bytes) return std::nullopt;
    if (got.value() == 0) return digest.hex();
    most_bytes -= got.value();
    digest.add({buffer.data(), got.value()});
  }
}

}  // namespace glovebox::calls
