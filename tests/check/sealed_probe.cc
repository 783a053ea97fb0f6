// Replaces the type checker, as if hostile text had taken it over: tries what it must not be able to do, and prints how
// each attempt ended. Statically linked, because its root holds nothing else.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/memfd.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

extern char** environ;

namespace {

void say(const char* name, long result) {
  std::printf("%s: %s\n", name, result >= 0 ? "works" : ::strerrorname_np(errno));
}

void try_files() {
  say("read /etc/passwd", ::open("/etc/passwd", O_RDONLY));
  say("read /proc/self/environ", ::open("/proc/self/environ", O_RDONLY));
  say("read ../../etc/passwd", ::open("/lib/../../etc/passwd", O_RDONLY));
  say("read the program's folder", ::open("/lib", O_RDONLY | O_DIRECTORY));
  say("read a given file", ::open("/agent/given.txt", O_RDONLY));
  say("make a file", ::open("/agent/new", O_WRONLY | O_CREAT, 0600));
  say("make a file beside the program", ::open("/lib/new", O_WRONLY | O_CREAT, 0600));
  say("write a given file", ::open("/agent/given.txt", O_WRONLY));
  say("make a temporary file", ::open("/agent", O_WRONLY | O_TMPFILE, 0600));
  say("make a folder", ::mkdir("/agent/folder", 0700));
  say("remove a file", ::unlink("/agent/given.txt"));
  say("change a mode", ::chmod("/agent/given.txt", 0777));
  say("make a link", ::symlink("/", "/agent/link"));
  if (DIR* root = ::opendir("/")) {
    // In an order that does not depend on the file system.
    bool lib = false, proc = false, agent = false, other = false;
    while (const dirent* entry = ::readdir(root)) {
      const char* name = entry->d_name;
      if (!std::strcmp(name, ".") || !std::strcmp(name, "..")) continue;
      if (!std::strcmp(name, "lib"))
        lib = true;
      else if (!std::strcmp(name, "proc"))
        proc = true;
      else if (!std::strcmp(name, "agent"))
        agent = true;
      else
        other = true;
    }
    std::printf("root: %s%s%s%s\n", lib ? "lib " : "", proc ? "proc " : "", agent ? "agent " : "",
                other ? "other " : "");
  }
}

void try_network() {
  say("an internet socket", ::socket(AF_INET, SOCK_STREAM, 0));
  say("a local socket", ::socket(AF_UNIX, SOCK_STREAM, 0));
  say("a netlink socket", ::socket(AF_NETLINK, SOCK_RAW, 0));
  int pair[2];
  say("a pair of sockets", ::socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
  say("io_uring", ::syscall(SYS_io_uring_setup, 8, nullptr));
}

void try_processes() {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  say("fork", child);
  say("clone3", ::syscall(SYS_clone3, nullptr, 0));
  char* const arguments[] = {const_cast<char*>("again"), nullptr};
  say("execute a shell", ::execve("/bin/sh", arguments, environ));
  say("execute itself", ::execve("/proc/self/exe", arguments, environ));
  say("execute itself by path", ::execve("/lib/sealed-probe", arguments, environ));
  say("execute the descriptor of its start", ::syscall(SYS_execveat, 1000, "", arguments, environ, AT_EMPTY_PATH));
  say("a descriptor in its place", ::dup2(0, 1000));
  say("a descriptor in its place, by fcntl", ::fcntl(0, F_DUPFD, 1000));
  say("a program in memory", ::syscall(SYS_memfd_create, "x", 0));
  say("a signal", ::kill(::getpid(), 0));
  say("ptrace", ::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr));
  say("read another's memory", ::syscall(SYS_process_vm_readv, 1, nullptr, 0, nullptr, 0, 0));
}

void try_privileges() {
  say("a user namespace", ::unshare(CLONE_NEWUSER));
  say("mount", ::mount("x", "/agent", "tmpfs", 0, nullptr));
  say("chroot", ::chroot("/agent"));
  say("become root", ::setuid(0));
  say("raise a limit", [] {
    const rlimit unlimited{RLIM_INFINITY, RLIM_INFINITY};
    return ::setrlimit(RLIMIT_DATA, &unlimited);
  }());
  say("bpf", ::syscall(SYS_bpf, 0, nullptr, 0));
  say("keys", ::syscall(SYS_keyctl, 0, 0, 0, 0, 0));
  say("executable memory", [] {
    void* page = ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return page == MAP_FAILED ? -1L : 0L;
  }());
  say("memory made executable", [] {
    void* page = ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return static_cast<long>(::mprotect(page, 4096, PROT_READ | PROT_EXEC));
  }());
  say("shared memory", [] {
    void* page = ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return page == MAP_FAILED ? -1L : 0L;
  }());
}

void tell_what_it_has() {
  std::printf("descriptors:");
  for (int fd = 0; fd < 2000; ++fd) {
    if (::fcntl(fd, F_GETFD) >= 0) std::printf(" %d", fd);
  }
  std::printf("\nenvironment:");
  for (char** entry = environ; *entry; ++entry) std::printf(" %s", *entry);
  std::size_t megabytes = 0;
  for (; megabytes < 16'384; ++megabytes) {
    if (::mmap(nullptr, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED) break;
  }
  std::printf("\nmemory: %s\n", megabytes < 100 ? "little" : megabytes <= 256 ? "bounded" : "beyond its bound");
  utsname names{};
  ::uname(&names);
  std::printf("host: %s\n", names.nodename);
}

}  // namespace

int main(int, char** arguments) {
  if (!std::strcmp(arguments[0], "again")) return std::puts("executed again"), 0;
  // Some of this would harm the machine: done only as the first process of a namespace with an empty root, or where
  // Landlock and the filter refuse files and sockets.
  const bool in_namespaces = ::getpid() == 1 && ::access("/etc", F_OK) != 0;
  const bool without_files = ::open("/etc/passwd", O_RDONLY) < 0 && errno == EACCES;
  const bool without_sockets = ::socket(AF_INET, SOCK_STREAM, 0) < 0 && errno == EPERM;
  if (!in_namespaces && !(without_files && without_sockets)) {
    std::printf("not sealed at all\n");
    return 1;
  }
  // Before anything else has been opened.
  tell_what_it_has();
  try_files();
  try_network();
  try_processes();
  try_privileges();
  std::printf("end\n");
  std::fflush(stdout);
  return 0;
}
