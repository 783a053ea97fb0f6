#include "gateway/principal/sessions.h"

#include <gtest/gtest.h>

namespace glovebox::gateway {
namespace {

class SessionsTest : public testing::Test {
 protected:
  bool may_answer(const std::string& session, const Asker& asker) const {
    return sessions_.may_answer(session, "gw_1", asker, session.substr(0, session.find(' ')) == "gw_2");
  }

  Sessions sessions_;
  const Asker one_{"http", "peer-1"};
  const Asker two_{"http", "peer-2"};
  const Asker without_sessions_{"http", "http"};
};

TEST_F(SessionsTest, AYesComesFromTheConversationThatAskedWhileItIsOpen) {
  const std::string session = sessions_.open("gw_1", one_);
  EXPECT_TRUE(may_answer(session, one_));
  EXPECT_FALSE(may_answer(session, two_));
  EXPECT_FALSE(may_answer(session, without_sessions_));
  sessions_.end("peer-11");
  EXPECT_FALSE(may_answer(session, two_));
  sessions_.end("peer-1");
  EXPECT_TRUE(may_answer(session, two_));
}

TEST_F(SessionsTest, TheNameOfAConversationIsOneOfItsGateway) {
  EXPECT_FALSE(may_answer("gw_2 peer-1", one_)) << "another gateway's first conversation";
  EXPECT_TRUE(may_answer("gw_dead peer-1", one_));
  EXPECT_TRUE(may_answer("gw_dead", one_)) << "as former versions wrote it";
  EXPECT_FALSE(may_answer("gw_2", one_));
}

TEST_F(SessionsTest, AClientWithoutSessionsHasOneConversationAtAllGateways) {
  const std::string session = sessions_.open("gw_1", without_sessions_);
  EXPECT_TRUE(may_answer(session, without_sessions_));
  EXPECT_TRUE(may_answer("gw_2 http", without_sessions_));
  EXPECT_FALSE(may_answer(session, one_)) << "it has no end";
  EXPECT_FALSE(may_answer("gw_2 peer-1", without_sessions_));
}

}  // namespace
}  // namespace glovebox::gateway
