#include "search/weights/safetensors.h"

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

// The integers of a JSON array, none of them negative; empty when it is anything else.
std::vector<std::uint64_t> integers(const json::value* value) {
  std::vector<std::uint64_t> out;
  const json::array* list = value ? value->if_array() : nullptr;
  if (!list) return out;
  for (const json::value& item : *list) {
    if (!item.is_int64() || item.get_int64() < 0) return {};
    out.push_back(static_cast<std::uint64_t>(item.get_int64()));
  }
  return out;
}

using Type = Safetensors::Type;

Type type_named(const json::value* name) {
  const std::string_view word = name && name->is_string() ? std::string_view(name->get_string()) : "";
  if (word == "F16") return Type::kHalf;
  if (word == "F32") return Type::kFloat;
  if (word == "I32") return Type::kInteger;
  return word == "I8" ? Type::kByte : Type::kOther;
}

std::size_t bytes_of(Type type) {
  return type == Type::kHalf ? 2 : type == Type::kByte ? 1 : 4;
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
  if (error || !header.is_object()) return damaged(path, "its header is not a JSON object");
  const auto data = bytes.subspan(sizeof header_size + header_size);
  std::map<std::string, Tensor> tensors;
  for (const auto& [name, value] : header.get_object()) {
    const json::object* entry = value.if_object();
    if (!entry || name == "__metadata__") continue;
    const auto offsets = integers(entry->if_contains("data_offsets"));
    if (offsets.size() != 2 || offsets[0] > offsets[1] || offsets[1] > data.size())
      return damaged(path, "a tensor lies outside");
    tensors[std::string(name)] = {integers(entry->if_contains("shape")),
                                  data.subspan(offsets[0], offsets[1] - offsets[0]),
                                  type_named(entry->if_contains("dtype"))};
  }
  return Safetensors(std::move(file), std::move(tensors));
}

Result<std::span<const unsigned char>> Safetensors::numbers(const std::string& name, Type type,
                                                            const std::vector<std::uint64_t>& shape) const {
  const auto tensor = tensors_.find(name);
  std::size_t count = 1;
  for (const std::uint64_t size : shape) count *= size;
  if (tensor == tensors_.end() || tensor->second.type != type || tensor->second.shape != shape ||
      tensor->second.bytes.size() != count * bytes_of(type))
    return Failure{ErrorCode::kInvalidArgument, "the weights lack the tensor " + name};
  return tensor->second.bytes;
}

std::vector<std::uint64_t> Safetensors::shape(const std::string& name) const {
  const auto tensor = tensors_.find(name);
  return tensor == tensors_.end() ? std::vector<std::uint64_t>() : tensor->second.shape;
}

}  // namespace glovebox::search
