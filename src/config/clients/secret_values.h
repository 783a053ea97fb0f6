// Which values of another program's config may be secret. Wrong guesses cost little in one direction only, so what is
// not plainly harmless counts as secret.
#pragma once

#include <string>
#include <string_view>

namespace glovebox::config {

// Of an environment variable or a header field. What refers to a variable is no secret itself.
bool may_be_secret(std::string_view name, std::string_view value);

// Where the secret of an argument or address stands: `--api-key=…`, `Authorization: Bearer …`, `?token=…`, `//u:…@`.
// `before` is the argument in front of it, which may announce one: `--api-key`. Nothing: size 0.
struct SecretSpan {
  std::size_t offset = 0;
  std::size_t size = 0;
};
SecretSpan find_secret(std::string_view text, std::string_view before = {});

}  // namespace glovebox::config
