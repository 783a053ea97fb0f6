// Where unfinished work is kept: the layers of overlays, and plans of commits that a crash may interrupt.
//
//   <state>/lock                       held while a transaction is created or searched for
//   <state>/commit.lock                held by the one process that commits
//   <state>/transactions/<id>/         one overlay; see docs/formats.md
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/unique_fd.h"
#include "glovebox/result.h"
#include "vfs/file_tree.h"

namespace glovebox::vfs {

// The folders that may be used, best first: $XDG_STATE_HOME/glovebox or ~/.local/state/glovebox, then one in /var/tmp
// with the user's id. Not all exist.
std::vector<std::string> state_folder_candidates();

// One overlay's own folder. The process that holds its lock owns it, so that those of dead processes are recognized.
class Transaction {
 public:
  Transaction() = default;
  // In `state`, which is created if need be. It must be the user's own and closed to others.
  static Result<Transaction> create(const std::string& state);
  // Those that no process holds any more. Cheap when there is none, and nothing is created.
  static Result<std::vector<Transaction>> abandoned(const std::string& state);

  const std::string& id() const { return id_; }
  int folder() const { return folder_.get(); }
  bool valid() const { return folder_.valid(); }

  // A new, empty file of the layer, open for writing.
  TreeResult<base::UniqueFd> create_layer_file(std::uint64_t number) const;
  TreeResult<base::UniqueFd> open_layer_file(std::uint64_t number, int flags) const;
  void remove_layer_file(std::uint64_t number) const;
  int layer() const { return layer_.get(); }

  // Waits until no other process commits.
  Result<base::UniqueFd> lock_for_commit() const;
  // Removes it with all that is in it.
  void remove();

 private:
  base::UniqueFd state_;
  base::UniqueFd parent_;  // transactions/
  base::UniqueFd folder_;
  base::UniqueFd layer_;
  base::UniqueFd lock_;
  std::string id_;
};

std::string layer_file_name(std::uint64_t number);

}  // namespace glovebox::vfs
