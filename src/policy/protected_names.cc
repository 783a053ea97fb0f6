#include "policy/protected_names.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/characters/ascii.h"
#include "base/text/unseen_characters.h"
#include "policy/path_grants.h"

namespace glovebox::policy {
namespace {

// Each row is a sequence of names, anywhere in a path; a name that ends with `*` is a prefix. Everything beneath is
// protected, too.
using Rule = std::array<std::string_view, 3>;
constexpr Rule kRules[] = {
    // Version control: hooks, filters and settings that name programs. A `.git` may be a file that leads elsewhere, so
    // it counts as a whole; the two items in it must be named even where `.git` is granted.
    {".git"},
    {".git", "hooks"},
    {".git", "config"},
    {".git", "config.worktree"},
    {".git", "modules"},
    {".git", "worktrees"},
    {".git", "info"},
    {".gitconfig"},
    {".gitmodules"},
    {".gitattributes"},
    {".config", "git"},
    {".hg"},
    {".hgrc"},
    {".svn"},
    {".bzr"},
    {".jj"},
    {".husky"},
    {".githooks"},
    {".pre-commit-config.yaml"},
    {"lefthook.yml"},
    {"lefthook.yaml"},
    {".lefthook.yml"},
    // Shells and logins.
    {".bashrc"},
    {".bash_profile"},
    {".bash_login"},
    {".bash_logout"},
    {".bash_aliases"},
    {".profile"},
    {".zshrc"},
    {".zshenv"},
    {".zprofile"},
    {".zlogin"},
    {".zlogout"},
    {".kshrc"},
    {".cshrc"},
    {".tcshrc"},
    {".login"},
    {".logout"},
    {".inputrc"},
    {".config", "fish"},
    {"documents", "powershell"},
    {"documents", "windowspowershell"},
    {".config", "environment.d"},
    {".xprofile"},
    {".xinitrc"},
    {".xsession"},
    {".xsessionrc"},
    {".pam_environment"},
    {".ssh"},
    {".gnupg"},
    {".netrc"},
    {".tmux.conf"},
    {".screenrc"},
    // Environments that tools load: .env, .env.local, direnv.
    {".env"},
    {".env.*"},
    {".envrc"},
    // Services and timers.
    {".config", "systemd"},
    {".local", "share", "systemd"},
    {".config", "autostart"},
    {"crontabs"},
    {"etc", "cron*"},
    {"etc", "profile*"},
    {"etc", "systemd"},
    {"etc", "sudoers*"},
    {"etc", "ld.so*"},
    {"etc", "pam.d"},
    {"spool", "cron"},
    // Editors, which run tasks and language servers of a folder.
    {".vscode"},
    {".idea"},
    {".zed"},
    {".cursor"},
    {".devcontainer"},
    {".vim"},
    {".vimrc"},
    {".exrc"},
    {".gvimrc"},
    {".nvimrc"},
    {".nvim.lua"},
    {".config", "nvim"},
    {".emacs"},
    {".emacs.d"},
    {".dir-locals.el"},
    // Debuggers, interpreters and build tools that read settings from the current folder.
    {".gdbinit"},
    {".lldbinit"},
    {".pythonrc"},
    {".pypirc"},
    {".pdbrc"},
    {"sitecustomize.py"},
    {"usercustomize.py"},
    {".npmrc"},
    {".yarnrc*"},
    {".pnpmfile.cjs"},
    {"bunfig.toml"},
    {".yarn"},
    {"node_modules", ".bin"},
    {"node_modules", ".hooks"},
    {".cargo"},
    {".bundle"},
    {".gemrc"},
    {".irbrc"},
    {".m2"},
    {".gradle"},
    {".mvn"},
    {".direnv"},
    {".mise.toml"},
    {".tool-versions"},
    {".docker"},
    {".kube"},
    {".aws"},
    // Agents, which follow what these say.
    {".mcp.json"},
    {".claude"},
    {".claude.json"},
    {".codex"},
    {".gemini"},
    {"claude.md"},
    {"claude.local.md"},
    {"agents.md"},
    {"gemini.md"},
    // CI.
    {".github", "workflows"},
    {".github", "actions"},
    {".gitlab-ci.yml"},
    {".circleci"},
    {".buildkite"},
    {".travis.yml"},
    {".drone.yml"},
    {".woodpecker*"},
    {"azure-pipelines.yml"},
    {"bitbucket-pipelines.yml"},
    {"jenkinsfile"},
    {".forgejo", "workflows"},
    {".gitea", "workflows"},
};

// No list of start-up files is complete, and nearly all of them begin with a dot: every such name is protected except
// these, which tools generate or which only list what to ignore.
constexpr std::string_view kHarmlessDotNames[] = {
    ".angular",      ".astro",
    ".cache",        ".coverage",
    ".coverage.*",   ".dockerignore",
    ".ds_store",     ".editorconfig",
    ".eslintcache",  ".eslintignore",
    ".gitignore",    ".gitkeep",
    ".hypothesis",   ".ipynb_checkpoints",
    ".keep",         ".mypy_cache",
    ".next",         ".nojekyll",
    ".npmignore",    ".nuxt",
    ".nyc_output",   ".output",
    ".parcel-cache", ".prettierignore",
    ".pytest_cache", ".ruff_cache",
    ".svelte-kit",   ".temp",
    ".tmp",          ".turbo",
    ".vite",         ".well-known",
};

// What decides here: configs, state folders with answers and published code, unfinished commits, the image of Python.
constexpr Rule kOwnRules[] = {
    {"glovebox.json"},
    {"glovebox.jsonc"},
    {".glovebox*"},
    {".pml"},
    {".config", "glovebox"},
    {".cache", "glovebox"},
    {".local", "share", "glovebox"},
    {".local", "state", "glovebox"},
};

std::size_t length_of(const Rule& rule) {
  return static_cast<std::size_t>(std::find(rule.begin(), rule.end(), std::string_view()) - rule.begin());
}

// The code point at `at`, which is advanced. A byte that is not UTF-8 is mapped beyond Unicode's range.
char32_t next_code_point(std::string_view text, std::size_t& at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(at);
  const std::size_t length = lead < 0x80 ? 1 : lead >> 5 == 6 ? 2 : lead >> 4 == 14 ? 3 : lead >> 3 == 30 ? 4 : 0;
  if (length == 0 || at + length > text.size()) return 0x110000U + byte(at++);
  char32_t code = length == 1 ? lead : lead & (0x7FU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if (byte(at + i) >> 6 != 2) return 0x110000U + byte(at++);
    code = code << 6 | (byte(at + i) & 0x3FU);
  }
  at += length;
  return code;
}

// Every code point beyond ASCII whose case folding or decomposition consists of ASCII letters.
std::string_view ascii_of(char32_t code) {
  switch (code) {
    case 0x17F: return "s";
    case 0x212A: return "k";
    case 0xDF:
    case 0x1E9E: return "ss";
    case 0xFB00: return "ff";
    case 0xFB01: return "fi";
    case 0xFB02: return "fl";
    case 0xFB03: return "ffi";
    case 0xFB04: return "ffl";
    case 0xFB05:
    case 0xFB06: return "st";
    case 0x130:
    case 0x131: return "i";
    default: return {};
  }
}

// "gitcon~1" for ".gitconfig": the 8.3 alias that FAT and NTFS make of a long name.
bool is_short_name_of(std::string_view folded, std::string_view name) {
  const std::size_t tilde = folded.find('~');
  if (tilde == std::string_view::npos || tilde == 0 || tilde > 6) return false;
  if (tilde + 1 >= folded.size() || folded[tilde + 1] < '0' || folded[tilde + 1] > '9') return false;
  std::string plain;
  for (const char c : name.substr(0, name.find_last_of('.') == 0 ? name.size() : name.find_last_of('.'))) {
    if (c != '.' && c != '*') plain += c;
  }
  const std::string_view stem = folded.substr(0, tilde);
  // The first two letters suffice: the rest is a hash once there are many.
  return stem.size() >= 2 && std::string_view(plain).starts_with(stem.substr(0, 2)) &&
         (std::string_view(plain).starts_with(stem) || stem.size() == 6);
}

bool matches(std::string_view folded, std::string_view name) {
  if (name.ends_with('*')) {
    name.remove_suffix(1);
    if (folded.starts_with(name)) return true;
  } else if (folded == name) {
    return true;
  }
  return is_short_name_of(folded, name);
}

bool matches_at(std::span<const std::string> folded, const Rule& rule, std::size_t length) {
  for (std::size_t i = 0; i < length; ++i) {
    if (!matches(folded[i], rule[i])) return false;
  }
  return true;
}

std::vector<std::string> folded_components(std::string_view path) {
  std::vector<std::string> folded;
  for (const std::string_view component : path_components(path)) folded.push_back(folded_name(component));
  return folded;
}

// How many leading components the longest item of `rules` in `folded` ends with.
std::size_t longest_match(std::span<const Rule> rules, std::span<const std::string> folded) {
  std::size_t longest = 0;
  for (const Rule& rule : rules) {
    const std::size_t length = length_of(rule);
    for (std::size_t at = 0; at + length <= folded.size(); ++at) {
      if (matches_at(folded.subspan(at), rule, length)) longest = std::max(longest, at + length);
    }
  }
  return longest;
}

// The same for names that begin with a dot and are not known to be harmless.
std::size_t last_dot_name(std::span<const std::string> folded) {
  for (std::size_t count = folded.size(); count > 0; --count) {
    const std::string& name = folded[count - 1];
    const auto is_name = [&name](std::string_view harmless) { return matches(name, harmless); };
    if (name.starts_with('.') && std::none_of(std::begin(kHarmlessDotNames), std::end(kHarmlessDotNames), is_name))
      return count;
  }
  return 0;
}

std::size_t listed_prefix(std::span<const std::string> folded) {
  return std::max(longest_match(kRules, folded), longest_match(kOwnRules, folded));
}

bool leads_to_one_of(std::span<const Rule> rules, std::span<const std::string> folded) {
  for (const Rule& rule : rules) {
    for (std::size_t length = 1; length < length_of(rule) && length <= folded.size(); ++length) {
      if (matches_at(folded.last(length), rule, length)) return true;
    }
  }
  return false;
}

}  // namespace

std::string folded_name(std::string_view name) {
  std::string folded;
  for (std::size_t at = 0; at < name.size();) {
    const std::size_t start = at;
    char32_t code = next_code_point(name, at);
    if (base::is_default_ignorable(code)) continue;        // file systems that fold case ignore it as well
    if (code >= 0xFF01 && code <= 0xFF5E) code -= 0xFEE0;  // full-width forms
    if (code < 0x80) {
      folded += base::to_lower(static_cast<char>(code));
    } else if (const std::string_view ascii = ascii_of(code); !ascii.empty()) {
      folded += ascii;
    } else {
      folded += name.substr(start, at - start);
    }
  }
  // An NTFS stream belongs to its file; Windows file systems drop trailing dots and spaces.
  if (const std::size_t colon = folded.find(':'); colon != std::string::npos && colon > 0) folded.resize(colon);
  while (folded.size() > 1 && (folded.back() == '.' || folded.back() == ' ')) folded.pop_back();
  return folded;
}

std::size_t protected_prefix(std::string_view path) {
  const std::vector<std::string> folded = folded_components(path);
  return std::max(listed_prefix(folded), last_dot_name(folded));
}

bool is_own(std::string_view path) {
  return longest_match(kOwnRules, folded_components(path)) > 0;
}

bool leads_to_protected(std::string_view path) {
  const std::vector<std::string> folded = folded_components(path);
  return leads_to_one_of(kRules, folded) || leads_to_one_of(kOwnRules, folded);
}

bool may_write(std::string_view path, std::string_view grant_path) {
  return protected_prefix(path) <= path_components(grant_path).size() && !is_own(path);
}

bool may_remove_with_folder(std::string_view path, std::string_view grant_path) {
  if (listed_prefix(folded_components(path)) <= path_components(grant_path).size() && !is_own(path)) return true;
  const auto components = path_components(path);
  return std::find(components.begin(), components.end(), "node_modules") != components.end();
}

}  // namespace glovebox::policy
