// The key of the audit log's hash chain. It is kept outside the workspace: a program that can write there can truncate
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
  // Reads the key from the file, or creates one there. The file and its folder must belong to the user, be closed to
  // others, and not be links.
  static Result<AuditKey> keep(const std::string& path);
  // kNotFound when there is none.
  static Result<AuditKey> read(const std::string& path);

  // HMAC-SHA-256, in hex.
  std::string mac(std::string_view bytes) const;

 private:
  AuditKey() = default;
  std::array<std::uint8_t, 32> bytes_{};
};

// $XDG_STATE_HOME/glovebox/audit.key, or in ~/.local/state; empty if the user has no home.
std::string audit_key_path();

}  // namespace glovebox::gateway
