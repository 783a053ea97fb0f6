// D06: other spellings of a granted name are other names; other spellings of a start-up file are that file
// with: files.js
// files: spare.txt = spare
// files: café/x.txt = x
// options: --allow-read={folder}/straße,{folder}/café --allow-write={folder}/straße,{folder}/café
// expect: {"result": []}
const spare = '{folder}/straße/spare.txt';
Deno.mkdirSync('{folder}/straße', { recursive: true });
Deno.writeTextFileSync(spare, 'spare');
const others = ['STRASSE', 'strasse', 'Straße', 'STRA\u1e9eE', 'stra\u00dfe\u200b', 'cafe\u0301', 'CAF\u00c9', 'cafe', 'café ', 'caf\u00e9.', 'stra\u00dfe/../cafe\u0301', 'straße\\..\\caf'];
const wrong = others.flatMap((name) => other_than(['PermissionDenied'], everything('{folder}/' + name, spare), name));
const bash = ['.bashrc', '.BASHRC', '.Bashrc', '.ba\u017fhrc', '.bashrc.', '.bashrc ', '.bash\u200brc', '.\ufeffbashrc', '.ba\u200cshrc', '\uff0ebashrc', '.bashrc::$DATA', 'bashrc~1', '.bashrc\u00ad',
  '.GIT', '.g\u0131t', '.\uff47\uff49\uff54', '.git\u200d', 'GIT~1', '.git::$INDEX_ALLOCATION', '.git . .', '.ENV', '.env.LOCAL', '.\u212aube', '.pro\ufb01le'];
return wrong.concat(bash.flatMap((name) => other_than(['PermissionDenied'], { ...writing('{folder}/straße/' + name, spare), createNew: changing('{folder}/straße/' + name, spare).createNew, mkdir: changing('{folder}/straße/' + name, spare).mkdir, renameTo: changing('{folder}/straße/' + name, spare).renameTo }, name)));
