#include "privacy/detector.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <random>

#include "privacy/rules/checksums.h"
#include "privacy/secrets/secret_names.h"

namespace glovebox::privacy {
namespace {

// "EMAIL_ADDRESS:bob@example.com PHONE_NUMBER:…", in the order of the text.
std::string found(std::string_view text, const Detector& detector = Detector()) {
  std::string all;
  for (const Finding& finding : detector.scan(text)) {
    if (!all.empty()) all += " | ";
    all += std::string(entity_name(finding.entity));
    if (!finding.kind.empty()) all += "(" + std::string(finding.kind) + ")";
    all += ":" + std::string(text.substr(finding.begin, finding.end - finding.begin));
  }
  return all;
}

TEST(Detector, FindsMail) {
  EXPECT_EQ(found("write to bob.o'neil+x@mail.example.co.uk."), "EMAIL_ADDRESS:bob.o'neil+x@mail.example.co.uk");
  EXPECT_EQ(found("<a@b.io>,'c@d.org'"), "EMAIL_ADDRESS:a@b.io | EMAIL_ADDRESS:c@d.org");
  EXPECT_EQ(found(R"({"to":"jürgen@müller.de"})"), "EMAIL_ADDRESS:jürgen@müller.de");
  EXPECT_EQ(found("mailto:x@y.com?subject=1"), "EMAIL_ADDRESS:x@y.com");
  EXPECT_EQ(found("ask bob (at) example.com or"), "EMAIL_ADDRESS:bob (at) example.com");
  EXPECT_EQ(found("ask bob at example dot com or"), "EMAIL_ADDRESS:bob at example dot com");
  EXPECT_EQ(found("user!x@example.com"), "EMAIL_ADDRESS:user!x@example.com");
  for (const char* text : {"a@b", "@handle", "meet bob at example.com", "look at dot com", "icon@2x.png",
                           "lodash@4.17.21", "git@github.com:o/r.git", "a@.com", "x @ y.com"})
    EXPECT_EQ(found(text), "") << text;
}

// Where nothing else is likely: between the ends of a field, after a word for mail, or with a name that is no word.
TEST(Detector, FindsMailThatIsSpacedOrSpelledWhereItIsOne) {
  for (const char* address : {"bob @ example.com", "bob@ example.com", "bob @example.com", "bob_at_example.com",
                              "bob_at_example_dot_com", "BOB AT EXAMPLE.COM", "bob.miller7 @ mail.example.co.uk"}) {
    const std::string one = "EMAIL_ADDRESS:" + std::string(address);
    EXPECT_EQ(found(address), one);
    EXPECT_EQ(found("{\"who\":\"" + std::string(address) + "\"}"), one);
    EXPECT_EQ(found("please mail " + std::string(address) + " soon"), one);
  }
  EXPECT_EQ(found("ask b.miller @ example.com or"), "EMAIL_ADDRESS:b.miller @ example.com");
  EXPECT_EQ(found("E-mail: bob at example.com"), "EMAIL_ADDRESS:bob at example.com");
  EXPECT_EQ(found("CALL OR MAIL BOB AT EXAMPLE.COM TODAY"), "EMAIL_ADDRESS:BOB AT EXAMPLE.COM");
  EXPECT_EQ(found("bob@example[.]com, bob[@]example[.]com"),
            "EMAIL_ADDRESS:bob@example[.]com | EMAIL_ADDRESS:bob[@]example[.]com");
  for (const char* address : {"bob at example[.]com", "bob at mail[.]example[.]com", "bob (at) example[.]com",
                              "bob (at) example [.]com", "bob[at]example[.]com"})
    EXPECT_EQ(found("ask " + std::string(address) + " or"), "EMAIL_ADDRESS:" + std::string(address));
  for (const char* name : {"почта: ", "correo electrónico: ", "Correio eletrônico: ", "E-MAIL: "})
    EXPECT_EQ(found(name + std::string("bob at example.com")), "EMAIL_ADDRESS:bob at example.com") << name;
  EXPECT_EQ(found("bob@サーバー.jp"), "EMAIL_ADDRESS:bob@サーバー.jp");
  EXPECT_EQ(found("bob@例.セール"), "EMAIL_ADDRESS:bob@例.セール");
  for (const char* text : {"we had lunch @ example.com", "MEET BOB AT EXAMPLE.COM", "contact us @ example.com",
                           "scores = query @ key.de(2)", "total @ cost.value", "@example.com", "look_at_me.please",
                           "LOOK AT NUMBER.ONE", "mail at example.com", "pins a[.] b", "now @ example.com"})
    EXPECT_EQ(found(text), "") << text;
}

TEST(Detector, FindsCardsByTheirSum) {
  EXPECT_EQ(found("4111111111111111"), "CREDIT_CARD:4111111111111111");
  EXPECT_EQ(found("pay 5500-0000-0000-0004 now"), "CREDIT_CARD:5500-0000-0000-0004");
  EXPECT_EQ(found("3400 000000 00009"), "CREDIT_CARD:3400 000000 00009");
  EXPECT_EQ(found("1234 4111 1111 1111 1111"), "CREDIT_CARD:4111 1111 1111 1111");
  EXPECT_EQ(found("card4111111111111111"), "CREDIT_CARD:4111111111111111");
  EXPECT_EQ(found("card_4111111111111111"), "CREDIT_CARD:4111111111111111");
  EXPECT_EQ(found("{\"n\":4111111111111111}"), "CREDIT_CARD:4111111111111111");
  EXPECT_EQ(found("\x1b[4111111111111111x"), "CREDIT_CARD:4111111111111111");
  EXPECT_EQ(found(R"({"k":"\u001b[4111111111111111m"})"), "CREDIT_CARD:4111111111111111");
  EXPECT_EQ(found("4111 - 1111 - 1111 - 1111"), "CREDIT_CARD:4111 - 1111 - 1111 - 1111");
  EXPECT_EQ(found("4111/1111/1111/1111"), "CREDIT_CARD:4111/1111/1111/1111");
  EXPECT_EQ(found("card 41 11 11 11 11 11 11 11"), "CREDIT_CARD:41 11 11 11 11 11 11 11");
  for (const char* text :
       {"4111111111111112", "1234567812345678", "0000000000000000", "41111111111111110000000", "0.4111111111111111",
        "978-3-16-148410-0", "1700000000000", "41 11 11 11 11 11 11 11", "2004  4111  1111  1111  1111  2005"})
    EXPECT_EQ(found(text), "") << text;
}

// In any groups, with any separators, also several of them: nothing of a card is left where a word says that it is one.
TEST(Detector, FindsNamedCardsHoweverTheyAreGrouped) {
  EXPECT_EQ(found("card (4916) 1257 9194 7716"), "CREDIT_CARD:4916) 1257 9194 7716");
  EXPECT_EQ(found("card 4916 1257-9194 7716"), "CREDIT_CARD:4916 1257-9194 7716");
  std::mt19937 random(11);
  const auto below = [&](std::size_t end) { return static_cast<std::size_t>(random() % end); };
  const auto any_of = [&](const auto& list) { return std::string(list[below(std::size(list))]); };
  struct Kind {
    const char* first;
    std::size_t digits;
  };
  constexpr Kind kKinds[] = {{"4", 16},    {"4", 19},  {"51", 16}, {"34", 15},
                             {"6011", 16}, {"67", 12}, {"67", 18}, {"36", 14}};
  constexpr const char* kSeparators[] = {" ",   "-", ".",  "/", "_", " - ",   " / ", "  ",          ") ",       "] ",
                                         ",",   ":", ", ", ";", "|", "*",     " : ", "\t",          "\xc2\xb7", "#",
                                         " | ", "~", "\\", "!", "'", "\",\"", " , ", "\xe2\x80\xa2"};
  constexpr const char* kWords[] = {"card number is ", "Visa: ", "my credit card ", "Kreditkarte ", "\"card\": \""};
  for (int round = 0; round < 5'000; ++round) {
    const Kind& kind = kKinds[below(std::size(kKinds))];
    std::string number = kind.first;
    while (number.size() + 1 < kind.digits) number += static_cast<char>('0' + below(10));
    char last = '0';
    while (!luhn_holds(number + last)) ++last;
    number += last;
    std::string value = number.substr(0, 1 + below(6));
    for (std::size_t at = value.size(); at < number.size();) {
      const std::string group = number.substr(at, 1 + below(6));
      value += any_of(kSeparators) + group;
      at += group.size();
    }
    const std::string word = any_of(kWords);
    EXPECT_EQ(found(word + value + "\", thanks"), "CREDIT_CARD:" + value) << word;
  }
}

// A list of numbers is no card, whatever it adds up to, unless it looks like one or ends with its last digit.
TEST(Detector, LeavesListsOfNumbersBesideCards) {
  EXPECT_EQ(found("cards: 4,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,7,7"), "");
  EXPECT_EQ(found("card: 4,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1"), "CREDIT_CARD:4,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1");
  EXPECT_EQ(found("card 4111,1111,1111,1111,12,27"), "CREDIT_CARD:4111,1111,1111,1111");
  EXPECT_EQ(found("row 4111,1111,1111,1111"), "");
}

// Of random digests three in 100,000 begin with the number of a card.
TEST(Detector, LeavesDigestsThatBeginLikeCards) {
  std::mt19937 random(12);
  for (int round = 0; round < 2'000; ++round) {
    std::string digits = "4";
    while (digits.size() < 15) digits += static_cast<char>('0' + random() % 10);
    char last = '0';
    while (!luhn_holds(digits + last)) ++last;
    std::string digest = digits + last;
    digest += static_cast<char>('a' + random() % 6);
    const std::size_t size = random() % 2 ? 40 : 64;
    while (digest.size() < size) digest += "0123456789abcdef"[random() % 16];
    EXPECT_EQ(found("commit " + digest), "");
  }
  EXPECT_EQ(found("4111111111111111exp"), "CREDIT_CARD:4111111111111111");
}

TEST(Detector, FindsBankAccounts) {
  EXPECT_EQ(found("GB82WEST12345698765432"), "IBAN_CODE:GB82WEST12345698765432");
  EXPECT_EQ(found("to DE89 3704 0044 0532 0130 00 please"), "IBAN_CODE:DE89 3704 0044 0532 0130 00");
  EXPECT_EQ(found("no9386011117947"), "IBAN_CODE:no9386011117947");
  EXPECT_EQ(found("GB82WEST12345698765433"), "");
  EXPECT_EQ(found("GB82WEST123456987654321"), "");
}

TEST(Detector, FindsSocialSecurityNumbersThatCanBe) {
  EXPECT_EQ(found("SSN 460-89-9847"), "US_SSN:460-89-9847");
  EXPECT_EQ(found("{\"ssn\":\"460899847\"}"), "US_SSN:460899847");
  for (const char* text : {"000-12-3456", "666-12-3456", "123-00-4567", "123-45-0000", "923-45-6789", "460899847"})
    EXPECT_EQ(found(text), "") << text;
}

TEST(Detector, FindsAddressesOfMachines) {
  EXPECT_EQ(found("from 106.31.73.20:80"), "IP_ADDRESS:106.31.73.20");
  EXPECT_EQ(found("2001:db8:85a3::8a2e:370:7334!"), "IP_ADDRESS:2001:db8:85a3::8a2e:370:7334");
  EXPECT_EQ(found("fe80::1"), "IP_ADDRESS:fe80::1");
  EXPECT_EQ(found("203[.]0[.]113[.]77"), "IP_ADDRESS:203[.]0[.]113[.]77");
  for (const char* address : {"001b.4411.3ab7", "0012.da4b.7c80", "0012.3456.7c80"})
    EXPECT_EQ(found(address), "MAC_ADDRESS:" + std::string(address));
  for (const char* address :
       {"curl 18.204.10.5/x", "putty 203.0.113.7", "ansible 13.55.20.4", "kernel: 18.204.1.2", "ffmpeg 18.204.10.5",
        "bash: 18.204.10.5", "java 18.204.10.5", "chrome 18.204.10.5", "firefox 203.10.113.7", "python 104.0.3.27",
        "grpc: 18.204.10.5", "php: 18.204.10.5", "openssl 203.0.113.7", "wget 18.204.10.5", "ssh 18.204.10.5"})
    EXPECT_TRUE(found(address).starts_with("IP_ADDRESS:")) << address;
  for (const char* address : {"redis 18.212.33.9", "\"mysql\":\"3.88.12.4\"", "node 13.12.11.10",
                              "openssl s_client 18.4.97.16", "chrome 203.44.113.7", "linux 10.0.4.17"})
    EXPECT_TRUE(found(address).starts_with("IP_ADDRESS:")) << address;
  EXPECT_EQ(found("00:1B:44:11:3A:B7 and 00-1b-44-11-3a-b8"),
            "MAC_ADDRESS:00:1B:44:11:3A:B7 | MAC_ADDRESS:00-1b-44-11-3a-b8");
  for (const char* text :
       {"127.0.0.1", "version 10.20.30.40", "v10.20.30.40", "Chrome/120.10.0.1", "Upgrade from 4.18.2.1", "1.2.3.4.5",
        "256.1.1.1", "1.2.3.4", "12:34:56", "std::cafe", "ab:cd:ef:12:34:56:78:90", "a::b", "openssl 1.4.97.16",
        "{\"openssl\":\"1.4.97.16\"}", "Firefox 115.0.2.31", "dead.beef.cafe", "1234.5678.9012", "12ab.34cd.56ef.78ab"})
    EXPECT_EQ(found(text), "") << text;
}

TEST(Detector, FindsTelephonesByTheirFormOrWordsBeside) {
  EXPECT_EQ(found("+49 (0)30 901820"), "PHONE_NUMBER:+49 (0)30 901820");
  EXPECT_EQ(found("(415) 555-0132"), "PHONE_NUMBER:(415) 555-0132");
  EXPECT_EQ(found("415.555.0132x77"), "PHONE_NUMBER:415.555.0132x77");
  EXPECT_EQ(found("callers=+49301234567+49301234568"), "PHONE_NUMBER:+49301234567 | PHONE_NUMBER:+49301234568");
  EXPECT_EQ(found("?to=%2B49301234567+20251118"), "PHONE_NUMBER:%2B49301234567");
  EXPECT_EQ(found("?to=%2B49+30+1234567&x"), "PHONE_NUMBER:%2B49+30+1234567");
  EXPECT_EQ(found("電話：０３ー１２３４ー５６７８"), "PHONE_NUMBER:０３ー１２３４ー５６７８");
  EXPECT_EQ(found("call me on 467 3395"), "PHONE_NUMBER:467 3395");
  EXPECT_EQ(found("{\"phoneNumber\":\"4155550132\"}"), "PHONE_NUMBER:4155550132");
  EXPECT_EQ(found("467 3395 office"), "PHONE_NUMBER:467 3395");
  EXPECT_EQ(found("{\"phone\": 4155550132}"), "PHONE_NUMBER:4155550132");
  EXPECT_EQ(found("{\"phones\":[\"4155550132\",\"4155550133\"]}"), "PHONE_NUMBER:4155550132 | PHONE_NUMBER:4155550133");
  for (const char* text : {"{\"toolCalls\":1,\"toolResultBytes\":10485760,\"phone\":1}", "467 3395", "4155550132",
                           "2024-04-16", "16.04.2024", "order 415 555 0132", "1999-2004", "$4 155 550", "3.1415926535"})
    EXPECT_EQ(found(text), "") << text;
}

// As people write them, in sentences of ten languages.
TEST(Detector, FindsTelephonesOfOtherCountries) {
  for (const char* text : {"0221 / 470-5151", "0221 / 470-0", "0171 2340895", "612 34 56 78", "07911 123456",
                           "06 12 34 56 78", "(0391) 531213", "01.84.17.61.18"}) {
    EXPECT_EQ(found("Tel. " + std::string(text)), "PHONE_NUMBER:" + std::string(text));
    EXPECT_EQ(found("She gave me " + std::string(text) + " as her number, try it"),
              "PHONE_NUMBER:" + std::string(text));
  }
  for (const char* name :
       {"Tél. : ", "WhatsApp ", "Llámame al ", "móvil ", "cellulare: ", "telefoon ", "numer telefonu ", "телефон ",
        "Телефон: ", "电话：", "我的手机号是", "telemóvel ", "cep telefonu ", "HANDY "})
    EXPECT_EQ(found(name + std::string("612345678")), "PHONE_NUMBER:612345678") << name;
  EXPECT_EQ(found("(call 415 555 0132)"), "PHONE_NUMBER:415 555 0132");
  EXPECT_EQ(found("my number (415 555 0132) is new"), "PHONE_NUMBER:415 555 0132");
  EXPECT_EQ(found("+49 (0)30 901820-0"), "PHONE_NUMBER:+49 (0)30 901820-0");
  EXPECT_EQ(found("Helpline 415-555-0132 (24/7)"), "PHONE_NUMBER:415-555-0132");
  EXPECT_EQ(found("请拨打61234567"), "PHONE_NUMBER:61234567");
  for (const char* text : {"call 1794738662", "pp. 211-227 (2003)", "e<=(9.72-15)/17.52", "Boston, MA 02110-1301, USA",
                           "(2026-07-28)", "https://example.com/71256/29091486", "Kundennummer 0171 2340895",
                           "Mrs. Miller, 370 3911 Fourth Avenue", "me 12 345", "a string of 100000000 characters"})
    EXPECT_EQ(found(text), "") << text;
}

TEST(Detector, FindsNationalIdsByTheirCheckDigits) {
  EXPECT_EQ(found("CPF 529.982.247-25"), "NATIONAL_ID(br-cpf):529.982.247-25");
  EXPECT_EQ(found("529.982.247-25"), "NATIONAL_ID(br-cpf):529.982.247-25");
  EXPECT_EQ(found("DNI 12345678Z"), "NATIONAL_ID(es-dni):12345678Z");
  EXPECT_EQ(found("RSSMRA85T10A562S"), "NATIONAL_ID(it-codice-fiscale):RSSMRA85T10A562S");
  EXPECT_EQ(found("11010519491231002X"), "NATIONAL_ID(cn-resident):11010519491231002X");
  EXPECT_EQ(found("PESEL 44051401359"), "NATIONAL_ID(pl-pesel):44051401359");
  EXPECT_EQ(found("NHS number 943 476 5919"), "NATIONAL_ID(uk-nhs):943 476 5919");
  EXPECT_EQ(found("my SIN is 130-692-544"), "NATIONAL_ID(ca-sin):130-692-544");
  EXPECT_EQ(found("NRIC S1234567D"), "NATIONAL_ID(sg-nric):S1234567D");
  EXPECT_EQ(found("BSN 111222333"), "NATIONAL_ID(nl-bsn):111222333");
  EXPECT_EQ(found("AB 12 34 56 C"), "NATIONAL_ID(uk-nino):AB 12 34 56 C");
  EXPECT_EQ(found("NI number ab123456c"), "NATIONAL_ID(uk-nino):ab123456c");
  for (const char* text : {"529.982.247-26", "12345678A", "RSSMRA85T10A562T", "110105194912310021", "44051401359",
                           "AB123456C", "GB 12 34 56 C", "AB 12 34 56 E"})
    EXPECT_EQ(found(text), "") << text;
}

TEST(Detector, FindsDatesOfBirthWhereItIsSaid) {
  EXPECT_EQ(found("born on 2/8/1935 in"), "DATE_OF_BIRTH:2/8/1935");
  EXPECT_EQ(found("\"dateOfBirth\": \"1990-03-12\""), "DATE_OF_BIRTH:1990-03-12");
  EXPECT_EQ(found("DOB: March 12, 1990"), "DATE_OF_BIRTH:March 12, 1990");
  EXPECT_EQ(found("birthday: 12 March 1990"), "DATE_OF_BIRTH:12 March 1990");
  EXPECT_EQ(found("née le 12 mars 1990"), "DATE_OF_BIRTH:12 mars 1990");
  for (const char* id : {"run_t6ne6vqk", "run_ne6vqk", "ap_k2geb", "6dob7"})
    EXPECT_EQ(found(R"({"id":")" + std::string(id) + R"(","created":"2026-11-19T05:20:11Z"})"), "") << id;
  for (int more = 0; more < 60; ++more)  // words are read as far back as this
    EXPECT_EQ(found("renata" + std::string(static_cast<std::size_t>(more), ' ') + "2026-11-19"), "") << more;
  EXPECT_EQ(found("Nacida el 12 de marzo de 1990"), "DATE_OF_BIRTH:12 de marzo de 1990");
  EXPECT_EQ(found("geboren am 1. März 1990"), "DATE_OF_BIRTH:1. März 1990");
  for (const char* date : {"12 May 1980", "May 12, 1980", "12.5.1980", "12. 5. 1980", "12-May-1980", "12th of May 1980",
                           "1er mai 1980", "12 maja 1980", "12 мая 1980", "12 Mayıs 1980", "12 maj 1980"})
    for (const char* name : {"b. ", "Bob Miller (b. ", "B. ", "born: ", "Date of birth "})
      EXPECT_EQ(found(name + std::string(date)), "DATE_OF_BIRTH:" + std::string(date)) << name;
  EXPECT_EQ(found("生年月日：1980年5月12日"), "DATE_OF_BIRTH:1980年5月12日");
  EXPECT_EQ(found("생년월일: 1980년 5월 12일"), "DATE_OF_BIRTH:1980년 5월 12일");
  EXPECT_EQ(found("出生于1980-05-12"), "DATE_OF_BIRTH:1980-05-12");
  for (const char* text : {"released on 1990-03-12", "a. 3 May 1980 b. 12 May 1980", "web. 12 May 1980",
                           "b 12 May 1980", "发布于1980年5月12日", "in May. 12 of 1980 were", "b. 12 people of 1980"})
    EXPECT_EQ(found(text), "") << text;
}

TEST(Detector, FindsWalletsByTheirChecksums) {
  EXPECT_EQ(found("1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2"), "CRYPTO_WALLET(base58):1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2");
  EXPECT_EQ(found("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"),
            "CRYPTO_WALLET(bech32):bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4");
  EXPECT_EQ(found("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"),
            "CRYPTO_WALLET(ethereum):0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed");
  for (const char* text : {"1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN3", "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD",
                           "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed"})
    EXPECT_EQ(found(text), "") << text;
}

TEST(Detector, FindsSecrets) {
  EXPECT_EQ(found("AKIAIOSFODNN7EXAMPLE"), "SECRET(aws-access-key):AKIAIOSFODNN7EXAMPLE");
  EXPECT_EQ(found("use ghp_0123456789abcdefghijABCDEFGHIJ012345."),
            "SECRET(github):ghp_0123456789abcdefghijABCDEFGHIJ012345");
  EXPECT_EQ(found("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc-DEF_123"),
            "SECRET(jwt):eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc-DEF_123");
  EXPECT_EQ(found("a -----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY----- b"),
            "SECRET(private-key):-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----");
  EXPECT_EQ(found("-----BEGIN OPENSSH PRIVATE KEY-----\nb3Blbn"),
            "SECRET(private-key):-----BEGIN OPENSSH PRIVATE KEY-----\nb3Blbn");
  EXPECT_EQ(found("DB_PASSWORD=hunter2hunter"), "SECRET(password):hunter2hunter");
  EXPECT_EQ(found(R"({"api_key": "aB3dE5gH7jK9mN1p"})"), "SECRET(assignment):aB3dE5gH7jK9mN1p");
  EXPECT_EQ(found("Authorization: Bearer aB3dE5gH7jK9mN1p"), "SECRET(bearer-token):Bearer aB3dE5gH7jK9mN1p");
  EXPECT_EQ(found("postgres://app:s3cret@db.example.com/x"), "URL_CREDENTIALS:app:s3cret");
  EXPECT_EQ(found("Passwort: Sommer2026"), "SECRET(password):Sommer2026");
  EXPECT_EQ(found("mot de passe : Ete2026!"), "SECRET(password):Ete2026!");
  EXPECT_EQ(found("The password is hunter22."), "SECRET(password):hunter22");
  EXPECT_EQ(found("(the password is Tr0ub4dor&3)"), "SECRET(password):Tr0ub4dor&3");
  EXPECT_EQ(found("?password=Tr0ub4dor&user=bob"), "SECRET(password):Tr0ub4dor");
  EXPECT_EQ(found("{\"password\": \"correct horse battery staple\"}"), "SECRET(password):correct horse battery staple");
  EXPECT_EQ(found("machine x login bob password Tr0ub4dor"), "SECRET(password):Tr0ub4dor");
  EXPECT_EQ(found("mysql -u root -pTr0ub4dor db"), "SECRET(password):Tr0ub4dor");
  EXPECT_EQ(found("curl -u bob:Tr0ub4dor https://x"), "SECRET(password):Tr0ub4dor");
  EXPECT_EQ(found("deploy --api-token aB3dE5gH7jK9mN1p"), "SECRET(assignment):aB3dE5gH7jK9mN1p");
  EXPECT_EQ(found("redis-cli -a Tr0ub4dor ping"), "SECRET(password):Tr0ub4dor");
  EXPECT_EQ(found("DB_PASS=xkd5l1wog6ag7"), "SECRET(password):xkd5l1wog6ag7");
  EXPECT_EQ(found("pw: Tr0ub4dor"), "SECRET(password):Tr0ub4dor");
  EXPECT_EQ(found("Server=db;User=sa;Password=xkd5bmi;"), "SECRET(password):xkd5bmi");
  EXPECT_EQ(found("<password>Tr0ub4dor</password>"), "SECRET(password):Tr0ub4dor");
  EXPECT_EQ(found("Password:\n  Tr0ub4dor&3\n"), "SECRET(password):Tr0ub4dor&3");
  EXPECT_EQ(found("the password for the vault is hunter22"), "SECRET(password):hunter22");
  EXPECT_EQ(found("log in as bob with password Tr0ub4dor&3"), "SECRET(password):Tr0ub4dor&3");
  EXPECT_EQ(found("The API key is aB3dE5gH7jK9mN1pQ"), "SECRET(assignment):aB3dE5gH7jK9mN1pQ");
  EXPECT_EQ(found("PAGERDUTY_API_KEY=aB3dE5gH7jK9mN1p"), "SECRET(assignment):aB3dE5gH7jK9mN1p");
  EXPECT_EQ(found("Пароль Tr0ub4dor&3"), "SECRET(password):Tr0ub4dor&3");
  EXPECT_EQ(found("пароль от почты - Tr0ub4dor&3"), "SECRET(password):Tr0ub4dor&3");
  EXPECT_EQ(found("密码是hunter22，请勿外传"), "SECRET(password):hunter22");
  EXPECT_EQ(found("密碼為 hunter22。"), "SECRET(password):hunter22");
  EXPECT_EQ(found("パスワードはhunter22です"), "SECRET(password):hunter22");
  EXPECT_EQ(found("パスワード: hunter22"), "SECRET(password):hunter22");
  EXPECT_EQ(found("口令：hunter22"), "SECRET(password):hunter22");
  EXPECT_EQ(found("口令=hunter22"), "SECRET(password):hunter22");
  EXPECT_EQ(found("口令是hunter22"), "SECRET(password):hunter22");
  EXPECT_EQ(found("machine h login bob password -Xk8!pq27"), "SECRET(password):-Xk8!pq27");
  EXPECT_EQ(found("machine h login bob password --Xk8!pq27"), "SECRET(password):--Xk8!pq27");
  EXPECT_EQ(found("the password '-Xk8!pq27' works"), "SECRET(password):-Xk8!pq27");
  EXPECT_EQ(found("비밀번호는 hunter22입니다"), "SECRET(password):hunter22");
  EXPECT_EQ(found("login: bob / hunter22"), "SECRET(password):hunter22");
  EXPECT_EQ(found("Logins: bob@example.com/Tr0ub4dor&3"),
            "EMAIL_ADDRESS:bob@example.com | SECRET(password):Tr0ub4dor&3");
  EXPECT_EQ(found("\"login\": \"bob | Tr0ub4dor&3\""), "SECRET(password):Tr0ub4dor&3");
  EXPECT_EQ(found("the password 'hunter22' works"), "SECRET(password):hunter22");
  EXPECT_EQ(found("?user=bob&amp;password=Tr0ub4dor&amp;next=/"), "SECRET(password):Tr0ub4dor");
  for (const char* text : {"password: ${PASSWORD}",
                           "Pass `--keyring=my2.gpg` to it",
                           "the password -Xk8!pq27",
                           "密码是必填的",
                           "密码长度8",
                           "пароль обязателен",
                           "login: user / password",
                           "user: bob / us-east-1",
                           "users/admin2/index",
                           "user: apache/httpd2",
                           "token=<SECRET:github>",
                           "\"nextPageToken\": \"aB3dE5gH7jK9mN1p\"",
                           "max_tokens: 4096",
                           "token = getToken(options1)",
                           "sk-learn and task-force-one-two-three",
                           "the password is required",
                           "the password is case-sensitive",
                           "cookie.sameSite = params2.sameSite;",
                           "\"pass\": \"Element 1 has no title\"",
                           "ADD_PASSWORD = \"add_password\"",
                           "arn:aws:secretsmanager:us-east-1:123456789012:x",
                           "docker run -p 8080:80",
                           "tokenUrl: https://x.example/oauth2/token1",
                           "https://example.com:443/a@b",
                           "BEGIN PUBLIC KEY",
                           "password:\n  minLength: 8",
                           "bypass=abc1234x",
                           "a password SHA256 hashes",
                           "the token is expired",
                           "List<Token2>item2",
                           "password for the account is required"})
    EXPECT_EQ(found(text), "") << text;
}

TEST(Detector, KnowsKeysThatHoldSecrets) {
  for (const char* key : {"Authorization", "client_secret", "passwd", "auth", "session-id", "Set-Cookie"}) {
    EXPECT_TRUE(looks_like_secret_key(key)) << key;
  }
  for (const char* key : {"path", "author", "content", "passage", "id"})
    EXPECT_FALSE(looks_like_secret_key(key)) << key;
}

TEST(Detector, LooksThroughWhatHidesIt) {
  EXPECT_EQ(found("4111\xe2\x80\x8b"
                  "111111111111"),
            "CREDIT_CARD:4111\xe2\x80\x8b"
            "111111111111");
  EXPECT_EQ(found("４１１１１１１１１１１１１１１１"), "CREDIT_CARD:４１１１１１１１１１１１１１１１");
  EXPECT_EQ(found(R"(bob\u0040example.com)"), R"(EMAIL_ADDRESS:bob\u0040example.com)");
  EXPECT_EQ(found("?u=bob%40example.com&x"), "EMAIL_ADDRESS:bob%40example.com");
  // base64 of "mail bob@example.com", and of that once more
  EXPECT_EQ(found("x bWFpbCBib2JAZXhhbXBsZS5jb20= y"), "EMAIL_ADDRESS:bWFpbCBib2JAZXhhbXBsZS5jb20=");
  EXPECT_EQ(found("YldGcGJDQmliMkpBWlhoaGJYQnNaUzVqYjIwPQ=="),
            "EMAIL_ADDRESS:YldGcGJDQmliMkpBWlhoaGJYQnNaUzVqYjIwPQ==");
  EXPECT_EQ(found("data:text/plain;base64,bWFpbCBib2JAZXhhbXBsZS5jb20"), "EMAIL_ADDRESS:bWFpbCBib2JAZXhhbXBsZS5jb20");
}

TEST(Detector, ObeysItsSettings) {
  DetectorSettings settings;
  settings.entities.reset(static_cast<std::size_t>(Entity::kIpAddress));
  settings.allow = {"*@example.com"};
  settings.custom = {{"EMPLOYEE", "EMP-[0-9]{4}", ""}, {"BADGE", "B[0-9]{4}", "luhn"}};
  const auto detector = Detector::make(settings);
  ASSERT_TRUE(detector);
  EXPECT_EQ(found("from 106.31.73.20 Bob@Example.com eve@evil.com", *detector), "EMAIL_ADDRESS:eve@evil.com");
  EXPECT_EQ(found("EMP-1234", *detector), "CUSTOM(EMPLOYEE):EMP-1234");
  settings.custom = {{"X", "(", ""}};
  EXPECT_FALSE(Detector::make(settings));
  settings.custom = {{"lower", "a", ""}};
  EXPECT_FALSE(Detector::make(settings));
  settings.custom = {{"X", "a", "md5"}};
  EXPECT_FALSE(Detector::make(settings));
}

TEST(Detector, ChecksWhatACustomPatternMatches) {
  DetectorSettings settings;
  settings.custom = {{"BADGE", "B[0-9]{11}", "luhn"}, {"PASS", "P[0-9 ]{14}", "luhn"}};
  EXPECT_FALSE(Detector::make(settings).value().scan("P799 2739 8713 ").size());  // a letter is no digit
  settings.custom = {{"BADGE", "[0-9]{3} [0-9]{8}", "luhn"}};
  const auto detector = Detector::make(settings);
  ASSERT_TRUE(detector);
  EXPECT_EQ(found("799 27398713", *detector), "CUSTOM(BADGE):799 27398713");
  EXPECT_EQ(found("799 27398714", *detector), "");
}

// As it is read, and as it is written.
TEST(Detector, MatchesCustomPatternsInBothFormsOfAText) {
  DetectorSettings settings;
  settings.allow = {"A&amp;0000"};
  settings.custom = {{"MEMBER", "メンバー[0-9]{6}", ""}, {"FIRM", "A&amp;[0-9]{4}", ""},
                     {"TAG", "a&lt;[0-9]{4}", ""},       {"HOST", "h[0-9]\\[\\.\\]x", ""},
                     {"BREAK", "q<wbr>[0-9]{4}", ""},    {"PLAIN", "EMP-[0-9]{4}", ""}};
  const auto detector = Detector::make(settings);
  ASSERT_TRUE(detector);
  EXPECT_EQ(found("メンバー123456", *detector), "CUSTOM(MEMBER):メンバー123456");
  EXPECT_EQ(found("a%40b q<wbr>1234, h7[.]x", *detector), "CUSTOM(BREAK):q<wbr>1234 | CUSTOM(HOST):h7[.]x");
  EXPECT_EQ(found("EMP-1234 A&amp;1234 a&lt;1234", *detector),
            "CUSTOM(PLAIN):EMP-1234 | CUSTOM(FIRM):A&amp;1234 | CUSTOM(TAG):a&lt;1234");
  EXPECT_EQ(found("A&amp;0000 EMP&#45;1234", *detector), "CUSTOM(PLAIN):EMP&#45;1234");
}

TEST(Detector, DoesNotFindItsOwnTokens) {
  for (const char* text : {"<EMAIL_1> wrote to <PHONE_12>", "password=<SECRET:password>", "\"card\": \"<CARD_3>\""})
    EXPECT_EQ(found(text), "") << text;
}

}  // namespace
}  // namespace glovebox::privacy
