// The part of SandboxCore that starts Python without blocking the loop: it finds the image or has it made, then boots
// from it. An image is always made by a separate process, so that the first zygote is like every later one.
#include "base/try.h"

#include <boost/asio/posix/stream_descriptor.hpp>
#include "broker/sandbox_core.h"

namespace glovebox::broker {
namespace {

namespace asio = boost::asio;

// Compiling all of CPython takes seconds on a quiet machine, and a busy one may be many times slower.
constexpr std::chrono::minutes kBootPatience{3};

constexpr const char* kFirstBoot = "preparing Python; this takes a few seconds the first time";

}  // namespace

void SandboxCore::report_progress(const char* text) const {
  if (options_.on_progress) options_.on_progress(text);
}

Result<void> SandboxCore::begin_python() {
  if (!python_cache_) {
    python_cache_ = GLOVEBOX_TRY(jail::PythonCache::open(options_.cache_folder, options_.python_pack_path));
  }
  image_is_new_ = false;
  if (!python_image_.valid()) python_image_ = python_cache_->find();
  return begin_boot(python_image_.valid() ? jail::ZygoteKind::kPython : jail::ZygoteKind::kPythonImage);
}

Result<void> SandboxCore::begin_boot(jail::ZygoteKind kind) {
  jail::LaunchSpec spec = GLOVEBOX_TRY(launch_spec());
  spec.kind = kind;
  spec.python_pack_path = options_.python_pack_path;
  spec.assume_missing = assume_missing_;
  if (kind == jail::ZygoteKind::kPythonImage) {
    report_progress(kFirstBoot);
    python_image_ = GLOVEBOX_TRY(python_cache_->create());
    image_is_new_ = true;
  }
  spec.python_image_fd = python_image_.get();
  booting_ = GLOVEBOX_TRY(jail::ZygoteProcess::begin(spec));
  booting_kind_ = kind;
  control_.emplace(io_, booting_->control_fd());
  control_->async_wait(asio::posix::stream_descriptor::wait_read, [self = shared_from_this()](auto error) {
    if (!error && self->booting_) self->on_boot_message();
  });
  zygote_watch_.expires_after(kBootPatience);
  zygote_watch_.async_wait([self = shared_from_this()](auto error) {
    if (error || !self->booting_) return;
    self->abandon_boot();
    self->fail_waiting_runs({ErrorCode::kSandboxUnavailable, "Python did not boot in time"});
  });
  return {};
}

void SandboxCore::on_boot_message() {
  zygote_watch_.cancel();
  if (const auto continued = continue_boot(); !continued) {
    abandon_boot();
    fail_waiting_runs(continued.failure());
  }
}

// The booting process has reported its result: take the next step.
Result<void> SandboxCore::continue_boot() {
  const auto booted = booting_->finish_boot();
  control_->release();
  control_.reset();
  jail::ZygoteProcess process = std::move(*booting_);
  booting_.reset();
  if (!booted) {
    const Failure& failure = booted.failure();
    // The owner accepts running without namespaces, and the kernel refused them only now.
    const bool may_go_without = launch_spec().value().accepted_missing & jail::kWithoutNamespaces;
    if (failure.code == ErrorCode::kFeatureMissing && may_go_without && assume_missing_ == 0) {
      assume_missing_ = jail::kWithoutNamespaces;
      return begin_boot(booting_kind_);
    }
    python_image_.reset();
    python_cache_->drop();
    const bool is_stale = failure.message.find(jail::kStalePythonImage) != std::string::npos;
    if (is_stale && !image_is_new_) return begin_boot(jail::ZygoteKind::kPythonImage);
    return failure;
  }
  if (booting_kind_ == jail::ZygoteKind::kPythonImage) {
    python_cache_->keep();
    return begin_boot(jail::ZygoteKind::kPython);
  }
  if (image_is_new_) report_progress("");
  adopt(std::move(process));
  return {};
}

void SandboxCore::abandon_boot() {
  if (!booting_) return;
  if (image_is_new_) report_progress("");
  if (booting_kind_ == jail::ZygoteKind::kPythonImage) {
    python_image_.reset();
    python_cache_->drop();
  }
  zygote_watch_.cancel();
  control_->release();
  control_.reset();
  booting_.reset();
}

}  // namespace glovebox::broker
