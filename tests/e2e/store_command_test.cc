// `glovebox store` and `glovebox nodes`, on a file and on PostgreSQL.
#include <gtest/gtest.h>
#include <unistd.h>

#include <boost/json.hpp>
#include <filesystem>
#include <fstream>

#include "command.h"
#include "config/state/state_folder.h"
#include "row_key.h"
#include "store/database/postgres_cluster.h"
#include "store/store.h"

namespace glovebox::e2e {
namespace {

namespace json = boost::json;

class StoreCommand : public testing::Test {
 protected:
  StoreCommand() {
    char name[] = "/tmp/glovebox-store-cli-XXXXXX";
    root_ = ::mkdtemp(name);
  }
  ~StoreCommand() override { std::filesystem::remove_all(root_); }

  Ended cli(std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--workspace", root_});
    return Command(std::move(arguments)).run();
  }
  json::value cli_json(std::vector<std::string> arguments, int code = 0) {
    arguments.push_back("--json");
    const auto result = cli(std::move(arguments));
    EXPECT_EQ(result.code, code) << result.out << result.err;
    return json::parse(result.out);
  }
  // A person approves.
  Ended import_at_terminal(const std::string& from) {
    return Command({"store", "import", from, "--json", "--workspace", root_}).at_terminal().run();
  }
  static store::RunRecord run(const std::string& id) {
    store::RunRecord made;
    made.id = id;
    made.created = 1;
    made.language = "ts";
    made.context = "{}";
    made.config = "{}";
    return made;
  }

  std::string root_;
};

TEST_F(StoreCommand, ChecksCopiesAndCollects) {
  EXPECT_EQ(cli({"store", "check"}).code, 0);
  EXPECT_EQ(cli({"store", "backup", root_ + "/copy.db"}).code, 2);
  EXPECT_FALSE(config::find_state_folder(root_)->exists);
  const std::string state = config::make_state_folder(root_)->path;
  {
    const auto store = std::move(store::Store::open(state, row_key())).value();
    ASSERT_TRUE(store->add_run(run("old")).ok());
    ASSERT_TRUE(store->end_run("old", store::RunStatus::kFinished, "{}", 2).ok());
    ASSERT_TRUE(store->add_run(run("new")).ok());
  }
  EXPECT_TRUE(cli_json({"store", "check"}).at("problems").as_array().empty());
  EXPECT_EQ(cli({"store", "backup", root_ + "/copy.db"}).code, 0);
  EXPECT_EQ(cli({"store", "backup", root_ + "/copy.db"}).code, 2);
  EXPECT_EQ(cli_json({"store", "gc"}).at("removed").to_number<int>(), 1);
  EXPECT_EQ(cli_json({"runs", "ls"}).at("runs").as_array().size(), 1u);
  // As after a crash: with the log that SQLite had not yet moved into the file.
  const auto crashed = std::move(store::Store::open(state, row_key())).value();
  ASSERT_TRUE(crashed->add_run(run("later")).ok());
  std::filesystem::copy_file(state + "/glovebox.db-wal", root_ + "/left.wal");
  std::filesystem::rename(root_ + "/left.wal", state + "/glovebox.db-wal");
  EXPECT_EQ(cli({"store", "restore", root_ + "/copy.db"}).code, 6) << "nobody has agreed";
  EXPECT_EQ(cli({"store", "restore", root_ + "/none.db", "--yes"}).code, 2);
  EXPECT_EQ(cli({"store", "restore", root_, "--yes"}).code, 2);
  EXPECT_EQ(cli({"store", "restore", root_ + "/copy.db", "--yes"}).code, 0);
  EXPECT_EQ(cli_json({"runs", "ls"}).at("runs").as_array().size(), 2u);
  EXPECT_TRUE(cli_json({"store", "check"}).at("problems").as_array().empty());
  {
    const auto store = std::move(store::Store::open(state, row_key())).value();
    ASSERT_TRUE(store->append_journal("new", 5, {JournalEntry::Kind::kCall, 1, "x", "d", ""}).ok());
  }
  const auto damaged = cli_json({"store", "check"}, 5);
  EXPECT_EQ(damaged.at("problems").at(0).as_string(), "the journal of run new has a hole");
}

TEST_F(StoreCommand, OldStateIsTakenOverAfterAYes) {
  const std::string old = root_ + "/.glovebox";
  EXPECT_EQ(cli({"store", "import"}).code, 2);
  {
    const auto store = std::move(store::Store::open(old, store::RowKey{})).value();
    ASSERT_TRUE(store->add_run(run("waits")).ok());
  }
  std::ofstream(old + "/audit.log") << "{}\n";
  EXPECT_TRUE(cli_json({"runs", "ls"}).at("runs").as_array().empty());
  EXPECT_EQ(cli({"store", "import"}).code, 6);
  EXPECT_TRUE(std::filesystem::exists(old + "/glovebox.db"));
  EXPECT_TRUE(cli_json({"runs", "ls"}).at("runs").as_array().empty());
  const Ended yes = Command({"store", "import", "--json", "--workspace", root_}).at_terminal().run();
  EXPECT_EQ(json::parse(yes.out).at("runs").to_number<int>(), 1) << yes.err;
  EXPECT_FALSE(std::filesystem::exists(old + "/glovebox.db"));
  EXPECT_FALSE(std::filesystem::exists(old + "/audit.log"));
  EXPECT_EQ(cli_json({"runs", "ls"}).at("runs").as_array().size(), 1u);
  const auto store = store::Store::open(config::find_state_folder(root_)->path, row_key());
  EXPECT_TRUE(store.value()->find_run("waits").value()->is_ours);
}

TEST_F(StoreCommand, OldStateThatOthersMayWriteIsNotTakenOver) {
  const std::string old = root_ + "/.glovebox";
  { ASSERT_TRUE(store::Store::open(old, store::RowKey{}).ok()); }
  std::filesystem::permissions(old + "/glovebox.db", std::filesystem::perms::all);
  EXPECT_NE(Command({"store", "import", "--workspace", root_}).at_terminal().run().code, 0);
  EXPECT_TRUE(std::filesystem::exists(old + "/glovebox.db"));
}

TEST_F(StoreCommand, NodesOfPostgres) {
  if (!store::PostgresCluster::shared()) GTEST_SKIP() << "PostgreSQL is not installed";
  const std::string address = store::PostgresCluster::shared()->make_database();
  std::ofstream(root_ + "/glovebox.json") << R"({"store": "${GLOVEBOX_NO_SUCH_VARIABLE:-)" + address + "}\"}";
  EXPECT_TRUE(cli_json({"nodes"}).at("nodes").as_array().empty());
  const auto store = std::move(store::Store::connect(address, row_key())).value();
  store::NodeRecord node;
  node.id = "gw_1";
  node.host = "one";
  node.lease = std::chrono::milliseconds(1);
  ASSERT_TRUE(store->join(node).ok());
  const auto nodes = cli_json({"nodes"}).at("nodes");
  ASSERT_EQ(nodes.as_array().size(), 1u);
  EXPECT_EQ(nodes.at(0).at("host").as_string(), "one");
  EXPECT_FALSE(nodes.at(0).at("alive").as_bool());
  EXPECT_EQ(cli({"nodes"}).code, 0);
  EXPECT_EQ(cli({"nodes", "--alive"}).code, 4);
  node.id = "gw_2";
  node.lease = std::chrono::hours(1);
  ASSERT_TRUE(store->join(node).ok());
  EXPECT_EQ(cli({"nodes", "--alive"}).code, 0);
  auto mine = run("r");
  mine.owner = "gw_1";
  ASSERT_TRUE(store->add_run(mine).ok());
  EXPECT_EQ(cli_json({"runs", "ls"}).at("runs").at(0).at("id").as_string(), "r");
  EXPECT_EQ(cli_json({"store", "check"}).at("problems").as_array().size(), 0u);
  // Moves a store from one kind to the other and back, as docs/store.md describes.
  EXPECT_EQ(cli({"store", "export", root_ + "/all.db"}).code, 0);
  EXPECT_EQ(cli({"store", "export", root_ + "/all.db"}).code, 2);
  EXPECT_EQ(cli({"store", "restore", root_ + "/all.db", "--yes"}).code, 2);
  EXPECT_GT(cli_json({"store", "vacuum"}).at("bytes").to_number<int>(), 0);
  std::filesystem::remove(root_ + "/glovebox.json");
  EXPECT_EQ(cli({"store", "import", root_ + "/all.db"}).code, 6) << "nobody has agreed";
  EXPECT_EQ(json::parse(import_at_terminal(root_ + "/all.db").out).at("runs").to_number<int>(), 1);
  EXPECT_EQ(cli_json({"runs", "ls"}).at("runs").at(0).at("id").as_string(), "r");
  EXPECT_TRUE(cli_json({"nodes"}).at("nodes").as_array().empty());
  EXPECT_EQ(cli({"store", "export", root_ + "/again.db"}).code, 0);
  const std::string other = store::PostgresCluster::shared()->make_database();
  std::ofstream(root_ + "/glovebox.json") << R"({"store": ")" + other + "\"}";
  std::ofstream(root_ + "/none.db") << "something else";
  EXPECT_EQ(import_at_terminal(root_ + "/none.db").code, 2);
  EXPECT_EQ(import_at_terminal(root_ + "/again.db").code, 0);
  EXPECT_EQ(import_at_terminal(root_ + "/again.db").code, 5) << "it is not empty any more";
  EXPECT_EQ(cli_json({"runs", "ls"}).at("runs").at(0).at("id").as_string(), "r");
}

TEST_F(StoreCommand, NoMessageHasThePassword) {
  std::ofstream(root_ + "/glovebox.json") << R"({"store": "postgres://ann:s3cret@127.0.0.1:1/app"})";
  for (const char* command : {"nodes", "runs"}) {
    const auto result = cli(command == std::string("runs") ? std::vector<std::string>{"runs", "ls", "--json"}
                                                           : std::vector<std::string>{"nodes", "--json"});
    EXPECT_EQ(result.code, 4) << result.out;
    EXPECT_NE(result.out.find("STORE_UNAVAILABLE"), std::string::npos) << result.out;
    EXPECT_EQ((result.out + result.err).find("s3cret"), std::string::npos) << result.out << result.err;
  }
}

}  // namespace
}  // namespace glovebox::e2e
