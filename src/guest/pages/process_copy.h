// A copy of the zygote that tries something out and tells what it saw, so that the zygote itself stays as it is.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace glovebox::guest {

// Addresses in memory that is mapped for them alone: noting one does not change what is looked at.
class AddressList {
 public:
  AddressList();
  bool add(std::uintptr_t address);
  std::span<const std::uintptr_t> addresses() const { return room_.first(count_); }

 private:
  std::span<std::uintptr_t> room_;
  std::size_t count_ = 0;
};

// What the copy noted; nothing if it could not be made, failed, or said that it failed.
std::vector<std::uintptr_t> ask_copy(const std::function<bool(AddressList&)>& work);

}  // namespace glovebox::guest
