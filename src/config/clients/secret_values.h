// Which values of another program's config may be secret. Only one kind of wrong guess is cheap, so what is not plainly
// harmless counts as secret.
#pragma once

#include <string>
#include <string_view>

namespace glovebox::config {

// For an environment variable or a header field. A reference to a variable is not itself a secret.
bool may_be_secret(std::string_view name, std::string_view value);

// The position of the secret in an argument or address: `--api-key=…`, `Authorization: Bearer …`, `?token=…`, `//u:…@`.
// `before` is the preceding argument, which may announce one: `--api-key`. Size 0: none.
struct SecretSpan {
  std::size_t offset = 0;
  std::size_t size = 0;
};
SecretSpan find_secret(std::string_view text, std::string_view before = {});

}  // namespace glovebox::config
