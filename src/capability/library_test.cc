#include "capability/library.h"

#include "capability/scratch_state.h"

namespace glovebox::capability {
namespace {

using ComparisonState = Library::Comparison::State;
using testing::kName;
using testing::metadata_of;

class LibraryTest : public testing::ScratchState {
 protected:
  static Published published(const std::string& code, const std::string& more = "") {
    return {metadata_of(kName, code, more), code};
  }
  void accept(Library& library, const Published& one) {
    const auto accepted = library.accept(one, library.compare(one));
    ASSERT_TRUE(accepted.ok()) << accepted.failure().message;
  }
};

TEST_F(LibraryTest, RunsWhatWasAcceptedAndNothingElse) {
  Library library(state);
  const Published one = published("return 1");
  EXPECT_EQ(library.compare(one).state, ComparisonState::kNew);
  accept(library, one);
  EXPECT_EQ(library.compare(one).state, ComparisonState::kSame);
  Library other(state);
  ASSERT_TRUE(other.refresh().ok());
  EXPECT_EQ(other.load(*other.lock().find("math", "add"))->code, "return 1");

  // Altered on the disk it is as good as lost, and is restored from a source that still has it.
  const std::string path = ".glovebox/capabilities/" + Integrity::of("return 1").hex();
  write(path, "return evil()");
  EXPECT_EQ(other.load(*other.lock().find("math", "add")).failure().code, ErrorCode::kNotFound);
  ASSERT_TRUE(other.restore(one).ok());
  EXPECT_EQ(other.load(*other.lock().find("math", "add"))->code, "return 1");
  EXPECT_TRUE(other.remove(one.metadata.fqdn).value());
  EXPECT_EQ(read(path), "");
}

TEST_F(LibraryTest, ShowsWhatHasChanged) {
  Library library(state);
  accept(library, published("const a = 1;\nreturn a"));
  const auto code = library.compare(published("const a = 2;\nreturn a"));
  EXPECT_EQ(code.state, ComparisonState::kChanged);
  EXPECT_NE(code.diff.find("-  const a = 1;"), std::string::npos) << code.diff;
  EXPECT_NE(code.diff.find("+  const a = 2;"), std::string::npos) << code.diff;
  // The same code that wants more is a change as well.
  const auto wants = library.compare(published("const a = 1;\nreturn a", R"(,"tools_used":["shell:run"])"));
  EXPECT_EQ(wants.state, ComparisonState::kChanged);
  EXPECT_NE(wants.diff.find("shell:run"), std::string::npos) << wants.diff;
}

TEST_F(LibraryTest, KnowsAnOldVersionWhenItComesBack) {
  Library library(state);
  const Published one = published("return 1");
  accept(library, one);
  accept(library, published("return 2"));
  EXPECT_EQ(library.compare(one).state, ComparisonState::kReplayed);
}

TEST_F(LibraryTest, LoadsNothingThatTheLockContradicts) {
  Library library(state);
  accept(library, published("return 1"));
  std::string lock = read(".glovebox/mcp.lock");
  const std::string integrity = Integrity::of("return 1").text();
  lock.replace(lock.find(integrity), integrity.size(), Integrity::of("return 2").text());
  write(".glovebox/mcp.lock", lock);
  Library other(state);
  ASSERT_TRUE(other.refresh().ok());
  EXPECT_EQ(other.load(*other.lock().find("math", "add")).failure().code, ErrorCode::kProtocol);

  lock = read(".glovebox/mcp.lock");
  lock.replace(lock.find("\"approved\": true"), 16, "\"approved\": false");
  write(".glovebox/mcp.lock", lock);
  ASSERT_TRUE(other.refresh().ok());
  EXPECT_EQ(other.load(*other.lock().find("math", "add")).failure().code, ErrorCode::kConflict);
}

}  // namespace
}  // namespace glovebox::capability
