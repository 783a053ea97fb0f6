// Words that describe a number beside them, in lower case and without accents: English, German, French, Spanish,
// Italian, Portuguese, Dutch, Polish, Swedish with its neighbours, Russian, Turkish.
#pragma once

#include <string_view>

#include "privacy/rules/context_words.h"

namespace glovebox::privacy {

struct WordsOfTopic {
  Topic topic;
  std::string_view words;
};

inline constexpr WordsOfTopic kWordLists[] = {
    {Topic::kPhone,
     "cell cellphone cellular cel fax handset helpline hotline landline mob mobile mobiles msisdn ph phone phoned "
     "phoneno "
     "phonenumber phones phoning smartphone sms switchboard tel telno telefax telephone telephoned telephones texting "
     "voicemail voip whatsapp "
     "fon handy handynummer mobil mobilnummer mobiltelefon festnetz rufnummer ruf durchwahl telefon telefonnummer "
     "telnr "
     "portable gsm telecopie telephonique "
     "celular fijo movil tfno tlf tlfno telefono telefonos telf "
     "cellulare cell recapito "
     "telefone telemovel tlm "
     "gsmnummer mobieltje telefoon telefoonnummer mobiel vaste "
     "komorka komorkowy komorkowa kom telefonu telefoniczny telefony "
     "mobilen mobilnr telefonnr telefonnummeret tlfnr puhelin puhelinnumero matkapuhelin "
     "telefonum telefonunuz telefonu cep ceptelefonu  "
     "тел телефон телефона "
     "телефону моб мобильный "
     "сотовый факс "
     "هاتف الهاتف هاتفي هاتفه هاتفها هاتفك جوال الجوال جوالي جواله جوالها جوالك موبايل الموبايل موبايلي موبايله "
     "تليفون التليفون تليفوني تلفون التلفون تلفوني محمول المحمول نقال النقال خلوي الخلوي فاكس الفاكس واتساب الواتساب "
     "واتس تلفن شماره موبایل "
     "טלפון נייד "
     "τηλ κινητο"},
    {Topic::kCalling,
     "answering buzz buzzing call callback called caller calling calls contact desk dial dialed dialing dialled "
     "dialling "
     "message messages office pager rang reach reachable reached registered ring ringing rings signal telegram texted "
     "texts viber "
     "anrufen anruf anrufe erreichen erreichbar erreichst ruckruf ruckfragen rufen zuruckrufen kontakt notruf "
     "appeler appelez appelle appel contacter contactez joindre joignable rappeler rappelez urgence "
     "llama llamame llamar llame llamada llamarme llamanos contactar contacto marcar marque "
     "chiama chiamami chiamare chiamata chiami contattare contatto contatti rispondo "
     "liga ligar ligue chamar contato contacte contactar "
     "bel bellen belt bereiken bereikbaar opbellen "
     "dzwon dzwonic zadzwon zadzwonic kontaktowy kontaktu "
     "ringa ringer ringe kontakta kontakte soita "
     "ara arayin arayabilirsiniz arayiniz iletisim ulasabilirsiniz "
     "звоните звони позвоните "
     "позвони связи контакт "
     "καλεστε "
     "اتصل اتصلوا اتصلي للاتصال الاتصال اتصال تواصل للتواصل التواصل راسلني رسالة كلمني كلمه"},
    {Topic::kPerson,
     "applicant available back boss brother clerk client colleague courier customer dad daughter dentist doctor dr "
     "driver electrician emergency employee friend guest her him his home host husband kin landlord lawyer leave left "
     "manager me mechanic member mom mother mr mrs ms mum my name nanny neighbor neighbour number numbers nurse owner "
     "partner passenger patient person plumber reception receptionist rider sales secretary sister sitter son speak "
     "staff subscriber supplier support talk teacher tenant text their try urgent user us vendor visitor wife work "
     "arzt chef frau herr kunde kundin meine mich mir mutter nachbar name nummer nr privat vater "
     "bureau client cliente docteur domicile madame mme moi mon monsieur nom numero voisin "
     "casa cliente dona nombre numero oficina senor senora trabajo "
     "nome signor signora ufficio studio "
     "escritorio nome numero senhor senhora "
     "klant mevrouw meneer naam nummer thuis "
     "klient numer nazwisko pan pani "
     "hem kund mig namn nar nummer navn "
     "musteri numara no "
     "номер имя клиент "
     "رقم رقمي رقمه رقمها رقمك الرقم"},
    {Topic::kCard,
     "amex american bancaria bankkarte card cardnumber cards carta carte cartao cc ccn credit creditcard debit diners "
     "discover jcb karta karte kartennummer kart kaart kort kreditkarte kreditkartennummer kreditkort maestro "
     "mastercard "
     "pan payment tarjeta visa "
     "карта карты"},
    {Topic::kSsn, "security social socials ss ssn ssns taxpayer tin itin"},
    {Topic::kBirth,
     "birth birthdate birthday bday born dob "
     "geb geboren geburtsdatum geburtstag "
     "ne nee naissance nes anniversaire "
     "nac nacido nacida nacimiento cumpleanos nacio "
     "nato nata nascita compleanno "
     "nascido nascida nascimento aniversario "
     "geboortedatum geboorte verjaardag "
     "urodzony urodzona urodzenia ur "
     "nasci nasceu naci "
     "fodd fodelsedatum fodt fodselsdato syntynyt "
     "dogum dogumtarihi dogumlu "
     "narozen narozena narozeni szuletett szul nascut nascuta "
     "родился родилась рождения народився народилася γεννηθηκε"},
    {Topic::kNationalId,
     "aadhaar aadhar bsn burgerservicenummer citizen cpf curp dni fiscal fiscale health hetu id identification "
     "identity "
     "insee insurance kimlik medicare national nhs nie nif nin nino nir nric personnummer pesel resident rrn rut "
     "secu sin social sozialversicherungsnummer steuer steuerid tax tfn"},
    {Topic::kBornBehind, "born geboren geb fodd fodt dogumlu urodzony urodzona narozen narozena"},
    {Topic::kInsurance, "insurance ni nin nino"},
    {Topic::kWallet, "address bitcoin btc crypto erc20 eth ether ethereum metamask recipient usdc usdt wallet"},
    {Topic::kAddress,
     "addr address client dns gateway host hosts ip ipv4 ips listen listening login nameserver peer ping proxy remote "
     "server subnet x ssh scp sftp rsync telnet root ubuntu"},
    {Topic::kPeer, "from to at"},
    {Topic::kMachine,
     "node vm instance pod box machine nas router firewall printer camera device container src dst source destination "
     "origin banned blocked denied allowed rejected"},
    {Topic::kVersion,
     "build edition firmware oid release rev revision v ver version versions versionen fassung versie versione versao "
     "wersja wersji verze verzio surum versjon versija версия версии"},
    {Topic::kUpdate,
     "bump bumped bumps downgrade downgraded downgrades require requires update updated updates upgrade upgraded "
     "upgrades "
     "upgrading aktualisiert aktualisierung"},
    // Not services, nor commands with an address behind them, nor what begins the lines of a log.
    {Topic::kProgram,
     "boost clang cuda dotnet gcc glibc gnupg jdbc jdk jre libcurl libssl libxml llvm netty numpy odbc openjdk openssl "
     "protobuf qt rails sdk section sqlite struts tensorflow torch xcode zlib"},
    {Topic::kBrowser, "chrome chromedriver chromium electron firefox opera safari webkit"},
    {Topic::kMail,
     "mail mails email emails emailed mailto to cc bcc from reply replyto sender recipient contact write reach send "
     "is schreib schreiben kontakt absender ist ecrire ecrivez courriel electronique mel est correo electronico "
     "eletronico escribe escribir contacto posta elettronica scrivi scrivere contatto escreva correio endereco "
     "epost skriv adres eposta почта"},
    {Topic::kMailing,
     "mail mails mailed email emails emailed mailto cc bcc line note write wrote send sends sent contact reach forward "
     "forwarded "
     "reply ping ask asked invite invited notify message "
     "schreib schreibe schreiben schicke schick sende senden maile ecrire ecrivez ecris envoyer envoie envoyez "
     "contactez escribe escribir escriba envia enviar envie escreva escreve mande scrivi scrivere invia inviare "
     "stuur mailen schrijf napisz wyslij skriv skicka send yaz gonder"},
    {Topic::kTowards, "to or and an und oder a et ou y o e til till naar do i och og nach"},
    {Topic::kMonth,
     "jan january feb february mar march apr april may jun june jul july aug august sep sept september oct october nov "
     "november dec december "
     "januar februar marz mrz mai juni juli okt oktober dez dezember "
     "janvier fevrier fevr mars avr avril juin juil juillet aout septembre octobre novembre decembre "
     "ene enero febrero marzo abr abril mayo junio julio ago agosto septiembre octubre noviembre dic diciembre "
     "gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre "
     "janeiro fevereiro marco maio junho julho setembro outubro novembro dezembro "
     "januari februari maart mei augustus "
     "stycznia lutego marca kwietnia maja czerwca lipca sierpnia wrzesnia pazdziernika listopada grudnia "
     "marts maj juni juli augusti "
     "ocak subat nisan mayis haziran temmuz agustos eylul ekim kasim aralik "
     "января февраля марта апреля мая июня июля августа сентября октября ноября декабря"},
    // "id" is left out: it precedes everything.
    {Topic::kOtherNumber,
     "account amount apt article asin barcode batch build case code commit count ean gtin imei invoice isbn "
     "issn item license lot model order orders part passport plate po population port postal price product psc receipt "
     "ref users downloads visits views lines rows size bytes stack limit length width height "
     "reference revision serial sku ssn suite ticket timestamp total tracking unit upc uuid version vin zip "
     "aktenzeichen artikelnummer auftrag auftragsnummer bestellnummer bestellung kundennummer rechnung "
     "rechnungsnummer seriennummer vertragsnummer "
     "commande facture dossier "
     "factura pedido expediente "
     "fattura ordine totale "
     "encomenda fatura "
     "bestelling factuur "
     "faktura zamowienie zamowienia "
     "faktura ordrenummer ordernummer "
     "заказ заказа счет "
     "طلب الطلب فاتورة الفاتورة حساب الحساب منتج المنتج المرجع"},
    // What is made and sold, with numbers that are written like telephones'.
    {Topic::kArticle,
     "case invoice ticket order part parts sku serial model item items catalog catalogue article artikel artikelnummer "
     "teilenummer seriennummer "
     "pn "
     "mpn sn upc ean isbn asin imei barcode batch lot"},
};

// In scripts that put no spaces between words.
inline constexpr std::string_view kSpelledPhones[] = {
    "电话", "電話", "手机", "手機", "联系",   "聯絡", "拨打",   "撥打",   "致电",   "致電", "传真", "傳真",   "📞",
    "📱",    "☎",    "📲",    "携帯", "連絡先", "전화", "핸드폰", "휴대폰", "연락처", "फोन",  "फ़ोन",  "मोबाइल", "โทร"};

inline constexpr std::string_view kSpelledBirths[] = {"出生",     "生日",   "生于",     "生於",
                                                      "生年月日", "誕生日", "생년월일", "생일"};

}  // namespace glovebox::privacy
