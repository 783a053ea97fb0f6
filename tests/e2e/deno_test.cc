// The same programs in the real Deno and in Glovebox: denials, errors and results of file operations must be the same
// word for word.
#include <gtest/gtest.h>
#include <unistd.h>

#include <boost/json.hpp>
#include <filesystem>
#include <fstream>
#include <vector>

#include "base/source_folder.h"
#include "command.h"

namespace glovebox::e2e {
namespace {

namespace json = boost::json;

const std::string kFolder = base::source_folder() + "/tests/e2e/";
const std::string kDeno = kFolder + "node_modules/@deno/linux-x64-glibc/deno";

std::string result_in_deno(const std::string& program, const std::string& context, const std::string& folder) {
  const TemporaryFolder cache;
  const std::string readable = kFolder + "deno/" + program + (folder.empty() ? "" : "," + folder);
  // The program reads itself: it is the first of the paths that may be read.
  const std::string script =
      R"(PATH=/usr/bin:/bin DENO_DIR="$1" DENO_NO_UPDATE_CHECK=1 NO_COLOR=1 exec "$2" run --no-prompt --no-config )"
      R"(--no-lock )"
      R"(--allow-read="$3" --allow-write="$4" "$5" "${3%%,*}" "$6")";
  std::vector<std::string> arguments = {"-c",
                                        script,
                                        "sh",
                                        cache.path(),
                                        kDeno,
                                        readable,
                                        folder.empty() ? "/nonexistent" : folder,
                                        kFolder + "deno/run.mjs",
                                        context};
  const Ended ended = Command(std::move(arguments)).program("/bin/sh").run();
  EXPECT_EQ(ended.code, 0) << ended.err;
  return ended.out;
}

void expect_same(const std::string& deno, const std::string& glovebox) {
  const auto theirs = json::parse(deno).as_object();
  const auto whole = json::parse(glovebox).as_object();
  ASSERT_TRUE(whole.at("result").is_object()) << glovebox;
  const auto& ours = whole.at("result").as_object();
  EXPECT_EQ(theirs.size(), ours.size());
  for (const auto& [name, said] : theirs) {
    const std::string wanted = json::serialize(said);
    std::string got = json::serialize(ours.contains(name) ? ours.at(name) : json::value());
    // Where Deno leaves out which path an error is about, we may still name it.
    const std::string without_end = wanted.substr(0, wanted.find("\"]"));
    if (said.is_array() && got.starts_with(without_end + ": ")) got = wanted;
    EXPECT_EQ(got, wanted) << std::string(name) << ": ours, then Deno's";
  }
}

void lay_out(const std::string& folder) {
  std::filesystem::create_directories(folder + "/folder");
  std::ofstream(folder + "/file") << "hello";
  std::ofstream(folder + "/folder/inner") << "inner";
  std::filesystem::create_symlink("file", folder + "/link");
}

TEST(LikeDeno, DenialsAreInItsWords) {
  if (::access(kDeno.c_str(), X_OK) != 0) GTEST_SKIP() << "deno is not installed: scripts/bootstrap test";
  const std::string program = kFolder + "deno/denials.js";
  expect_same(result_in_deno("denials.js", "{}", ""), exec({program, "--json"}).out);
}

TEST(LikeDeno, FilesAnswerInItsWords) {
  if (::access(kDeno.c_str(), X_OK) != 0) GTEST_SKIP() << "deno is not installed: scripts/bootstrap test";
  const TemporaryFolder theirs, ours, overlaid;
  for (const TemporaryFolder* folder : {&theirs, &ours, &overlaid}) lay_out(folder->path());
  const auto context = [](const TemporaryFolder& folder) {
    return json::serialize(json::value{{"folder", std::filesystem::canonical(folder.path()).string()}});
  };
  const std::string program = kFolder + "deno/files.js";
  const std::string deno = result_in_deno("files.js", context(theirs), theirs.path());
  expect_same(deno, exec({program, "--json", "--context", context(ours), "--allow-read=" + ours.path(),
                          "--allow-write=" + ours.path()})
                        .out);
  expect_same(deno, exec({program, "--json", "--context", context(overlaid), "--allow-read=" + overlaid.path(),
                          "--allow-write=" + overlaid.path(), "--vfs=overlay"})
                        .out);
}

}  // namespace
}  // namespace glovebox::e2e
