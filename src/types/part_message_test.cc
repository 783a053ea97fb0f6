#include "types/part_message.h"

#include <gtest/gtest.h>

namespace glovebox::types {
namespace {

TEST(PartMessage, AQuestionArrivesAsItWasSent) {
  PartQuestion question;
  question.kind = PartKind::kPython;
  question.indent = 2;
  question.prefix = "_s_t";
  question.input_schema = R"({"type":"object"})";
  question.output_schema = std::string_view("\0\xff", 2);
  question.taken = {"", "_s_t_A"};
  const std::string bytes = encode(question);
  const auto read = decode_question(bytes);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->kind, question.kind);
  EXPECT_EQ(read->indent, question.indent);
  EXPECT_EQ(read->prefix, question.prefix);
  EXPECT_EQ(read->input_schema, question.input_schema);
  EXPECT_EQ(read->output_schema, question.output_schema);
  EXPECT_EQ(read->taken, question.taken);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const auto cut = decode_question(std::string_view(bytes).substr(0, size));
    if (cut) EXPECT_LT(cut->taken.size(), 2u) << size;  // only whole names may be missing
  }
}

TEST(PartMessage, APartArrivesAsItWasSent) {
  const Part part{{"(self) -> Any", "(self, *) -> Any"}, "class …"};
  const std::string bytes = encode(part);
  const auto read = decode_part(bytes);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->signatures, part.signatures);
  EXPECT_EQ(read->types, part.types);
}

TEST(PartMessage, OtherBytesAreNoPart) {
  const std::string sound = encode(Part{{"a"}, "b"});
  EXPECT_TRUE(decode_part(sound));
  for (std::size_t size = 0; size < sound.size(); ++size) EXPECT_FALSE(decode_part(sound.substr(0, size))) << size;
  EXPECT_FALSE(decode_part(sound + "x"));
  EXPECT_FALSE(decode_part(encode(Part{{"a", "b", "c"}, ""}))) << "three signatures";
  EXPECT_FALSE(decode_part(encode(Part{{}, "only types"})));
  EXPECT_FALSE(decode_part(std::string("\xff\xff\xff\xff", 4)));
}

}  // namespace
}  // namespace glovebox::types
