// Which programs a run may start. A grant is one program, resolved once when the run is prepared; what PATH or a link
// leads to later is not granted.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "glovebox/result.h"

namespace glovebox::policy {

// Where a granted program was found.
struct ProgramFile {
  std::string path;                 // absolute, as the search found it; programs see it as their own name
  std::string file;                 // the same without links: what is executed
  std::vector<std::string> also{};  // other spellings of its folder that the search knows, such as /bin and /usr/bin
};

struct GrantedProgram {
  std::string grant;                // the owner's own text
  std::optional<ProgramFile> file;  // none: there is no such program here
};

class RunGrants {
 public:
  // Resolves a program by a grant's text; the search itself is not policy.
  using Find = std::function<std::optional<ProgramFile>(const std::string& grant)>;

  RunGrants() = default;  // nothing
  static Result<RunGrants> prepare(const std::vector<std::string>& grants, const Find& find);

  // The grant that a guest's name for a program refers to: exactly the grant's text, or the program's path. Null:
  // denied. A name that merely leads to the same file, such as ../bin/rm, is deliberately not accepted.
  const GrantedProgram* find(std::string_view program) const;
  bool empty() const { return programs_.empty(); }
  // Where the programs lie: what a run must not write to, or a grant of one program would be a grant of any.
  std::vector<std::string> places() const;

 private:
  std::vector<GrantedProgram> programs_;
};

// Deno's wording.
std::string run_denial(std::string_view program);

}  // namespace glovebox::policy
