#include "cli/runs/run_artifacts.h"

#include <unistd.h>

#include <cstdio>

#include "base/text/log_text.h"
#include "base/text/utf8.h"
#include "base/whole_file.h"
#include "mcp/json/base64.h"
#include "workspace/with_store.h"

namespace glovebox::cli {
namespace {

std::string record_json(const store::ArtifactRecord& artifact) {
  ObjectText out;
  out.text("name", artifact.name).text("type", artifact.type).number("size", artifact.size);
  return out.text("digest", "sha256:" + artifact.digest).done();
}

int list_artifacts(const std::vector<store::ArtifactRecord>& artifacts, const ArtifactWish& wish, bool json) {
  if (json) {
    const std::string list = json_list(artifacts, record_json);
    print_json(ObjectText().flag("ok", true).text("run", wish.run).json("artifacts", list).done());
    return kOk;
  }
  if (artifacts.empty()) {
    print_line("Run " + wish.run + " has emitted nothing.");
    return kOk;
  }
  std::vector<std::vector<std::string>> table = {{"NAME", "TYPE", "BYTES", "SHA-256"}};
  for (const auto& artifact : artifacts)
    table.push_back({artifact.name, artifact.type, std::to_string(artifact.size), artifact.digest});
  print_table(table);
  return kOk;
}

// Code made these bytes: a terminal is shown text only, with nothing in it that moves a cursor.
int print_artifact(const Artifact& artifact, bool json) {
  const bool is_text = base::is_utf8(artifact.bytes());
  if (json) {
    const store::ArtifactRecord record{artifact.name, artifact.type, static_cast<std::int64_t>(artifact.bytes().size()),
                                       artifact.digest};
    ObjectText out;
    out.flag("ok", true).json("artifact", record_json(record));
    print_json(
        (is_text ? out.text("text", artifact.bytes()) : out.text("base64", mcp::base64(artifact.bytes()))).done());
    return kOk;
  }
  if (::isatty(STDOUT_FILENO)) {
    if (!is_text)
      return fail_usage(artifact.name + " is not text; save it with --output FILE, or redirect the output", json);
    print_line(artifact.bytes());
    return kOk;
  }
  std::fwrite(artifact.bytes().data(), 1, artifact.bytes().size(), stdout);
  return kOk;
}

int save_artifact(const Artifact& artifact, const ArtifactWish& wish, bool json) {
  const auto written = base::write_new_file(wish.output, artifact.bytes());
  if (!written) return fail_usage(written.failure().message, json);
  if (json) {
    const std::string digest = "sha256:" + artifact.digest;
    print_json(ObjectText().flag("ok", true).text("file", wish.output).text("digest", digest).done());
  } else {
    print_line("Wrote " + std::to_string(artifact.bytes().size()) + " bytes to " + wish.output + ".");
  }
  return kOk;
}

int show_in(store::Store& store, const ArtifactWish& wish, bool json) {
  const auto run = store.find_run(wish.run);
  if (!run) return fail_to_read(run.failure(), json);
  if (!run.value()) return fail_with(kUsage, "NOT_FOUND", "there is no run " + wish.run, json);
  if (!has_ended(run.value()->status))
    return fail_usage("run " + wish.run + " has not ended yet; its artifacts are kept when it does", json);
  if (wish.name.empty()) {
    const auto artifacts = store.artifacts(wish.run);
    return artifacts ? list_artifacts(*artifacts, wish, json) : fail_to_read(artifacts.failure(), json);
  }
  const auto found = store.find_artifact(wish.run, wish.name);
  if (!found) return fail_to_read(found.failure(), json);
  if (!found.value()) {
    return fail_with(kUsage, "NOT_FOUND",
                     "run " + wish.run + " has no artifact " + wish.name + "; `glovebox runs artifacts " + wish.run +
                         "` lists what it has",
                     json);
  }
  return wish.output.empty() ? print_artifact(**found, json) : save_artifact(**found, wish, json);
}

}  // namespace

int show_run_artifacts(const WorkspaceFlags& where, const ArtifactWish& wish) {
  if (wish.name.empty() && !wish.output.empty())
    return fail_usage("--output needs the NAME of one artifact", where.json);
  return with_store(where, fail_to_read, [&](const Workspace&, store::Store* store) -> int {
    if (!store) return fail_with(kUsage, "NOT_FOUND", "there is no run " + wish.run, where.json);
    return show_in(*store, wish, where.json);
  });
}

}  // namespace glovebox::cli
