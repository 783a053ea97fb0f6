// The token values in the code of runs that outlive their gateway: a sealed file for each waiting run, removed with it.
// Without it another gateway would leave the tokens as they are, since its own tokens may stand for other values.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "glovebox/result.h"
#include "mcp/server/request_state.h"

namespace glovebox::gateway {

using TokenValues = std::map<std::string, std::string, std::less<>>;

class RunTokens {
 public:
  // The key is in the state folder, readable by its owner only; it is created when it is first needed.
  explicit RunTokens(std::string state_folder) : folder_(std::move(state_folder)) {}

  Result<void> keep(const std::string& run, const TokenValues& values) const;
  // Empty if nothing was kept, or the file is not ours.
  TokenValues load(const std::string& run) const;
  void drop(const std::string& run) const;

 private:
  std::string key_path() const { return folder_ + "/tokens.key"; }
  std::string path_of(const std::string& run) const { return folder_ + "/tokens-" + run; }
  std::string folder_;
};

}  // namespace glovebox::gateway
