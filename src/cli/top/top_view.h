// The text of `glovebox top`, as pure functions of the store and a gateway's metrics.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "store/nodes.h"
#include "store/records.h"

namespace glovebox::cli {

// The lines of Prometheus' text format: what stands before the value, and the value. Other lines are left out.
using Samples = std::map<std::string, double>;
Samples read_samples(std::string_view text);
// The sum of all series of a name, whatever their labels; nothing where there is none.
std::optional<double> sum_of(const Samples& samples, std::string_view name, std::string_view label = {});
// By the value of one label.
std::map<std::string, double> by_label(const Samples& samples, std::string_view name, std::string_view label);

struct TopState {
  std::int64_t now = 0;  // milliseconds since 1970
  std::vector<store::NodeRecord> nodes;
  std::vector<store::RunRecord> runs;  // the newest first
  std::size_t approvals = 0;
  // Of a gateway that serves HTTP, now and at the poll before.
  std::optional<Samples> samples;
  std::optional<Samples> before;
  double seconds = 0;        // between the two
  std::string no_samples{};  // why there are none
};

std::string top_text(const TopState& state, std::size_t width, std::size_t height);
std::string top_json(const TopState& state);

}  // namespace glovebox::cli
