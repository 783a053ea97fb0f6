// The file that holds Pyodide and our own Python, made by scripts/pack_python.mjs. Mapped by Python zygotes only.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace glovebox::guest {

class PythonPack {
 public:
  struct File {
    std::string_view name;
    std::string_view bytes;
  };

  // Empty on success, else what went wrong. What is mapped stays mapped.
  std::string map(int fd);

  // 64 hexadecimal digits that change with every byte of the pack.
  std::string_view key() const { return key_; }
  // Empty for a file that is not there.
  std::string_view file(std::string_view name) const;
  const std::vector<File>& files() const { return files_; }

 private:
  std::string_view key_;
  std::vector<File> files_;
};

}  // namespace glovebox::guest
