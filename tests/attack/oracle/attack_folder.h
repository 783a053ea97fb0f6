// The folder that a hostile program is granted, and things around it that the program must not reach. Set up before its
// run, judged after it, removed at the end.
#pragma once

#include <string>
#include <vector>

#include "disk_snapshot.h"
#include "program_file.h"

namespace glovebox::attack {

class AttackFolder {
 public:
  // Creates what the program's `files:` lines say and replaces {folder} and {outside} by the paths in its code, grants
  // and expectations. Does nothing for a program without such lines.
  explicit AttackFolder(Program& program);
  ~AttackFolder();
  AttackFolder(const AttackFolder&) = delete;
  AttackFolder& operator=(const AttackFolder&) = delete;

  bool exists() const { return !parent_.empty(); }
  // What this user may not create, if anything: a device, a mount.
  const std::string& not_possible() const { return not_possible_; }
  std::string granted() const { return parent_ + "/root"; }
  std::string outside() const { return parent_ + "/outside"; }
  const std::string& token() const { return token_; }

  // Through GoogleTest's expectations:
  void judge_outcome(const Outcome& outcome) const;  // the token of the file outside is not in it
  void judge_outside() const;                        // nothing outside it was created, changed or removed
  // Nothing was created or changed that others may use. `committed`: by the commit of an overlay.
  void judge_inside(bool committed = false) const;
  void judge_untouched() const;  // an overlay: the granted folder is byte for byte as it was

 private:
  void plant_outside() const;
  void lay_out(const std::string& line);
  void make_special(const std::string& path, const std::string& what);

  std::string parent_;
  std::string token_;
  std::string not_possible_;
  std::vector<std::string> mounted_;
  DiskSnapshot outside_before_;
  DiskSnapshot inside_before_;
};

}  // namespace glovebox::attack
