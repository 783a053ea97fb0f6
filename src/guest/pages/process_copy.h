// A copy of the zygote that tries something out and reports what it saw, so that the zygote itself stays as it is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

namespace glovebox::guest {

// Addresses in memory that a process shares with its copy. Adding one does not change what is examined.
class AddressList {
 public:
  AddressList();
  ~AddressList();
  AddressList(const AddressList&) = delete;
  AddressList& operator=(const AddressList&) = delete;

  bool add(std::uintptr_t address);
  std::span<const std::uintptr_t> addresses() const;

 private:
  struct Room;
  Room* room_ = nullptr;
};

// Has the copy note what it finds. False if it could not be made, failed, or said that it failed.
bool ask_copy(const std::function<bool(AddressList&)>& work, AddressList& found);

}  // namespace glovebox::guest
