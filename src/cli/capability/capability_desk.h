// Shared by the commands about capabilities: their options, the workspace with its library and registry, and how a
// failure is reported.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "capability/library.h"
#include "glovebox/error_word.h"
#include "workspace/workspace.h"

namespace glovebox::cli {

struct CapabilityFlags {
  WorkspaceFlags where;
  std::string name;
  std::vector<std::string> names;
  std::string registry;  // --registry, --to
  std::string approve;
  std::string arguments = "{}";
  std::string degraded;
  std::string file;
  std::string description;
  std::string schema;
  std::string dependencies;
  std::string routing = "client";
  std::vector<std::string> tools;
  std::vector<std::string> env;
};

class CapabilityDesk {
 public:
  // `flags` outlive it.
  static Result<std::unique_ptr<CapabilityDesk>> open(const CapabilityFlags& flags);

  // The one on the command line, or the config's; an address, or an absolute path.
  std::string registry() const;
  Result<capability::Published> fetch(const capability::Fqdn& fqdn);
  // A name that was typed: the full one, or namespace:action of one that is there.
  Result<capability::Fqdn> named(const std::string& text) const;

  Workspace workspace;
  const CapabilityFlags& flags;
  capability::Library library;
  bool json;

 private:
  CapabilityDesk(Workspace where, const CapabilityFlags& given)
      : workspace(std::move(where)), flags(given), library(workspace.dot_folder), json(given.where.json) {}
};

int exit_code_of(const Failure& failure);
// The error code that programs get for it.
ErrorWord word_of(const Failure& failure);
// Reports it, and gives the exit code.
int fail(const Failure& failure, bool json);

}  // namespace glovebox::cli
