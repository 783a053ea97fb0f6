// The storage behind a ChangeSet, hidden from the library's users.
#pragma once

#include <functional>
#include <vector>

#include "glovebox/change_set.h"

namespace glovebox {

class ChangeSet::Layer {
 public:
  virtual ~Layer() = default;
  virtual const std::vector<Change>& changes() const = 0;
  virtual bool is_committed() const = 0;
  virtual Result<std::string> content_of(const std::string& path, std::size_t most) = 0;
  virtual Result<void> commit(const std::function<bool()>& may_go_on) = 0;
  virtual void drop() = 0;
};

}  // namespace glovebox
