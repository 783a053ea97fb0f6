#include "terminal/change_view.h"

#include <gtest/gtest.h>

#include "calls/files/change_layer.h"

namespace glovebox::cli {
namespace {

struct FixedLayer : ChangeSet::Layer {
  const std::vector<Change>& changes() const override { return list; }
  bool is_committed() const override { return committed; }
  Result<std::string> content_of(const std::string&, std::size_t) override { return std::string(); }
  Result<void> commit(const std::function<bool()>&) override { return {}; }
  void drop() override {}
  std::vector<Change> list;
  bool committed = false;
};

TEST(ChangeView, SaysThatNothingChanged) {
  EXPECT_EQ(describe_changes(ChangeSet(), false), "no changes to files\n");
}

TEST(ChangeView, LinesUpWhatChanged) {
  const auto layer = std::make_shared<FixedLayer>();
  layer->list = {{"/a/new", Change::Kind::kCreated, {}, 1},
                 {"/a/longer name", Change::Kind::kModified, 10, 14},
                 {"/a/gone", Change::Kind::kDeleted, 3, {}},
                 {"/a/folder", Change::Kind::kCreated, {}, {}}};
  EXPECT_EQ(describe_changes(ChangeSet(layer), false),
            "  created   /a/new          1 byte\n"
            "  modified  /a/longer name  10 -> 14 bytes\n"
            "  deleted   /a/gone         3 bytes\n"
            "  created   /a/folder\n"
            "4 changes, dropped; --commit writes them\n");
  layer->list.resize(1);
  EXPECT_EQ(describe_changes(ChangeSet(layer), true),
            "  created   /a/new  1 byte\n1 change, dropped because the run failed\n");
  layer->committed = true;
  EXPECT_EQ(describe_changes(ChangeSet(layer), false), "  created   /a/new  1 byte\n1 change, written to the disk\n");
}

TEST(ChangeView, NamesCannotCommandATerminal) {
  const auto layer = std::make_shared<FixedLayer>();
  layer->list = {{"/a/\x1b[2Jx", Change::Kind::kCreated, {}, 1}};
  EXPECT_EQ(describe_changes(ChangeSet(layer), false).find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace glovebox::cli
