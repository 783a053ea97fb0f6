#include "workflow/layer_question/layer_question.h"

#include <algorithm>

#include "base/digest.h"
#include "mcp/json/json_tree.h"
#include "mcp/server/request_state.h"

namespace glovebox::workflow {

LayerQuestion question_about(std::vector<Task> next_tasks) {
  // Sorted: the side that asks and the side that checks the answer may know them in different orders.
  std::sort(next_tasks.begin(), next_tasks.end(), [](const Task& a, const Task& b) { return a.id < b.id; });
  LayerQuestion question;
  for (const Task& task : next_tasks) question.tasks.push_back(to_json(task));
  question.digest = base::sha256_hex(mcp::sorted_json(question.tasks));
  return question;
}

}  // namespace glovebox::workflow
