#include "cli/session/workflow_graph.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "base/text/log_text.h"
#include "mcp/json/json_tree.h"

namespace glovebox::cli {
namespace {

std::string sign_of(const std::string& status) {
  if (status == "running") return "◐";
  if (status == "retrying") return "↻";
  if (status == "completed") return "✓";
  if (status == "failed" || status == "failed_safe") return "✗";
  if (status == "skipped") return "–";
  if (status == "aborted") return "⊘";
  if (status == "unknown" || status == "waiting") return "?";
  return "·";
}

}  // namespace

WorkflowGraph::WorkflowGraph(const workflow::Definition& definition, const std::vector<store::TaskRecord>& tasks) {
  for (const workflow::Task& task : definition.tasks) nodes_[task.id].dependencies = task.dependencies;
  for (const store::TaskRecord& task : tasks) {
    const auto layer = static_cast<std::size_t>(task.layer);
    if (layers_.size() <= layer) layers_.resize(layer + 1);
    layers_[layer].push_back(task.id);
  }
}

void WorkflowGraph::apply(const store::WorkflowEvent& event) {
  const auto payload = mcp::parse_object(event.payload);
  if (!payload) return;
  const auto task = mcp::string_member(payload.value(), "task");
  if (event.type == "workflow_complete" || event.type == "workflow_abort") {
    footer_ = "workflow " + mcp::string_member(payload.value(), "status").value_or("");
  } else if (event.type == "decision_required" && !task) {
    footer_ = "waits for a decision by the " + mcp::string_member(payload.value(), "by").value_or("person");
  } else if (event.type == "layer_start") {
    footer_.clear();
  }
  if (!task) return;
  Node& node = nodes_[*task];
  if (event.type == "task_start") {
    node = {"running", std::move(node.dependencies), ""};
  } else if (event.type == "task_complete" || event.type == "task_error") {
    node.status = mcp::string_member(payload.value(), "status").value_or(node.status);
    if (const auto took = mcp::number_member(payload.value(), "durationMs")) {
      node.remark = std::to_string(static_cast<std::int64_t>(*took)) + " ms";
    }
    if (const auto* error = mcp::object_member(payload.value(), "error")) {
      node.remark = mcp::string_member(*error, "message").value_or("");
    }
  } else if (event.type == "decision_required") {
    node.status = "waiting";
    node.remark = "a person decides";
  }
}

std::vector<std::string> WorkflowGraph::lines(std::size_t rows) const {
  std::vector<std::string> all;
  const bool each = nodes_.size() + layers_.size() + 1 <= rows;
  for (std::size_t layer = 0; layer < layers_.size(); ++layer) {
    std::map<std::string, std::size_t> counts;
    for (const std::string& id : layers_[layer]) ++counts[nodes_.at(id).status];
    std::string head = "layer " + std::to_string(layer);
    for (const auto& [status, count] : counts) head += "  " + std::to_string(count) + " " + status;
    all.push_back(head);
    if (!each) continue;
    for (const std::string& id : layers_[layer]) {
      const Node& node = nodes_.at(id);
      std::string line = "  " + sign_of(node.status) + " " + id;
      for (std::size_t i = 0; i < node.dependencies.size(); ++i) line += (i == 0 ? " ← " : ", ") + node.dependencies[i];
      if (!node.remark.empty()) line += "   " + node.remark.substr(0, node.remark.find('\n'));
      all.push_back(base::neutralise(line));
    }
  }
  if (!footer_.empty()) all.push_back(footer_);
  return all;
}

void GraphScreen::show(const WorkflowGraph& graph) {
  winsize size{};
  ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size);
  const std::size_t rows = size.ws_row > 2 ? size.ws_row - 1u : 40;
  auto lines = graph.lines(rows);
  if (lines.size() > rows) lines.resize(rows);
  std::string out;
  if (drawn_ > 0) out += "\033[" + std::to_string(drawn_) + "A";
  for (const std::string& line : lines) out += "\033[2K" + line + "\n";
  for (std::size_t i = lines.size(); i < drawn_; ++i) out += "\033[2K\n";
  if (lines.size() < drawn_) out += "\033[" + std::to_string(drawn_ - lines.size()) + "A";
  drawn_ = lines.size();
  std::fwrite(out.data(), 1, out.size(), stdout);
  std::fflush(stdout);
}

}  // namespace glovebox::cli
