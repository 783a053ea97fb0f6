// Tasks by their dependencies: in which layer each is, and which form a cycle.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace glovebox::workflow {

// Dependencies of each task, as positions in the list.
using Dependencies = std::vector<std::vector<std::size_t>>;

// The layer of each task, from 0: one more than the highest of its dependencies. Empty when there is a cycle.
std::vector<std::size_t> layers_of(const Dependencies& dependencies);

// The tasks of one cycle, the first again at the end; empty when there is none.
std::vector<std::size_t> find_cycle(const Dependencies& dependencies);

// Which tasks depend on which, directly or not. There must be no cycle. One bit for each pair, made in one pass:
// following the dependencies of each task for itself would take seconds where many tasks wait for many.
class Ancestors {
 public:
  explicit Ancestors(const Dependencies& dependencies);
  // Whether `task` depends on `on`.
  bool has(std::size_t task, std::size_t on) const { return ((bits_[task * words_ + on / 64] >> (on % 64)) & 1) != 0; }

 private:
  std::size_t words_;  // of one task
  std::vector<std::uint64_t> bits_;
};

}  // namespace glovebox::workflow
