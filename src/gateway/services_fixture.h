// For tests of parts of a run: Services with a store, no tools or the test's own, and no guests.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <filesystem>
#include <memory>
#include <string>

#include "gateway/audit/audit_anchor.h"
#include "gateway/services.h"
#include "store/memory_folder.h"

namespace glovebox::gateway {

class ServicesTest : public testing::Test {
 protected:
  class NoTools final : public catalog::ToolSource {
   public:
    std::vector<ToolNamespace> namespaces() const override { return {}; }
    void find(const std::string&, const std::string&, Found) override {}
    std::function<void()> call(catalog::ApprovedCall, catalog::CallOptions, Called) override {
      return [] {};
    }
  };

  explicit ServicesTest(std::shared_ptr<catalog::ToolSource> tools = std::make_shared<NoTools>())
      : tools_(std::move(tools)) {
    store_ = std::move(store::Store::open(root_ + "/.glovebox", store::RowKey{})).value();
    const auto now = [] { return std::int64_t{5}; };
    AuditOptions keyed;
    keyed.key_path = root_ + "/key/audit.key";
    GatewayOptions options;
    options.now = now;
    options.workspace = "/ws";
    options.state_folder = root_ + "/.glovebox";
    services_ = std::make_shared<Services>(std::move(options), io_.get_executor(), *store_,
                                           std::move(open_audit(*store_, root_ + "/.glovebox", keyed, now)).value(),
                                           *tools_, runner_);
    record_.id = "r";
    record_.owner = "g";
    record_.session = "s";
    EXPECT_TRUE(store_->add_run(record_).ok());
  }
  ~ServicesTest() override { std::filesystem::remove_all(root_); }

  static std::string path(const std::string& path) { return R"({"path":")" + path + R"("})"; }
  // A call of fs:write.
  static store::ApprovalCall call_of(std::uint64_t id, const std::string& target) {
    return {id, "fs", "write", path(target), "h", std::nullopt, ""};
  }
  void ask(const std::string& id, std::vector<store::ApprovalCall> calls) {
    EXPECT_TRUE(store_->add_approval({id, "r", 0, "tool_calls", "{}", {}, std::move(calls)}).ok());
  }

 private:
  class NoRunner final : public Runner {
   public:
    std::function<void()> submit(RunRequest, std::function<void(Outcome)>) override {
      return [] {};
    }
  };

  std::shared_ptr<catalog::ToolSource> tools_;
  NoRunner runner_;

 protected:
  boost::asio::io_context io_;
  const std::string root_ = store::make_memory_folder("services");
  std::unique_ptr<store::Store> store_;
  std::shared_ptr<Services> services_;
  store::RunRecord record_;  // in the store
};

}  // namespace glovebox::gateway
