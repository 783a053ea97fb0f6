// deps.json: the servers that capabilities may start, and the capabilities that get variables of the gateway's
// environment, because a person has said so. It is kept in the owner's state folder, outside of the workspace: what a
// repository brings along has been approved by no one.
//
//   { "version": 1, "installed": { name: { "version", "integrity", "installedAt", "installCommand", "files"? } },
//     "variables"?: { FQDN: digest of the metadata } }
//
// An entry holds for that very command and, where it runs an installed package, for the files of that package: another
// integrity of either is another program, and a person is asked again. Variables are for that very code and metadata.
#pragma once

#include <string>

#include "capability/metadata/metadata.h"
#include "glovebox/result.h"

namespace glovebox::capability {

class DepsFile {
 public:
  explicit DepsFile(std::string owners_folder);

  enum class State { kMissing, kChanged, kInstalled };
  // Fails when the file cannot be read: then nothing may be started.
  // `files` is the integrity of the package that it runs, if it runs any.
  Result<State> state_of(const Dependency& dependency, const std::string& files) const;
  Result<void> install(const Dependency& dependency, const std::string& files);
  // Whether a person has agreed to this very command, whatever its files are.
  Result<bool> has_command(const Dependency& dependency) const;

  // Whether a person has agreed that this very capability gets the variables that it declares.
  Result<bool> may_have_variables(const Metadata& metadata) const;
  Result<void> let_have_variables(const Metadata& metadata);

 private:
  std::string folder_;
  std::string path_;
};

}  // namespace glovebox::capability
