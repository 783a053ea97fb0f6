// fetch as guest code sees it, and the calls that it makes to the gateway.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "scripted_gateway.h"

namespace glovebox::guest_test {
namespace {

constexpr const char* kAnswer =
    R"({"status":200,"statusText":"OK","url":"http://host/b","redirected":true,"headers":[["X-One","1"],)"
    R"(["set-cookie","a=b"],["x-one","2"]],"stream":7})";
constexpr const char* kDone = R"({"done":true})";

std::string result(std::string_view json) {
  return R"({"frame":"done","result":)" + std::string(json) + "}";
}

// A gateway that knows one response, with `chunks` as its body, and records every call.
class Fetch : public testing::Test {
 protected:
  std::string run(std::string_view code, std::vector<std::string> chunks = {}, std::string answer = kAnswer) {
    return gateway_.run(code, [&, next = std::size_t{0}](const HostCall& call) mutable {
      calls_.push_back(call);
      if (call.op == "net.fetch") return gateway_.reply(call.id, answer);
      if (call.op == "net.read" && next < chunks.size()) return gateway_.reply(call.id, "null", chunks[next++]);
      gateway_.reply(call.id, call.op == "net.read" ? kDone : "null");
    });
  }

  std::string ops() const {
    std::string all;
    for (const HostCall& call : calls_) all += (all.empty() ? "" : " ") + call.op;
    return all;
  }

  ScriptedGateway gateway_;
  std::vector<HostCall> calls_;
};

TEST_F(Fetch, AsksWithMethodAddressAndHeaders) {
  EXPECT_EQ(run("await fetch('http://Host:80/a?b#c', { method: 'put', headers: { B: 'x', A: '1' }, redirect: 'manual' "
                "}); return 1"),
            result("1"));
  ASSERT_EQ(calls_.size(), 1u);
  EXPECT_EQ(calls_[0].op, "net.fetch");
  EXPECT_EQ(
      calls_[0].args,
      R"({"method":"PUT","url":"http://host/a?b","headers":[["a","1"],["b","x"]],"redirect":"manual","body":"none"})");
  EXPECT_EQ(calls_[0].bytes, "");
}

TEST_F(Fetch, ShowsTheResponse) {
  EXPECT_EQ(
      run("const r = await fetch('http://host/a'); return [r.status, r.ok, r.statusText, r.url, r.redirected, r.type, "
          "[...r.headers], r.bodyUsed, await r.text(), r.bodyUsed, r instanceof Response]",
          {"h\xc3", "\xa9"}),
      result(R"([200,true,"OK","http://host/b",true,"basic",[["set-cookie","a=b"],["x-one","1, 2"]],false,"hé",true,)"
             R"(true])"));
  EXPECT_EQ(ops(), "net.fetch net.read net.read net.read");
  EXPECT_EQ(calls_[1].args, R"({"stream":7})");
}

TEST_F(Fetch, HeadersOfTheResponseStay) {
  EXPECT_EQ(run("const r = await fetch('http://host/'); try { r.headers.set('a', 'b') } catch (e) { return e.name }"),
            result(R"("TypeError")"));
}

TEST_F(Fetch, ReadsOnlyWhatIsAskedFor) {
  EXPECT_EQ(run("const r = await fetch('http://host/'); const reader = r.body.getReader(); "
                "const one = await reader.read(); return [...one.value]",
                {"ab", "cd"}),
            result("[97,98]"));
  EXPECT_EQ(ops(), "net.fetch net.read");
}

TEST_F(Fetch, BodyIsAStreamOfBytes) {
  EXPECT_EQ(
      run("const r = await fetch('http://host/'); const reader = r.body.getReader({ mode: 'byob' }); const seen = []; "
          "for (;;) { const { done, value } = await reader.read(new Uint8Array(2)); if (done) break; "
          "seen.push([...value]) } "
          "return seen",
          {"abc", "d"}),
      result("[[97,98],[99],[100]]"));
}

TEST_F(Fetch, CloneReadsTheNetworkOnce) {
  EXPECT_EQ(
      run("const r = await fetch('http://host/'); const c = r.clone(); return [await r.text(), await c.text(), c.url]",
          {"ab", "cd"}),
      result(R"(["abcd","abcd","http://host/b"])"));
  EXPECT_EQ(ops(), "net.fetch net.read net.read net.read");
}

TEST_F(Fetch, CancelledBodyIsCancelledInTheGateway) {
  EXPECT_EQ(run("const r = await fetch('http://host/'); for await (const c of r.body) { break } return r.bodyUsed",
                {"ab", "cd"}),
            result("true"));
  EXPECT_EQ(ops(), "net.fetch net.read net.cancel");
  EXPECT_EQ(calls_.back().args, R"({"stream":7})");
}

TEST_F(Fetch, BytesGoWithTheCall) {
  EXPECT_EQ(run("const q = new Request('http://host/', { method: 'POST', body: 'h\\u00e9' }); await fetch(q); "
                "const used = q.bodyUsed; await fetch('http://host/', { method: 'POST', body: new "
                "Uint8Array(300000).fill(65) }); "
                "return used"),
            result("true"));
  EXPECT_EQ(calls_[0].bytes, "h\xc3\xa9");
  EXPECT_NE(calls_[0].args.find(R"("headers":[["content-type","text/plain;charset=UTF-8"]])"), std::string::npos)
      << calls_[0].args;
  EXPECT_NE(calls_[0].args.find(R"("body":"bytes")"), std::string::npos) << calls_[0].args;
  EXPECT_EQ(calls_[1].bytes, std::string(300000, 'A'));
}

TEST_F(Fetch, AnEmptyTextIsABody) {
  run("await fetch('http://host/', { method: 'POST', body: '' }); return 1");
  EXPECT_NE(calls_[0].args.find(R"("body":"bytes")"), std::string::npos) << calls_[0].args;
}

// The gateway answers once the whole body has arrived.
TEST_F(Fetch, AStreamIsSentPieceByPiece) {
  std::uint64_t fetch = 0;
  std::string sent;
  const std::string end = gateway_.run(
      "const body = new ReadableStream({ async start(c) { for (const t of ['a', '', 'bc']) { await null; "
      "c.enqueue(new TextEncoder().encode(t)) } c.close() } }); "
      "return (await fetch('http://host/', { method: 'POST', body, duplex: 'half' })).status",
      [&](const HostCall& call) {
        calls_.push_back(call);
        if (call.op == "net.fetch") {
          fetch = call.id;
          return;
        }
        sent += call.bytes + "|";
        const bool last = call.args.find(R"("last":true)") != std::string::npos;
        gateway_.reply(call.id, "null");
        if (last) gateway_.reply(fetch, kAnswer);
      });
  EXPECT_EQ(end, result("200"));
  EXPECT_EQ(ops(), "net.fetch net.send net.send net.send");
  EXPECT_EQ(sent, "a|bc||");
  EXPECT_EQ(calls_[1].args, R"({"fetch":)" + std::to_string(fetch) + R"(,"last":false})");
  EXPECT_NE(calls_[0].args.find(R"("body":"stream")"), std::string::npos) << calls_[0].args;
}

TEST_F(Fetch, AStreamThatFailsCancels) {
  const std::string end = gateway_.run(
      "const body = new ReadableStream({ pull() { throw new RangeError('mine') } }); "
      "return await fetch('http://host/', { method: 'POST', body }).catch((e) => [e.name, e.message, e.cause.message])",
      [&](const HostCall& call) {
        calls_.push_back(call);
        if (call.op == "net.cancel") gateway_.reply(call.id, "null");
      });
  EXPECT_EQ(end, result(R"(["TypeError","fetch failed","mine"])"));
  EXPECT_EQ(ops(), "net.fetch net.cancel");
  EXPECT_EQ(calls_[1].args, R"({"fetch":1})");
}

TEST_F(Fetch, AChunkThatIsNoBytesFails) {
  const std::string end = gateway_.run(
      "return await fetch('http://host/', { method: 'POST', body: ReadableStream.from(['text']) }).catch((e) => "
      "e.name)",
      [&](const HostCall& call) {
        if (call.op == "net.cancel") gateway_.reply(call.id, "null");
      });
  EXPECT_EQ(end, result(R"("TypeError")"));
}

TEST_F(Fetch, ALargeChunkIsSentInPieces) {
  std::uint64_t fetch = 0;
  const std::string end = gateway_.run(
      "const body = ReadableStream.from([new Uint8Array(2500000).fill(66)]); "
      "return (await fetch('http://host/', { method: 'POST', body })).status",
      [&](const HostCall& call) {
        calls_.push_back(call);
        if (call.op == "net.fetch") {
          fetch = call.id;
          return;
        }
        gateway_.reply(call.id, "true");
        if (calls_.size() == 5) gateway_.reply(fetch, kAnswer);
      });
  EXPECT_EQ(end, result("200"));
  ASSERT_EQ(ops(), "net.fetch net.send net.send net.send net.send");
  EXPECT_EQ(calls_[1].bytes, std::string(1 << 20, 'B'));
  EXPECT_EQ(calls_[3].bytes.size(), 2500000u - (2u << 20));
  EXPECT_EQ(calls_[4].bytes, "");
}

TEST_F(Fetch, AGatewayThatSaysEnoughIsSentNoMore) {
  const std::string end = gateway_.run(
      "let pulls = 0; const body = new ReadableStream({ pull(c) { pulls++; c.enqueue(new Uint8Array(1)) }, cancel() { "
      "pulls = -1 } }); "
      "const r = await fetch('http://host/', { method: 'POST', body }); await new Promise((f) => setTimeout(f, 1)); "
      "return [r.status, pulls]",
      [&](const HostCall& call) {
        calls_.push_back(call);
        gateway_.reply(call.id, call.op == "net.fetch" ? kAnswer : "false");
      });
  EXPECT_EQ(end, result("[200,-1]"));
  EXPECT_EQ(ops(), "net.fetch net.send");
}

// A server may answer before it has read everything, and the gateway may then accept no more.
TEST_F(Fetch, AGatewayThatTakesNoMoreIsNoError) {
  const std::string end = gateway_.run(
      "let cancelled = false; const body = new ReadableStream({ pull(c) { c.enqueue(new Uint8Array(1)) }, cancel() { "
      "cancelled = true } }); "
      "const r = await fetch('http://host/', { method: 'POST', body }); await new Promise((f) => setTimeout(f, 1)); "
      "return [r.status, cancelled]",
      [&](const HostCall& call) {
        if (call.op == "net.fetch") return gateway_.reply(call.id, kAnswer);
        gateway_.refuse(call.id, R"({"name":"Error","code":"","message":"the request is over"})");
      });
  EXPECT_EQ(end, result("[200,true]"));
}

TEST_F(Fetch, ADenialHasItsClassWordsAndLine) {
  const auto deny = [&](const HostCall& call) {
    gateway_.refuse(
        call.id, R"({"name":"PermissionDenied","code":"","message":"Requires net access to \"api.example.com:443\""})");
  };
  const std::string end = gateway_.run("\n  await fetch('https://api.example.com/')", deny);
  EXPECT_NE(end.find(R"("type":"PermissionError","code":"PERMISSION_DENIED")"), std::string::npos) << end;
  EXPECT_NE(end.find(R"(PermissionDenied: Requires net access to \"api.example.com:443\"\n    at agent.ts:2:9")"),
            std::string::npos)
      << end;
}

TEST_F(Fetch, ADenialCanBeCaught) {
  const std::string end = gateway_.run(
      "try { await fetch('https://a/') } catch (e) { return [e.name, e instanceof Deno.errors.PermissionDenied, "
      "e instanceof Deno.errors.NotCapable] }",
      [&](const HostCall& call) {
        gateway_.refuse(call.id,
                        R"({"name":"PermissionDenied","code":"","message":"Requires net access to \"a:443\""})");
      });
  EXPECT_EQ(end, result(R"(["PermissionDenied",true,true])"));
}

TEST_F(Fetch, ANetworkErrorIsATypeError) {
  const std::string end =
      gateway_.run("return await fetch('http://a/').catch((e) => [e.name, e.message])", [&](const HostCall& call) {
        gateway_.refuse(call.id, R"({"name":"TypeError","code":"","message":"fetch failed"})");
      });
  EXPECT_EQ(end, result(R"(["TypeError","fetch failed"])"));
}

TEST_F(Fetch, ABodyThatBreaksRejectsItsReaders) {
  const std::string end = gateway_.run(
      "const r = await fetch('http://a/'); const text = await r.clone().text().catch((e) => e.message); "
      "return [text, await r.text().catch((e) => e.message)]",
      [&](const HostCall& call) {
        if (call.op == "net.fetch") return gateway_.reply(call.id, kAnswer);
        gateway_.refuse(call.id, R"({"name":"TypeError","code":"","message":"connection lost"})");
      });
  EXPECT_EQ(end, result(R"(["connection lost","connection lost"])"));
}

// ---- Signals

TEST_F(Fetch, AnAbortedSignalAsksNothing) {
  EXPECT_EQ(run("return await fetch('http://host/', { signal: AbortSignal.abort('why') }).catch((e) => e)"),
            result(R"("why")"));
  EXPECT_EQ(ops(), "");
}

TEST_F(Fetch, AbortWhileTheAnswerIsAwaited) {
  const std::string end = gateway_.run(
      "const c = new AbortController(); setTimeout(() => c.abort(), 10); "
      "return await fetch('http://host/', { signal: c.signal }).catch((e) => [e.name, e === c.signal.reason])",
      [&](const HostCall& call) {
        calls_.push_back(call);
        if (call.op == "net.cancel") gateway_.reply(call.id, "null");
      });
  EXPECT_EQ(end, result(R"(["AbortError",true])"));
  EXPECT_EQ(ops(), "net.fetch net.cancel");
  EXPECT_EQ(calls_[1].args, R"({"fetch":1})");
}

TEST_F(Fetch, AnAnswerAfterTheAbortIsLetGo) {
  std::uint64_t fetch = 0;
  const std::string end = gateway_.run(
      "const c = new AbortController(); setTimeout(() => c.abort('no'), 10); "
      "const e = await fetch('http://host/', { signal: c.signal }).catch((e) => e); "
      "await new Promise((f) => setTimeout(f, 10)); return e",
      [&](const HostCall& call) {
        calls_.push_back(call);
        if (call.op == "net.fetch") {
          fetch = call.id;
          return;
        }
        if (calls_.size() == 2) gateway_.reply(fetch, kAnswer);
        gateway_.reply(call.id, "null");
      });
  EXPECT_EQ(end, result(R"("no")"));
  EXPECT_EQ(ops(), "net.fetch net.cancel net.cancel");
  EXPECT_EQ(calls_[2].args, R"({"stream":7})");
}

TEST_F(Fetch, AbortWhileTheBodyIsRead) {
  const std::string end = gateway_.run(
      "const c = new AbortController(); const r = await fetch('http://host/', { signal: c.signal }); "
      "setTimeout(() => c.abort('enough'), 10); return [await r.text().catch((e) => e), r.bodyUsed]",
      [&](const HostCall& call) {
        calls_.push_back(call);
        if (call.op == "net.fetch") return gateway_.reply(call.id, kAnswer);
        if (call.op == "net.cancel") gateway_.reply(call.id, "null");
      });
  EXPECT_EQ(end, result(R"(["enough",true])"));
  EXPECT_EQ(ops(), "net.fetch net.read net.cancel");
  EXPECT_EQ(calls_[2].args, R"({"stream":7})");
}

TEST_F(Fetch, AbortBreaksAStreamThatNobodyReadsJustNow) {
  EXPECT_EQ(run("const c = new AbortController(); const r = await fetch('http://host/', { signal: c.signal }); "
                "const reader = r.body.getReader(); c.abort('enough'); return await reader.closed.catch((e) => e)"),
            result(R"("enough")"));
  EXPECT_EQ(ops(), "net.fetch net.cancel");
}

TEST_F(Fetch, AbortAfterTheEndDoesNothing) {
  EXPECT_EQ(run("const c = new AbortController(); const r = await fetch('http://host/', { signal: c.signal }); "
                "const text = await r.text(); c.abort(); return text",
                {"all"}),
            result(R"("all")"));
  EXPECT_EQ(ops(), "net.fetch net.read net.read");
}

TEST_F(Fetch, AbortStopsTheRequestsStream) {
  const std::string end = gateway_.run(
      "let reason; const c = new AbortController(); const body = new ReadableStream({ cancel(r) { reason = r } }); "
      "setTimeout(() => c.abort('stop'), 10); "
      "const e = await fetch('http://host/', { method: 'POST', body, signal: c.signal }).catch((e) => e); return [e, "
      "reason]",
      [&](const HostCall& call) {
        if (call.op == "net.cancel") gateway_.reply(call.id, "null");
      });
  EXPECT_EQ(end, result(R"(["stop","stop"])"));
}

// ---- Bodies that are none

TEST_F(Fetch, NullBodiesAreLetGo) {
  const std::string answer =
      R"({"status":204,"statusText":"","url":"http://host/","redirected":false,"headers":[],"stream":9})";
  EXPECT_EQ(run("const r = await fetch('http://host/'); return [r.status, r.body, await r.text()]", {}, answer),
            result(R"([204,null,""])"));
  EXPECT_EQ(ops(), "net.fetch net.cancel");
  EXPECT_EQ(calls_[1].args, R"({"stream":9})");
}

TEST_F(Fetch, AResponseToHeadHasNoBody) {
  EXPECT_EQ(run("return (await fetch('http://host/', { method: 'HEAD' })).body"), result("null"));
  EXPECT_EQ(ops(), "net.fetch net.cancel");
}

TEST_F(Fetch, AnAnswerWithoutStreamHasNoBody) {
  const std::string answer =
      R"({"status":200,"statusText":"","url":"http://host/","redirected":false,"headers":[],"stream":null})";
  EXPECT_EQ(run("return await (await fetch('http://host/')).text()", {}, answer), result(R"("")"));
  EXPECT_EQ(ops(), "net.fetch");
}

// ---- Crowds

// Requests whose bodies wait to be sent must not keep out the calls that send them.
TEST_F(Fetch, ManyStreamsAtOnceDoNotBlockEachOther) {
  std::vector<std::uint64_t> fetches;
  std::size_t most = 0;
  std::size_t waiting = 0;
  const std::string end = gateway_.run(
      "const body = () => new Blob(['x']).stream(); const all = []; "
      "for (let i = 0; i < 300; i++) all.push(fetch('http://host/', { method: 'POST', body: body() })); "
      "return (await Promise.all(all)).length",
      [&](const HostCall& call) {
        if (call.op == "net.fetch") {
          fetches.push_back(call.id);
          most = std::max(most, ++waiting);
          return;
        }
        gateway_.reply(call.id, "null");
        if (call.args.find(R"("last":true)") == std::string::npos) return;
        const auto id = std::stoull(call.args.substr(call.args.find(':') + 1));
        --waiting;
        gateway_.reply(id, kAnswer);
      });
  EXPECT_EQ(end, result("300"));
  EXPECT_EQ(fetches.size(), 300u);
  EXPECT_GT(most, 1u);
}

TEST_F(Fetch, WorksAfterTheGuestBrokeTheLanguage) {
  EXPECT_EQ(run("Array.prototype.toJSON = Object.prototype.toJSON = () => 'spoiled'; "
                "Object.defineProperty(Array.prototype, '0', { set() { throw 'spoiled' }, configurable: true }); "
                "Object.prototype.stream = 5; Array.prototype.push = Array.prototype.shift = Map.prototype.get = null; "
                "const r = await fetch('http://host/', { headers: { a: 'b' } }); const text = await r.text(); "
                "delete Array.prototype[0]; delete Array.prototype.toJSON; delete Object.prototype.toJSON; "
                "delete Object.prototype.stream; return text",
                {"fine"}),
            result(R"("fine")"));
  EXPECT_NE(calls_[0].args.find(R"("headers":[["a","b"]])"), std::string::npos) << calls_[0].args;
}

}  // namespace
}  // namespace glovebox::guest_test
