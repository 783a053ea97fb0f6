#include "privacy/secrets/codes_in_other_scripts.h"

#include <algorithm>

#include "privacy/characters.h"
#include "privacy/rules/folded_word.h"
#include "privacy/secrets/code_values.h"
#include "privacy/secrets/trigrams.h"

namespace glovebox::privacy {
namespace {

// Chinese, Japanese, Korean, Russian, Ukrainian, Greek, Arabic, Hebrew, Hindi, Thai.
constexpr std::string_view kCodesOfScripts[] = {"验证码",
                                                "驗證碼",
                                                "校验码",
                                                "动态码",
                                                "动态密码",
                                                "确认码",
                                                "授权码",
                                                "取件码",
                                                "支付密码",
                                                "認証コード",
                                                "確認コード",
                                                "認証番号",
                                                "暗証番号",
                                                "ワンタイム",
                                                "セキュリティコード",
                                                "인증번호",
                                                "인증 번호",
                                                "인증코드",
                                                "비밀번호",
                                                "보안코드",
                                                "핀번호",
                                                "код подтверждения",
                                                "ваш код",
                                                "код доступа",
                                                "код для входа",
                                                "код из смс",
                                                "код безопасности",
                                                "пин-код",
                                                "пинкод",
                                                "пин код",
                                                "пин:",
                                                "код підтвердження",
                                                "κωδικός επαλήθευσης",
                                                "κωδικος επαληθευσης",
                                                "رمز التحقق",
                                                "رمز التأكيد",
                                                "كود التحقق",
                                                "الرقم السري",
                                                "קוד אימות",
                                                "קוד האימות",
                                                "קוד הכניסה",
                                                "ओटीपी",
                                                "सत्यापन कोड",
                                                "रหัส otp",
                                                "รหัสยืนยัน",
                                                "รหัส otp"};

constexpr Trigrams kBeginnings = [] {
  Trigrams bits{};
  for (const std::string_view name : kCodesOfScripts) add_trigram(bits, name);
  return bits;
}();

std::uint64_t beginning(const char* c) {
  return 1ull << trigram(c) % 64;
}

// Which names may be in the text, by their first three bytes: to search for each of them takes long.
std::uint64_t beginnings_in(std::string_view text) {
  std::uint64_t found = 0;
  for (std::size_t i = 0; i + 3 <= text.size(); ++i)
    if (has_trigram(kBeginnings, text.data() + i)) found |= beginning(text.data() + i);
  return found;
}

// Of a code whose digits begin at `digits`: G-482913.
std::size_t with_prefix(std::string_view text, std::size_t digits) {
  const auto is_capital = [](char c) { return c >= 'A' && c <= 'Z'; };
  std::size_t begin = digits;
  if (before(text, begin) == '-' && is_capital(before(text, begin - 1)))
    for (--begin; digits - begin < 4 && is_capital(before(text, begin));) --begin;
  return begin;
}

}  // namespace

bool is_next_to_other_script(std::string_view text, std::size_t begin, std::size_t end) {
  if ((privacy::at(text, end) & 0x80) != 0 || (privacy::at(text, end) == ' ' && (privacy::at(text, end + 1) & 0x80)))
    return true;
  begin = with_prefix(text, begin);
  std::size_t at = begin;
  while (at > 0 && begin - at < 3 && std::string_view(" :[(\"'-").find(text[at - 1]) != std::string_view::npos) --at;
  return (before(text, at) & 0x80) != 0;
}

std::optional<Finding> find_code_in_other_script(std::string_view text, std::size_t begin, std::size_t end) {
  constexpr std::size_t kBefore = 54, kBehind = 40;
  begin = with_prefix(text, begin);
  const std::size_t lowest = begin - std::min(begin, kBefore);
  std::string_view near = text.substr(lowest, begin - lowest);
  near.remove_prefix(near.rfind('\n') + 1);
  const FoldedWord folded_before(near);
  const std::string_view behind = text.substr(end, std::min(text.substr(end, kBehind).find('\n'), kBehind));
  const std::uint64_t beginnings = beginnings_in(folded_before.view()) | beginnings_in(behind);
  for (const std::string_view name : kCodesOfScripts) {
    if ((beginnings & beginning(name.data())) == 0) continue;
    if (folded_before.view().find(name) == std::string_view::npos && behind.find(name) == std::string_view::npos)
      continue;
    const std::size_t last = code_end(text, begin, CodeForm());
    if (last == begin) return std::nullopt;
    return Finding{Entity::kSecret, begin, last, 0.7, "code"};
  }
  return std::nullopt;
}

}  // namespace glovebox::privacy
