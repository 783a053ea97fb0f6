#include "vfs/file_error.h"

#include <gtest/gtest.h>

namespace glovebox::vfs {
namespace {

TEST(FileError, SpeaksAsDenoDoes) {
  EXPECT_EQ(file_error({"readfile", "nope", {}}, system_error(ENOENT)).message,
            "No such file or directory (os error 2): readfile 'nope'");
  EXPECT_EQ(file_error({"rename", "a", "b"}, system_error(ENOTEMPTY)).message,
            "Directory not empty (os error 39): rename 'a' -> 'b'");
  EXPECT_EQ(file_error({"tmpfile", {}, {}}, system_error(ENOENT)).message,
            "No such file or directory (os error 2): tmpfile");
  EXPECT_EQ(denial(policy::Access::kRead, "/etc/passwd").message, "Requires read access to \"/etc/passwd\"");
  EXPECT_EQ(denial(policy::Access::kWrite, "../x").message, "Requires write access to \"../x\"");
  EXPECT_EQ(denial_of_place(policy::Access::kWrite, "<TMP>").message, "Requires write access to <TMP>");
}

TEST(FileError, CarriesKindNumberAndReason) {
  const FileError error = file_error({"writefile", "x", {}}, refusal(EPERM, "a reason"));
  EXPECT_EQ(error.kind, FileError::Kind::kRefused);
  EXPECT_EQ(error.error_number, EPERM);
  EXPECT_EQ(error.message, "a reason: writefile 'x'");
}

TEST(FileError, IsNotMadeLargeByALongPath) {
  EXPECT_LT(denial(policy::Access::kRead, std::string(1 << 20, 'a')).message.size(), 5000U);
  EXPECT_LT(file_error({"stat", std::string(1 << 20, 'a'), {}}, system_error(ENAMETOOLONG)).message.size(), 5000U);
}

}  // namespace
}  // namespace glovebox::vfs
