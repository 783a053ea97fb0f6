// The key of rows in stores, as in the program: for tests that share a store with it.
#pragma once

#include "base/private_folder.h"
#include "config/state/state_folder.h"
#include "gateway/privacy/kept_key.h"
#include "store/store.h"

namespace glovebox::e2e {

inline store::RowKey row_key() {
  const std::string home = config::state_home().value();
  base::make_private_folders(home);
  return gateway::keep_key(home + "/store.key").value();
}

}  // namespace glovebox::e2e
