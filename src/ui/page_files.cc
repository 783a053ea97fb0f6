#include "ui/page_files.h"

#include "ui/files.h"

namespace glovebox::ui {
namespace {

constexpr std::string_view kPath = "/ui/";
constexpr std::string_view kIndex = "index.html";
constexpr std::string_view kDigestMark = "@FILES@";
constexpr std::string_view kModulesMark = "@MODULES@";

// Nothing from elsewhere, no code but ours, and no text that becomes code.
constexpr std::string_view kPolicy =
    "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'\r\n"
    "X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\nX-Frame-Options: DENY\r\n"
    "Cross-Origin-Opener-Policy: same-origin\r\nCross-Origin-Resource-Policy: same-origin\r\n";

std::string_view type_of(std::string_view name) {
  if (name.ends_with(".html")) return "text/html; charset=utf-8";
  if (name.ends_with(".css")) return "text/css; charset=utf-8";
  if (name.ends_with(".svg")) return "image/svg+xml";
  return "text/javascript; charset=utf-8";
}

const File* find(std::string_view name) {
  for (const File& file : files()) {
    if (file.name == name) return &file;
  }
  return nullptr;
}

// All modules are asked for at once: one that is only known when another has been read comes a round trip later. What
// paints comes before them.
std::string preloads() {
  std::string links;
  for (const File& file : files()) {
    if (!file.name.ends_with(".js")) continue;
    links += "<link rel=\"modulepreload\" fetchpriority=\"low\" href=\"" + std::string(kDigestMark) + "/" +
             std::string(file.name) + "\" />\n    ";
  }
  return links;
}

std::string index_text(std::string text) {
  const std::size_t at = text.find(kModulesMark);
  if (at != text.npos) text.replace(at, kModulesMark.size(), preloads());
  for (std::size_t mark; (mark = text.find(kDigestMark)) != text.npos;) {
    text.replace(mark, kDigestMark.size(), files_digest());
  }
  return text;
}

}  // namespace

bool has(std::string_view target) {
  const std::string_view path = target.substr(0, target.find('?'));
  return path == "/ui" || path.starts_with(kPath);
}

std::optional<Served> serve(std::string_view target) {
  std::string_view path = target.substr(0, target.find('?'));
  if (path.size() < kPath.size()) return Served{308, "", "", "Location: " + std::string(kPath) + "\r\n"};
  path.remove_prefix(kPath.size());
  if (path.empty()) {
    return Served{200, index_text(std::string(find(kIndex)->content)), type_of(kIndex),
                  "Cache-Control: no-cache\r\n" + std::string(kPolicy)};
  }
  const std::string folder = std::string(files_digest()) + "/";
  const File* const file = path.starts_with(folder) ? find(path.substr(folder.size())) : nullptr;
  if (!file) return std::nullopt;
  return Served{200, std::string(file->content), type_of(file->name),
                "Cache-Control: max-age=31536000, immutable\r\n" + std::string(kPolicy)};
}

}  // namespace glovebox::ui
