// Inside the Deno Worker: runs one function body on a context, as the glovebox guest does.
const AsyncFunction = (async () => {}).constructor;
self.onmessage = async ({ data: [code, context_json] }) => {
  const result = await new AsyncFunction("context", code)(JSON.parse(context_json));
  self.postMessage(JSON.stringify(result));
};
