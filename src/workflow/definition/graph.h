// Tasks by their dependencies: in which layer each is, and which form a cycle.
#pragma once

#include <string>
#include <vector>

namespace glovebox::workflow {

// Dependencies of each task, as positions in the list.
using Dependencies = std::vector<std::vector<std::size_t>>;

// The layer of each task, from 0: one more than the highest of its dependencies. Empty when there is a cycle.
std::vector<std::size_t> layers_of(const Dependencies& dependencies);

// The tasks of one cycle, the first again at the end; empty when there is none.
std::vector<std::size_t> find_cycle(const Dependencies& dependencies);

// For each task whether `task` depends on it, directly or not. There must be no cycle.
std::vector<bool> all_before(const Dependencies& dependencies, std::size_t task);

// Whether `task` depends on `on`, directly or not. There must be no cycle.
bool depends_on(const Dependencies& dependencies, std::size_t task, std::size_t on);

}  // namespace glovebox::workflow
