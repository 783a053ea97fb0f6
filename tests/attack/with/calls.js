// Calls as raw frames, and their replies. Needs frames.js.
let last_id = 0;
const call_text = (op, args, body = 0, id = ++last_id) => JSON.stringify({ frame: 'call', id, op, args, body });
const data_frame = (id, bytes, expected = 0) => {
  const payload = new Uint8Array(17 + bytes.length);
  const view = new DataView(payload.buffer);
  view.setBigUint64(1, BigInt(id), true);
  view.setBigUint64(9, BigInt(expected), true);
  payload.set(bytes, 17);
  return frame_of_bytes(payload);
};
let unread = new Uint8Array(0);
const read_exactly = (count) => {
  while (unread.length < count) {
    const more = take();
    if (typeof more === 'number') throw new Error('the gateway hung up');
    const joined = new Uint8Array(unread.length + more.length);
    joined.set(unread);
    joined.set(more, unread.length);
    unread = joined;
  }
  const bytes = unread.subarray(0, count);
  unread = unread.subarray(count);
  return bytes;
};
const next_frame = () => {
  const head = read_exactly(4);
  const payload = read_exactly(new DataView(head.buffer, head.byteOffset).getUint32(0, true)).slice();
  return payload[0] === 0 ? { data: payload.subarray(17) } : JSON.parse(new TextDecoder().decode(payload));
};
// The next reply, with the bytes that came before it as text.
const next_reply = () => {
  let text = '';
  for (;;) {
    const frame = next_frame();
    if (frame.data) text += new TextDecoder().decode(frame.data);
    else if (frame.frame === 'reply') return { ...frame, text };
  }
};
const call = (op, args, bytes) => {
  send(call_text(op, args, bytes ? bytes.length : 0));
  for (let at = 0; bytes && at < bytes.length; at += 262144) put(data_frame(last_id, bytes.subarray(at, at + 262144)));
  return next_reply();
};
// As text: what came of a call.
const said = (reply) => (reply.ok ? 'ok' : reply.error.name + (reply.error.code ? ' ' + reply.error.code : ''));
