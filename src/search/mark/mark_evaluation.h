// How often the mark "weak" is right: half of the catalogues that a request is tested with have no tool for it.
#pragma once

#include <functional>
#include <vector>

#include "search/evaluation.h"

namespace glovebox::search {

struct MarkMeasures {
  std::size_t queries = 0;
  double fits = 0;       // where a right tool exists: share with one of them among the best five, and not weak
  double none_fits = 0;  // where none exists: share whose tools are all weak
};

// Each query is tested with two catalogues of `among` tools, drawn at random but always the same: one with the tools
// that serve it, one without. `encoder` may be null: by words alone. `on_progress` is called with the number of tools
// that have vectors.
Result<MarkMeasures> evaluate_mark(const std::vector<LabelledTool>& tools, const std::vector<LabelledQuery>& queries,
                                   std::size_t among, Encoder* encoder,
                                   const std::function<void(std::size_t)>& on_progress);

}  // namespace glovebox::search
