#include "capability/registry/code_cache.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "capability/metadata/capability_lock.h"
#include "capability/scratch_state.h"

namespace glovebox::capability {
namespace {

class CodeCacheTest : public testing::ScratchState {};

TEST_F(CodeCacheTest, LooksAgainEachTime) {
  CodeCache cache(state);
  const auto integrity = cache.put("return 1");
  ASSERT_TRUE(integrity.ok());
  EXPECT_EQ(CodeCache(state).find(*integrity), "return 1");
  write(".glovebox/capabilities/" + integrity->hex(), "return 2");
  EXPECT_EQ(cache.find(*integrity), std::nullopt);
  // A damaged one is written again.
  ASSERT_TRUE(cache.put("return 1").ok());
  EXPECT_EQ(cache.find(*integrity), "return 1");
  cache.remove(*integrity);
  EXPECT_EQ(cache.find(*integrity), std::nullopt);
}

// A process that adds one capability after the other is killed at some moment; what is in the lock must be in the
// cache.
TEST_F(CodeCacheTest, StaysWholeWhenItsWriterIsKilled) {
  for (int round = 0; round < 8; ++round) {
    int ready[2];
    ASSERT_EQ(::pipe(ready), 0);
    const pid_t child = ::fork();
    if (child == 0) {
      CodeCache cache(state);
      CapabilityLock lock(state);
      for (int i = 0;; ++i) {
        const std::string name = "n" + std::to_string(round) + "x" + std::to_string(i);
        const std::string code = "return " + name + std::string(20'000, ' ');
        const Metadata metadata = testing::metadata_of("acme.tools." + name + ".go.a7f3", code);
        (void)cache.put(code).ok();
        (void)cache.put(metadata.canonical()).ok();
        (void)lock.put(metadata, std::nullopt).ok();
        if (::write(ready[1], "x", 1) != 1) ::_exit(1);
      }
    }
    ::close(ready[1]);
    char one = 0;
    for (int i = 0; i <= round % 3; ++i) ASSERT_EQ(::read(ready[0], &one, 1), 1);
    // Somewhere within the next one.
    ::usleep(static_cast<useconds_t>(700 * round));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    ::close(ready[0]);
    CapabilityLock lock(state);
    const auto read = lock.refresh();
    ASSERT_TRUE(read.ok()) << read.failure().message;
    const CodeCache cache(state);
    EXPECT_FALSE(lock.entries().empty());
    for (const auto& [name, entry] : lock.entries()) {
      EXPECT_TRUE(cache.find(entry.integrity)) << name;
      EXPECT_TRUE(cache.find(entry.metadata)) << name;
    }
  }
}

}  // namespace
}  // namespace glovebox::capability
