#include "case_folder.h"

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace glovebox::spec {
namespace {

namespace fs = std::filesystem;

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

}  // namespace

CaseFolder::CaseFolder(Case& item) {
  if (item.files.empty()) return;
  std::string pattern = fs::temp_directory_path() / "glovebox-spec-XXXXXX";
  if (!::mkdtemp(pattern.data())) throw std::runtime_error("mkdtemp");
  path_ = fs::canonical(pattern);
  lay_out(item.files);
  for (std::string* text : {&item.options, &item.code, &item.expect}) replace_all(*text, "{folder}", path_);
}

void CaseFolder::lay_out(const std::string& files) const {
  std::istringstream lines(files);
  for (std::string line; std::getline(lines, line);) {
    if (line.empty()) continue;
    const std::size_t link = line.find(" -> ");
    const std::size_t content = line.find(" = ");
    const fs::path path = fs::path(path_) / line.substr(0, std::min(link, content));
    fs::create_directories(line.back() == '/' ? path : path.parent_path());
    if (link != std::string::npos) {
      std::string target = line.substr(link + 4);
      replace_all(target, "{folder}", path_);
      fs::create_symlink(target, path);
    } else if (content != std::string::npos) {
      std::ofstream(path) << line.substr(content + 3);
    }
  }
}

CaseFolder::~CaseFolder() {
  if (!path_.empty()) fs::remove_all(path_);
}

}  // namespace glovebox::spec
