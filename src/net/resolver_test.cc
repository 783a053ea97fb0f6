#include "net/resolver.h"

#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <future>
#include <memory>
#include <mutex>
#include <thread>

#include "net/limits.h"

namespace glovebox::net {
namespace {

// A lookup that blocks until the gate opens.
class Gate {
 public:
  void open() {
    const std::lock_guard lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }
  void pass() {
    std::unique_lock lock(mutex_);
    ++waiting_;
    changed_.notify_all();
    changed_.wait(lock, [this] { return open_; });
  }
  void wait_for(std::size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return waiting_ >= count; });
  }
  std::size_t waiting() {
    const std::lock_guard lock(mutex_);
    return waiting_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t waiting_ = 0;
  bool open_ = false;
};

Addresses loopback() {
  return {policy::IpAddress::v4({127, 0, 0, 1})};
}

// Threads of a resolver are detached: they release what they hold after it is gone, and before the process ends.
template <class T>
void wait_until_alone(const std::shared_ptr<T>& held) {
  while (held.use_count() > 1) std::this_thread::yield();
}

TEST(Resolver, AnswersOnceWithWhatWasFound) {
  Resolver resolver([](const std::string& name) -> Result<Addresses> {
    if (name == "good") return loopback();
    return Failure{ErrorCode::kNotFound, "no such name"};
  });
  std::promise<Result<Addresses>> good, bad;
  resolver.start(1, "good", [&](Result<Addresses> answer) { good.set_value(std::move(answer)); });
  resolver.start(1, "bad", [&](Result<Addresses> answer) { bad.set_value(std::move(answer)); });
  EXPECT_EQ(good.get_future().get().value(), loopback());
  EXPECT_EQ(bad.get_future().get().failure().message, "no such name");
}

TEST(Resolver, SlowNamesOfOneOwnerLeaveThreadsToOthers) {
  auto gate = std::make_shared<Gate>();
  // They outlive the resolver, which may still be delivering results when the last one is known.
  std::atomic<int> answered = 0;
  std::promise<void> other, last;
  auto resolver = std::make_unique<Resolver>([gate](const std::string& name) -> Result<Addresses> {
    if (name == "slow") gate->pass();
    return loopback();
  });
  for (std::size_t i = 0; i < 4 * kMaxLookups; ++i) resolver->start(1, "slow", [&](const auto&) { ++answered; });
  gate->wait_for(kMaxLookupsPerOwner);
  resolver->start(2, "quick", [&](const auto&) { other.set_value(); });
  other.get_future().get();
  EXPECT_EQ(gate->waiting(), kMaxLookupsPerOwner);
  EXPECT_EQ(answered, 0);
  resolver->start(1, "quick", [&](const auto&) { last.set_value(); });
  gate->open();
  last.get_future().get();
  resolver.reset();
  wait_until_alone(gate);
}

TEST(Resolver, WithdrawnRequestsNeverStart) {
  auto gate = std::make_shared<Gate>();
  auto looked_up = std::make_shared<std::atomic<int>>(0);
  auto resolver = std::make_unique<Resolver>([gate, looked_up](const std::string& name) -> Result<Addresses> {
    if (name == "slow") gate->pass();
    if (name == "withdrawn") ++*looked_up;
    return loopback();
  });
  for (std::size_t i = 0; i < kMaxLookupsPerOwner; ++i) resolver->start(1, "slow", [](const auto&) {});
  gate->wait_for(kMaxLookupsPerOwner);
  for (int i = 0; i < 100; ++i) resolver->withdraw(resolver->start(1, "withdrawn", [](const auto&) { FAIL(); }));
  std::promise<void> last;
  resolver->start(1, "quick", [&](const auto&) { last.set_value(); });
  gate->open();
  last.get_future().get();
  EXPECT_EQ(*looked_up, 0);
  resolver.reset();
  wait_until_alone(looked_up);
}

TEST(Resolver, IsGoneBeforeASlowAnswerIs) {
  auto gate = std::make_shared<Gate>();
  auto ended = std::make_shared<std::promise<void>>();
  {
    Resolver resolver([gate, ended](const std::string&) -> Result<Addresses> {
      gate->pass();
      ended->set_value();
      return loopback();
    });
    resolver.start(1, "slow", [](const auto&) { FAIL() << "the resolver was destroyed"; });
    gate->wait_for(1);
  }
  gate->open();
  ended->get_future().get();
  wait_until_alone(ended);
}

TEST(SystemLookUp, KnowsLocalhost) {
  const auto found = look_up_with_system("localhost");
  ASSERT_TRUE(found.ok()) << found.failure().message;
  EXPECT_FALSE(found.value().empty());
}

}  // namespace
}  // namespace glovebox::net
