// The token that a gateway has made for itself, in a file that only its owner reads. Standard error may be a journal,
// which other users of the machine can read.
#pragma once

#include <cstdint>
#include <string>

#include "glovebox/result.h"

namespace glovebox::assembly {

class TokenFile {
 public:
  // http-PORT.token in the owner's state folder, in place of one that an earlier gateway has left there.
  static Result<TokenFile> write(const std::string& state_folder, std::uint16_t port, const std::string& token);
  // Removes it: the token is valid no longer than its gateway.
  ~TokenFile();
  TokenFile(TokenFile&& other) noexcept : path_(std::move(other.path_)) { other.path_.clear(); }
  TokenFile& operator=(TokenFile&&) = delete;

  const std::string& path() const { return path_; }

 private:
  explicit TokenFile(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

}  // namespace glovebox::assembly
