#include "check/sealed_process.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <optional>

#include "base/clone_process.h"
#include "base/system_error.h"
#include "base/try.h"
#include "check/system_calls.h"
#include "jail/confinement/namespaces.h"
#include "jail/confinement/privileges.h"

namespace glovebox::check {
namespace {

// Any folder serves as the mount point; this one is everywhere.
#define SEALED_ROOT "/proc"
constexpr unsigned long kRootFlags = MS_NOSUID | MS_NODEV | MS_NOEXEC;

// Everything is made before the clone: between it and exec there are system calls only.
struct Plan {
  int input;
  int output;
  int report;  // closes by exec; what is written there is why it did not come to that
  int go;      // one byte: the ids are mapped
  bool root;
  bool landlock;
  const char* open_folder;  // on the host, with the files in it; null: a root of its own
  const char* program_folder;
  const char* program;  // inside
  char* const* arguments;
  char* const* environment;
  const SealedFile* files;
  std::size_t file_count;
  const std::vector<std::string>* paths;  // of the files, and of the folders that they need, as they are in the child
  const std::vector<std::string>* folders;
  const std::vector<sock_filter>* filter;
  rlim_t memory;
  rlim_t cpu_seconds;
};

bool write_text(const char* path, const char* text, std::size_t size) {
  const int file = ::open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0444);
  if (file < 0) return false;
  bool written = true;
  for (std::size_t at = 0; at < size && written;) {
    const ssize_t count = ::write(file, text + at, size - at);
    written = count > 0;
    if (written) at += static_cast<std::size_t>(count);
  }
  return ::fchmod(file, 0444) == 0 && ::close(file) == 0 && written;
}

bool write_files(const Plan& plan) {
  for (const std::string& folder : *plan.folders) {
    if (::mkdir(folder.c_str(), 0755) != 0 || ::chmod(folder.c_str(), 0755) != 0) return false;
  }
  for (std::size_t i = 0; i < plan.file_count; ++i) {
    if (!write_text((*plan.paths)[i].c_str(), plan.files[i].text.data(), plan.files[i].text.size())) return false;
  }
  return true;
}

bool fill_root(const Plan& plan) {
  if (!write_files(plan)) return false;
  // There is no /proc, and this is how a Go program asks where it lies.
  return ::symlink(plan.program, SEALED_ROOT "/proc/self/exe") == 0;
}

// We are in the program's folder, which needs no way to it: the gateway may be root in a folder that is nobody else's.
bool enter_own_root(const Plan& plan, const char*& failed) {
  const auto step = [&](const char* name, bool ok) {
    if (!ok) failed = name;
    return ok;
  };
  return step("make mounts private", ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0) &&
         step("mount a tmpfs",
              ::mount("sealed", SEALED_ROOT, "tmpfs", kRootFlags, "size=4m,nr_inodes=64,mode=0755") == 0) &&
         step("fill it", fill_root(plan)) &&
         step("mount the program's folder", ::mount(".", SEALED_ROOT "/lib", nullptr, MS_BIND, nullptr) == 0) &&
         step("make that read-only", ::mount(nullptr, SEALED_ROOT "/lib", nullptr,
                                             MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV, nullptr) == 0) &&
         step("enter it", ::chdir(SEALED_ROOT) == 0) && step("pivot_root", ::syscall(SYS_pivot_root, ".", ".") == 0) &&
         step("detach the old root", ::umount2(".", MNT_DETACH) == 0) &&
         step("make it read-only", ::mount(nullptr, "/", nullptr, MS_REMOUNT | MS_RDONLY | kRootFlags, nullptr) == 0) &&
         step("chdir", ::chdir("/agent") == 0);
}

bool arrange_descriptors(const Plan& plan) {
  // Away from the numbers that they are to get, then into place.
  const int input = ::fcntl(plan.input, F_DUPFD, 20);
  const int output = ::fcntl(plan.output, F_DUPFD, 20);
  const int report = ::fcntl(plan.report, F_DUPFD, 20);
  const int go = ::fcntl(plan.go, F_DUPFD, 20);
  const int nowhere = ::open("/dev/null", O_WRONLY);
  return input >= 0 && output >= 0 && report >= 0 && go >= 0 && nowhere >= 0 && ::dup2(input, 0) == 0 &&
         ::dup2(output, 1) == 1 && ::dup2(nowhere, 2) == 2 && ::dup3(report, 3, O_CLOEXEC) == 3 &&
         ::dup3(go, 4, O_CLOEXEC) == 4 && ::syscall(SYS_close_range, 5u, ~0u, 0u) == 0;
}

// Without a root of its own: the folder with its files, and the program where it lies.
bool enter_open_folder(const Plan& plan, const char*& failed) {
  failed = "enter the folder";
  return ::chdir(plan.open_folder) == 0;
}

bool open_program(const Plan& plan) {
  const int program = ::open(plan.program, O_RDONLY | O_CLOEXEC);
  return program >= 0 && ::dup3(program, kProgramFd, O_CLOEXEC) == kProgramFd && ::close(program) == 0;
}

bool limit_resources(const Plan& plan) {
  const struct {
    __rlimit_resource resource;
    rlim_t most;
  } limits[] = {
      {RLIMIT_CORE, 0},
      {RLIMIT_FSIZE, 0},
      {RLIMIT_MEMLOCK, 0},
      {RLIMIT_MSGQUEUE, 0},
      {RLIMIT_LOCKS, 0},
      {RLIMIT_NICE, 0},
      {RLIMIT_RTPRIO, 0},
      {RLIMIT_DATA, plan.memory},
      {RLIMIT_CPU, plan.cpu_seconds},
      {RLIMIT_NOFILE, kMostDescriptors},
  };
  for (const auto& limit : limits) {
    const rlimit value{limit.most, limit.most};
    if (::setrlimit(limit.resource, &value) != 0) return false;
  }
  return true;
}

bool restrict_files(const Plan& plan) {
  if (!plan.landlock) return true;
  // In a root of its own everything is its own.
  const int files = ::open(plan.open_folder ? plan.open_folder : "/", O_PATH | O_CLOEXEC);
  const int libraries = ::open(plan.open_folder ? plan.program_folder : "/", O_PATH | O_CLOEXEC);
  const jail::ReadableTree readable[] = {{files, false}, {libraries, false}, {kProgramFd, true}};
  const bool restricted = files >= 0 && libraries >= 0 && jail::restrict_with_landlock(readable);
  return ::close(files) == 0 && ::close(libraries) == 0 && restricted;
}

bool filter_system_calls(const Plan& plan) {
  const sock_fprog program{static_cast<unsigned short>(plan.filter->size()),
                           const_cast<sock_filter*>(plan.filter->data())};
  return ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0;
}

// Credentials have changed, which clears the signal; whoever was to send it may be gone already.
bool die_with_parent() {
  pollfd go{4, 0, 0};
  return ::prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && ::poll(&go, 1, 0) >= 0 && (go.revents & POLLHUP) == 0;
}

[[noreturn]] void fail(int report, const char* step) {
  const int error_number = errno;
  char text[200];
  std::size_t size = 0;
  const auto append = [&](const char* part) {
    for (; *part && size < sizeof text; ++part) text[size++] = *part;
  };
  append(step);
  append(": ");
  append(::strerrordesc_np(error_number));
  (void)!::write(report, text, size);
  ::_exit(1);
}

[[noreturn]] void become_sealed(const Plan& plan, jail::NamespacesBy by) {
  char go = 0;
  if (::read(plan.go, &go, 1) != 1) ::_exit(1);
  const char* failed = nullptr;
  const unsigned id = plan.open_folder ? jail::kGuestUid : 0;
  const bool by_root = by == jail::NamespacesBy::kRoot;
  if (plan.root && !(by_root ? jail::become_user_who_mounts(static_cast<jail::Go>(go), failed)
                             : jail::become_user(id, static_cast<jail::Go>(go), failed))) {
    fail(plan.report, failed);
  }
  ::setsid();  // a person's Ctrl-C is for the gateway alone
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::signal(SIGPIPE, SIG_DFL);
  ::umask(0);
  if (!arrange_descriptors(plan)) fail(plan.report, "descriptors");
  constexpr int kReport = 3;
  const bool entered = plan.open_folder ? enter_open_folder(plan, failed) : enter_own_root(plan, failed);
  if (!entered) fail(kReport, failed);
  if (!open_program(plan)) fail(kReport, "open the program");
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) fail(kReport, "no-new-privileges");
  if (!jail::drop_all_capabilities()) fail(kReport, "capabilities");
  if (!restrict_files(plan)) fail(kReport, "landlock");
  if (!die_with_parent()) fail(kReport, "parent-death signal");
  if (!limit_resources(plan)) fail(kReport, "limits");
  if (!filter_system_calls(plan)) fail(kReport, "seccomp");
  ::syscall(SYS_execveat, kProgramFd, "", plan.arguments, plan.environment, AT_EMPTY_PATH);
  fail(kReport, "execute the program");
}

struct Pipe {
  base::UniqueFd read;
  base::UniqueFd write;
};

Result<Pipe> make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return base::system_failure(errno, "pipe");
  return Pipe{base::UniqueFd(ends[0]), base::UniqueFd(ends[1])};
}

bool make_nonblocking(const base::UniqueFd& fd) {
  return ::fcntl(fd.get(), F_SETFL, O_NONBLOCK) == 0;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

// This thread in another folder, for a moment, and no other thread with it.
class InFolder {
 public:
  static Result<InFolder> enter(const std::string& folder) {
    if (::unshare(CLONE_FS) != 0) return base::system_failure(errno, "unshare(CLONE_FS)");
    base::UniqueFd before(::open(".", O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (!before.valid()) return base::system_failure(errno, "the current folder");
    if (::chdir(folder.c_str()) != 0) return base::system_failure(errno, folder);
    return InFolder(std::move(before));
  }
  InFolder(InFolder&&) noexcept = default;
  ~InFolder() {
    if (before_.valid()) (void)!::fchdir(before_.get());
  }

 private:
  explicit InFolder(base::UniqueFd before) : before_(std::move(before)) {}
  base::UniqueFd before_;
};

}  // namespace

// A folder of the host's that anybody may read: what is in it is no secret. Goes with this object.
class OpenFolder {
 public:
  static Result<std::unique_ptr<OpenFolder>> make() {
    std::string path = "/tmp/glovebox-check-XXXXXX";
    if (!::mkdtemp(path.data())) return base::system_failure(errno, "a folder for the type checker in /tmp");
    auto folder = std::make_unique<OpenFolder>(std::move(path));
    if (::chmod(folder->path().c_str(), 0755) != 0) return base::system_failure(errno, folder->path());
    return folder;
  }
  explicit OpenFolder(std::string path) : path_(std::move(path)) {}
  OpenFolder(const OpenFolder&) = delete;
  ~OpenFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

namespace {

// Ends with the report's end: the program runs. Or with the reason why not.
std::string read_report(int fd) {
  std::string text;
  char buffer[256];
  while (true) {
    const ssize_t count = ::read(fd, buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return text;
    text.append(buffer, static_cast<std::size_t>(count));
  }
}

}  // namespace

SealedProcess::SealedProcess(base::UniqueFd pidfd, base::UniqueFd input, base::UniqueFd output,
                             std::string agent_folder, std::unique_ptr<OpenFolder> folder)
    : folder_(std::move(folder)),
      agent_folder_(std::move(agent_folder)),
      pidfd_(std::move(pidfd)),
      input_(std::move(input)),
      output_(std::move(output)) {}

SealedProcess::SealedProcess(SealedProcess&&) noexcept = default;

SealedProcess::~SealedProcess() {
  if (!pidfd_.valid()) return;
  ::syscall(SYS_pidfd_send_signal, pidfd_.get(), SIGKILL, nullptr, 0);
  siginfo_t info;
  while (::waitid(P_PIDFD, static_cast<id_t>(pidfd_.get()), &info, WEXITED | __WALL) < 0 && errno == EINTR) {
  }
}

Result<SealedProcess> SealedProcess::start(const SealedSpec& spec) {
  const std::vector<sock_filter> filter =
      GLOVEBOX_TRY(jail::compile_seccomp_filter(checker_calls(), jail::Otherwise::kRefuse));
  const std::size_t slash = spec.program.rfind('/');
  if (slash == std::string::npos) return Failure{ErrorCode::kInvalidArgument, "not a path: " + spec.program};
  const std::string program_folder = spec.program.substr(0, std::max<std::size_t>(slash, 1));
  std::unique_ptr<OpenFolder> open_folder;
  if (spec.without_namespaces && spec.without_landlock) {
    return Failure{ErrorCode::kFeatureMissing,
                   "types are checked in namespaces or with Landlock; this machine has neither"};
  }
  if (spec.without_namespaces) open_folder = GLOVEBOX_TRY(OpenFolder::make());
  const std::string inside = open_folder ? spec.program : "/lib" + spec.program.substr(slash);

  const std::string agent_folder = open_folder ? open_folder->path() : SEALED_ROOT "/agent";
  std::vector<std::string> folders;
  if (!open_folder) folders = {SEALED_ROOT "/lib", SEALED_ROOT "/proc", SEALED_ROOT "/proc/self", agent_folder};
  std::vector<std::string> paths;
  for (const SealedFile& file : spec.files) {
    paths.push_back(agent_folder + "/" + file.path);
    const std::string folder = paths.back().substr(0, paths.back().rfind('/'));
    if (folder != agent_folder && std::find(folders.begin(), folders.end(), folder) == folders.end())
      folders.push_back(folder);
  }
  std::vector<std::string> arguments = spec.arguments;
  arguments.insert(arguments.begin(), inside);
  std::vector<std::string> environment = spec.environment;
  const std::vector<char*> argument_pointers = pointers_to(arguments);
  const std::vector<char*> environment_pointers = pointers_to(environment);

  Pipe input = GLOVEBOX_TRY(make_pipe());
  Pipe output = GLOVEBOX_TRY(make_pipe());
  Pipe report = GLOVEBOX_TRY(make_pipe());
  Pipe go = GLOVEBOX_TRY(make_pipe());
  if (!make_nonblocking(input.write) || !make_nonblocking(output.read)) return base::system_failure(errno, "pipe");
  const bool root = ::geteuid() == 0;
  const Plan plan{input.read.get(),
                  output.write.get(),
                  report.write.get(),
                  go.read.get(),
                  root,
                  !spec.without_landlock,
                  open_folder ? open_folder->path().c_str() : nullptr,
                  program_folder.c_str(),
                  inside.c_str(),
                  argument_pointers.data(),
                  environment_pointers.data(),
                  spec.files.data(),
                  spec.files.size(),
                  &paths,
                  &folders,
                  &filter,
                  spec.memory_bytes,
                  spec.cpu_seconds};

  if (open_folder && !write_files(plan)) return base::system_failure(errno, "the type checker's files");

  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  int pidfd = -1;
  long pid = -1;
  int error_number = 0;
  auto by = jail::NamespacesBy::kUserNamespace;
  {
    std::optional<InFolder> there;
    if (!open_folder) there.emplace(GLOVEBOX_TRY(InFolder::enter(program_folder)));
    ::pthread_sigmask(SIG_SETMASK, &all, &before);  // a handler of ours must not run in the copy
    pid = open_folder ? base::clone_process(CLONE_PIDFD, &pidfd) : jail::clone_into_namespaces(root, &pidfd, by);
    if (pid == 0) {
      ::close(go.write.get());
      become_sealed(plan, by);
    }
    error_number = errno;
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }
  if (pid < 0) {
    return Failure{ErrorCode::kFeatureMissing,
                   base::system_failure(error_number, "starting a process in namespaces of its own").message};
  }
  const bool namespaces = !open_folder;
  const bool maps = namespaces && by == jail::NamespacesBy::kUserNamespace;
  SealedProcess process(base::UniqueFd(pidfd), std::move(input.write), std::move(output.read),
                        namespaces ? "/agent" : agent_folder, std::move(open_folder));
  report.write.reset();
  go.read.reset();
  const jail::Go ids = maps ? GLOVEBOX_TRY(jail::map_ids(static_cast<pid_t>(pid), root)) : jail::go_without_maps();
  if (::write(go.write.get(), &ids, 1) != 1) return base::system_failure(errno, "the sealed process ended early");
  if (const std::string why = read_report(report.read.get()); !why.empty()) {
    return Failure{ErrorCode::kSandboxUnavailable, "the process could not be sealed: " + why};
  }
  return process;
}

}  // namespace glovebox::check
