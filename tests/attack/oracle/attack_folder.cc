#include "attack_folder.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "base/unique_fd.h"
#include "vfs/file_view.h"

namespace glovebox::attack {
namespace {

namespace fs = std::filesystem;

void substitute(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

void check(bool done, const std::string& what) {
  if (!done) throw std::runtime_error(what + ": " + std::strerror(errno));
}

void write_file(const fs::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

void make_socket(const std::string& path) {
  const base::UniqueFd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  check(path.size() < sizeof address.sun_path, path);
  std::strcpy(address.sun_path, path.c_str());
  check(::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0, path);
}

// As large as the file system allows.
void make_sparse(const std::string& path) {
  const base::UniqueFd file(::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644));
  off_t size = off_t{1} << 50;
  while (size > 0 && ::ftruncate(file.get(), size) != 0) size /= 2;
  check(size > (off_t{1} << 40), path);
}

// Nested folders, deeper than any path may be long.
void make_deep(const std::string& path, int depth) {
  base::UniqueFd at(::open(fs::path(path).parent_path().c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  std::string name = fs::path(path).filename();
  for (int i = 0; i < depth; ++i) {
    check(::mkdirat(at.get(), name.c_str(), 0755) == 0, path);
    at.reset(::openat(at.get(), name.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    name = "d";
  }
  const base::UniqueFd file(::openat(at.get(), "f", O_WRONLY | O_CREAT | O_CLOEXEC, 0644));
  check(file.valid(), path);
}

// Hard links to one file are quicker to make than as many files.
void make_many(const std::string& path, int count, std::size_t name_bytes) {
  check(::mkdir(path.c_str(), 0755) == 0, path);
  const base::UniqueFd folder(::open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  std::string first;
  for (int i = 0; i < count; ++i) {
    std::string name = "entry-" + std::to_string(i);
    name.resize(std::max(name.size(), name_bytes), '-');
    // The number of links to a file is limited.
    const bool is_new = i % 30'000 == 0;
    if (is_new) first = name;
    check((is_new ? ::mknodat(folder.get(), name.c_str(), S_IFREG | 0644, 0)
                  : ::linkat(folder.get(), first.c_str(), folder.get(), name.c_str(), 0)) == 0,
          path);
  }
}

// Reports only the beginning of a long list.
void report(const std::string& title, const std::vector<std::string>& lines) {
  std::string text;
  for (std::size_t i = 0; i < lines.size() && i < 5; ++i) text += "\n  " + lines[i].substr(0, 300);
  if (!lines.empty()) ADD_FAILURE() << title << ": " << lines.size() << " changes" << text;
}

// Deeper than a path may be long, so only a walk from folder to folder removes it.
void remove_all(int folder, const char* name) {
  if (::unlinkat(folder, name, 0) == 0 || ::unlinkat(folder, name, AT_REMOVEDIR) == 0) return;
  base::UniqueFd at(::openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!at.valid()) return;
  ::fchmod(at.get(), 0700);
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator("/proc/self/fd/" + std::to_string(at.get()), ignored)) {
    remove_all(at.get(), entry.path().filename().c_str());
  }
  ::unlinkat(folder, name, AT_REMOVEDIR);
}

std::string random_letters() {
  char pattern[] = "/tmp/glovebox-token-XXXXXX";
  check(::mkdtemp(pattern) != nullptr, "mkdtemp");
  ::rmdir(pattern);
  return pattern + sizeof "/tmp/glovebox-token-" - 1;
}

}  // namespace

AttackFolder::AttackFolder(Program& program) {
  if (program.files.empty()) return;
  std::string pattern = fs::temp_directory_path() / "glovebox-attack-XXXXXX";
  check(::mkdtemp(pattern.data()) != nullptr, "mkdtemp");
  parent_ = fs::canonical(pattern);
  check(::chmod(parent_.c_str(), 0755) == 0, parent_);
  token_ = "OUTSIDE" + random_letters() + random_letters();
  plant_outside();
  for (std::string line : program.files) {
    substitute(line, "{folder}", granted());
    substitute(line, "{outside}", outside());
    lay_out(line);
  }
  SandboxConfig& config = program.request.config;
  std::vector<std::string*> texts = {&program.request.code};
  for (auto* grants : {&config.allow_read, &config.allow_write, &config.allow_run}) {
    for (std::string& grant : *grants) texts.push_back(&grant);
  }
  for (std::string& expected : program.expected) texts.push_back(&expected);
  for (std::string* text : texts) {
    substitute(*text, "{folder}", granted());
    substitute(*text, "{outside}", outside());
  }
  outside_before_ = DiskSnapshot::of(parent_, {granted()});
  inside_before_ = DiskSnapshot::of(granted(), mounted_);
}

// A name that contains the token, a file to read, one to write to, and a folder to create things in.
void AttackFolder::plant_outside() const {
  fs::create_directories(granted());
  fs::create_directories(outside() + "/" + token_);
  write_file(outside() + "/canary.txt", token_);
  write_file(outside() + "/victim.txt", "untouched");
  write_file(parent_ + "/canary.txt", token_);
  // As in practice: the owner's own folder is writable, and so would be what is beside it.
  check(::chmod(outside().c_str(), 0777) == 0 && ::chmod((outside() + "/victim.txt").c_str(), 0666) == 0, outside());
}

void AttackFolder::lay_out(const std::string& line) {
  const std::size_t link = line.find(" -> "), content = line.find(" = "), special = line.find(" (");
  const fs::path path = fs::path(granted()) / line.substr(0, std::min({link, content, special}));
  const bool is_folder = line.back() == '/' && link == std::string::npos;
  fs::create_directories(is_folder ? path : path.parent_path());
  if (link != std::string::npos) {
    fs::create_symlink(line.substr(link + 4), path);
  } else if (content != std::string::npos) {
    write_file(path, line.substr(content + 3));
  } else if (special != std::string::npos) {
    make_special(path, line.substr(special + 2, line.size() - special - 3));
  }
}

void AttackFolder::make_special(const std::string& path, const std::string& what) {
  std::istringstream words(what);
  std::string kind, argument, second;
  words >> kind >> argument >> second;
  const bool needs_root = kind == "device" || kind == "mount" || kind == "capability";
  if (kind == "fifo") {
    check(::mkfifo(path.c_str(), 0666) == 0, path);
  } else if (kind == "socket") {
    make_socket(path);
  } else if (kind == "hard-link") {
    check(::link(argument.c_str(), path.c_str()) == 0, path);
  } else if (kind == "sparse") {
    make_sparse(path);
  } else if (kind == "bytes") {
    write_file(path, std::string(std::stoul(argument), 'x'));
  } else if (kind == "deep") {
    make_deep(path, std::stoi(argument));
  } else if (kind == "many") {
    make_many(path, std::stoi(argument), second.empty() ? 0 : std::stoul(second));
  } else if (kind == "mode") {
    check(::chmod(path.c_str(), static_cast<mode_t>(std::stoul(argument, nullptr, 8))) == 0, path);
  } else if (kind == "attribute") {
    if (::setxattr(path.c_str(), "user.mark", "x", 1, 0) != 0) not_possible_ = "the file system has no attributes";
  } else if (needs_root && ::geteuid() != 0) {
    not_possible_ = "only root can make a " + kind;
  } else if (kind == "device") {
    const auto numbers =
        makedev(static_cast<unsigned>(std::stoul(argument)), static_cast<unsigned>(std::stoul(second)));
    if (::mknod(path.c_str(), S_IFCHR | 0666, numbers) != 0) not_possible_ = "this root may not make devices";
  } else if (kind == "capability") {
    // cap_net_raw+ep, as the kernel stores it.
    const unsigned char raw[] = {1, 0, 0, 2, 0, 0x20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    if (::setxattr(path.c_str(), "security.capability", raw, sizeof raw, 0) != 0)
      not_possible_ = "no capabilities here";
  } else if (kind == "mount") {
    fs::create_directories(path);
    if (::mount(argument.c_str(), path.c_str(), nullptr, MS_BIND, nullptr) != 0) {
      not_possible_ = "this root may not mount";
    } else {
      mounted_.push_back(path);
    }
  } else {
    throw std::runtime_error("not a kind of file: " + kind);
  }
}

AttackFolder::~AttackFolder() {
  if (!exists()) return;
  for (const std::string& path : mounted_) ::umount2(path.c_str(), MNT_DETACH);
  remove_all(AT_FDCWD, parent_.c_str());
}

void AttackFolder::judge_outcome(const Outcome& outcome) const {
  EXPECT_EQ(to_json(outcome).find(token_), std::string::npos) << "leaked: what lies beside the granted folder";
}

void AttackFolder::judge_outside() const {
  std::vector<std::string> changes = outside_before_.changes_until(DiskSnapshot::of(parent_, {granted()}), true);
  // The granted folder may be renamed, removed and created again, which changes the folder around it.
  std::erase(changes, parent_ + " was written to");
  report("outside the granted folder", changes);
}

void AttackFolder::judge_inside(bool committed) const {
  std::map<ino_t, mode_t> old;  // by inode: a file may have been renamed
  for (const auto& [path, entry] : inside_before_.entries()) old[entry.info.st_ino] = entry.info.st_mode;
  const DiskSnapshot now = DiskSnapshot::of(granted(), mounted_);
  for (const auto& [path, entry] : now.entries()) {
    const auto before = old.find(entry.info.st_ino);
    const mode_t mode = entry.info.st_mode;
    // The inode number of a removed file may be reused.
    const bool is_old = before != old.end() && (before->second & S_IFMT) == (mode & S_IFMT);
    EXPECT_TRUE(is_old || S_ISREG(mode) || S_ISDIR(mode)) << path << " is new, and neither file nor folder";
    if (S_ISLNK(mode)) continue;
    // A folder inherits the group of a setgid folder; on a file the bit is a privilege.
    const mode_t telling = S_ISDIR(mode) ? 05007 : 07007;
    // A new file has what the umask leaves to others.
    mode_t had = is_old ? before->second : 0007 & ~vfs::process_umask();
    // A commit replaces a file that it changes by another one, with the same mode.
    const auto same_path = inside_before_.entries().find(path);
    const bool is_changed = committed && same_path != inside_before_.entries().end() &&
                            (same_path->second.info.st_mode & S_IFMT) == (mode & S_IFMT);
    if (is_changed) had = (is_old ? had : 0) | same_path->second.info.st_mode;
    EXPECT_EQ(mode & telling & ~had, 0u) << path << " got the mode " << std::oct << (mode & 07777);
    if (is_old) continue;
    for (const std::string& name : entry.attributes) {
      const bool by_system = name == "security.selinux" || name.starts_with("system.posix_acl");
      EXPECT_TRUE(by_system) << path << " got the attribute " << name;
    }
  }
}

void AttackFolder::judge_untouched() const {
  report("the disk beneath an overlay", inside_before_.changes_until(DiskSnapshot::of(granted(), mounted_), true));
}

}  // namespace glovebox::attack
