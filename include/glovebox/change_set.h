// What a run with FileMode::kOverlay would change on the disk. Nothing is changed until commit().
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "glovebox/result.h"

namespace glovebox {

struct Change {
  enum class Kind { kCreated, kModified, kDeleted };
  std::string path;  // absolute
  Kind kind = Kind::kModified;
  std::optional<std::uint64_t> bytes_before;  // of a file that was there
  std::optional<std::uint64_t> bytes_after;   // of a file that will be
};
std::string_view name_of(Change::Kind kind);  // created, modified, deleted

// Copies refer to the same changes, which can be committed or dropped once. Dropped with the last copy. A run that did
// not finish has dropped its own; they can still be read.
class ChangeSet {
 public:
  class Layer;  // where the changes are kept
  ChangeSet() = default;
  explicit ChangeSet(std::shared_ptr<Layer> layer);

  bool exists() const { return layer_ != nullptr; }  // whether the run had an overlay at all
  const std::vector<Change>& changes() const;
  bool empty() const { return changes().empty(); }
  bool is_committed() const;
  // A file as the run left it, if the run may read it; beyond `most` bytes it is refused. Until they are committed or
  // dropped.
  Result<std::string> content_of(const std::string& path, std::size_t most) const;

  // All or nothing, also when this process is killed on the way: what is half done is finished or undone when the next
  // Sandbox starts. Fails with kConflict, and writes nothing, when a file was changed since the run saw it. `may_go_on`
  // is asked before each file that is put in place. Once it returns false, those that are there are taken back.
  Result<void> commit(const std::function<bool()>& may_go_on = {});
  void drop();

 private:
  std::shared_ptr<Layer> layer_;
};

// [{path, kind, bytesBefore, bytesAfter}, …]
std::string to_json(const ChangeSet& changes);

}  // namespace glovebox
