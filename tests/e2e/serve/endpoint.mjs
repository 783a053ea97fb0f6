// An endpoint like OpenAI's /v1/embeddings on loopback, as good or as bad as a test wants it. It keeps the requests.
import { createServer } from 'node:http';

// A vector that counts words, so that texts which share words are near each other.
function vector_of(text, dimensions) {
  const vector = new Array(dimensions).fill(0.001);
  for (const word of text.toLowerCase().match(/[a-z]+/g) ?? []) {
    let hash = 7;
    for (const letter of word) hash = (hash * 31 + letter.charCodeAt(0)) >>> 0;
    vector[hash % dimensions] += 1;
  }
  return vector;
}

export class Endpoint {
  mode = 'good';
  requests = [];

  static async start() {
    const endpoint = new Endpoint();
    endpoint.server = createServer((request, response) => {
      let body = '';
      request.on('data', (data) => { body += data; });
      request.on('end', () => endpoint.#answer(request, JSON.parse(body), response));
    });
    await new Promise((done) => endpoint.server.listen(0, '127.0.0.1', done));
    endpoint.url = `http://127.0.0.1:${endpoint.server.address().port}/v1`;
    return endpoint;
  }

  get texts() { return this.requests.flatMap((request) => request.body.input); }

  #answer(request, body, response) {
    this.requests.push({ path: request.url, key: request.headers.authorization, body });
    const say = (status, text) => response.writeHead(status, { 'content-type': 'application/json' }).end(text);
    const vectors = (dimensions) => JSON.stringify({
      object: 'list', model: body.model,
      data: body.input.map((text, index) => ({ object: 'embedding', index, embedding: vector_of(text, dimensions) })),
    });
    switch (this.mode) {
      case 'good': return say(200, vectors(body.dimensions ?? 64));
      case 'slow': return;  // forever
      case 'wrong dimensions': return say(200, vectors(3));
      case '401': return say(401, JSON.stringify({ error: { message: `Incorrect API key provided: ${request.headers.authorization}` } }));
      case 'not JSON': return response.writeHead(200, { 'content-type': 'text/html' }).end('<html>welcome</html>');
      case 'elsewhere': return response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end();
      default: throw new Error(this.mode);
    }
  }

  close() {
    this.server.closeAllConnections();
    return new Promise((done) => this.server.close(done));
  }
}
