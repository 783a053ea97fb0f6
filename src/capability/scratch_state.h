// For tests: a temporary workspace.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "base/whole_file.h"
#include "capability/metadata/metadata.h"

namespace glovebox::capability::testing {

class ScratchState : public ::testing::Test {
 protected:
  ScratchState() {
    root = ::testing::TempDir() + "glovebox_capability_XXXXXX";
    EXPECT_TRUE(::mkdtemp(root.data()));
    state = root + "/.glovebox";
  }
  ~ScratchState() override { std::filesystem::remove_all(root); }
  std::string read(const std::string& path) const {
    auto text = base::read_whole_file(root + "/" + path, 1 << 24);
    return text ? *text : "";
  }
  void write(const std::string& path, const std::string& text) const {
    std::filesystem::create_directories(std::filesystem::path(root + "/" + path).parent_path());
    std::ofstream(root + "/" + path, std::ios::trunc) << text;
  }
  std::string root;
  std::string state;
};

// The capability that tests are mostly about.
inline const std::string kName = "acme.tools.math.add.a7f3";
inline const std::string kCode = "return args.a + 1";

// A capability with this code; `more` are more members: ,"env":["A"].
inline std::string metadata_text(const std::string& fqdn, const std::string& code, const std::string& more = "") {
  return R"({"fqdn":")" + fqdn + R"(","type":"deno","description":"A test.","integrity":")" +
         Integrity::of(code).text() + R"(")" + more + "}";
}
inline Metadata metadata_of(const std::string& fqdn, const std::string& code, const std::string& more = "") {
  return read_metadata(metadata_text(fqdn, code, more)).value().metadata;
}

}  // namespace glovebox::capability::testing
