// Frames that a hostile guest may write: only those of the grammar are accepted.
#include "broker/guest_frames.h"

#include <gtest/gtest.h>

#include <string>

#include "wire/frame.h"
#include "wire/limits.h"

namespace glovebox::broker {
namespace {

using namespace std::string_literals;

class GuestFrames : public testing::Test {
 protected:
  // As a session does it: the parser reads ahead into bytes that only the reader keeps readable.
  Result<GuestFrame> parse(const std::string& payload) {
    reader_.append(wire::make_frame(payload));
    std::string_view framed;
    if (reader_.next(framed) != wire::FrameReader::State::kFrame) ADD_FAILURE() << "no frame";
    return parser_.parse(framed);
  }

  template <typename Frame>
  Frame expect(const std::string& payload) {
    auto frame = parse(payload);
    EXPECT_TRUE(frame.ok()) << payload.substr(0, 200) << ": " << frame.failure().message;
    if (!frame.ok() || !std::holds_alternative<Frame>(*frame)) {
      ADD_FAILURE() << "another kind of frame: " << payload.substr(0, 200);
      return {};
    }
    return std::get<Frame>(*frame);
  }

  void refuse(const std::string& payload, const std::string& reason = "") {
    const auto frame = parse(payload);
    ASSERT_FALSE(frame.ok()) << payload.substr(0, 200);
    EXPECT_EQ(frame.failure().code, ErrorCode::kProtocol);
    EXPECT_TRUE(frame.failure().message.starts_with("the guest broke the protocol: ")) << frame.failure().message;
    EXPECT_NE(frame.failure().message.find(reason), std::string::npos)
        << payload.substr(0, 200) << ": " << frame.failure().message;
    // A bad frame does not affect the next one.
    EXPECT_EQ(expect<DoneFrame>(R"({"frame":"done","result":1})").result_json, "1");
  }

  wire::FrameReader reader_{wire::kMaxFrameBytes};
  GuestFrameParser parser_;
};

std::string done(const std::string& result) {
  return R"({"frame":"done","result":)" + result + "}";
}
std::string log_line(const std::string& text) {
  return R"({"frame":"log","level":"log","text":")" + text + "\"}";
}
std::string nested(std::size_t depth) {
  return std::string(depth, '[') + "1" + std::string(depth, ']');
}

// ---- done

TEST_F(GuestFrames, DonePassesTheResultOnAsItsBytes) {
  EXPECT_EQ(expect<DoneFrame>(done("null")).result_json, "null");
  EXPECT_EQ(expect<DoneFrame>(done(R"({"a":[1.0, 2e3,"\u00e9"]})")).result_json, R"({"a":[1.0, 2e3,"\u00e9"]})");
  EXPECT_EQ(expect<DoneFrame>(R"( { "result" : [ ] , "frame" : "done" } )").result_json, "[ ]");
}

TEST_F(GuestFrames, DoneNeedsAResultAndNothingElse) {
  refuse(R"({"frame":"done"})", "without a result");
  refuse(R"({"frame":"done","result":1,"extra":2})", "without a result");
  refuse(R"({"frame":"done","value":1})", "without a result");
}

// A key with escapes could make two readers disagree on which member is the result.
TEST_F(GuestFrames, DoneRefusesEscapedKeys) {
  refuse(R"({"frame":"done","res\u0075lt":1})");
  refuse(R"({"fr\u0061me":"done","result":1})");
}

TEST_F(GuestFrames, DoneAllowsAnyKeyAsData) {
  const std::string data = R"({"__proto__":{"polluted":true},"constructor":1,"toString":2,"":3,"frame":"log"})";
  EXPECT_EQ(expect<DoneFrame>(done(data)).result_json, data);
}

// ---- text

TEST_F(GuestFrames, RefusesWhatIsNotUtf8) {
  for (const std::string& bytes :
       {"\xff"s, "\xc0\x80"s, "\xc1\xbf"s, "\xe0\x80\x80"s, "\xf0\x80\x80\x80"s, "\x80"s, "\xc3"s, "\xed\xa0\x80"s,
        "\xed\xbf\xbf"s, "\xf4\x90\x80\x80"s, "\xf8\x88\x80\x80\x80"s}) {
    refuse(log_line(bytes));
    refuse(done("\"" + bytes + "\""));
    refuse(done("{\"" + bytes + "\":1}"));
  }
}

TEST_F(GuestFrames, RefusesLoneSurrogatesInEscapes) {
  refuse(log_line(R"(\ud800)"));
  refuse(log_line(R"(\udc00)"));
  refuse(log_line(R"(\ud800\ud800)"));
  refuse(done(R"(["\udfff"])"));
  EXPECT_EQ(expect<LogFrame>(log_line(R"(\ud83d\ude00)")).text, "\xf0\x9f\x98\x80");
}

TEST_F(GuestFrames, RefusesRawControlCharactersInText) {
  refuse(log_line("a\nb"));
  refuse(log_line("a\0b"s));
  refuse(done("\"\x01\""));
}

TEST_F(GuestFrames, RefusesANulAfterTheFrame) {
  refuse(done("1") + "\0"s);
}

TEST_F(GuestFrames, KeepsAnEscapedNul) {
  EXPECT_EQ(expect<LogFrame>(log_line(R"(a\u0000b)")).text, "a\0b"s);
}

// ---- structure

TEST_F(GuestFrames, RefusesRepeatedKeys) {
  refuse(R"({"frame":"done","result":1,"result":2})", "repeated key");
  refuse(R"({"frame":"log","frame":"done","result":1})", "repeated key");
  refuse(done(R"({"a":1,"a":1})"), "repeated key");
  refuse(done(R"([[{"x":{"b":1,"c":2,"b":3}}]])"), "repeated key");
  refuse(done(R"({"a":1,"\u0061":2})"), "repeated key");
}

TEST_F(GuestFrames, RefusesARepeatedKeyAmongMany) {
  std::string members;
  for (int i = 0; i < 1000; ++i) members += "\"k" + std::to_string(i) + "\":0,";
  EXPECT_EQ(expect<DoneFrame>(done("{" + members + "\"last\":1}")).result_json, "{" + members + "\"last\":1}");
  refuse(done("{" + members + "\"k0\":1}"), "repeated key");
  refuse(done("{" + members + "\"k999\":1}"), "repeated key");
}

// Junk beside the fields of a frame, as many members as fit: refused at the first one too many.
TEST_F(GuestFrames, RefusesManyFields) {
  std::string junk;
  for (int i = 0; i < 90'000; ++i) junk += ",\"" + std::to_string(100'000 + i) + "\":0";
  refuse(R"({"frame":"call","id":1,"op":"sleep","args":{"until":1})" + junk + "}", "too many members");
  refuse(R"({"frame":"done","result":1)" + junk + "}", "too many members");
}

TEST_F(GuestFrames, TellsKeysApartThatDifferInOneByte) {
  EXPECT_EQ(expect<DoneFrame>(done(R"({"a":1,"A":2,"a ":3})")).result_json, R"({"a":1,"A":2,"a ":3})");
}

TEST_F(GuestFrames, BoundsTheDepth) {
  const std::string deepest = nested(wire::kMaxValueDepth);
  EXPECT_EQ(expect<DoneFrame>(done(deepest)).result_json, deepest);
  refuse(done(nested(wire::kMaxFrameDepth + 1)));
  refuse(done(nested(100'000)));
  refuse(std::string(100'000, '['));
  std::string objects;
  for (int i = 0; i < 100'000; ++i) objects += R"({"a":)";
  refuse(done(objects));
}

// A parsed frame takes many times its size, and only the last one may be large.
TEST_F(GuestFrames, TakesALargeFrameOnlyForAResult) {
  const std::string spaces(kMaxSmallPayloadBytes, ' ');
  refuse(R"({"frame":"log","level":"log","text":"x")" + spaces + "}", "too large for its kind");
  refuse(R"({"frame":"call","id":1,"op":"sleep","args":{"until":1},"more":")" + spaces + "\"}",
         "too large for its kind");
  const std::string large = "\"" + spaces + "\"";
  EXPECT_EQ(expect<DoneFrame>(done(large)).result_json, large);
}

// What follows in the stream is not part of the frame, whatever it contains.
TEST_F(GuestFrames, ReadsNothingIntoAFrameFromTheNext) {
  for (const std::string& cut : {R"({"frame":"done","result":1)"s, R"({"frame":"done","result":"a)"s,
                                 R"({"frame":"done","result":tr)"s, R"({"frame":"done","result":1})"s}) {
    wire::FrameReader reader(1000);
    const std::string stream = wire::make_frame(cut) + R"(23ue","x":1}}}}}}})";
    reader.append(stream);
    std::string_view payload;
    ASSERT_EQ(reader.next(payload), wire::FrameReader::State::kFrame);
    auto frame = parser_.parse(payload);
    ASSERT_EQ(frame.ok(), cut.ends_with('}')) << cut;
    if (frame.ok()) {
      EXPECT_EQ(std::get<DoneFrame>(*frame).result_json, "1");
    }
  }
}

TEST_F(GuestFrames, RefusesNumbersBeyondADouble) {
  refuse(done("1e400"));
  refuse(done("-1e400"));
  refuse(done("[1, 2, 123456789e999]"));
  refuse(done("01"));
  refuse(done("+1"));
  refuse(done("NaN"));
  refuse(done("Infinity"));
  EXPECT_EQ(expect<DoneFrame>(done("1e308")).result_json, "1e308");
}

TEST_F(GuestFrames, RefusesWhatIsNotOneObject) {
  for (const char* payload :
       {" ", "1", "null", "[]", R"(["frame","done"])", "\"done\"", "{", "}", "{}}", "{}{}", "{} {}",
        R"({"frame":"done","result":1}{"frame":"done","result":2})", R"({"frame":"done","result":})"}) {
    refuse(payload);
  }
}

TEST_F(GuestFrames, RefusesUnknownKinds) {
  refuse(R"({"frame":"exec","cmd":"ls"})", "unknown kind");
  refuse(R"({"frame":"run","code":"1"})", "unknown kind");
  refuse(R"({"frame":"reply","id":1})", "unknown kind");
  refuse(R"({"frame":"DONE","result":1})", "unknown kind");
  refuse(R"({"frame":""})", "unknown kind");
  refuse(R"({"result":1})", "without its kind");
  refuse(R"({"frame":1,"result":1})", "without its kind");
  refuse(R"({"frame":["done"],"result":1})", "without its kind");
  refuse(R"({"frame":")" + std::string(1000, 'd') + R"("})", "without its kind");
}

// ---- log

TEST_F(GuestFrames, LogHasALevelAndAText) {
  const auto frame = expect<LogFrame>(R"({"frame":"log","level":"warn","text":"a \"b\""})");
  EXPECT_EQ(frame.level, LogLevel::kWarn);
  EXPECT_EQ(frame.text, "a \"b\"");
  EXPECT_EQ(expect<LogFrame>(R"({"frame":"log","level":"debug","text":""})").level, LogLevel::kDebug);
  EXPECT_EQ(expect<LogFrame>(R"({"frame":"log","level":"info","text":""})").level, LogLevel::kInfo);
  EXPECT_EQ(expect<LogFrame>(R"({"frame":"log","level":"error","text":""})").level, LogLevel::kError);
}

TEST_F(GuestFrames, LogRefusesWhatIsMissingOrWrong) {
  refuse(R"({"frame":"log","text":"x"})");
  refuse(R"({"frame":"log","level":"log"})");
  refuse(R"({"frame":"log","level":"fatal","text":"x"})", "unknown log level");
  refuse(R"({"frame":"log","level":1,"text":"x"})");
  refuse(R"({"frame":"log","level":"log","text":["x"]})");
}

TEST_F(GuestFrames, LogBoundsItsText) {
  const std::string longest(wire::kMaxLogLineBytes, 'x');
  EXPECT_EQ(expect<LogFrame>(log_line(longest)).text.size(), wire::kMaxLogLineBytes);
  refuse(log_line(longest + "x"));
}

// ---- call

TEST_F(GuestFrames, CallCarriesItsArguments) {
  const auto call = expect<calls::Call>(
      R"({"frame":"call","id":7,"op":"fs.write","body":12,"args":{"path":"a\"b","n":1.5,"yes":true,"list":["x",)"
      R"("y"],"pairs":[["k","v"]]}})");
  EXPECT_EQ(call.id, 7u);
  EXPECT_EQ(call.op, "fs.write");
  EXPECT_EQ(call.body_bytes, 12u);
  EXPECT_EQ(call.arguments.text("path"), "a\"b");
  EXPECT_EQ(call.arguments.number("n"), 1.5);
  EXPECT_FALSE(call.arguments.text("n"));
  EXPECT_FALSE(call.arguments.text("absent"));
  EXPECT_TRUE(call.arguments.flag("yes"));
  EXPECT_FALSE(call.arguments.flag("path"));
  EXPECT_EQ(call.arguments.texts("list"), (std::vector<std::string>{"x", "y"}));
  EXPECT_FALSE(call.arguments.texts("pairs")) << "not texts";
  EXPECT_EQ(call.arguments.text_pairs("pairs"), (std::vector<std::pair<std::string, std::string>>{{"k", "v"}}));
  EXPECT_FALSE(call.arguments.text_pairs("list")) << "not pairs";
}

TEST_F(GuestFrames, CallRefusesAnImpossibleNumberOfBytes) {
  refuse(R"({"frame":"call","id":1,"op":"fs.write","args":{},"body":-1})", "number of bytes");
  refuse(R"({"frame":"call","id":1,"op":"fs.write","args":{},"body":9223372036854775807})", "number of bytes");
}

TEST_F(GuestFrames, DataBelongsToACall) {
  std::string payload(wire::kDataHeaderBytes, '\0');
  payload[1] = 9;
  refuse(payload, "bytes without a header");
  refuse(std::string(3, '\0'), "bytes without a header");
  const auto piece = expect<wire::DataPiece>(payload + "abc");
  EXPECT_EQ(piece.call_id, 9u);
  refuse(payload + std::string(wire::kMaxDataBytes + 1, 'x'), "too many");
}

TEST_F(GuestFrames, CallRefusesImproperIds) {
  for (const char* id :
       {"0", "-1", "1.5", "\"1\"", "null", "9007199254740993", "9223372036854775808", "1e3", "true", "[1]"}) {
    refuse(std::string(R"({"frame":"call","id":)") + id + R"(,"op":"sleep","args":{"until":1}})", "id");
  }
  refuse(R"({"frame":"call","op":"sleep","args":{"until":1}})", "id");
  EXPECT_EQ(expect<calls::Call>(R"({"frame":"call","id":9007199254740992,"op":"sleep","args":{"until":1}})").id,
            9007199254740992u);
}

TEST_F(GuestFrames, CallNeedsAnOpAndArguments) {
  refuse(R"({"frame":"call","id":1,"op":"sleep"})", "without arguments");
  refuse(R"({"frame":"call","id":1,"op":"sleep","args":[1]})", "without arguments");
  refuse(R"({"frame":"call","id":1,"op":")" + std::string(65, 'x') + R"(","args":{}})", "without an op");
  refuse(R"({"frame":"call","id":1,"args":{"until":1}})", "without an op");
}

// ---- fail

std::string fail(const std::string& type, const std::string& code, const std::string& rest = "") {
  return R"({"frame":"fail","type":")" + type + R"(","code":")" + code + R"(","message":"m","stack":"s")" + rest + "}";
}

TEST_F(GuestFrames, FailCarriesTheError) {
  const auto frame = expect<FailFrame>(fail("RuntimeError", "RUNTIME_ERROR", R"(,"line":3,"column":14)"));
  EXPECT_EQ(frame.error.type, ErrorType::kRuntimeError);
  EXPECT_EQ(frame.error.code.text(), "RUNTIME_ERROR");
  EXPECT_EQ(frame.error.message, "m");
  EXPECT_EQ(frame.error.stack, "s");
  ASSERT_TRUE(frame.error.position);
  EXPECT_EQ(frame.error.position->line, 3);
  EXPECT_EQ(frame.error.position->column, 14);
  EXPECT_FALSE(expect<FailFrame>(fail("SyntaxError", "SYNTAX_ERROR")).error.position);
}

// Only the gateway knows of timeouts and crashes: a guest cannot claim them.
TEST_F(GuestFrames, FailSpeaksOnlyForTheGuest) {
  for (const char* type :
       {"SyntaxError", "RuntimeError", "MemoryError", "PermissionError", "LimitError", "ToolError"}) {
    EXPECT_EQ(name_of(expect<FailFrame>(fail(type, "X")).error.type), type);
  }
  for (const char* type : {"TimeoutError", "SandboxError", "Error", "", "runtimeerror"}) {
    refuse(fail(type, "X"), "unknown error type");
  }
}

TEST_F(GuestFrames, FailMayNameATool) {
  const auto with_tool = [](const std::string& name) {
    return R"({"frame":"fail","type":"ToolError","code":"X","message":"m","stack":"s","toolName":)" + name + "}";
  };
  EXPECT_EQ(expect<FailFrame>(with_tool(R"("a.b")")).error.tool_name, "a.b");
  EXPECT_EQ(expect<FailFrame>(fail("ToolError", "X")).error.tool_name, "");
  refuse(with_tool("1"), "a tool without a proper name");
  refuse(with_tool('"' + std::string(wire::kMaxToolNameBytes + 1, 'x') + '"'), "a tool without a proper name");
}

TEST_F(GuestFrames, ACallKeepsItsArgumentsAsTheyCame) {
  const calls::Call call = expect<calls::Call>(R"({"frame":"call","id":1,"op":"tool","args":{ "a" : 1.0 }})");
  EXPECT_EQ(call.arguments_json, R"({ "a" : 1.0 })");
  refuse(R"({"frame":"call","id":1,"op":"tool","\u0061rgs":{}})", "an escape in a key");
}

TEST_F(GuestFrames, FailNeedsACodeThatIsAWord) {
  EXPECT_EQ(expect<FailFrame>(fail("RuntimeError", "A_1")).error.code.text(), "A_1");
  for (const std::string& code : {""s, "lower"s, "A B"s, "A-B"s, "A\\n"s, "\xc3\x84"s, std::string(65, 'A')}) {
    refuse(fail("RuntimeError", code));
  }
}

TEST_F(GuestFrames, FailNeedsAllItsFields) {
  refuse(R"({"frame":"fail","code":"X","message":"m","stack":"s"})");
  refuse(R"({"frame":"fail","type":"RuntimeError","message":"m","stack":"s"})");
  refuse(R"({"frame":"fail","type":"RuntimeError","code":"X","stack":"s"})");
  refuse(R"({"frame":"fail","type":"RuntimeError","code":"X","message":"m"})");
  refuse(R"({"frame":"fail","type":"RuntimeError","code":"X","message":{},"stack":"s"})");
}

TEST_F(GuestFrames, FailBoundsItsTexts) {
  const auto with_message = [](std::size_t size) {
    return R"({"frame":"fail","type":"RuntimeError","code":"X","stack":"","message":")" + std::string(size, 'm') +
           "\"}";
  };
  EXPECT_EQ(expect<FailFrame>(with_message(wire::kMaxErrorTextBytes)).error.message.size(), wire::kMaxErrorTextBytes);
  refuse(with_message(wire::kMaxErrorTextBytes + 1));
}

TEST_F(GuestFrames, FailRefusesImpossiblePositions) {
  for (const char* position : {R"(,"line":0,"column":1)", R"(,"line":-1,"column":1)", R"(,"line":1,"column":-1)",
                               R"(,"line":2147483648,"column":1)", R"(,"line":1,"column":99999999999)"}) {
    refuse(fail("RuntimeError", "X", position), "position");
  }
}

}  // namespace
}  // namespace glovebox::broker
