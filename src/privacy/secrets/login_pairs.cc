#include "privacy/secrets/login_pairs.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>

#include "privacy/characters.h"
#include "privacy/secrets/plain_words.h"
#include "privacy/secrets/secret_values.h"
#include "privacy/secrets/stating_verbs.h"

namespace glovebox::privacy {
namespace {

constexpr std::size_t kLongestLogin = 64;

constexpr std::string_view kLogins = " login logins user username creds credentials zugangsdaten benutzer wifi wlan ";
// Of which the password may follow under a name of its own.
constexpr std::string_view kUsers =
    " user username login benutzer benutzername nutzer utilisateur identifiant usuario utente gebruiker "
    "gebruikersnaam uzytkownik kullanici bruker brukernavn anvandare anvandarnamn usuari ";
// "log in with", "melde dich mit … an".
constexpr std::string_view kActions =
    " log login logon sign melde anmelden anmeldung einloggen connecte connectez connecter connexion entra entrar "
    "entre "
    "accede acceder accedi acceda acesse zaloguj logga inloggen connect ";
constexpr std::string_view kWith[] = {" with ", " as ",  " using ", " mit ", " als ", " avec ", " con ",
                                      " como ", " com ", " met ",   " z ",   " med ", " som "};

bool is_of_login(char c) {
  return is_of_key(c) || c == '@' || c == '\\';
}
std::size_t login_end(std::string_view text, std::size_t begin) {
  std::size_t end = begin;
  while (end - begin < kLongestLogin && is_of_login(at(text, end))) ++end;
  return end;
}

// "bob / …", where `login` is where the name may begin.
std::optional<Finding> find_behind_slash(std::string_view text, std::size_t login) {
  std::size_t slash = login_end(text, login);
  if (slash == login) return std::nullopt;
  const bool spaced = at(text, slash) == ' ';
  slash += spaced;
  if (at(text, slash) != '/' && at(text, slash) != '|') return std::nullopt;
  std::size_t begin = slash + 1;
  if (spaced != (at(text, begin) == ' ')) return std::nullopt;
  begin += spaced;
  if (auto found = secret_at(text, begin, '\0', Named::kInSentence, Around::kWords)) return found;
  auto found = spaced ? secret_at(text, begin, '\0', Named::kInSentence) : std::nullopt;
  const auto value = found ? text.substr(begin, found->end - begin) : std::string_view();
  return std::all_of(value.begin(), value.end(), is_word) ? found : std::nullopt;
}

// Past "is", quotes and what assigns: where a value may begin.
std::size_t past_signs(std::string_view text, std::size_t end) {
  std::size_t begin = end;
  for (const std::string_view verb : {" is ", " are ", " sind "})
    if (text.substr(end, verb.size()) == verb) begin += verb.size();
  while (begin - end < 6 &&
         (is_quote(at(text, begin)) || at(text, begin) == ':' || at(text, begin) == '=' || at(text, begin) == ' '))
    ++begin;
  return begin;
}

// "bob, pass …", where `login` is where the name begins.
std::optional<Finding> find_behind_login(std::string_view text, std::size_t login) {
  constexpr std::string_view kNoNames =
      " and or und oder et ou y e en i ve o is has was are can the with for id field input does must may not of in on "
      "password passwd pass pwd ";
  constexpr std::string_view kBetween[] = {", ",     "; ",    "\n",     "\r\n",  " / ",   " | ", " and ",
                                           " und ",  " et ",  " y ",    " e ",   " en ",  " i ", " ve ",
                                           " with ", " mit ", " avec ", " con ", " com ", ",",   " "};
  constexpr std::string_view kArticles[] = {"the ", "a ", "la ", "le ", "das ", "het ", "o "};
  const std::size_t last = login_end(text, login);
  if (last == login || is_one_of(kNoNames, text.substr(login, last - login))) return std::nullopt;
  std::size_t name = last;
  while (is_quote(at(text, name))) ++name;
  const std::size_t before_between = name;
  for (const std::string_view between : kBetween) {
    if (name != before_between || text.substr(name, between.size()) != between) continue;
    name += between.size();
  }
  if (name == before_between) return std::nullopt;
  while (name - before_between < 8 && at(text, name) == ' ') ++name;
  for (const std::string_view article : kArticles)
    if (text.substr(name, article.size()) == article) name += article.size();
  std::size_t name_end = name;
  while (name_end - name < 24 && is_of_key(at(text, name_end))) ++name_end;
  if (text.substr(name, 12) == "mot de passe") name_end = name + 12;
  const PlainKey key(text.substr(name, name_end - name));
  if (name_end == name || (!is_password_key(key) && key.view() != "clave" && key.view() != "pw")) return std::nullopt;
  std::size_t begin = past_signs(text, name_end);
  begin = after_verb(text, begin);
  if (begin == name_end) return std::nullopt;
  const Quoted value = quoted_at(text, begin);
  if (auto found = secret_at(value.text, value.begin, value.quote, Named::kInSentence)) return found;
  return word_of_pair_at(value.text, value.begin);
}

// admin, j.doe, svc_backup: nothing that one logs in with, such as Google.
bool is_usual_login(std::string_view login) {
  constexpr std::string_view kUsual = " admin root test guest demo user administrator ";
  return is_one_of(kUsual, login) || !std::all_of(login.begin(), login.end(), is_letter);
}

// "log in with bob / …"
std::optional<Finding> find_behind_action(std::string_view text, std::size_t end) {
  constexpr std::size_t kFarthest = 24;
  constexpr std::string_view kServices = " oauth oauth2 openid saml2 auth0 web3 webauthn fido2 o365 github google ";
  for (std::size_t i = end; i - end < kFarthest && (is_of_key(at(text, i)) || at(text, i) == ' '); ++i) {
    if (text[i] != ' ') continue;
    for (const std::string_view with : kWith) {
      if (text.substr(i, with.size()) != with) continue;
      const std::size_t login = i + with.size();
      const std::size_t slash = login_end(text, login);
      const bool colon = at(text, slash) == ':' && slash > login;
      if (auto named = find_behind_login(text, login)) return named;
      auto found = colon ? secret_at(text, slash + 1, '\0', Named::kInSentence) : find_behind_slash(text, login);
      if (!found && text.substr(slash, 3) == " / ") {
        found = secret_at(text, slash + 3, '\0', Named::kInSentence);
        if (!found && is_usual_login(text.substr(login, slash - login))) found = word_of_pair_at(text, slash + 3);
      }
      if (found && is_one_of(kServices, text.substr(found->begin, found->end - found->begin))) return std::nullopt;
      return found;
    }
  }
  return std::nullopt;
}

// "user bob, pass …", "Usuario: bob\nclave: …"
std::optional<Finding> find_behind_user(std::string_view text, std::size_t end) {
  for (const std::string_view tail : {" name", " adı", " ID"})
    if (text.substr(end, tail.size()) == tail) end += tail.size();
  const std::size_t login = past_signs(text, end);
  return login == end ? std::nullopt : find_behind_login(text, login);
}

constexpr std::uint32_t kLoginBegins = [] {
  std::uint32_t bits = 0;
  for (const std::string_view names : {kLogins, kUsers, kActions})
    for (std::size_t i = 0; i + 1 < names.size(); ++i)
      if (names[i] == ' ') bits |= 1u << (names[i + 1] & 31);
  return bits;
}();

}  // namespace

bool may_name_login(char first) {
  return (kLoginBegins >> (first & 31) & 1) != 0;
}

bool is_login_name(const PlainKey& name) {
  return is_one_of(kLogins, name.view());
}

std::optional<Finding> find_login_pair(std::string_view text, std::size_t begin, std::size_t end) {
  if (begin >= 3 && text.substr(begin - 2, 2) == "\xc5\xbc" && (text[begin - 3] | 0x20) == 'u')
    begin -= 3;  // użytkownik
  if (!may_name_login(text[begin])) return std::nullopt;
  const FoldedWord word(text.substr(begin, end - begin));
  if (is_one_of(kLogins, word.view())) {
    const std::size_t login = past_signs(text, end);
    const std::size_t colon = login_end(text, login);
    if (word.view().starts_with("cred") && login > end && colon > login && at(text, colon) == ':')
      return secret_at(text, colon + 1, '\0', Named::kInSentence);
    if (login > end)
      if (auto found = find_behind_slash(text, login)) return found;
  }
  if (is_one_of(kUsers, word.view()))
    if (auto found = find_behind_user(text, end)) return found;
  const std::string_view action = word.view().substr(0, word.view().find('-'));  // connecte-toi
  return is_one_of(kActions, action) ? find_behind_action(text, end) : std::nullopt;
}

}  // namespace glovebox::privacy
