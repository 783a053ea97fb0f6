#include "discovery/tool_finder.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <filesystem>
#include <future>
#include <set>

#include "discovery/fake_embedder.h"
#include "store/database/patience.h"

namespace glovebox::discovery {
namespace {

using catalog::Tool;
using testing::FakeEmbedder;
using testing::FakeModel;

// A catalog with whatever tools a test gives it.
class FakeCatalog final : public catalog::Catalog {
 public:
  std::vector<Tool> tools;

  void set_servers(std::vector<catalog::ServerSpec>) override {}
  std::vector<std::string> servers() const override { return {}; }
  std::string resolve_server(std::string_view written) const override { return std::string(written); }
  std::vector<catalog::ServerHealth> health() const override { return {}; }
  std::vector<Tool> known_tools() const override { return tools; }
  void list_tools(std::string, std::function<void(Result<std::vector<Tool>, catalog::CallFailure>)>) override {}
  void find(const std::string&, const std::string&, Found) override {}
  std::optional<Tool> known(std::string_view server, std::string_view name) const override {
    for (const Tool& tool : tools) {
      if (tool.server == server && (tool.name == name || tool.alias == name)) return tool;
    }
    return std::nullopt;
  }
  std::optional<catalog::CallFailure> why_not(const Tool&, const std::string&) override { return std::nullopt; }
  using Catalog::call;
  std::function<void()> call(catalog::PermittedCall, catalog::CallOptions, Called) override { return {}; }
  std::string diff(const std::string&, const std::string&) const override { return ""; }
  Result<void> approve(const std::string&, const std::string&, const std::string&) override { return {}; }
  void list_offers(const std::string&, Offer,
                   std::function<void(Result<std::vector<std::string>, catalog::CallFailure>)>) override {}
  void retry(const std::string&) override {}
  void close() override {}
};

Tool tool(const std::string& server, const std::string& name, const std::string& description) {
  Tool made;
  made.server = server;
  made.name = name;
  made.description = description;
  made.input_schema = R"({"type":"object","properties":{}})";
  made.hash = "sha256-" + name + description;
  return made;
}

class ToolFinderTest : public ::testing::Test {
 protected:
  ToolFinderTest() {
    char name[] = "/tmp/glovebox-finder-XXXXXX";
    root_ = ::mkdtemp(name);
    const store::DirectCalls start;
    store_ = store::Store::open(root_ + "/.glovebox", store::RowKey{}).value();
    catalog_->tools = {
        tool("mail", "send_email", "Sends an email message to a recipient"),
        tool("mail", "delete_email", "Deletes an email message for good"),
        tool("files", "write_file", "Writes text to a file on disk"),
        tool("files", "read_file", "Reads the text of a file"),
        tool("weather", "forecast", "Weather forecast for a city"),
        tool("calendar", "create_event", "Creates an event in the calendar"),
    };
  }
  ~ToolFinderTest() override {
    finder_.reset();
    const store::DirectCalls end;
    store_.reset();
    std::filesystem::remove_all(root_);
  }

  FinderOptions options(std::vector<std::shared_ptr<FakeModel>> models) {
    FinderOptions made;
    made.embedders = embedders(std::move(models));
    made.is_denied = [this](const std::string& server, const std::string& name) {
      return denied_.contains(server + "." + name);
    };
    made.now = [this] { return now_; };
    made.on_notice = [this](const std::string& text) { notices_.push_back(text); };
    made.on_progress = [this](std::size_t done, std::size_t of) { progress_.emplace_back(done, of); };
    return made;
  }
  std::vector<std::unique_ptr<Embedder>> embedders(std::vector<std::shared_ptr<FakeModel>> models) {
    std::vector<std::unique_ptr<Embedder>> made;
    for (auto& model : models) made.push_back(std::make_unique<FakeEmbedder>(loop_.get_executor(), model));
    return made;
  }
  void open(FinderOptions made) {
    finder_.reset();
    finder_ = ToolFinder::create(loop_.get_executor(), catalog_, *store_, std::move(made));
  }
  Findings search(Wish wish) {
    std::optional<Findings> findings;
    finder_->search(std::move(wish), [&](Findings found) { findings = std::move(found); });
    EXPECT_FALSE(findings.has_value()) << "not before it returns";
    while (!findings) loop_.run_one();
    return std::move(*findings);
  }
  Findings search(const std::string& intent, const std::string& user = "") {
    Wish wish;
    wish.patience = std::chrono::minutes(5);
    wish.intent = intent;
    wish.user = user;
    return search(std::move(wish));
  }
  static std::vector<std::string> names(const Findings& findings) {
    std::vector<std::string> list;
    for (const FoundTool& found : findings.tools) list.push_back(found.tool.server + "." + found.tool.name);
    return list;
  }
  std::size_t stored_uses(const std::string& user) {
    const store::DirectCalls test;
    return store_->tool_uses(user).value().size();
  }
  // Until nothing is left to do.
  void settle() {
    do {
      const store::DirectCalls test;
      ASSERT_TRUE(store_->wait_for_posted());
    } while (loop_.poll() > 0);
  }

  std::string root_;
  std::unique_ptr<store::Store> store_;
  boost::asio::io_context loop_;
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> guard_{loop_.get_executor()};
  std::shared_ptr<FakeCatalog> catalog_ = std::make_shared<FakeCatalog>();
  std::shared_ptr<FakeModel> model_ = std::make_shared<FakeModel>();
  std::unique_ptr<ToolFinder> finder_;
  std::set<std::string> denied_;
  std::vector<std::string> notices_;
  std::vector<std::pair<std::size_t, std::size_t>> progress_;
  std::int64_t now_ = 1'000'000;
  const store::QueueOnly as_on_a_loop_;
};

bool has(const std::vector<std::string>& list, const std::string& name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

TEST_F(ToolFinderTest, FindsAndScores) {
  open(options({model_}));
  const Findings findings = search("send an email message to a recipient");
  ASSERT_FALSE(findings.tools.empty());
  EXPECT_EQ(names(findings)[0], "mail.send_email");
  EXPECT_EQ(findings.model, "fake");
  EXPECT_EQ(findings.waiting, 0u);
  for (const FoundTool& found : findings.tools) {
    EXPECT_GT(found.score, 0);
    EXPECT_LE(found.score, 1);
  }
  EXPECT_FALSE(findings.tools.front().weak);
  // Tools that do not fit are marked as weak, and not hidden.
  const Findings odd = search("polymerise butadiene");
  EXPECT_EQ(odd.tools.size(), 5u);
  for (const FoundTool& found : odd.tools) EXPECT_TRUE(found.weak && found.score < 0.5) << found.tool.name;
  Wish narrow;
  narrow.intent = "text of a file";
  narrow.server = "files";
  narrow.most = 1;
  EXPECT_EQ(search(narrow).tools.size(), 1u);
  narrow.server = "mail";
  for (const FoundTool& found : search(narrow).tools) EXPECT_TRUE(found.weak && found.tool.server == "mail");
}

// A client's message may have an intent of megabytes: only its beginning is looked at.
TEST_F(ToolFinderTest, OfALongIntentTheBeginningCounts) {
  open(options({model_}));
  const std::string chinese = "\u53d1\u9001\u7535\u5b50\u90ae\u4ef6";
  EXPECT_EQ(search(chinese).language, "Chinese");
  std::string wish = "send an email message to a recipient. ";
  while (wish.size() < 20'000) wish += "send an email message to a recipient. ";
  for (int i = 0; i < 20'000; ++i) wish += chinese;
  const Findings findings = search(wish);
  EXPECT_EQ(findings.language, "");
  EXPECT_EQ(names(findings)[0], "mail.send_email");
}

TEST_F(ToolFinderTest, WithoutAnIntentAllToolsByName) {
  open(options({model_}));
  denied_.insert("files.read_file");
  Wish wish;
  wish.most = 3;
  EXPECT_EQ(names(search(wish)),
            (std::vector<std::string>{"calendar.create_event", "files.write_file", "mail.delete_email"}));
}

TEST_F(ToolFinderTest, NobodyFindsWhatIsDeniedQuarantinedOrNotAskedFor) {
  open(options({model_}));
  EXPECT_TRUE(has(names(search("delete an email message")), "mail.delete_email"));
  denied_.insert("mail.delete_email");
  EXPECT_FALSE(has(names(search("delete an email message")), "mail.delete_email"));
  denied_.clear();
  // Before the catalog's change is processed, and afterwards.
  catalog_->tools[1].state = Tool::State::kQuarantined;
  EXPECT_FALSE(has(names(search("delete an email message")), "mail.delete_email"));
  finder_->tools_changed();
  EXPECT_FALSE(has(names(search("delete an email message")), "mail.delete_email"));
  EXPECT_EQ(finder_->state().tools, 5u);
  catalog_->tools[1].state = Tool::State::kUsable;
  finder_->tools_changed();
  EXPECT_TRUE(has(names(search("delete an email message")), "mail.delete_email"));
  Wish wish;
  wish.intent = "delete an email message";
  wish.may = [](const std::string& server, const std::string& name) {
    return server == "mail" && name != "delete_email";
  };
  for (const std::string& name : names(search(wish))) EXPECT_EQ(name, "mail.send_email");
}

TEST_F(ToolFinderTest, ADefinitionIsEmbeddedOnce) {
  open(options({model_}));
  search("send an email");
  EXPECT_EQ(model_->tools.size(), 6u);
  EXPECT_EQ(finder_->state().embedded, 6u);
  EXPECT_EQ(progress_.front(), (std::pair<std::size_t, std::size_t>(0, 6)));
  EXPECT_EQ(progress_.back(), (std::pair<std::size_t, std::size_t>(6, 6)));
  // As the next gateway.
  open(options({model_}));
  search("send an email");
  EXPECT_EQ(model_->tools.size(), 6u);
  EXPECT_EQ(finder_->state().embedded, 0u);
  EXPECT_EQ(finder_->state().kept, 6u);
  // Another model has none of these vectors.
  const auto other = std::make_shared<FakeModel>();
  other->model = "other";
  open(options({other}));
  search("send an email");
  EXPECT_EQ(other->tools.size(), 6u);
}

TEST_F(ToolFinderTest, AStoreThatHangsDoesNotStopTheLoop) {
  std::promise<void> turned;
  store_->post([&](store::Store&) { turned.get_future().wait(); });
  open(options({model_}));
  boost::asio::post(loop_, [&] { turned.set_value(); });
  search("send an email");
  settle();
  EXPECT_EQ(notices_, std::vector<std::string>()) << "nothing has waited for the store in vain";
  EXPECT_EQ(finder_->state().embedded, 6u);
}

TEST_F(ToolFinderTest, OnlyWhatHasChangedIsEmbedded) {
  open(options({model_}));
  search("send an email");
  model_->tools.clear();
  catalog_->tools[4] = tool("weather", "forecast", "Rain, wind and temperature for the days to come");
  catalog_->tools.push_back(tool("bank", "transfer", "Transfers money between accounts"));
  catalog_->tools.erase(catalog_->tools.begin() + 1);
  finder_->tools_changed();
  EXPECT_TRUE(has(names(search("transfer money between accounts")), "bank.transfer"));
  EXPECT_EQ(model_->tools.size(), 2u);
  EXPECT_EQ(finder_->state().tools, 6u);
  EXPECT_TRUE(has(names(search("rain and wind temperature")), "weather.forecast"));
  EXPECT_FALSE(has(names(search("delete an email message")), "mail.delete_email"));
  EXPECT_EQ(finder_->state().kept, 0u) << "nor is anything else looked up again";
  // Removed and back: its vector is in the store.
  catalog_->tools.push_back(tool("mail", "delete_email", "Deletes an email message for good"));
  finder_->tools_changed();
  EXPECT_TRUE(has(names(search("delete an email message")), "mail.delete_email"));
  EXPECT_EQ(model_->tools.size(), 2u);
  EXPECT_EQ(finder_->state().kept, 1u);
}

TEST_F(ToolFinderTest, EqualDefinitionsOfTwoServersAreTwo) {
  catalog_->tools = {tool("one", "send", "Sends it"), tool("two", "send", "Sends it")};
  ASSERT_EQ(catalog_->tools[0].hash, catalog_->tools[1].hash);
  open(options({model_}));
  search("send");
  ASSERT_EQ(model_->tools.size(), 2u);
  EXPECT_NE(model_->tools[0], model_->tools[1]);
}

TEST_F(ToolFinderTest, FallsBackAndSaysSo) {
  const auto remote = std::make_shared<FakeModel>();
  remote->model = "remote";
  remote->works = false;
  open(options({remote, model_}));
  const Findings findings = search("send an email message");
  EXPECT_EQ(findings.model, "fake");
  EXPECT_TRUE(has(names(findings), "mail.send_email"));
  EXPECT_EQ(finder_->state().waiting, 0u);
  ASSERT_EQ(notices_.size(), 1u);
  EXPECT_NE(notices_[0].find("remote cannot be used (out of order); fake is used instead"), std::string::npos);
  EXPECT_EQ(findings.trouble, notices_[0]);
  search("another");
  EXPECT_EQ(notices_.size(), 1u) << "once is enough";
}

TEST_F(ToolFinderTest, WithoutAnyModelByWords) {
  model_->opens = false;
  open(options({model_}));
  const Findings findings = search("send an email message");
  EXPECT_EQ(findings.model, "");
  EXPECT_TRUE(has(names(findings), "mail.send_email"));
  EXPECT_NE(findings.trouble.find("by keywords only"), std::string::npos);
  open(options({}));
  EXPECT_TRUE(has(names(search("send an email message")), "mail.send_email"));
}

TEST_F(ToolFinderTest, ReturnsToTheFirstWhenItIsBack) {
  const auto remote = std::make_shared<FakeModel>();
  remote->model = "remote";
  remote->dimensions = 8;
  remote->works = false;
  auto made = options({remote, model_});
  made.retry_interval = std::chrono::milliseconds(1);
  open(std::move(made));
  EXPECT_EQ(search("send an email message").model, "fake");
  remote->works = true;
  while (search("send an email message").model != "remote") continue;
  EXPECT_NE(notices_.back().find("remote is back in use"), std::string::npos);
  EXPECT_TRUE(search("send an email message").trouble.empty());
}

TEST_F(ToolFinderTest, AModelThatFailsInTheMiddleIsLeft) {
  const auto remote = std::make_shared<FakeModel>();
  remote->model = "remote";
  open(options({remote, model_}));
  EXPECT_EQ(search("send an email message").model, "remote");
  remote->works = false;
  const Findings findings = search("send an email message to a recipient");
  EXPECT_EQ(findings.model, "fake");
  EXPECT_EQ(names(findings)[0], "mail.send_email");
}

TEST_F(ToolFinderTest, DoesNotWaitForeverForToolsThatAreNotEmbedded) {
  const auto slow = std::make_shared<FakeModel>();
  slow->answers_about_tools = false;
  open(options({slow}));
  Wish wish;
  wish.intent = "send an email message";
  wish.patience = std::chrono::milliseconds(20);
  const Findings findings = search(wish);
  EXPECT_FALSE(slow->queries.empty());
  EXPECT_TRUE(has(names(findings), "mail.send_email"));
  EXPECT_EQ(findings.waiting, 6u);
}

// With many tools to embed a search does not wait: it is answered by words, and by the vectors that are there.
TEST_F(ToolFinderTest, DoesNotWaitForAWholeCatalogue) {
  for (int i = 0; i < 200; ++i) catalog_->tools.push_back(tool("many", "thing_" + std::to_string(i), "Does a thing"));
  const auto slow = std::make_shared<FakeModel>();
  slow->answers_about_tools = false;
  open(options({slow}));
  const Findings findings = search("send an email message");
  EXPECT_TRUE(has(names(findings), "mail.send_email"));
  EXPECT_EQ(findings.waiting, 206u);
}

TEST_F(ToolFinderTest, WhatWasAskedBeforeIsNotEmbeddedAgain) {
  open(options({model_}));
  const Findings first = search("send an email message");
  const std::size_t asked = model_->queries.size();
  EXPECT_EQ(names(search("send an email message")), names(first));
  EXPECT_EQ(model_->queries.size(), asked);
}

TEST_F(ToolFinderTest, VectorsOfAnotherLengthAreMadeAnew) {
  model_->dimensions = 8;
  open(options({model_}));
  search("send an email message");
  model_->dimensions = 32;
  model_->tools.clear();
  open(options({model_}));
  search("send an email message");
  EXPECT_TRUE(has(names(search("send an email message")), "mail.send_email"));
  EXPECT_EQ(model_->tools.size(), 6u);
}

TEST_F(ToolFinderTest, AnotherModelIsMeasuredOnce) {
  model_->calibrated = false;
  open(options({model_}));
  EXPECT_TRUE(has(names(search("send an email message to a recipient")), "mail.send_email"));
  const std::size_t probes = model_->tools.size() - 6;
  EXPECT_GT(probes, 0u);
  EXPECT_TRUE(search("polymerise butadiene").tools.front().weak);
  model_->tools.clear();
  open(options({model_}));
  EXPECT_TRUE(has(names(search("send an email message to a recipient")), "mail.send_email"));
  EXPECT_TRUE(model_->tools.empty()) << "nor is it measured again after a restart";
  // A model that gives the same vector for everything is of no use.
  const auto blind = std::make_shared<FakeModel>();
  blind->model = "blind";
  blind->dimensions = 1;
  blind->calibrated = false;
  open(options({blind, model_}));
  EXPECT_EQ(search("send an email message to a recipient").model, "fake");
  ASSERT_FALSE(notices_.empty());
  EXPECT_NE(notices_.back().find("does not tell related texts from others"), std::string::npos) << notices_.back();
}

TEST_F(ToolFinderTest, ASearchSurvivesAChangeOfTheConfig) {
  const auto stuck = std::make_shared<FakeModel>();
  open(options({stuck}));
  search("send an email message");
  stuck->answers = false;
  std::optional<Findings> findings;
  Wish wish;
  wish.intent = "send an email message to a friend";
  wish.patience = std::chrono::minutes(5);
  finder_->search(wish, [&](Findings found) { findings = std::move(found); });
  while (stuck->queries.size() < 2) loop_.run_one();
  model_->model = "next";
  finder_->set_embedders(embedders({model_}));
  while (!findings) loop_.run_one();
  EXPECT_EQ(findings->model, "next");
  EXPECT_TRUE(has(names(*findings), "mail.send_email"));
}

TEST_F(ToolFinderTest, LearnsFromUseForThatUserAlone) {
  // Two that neither the words nor the model can distinguish.
  catalog_->tools = {tool("a", "post_note", "Posts a note to the team"),
                     tool("b", "post_note", "Posts a note to the team")};
  open(options({model_}));
  const std::string intent = "post a note to the team";
  const Findings before = search(intent, "ann");
  ASSERT_EQ(before.tools.size(), 2u);
  const std::string second = before.tools[1].tool.server;
  finder_->learn("ann", intent, {{second, "post_note"}, {"nobody", "knows"}});
  settle();
  const Findings after = search("post this note to the team", "ann");
  ASSERT_EQ(after.tools.size(), 2u);
  EXPECT_EQ(after.tools[0].tool.server, second);
  EXPECT_GT(after.tools[0].boost, 0);
  EXPECT_LE(after.tools[0].boost, kMostBoost);
  EXPECT_EQ(after.tools[0].because, std::vector<std::string>{intent});
  EXPECT_EQ(after.tools[1].boost, 0);
  // The ranking of other users does not change, nor that of other intents.
  EXPECT_NE(search(intent, "bob").tools[0].tool.server, second);
  EXPECT_EQ(search(intent, "bob").tools[0].boost, 0);
  EXPECT_EQ(search(intent).tools[0].boost, 0);
  for (const FoundTool& found : search("note", "ann").tools) EXPECT_LE(found.boost, kMostBoost);
  // It survives the gateway, and can be switched off.
  open(options({model_}));
  EXPECT_EQ(search(intent, "ann").tools[0].tool.server, second);
  finder_->set_learn(false);
  EXPECT_NE(search(intent, "ann").tools[0].tool.server, second);
  const auto uses = stored_uses("ann");
  finder_->learn("ann", "something else", {{"a", "post_note"}});
  settle();
  EXPECT_EQ(stored_uses("ann"), uses);
}

TEST_F(ToolFinderTest, ADeniedToolIsNotFoundByItsUses) {
  open(options({model_}));
  finder_->learn("ann", "delete an email message", {{"mail", "delete_email"}});
  settle();
  denied_.insert("mail.delete_email");
  EXPECT_FALSE(has(names(search("delete an email message", "ann")), "mail.delete_email"));
}

TEST_F(ToolFinderTest, NothingIsToldOnceItIsGone) {
  open(options({model_}));
  finder_->search({.intent = "send"}, [](const Findings&) { FAIL() << "the finder was closed"; });
  finder_->learn("ann", "send", {{"mail", "send_email"}});
  finder_.reset();
  settle();
}

}  // namespace
}  // namespace glovebox::discovery
