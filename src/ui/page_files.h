// What is served beneath /ui/: the page itself, and its files under the digest of all of them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace glovebox::ui {

struct Served {
  int status = 200;
  std::string body;
  std::string_view content_type;
  std::string head;  // header lines, each with its end
};

bool has(std::string_view target);
// Nothing where there is no such file.
std::optional<Served> serve(std::string_view target);

}  // namespace glovebox::ui
