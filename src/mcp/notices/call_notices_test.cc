#include "mcp/notices/call_notices.h"

#include <gtest/gtest.h>

#include "mcp/limits.h"

namespace glovebox::mcp {
namespace {

TEST(CallNotices, ProgressIsOneNoticeWithAllItsLines) {
  CallNotices notices;
  notices.progress(1, std::nullopt, "one");
  notices.progress(2, 5, "");
  notices.progress(3, 5, "three");
  const auto progress = notices.take_progress();
  ASSERT_TRUE(progress);
  EXPECT_EQ(progress->done, 3);
  EXPECT_EQ(progress->total, 5);
  EXPECT_EQ(progress->message.text(), "one\n\nthree");
  EXPECT_FALSE(notices.take_progress()) << "it is reported once";
}

TEST(CallNotices, LogLinesOfOneLevelAreJoinedInTheirOrder) {
  CallNotices notices;
  notices.log(NoticeLevel::kInfo, "console", "a");
  notices.log(NoticeLevel::kInfo, "console", "b");
  notices.log(NoticeLevel::kError, "console", "c");
  notices.log(NoticeLevel::kInfo, "console", "d");
  const auto logs = notices.take_logs();
  ASSERT_EQ(logs.size(), 3u);
  EXPECT_EQ(logs[0].text.text(), "a\nb");
  EXPECT_EQ(logs[1].text.text(), "c");
  EXPECT_EQ(logs[2].text.text(), "d");
}

TEST(CallNotices, IsBoundedWhateverIsSaid) {
  CallNotices notices;
  for (int i = 0; i < 100'000; ++i) notices.progress(i, std::nullopt, "0123456789");
  const std::string text = notices.take_progress()->message.text();
  EXPECT_LE(text.size(), 2 * kMaxJoinedBytes);
  EXPECT_NE(text.find("more lines]"), std::string::npos);

  std::size_t waiting = 0;
  for (; !notices.is_full(); ++waiting)
    notices.log(waiting % 2 ? NoticeLevel::kInfo : NoticeLevel::kError, "console", "x");
  EXPECT_EQ(waiting, kMaxWaitingLogs);
}

}  // namespace
}  // namespace glovebox::mcp
