#include "policy/run_grants.h"

namespace glovebox::policy {
namespace {

Failure unclear_run_grant(const std::string& grant, const char* reason) {
  return {ErrorCode::kInvalidArgument,
          "allow run: \"" + grant + "\" " + reason + "; write the name or the path of one program"};
}

}  // namespace

Result<RunGrants> RunGrants::prepare(const std::vector<std::string>& grants, const Find& find) {
  RunGrants prepared;
  for (const std::string& grant : grants) {
    if (grant.empty()) return unclear_run_grant(grant, "is empty");
    if (grant.find('\0') != std::string::npos) return unclear_run_grant(grant, "cannot be a program's name");
    // Every program means every right that the owner has; a single character must not grant that.
    if (grant.find('*') != std::string::npos)
      return unclear_run_grant(grant, "is a wildcard, but programs are granted one by one");
    if (grant.find_first_of(" \t\r\n") != std::string::npos && grant.find('/') == std::string::npos) {
      return unclear_run_grant(grant, "contains arguments, but a grant covers any arguments");
    }
    prepared.programs_.push_back({grant, find(grant)});
  }
  return prepared;
}

const GrantedProgram* RunGrants::find(std::string_view program) const {
  for (const GrantedProgram& granted : programs_) {
    if (granted.grant == program) return &granted;
  }
  for (const GrantedProgram& granted : programs_) {
    if (!granted.file) continue;
    if (granted.file->path == program || granted.file->file == program) return &granted;
    for (const std::string& place : granted.file->also) {
      if (place == program) return &granted;
    }
  }
  return nullptr;
}

std::vector<std::string> RunGrants::places() const {
  std::vector<std::string> places;
  for (const GrantedProgram& granted : programs_) {
    if (granted.file) places.insert(places.end(), {granted.file->path, granted.file->file});
  }
  return places;
}

std::string run_denial(std::string_view program) {
  return "Requires run access to \"" + std::string(program) + "\"";
}

}  // namespace glovebox::policy
