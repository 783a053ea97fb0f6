#include "cli/capability/capability_library.h"

#include <boost/asio/io_context.hpp>

#include "agent_tools/run_reply.h"
#include "base/text/json_text.h"
#include "capability/registry/client_id.h"
#include "catalog/names.h"
#include "cli/capability/capability_run.h"
#include "cli/session/terminal_prompt.h"
#include "gateway/approvals/approval_text.h"
#include "terminal/exit_codes.h"
#include "workspace/report.h"

namespace glovebox::cli {
namespace {

using capability::Fqdn;
using capability::Library;
using capability::LockEntry;
using capability::Metadata;
using State = Library::Comparison::State;

std::string entry_json(const LockEntry& entry, bool cached) {
  ObjectText out;
  out.text("fqdn", entry.fqdn.text()).text("call", "mcp." + entry.fqdn.called()).text("type", entry.type);
  out.text("integrity", entry.integrity.text()).text("fetchedAt", entry.fetched_at);
  out.text("lastValidated", entry.last_validated).flag("approved", entry.approved).flag("cached", cached);
  return out.done();
}

// What it will ask for, shown so that the metadata need not be read for it.
void tell_wishes(const Metadata& metadata) {
  const auto list = [](const char* words, const std::vector<std::string>& names) {
    std::string line = words;
    for (const std::string& name : names) line += (&name == &names.front() ? " " : ", ") + name;
    if (!names.empty()) print_line(line);
  };
  list("  calls", metadata.tools);
  list("  gets the values of", metadata.env);
  for (const capability::Dependency& dependency : metadata.dependencies)
    print_line("  needs " + dependency.name + ": " + dependency.launch());
}

// The answer of the person at the terminal, or yes where the digest is on the command line; nothing
// where there is neither.
std::optional<bool> ask(const gateway::ApprovalRequest& request, const std::string& approved) {
  if (!approved.empty() && approved == digest_of(request)) return true;
  boost::asio::io_context loop;
  const auto terminal = TerminalPrompt::open(loop.get_executor());
  if (!terminal) return std::nullopt;
  std::optional<bool> said;
  terminal->ask(request, [&](const gateway::ApprovalAnswer& answer) { said = answer.approved; });
  loop.run();
  return said;
}

// The outcome for one of them.
struct Updated {
  int exit_code = kOk;
  std::string status;
  std::string more;  // a JSON object, or empty
};

Updated update_one(CapabilityDesk& desk, const Fqdn& fqdn) {
  const auto failed_as = [&](ErrorWord word, const Failure& failure) {
    print_note("glovebox: " + failure.message);
    const std::string error = ObjectText().text("code", word.name()).text("message", failure.message).done();
    return Updated{exit_code_of(failure), "failed", ObjectText().json("error", error).done()};
  };
  const auto failed = [&](const Failure& failure) { return failed_as(word_of(failure), failure); };
  const LockEntry* entry = desk.library.lock().find(fqdn);
  if (!entry) return failed({ErrorCode::kNotFound, "there is no capability " + fqdn.text() + " in this workspace"});
  const auto published = desk.fetch(fqdn);
  if (!published) return failed(published.failure());
  const auto seen = desk.library.compare(*published);
  if (seen.state == State::kSame) {
    if (const auto restored = desk.library.restore(*published); !restored) return failed(restored.failure());
    return {kOk, "same", ""};
  }
  if (seen.state == State::kReplayed) {
    return failed_as("REPLAYED_VERSION",
                     {ErrorCode::kProtocol,
                      "the registry offers a version of " + fqdn.text() +
                          " that a newer one has replaced here: a replay of an old version. To go back to it, remove "
                          "the capability and add it again"});
  }
  const auto request = request_about("integrity", fqdn.text() + " has changed", seen.diff);
  const auto said = ask(request, desk.flags.approve);
  if (!said) {
    if (!desk.json) print_line(gateway::approval_text(request));
    print_note(
        "glovebox: there is no terminal to ask on. To allow exactly this change:\n  glovebox capability update " +
        fqdn.text() + " --approve " + digest_of(request));
    const std::string asked = agent_tools::approval_required(request, gateway::approval_text(request));
    return {kWaiting, "approval_required", ObjectText().json("approval", asked).done()};
  }
  if (!*said) return {kPolicyDenied, "denied", ""};
  if (const auto accepted = desk.library.accept(*published, seen); !accepted) return failed(accepted.failure());
  return {kOk, "updated", ""};
}

}  // namespace

int list_capabilities(const CapabilityFlags& options) {
  const auto desk = CapabilityDesk::open(options);
  if (!desk) return fail(desk.failure(), options.where.json);
  const Library& library = (*desk)->library;
  ListText listed;
  for (const auto& [name, entry] : library.lock().entries()) {
    const bool cached = library.load(entry).ok();
    listed.json(entry_json(entry, cached));
    if (!options.where.json)
      print_line(name + "\tmcp." + entry.fqdn.called() + "\t" + entry.type + (cached ? "" : "\tnot in the cache"));
  }
  if (options.where.json)
    print_json(ObjectText().flag("ok", true).json("capabilities", listed.done()).done());
  else if (library.lock().entries().empty())
    print_note("there are none; add one with `glovebox capability add FQDN`");
  return kOk;
}

int add_capability(const CapabilityFlags& options) {
  const bool json = options.where.json;
  const auto opened = CapabilityDesk::open(options);
  if (!opened) return fail(opened.failure(), json);
  CapabilityDesk& desk = **opened;
  const auto fqdn = Fqdn::parse(options.name);
  if (!fqdn) return fail(fqdn.failure(), json);
  for (const config::DeclaredServer& server : desk.workspace.config.servers) {
    if (catalog::camel_case(server.spec.name) != catalog::camel_case(fqdn->space)) continue;
    return fail(
        {ErrorCode::kConflict, fqdn->text() + " has the name of the server " + server.spec.name +
                                   " in the config, so code could not distinguish them. Give the server another "
                                   "name, or add a capability of another namespace"},
        json);
  }
  const auto published = desk.fetch(*fqdn);
  if (!published) return fail(published.failure(), json);
  const auto seen = desk.library.compare(*published);
  if (seen.state == State::kChanged || seen.state == State::kReplayed) {
    return fail({ErrorCode::kConflict, fqdn->text() +
                                           " is already here in a different version; see `glovebox capability update " +
                                           fqdn->text() + "`"},
                json);
  }
  const auto kept =
      seen.state == State::kSame ? desk.library.restore(*published) : desk.library.accept(*published, seen);
  if (!kept) return fail(kept.failure(), json);
  // A workspace that has capabilities has a name for gateways elsewhere.
  const auto client = capability::client_id(desk.workspace.dot_folder);
  if (!client) return fail(client.failure(), json);
  const LockEntry* entry = desk.library.lock().find(*fqdn);
  if (json) {
    ObjectText out;
    out.flag("ok", true).json("capability", entry_json(*entry, true)).json("metadata", published->metadata.canonical());
    print_json(out.text("clientId", *client).done());
  } else {
    print_line("mcp." + fqdn->space + "." + fqdn->action + " is " + fqdn->text() + ", " + entry->integrity.text());
    tell_wishes(published->metadata);
  }
  return kOk;
}

int show_capability(const CapabilityFlags& options) {
  const bool json = options.where.json;
  const auto opened = CapabilityDesk::open(options);
  if (!opened) return fail(opened.failure(), json);
  CapabilityDesk& desk = **opened;
  const auto fqdn = desk.named(options.name);
  if (!fqdn) return fail(fqdn.failure(), json);
  const LockEntry* entry = desk.library.lock().find(*fqdn);
  // One that is not here yet can be shown before it is added.
  auto published = entry ? desk.library.load(*entry) : desk.fetch(*fqdn);
  if (!published) return fail(published.failure(), json);
  const std::string metadata = published->metadata.canonical();
  if (json) {
    ObjectText out;
    out.flag("ok", true).flag("added", entry != nullptr).json("metadata", metadata).text("code", published->code);
    print_json(out.done());
    return kOk;
  }
  print_line(base::pretty_json(metadata));
  print_line("\n" + program_of(published->metadata, published->code));
  return kOk;
}

int update_capabilities(const CapabilityFlags& options) {
  const bool json = options.where.json;
  const auto opened = CapabilityDesk::open(options);
  if (!opened) return fail(opened.failure(), json);
  CapabilityDesk& desk = **opened;
  std::vector<Fqdn> which;
  for (const std::string& text : options.names) {
    auto fqdn = desk.named(text);
    if (!fqdn) return fail(fqdn.failure(), json);
    which.push_back(std::move(fqdn).value());
  }
  if (options.names.empty())
    for (const auto& [name, entry] : desk.library.lock().entries()) which.push_back(entry.fqdn);
  int exit_code = kOk;
  ListText updates;
  for (const Fqdn& fqdn : which) {
    const Updated one = update_one(desk, fqdn);
    // An exit code for what waits for a person takes precedence over failures of others.
    if (exit_code == kOk || one.exit_code == kWaiting) exit_code = one.exit_code == kOk ? exit_code : one.exit_code;
    updates.json(ObjectText().text("fqdn", fqdn.text()).text("status", one.status).members(one.more).done());
    if (!json) print_line(fqdn.text() + "\t" + one.status);
  }
  if (json) print_json(ObjectText().flag("ok", exit_code == kOk).json("updates", updates.done()).done());
  return exit_code;
}

int remove_capability(const CapabilityFlags& options) {
  const bool json = options.where.json;
  const auto opened = CapabilityDesk::open(options);
  if (!opened) return fail(opened.failure(), json);
  const auto fqdn = (*opened)->named(options.name);
  if (!fqdn) return fail(fqdn.failure(), json);
  const auto removed = (*opened)->library.remove(*fqdn);
  if (!removed) return fail(removed.failure(), json);
  if (!*removed) return fail({ErrorCode::kNotFound, "there is no capability " + fqdn->text() + " here"}, json);
  if (json) print_json(ObjectText().flag("ok", true).text("removed", fqdn->text()).done());
  return kOk;
}

}  // namespace glovebox::cli
