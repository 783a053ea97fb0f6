#include "calls/own/permission_calls.h"

#include <boost/asio/post.hpp>

#include "policy/net_grants.h"

namespace glovebox::calls {
namespace {

// As in Deno, what is not granted is "prompt": a person might still be asked. Here no person is asked, but code that
// was written for Deno expects that word.
std::string state(bool granted) {
  return granted ? "\"granted\"" : "\"prompt\"";
}

std::string target_of(const std::string& name, const std::optional<std::string>& subject) {
  return subject ? name + " " + *subject : name;
}

}  // namespace

CallHandler::Recalled PermissionCalls::recall(const Call& call, std::shared_ptr<Answer> answer,
                                              const replay::RecordedReply*) {
  if (const auto name = call.arguments.text("name")) answer->about(target_of(*name, call.arguments.text("subject")));
  return {};
}

std::shared_ptr<BodySink> PermissionCalls::handle(const Call& call, std::shared_ptr<Answer> answer) {
  const auto name = call.arguments.text("name");
  if (call.op != "permissions.query" || !name) {
    answer->violation("a permission query that does not exist");
    return nullptr;
  }
  const auto subject = call.arguments.text("subject");
  answer->about(target_of(*name, subject));
  if (*name == "read" || *name == "write") {
    ask_disk(*name == "read" ? policy::Access::kRead : policy::Access::kWrite, subject.value_or(""), std::move(answer));
  } else {
    answer->value(state(is_granted(*name, subject)));
  }
  return nullptr;
}

void PermissionCalls::ask_disk(policy::Access access, std::string path, std::shared_ptr<Answer> answer) {
  files_.with_disk([io = io_, access, path = std::move(path), answer = std::move(answer)](RunDisk& disk) {
    auto view = disk.view();
    const bool granted = view && view.value()->is_granted(access, path);
    boost::asio::post(*io, [answer, granted] { answer->value(state(granted)); });
  });
}

bool PermissionCalls::is_granted(const std::string& name, const std::optional<std::string>& subject) const {
  if (name == "env") return subject ? grants_.env.allows(*subject) : grants_.env.allows_all();
  if (name == "run") return subject && grants_.run.find(*subject);
  if (name == "net") {
    const auto wanted = policy::NetGrant::parse(subject.value_or("*"));
    return wanted && grants_.net.covers(wanted.value());
  }
  return false;
}

}  // namespace glovebox::calls
