#include "search/safetensors.h"

#include <boost/json.hpp>
#include <cstring>

#include "base/try.h"

namespace glovebox::search {
namespace {

namespace json = boost::json;

constexpr std::uint64_t kMostHeaderBytes = 1 << 20;

Failure damaged(const std::string& path, const char* how) {
  return {ErrorCode::kInvalidArgument, path + " is damaged: " + how};
}

// Numbers of a JSON array, none of them negative; empty when it is anything else.
std::vector<std::uint64_t> numbers(const json::value* value) {
  std::vector<std::uint64_t> out;
  const json::array* list = value ? value->if_array() : nullptr;
  if (!list) return out;
  for (const json::value& item : *list) {
    if (!item.is_int64() || item.get_int64() < 0) return {};
    out.push_back(static_cast<std::uint64_t>(item.get_int64()));
  }
  return out;
}

}  // namespace

Result<Safetensors> Safetensors::open(const std::string& path) {
  MappedFile file = GLOVEBOX_TRY(MappedFile::open(path));
  const auto bytes = file.bytes();
  std::uint64_t header_size = 0;
  if (bytes.size() < sizeof header_size) return damaged(path, "it is too short");
  std::memcpy(&header_size, bytes.data(), sizeof header_size);
  if (header_size > kMostHeaderBytes || header_size > bytes.size() - sizeof header_size)
    return damaged(path, "the size of its header");
  boost::system::error_code error;
  const json::value header = json::parse(
      {reinterpret_cast<const char*>(bytes.data()) + sizeof header_size, static_cast<std::size_t>(header_size)}, error);
  if (error || !header.is_object()) return damaged(path, "its header is no JSON object");
  const auto data = bytes.subspan(sizeof header_size + header_size);
  std::map<std::string, Tensor> tensors;
  for (const auto& [name, value] : header.get_object()) {
    const json::object* entry = value.if_object();
    if (!entry || name == "__metadata__") continue;
    const json::value* type = entry->if_contains("dtype");
    const auto offsets = numbers(entry->if_contains("data_offsets"));
    if (offsets.size() != 2 || offsets[0] > offsets[1] || offsets[1] > data.size())
      return damaged(path, "a tensor lies outside");
    tensors[std::string(name)] = {numbers(entry->if_contains("shape")),
                                  data.subspan(offsets[0], offsets[1] - offsets[0]),
                                  type && type->is_string() && type->get_string() == "F16"};
  }
  return Safetensors(std::move(file), std::move(tensors));
}

Result<std::span<const unsigned char>> Safetensors::halves(const std::string& name,
                                                           const std::vector<std::uint64_t>& shape) const {
  const auto tensor = tensors_.find(name);
  std::size_t count = 1;
  for (const std::uint64_t size : shape) count *= size;
  if (tensor == tensors_.end() || !tensor->second.is_half || tensor->second.shape != shape ||
      tensor->second.bytes.size() != count * 2)
    return Failure{ErrorCode::kInvalidArgument, "the weights lack the tensor " + name};
  return tensor->second.bytes;
}

}  // namespace glovebox::search
