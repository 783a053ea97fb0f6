// Makes src/search/weights/*.safetensors of weights in half precision:
//   glovebox-search-weights TOKENIZER.json MODEL.fp16.safetensors OUT.safetensors
// Matrices become bytes with a scale per row, but for the columns whose inputs are much larger than all others; the
// table of words becomes bytes. Everything else stays as it is. kToolsDigest in src/search/encoder/minilm.cc is the
// SHA-256 of what comes out.
#include <boost/json.hpp>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "search/encoder/minilm.h"
#include "search/encoder/minilm_weights.h"

namespace glovebox::bench {
namespace {

namespace json = boost::json;
using search::Safetensors;
using Shape = std::vector<std::uint64_t>;

constexpr std::size_t kHalfBytes = 2;

template <typename T>
T must(Result<T> result) {
  if (result) return std::move(result).value();
  std::fprintf(stderr, "glovebox-search-weights: %s\n", result.failure().message.c_str());
  std::exit(1);
}

class Packer {
 public:
  Packer(const Safetensors& from, search::ExactColumns exact) : from_(from), exact_(std::move(exact)) {}

  // As it is.
  void copy(const std::string& name, const Shape& shape) {
    const auto bytes = must(from_.numbers(name, Safetensors::Type::kHalf, shape));
    add(name, "F16", shape, bytes.data(), bytes.size());
  }

  // Rows as bytes, a scale for each of them and the columns that stay exact.
  void quantize(const std::string& name, std::uint64_t rows, std::uint64_t columns,
                const std::vector<std::uint32_t>& exact) {
    const auto halves = must(from_.numbers(name, Safetensors::Type::kHalf, {rows, columns}));
    std::vector<float> mask(columns, 1), row(columns), scales;
    for (const std::uint32_t column : exact) mask[column] = 0;
    std::vector<std::int8_t> steps(rows * columns);
    std::vector<unsigned char> kept;
    for (std::uint64_t i = 0; i < rows; ++i) {
      const unsigned char* at = halves.data() + i * columns * kHalfBytes;
      search::kPortableKernels.widen(at, columns, row.data());
      scales.push_back(search::quantize_row(row, mask, steps.data() + i * columns));
      for (const std::uint32_t column : exact)
        kept.insert(kept.end(), at + column * kHalfBytes, at + (column + 1) * kHalfBytes);
    }
    add(name, "I8", {rows, columns}, steps.data(), steps.size());
    add(name + ".scale", "F32", {rows}, scales.data(), scales.size() * sizeof(float));
    if (!exact.empty()) add(name + ".exact", "F16", {rows, exact.size()}, kept.data(), kept.size());
  }

  // The parts of one matrix, which share their input.
  void matrix(const std::string& name, const std::vector<std::string>& parts, std::uint64_t rows,
              std::uint64_t columns) {
    const std::vector<std::uint32_t>& exact = exact_.at(name);
    add(name + ".exact_columns", "I32", {exact.size()}, exact.data(), exact.size() * sizeof(std::uint32_t));
    for (const std::string& part : parts) {
      quantize(name + part + ".weight", rows, columns, exact);
      copy(name + part + ".bias", {rows});
    }
  }

  void write(const char* path) {
    std::string text = json::serialize(header_);
    text.resize((text.size() + 7) / 8 * 8, ' ');
    const std::uint64_t size = text.size();
    std::ofstream out(path, std::ios::binary);
    out.write(reinterpret_cast<const char*>(&size), sizeof size);
    out << text << data_;
    if (!out.flush()) std::exit(1);
    std::printf("%s: %zu bytes\n", path, sizeof size + text.size() + data_.size());
  }

 private:
  void add(const std::string& name, const char* type, const Shape& shape, const void* bytes, std::size_t size) {
    header_[name] = {
        {"dtype", type}, {"shape", json::value_from(shape)}, {"data_offsets", {data_.size(), data_.size() + size}}};
    data_.append(static_cast<const char*>(bytes), size);
  }

  const Safetensors& from_;
  search::ExactColumns exact_;
  json::object header_;
  std::string data_;
};

int pack(const char* tokenizer, const char* weights, const char* out) {
  const Safetensors file = must(Safetensors::open(weights));
  Packer packer(file, must(search::exact_columns_of({tokenizer, weights, "", ""})));
  constexpr std::uint64_t kSize = search::kMiniLmSize;
  constexpr std::uint64_t kInner = 4 * kSize;
  packer.quantize("embeddings.word_embeddings.weight", search::kMiniLmWords, kSize, {});
  packer.copy("embeddings.position_embeddings.weight", {512, kSize});
  packer.copy("embeddings.token_type_embeddings.weight", {2, kSize});
  const auto normalisation = [&](const std::string& name) {
    packer.copy(name + ".LayerNorm.weight", {kSize});
    packer.copy(name + ".LayerNorm.bias", {kSize});
  };
  normalisation("embeddings");
  for (int i = 0; i < 6; ++i) {
    const std::string at = "encoder.layer." + std::to_string(i) + ".";
    packer.matrix(at + "attention.self", {".query", ".key", ".value"}, kSize, kSize);
    packer.matrix(at + "attention.output.dense", {""}, kSize, kSize);
    normalisation(at + "attention.output");
    packer.matrix(at + "intermediate.dense", {""}, kInner, kSize);
    packer.matrix(at + "output.dense", {""}, kSize, kInner);
    normalisation(at + "output");
  }
  packer.write(out);
  return 0;
}

}  // namespace
}  // namespace glovebox::bench

int main(int argc, char** argv) {
  if (argc == 4) return glovebox::bench::pack(argv[1], argv[2], argv[3]);
  std::fprintf(stderr, "usage: glovebox-search-weights TOKENIZER.json MODEL.fp16.safetensors OUT.safetensors\n");
  return 2;
}
