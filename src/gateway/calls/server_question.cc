#include "gateway/calls/server_question.h"

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <utility>

#include "base/text/framed_text.h"
#include "base/text/log_text.h"
#include "base/text/utf8.h"
#include "base/try.h"
#include "mcp/oauth/oauth_metadata.h"

namespace glovebox::gateway {
namespace {

namespace json = boost::json;

constexpr std::size_t kMostTitleColumns = 200;
// The client's privacy filter reads it later, and would miss values that are broken into lines.
constexpr base::Frame kUnbroken{.columns = static_cast<std::size_t>(-1)};

std::string_view view(const json::string& text) {
  return {text.data(), text.size()};
}

// Names of fields in our own forms.
bool is_ours(std::string_view name) {
  constexpr std::array<std::string_view, 6> kOurs = {"decision", "scope", "reason", "approve", "approved", "approval"};
  for (const std::string_view ours : kOurs) {
    if (name == ours) return true;
  }
  return false;
}

// Text for people, which does not come back in an answer. An object is a field that has such a name.
bool is_for_people(std::string_view key, const json::value& value) {
  return (key == "title" || key == "description" || key == "enumNames") && !value.is_object();
}

void show_unseen(json::value& value) {
  if (json::string* text = value.if_string()) *text = base::neutralise(view(*text));
  if (json::array* list = value.if_array()) {
    for (json::value& item : *list) show_unseen(item);
  }
  if (json::object* object = value.if_object()) {
    for (auto& member : *object) show_unseen(member.value());
  }
}

void show_unseen_to_people(json::value& value) {
  if (json::array* list = value.if_array()) {
    for (json::value& item : *list) show_unseen_to_people(item);
  }
  if (json::object* object = value.if_object()) {
    for (auto& member : *object) {
      const std::string_view key(member.key().data(), member.key().size());
      is_for_people(key, member.value()) ? show_unseen(member.value()) : show_unseen_to_people(member.value());
    }
  }
}

// Whether a value that comes back, or a name, contains invisible characters.
bool hides_something(const json::value& value) {
  if (const json::string* text = value.if_string()) return base::neutralise(view(*text)) != view(*text);
  if (const json::array* list = value.if_array()) {
    for (const json::value& item : *list) {
      if (hides_something(item)) return true;
    }
  }
  if (const json::object* object = value.if_object()) {
    for (const auto& member : *object) {
      const std::string_view key(member.key().data(), member.key().size());
      if (base::neutralise(key) != key) return true;
      if (!is_for_people(key, member.value()) && hides_something(member.value())) return true;
    }
  }
  return false;
}

void name_field(std::string_view server, std::string_view name, json::object& field) {
  const json::value* title = field.if_contains("title");
  const bool titled = title && title->is_string();
  field["title"] = base::one_line(std::string(server) + ": " + std::string(titled ? view(title->get_string()) : name),
                                  kMostTitleColumns);
}

Result<void> name_form(std::string_view server, json::value& form, std::map<std::string, std::string>& names) {
  if (hides_something(form)) return Failure{ErrorCode::kInvalidArgument, "the form has invisible characters"};
  show_unseen_to_people(form);
  json::object& schema = form.get_object();
  json::value* properties = schema.if_contains("properties");
  if (!properties || !properties->is_object()) return {};
  json::object named;
  for (auto& member : properties->get_object()) {
    const std::string key(member.key().data(), member.key().size());
    const std::string shown = is_ours(key) ? std::string(server) + "_" + key : key;
    if (named.contains(shown)) return Failure{ErrorCode::kInvalidArgument, "the form has two fields named " + shown};
    if (shown != key) names[shown] = key;
    if (member.value().is_object()) name_field(server, key, member.value().get_object());
    named[shown] = std::move(member.value());
  }
  *properties = std::move(named);
  json::value* required = schema.if_contains("required");
  if (!required || !required->is_array()) return {};
  for (json::value& item : required->get_array()) {
    if (!item.is_string() || !is_ours(view(item.get_string()))) continue;
    item = std::string(server) + "_" + std::string(view(item.get_string()));
  }
  return {};
}

// That a person is to open: what is shown of it must be where it leads.
bool is_plain_address(const json::value& url) {
  const json::string* text = url.if_string();
  return text && mcp::split_url(view(*text)) &&
         std::all_of(text->begin(), text->end(), [](char c) { return c > 0x20 && c < 0x7f; });
}

}  // namespace

Result<ServerQuestion> question_of(std::string_view server, std::string_view method, std::string_view params) {
  json::error_code error;
  json::value tree = json::parse(json::string_view(params.data(), params.size()), error);
  if (error || !tree.is_object()) return Failure{ErrorCode::kInvalidArgument, "the question is not a JSON object"};
  json::object& object = tree.get_object();
  const std::string who = "The server " + base::neutralise_json(base::json_text(server));
  ServerQuestion question;
  if (method == "elicitation/create") {
    const json::value* message = object.if_contains("message");
    const std::string words(message && message->is_string() ? view(message->get_string()) : std::string_view());
    object["message"] = who + " asks this; Glovebox does not:\n" + base::framed(words, kUnbroken);
    if (const json::value* url = object.if_contains("url"); url && !url->is_null() && !is_plain_address(*url))
      return Failure{ErrorCode::kInvalidArgument, "the question's url is no plain web address"};
    if (json::value* schema = object.if_contains("requestedSchema"); schema && schema->is_object()) {
      GLOVEBOX_TRY_VOID(name_form(server, *schema, question.names));
    }
  } else {
    show_unseen(tree);
    // To the client all servers are Glovebox: one of them would get what others have answered.
    object.erase("includeContext");
    const json::value* prompt = object.if_contains("systemPrompt");
    const std::string words(prompt && prompt->is_string() ? view(prompt->get_string()) : std::string_view());
    object["systemPrompt"] = who + " asks for this completion. The text below is the server's.\n" + words;
  }
  question.params = json::serialize(tree);
  return question;
}

std::string answer_for(const ServerQuestion& question, const std::string& answer) {
  if (question.names.empty()) return answer;
  json::error_code error;
  json::value tree = json::parse(answer, error);
  json::value* content = !error && tree.is_object() ? tree.get_object().if_contains("content") : nullptr;
  if (!content || !content->is_object()) return answer;
  json::object renamed;
  for (auto& member : content->get_object()) {
    const auto name = question.names.find(std::string(member.key().data(), member.key().size()));
    renamed[name == question.names.end() ? std::string_view(member.key().data(), member.key().size()) : name->second] =
        member.value();
  }
  *content = std::move(renamed);
  return json::serialize(tree);
}

catalog::AnswerQuestion CallQuestions::add(catalog::AnswerQuestion answer) const {
  const std::uint64_t number = ++open_->last;
  open_->answers.emplace(number, std::move(answer));
  return [weak = std::weak_ptr(open_), number](Result<std::string> said) {
    const auto open = weak.lock();
    if (!open) return;
    if (const auto found = open->answers.extract(number)) found.mapped()(std::move(said));
  };
}

void CallQuestions::end() const {
  for (const auto& [number, answer] : std::exchange(open_->answers, {}))
    answer(Failure{ErrorCode::kNotFound, "the call has ended"});
}

AskQuestion in_the_name_of(std::string server, AskQuestion ask) {
  return [server = std::move(server), ask = std::move(ask)](std::string_view method, std::string_view params,
                                                            catalog::AnswerQuestion answer) {
    auto question = question_of(server, method, params);
    if (!question) return answer(question.failure());
    const std::string asked = question->params;
    ask(method, asked, [question = std::move(question).value(), answer](Result<std::string> said) {
      answer(said ? Result<std::string>(answer_for(question, *said)) : std::move(said));
    });
  };
}

}  // namespace glovebox::gateway
