// The key of the audit log's chain. It lies outside the workspace, so that a program that can write there can truncate
// the log, but cannot recompute it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "glovebox/result.h"

namespace glovebox::gateway {

class AuditKey {
 public:
  // The key in the file, or a new one that is written there. The file and its folder must be the user's own, closed to
  // others, and no links.
  static Result<AuditKey> keep(const std::string& path);
  // kNotFound when there is none.
  static Result<AuditKey> read(const std::string& path);

  // HMAC-SHA-256, in hex.
  std::string mac(std::string_view bytes) const;

 private:
  AuditKey() = default;
  std::array<std::uint8_t, 32> bytes_{};
};

// $XDG_STATE_HOME/glovebox/audit.key, or in ~/.local/state; empty where the user has no home.
std::string audit_key_path();

}  // namespace glovebox::gateway
