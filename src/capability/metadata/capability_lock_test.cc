#include "capability/metadata/capability_lock.h"

#include "capability/limits.h"
#include "capability/scratch_state.h"
#include "catalog/pins/definition.h"
#include "catalog/pins/lock_file.h"

namespace glovebox::capability {
namespace {

using testing::kName;
using testing::metadata_of;
using testing::ScratchState;

class CapabilityLockTest : public ScratchState {};

TEST_F(CapabilityLockTest, RecordsAndRemembers) {
  const Metadata one = metadata_of(kName, "return 1");
  CapabilityLock lock(state);
  ASSERT_TRUE(lock.refresh().ok());
  EXPECT_TRUE(lock.entries().empty());
  ASSERT_TRUE(lock.put(one, std::nullopt).ok());
  CapabilityLock other(state);
  ASSERT_TRUE(other.refresh().ok());
  const LockEntry* entry = other.find("math", "add");
  ASSERT_NE(entry, nullptr);
  EXPECT_EQ(entry->integrity, Integrity::of("return 1"));
  EXPECT_EQ(entry->metadata, Integrity::of(one.canonical()));
  EXPECT_TRUE(entry->approved);
  EXPECT_EQ(entry->type, "deno");

  // A change takes the place of what was seen, and is remembered as replaced.
  const Metadata two = metadata_of(kName, "return 2");
  const Integrity first = entry->metadata;
  ASSERT_TRUE(other.put(two, first).ok());
  ASSERT_TRUE(lock.refresh().ok());
  EXPECT_EQ(lock.find(one.fqdn)->integrity, Integrity::of("return 2"));
  EXPECT_EQ(lock.find(one.fqdn)->replaced, std::vector<std::string>{first.text()});
  ASSERT_TRUE(lock.validated(one.fqdn).ok());
  EXPECT_EQ(lock.find(one.fqdn)->replaced.size(), 1u);
  EXPECT_TRUE(lock.remove(one.fqdn).value());
  EXPECT_FALSE(lock.remove(one.fqdn).value());
}

TEST_F(CapabilityLockTest, LetsNobodyBeOverrun) {
  CapabilityLock lock(state);
  ASSERT_TRUE(lock.put(metadata_of(kName, "return 1"), std::nullopt).ok());
  // It is there already, or is not the one that the caller compared with.
  EXPECT_FALSE(lock.put(metadata_of(kName, "return 2"), std::nullopt).ok());
  EXPECT_FALSE(lock.put(metadata_of(kName, "return 2"), Integrity::of("else")).ok());
  // One name in code, one capability.
  const auto taken = lock.put(metadata_of("other.project.math.add.0000", "return 3"), std::nullopt);
  ASSERT_FALSE(taken.ok());
  EXPECT_EQ(taken.failure().code, ErrorCode::kConflict);
  EXPECT_EQ(lock.entries().size(), 1u);
}

// It may have come with a repository, and each of them is read when a gateway starts.
TEST_F(CapabilityLockTest, HasNoMoreThanAGatewayReads) {
  const auto lock_of = [&](std::size_t count) {
    std::string entries;
    for (std::size_t i = 0; i < count; ++i) {
      const std::string name = "a.b.c.d" + std::to_string(i) + ".0000";
      entries += (i == 0 ? "\"" : ",\"") + name + R"(":{"fqdn":")" + name + R"(","integrity":")" +
                 Integrity::of("").text() + R"(","metadata":")" + Integrity::of("").text() + R"(","approved":true})";
    }
    write(".glovebox/mcp.lock", R"({"version":1,"entries":{)" + entries + "}}");
    CapabilityLock lock(state);
    return lock.refresh().ok() ? lock.entries().size() : 0;
  };
  EXPECT_EQ(lock_of(kMostCapabilities), kMostCapabilities);
  EXPECT_EQ(lock_of(kMostCapabilities + 1), 0u);
}

TEST_F(CapabilityLockTest, SharesItsFileWithThePinsOfTools) {
  const catalog::Tool tool = catalog::read_tool("s", R"({"name":"a","inputSchema":{}})");
  catalog::LockFile pins(state);
  CapabilityLock lock(state);
  ASSERT_TRUE(pins.pin_new({&tool}).ok());
  ASSERT_TRUE(lock.put(metadata_of(kName, "return 1"), std::nullopt).ok());
  ASSERT_TRUE(pins.forget_server("other").ok());
  ASSERT_TRUE(pins.approve(tool).ok());
  ASSERT_TRUE(lock.refresh().ok());
  ASSERT_TRUE(pins.refresh().ok());
  EXPECT_NE(lock.find("math", "add"), nullptr);
  EXPECT_NE(pins.find("s", "a"), nullptr);
}

TEST_F(CapabilityLockTest, ThatCannotBeReadIsLeftAlone) {
  for (const std::string bad :
       {"{", R"({"version":2})", R"({"version":1,"entries":[]})", R"({"version":1,"entries":{"../x":{}}})",
        R"({"version":1,"entries":{"acme.tools.math.add.a7f3":{"integrity":"none"}}})"}) {
    write(".glovebox/mcp.lock", bad);
    CapabilityLock lock(state);
    EXPECT_FALSE(lock.refresh().ok()) << bad;
    EXPECT_FALSE(lock.put(metadata_of(kName, "return 1"), std::nullopt).ok()) << bad;
    EXPECT_TRUE(lock.entries().empty());
    EXPECT_EQ(read(".glovebox/mcp.lock"), bad);
  }
}

}  // namespace
}  // namespace glovebox::capability
