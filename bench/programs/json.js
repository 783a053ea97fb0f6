// About 10 MB of JSON, written, read and written again: strings, objects, garbage collection.
const records = [];
for (let i = 0; i < 100_000; i++) {
  records.push({ id: i, name: `record ${i}`, tags: ["alpha", "beta", String(i % 97)], score: i / 7, active: i % 3 === 0 });
}
const text = JSON.stringify(records);
const again = JSON.stringify(JSON.parse(text));
if (text !== again) throw new Error("JSON did not survive");
return text.length;
