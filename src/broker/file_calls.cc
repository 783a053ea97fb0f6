#include "broker/file_calls.h"

#include <errno.h>

#include <mutex>
#include <utility>

#include "broker/data_pipe.h"
#include "broker/file_request.h"
#include "wire/limits.h"

namespace glovebox::broker {
namespace {

namespace asio = boost::asio;
using AnswerPointer = std::shared_ptr<Answer>;
using IoPointer = std::shared_ptr<asio::io_context>;

void report(const AnswerPointer& answer, const vfs::FileError& error) {
  using Kind = vfs::FileError::Kind;
  const bool blocked = error.kind == Kind::kDenied || (error.kind == Kind::kRefused && error.error_number != EFBIG);
  if (blocked) return answer->deny(error.message);
  answer->fail(to_call_error(error));
}

// A piece is filled to the brim, so that a small file is one piece and its end is known with it.
vfs::FileResult<bool> fill(vfs::FileSource& source, DataPipe::Piece& piece) {
  while (!piece.room().empty()) {
    auto got = source.read(piece.room());
    if (!got) return std::move(got).failure();
    if (got.value() == 0) return true;
    piece.used += got.value();
  }
  return false;
}

}  // namespace

// What the thread works with. The disk belongs to it alone; the pipe is where the loop can stop it.
class FileCalls::Desk {
 public:
  Desk(IoPointer io, std::shared_ptr<RunDisk> disk) : io_(std::move(io)), disk_(std::move(disk)) {}

  // On the lane:
  RunDisk& disk() { return *disk_; }
  vfs::FileResult<vfs::FileView*> view() { return disk_->view(); }
  void perform_and_answer(const FileRequest& request, const AnswerPointer& answer);
  void read(const FileRequest& request, const AnswerPointer& answer);
  // From the loop, while the lane has nothing to do: whether the answer was there already.
  bool answer_at_once(const FileRequest& request, Answer& answer);
  void post(std::function<void()> work) { asio::post(*io_, std::move(work)); }
  void post_error(const AnswerPointer& answer, vfs::FileError error) {
    post([answer, error = std::move(error)] { report(answer, error); });
  }

  // From the loop:
  void close();

 private:
  std::shared_ptr<DataPipe> open_pipe(std::uint64_t call_id, std::uint64_t expected_bytes);

  IoPointer io_;
  std::shared_ptr<RunDisk> disk_;
  std::mutex mutex_;
  std::shared_ptr<DataPipe> pipe_;
  bool closed_ = false;
};

void FileCalls::Desk::perform_and_answer(const FileRequest& request, const AnswerPointer& answer) {
  auto found = view();
  if (!found) return post_error(answer, std::move(found).failure());
  auto result = perform(*found.value(), request);
  if (!result) return post_error(answer, std::move(result).failure());
  if (result.value().size() > wire::kMaxFrameBytes - wire::kFrameOverheadBytes) {
    return post_error(answer, {vfs::FileError::Kind::kRefused, EFBIG, "The answer is too large for one reply"});
  }
  post([answer, json = std::move(result).value()]() mutable { answer->value(std::move(json)); });
}

std::shared_ptr<DataPipe> FileCalls::Desk::open_pipe(std::uint64_t call_id, std::uint64_t expected_bytes) {
  const std::lock_guard lock(mutex_);
  pipe_ = std::make_shared<DataPipe>(call_id, expected_bytes);
  if (closed_) pipe_->close();
  return pipe_;
}

void FileCalls::Desk::read(const FileRequest& request, const AnswerPointer& answer) {
  auto found = view();
  if (!found) return post_error(answer, std::move(found).failure());
  auto source = found.value()->open_to_read(request.path);
  if (!source) return post_error(answer, std::move(source).failure());
  const auto pipe = open_pipe(answer->call_id(), source.value()->size_hint());
  std::uint64_t total = 0;
  for (bool at_end = false; !at_end;) {
    DataPipe::Piece* piece = pipe->acquire();
    if (!piece) return;
    auto filled = fill(*source.value(), *piece);
    if (!filled) return post_error(answer, std::move(filled).failure());
    at_end = filled.value();
    total += piece->used;
    post([answer, pipe, piece, at_end, total] {
      if (piece->used > 0) {
        OutgoingBytes data = pipe->to_send(piece);
        data.more_follows = at_end;
        answer->send(std::move(data));
      }
      if (at_end) answer->value("null", total);
    });
  }
}

bool FileCalls::Desk::answer_at_once(const FileRequest& request, Answer& answer) {
  vfs::FileView* view = disk_->opened_view();
  if (!view) return false;
  const auto bytes = view->read_if_cached(request.path, wire::kMaxDataBytes);
  if (!bytes) return false;
  answer.value_with_bytes("null", *bytes);
  return true;
}

void FileCalls::Desk::close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  if (pipe_) pipe_->close();
}

// The bytes of a writeFile on their way to the disk.
class FileCalls::Writing : public BodySink, public std::enable_shared_from_this<Writing> {
 public:
  Writing(FileCalls& calls, FileRequest request, AnswerPointer answer)
      : calls_(calls), desk_(calls.desk_), request_(std::move(request)), answer_(std::move(answer)) {}

  // Before the first byte, so that whatever is wrong with the path is told before the disk is full.
  void open() {
    calls_.post([self = shared_from_this()] {
      auto view = self->desk_->view();
      if (!view) return self->fail(std::move(view).failure());
      auto sink = view.value()->open_to_write(self->request_.path, self->request_.write);
      if (!sink) return self->fail(std::move(sink).failure());
      self->sink_ = std::move(sink).value();
    });
  }

  void take(std::string bytes, bool last, std::function<void()> resume) override {
    calls_.post([self = shared_from_this(), bytes = std::move(bytes), last, resume = std::move(resume)] {
      self->write(bytes, last);
      self->desk_->post(resume);
    });
  }

  void finish() {
    calls_.post([self = shared_from_this()] { self->write("", true); });
  }

 private:
  void write(std::string_view bytes, bool last) {
    if (!sink_) return;  // failed before; the rest of the bytes goes nowhere
    if (!bytes.empty()) {
      if (auto written = sink_->write(bytes); !written) return fail(std::move(written).failure());
    }
    if (!last) return;
    auto finished = sink_->finish();
    if (!finished) return fail(std::move(finished).failure());
    sink_.reset();
    desk_->post([answer = answer_] { answer->value(); });
  }

  void fail(vfs::FileError error) {
    sink_.reset();
    desk_->post_error(answer_, std::move(error));
  }

  FileCalls& calls_;  // only from the loop, which calls nothing here after end()
  std::shared_ptr<Desk> desk_;
  FileRequest request_;
  AnswerPointer answer_;
  std::unique_ptr<vfs::FileSink> sink_;
};

FileCalls::FileCalls(IoPointer io, std::shared_ptr<RunDisk> disk)
    : io_(io), desk_(std::make_shared<Desk>(std::move(io), std::move(disk))) {}

FileCalls::~FileCalls() {
  desk_->close();
}

std::shared_ptr<BodySink> FileCalls::handle(const Call& call, AnswerPointer answer) {
  auto request = FileRequest::parse(call);
  if (!request || (call.body_bytes > 0 && request->kind != FileRequest::Kind::kWrite)) {
    answer->violation("a file operation that does not exist");
    return nullptr;
  }
  used_ = true;
  answer->about(request->target());
  if (request->kind == FileRequest::Kind::kWrite) {
    const auto writing = std::make_shared<Writing>(*this, std::move(*request), std::move(answer));
    writing->open();
    if (call.body_bytes == 0) writing->finish();
    return writing;
  }
  // What the kernel has in memory is told at once; what may wait for a disk waits where nobody else does.
  const bool is_idle = jobs_->load(std::memory_order_acquire) == 0;
  if (request->kind == FileRequest::Kind::kRead && is_idle && desk_->answer_at_once(*request, *answer)) return nullptr;
  post([desk = desk_, request = std::move(*request), answer = std::move(answer)] {
    if (request.kind == FileRequest::Kind::kRead) return desk->read(request, answer);
    desk->perform_and_answer(request, answer);
  });
  return nullptr;
}

void FileCalls::end(std::function<void()> ended) {
  desk_->close();
  if (!used_) return ended();
  lane_.drop_waiting();
  post([io = io_, desk = desk_, ended = std::move(ended)] {
    desk->disk().close();
    asio::post(*io, ended);
  });
}

void FileCalls::with_disk(std::function<void(RunDisk&)> work) {
  used_ = true;
  post([desk = desk_, work = std::move(work)] { work(desk->disk()); });
}

void FileCalls::post(std::function<void()> job) {
  jobs_->fetch_add(1, std::memory_order_relaxed);
  lane_.post([jobs = jobs_, job = std::move(job)] {
    job();
    jobs->fetch_sub(1, std::memory_order_release);
  });
}

}  // namespace glovebox::broker
