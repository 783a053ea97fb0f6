#include "calls/files/run_disk.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <optional>
#include <string>

#include "vfs/scratch_folder.h"

namespace glovebox::calls {
namespace {

// Otherwise a grant to write beside a program would be a grant to run anything.
TEST(RunDisk, AProgramThatTheRunMayStartIsNotReplaced) {
  const vfs::ScratchFolder folder;
  const std::string tool = folder / "bin/tool";
  vfs::put(tool, "#!/bin/sh\n");
  vfs::put(folder / "bin/other", "other");
  ASSERT_EQ(::chmod(tool.c_str(), 0755), 0);
  SandboxConfig config;
  config.allow_read = config.allow_write = {folder.path()};
  const auto programs = policy::RunGrants::prepare({tool}, [](const std::string& grant) {
    return std::optional(policy::ProgramFile{grant, grant});
  });
  ASSERT_TRUE(programs);
  RunDisk disk(config, *programs);
  const auto view = disk.view();
  ASSERT_TRUE(view);
  vfs::FileView& files = *view.value();
  EXPECT_FALSE(files.open_to_write(tool, {.mode = {}}));
  EXPECT_FALSE(files.copy(folder / "bin/other", tool));
  EXPECT_FALSE(files.rename(folder / "bin/other", tool));
  EXPECT_FALSE(files.remove(tool, false));
  EXPECT_FALSE(files.rename(folder / "bin", folder / "elsewhere"));
  EXPECT_TRUE(files.open_to_write(folder / "bin/other", {.mode = {}}));
  EXPECT_EQ(vfs::get(tool), "#!/bin/sh\n");
}

}  // namespace
}  // namespace glovebox::calls
