// An endpoint that is good, slow, busy or lying.
#include "discovery/remote_embedder.h"

#include <gtest/gtest.h>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>

#include "net/scripted_server.h"

namespace glovebox::discovery {
namespace {

using net::testing::Connection;
using net::testing::ScriptedServer;

std::string read_request(Connection& connection) {
  const std::string head = connection.read_request_head();
  const std::size_t at = head.find("Content-Length: ");
  const std::string body = at == head.npos ? "" : connection.read_exactly(std::stoul(head.substr(at + 16)));
  return head + body;
}

std::string response(const std::string& body, const std::string& status = "200 OK", const std::string& fields = "") {
  return "HTTP/1.1 " + status + "\r\nContent-Type: application/json\r\n" + fields +
         "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

constexpr const char* kTwoVectors = R"({"data":[{"index":0,"embedding":[1,0]},{"index":1,"embedding":[0,5]}]})";

class RemoteEmbedderTest : public ::testing::Test {
 protected:
  static RemoteOptions options(const ScriptedServer& server) {
    RemoteOptions made;
    made.url = server.url("/v1/embeddings");
    made.model = "m";
    made.key = "s3cret";
    made.first_pause = std::chrono::milliseconds(1);
    made.query_time = std::chrono::minutes(1);
    return made;
  }
  Result<Vectors> embed(RemoteOptions made, Embedder::Purpose purpose = Embedder::Purpose::kQuery) {
    const auto embedder = make_remote_embedder(loop.get_executor(), std::move(made));
    loop.restart();
    const auto guard = boost::asio::make_work_guard(loop);
    std::optional<Result<std::string>> opened;
    embedder->open([&](Result<std::string> model) { opened = std::move(model); });
    while (!opened) loop.run_one();
    if (!*opened) return opened->failure();
    std::optional<Result<Vectors>> vectors;
    embedder->embed({"one", "two"}, purpose, [&](Result<Vectors> made) { vectors = std::move(made); });
    while (!vectors) loop.run_one();
    return *vectors;
  }
  boost::asio::io_context loop;
};

TEST_F(RemoteEmbedderTest, AsksAsOpenAiIsAsked) {
  std::mutex mutex;
  std::string asked;
  ScriptedServer server([&](Connection& connection) {
    const std::string request = read_request(connection);
    {
      const std::lock_guard lock(mutex);
      asked = request;
    }
    connection.send(response(kTwoVectors));
  });
  auto with_dimensions = options(server);
  with_dimensions.dimensions = 2;
  const auto vectors = embed(with_dimensions);
  ASSERT_TRUE(vectors.ok()) << vectors.failure().message;
  EXPECT_EQ(vectors.value(), (Vectors{{1, 0}, {0, 1}}));
  const std::lock_guard lock(mutex);
  EXPECT_NE(asked.find("POST /v1/embeddings HTTP/1.1"), std::string::npos) << asked;
  EXPECT_NE(asked.find("Bearer s3cret"), std::string::npos) << asked;
  EXPECT_NE(asked.find(R"({"model":"m","input":["one","two"],"encoding_format":"float","dimensions":2})"),
            std::string::npos)
      << asked;
}

TEST_F(RemoteEmbedderTest, SaysWhatIsWrong) {
  const struct {
    std::string answer;
    const char* says;
  } cases[] = {
      {response(R"({"error":{"message":"bad key s3cret"}})", "401 Unauthorized"), "status 401: bad key …"},
      {response("<html>hello"), "cannot be used"},
      {response(R"({"data":[{"embedding":[1,2,3]},{"embedding":[1,2,3]}]})"), "3 dimensions and not 2"},
      {response("", "302 Found", "Location: http://127.0.0.1:1/\r\n"), "redirect"},
      {"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{", ""},
      {"nonsense\r\n\r\n", ""},
  };
  for (const auto& item : cases) {
    ScriptedServer server([&](Connection& connection) {
      read_request(connection);
      connection.send(item.answer);
    });
    auto made = options(server);
    made.dimensions = 2;
    const auto vectors = embed(made);
    ASSERT_FALSE(vectors.ok()) << item.answer;
    EXPECT_NE(vectors.failure().message.find(item.says), std::string::npos) << vectors.failure().message;
    EXPECT_EQ(vectors.failure().message.find("s3cret"), std::string::npos);
  }
}

TEST_F(RemoteEmbedderTest, AQueryDoesNotWaitForASlowOne) {
  ScriptedServer server([](Connection& connection) {
    read_request(connection);
    connection.wait_until_closed();
  });
  auto made = options(server);
  made.query_time = std::chrono::milliseconds(50);
  EXPECT_FALSE(embed(made).ok());
}

TEST_F(RemoteEmbedderTest, ToolsAreAskedAboutAgainWhenItIsBusy) {
  std::atomic<int> asked = 0;
  ScriptedServer server([&](Connection& connection) {
    for (;;) {
      if (read_request(connection).empty()) return;
      connection.send(++asked < 3 ? response("{}", "429 Too Many Requests") : response(kTwoVectors));
    }
  });
  EXPECT_TRUE(embed(options(server), Embedder::Purpose::kTools).ok());
  EXPECT_EQ(asked, 3);
  // For a query there is no retry: a caller waits for it.
  asked = 0;
  EXPECT_FALSE(embed(options(server)).ok());
  EXPECT_EQ(asked, 1);
  asked = -100;
  EXPECT_FALSE(embed(options(server), Embedder::Purpose::kTools).ok()) << "not without end";
}

TEST_F(RemoteEmbedderTest, TheKeyDoesNotTravelInTheOpen) {
  RemoteOptions made;
  made.url = "http://embeddings.example/v1/embeddings";
  made.model = "m";
  made.key = "s3cret";
  const auto vectors = embed(made);
  ASSERT_FALSE(vectors.ok());
  EXPECT_NE(vectors.failure().message.find("plain http"), std::string::npos);
  made.problem = "the variable K is not set";
  EXPECT_EQ(embed(made).failure().message, made.problem);
}

TEST_F(RemoteEmbedderTest, ModelsAreKnownByEndpointNameAndDimensions) {
  const auto model_of = [&](const std::string& url, const std::string& model, std::size_t dimensions) {
    RemoteOptions made;
    made.url = url;
    made.model = model;
    made.dimensions = dimensions;
    const auto embedder = make_remote_embedder(loop.get_executor(), made);
    std::optional<std::string> known;
    embedder->open([&](Result<std::string> opened) { known = opened.value(); });
    loop.restart();
    while (!known) loop.run_one();
    return *known;
  };
  EXPECT_EQ(model_of("http://127.0.0.1:1/v1", "m", 0), model_of("http://127.0.0.1:1/v1/embeddings", "m", 0));
  EXPECT_NE(model_of("http://127.0.0.1:1/v1", "m", 0), model_of("http://127.0.0.1:2/v1", "m", 0));
  EXPECT_NE(model_of("http://127.0.0.1:1/v1", "m", 0), model_of("http://127.0.0.1:1/v1", "n", 0));
  EXPECT_NE(model_of("http://127.0.0.1:1/v1", "m", 0), model_of("http://127.0.0.1:1/v1", "m", 256));
  // The query part may choose the model, and may hold a key.
  const std::string one = model_of("http://127.0.0.1:1/embeddings?deployment=a&key=s3cret", "m", 0);
  EXPECT_NE(one, model_of("http://127.0.0.1:1/embeddings?deployment=b&key=s3cret", "m", 0));
  EXPECT_EQ(one.find("s3cret"), std::string::npos);
}

}  // namespace
}  // namespace glovebox::discovery
