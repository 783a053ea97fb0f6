#include "workflow/definition/graph.h"

#include <algorithm>
#include <numeric>

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

Ancestors::Ancestors(const Dependencies& dependencies)
    : words_((dependencies.size() + 63) / 64), bits_(dependencies.size() * words_) {
  const std::vector<std::size_t> layers = layers_of(dependencies);
  std::vector<std::size_t> order(layers.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return layers[a] < layers[b]; });
  for (const std::size_t task : order) {
    std::uint64_t* const own = &bits_[task * words_];
    for (const std::size_t on : dependencies[task]) {
      const std::uint64_t* const theirs = &bits_[on * words_];
      for (std::size_t i = 0; i < words_; ++i) own[i] |= theirs[i];
      own[on / 64] |= std::uint64_t{1} << (on % 64);
    }
  }
}

}  // namespace glovebox::workflow
