#include "net/content_decoder.h"

#include <brotli/decode.h>
#include <malloc.h>
#include <zlib.h>
#include <zstd.h>

#include <cstdint>
#include <cstdlib>

#include "base/characters/ascii.h"
#include "base/try.h"
#include "net/request_headers.h"

namespace glovebox::net {
namespace {

// Grows `output` by up to `room` bytes; `fill` reports how many it used.
template <typename Fill>
bool append_with(std::string& output, std::size_t room, Fill fill) {
  const std::size_t before = output.size();
  output.resize(before + room);
  std::size_t used = 0;
  const bool good = fill(reinterpret_cast<std::uint8_t*>(output.data() + before), room, used);
  output.resize(before + used);
  return good;
}

const std::uint8_t* bytes_of(std::string_view text) {
  return reinterpret_cast<const std::uint8_t*>(text.data());
}

class ZlibDecoder : public ContentDecoder {
 public:
  enum class Format { kGzip, kDeflate };
  explicit ZlibDecoder(Format format) : format_(format) {}
  ~ZlibDecoder() override {
    if (started_) ::inflateEnd(&stream_);
  }

  bool decode(std::string_view& input, std::string& output, std::size_t room) override {
    if (input.empty() && !started_) return true;
    if (!started_) start(input);
    if (ended_ && !begin_next_member(input)) {
      input = {};  // bytes after the end of the data are not part of it
      return true;
    }
    return append_with(output, room, [&](std::uint8_t* to, std::size_t size, std::size_t& used) {
      while (used < size && !input.empty()) {
        if (!step(input, to, size, used)) return false;
        if (ended_ && !begin_next_member(input)) input = {};
      }
      // The decoder may still hold output for input that it has consumed.
      return input.empty() && used < size && !ended_ ? step(input, to, size, used) : true;
    });
  }
  bool complete() const override { return !started_ || ended_; }
  std::size_t memory() const override { return started_ ? 48 * 1024 : 0; }  // its window has 32 KB

 private:
  void start(std::string_view input) {
    // "deflate" means zlib's format, but some servers send raw deflate. The first byte shows which.
    const bool wrapped = (static_cast<unsigned char>(input.front()) & 0x0f) == 8;
    const int window = format_ == Format::kGzip ? 15 + 16 : wrapped ? 15 : -15;
    GLOVEBOX_CHECK(::inflateInit2(&stream_, window) == Z_OK);
    started_ = true;
  }

  // A gzip file may consist of several members.
  bool begin_next_member(std::string_view input) {
    if (format_ != Format::kGzip || input.empty() || input.front() != '\x1f') return false;
    ::inflateReset(&stream_);
    ended_ = false;
    return true;
  }

  bool step(std::string_view& input, std::uint8_t* to, std::size_t size, std::size_t& used) {
    stream_.next_in = const_cast<Bytef*>(bytes_of(input));
    stream_.avail_in = static_cast<uInt>(input.size());
    stream_.next_out = to + used;
    stream_.avail_out = static_cast<uInt>(size - used);
    const int status = ::inflate(&stream_, Z_NO_FLUSH);
    input.remove_prefix(input.size() - stream_.avail_in);
    used = size - stream_.avail_out;
    if (status == Z_STREAM_END) ended_ = true;
    return status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR;
  }

  Format format_;
  z_stream stream_{};
  bool started_ = false;
  bool ended_ = false;
};

class BrotliDecoder : public ContentDecoder {
 public:
  BrotliDecoder() : state_(::BrotliDecoderCreateInstance(allocate, release, &held_), ::BrotliDecoderDestroyInstance) {
    GLOVEBOX_CHECK(state_ != nullptr);
  }

  bool decode(std::string_view& input, std::string& output, std::size_t room) override {
    if (::BrotliDecoderIsFinished(state_.get())) {
      input = {};
      return true;
    }
    return append_with(output, room, [&](std::uint8_t* to, std::size_t size, std::size_t& used) {
      std::size_t in_left = input.size(), out_left = size;
      const std::uint8_t* in = bytes_of(input);
      const auto status = ::BrotliDecoderDecompressStream(state_.get(), &in_left, &in, &out_left, &to, nullptr);
      used = size - out_left;
      input.remove_prefix(input.size() - in_left);
      if (status == BROTLI_DECODER_RESULT_SUCCESS) input = {};
      return status != BROTLI_DECODER_RESULT_ERROR;
    });
  }
  bool complete() const override {
    return !::BrotliDecoderIsUsed(state_.get()) || ::BrotliDecoderIsFinished(state_.get());
  }
  std::size_t memory() const override { return held_; }

 private:
  static void* allocate(void* held, std::size_t size) {
    void* const block = std::malloc(size);
    *static_cast<std::size_t*>(held) += ::malloc_usable_size(block);
    return block;
  }
  static void release(void* held, void* block) {
    *static_cast<std::size_t*>(held) -= ::malloc_usable_size(block);
    std::free(block);
  }

  std::size_t held_ = 0;
  std::unique_ptr<BrotliDecoderState, void (*)(BrotliDecoderState*)> state_;
};

class ZstdDecoder : public ContentDecoder {
 public:
  ZstdDecoder() : stream_(::ZSTD_createDStream(), ::ZSTD_freeDStream) {
    GLOVEBOX_CHECK(stream_ != nullptr);
    // RFC 9659: 8 MB at most on the web. The library's own limit would take sixteen times as much memory for each
    // response.
    ::ZSTD_DCtx_setParameter(stream_.get(), ZSTD_d_windowLogMax, 23);
  }

  bool decode(std::string_view& input, std::string& output, std::size_t room) override {
    return append_with(output, room, [&](std::uint8_t* to, std::size_t size, std::size_t& used) {
      ZSTD_inBuffer in{input.data(), input.size(), 0};
      ZSTD_outBuffer out{to, size, 0};
      bool good = true;
      // Also once without input: the decoder may still hold output for input that it has consumed.
      do {
        const std::size_t status = ::ZSTD_decompressStream(stream_.get(), &out, &in);
        good = !::ZSTD_isError(status);
        if (good && (in.pos > 0 || out.pos > 0)) complete_ = status == 0;
      } while (good && out.pos < out.size && in.pos < in.size);
      used = out.pos;
      input.remove_prefix(in.pos);
      return good;
    });
  }
  bool complete() const override { return complete_; }
  std::size_t memory() const override { return ::ZSTD_sizeof_DStream(stream_.get()); }

 private:
  std::unique_ptr<ZSTD_DStream, std::size_t (*)(ZSTD_DStream*)> stream_;
  bool complete_ = true;  // empty data is complete
};

}  // namespace

std::unique_ptr<ContentDecoder> ContentDecoder::make(std::string_view content_encoding) {
  if (base::equal_ignoring_case(content_encoding, "gzip") || base::equal_ignoring_case(content_encoding, "x-gzip")) {
    return std::make_unique<ZlibDecoder>(ZlibDecoder::Format::kGzip);
  }
  if (base::equal_ignoring_case(content_encoding, "deflate")) {
    return std::make_unique<ZlibDecoder>(ZlibDecoder::Format::kDeflate);
  }
  if (base::equal_ignoring_case(content_encoding, "br")) return std::make_unique<BrotliDecoder>();
  if (base::equal_ignoring_case(content_encoding, "zstd")) return std::make_unique<ZstdDecoder>();
  return nullptr;
}

}  // namespace glovebox::net
