#include "cli/token/token_command.h"

#include <boost/json.hpp>
#include <charconv>
#include <chrono>
#include <memory>

#include "assembly/tokens/access_tokens.h"
#include "base/text/comma_list.h"
#include "base/try.h"
#include "base/wall_clock.h"
#include "cli/session/confirmation.h"
#include "cli/token/token_record.h"
#include "terminal/command.h"
#include "terminal/exit_codes.h"
#include "terminal/quantities.h"
#include "workspace/report.h"
#include "workspace/with_store.h"
#include "workspace/workspace.h"

namespace glovebox::cli {
namespace {

constexpr const char* kTokenFooter = R"(
Clients of `glovebox serve --http` present a token (Authorization: Bearer TOKEN). Its role says what it may do:

  agent     /mcp: runs code and calls tools; sees and directs only its own runs and workflows
  viewer    GET /metrics, /healthz and /readyz; sees runs at /ui/ and /api/v1, without private data
  approver  the same with private data, and answers approval requests there and with
            `glovebox approvals approve --token`
  operator  everything

The tools, rules and limits of an agent's token can only narrow the workspace's config.

http.token of the config is an agent's; observe.token opens /metrics, /healthz and /readyz. Only a person at a terminal
can create a token that answers for people. A token is printed once and stored as a hash. Running gateways accept new
tokens at once, and reject revoked and expired ones.)";

constexpr std::int64_t kDay = 24 * 60 * 60 * std::int64_t{1000};
constexpr std::int64_t kMostDays = 36'500;

struct TokenOptions {
  WorkspaceFlags where;
  std::string role;
  std::string name;
  std::vector<std::string> tools, ask, deny;
  std::string timeout, memory, calls, runs;
  std::string expires;
  std::string which;
};

// Milliseconds from now.
Result<std::int64_t> lifetime(const std::string& text) {
  const Failure wrong{ErrorCode::kInvalidArgument, "--expires takes a time such as 30d, 12h or 45m, not " + text};
  if (!text.ends_with('d')) {
    const auto time = parse_duration(text);
    return time && time->count() > 0 ? Result<std::int64_t>(time->count()) : wrong;
  }
  std::int64_t days = 0;
  const char* const end = text.data() + text.size() - 1;
  const auto [stop, error] = std::from_chars(text.data(), end, days);
  if (error != std::errc() || stop != end || days < 1 || days > kMostDays) return wrong;
  return days * kDay;
}

std::string when(std::int64_t expires) {
  if (expires == 0) return "never expires";
  if (expires <= base::now_ms()) return "has expired";
  const std::int64_t hours = (expires - base::now_ms()) / (kDay / 24) + 1;
  return hours >= 48 ? "expires in " + std::to_string((hours + 12) / 24) + " days"
                     : "expires in less than " + std::to_string(hours) + (hours == 1 ? " hour" : " hours");
}

std::string json_of(const assembly::AccessToken& token) {
  ObjectText out;
  out.text("id", token.id).text("name", token.name).text("role", name_of(token.role)).number("created", token.created);
  out.json_or_null("expires", token.expires == 0 ? "" : std::to_string(token.expires));
  out.flag("expired", token.is_expired(base::now_ms()));
  return out.json("profile", boost::json::serialize(policy::to_json(token.profile))).done();
}

Result<std::size_t> count_in(const std::string& flag, const std::string& text) {
  constexpr std::size_t kMost = 1'000'000;
  std::size_t count = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, count);
  if (error == std::errc() && stop == end && count >= 1 && count <= kMost) return count;
  return Failure{ErrorCode::kInvalidArgument, flag + " takes a number from 1 to 1000000, not " + text};
}

Result<policy::ClientProfile> profile_of(const TokenOptions& options) {
  policy::ClientProfile profile;
  if (!options.tools.empty()) profile.tools = options.tools;
  profile.ask = options.ask;
  profile.deny = options.deny;
  if (!options.timeout.empty()) profile.timeout = GLOVEBOX_TRY(parse_duration(options.timeout));
  if (!options.memory.empty()) profile.memory_bytes = GLOVEBOX_TRY(parse_size(options.memory));
  if (!options.calls.empty()) profile.calls = GLOVEBOX_TRY(count_in("--calls", options.calls));
  if (!options.runs.empty()) profile.runs = GLOVEBOX_TRY(count_in("--runs", options.runs));
  if (profile.timeout == std::chrono::milliseconds(0) || profile.memory_bytes == std::size_t{0})
    return Failure{ErrorCode::kInvalidArgument, "--timeout and --memory are above zero"};
  return profile;
}

// For a line of `token ls`; empty: it narrows nothing.
std::string profile_text(const policy::ClientProfile& profile) {
  std::vector<std::string> parts;
  const auto list = [&](const char* name, const std::vector<std::string>& patterns) {
    if (!patterns.empty()) parts.push_back(name + base::comma_list(patterns));
  };
  const auto limit = [&](const char* name, const std::optional<std::size_t>& number) {
    if (number) parts.push_back(name + std::to_string(*number));
  };
  list("only ", profile.tools.value_or(std::vector<std::string>()));
  list("ask ", profile.ask);
  list("deny ", profile.deny);
  if (profile.timeout) parts.push_back("timeout " + std::to_string(profile.timeout->count()) + " ms");
  if (profile.memory_bytes) parts.push_back("memory " + std::to_string(*profile.memory_bytes >> 20) + " MB");
  limit("calls ", profile.calls);
  limit("runs ", profile.runs);
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : "; ") + part;
  return text;
}

// The holder of this token counts as a person, so a person must consent to it. Nothing where there is no terminal.
std::optional<bool> person_agrees(const assembly::AccessToken& token, const std::string& workspace) {
  const gateway::ApprovalRequest request{
      "token", "", "A new " + std::string(name_of(token.role)) + "'s token for " + workspace, "{}"};
  return confirmed_by_code(request, "Anyone who holds it can answer approval requests, without a terminal.\n");
}

int make_token(const TokenOptions& options) {
  const bool as_json = options.where.json;
  auto workspace = read_workspace(options.where);
  if (!workspace) return fail_usage(workspace.failure().message, as_json);
  assembly::AccessToken token;
  token.name = options.name;
  token.role = *assembly::role_named(options.role);
  token.created = base::now_ms();
  auto profile = profile_of(options);
  if (!profile) return fail_usage(profile.failure().message, as_json);
  token.profile = std::move(profile).value();
  if (token.profile.narrows() && token.role != assembly::Role::kAgent)
    return fail_usage("--tools, --ask, --deny and limits need --role agent", as_json);
  if (!options.expires.empty()) {
    const auto time = lifetime(options.expires);
    if (!time) return fail_usage(time.failure().message, as_json);
    token.expires = token.created + *time;
  }
  if (token.role == assembly::Role::kApprover || token.role == assembly::Role::kOperator) {
    const auto agreed = person_agrees(token, workspace->folder);
    if (!agreed)
      return fail_with(kWaiting, "APPROVAL_REQUIRED",
                       "only a person at a terminal can create a token that answers for people", as_json);
    if (!*agreed) return fail_with(kPolicyDenied, "NOT_APPROVED", "no token was created", as_json);
  }
  if (const auto made = make_state(*workspace, print_note); !made) return fail_usage(made.failure().message, as_json);
  const auto secret = assembly::AccessTokens(workspace->state_folder).add(token);
  if (!secret) return fail_usage(secret.failure().message, as_json);
  if (const auto recorded = record_new_token(options.where, token); !recorded) {
    (void)assembly::AccessTokens(workspace->state_folder).revoke(token.id);
    return fail_to_change(recorded.failure(), as_json);
  }
  if (as_json) {
    print_json(ObjectText().flag("ok", true).text("token", *secret).json("about", json_of(token)).done());
    return kOk;
  }
  print_line(*secret);
  print_note(token.id + ", role " + std::string(name_of(token.role)) + "; it " + when(token.expires) +
             ". The token is not shown again");
  return kOk;
}

int list_tokens(const TokenOptions& options) {
  const auto workspace = read_workspace(options.where);
  if (!workspace) return fail_usage(workspace.failure().message, options.where.json);
  const auto tokens = assembly::AccessTokens(workspace->state_folder).list();
  if (!tokens) return fail_usage(tokens.failure().message, options.where.json);
  if (options.where.json) {
    print_json(ObjectText().flag("ok", true).json("tokens", json_list(*tokens, json_of)).done());
    return kOk;
  }
  for (const assembly::AccessToken& token : *tokens) {
    print_line(token.id + "\t" + std::string(name_of(token.role)) + "\t" + when(token.expires) +
               (token.profile.narrows() ? "\t" + profile_text(token.profile) : ""));
  }
  if (tokens->empty()) print_line("There are no tokens.");
  return kOk;
}

int revoke_token(const TokenOptions& options) {
  const bool as_json = options.where.json;
  const auto workspace = read_workspace(options.where);
  if (!workspace) return fail_usage(workspace.failure().message, as_json);
  const auto revoked = assembly::AccessTokens(workspace->state_folder).revoke(options.which);
  if (!revoked) return fail_usage(revoked.failure().message, as_json);
  if (!*revoked) return fail_with(kUsage, "NOT_FOUND", "there is no token " + options.which, as_json);
  // It is revoked whether or not that can be written down.
  if (const auto recorded = record_revoked_token(options.where, options.which); !recorded)
    print_note("this is not in the audit log: " + recorded.failure().message);
  if (as_json) {
    print_json(ObjectText().flag("ok", true).text("revoked", options.which).done());
  } else {
    print_line(options.which + " is revoked.");
  }
  return kOk;
}

}  // namespace

void add_token_command(Command& app) {
  const auto options = std::make_shared<TokenOptions>();
  Command* command = app.add_subcommand("token", "Create and revoke tokens for HTTP clients");
  command->footer(kTokenFooter);
  command->require_subcommand();
  const auto add = [&](const char* name, const char* what, std::function<int()> run) {
    Command* inner = command->add_subcommand(name, what);
    add_workspace_flags(*inner, options->where);
    inner->runs(std::move(run));
    return inner;
  };
  Command* making = add("new", "Create a token, and print it once", [options] { return make_token(*options); });
  making->footer(kTokenFooter);
  making->add_option("--role", options->role, "What it may do: agent, viewer, approver or operator")
      ->one_of({"agent", "viewer", "approver", "operator"})
      ->type_name("ROLE")
      ->required();
  making->add_option("--name", options->name, "The name of its holder: letters, digits, '.', '_' and '-'")
      ->type_name("NAME");
  const auto add_patterns = [making](const char* flag, std::vector<std::string>& patterns, const char* what) {
    making->add_option(flag, patterns, what)->type_name("PATTERN")->one_at_a_time();
  };
  add_patterns("--tools", options->tools,
               "Of the tools that the workspace's rules allow, only these: server, server:tool, …; may be repeated");
  add_patterns("--ask", options->ask, "A person must approve these, even where the rules allow them; may be repeated");
  add_patterns("--deny", options->deny, "None of these; may be repeated");
  making->add_option("--timeout", options->timeout, "Time of a run's own work, such as 10s")->type_name("TIME");
  making->add_option("--memory", options->memory, "Memory of a run, such as 128MB")->type_name("SIZE");
  making->add_option("--calls", options->calls, "Tool calls of a run")->type_name("N");
  making->add_option("--runs", options->runs, "Runs at once")->type_name("N");
  making->add_option("--expires", options->expires, "When it expires: 30d, 12h, 45m (never)")->type_name("TIME");
  add("ls", "List tokens", [options] { return list_tokens(*options); });
  Command* revoking = add("revoke", "Revoke one", [options] { return revoke_token(*options); });
  revoking->add_option("which", options->which, "Its name or id")->type_name("NAME|ID")->required();
}

}  // namespace glovebox::cli
