#include "workflow/definition/graph.h"

#include <algorithm>

namespace glovebox::workflow {

std::vector<std::size_t> layers_of(const Dependencies& dependencies) {
  const std::size_t count = dependencies.size();
  std::vector<std::size_t> open(count);
  std::vector<std::vector<std::size_t>> dependents(count);
  std::vector<std::size_t> ready;
  for (std::size_t task = 0; task < count; ++task) {
    open[task] = dependencies[task].size();
    for (const std::size_t on : dependencies[task]) dependents[on].push_back(task);
    if (open[task] == 0) ready.push_back(task);
  }
  std::vector<std::size_t> layers(count, 0);
  std::size_t done = 0;
  while (!ready.empty()) {
    const std::size_t task = ready.back();
    ready.pop_back();
    ++done;
    for (const std::size_t next : dependents[task]) {
      layers[next] = std::max(layers[next], layers[task] + 1);
      if (--open[next] == 0) ready.push_back(next);
    }
  }
  if (done != count) return {};
  return layers;
}

std::vector<std::size_t> find_cycle(const Dependencies& dependencies) {
  enum class Mark : char { kNew, kOpen, kDone };
  std::vector<Mark> marks(dependencies.size(), Mark::kNew);
  struct Step {
    std::size_t task;
    std::size_t next;
  };
  // A stack of our own: a chain of many thousand tasks must not overflow the thread's.
  std::vector<Step> way;
  for (std::size_t root = 0; root < dependencies.size(); ++root) {
    if (marks[root] != Mark::kNew) continue;
    way.push_back({root, 0});
    marks[root] = Mark::kOpen;
    while (!way.empty()) {
      Step& step = way.back();
      if (step.next == dependencies[step.task].size()) {
        marks[step.task] = Mark::kDone;
        way.pop_back();
        continue;
      }
      const std::size_t on = dependencies[step.task][step.next++];
      if (marks[on] == Mark::kOpen) {
        std::vector<std::size_t> cycle;
        auto from = std::find_if(way.begin(), way.end(), [on](const Step& other) { return other.task == on; });
        for (; from != way.end(); ++from) cycle.push_back(from->task);
        cycle.push_back(on);
        return cycle;
      }
      if (marks[on] == Mark::kNew) {
        marks[on] = Mark::kOpen;
        way.push_back({on, 0});
      }
    }
  }
  return {};
}

std::vector<bool> all_before(const Dependencies& dependencies, std::size_t task) {
  std::vector<bool> seen(dependencies.size());
  std::vector<std::size_t> open = dependencies[task];
  while (!open.empty()) {
    const std::size_t next = open.back();
    open.pop_back();
    if (seen[next]) continue;
    seen[next] = true;
    open.insert(open.end(), dependencies[next].begin(), dependencies[next].end());
  }
  return seen;
}

bool depends_on(const Dependencies& dependencies, std::size_t task, std::size_t on) {
  return all_before(dependencies, task)[on];
}

}  // namespace glovebox::workflow
