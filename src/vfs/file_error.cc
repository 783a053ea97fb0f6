#include "vfs/file_error.h"

#include <climits>
#include <cstring>

#include "base/text/utf8.h"

namespace glovebox::vfs {
namespace {

// A message repeats the guest's text; this bounds its size.
std::string_view short_text(std::string_view path) {
  return base::beginning_of(path, PATH_MAX);
}

void append_path(std::string& out, std::string_view path) {
  out += '\'';
  out += short_text(path);
  out += '\'';
}

std::string access_wording(policy::Access access) {
  return access == policy::Access::kRead ? "Requires read access to " : "Requires write access to ";
}

}  // namespace

FileError file_error(const Operation& operation, const TreeError& error) {
  std::string message = error.reason;
  if (message.empty()) {
    char buffer[128];
    message = ::strerror_r(error.number, buffer, sizeof buffer);
    message += " (os error " + std::to_string(error.number) + ')';
  }
  message += ": ";
  message += operation.name;
  if (!operation.path.empty()) {
    message += ' ';
    append_path(message, operation.path);
  }
  if (!operation.second_path.empty()) {
    message += " -> ";
    append_path(message, operation.second_path);
  }
  return {error.kind, error.number, std::move(message)};
}

FileError denial(policy::Access access, std::string_view path) {
  // As in Deno: an absolute path without its dots, a relative one as it was given.
  const std::string shown = path.starts_with('/') ? policy::normal_path("/", path) : std::string(path);
  return {FileError::Kind::kDenied, EACCES, access_wording(access) + '"' + std::string(short_text(shown)) + '"'};
}

FileError denial_behind_link(policy::Access access, std::string_view path, std::string target) {
  FileError error = denial(access, path);
  error.leads_to = std::move(target);
  error.message += ", which resolves through a link to a place that is not granted";
  return error;
}

FileError denial_of_place(policy::Access access, std::string_view place) {
  return {FileError::Kind::kDenied, EACCES, access_wording(access) + std::string(place)};
}

}  // namespace glovebox::vfs
