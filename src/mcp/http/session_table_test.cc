#include "mcp/http/session_table.h"

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>

#include "mcp/limits.h"
#include "mcp/server/server_core.h"

namespace glovebox::mcp {
namespace {

// Of the client that has the most sessions one is evicted, whatever names it gives itself.
TEST(SessionTable, MadeUpNamesGetAClientNoMoreRoom) {
  ServerCore core{{.info = {"test", "1", {}}}};
  SessionTable table;
  const auto add = [&](const std::string& id, const std::string& principal) {
    table.add(std::make_shared<ServerSession>(id, core.connect({.principal = principal})));
  };
  for (const char* id : {"ann-1", "ann-2"}) add(id, "http:ann");
  for (std::size_t i = 0; table.size() < kMaxSessions; ++i) {
    add("eve-" + std::to_string(i), "http:eve made-up-name-" + std::to_string(i));
  }
  int evicted = 0;
  EXPECT_TRUE(table.make_room("http:bob", [&] { ++evicted; }));
  EXPECT_EQ(evicted, 1);
  EXPECT_TRUE(table.find("ann-1") && table.find("ann-2"));
}

// Not even by sessions that are busy.
TEST(SessionTable, OneTokenDoesNotHaveAllOfThem) {
  ServerCore core{{.info = {"test", "1", {}}}};
  boost::asio::io_context loop;
  SessionTable table;
  std::vector<std::shared_ptr<HttpReply>> streams;
  for (std::size_t i = 0; i < kMaxSessionsOfOneToken; ++i) {
    ASSERT_TRUE(table.make_room("http:eve", nullptr));
    auto session = std::make_shared<ServerSession>("eve-" + std::to_string(i), core.connect({.principal = "http:eve"}));
    table.add(session);
    streams.push_back(std::make_shared<HttpReply>(loop.get_executor()));
    ASSERT_EQ(session->attach(streams.back(), ""), ServerSession::Attached::kYes);
    ASSERT_TRUE(session->busy());
  }
  EXPECT_FALSE(table.make_room("http:eve", nullptr));
  EXPECT_TRUE(table.make_room("http:owner", nullptr));
  int evicted = 0;
  streams.front()->detach();
  EXPECT_TRUE(table.make_room("http:eve", [&] { ++evicted; }));
  EXPECT_EQ(evicted, 1);
  EXPECT_FALSE(table.find("eve-0"));
}

// What is kept for clients that reconnect: one with many sessions costs no other its own.
TEST(SessionTable, EventsOfAllSessionsAreBounded) {
  constexpr std::size_t kMost = 1'000'000;
  ServerCore core{{.info = {"test", "1", {}}}};
  SessionTable table(kMost);
  const std::string event(100'000, 'x');
  const auto add = [&](const std::string& id, const std::string& principal) {
    auto session = std::make_shared<ServerSession>(id, core.connect({.principal = principal}), table.kept());
    table.add(session);
    session->open_stream(nullptr)->send(event);
    return session;
  };
  const auto ann = add("ann", "http:ann");
  EXPECT_GT(ann->event_bytes(), event.size());
  const auto first = add("eve", "http:eve");
  for (int i = 0; i < 30; ++i) {
    const std::string number = std::to_string(i);
    EXPECT_GT(add("eve-" + number, "http:eve made-up-name-" + number)->event_bytes(), 0u);
    EXPECT_LE(table.kept()->bytes, kMost);
  }
  EXPECT_EQ(first->event_bytes(), 0u);
  EXPECT_GT(ann->event_bytes(), event.size());
  table.end("ann");
  EXPECT_LE(table.kept()->bytes, kMost);
  table.close();
}

}  // namespace
}  // namespace glovebox::mcp
