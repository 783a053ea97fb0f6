#include "check/sealed_process.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "base/system_error.h"
#include "base/try.h"
#include "check/checker_confinement.h"
#include "jail/confinement/seccomp_policy.h"
#include "jail/zygote_protocol.h"

namespace glovebox::check {
namespace {

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

// Reads to the end of the report: empty if the program runs, else the reason why not.
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

// Moves only this thread to another folder for a while: a process that is cloned meanwhile has the folder in its own
// mount namespace, and needs no path to it.
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

// Adds the parent folders of a file, the outermost first.
void add_folders(const std::string& path, std::vector<std::string>& folders) {
  for (std::size_t slash = path.find('/'); slash != std::string::npos; slash = path.find('/', slash + 1)) {
    std::string folder = path.substr(0, slash);
    if (std::find(folders.begin(), folders.end(), folder) == folders.end()) folders.push_back(std::move(folder));
  }
}

}  // namespace

std::string private_folder_above(const std::string& path) {
  for (std::size_t slash = path.find('/', 1); slash != std::string::npos; slash = path.find('/', slash + 1)) {
    struct stat facts {};
    std::string folder = path.substr(0, slash);
    if (::stat(folder.c_str(), &facts) != 0 || !(facts.st_mode & S_IXOTH)) return folder;
  }
  return "";
}

// A folder of the host that every user may read: it holds no secrets. Removed with this object.
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

SealedProcess::SealedProcess(jail::ConfinedProcess process, base::UniqueFd input, base::UniqueFd output,
                             std::string agent_folder, std::unique_ptr<OpenFolder> folder)
    : folder_(std::move(folder)),
      agent_folder_(std::move(agent_folder)),
      process_(std::move(process)),
      input_(std::move(input)),
      output_(std::move(output)) {}

SealedProcess::SealedProcess(SealedProcess&&) noexcept = default;
SealedProcess::~SealedProcess() = default;

Result<SealedProcess> SealedProcess::start(const SealedSpec& spec) {
  const jail::Confinement& confinement = checker_confinement();
  const std::vector<sock_filter> filter = GLOVEBOX_TRY(jail::compile_seccomp_filter(confinement.filter));
  const std::size_t slash = spec.program.rfind('/');
  if (slash == std::string::npos) return Failure{ErrorCode::kInvalidArgument, "not a path: " + spec.program};
  const std::string program_folder = spec.program.substr(0, std::max<std::size_t>(slash, 1));
  constexpr std::uint32_t kNeither = jail::kWithoutNamespaces | jail::kWithoutLandlock;
  if ((spec.missing_layers & kNeither) == kNeither) {
    return Failure{ErrorCode::kFeatureMissing,
                   "types are checked in namespaces or with Landlock; this machine has neither"};
  }
  std::unique_ptr<OpenFolder> open_folder;
  if (spec.missing_layers & jail::kWithoutNamespaces) {
    // Root gives it another user, who finds the program by its path.
    const std::string closed = ::geteuid() == 0 ? private_folder_above(spec.program) : "";
    if (!closed.empty()) {
      return Failure{
          ErrorCode::kSandboxUnavailable,
          "without namespaces the type checker runs as a user who may not enter " + closed +
              ": install Glovebox in a folder that every user may enter, such as /opt, or run it as another user"};
    }
    open_folder = GLOVEBOX_TRY(OpenFolder::make());
  }

  std::vector<std::string> folders;
  std::vector<jail::RootFile> files;
  if (!open_folder) folders = {"proc", "proc/self"};
  for (const SealedFile& file : spec.files) {
    files.push_back({(open_folder ? "" : "agent/") + file.path, file.text});
    add_folders(files.back().path, folders);
  }
  std::vector<std::string> arguments = spec.arguments;
  arguments.insert(arguments.begin(), open_folder ? spec.program : "/lib" + spec.program.substr(slash));
  std::vector<std::string> environment = spec.environment;
  const std::vector<char*> argument_pointers = pointers_to(arguments);
  const std::vector<char*> environment_pointers = pointers_to(environment);

  Pipe input = GLOVEBOX_TRY(make_pipe());
  Pipe output = GLOVEBOX_TRY(make_pipe());
  Pipe report = GLOVEBOX_TRY(make_pipe());
  if (!make_nonblocking(input.write) || !make_nonblocking(output.read)) return base::system_failure(errno, "pipe");
  constexpr int kReport = 3;  // closed by exec; what is written there says why exec was not reached
  int descriptors[] = {input.read.get(), output.write.get(), jail::kNowhere, report.write.get()};

  jail::Subject subject{confinement, spec.missing_layers};
  subject.filter = filter;
  subject.descriptors = descriptors;
  subject.peer = kReport;
  subject.memory_bytes = spec.memory_bytes;
  subject.cpu_seconds = spec.cpu_seconds;
  subject.closed_by_exec = 1u << kReport;
  subject.content = {folders, files, open_folder ? nullptr : arguments[0].c_str()};
  subject.readable[0] = open_folder ? open_folder->path().c_str() : "/";
  subject.readable[1] = open_folder ? program_folder.c_str() : "/";
  subject.program = kProgramFd;
  subject.arguments = argument_pointers.data();
  subject.environment = environment_pointers.data();
  std::optional<InFolder> there;  // not without namespaces: containers refuse unshare to users other than root
  if (open_folder) {
    subject.folder = open_folder->path().c_str();
    const base::UniqueFd folder(::open(subject.folder, O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (!folder.valid() || !jail::write_content(folder.get(), subject.content)) {
      return base::system_failure(errno, "the type checker's files");
    }
  } else {
    there.emplace(GLOVEBOX_TRY(InFolder::enter(program_folder)));
  }
  std::string agent_folder = open_folder ? open_folder->path() : confinement.root.home;
  auto confined = GLOVEBOX_TRY(jail::ConfinedProcess::start(subject));
  SealedProcess process(std::move(confined), std::move(input.write), std::move(output.read), std::move(agent_folder),
                        std::move(open_folder));
  report.write.reset();
  if (const std::string why = read_report(report.read.get()); !why.empty()) {
    return Failure{ErrorCode::kSandboxUnavailable, "the process could not be sealed: " + why};
  }
  return process;
}

}  // namespace glovebox::check
