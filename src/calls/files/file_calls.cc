#include "calls/files/file_calls.h"

#include <errno.h>

#include <atomic>
#include <boost/asio/post.hpp>
#include <deque>
#include <utility>

#include "calls/data_pipe.h"
#include "calls/files/file_request.h"
#include "replay/replay.h"
#include "wire/limits.h"

namespace glovebox::calls {
namespace {

namespace asio = boost::asio;
using AnswerPointer = std::shared_ptr<Answer>;
using IoPointer = std::shared_ptr<asio::io_context>;

void report_file_error(const AnswerPointer& answer, const vfs::FileError& error) {
  using Kind = vfs::FileError::Kind;
  const bool blocked = error.kind == Kind::kDenied || (error.kind == Kind::kRefused && error.error_number != EFBIG);
  if (blocked) return answer->deny(CallError{"PermissionDenied", "", error.message, "", error.leads_to});
  answer->fail(to_call_error(error));
}

// Limit of answers that the guest has not taken. Beyond it a file waits for its turn even if it is cached.
constexpr std::size_t kMaxUnsentBytes = 1 * wire::kMiB;

// Fills the piece completely, so that a small file is one piece and its end is known with it. True: at the end.
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

// What the loop and the worker thread (the lane) share. The disk is used on the lane, or while the lane is idle.
class FileCalls::Desk {
 public:
  Desk(IoPointer io, std::shared_ptr<RunDisk> disk) : io_(std::move(io)), disk_(std::move(disk)) {}

  // On the lane:
  RunDisk& disk() { return *disk_; }
  vfs::FileResult<vfs::FileView*> view() { return disk_->view(); }
  vfs::FileResult<std::string> perform(const FileRequest& request);
  void post(std::function<void()> work) { asio::post(*io_, std::move(work)); }
  void post_error(const AnswerPointer& answer, vfs::FileError error) {
    post([answer, error = std::move(error)] { report_file_error(answer, error); });
  }
  bool is_closed() const { return closed_; }

  // From the loop, while the lane is idle: answers if the file is cached, and returns whether it was.
  bool answer_at_once(const FileRequest& request, Answer& answer);

  // From the loop. Contents and listings are large and wait in our memory until the guest takes them, so the next one
  // begins when the previous one was sent. Other operations are not held up: a guest may be unable to read because it
  // is still writing.
  void in_turn(std::function<void()> begin);
  void turn_ended();
  bool has_turns() const { return turn_ != nullptr; }

  // From the loop:
  void close();

 private:
  IoPointer io_;
  std::shared_ptr<RunDisk> disk_;
  std::atomic<bool> closed_ = false;
  std::function<void()> turn_;  // keeps the operation that it began alive
  std::deque<std::function<void()>> turns_;
};

vfs::FileResult<std::string> FileCalls::Desk::perform(const FileRequest& request) {
  auto found = view();
  if (!found) return std::move(found).failure();
  auto result = calls::perform(*found.value(), request);
  if (result && result.value().size() > wire::kMaxFrameBytes - wire::kFrameOverheadBytes) {
    return vfs::FileError{vfs::FileError::Kind::kRefused, EFBIG, "The answer is too large for one reply"};
  }
  return result;
}

bool FileCalls::Desk::answer_at_once(const FileRequest& request, Answer& answer) {
  vfs::FileView* view = disk_->opened_view();
  if (!view) return false;
  const auto bytes = view->read_if_cached(request.path, wire::kMaxDataBytes);
  if (!bytes) return false;
  answer.value_with_bytes("null", *bytes);
  return true;
}

void FileCalls::Desk::in_turn(std::function<void()> begin) {
  if (turn_) return turns_.push_back(std::move(begin));
  turn_ = std::move(begin);
  turn_();
}

void FileCalls::Desk::turn_ended() {
  turn_ = nullptr;
  if (closed_ || turns_.empty()) return;
  auto begin = std::move(turns_.front());
  turns_.pop_front();
  in_turn(std::move(begin));
}

void FileCalls::Desk::close() {
  closed_ = true;
  turn_ = nullptr;
  turns_.clear();
}

// A readFile: moves the bytes of the file to the guest.
class FileCalls::Reading : public std::enable_shared_from_this<Reading> {
 public:
  Reading(FileCalls& calls, FileRequest request, AnswerPointer answer)
      : calls_(calls), desk_(calls.desk_), request_(std::move(request)), answer_(std::move(answer)) {}

  void begin() {
    calls_.post([self = shared_from_this()] { self->open(); });
  }

 private:
  void open() {
    auto view = desk_->view();
    if (!view) return fail(std::move(view).failure());
    auto source = view.value()->open_to_read(request_.path);
    if (!source) return fail(std::move(source).failure());
    source_ = std::move(source).value();
    pipe_ = std::make_shared<DataPipe>(answer_->call_id(), source_->size_hint(),
                                       [reading = weak_from_this()] { resume(reading); });
    read();
  }

  // Reads while there are free pieces; the next one that is freed resumes it.
  void read() {
    while (!finished_ && !desk_->is_closed()) {
      DataPipe::Piece* piece = pipe_->acquire();
      if (!piece) return;
      auto filled = fill(*source_, *piece);
      if (!filled) return fail(std::move(filled).failure());
      total_ += piece->used;
      finished_ = filled.value();
      desk_->post([self = shared_from_this(), piece, at_end = filled.value()] { self->send(piece, at_end); });
    }
  }

  // On the loop:
  void send(DataPipe::Piece* piece, bool at_end) {
    if (piece->used > 0) {
      OutgoingBytes data = pipe_->to_send(piece);
      data.more_follows = at_end;
      answer_->send(std::move(data));
    }
    if (at_end) answer_->value("null", total_, [desk = desk_] { desk->turn_ended(); });
  }
  static void resume(const std::weak_ptr<Reading>& reading) {
    const auto self = reading.lock();
    if (!self || self->finished_ || self->desk_->is_closed()) return;
    self->calls_.post([self] { self->read(); });
  }

  void fail(vfs::FileError error) {
    finished_ = true;
    desk_->post([desk = desk_, answer = answer_, error = std::move(error)] {
      report_file_error(answer, error);
      desk->turn_ended();
    });
  }

  FileCalls& calls_;  // only from the loop, which calls nothing here after end()
  std::shared_ptr<Desk> desk_;
  FileRequest request_;
  AnswerPointer answer_;
  std::unique_ptr<vfs::FileSource> source_;
  std::shared_ptr<DataPipe> pipe_;
  std::uint64_t total_ = 0;
  std::atomic<bool> finished_ = false;  // every piece has been read
};

// A writeFile: moves the bytes from the guest to the disk.
class FileCalls::Writing : public BodySink, public std::enable_shared_from_this<Writing> {
 public:
  Writing(FileCalls& calls, FileRequest request, AnswerPointer answer, std::optional<bool> was_ok)
      : calls_(calls), desk_(calls.desk_), request_(std::move(request)), answer_(std::move(answer)), was_ok_(was_ok) {}

  // Before the first byte, so that a bad path is reported before anything is written.
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
    if (!sink_) return;  // failed before; the rest of the bytes is discarded
    if (!bytes.empty()) {
      if (auto written = sink_->write(bytes); !written) return fail(std::move(written).failure());
    }
    if (!last) return;
    sink_.reset();
    if (was_ok_ == false) desk_->disk().note_diverged(request_.path);
    desk_->post([answer = answer_] { answer->value(); });
  }

  void fail(vfs::FileError error) {
    sink_.reset();
    if (was_ok_ == true) desk_->disk().note_diverged(request_.path);
    desk_->post_error(answer_, std::move(error));
  }

  FileCalls& calls_;  // only from the loop, which calls nothing here after end()
  std::shared_ptr<Desk> desk_;
  FileRequest request_;
  AnswerPointer answer_;
  std::optional<bool> was_ok_;
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
  answer->about(request->target());
  return begin(std::move(*request), call.body_bytes, std::move(answer));
}

// A private layer is lost with its attempt, so its changes are made again, unseen by the guest. If the disk is not as
// it was in the earlier attempt, that is noted, and what depends on it cannot be committed.
CallHandler::Recalled FileCalls::recall(const Call& call, AnswerPointer answer, const replay::RecordedReply* reply) {
  const auto request = FileRequest::parse(call);
  if (!request || (call.body_bytes > 0 && request->kind != FileRequest::Kind::kWrite)) {
    answer->violation("a file operation that does not exist");
    return {};
  }
  answer->about(request->target());
  if (!desk_->disk().is_private()) return {};
  if (request->kind == FileRequest::Kind::kRead && reply && reply->ok) read_again(*request, *reply);
  if (!request->changes_files()) return {};
  if (!reply) return {begin(*request, call.body_bytes, std::move(answer)), true};
  auto again = request->again(*reply);
  if (!again) return {};
  makes_again_ = true;
  auto no_receiver = std::make_shared<Answer>(std::weak_ptr<broker::CallDesk>(), call.id);
  return {begin(std::move(*again), call.body_bytes, std::move(no_receiver), reply->ok), true};
}

// Checks that a file still has the content that the run was given.
void FileCalls::read_again(FileRequest request, const replay::RecordedReply& reply) {
  used_ = true;
  makes_again_ = true;
  post([desk = desk_, path = std::move(request.path), was = reply.body()] {
    auto view = desk->view();
    if (!view) return desk->disk().note_stale(path);
    auto source = view.value()->open_to_read(path);
    std::string now(was.size() + 1, '\0');  // one more than there should be
    std::size_t size = 0;
    while (source && size < now.size()) {
      const auto got = source.value()->read({now.data() + size, now.size() - size});
      if (!got || got.value() == 0) break;
      size += got.value();
    }
    if (!source || std::string_view(now.data(), size) != was) desk->disk().note_stale(path);
  });
}

std::shared_ptr<BodySink> FileCalls::begin(FileRequest request, std::uint64_t body_bytes, AnswerPointer answer,
                                           std::optional<bool> was_ok) {
  used_ = true;
  if (request.kind == FileRequest::Kind::kWrite) {
    const auto writing = std::make_shared<Writing>(*this, std::move(request), std::move(answer), was_ok);
    writing->open();
    if (body_bytes == 0) writing->finish();
    return writing;
  }
  if (request.kind == FileRequest::Kind::kRead) {
    // Cached files are answered at once; reads that may block on the disk go to the lane.
    const bool is_idle = jobs_->load(std::memory_order_acquire) == 0 && !desk_->has_turns();
    if (is_idle && answer->unsent_bytes() <= kMaxUnsentBytes && desk_->answer_at_once(request, *answer)) return nullptr;
    const auto reading = std::make_shared<Reading>(*this, std::move(request), std::move(answer));
    desk_->in_turn([reading] { reading->begin(); });
  } else if (request.kind == FileRequest::Kind::kReadDirectory) {
    desk_->in_turn([this, request = std::move(request), answer = std::move(answer)] {
      perform(request, answer, [desk = desk_] { desk->turn_ended(); });
    });
  } else {
    perform(std::move(request), std::move(answer), {}, was_ok);
  }
  return nullptr;
}

void FileCalls::perform(FileRequest request, AnswerPointer answer, std::function<void()> sent,
                        std::optional<bool> was_ok) {
  post([desk = desk_, request = std::move(request), answer = std::move(answer), sent = std::move(sent), was_ok] {
    auto result = desk->perform(request);
    if (was_ok && *was_ok != result.ok()) desk->disk().note_diverged(request.path);
    desk->post([answer, sent, result = std::move(result)]() mutable {
      if (result) return answer->value(std::move(result).value(), 0, sent);
      report_file_error(answer, result.failure());
      if (sent) sent();
    });
  });
}

void FileCalls::end(std::function<void()> ended) {
  desk_->close();
  if (!used_) return ended();
  // The guest already has the answers to repeated changes, so changes that are kept must include them.
  if (!makes_again_ || !desk_->disk().keeps_changes()) lane_.drop_waiting();
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

}  // namespace glovebox::calls
