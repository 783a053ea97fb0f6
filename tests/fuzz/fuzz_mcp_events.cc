// A stream of events means the same however it is cut, and costs no more than its limit.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "expect.h"
#include "mcp/http/sse.h"

namespace fuzz_mcp_events {

namespace {

using namespace glovebox::mcp;

// The first byte says how the stream is cut.
std::vector<std::string> read(std::string_view text, std::size_t piece, bool* fine) {
  SseReader reader(256);
  std::vector<std::string> events;
  *fine = true;
  for (std::size_t i = 0; i < text.size() && *fine; i += piece)
    *fine = reader
                .feed(text.substr(i, piece),
                      [&](SseEvent event) {
                        FUZZ_EXPECT(event.data.size() <= 256);
                        events.push_back(event.name + "|" + event.id + "|" + event.data);
                      })
                .ok();
  return events;
}

}  // namespace

FUZZ_TARGET(mcp_events) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  bool whole_fine = false;
  bool cut_fine = false;
  const auto whole = read(text, text.size() + 1, &whole_fine);
  const auto cut = read(text, data[0] % 16 + 1, &cut_fine);
  FUZZ_EXPECT(whole_fine == cut_fine);
  if (whole_fine) FUZZ_EXPECT(whole == cut);
  return 0;
}

}  // namespace fuzz_mcp_events
