#include "code_check/code_checker.h"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <map>
#include <set>

#include "base/digest.h"
#include "catalog/names.h"
#include "code_check/foreign_servers.h"
#include "code_check/python/python_check.h"
#include "code_check/tool_shapes.h"
#include "skills/skill_tools.h"
#include "types/declarations.h"

namespace glovebox::code_check {
namespace {

using catalog::ServerHealth;

// A server that takes longer to start is not waited for; the call itself does that.
constexpr std::chrono::seconds kListTime{15};
// Of the whole answer: servers are listed and the code is checked, both up to twice.
constexpr std::chrono::seconds kAnswerTime{30};
// Of programs that were read last.
constexpr std::size_t kMostKept = 32;
constexpr std::size_t kMostKeptBytes = 64 << 10;

using Health = std::vector<ServerHealth>;

std::vector<std::string> those(const Health& health, const std::vector<std::string>& servers,
                               const std::function<bool(const ServerHealth&)>& wanted) {
  std::vector<std::string> names;
  for (const ServerHealth& server : health) {
    const bool named = std::find(servers.begin(), servers.end(), server.name) != servers.end();
    if (named && server.state != ServerHealth::State::kDisabled && wanted(server)) names.push_back(server.name);
  }
  return names;
}

bool is_unlisted(const ServerHealth& server) {
  return server.state != ServerHealth::State::kReady && server.tools == 0;
}

// What is known of its tools is from an earlier time.
bool is_remembered(const ServerHealth& server) {
  return server.state != ServerHealth::State::kReady && server.tools > 0;
}

bool blames_tools(const check::CheckReport& report) {
  return std::any_of(report.diagnostics.begin(), report.diagnostics.end(),
                     [](const Diagnostic& found) { return found.about == Diagnostic::About::kTools; });
}

// However code may write the names, the catalog understands it where only one tool can be meant.
void add_spellings(const catalog::Catalog& catalog, std::vector<types::ToolShape>& shapes) {
  std::map<std::string, int> meant;
  std::set<std::string> servers;
  const auto key = [](const types::ToolShape& shape) { return shape.server + "." + catalog::plain_name(shape.name); };
  for (const types::ToolShape& shape : shapes) ++meant[key(shape)];
  for (types::ToolShape& shape : shapes) {
    if (meant[key(shape)] == 1) shape.other_names = catalog::spellings(shape.name);
    if (!servers.insert(shape.server).second) continue;
    for (std::string& name : catalog::spellings(shape.server))
      if (catalog.resolve_server(name) == shape.server) shape.other_server_names.push_back(std::move(name));
  }
}

}  // namespace

struct CodeChecker::Question {
  gateway::CodeToCheck asked;
  std::function<void(gateway::CodeReport)> done;
  std::vector<std::string> servers;  // that the code speaks of
  std::vector<std::string> foreign;  // that it calls and only the remote gateway may have
  bool asked_again = false;
  std::chrono::steady_clock::time_point since = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point until = since + kAnswerTime;
};

CodeChecker::CodeChecker(boost::asio::any_io_executor executor, std::shared_ptr<catalog::Catalog> catalog,
                         std::shared_ptr<types::TypeGenerator> types, CodeCheckerOptions options)
    : executor_(executor),
      catalog_(std::move(catalog)),
      types_(std::move(types)),
      options_(std::move(options)),
      checker_(executor, options_.types) {}

// By its letters: a mention in a comment costs a start that a call would cost anyway.
std::vector<std::string> CodeChecker::servers_in(const std::string& code) const {
  std::vector<std::string> found;
  for (const std::string& server : catalog_->servers()) {
    std::vector<std::string> names = catalog::spellings(server);
    names.push_back(server);
    names.push_back(catalog::camel_case(server));
    const bool spoken_of = std::any_of(names.begin(), names.end(), [&](const std::string& name) {
      return !name.empty() && code.find(name) != std::string::npos;
    });
    if (spoken_of) found.push_back(server);
  }
  // Which classes it has is not known before it is listed, but how their names end.
  for (const ServerHealth& server : catalog_->health()) {
    if (server.classes && code.find("Skill") != std::string::npos) found.push_back(server.name);
  }
  return found;
}

types::ComposeText CodeChecker::all_tools(const std::vector<std::string>& foreign) const {
  CheckedTools checked = checked_tools(*catalog_);
  // Nothing that these tools say of themselves counts, but they are declared: the call itself reports what is wrong.
  for (const catalog::Tool& tool : catalog_->known_tools()) {
    if (tool.state == catalog::Tool::State::kUsable) continue;
    types::ToolShape shape = shape_of(*catalog_, tool);
    shape.description.clear();
    shape.input_schema = "{}";
    shape.output_schema.clear();
    checked.tools.push_back(std::move(shape));
  }
  add_spellings(*catalog_, checked.tools);
  for (const std::string& server : foreign) checked.open.push_back({server, "", false});
  return [checked = std::move(checked)](const types::AskForPart& ask) {
    return types::declare_all(checked.tools, types::Form::kCompact, ask, checked.open);
  };
}

void CodeChecker::declare(const std::vector<std::string>& foreign, std::function<void(Declarations)> then) {
  if (foreign.empty() && !stale_) return then(declarations_);
  types_->make(all_tools(foreign), [weak = weak_from_this(), foreign = !foreign.empty(), changes = changes_,
                                    then = std::move(then)](types::MadeText made) {
    const auto self = weak.lock();
    if (!self) return;
    if (foreign) return then(std::make_shared<const std::string>(std::move(made.text)));
    // Tools may have changed while it was made.
    if (made.is_whole && changes == self->changes_) self->stale_ = false;
    // The change may only have been one of a server's health. The same object need not be sent again.
    if (!self->declarations_ || *self->declarations_ != made.text) {
      self->digest_ = base::sha256_hex(made.text);
      self->declarations_ = std::make_shared<const std::string>(std::move(made.text));
    }
    then(self->declarations_);
  });
}

void CodeChecker::list(std::vector<std::string> servers, std::chrono::steady_clock::time_point until,
                       std::function<void()> done) {
  if (servers.empty()) return done();
  struct Waiting {
    Waiting(const boost::asio::any_io_executor& executor, std::function<void()> then)
        : timer(executor), done(std::move(then)) {}
    boost::asio::steady_timer timer;
    std::function<void()> done;
    std::size_t left = 0;

    void end() {
      timer.cancel();
      if (const auto once = std::exchange(done, nullptr)) once();
    }
  };
  const auto waiting = std::make_shared<Waiting>(executor_, [weak = weak_from_this(), done = std::move(done)] {
    // The notice that the tools have changed may arrive only after their listing.
    if (const auto self = weak.lock()) self->tools_changed();
    done();
  });
  waiting->left = servers.size();
  waiting->timer.expires_at(std::min(std::chrono::steady_clock::now() + kListTime, until));
  waiting->timer.async_wait([waiting](const boost::system::error_code& error) {
    if (!error) waiting->end();
  });
  for (std::string& server : servers) {
    catalog_->list_tools(std::move(server), [waiting](const auto&) {
      if (--waiting->left == 0) waiting->end();
    });
  }
}

void CodeChecker::check(gateway::CodeToCheck code, std::function<void(gateway::CodeReport)> done) {
  const auto question = std::make_shared<Question>();
  question->asked = std::move(code);
  question->done = std::move(done);
  question->servers = servers_in(question->asked.code);
  if (options_.has_remote()) question->foreign = foreign_servers(question->asked.code, catalog_->servers());
  list(those(catalog_->health(), question->servers, is_unlisted), question->until, [weak = weak_from_this(), question] {
    if (const auto self = weak.lock()) self->ask(question);
  });
}

check::CheckReport CodeChecker::check_python_of(const Question& question, const WrittenCalls& written) const {
  std::vector<std::string> open = question.foreign;
  for (const types::OpenServer& server : checked_tools(*catalog_).open) open.push_back(server.name);
  for (const ServerHealth& server : catalog_->health()) {
    if (!server.classes) continue;
    // What the gateway itself answers in its name. Classes are servers, which are not known before it is listed.
    for (const catalog::Tool& tool : skills::own_skill_tools()) open.push_back(tool.server);
    open.push_back(server.name);
    if (is_unlisted(server)) return {};
  }
  return {check_python(question.asked.code, written, *catalog_, open), "", 0};
}

void CodeChecker::ask_about_python(const std::shared_ptr<Question>& question) {
  const auto answer = [weak = weak_from_this(), question](const WrittenCalls& written, std::string note) {
    const auto self = weak.lock();
    if (!self) return;
    check::CheckReport report = self->check_python_of(*question, written);
    report.note = std::move(note);
    self->on_report(question, std::move(report));
  };
  const auto known =
      std::find_if(read_.begin(), read_.end(), [&](const auto& one) { return one.first == question->asked.code; });
  // Nothing to find, or found already.
  if (known != read_.end() || (question->servers.empty() && question->asked.code.find("mcp") == std::string::npos)) {
    const auto read = known != read_.end() ? known->second : std::make_shared<const WrittenCalls>();
    return boost::asio::post(executor_, [answer, read] { answer(*read, ""); });
  }
  options_.read_python(question->asked.code, [weak = weak_from_this(), question, answer](Result<WrittenCalls> written) {
    const auto self = weak.lock();
    if (!self) return;
    if (!written) return answer({}, written.failure().message);
    const auto read = std::make_shared<const WrittenCalls>(std::move(written).value());
    if (question->asked.code.size() <= kMostKeptBytes) self->read_.emplace_front(question->asked.code, read);
    if (self->read_.size() > kMostKept) self->read_.pop_back();
    answer(*read, "");
  });
}

void CodeChecker::ask(const std::shared_ptr<Question>& question) {
  const gateway::CodeToCheck& asked = question->asked;
  if (asked.language == Language::kPython) return ask_about_python(question);
  declare(question->foreign, [weak = weak_from_this(), question](const Declarations& declared) {
    if (const auto self = weak.lock()) self->check_against(question, declared);
  });
}

void CodeChecker::check_against(const std::shared_ptr<Question>& question, const Declarations& declared) {
  const gateway::CodeToCheck& asked = question->asked;
  const std::string digest = declared == declarations_ ? digest_ : base::sha256_hex(*declared);
  std::string key = check::KeptVerdicts::key_of(asked.principal, asked.code, digest);
  if (const auto known = verdicts_.find(key)) {
    return boost::asio::post(executor_, [weak = weak_from_this(), question, found = *known] {
      if (const auto self = weak.lock()) self->on_report(question, {found, "", 0});
    });
  }
  checker_.check({asked.code, declared, question->until},
                 [weak = weak_from_this(), question, key = std::move(key)](check::CheckReport report) {
                   const auto self = weak.lock();
                   if (!self) return;
                   if (report.note.empty()) self->verdicts_.keep(key, report.diagnostics);
                   self->on_report(question, std::move(report));
                 });
}

void CodeChecker::on_report(const std::shared_ptr<Question>& question, check::CheckReport report) {
  // A program is not refused for what a server may have offered the last time it ran.
  const auto remembered = those(catalog_->health(), question->servers, is_remembered);
  if (blames_tools(report) && !question->asked_again && !remembered.empty()) {
    question->asked_again = true;
    return list(remembered, question->until, [weak = weak_from_this(), question] {
      if (const auto self = weak.lock()) self->ask(question);
    });
  }
  const std::chrono::duration<double, std::milli> spent = std::chrono::steady_clock::now() - question->since;
  options_.drop_known(report.diagnostics);
  advise_on_tools(catalog_, options_.nearest, std::move(report.diagnostics),
                  [question, note = std::move(report.note), spent,
                   unlisted = those(catalog_->health(), question->servers, is_unlisted)](auto advised) {
                    question->done({std::move(advised), note, spent.count(), unlisted});
                  });
}

}  // namespace glovebox::code_check
