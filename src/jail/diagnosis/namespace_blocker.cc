#include "jail/diagnosis/namespace_blocker.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include <string_view>

#include "base/program_part.h"
#include "base/unique_fd.h"

namespace glovebox::jail {
namespace {

// The first line of a small file.
std::string first_line_of(const char* path) {
  const base::UniqueFd file(::open(path, O_RDONLY | O_CLOEXEC));
  char text[256];
  const ssize_t size = file.valid() ? ::read(file.get(), text, sizeof text) : 0;
  const std::string read(text, size > 0 ? static_cast<std::size_t>(size) : 0);
  return read.substr(0, read.find('\n'));
}

bool is_filtered() {
  const base::UniqueFd file(::open("/proc/self/status", O_RDONLY | O_CLOEXEC));
  char text[8192];
  const ssize_t size = file.valid() ? ::read(file.get(), text, sizeof text) : 0;
  return std::string(text, size > 0 ? static_cast<std::size_t>(size) : 0).find("\nSeccomp:\t2") != std::string::npos;
}

bool confines(const std::string& profile) {
  return !profile.empty() && !profile.starts_with("unconfined");
}

constexpr std::string_view kProfile = "/share/glovebox/apparmor/glovebox";

// Of an installation whose path needs no quotes, neither for a shell nor in a profile; otherwise empty.
std::string installed_prefix() {
  constexpr std::string_view kPlain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/._@+-";
  constexpr std::string_view kProgram = "/libexec/glovebox/glovebox";
  std::string path = base::program_part("glovebox");
  if (!path.ends_with(kProgram) || path.find_first_not_of(kPlain) != path.npos) return {};
  path.resize(path.size() - kProgram.size());
  return ::access((path + std::string(kProfile)).c_str(), R_OK) == 0 ? path : "";
}

// Our profile, for the place where we are, allows user namespaces to us alone.
std::string load_profile(const std::string& prefix) {
  const std::string profile = prefix + std::string(kProfile);
  if (prefix == "/usr") return "sudo apparmor_parser -r " + profile;
  return "sudo sh -c \"sed 's|/usr/libexec|" + prefix + "/libexec|' " + profile +
         " >/etc/apparmor.d/glovebox && apparmor_parser -r /etc/apparmor.d/glovebox\"";
}

NamespaceBlocker sysctl(const std::string& name, const std::string& now, const std::string& wanted) {
  return {"sysctl", name + " is " + now, "sudo sysctl -w " + name + "=" + wanted};
}

}  // namespace

NamespaceFacts read_namespace_facts(int error) {
  NamespaceFacts facts;
  facts.error = error;
  facts.kernel_has_them = ::access("/proc/self/ns/user", F_OK) == 0 || ::access("/proc/self", F_OK) != 0;
  facts.root = ::geteuid() == 0;
  facts.filtered = is_filtered();
  facts.most = first_line_of("/proc/sys/user/max_user_namespaces");
  facts.unprivileged = first_line_of("/proc/sys/kernel/unprivileged_userns_clone");
  facts.apparmor_restricts = first_line_of("/proc/sys/kernel/apparmor_restrict_unprivileged_userns");
  facts.apparmor_profile = first_line_of("/proc/self/attr/current");
  facts.prefix = installed_prefix();
  return facts;
}

NamespaceBlocker find_namespace_blocker(const NamespaceFacts& facts) {
  if (!facts.kernel_has_them)
    return {"kernel", "it was built without user namespaces", "boot a kernel with CONFIG_USER_NS=y"};
  if (facts.error == ENOSPC || facts.most == "0")
    return sysctl("user.max_user_namespaces", facts.most.empty() ? "used up" : facts.most, "15000");
  if (facts.unprivileged == "0" && !facts.root) return sysctl("kernel.unprivileged_userns_clone", "0", "1");
  if (facts.filtered) {
    return {"seccomp", "a seccomp filter on this process refuses them, as container runtimes' filters do",
            "start the container with --security-opt seccomp=glovebox-seccomp.json, which comes with the packages of "
            "Glovebox, or with seccomp=unconfined (guests still have a filter of their own)"};
  }
  if (facts.apparmor_restricts == "1" && !facts.root) {
    return {"AppArmor", "kernel.apparmor_restrict_unprivileged_userns is 1",
            facts.prefix.empty() ? "sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0"
                                 : load_profile(facts.prefix)};
  }
  if (confines(facts.apparmor_profile)) {
    return {"AppArmor", "this process has the profile " + facts.apparmor_profile,
            "start the container with --security-opt apparmor=unconfined"};
  }
  return {"kernel", std::string("it refuses them: ") + ::strerrordesc_np(facts.error),
          "run glovebox outside of a chroot, and as a user who may make user namespaces"};
}

}  // namespace glovebox::jail
