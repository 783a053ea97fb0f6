#include "search/text/language.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

namespace glovebox::search {
namespace {

struct Script {
  std::uint32_t first;
  std::uint32_t last;
  std::string_view language;
};
constexpr auto kScripts = std::to_array<Script>({{0x0370, 0x03ff, "Greek"},
                                                 {0x0400, 0x052f, "Russian or a language that is written like it"},
                                                 {0x0590, 0x05ff, "Hebrew"},
                                                 {0x0600, 0x06ff, "Arabic or a language that is written like it"},
                                                 {0x0900, 0x097f, "Hindi or a language that is written like it"},
                                                 {0x0e00, 0x0e7f, "Thai"},
                                                 {0x3040, 0x30ff, "Japanese"},
                                                 {0xac00, 0xd7af, "Korean"},
                                                 {0x4e00, 0x9fff, "Chinese"}});

// Small words that every other sentence has; without those that would confuse it with another language.
struct SmallWords {
  std::string_view language;
  std::string_view words;  // with a space before and after each
};
constexpr std::string_view kEnglish =
    " the a an of to and in is are my for with on me all what how i it this that from please which who by at ";
constexpr auto kLanguages = std::to_array<SmallWords>(
    {{"German", " der die das und ist nicht ich ein eine einen mit für auf wie zu den dem von bitte mir alle zum zur "},
     {"French", " le la les des une est pas je avec pour dans sur mon mes quel quelle et du au un "},
     {"Spanish", " el los las una es por para con mi cómo como que del en y un al cuál "},
     {"Italian", " il lo gli una per con mio che di come è sono della del le un "},
     {"Portuguese", " o os as uma não para com meu minha como que do da em um "},
     {"Dutch", " de het een en niet ik met voor van naar hoe mijn alle "},
     {"Polish", " w na z nie jest do się jak mój moje i oraz "},
     {"Swedish", " och att en ett är för med på min hur till alla "},
     {"Danish or Norwegian", " og at en et er for med på min hvordan til alle "},
     {"Turkish", " ve bir için bu ne nasıl ile tüm "},
     {"Indonesian", " dan yang untuk dengan apa saya bisakah anda di ke "}});

// Decodes leniently: invalid bytes are not detected.
template <typename Take>
void each_character(std::string_view text, Take take) {
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const std::size_t size = byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
    std::uint32_t code = size == 1 ? byte : byte & (0x7fu >> size);
    for (std::size_t k = 1; k < size && i + k < text.size(); ++k)
      code = code << 6 | (static_cast<unsigned char>(text[i + k]) & 63u);
    take(code);
    i += size;
  }
}

std::string_view language_of_script(std::string_view text) {
  std::array<std::size_t, kScripts.size()> counts{};
  std::size_t letters = 0;
  each_character(text, [&](std::uint32_t code) {
    const bool ascii = (code | 0x20) >= 'a' && (code | 0x20) <= 'z';
    letters += ascii || code >= 0xc0;
    for (std::size_t i = 0; i < kScripts.size(); ++i)
      counts[i] += code >= kScripts[i].first && code <= kScripts[i].last;
  });
  // Japanese has Chinese characters too, and its own between them.
  constexpr std::size_t kJapanese = 6;
  if (counts[kJapanese] > 0) counts[kJapanese] += counts.back();
  const auto most = std::max_element(counts.begin(), counts.end());
  return *most * 2 > letters ? kScripts[static_cast<std::size_t>(most - counts.begin())].language : "";
}

std::size_t small_words(std::string_view text, std::string_view words) {
  std::size_t count = 0;
  std::string word = " ";
  const auto end_word = [&] {
    word += ' ';
    count += word.size() > 2 && words.find(word) != std::string_view::npos;
    word = " ";
  };
  for (const char c : text) {
    const bool is_letter = static_cast<unsigned char>(c) >= 0x80 || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
    if (is_letter) {
      word += c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    } else {
      end_word();
    }
  }
  end_word();
  return count;
}

}  // namespace

std::string_view foreign_language(std::string_view text) {
  if (const std::string_view language = language_of_script(text); !language.empty()) return language;
  std::string_view likely;
  std::size_t most = 0;
  for (const SmallWords& one : kLanguages) {
    const std::size_t count = small_words(text, one.words);
    if (count > most) {
      most = count;
      likely = one.language;
    }
  }
  const bool has_accents = std::any_of(text.begin(), text.end(), [](char c) { return (c & 0x80) != 0; });
  const std::size_t english = small_words(text, kEnglish);
  return most > english && (most >= 2 || (has_accents && english == 0)) ? likely : "";
}

}  // namespace glovebox::search
