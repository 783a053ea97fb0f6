// bin/glovebox of an installation. It runs where the program itself would not load: with a C library that is too old,
// or from a folder that was copied in part. It says so in one line; otherwise it becomes libexec/glovebox/glovebox.
//
// It takes nothing from the C library that was not there ten years ago, not even what calls main().
#include <errno.h>
#include <fcntl.h>
#include <gnu/libc-version.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

namespace {

constexpr const char* kInstallAgain = "Unpack or install Glovebox again.";

[[noreturn, gnu::format(printf, 1, 2)]] void refuse(const char* format, ...) {
  char line[2 * PATH_MAX];
  va_list arguments;
  va_start(arguments, format);
  ::vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  ::dprintf(2, "glovebox: %s\n", line);
  ::_exit(4);  // exit_codes.h: this machine cannot run it
}

// A decimal number at `text`, which is moved behind it.
unsigned long number(const char*& text) {
  unsigned long value = 0;
  for (; *text >= '0' && *text <= '9'; ++text) value = 10 * value + static_cast<unsigned long>(*text - '0');
  return value;
}

void require_c_library() {
  const char* version = ::gnu_get_libc_version();
  const char* rest = version;
  const unsigned long major = number(rest);
  if (*rest == '.') ++rest;
  if (major > 2 || (major == 2 && number(rest) >= 34)) return;
  refuse(
      "this system's C library (glibc %s) is too old: 2.34 or newer is needed, as in Debian 12, Ubuntu 22.04, RHEL 9 "
      "and later ones.",
      version);
}

// Before 5.9 there is no close_range, by which guests let go of every descriptor.
void require_kernel() {
  utsname kernel{};
  if (::uname(&kernel) != 0) return;
  const char* rest = kernel.release;
  const unsigned long major = number(rest);
  if (*rest == '.') ++rest;
  if (major > 5 || (major == 5 && number(rest) >= 9)) return;
  refuse("this kernel (%s %s) is too old: Linux 5.9 or newer is needed, 5.13 for every layer of confinement.",
         kernel.sysname, kernel.release);
}

// The folder with the program and its parts; ends in a slash.
void find_parts(char (&folder)[PATH_MAX]) {
  constexpr char kFromPrefix[] = "/libexec/glovebox/";
  char self[PATH_MAX];
  const ssize_t size = ::readlink("/proc/self/exe", self, sizeof self - sizeof kFromPrefix);
  if (size <= 0) refuse("/proc/self/exe cannot be read (%s): mount /proc.", ::strerror(errno));
  self[size] = 0;
  for (int up = 0; up < 2; ++up) {  // the name, then bin
    if (char* slash = ::strrchr(self, '/')) *slash = 0;
  }
  ::snprintf(folder, sizeof folder, "%s%s", self, kFromPrefix);
}

// parts.list has a line for each file: its size, a space, its name in the folder.
void require_parts(const char* folder) {
  static char list[1 << 16];
  char path[2 * PATH_MAX];
  ::snprintf(path, sizeof path, "%sparts.list", folder);
  const int file = ::open(path, O_RDONLY | O_CLOEXEC);
  const ssize_t size = file < 0 ? -1 : ::read(file, list, sizeof list - 1);
  if (size <= 0) refuse("%s is missing: this copy is incomplete. %s", path, kInstallAgain);
  ::close(file);
  list[size] = 0;
  for (const char* line = list; *line;) {
    const unsigned long expected = number(line);
    const char* end = ::strchr(line, '\n');
    if (*line != ' ' || !end) refuse("%s is damaged: this copy is incomplete. %s", path, kInstallAgain);
    char part[2 * PATH_MAX];
    ::snprintf(part, sizeof part, "%s%.*s", folder, static_cast<int>(end - line - 1), line + 1);
    // The C library's own stat() is newer than what is asked for here. This is what the kernel fills in on x86-64.
    struct {
      unsigned long before[6], size, after[11];
    } status;
    if (::syscall(SYS_stat, part, &status) != 0)
      refuse("%s: %s: this copy is incomplete. %s", part, ::strerror(errno), kInstallAgain);
    if (status.size != expected)
      refuse("%s has %lu of %lu bytes: this copy is incomplete. %s", part, status.size, expected, kInstallAgain);
    line = end + 1;
  }
}

}  // namespace

// What the kernel leaves on the stack: the number of arguments, the arguments, null, the environment.
extern "C" [[noreturn, gnu::used]] void glovebox_start(long* stack) {
  char** arguments = reinterpret_cast<char**>(stack + 1);
  char** environment = arguments + stack[0] + 1;
  require_c_library();
  require_kernel();
  char program[PATH_MAX];
  find_parts(program);
  require_parts(program);
  ::strcat(program, "glovebox");
  ::execve(program, arguments, environment);
  refuse("%s: %s. %s", program, ::strerror(errno), kInstallAgain);
}

asm(".globl _start\n"
    ".type _start, @function\n"
    "_start:\n"
    "  endbr64\n"
    "  xor %ebp, %ebp\n"
    "  mov %rsp, %rdi\n"
    "  and $-16, %rsp\n"
    "  call glovebox_start\n"
    "  hlt\n");
