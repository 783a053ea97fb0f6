// Draws a workflow on a terminal: layers, tasks, what each waits for, and its progress. Its input is the workflow's
// events.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "store/workflows/workflow_records.h"
#include "workflow/definition/definition.h"

namespace glovebox::cli {

class WorkflowGraph {
 public:
  WorkflowGraph(const workflow::Definition& definition, const std::vector<store::TaskRecord>& tasks);

  void apply(const store::WorkflowEvent& event);
  // All lines, without anything that moves a cursor. `rows` is how many there may be; with more tasks than that, layers
  // are shown in one line each.
  std::vector<std::string> lines(std::size_t rows) const;

 private:
  struct Node {
    std::string status = "pending";
    std::vector<std::string> dependencies;
    std::string remark;
  };
  std::vector<std::vector<std::string>> layers_;
  std::map<std::string, Node> nodes_;
  std::string footer_;
};

// Draws over what it drew before.
class GraphScreen {
 public:
  void show(const WorkflowGraph& graph);

 private:
  std::size_t drawn_ = 0;
};

}  // namespace glovebox::cli
