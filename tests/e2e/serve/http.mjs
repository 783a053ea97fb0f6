// `glovebox serve --http`: who is admitted, by which host name, through TLS; and the inspector on both transports.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { request as http_request } from 'node:http';
import { request as https_request } from 'node:https';
import { join } from 'node:path';
import { run_cases } from './cases.mjs';
import { connect } from './clients.mjs';
import { Workspace, descendants, eventually, is_alive, packages, program } from './workspace.mjs';

const hello = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } } });

// fetch does not allow setting the Host header.
function post(url, headers, body = hello, more = {}) {
  const send = url.startsWith('https') ? https_request : http_request;
  return new Promise((done, fail) => {
    const request = send(url, { method: 'POST', headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', ...headers }, ...more }, (response) => {
      let text = '';
      response.on('data', (data) => { text += data; });
      response.on('end', () => done({ status: response.statusCode, text, headers: response.headers }));
    });
    request.on('error', fail);
    request.end(body);
  });
}

await run_cases({
  async nobody_without_the_token(owned) {
    const workspace = owned(new Workspace());
    const { url, token } = await workspace.serve_http();
    assert(token.length >= 32);
    for (const headers of [{}, { Authorization: 'Bearer ' }, { Authorization: `Bearer ${token}x` }, { Authorization: `Bearer ${token.slice(1)}` }, { Authorization: token }, { Authorization: `Basic ${token}` }]) {
      const refused = await post(url, headers);
      assert.equal(refused.status, 401, JSON.stringify(headers));
      assert(refused.headers['www-authenticate']);
      assert.doesNotMatch(refused.text, /serverInfo/);
    }
    const welcome = await post(url, { Authorization: `Bearer ${token}` });
    assert.equal(welcome.status, 200);
    assert.match(welcome.text, /"serverInfo"/);
    // In a URL it would end up in logs.
    assert.equal((await post(`${url}?token=${token}`, {})).status, 401);
    assert.equal((await post(`${url}?access_token=${token}`, {})).status, 401);
  },

  // Standard error may be a journal, which other users of the machine read.
  async a_new_token_is_for_the_owner_alone(owned) {
    const workspace = owned(new Workspace());
    const gateway = await workspace.serve_http();
    assert.equal(gateway.err.includes(gateway.token), false);
    assert.equal(statSync(gateway.token_file).mode & 0o7777, 0o600);
    assert.equal((await post(gateway.url, { Authorization: `Bearer ${gateway.token}` })).status, 200);
    gateway.kill('SIGTERM');
    const { out, err } = await gateway.ended;
    assert.equal((out + err).includes(gateway.token), false);
    assert.equal(existsSync(gateway.token_file), false);
  },

  async no_other_name_and_no_other_site(owned) {
    const workspace = owned(new Workspace());
    const { url, token } = await workspace.serve_http();
    const port = new URL(url).port;
    const Authorization = `Bearer ${token}`;
    for (const headers of [{ Host: 'evil.example' }, { Host: `evil.example:${port}` }, { Host: `127.0.0.1.evil.example:${port}` }, { Host: `localhost.evil.example:${port}` },
      { Origin: 'https://evil.example' }, { Origin: 'null' }, { Origin: `http://127.0.0.1.evil.example:${port}` }, { Origin: 'http://localhost@evil.example' }]) {
      assert.equal((await post(url, { Authorization, ...headers })).status, 403, JSON.stringify(headers));
      assert.equal((await post(new URL('/api/v1/workspaces/1/approvals/x', url).href, { Authorization, ...headers }, '{"decision":"approve"}')).status, 403, `approvals ${JSON.stringify(headers)}`);
    }
    for (const headers of [{ Host: `localhost:${port}` }, { Origin: `http://localhost:${port}` }]) {
      assert.equal((await post(url, { Authorization, ...headers })).status, 200, JSON.stringify(headers));
    }
  },

  // Open means open to this machine, but not to pages of other sites.
  async open_is_for_loopback_only(owned) {
    const workspace = owned(new Workspace());
    const { url } = await workspace.serve_http('--open');
    assert.equal((await post(url, {})).status, 200);
    assert.equal((await post(url, { Origin: 'https://evil.example' })).status, 403);
    assert.equal((await post(url, { Host: 'evil.example' })).status, 403);
    const wide = await workspace.start(program, ['serve', '--workspace', workspace.folder, '--http', '0.0.0.0:0', '--open'], { stdio: ['ignore', 'pipe', 'pipe'] }).ended;
    assert.equal(wide.code, 2);
    assert.match(wide.err, /loopback/);
  },

  async both_clients_with_the_token_of_the_config(owned) {
    const workspace = owned(new Workspace({ http: { token: 'correct horse battery staple 123456'.replaceAll(' ', '-') } }));
    const http = await workspace.serve_http();
    assert.doesNotMatch(http.err, /correct-horse/, 'a token that the owner knows is not printed');
    for (const era of ['legacy', 'modern']) {
      const agent = owned(await connect(workspace, { era, http }));
      // The client of 2026 reads answers over HTTP past its transport, and the one before drops what comes with the
      // answer.
      const heard = [];
      const outcome = await agent.execute(`console.log('half'); return (await Promise.all([1, 2, 3].map((n) => mcp.ledger.post({ n })))).length`, {}, { onprogress: (report) => heard.push(report) });
      assert.equal(outcome.result, 3);
      assert([...heard, ...agent.progress].some((report) => report.message.split('\n').includes('half')));
    }
  },

  async cancellation_over_http(owned) {
    const workspace = owned(new Workspace());
    const http = await workspace.serve_http();
    for (const era of ['legacy', 'modern']) {
      const made = workspace.calls().length;
      const agent = owned(await connect(workspace, { era, http }));
      const stop = new AbortController();
      const running = agent.execute('await mcp.ledger.slow({ ms: 60000 })', { intent: era }, { signal: stop.signal });
      running.catch(() => {});
      await eventually(() => workspace.calls().length > made, 'it runs');
      stop.abort('enough');
      await assert.rejects(running);
      await eventually(async () => (await workspace.json('runs', 'ls', '--status', 'cancelled')).runs.some((run) => run.intent === era), 'the run is cancelled');
    }
  },

  async tls_by_certificate_files(owned) {
    const workspace = owned(new Workspace());
    const [certificate, key] = ['cert.pem', 'key.pem'].map((name) => join(workspace.folder, name));
    execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', certificate, '-days', '2', '-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'], { stdio: 'ignore' });
    const { url, token } = await workspace.serve_http('--tls-cert', certificate, '--tls-key', key);
    assert.match(url, /^https:/);
    const headers = { Authorization: `Bearer ${token}` };
    await assert.rejects(post(url, headers), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
    const welcome = await post(url, headers, hello, { ca: readFileSync(certificate) });
    assert.equal(welcome.status, 200);
    assert.match(welcome.text, /"serverInfo"/);
    assert.equal((await post(url, {}, hello, { ca: readFileSync(certificate) })).status, 401);
    await assert.rejects(post(url.replace('https:', 'http:'), headers), 'without TLS nobody answers');
    await assert.rejects(post(url, headers, hello, { ca: readFileSync(certificate), maxVersion: 'TLSv1.1', minVersion: 'TLSv1' }), 'nor in an old one');
    // And the SDK, which uses fetch: it gets the certificate from its environment.
    const script = `
      import { connect } from ${JSON.stringify(new URL('./clients.mjs', import.meta.url).href)};
      const agent = await connect(null, { era: process.argv[1], http: { url: ${JSON.stringify(url)}, token: ${JSON.stringify(token)} } });
      console.log(JSON.stringify((await agent.execute('return await mcp.ledger.post({ n: 1 })')).result));
      await agent.close();`;
    for (const era of ['legacy', 'modern']) {
      const child = workspace.start(process.execPath, ['--input-type=module', '-e', script, era], { env: { PATH: process.env.PATH, NODE_EXTRA_CA_CERTS: certificate } });
      const ended = await child.ended;
      assert.equal(ended.out, '{"posted":{"n":1}}\n', ended.err);
    }
    const half = await workspace.start(program, ['serve', '--workspace', workspace.folder, '--http', '127.0.0.1:0', '--tls-cert', certificate], { stdio: ['ignore', 'pipe', 'pipe'] }).ended;
    assert.equal(half.code, 2, 'a certificate without its key is no reason to go without TLS');
  },

  async the_inspector(owned) {
    const workspace = owned(new Workspace());
    const inspector = async (target, ...words) => {
      const child = workspace.start(process.execPath, [join(packages, 'inspector/clients/launcher/build/index.js'), '--cli', ...target, ...words], { stdio: ['ignore', 'pipe', 'pipe'] });
      const ended = await child.ended;
      assert.equal(ended.code, 0, ended.err + ended.out);
      return JSON.parse(ended.out);
    };
    const http = await workspace.serve_http();
    for (const target of [['env', `GLOVEBOX_TRUSTED_FOLDERS=${workspace.folder}`, program, 'serve', '--workspace', workspace.folder], [http.url, '--transport', 'http', '--header', `Authorization: Bearer ${http.token}`]]) {
      const { tools } = await inspector(target, '--method', 'tools/list');
      assert(tools.some((tool) => tool.name === 'execute_code'));
      const said = await inspector(target, '--method', 'tools/call', '--tool-name', 'execute_code', '--tool-arg', 'code=return (await mcp.ledger.post({ n: 7 })).posted.n');
      assert.equal(said.structuredContent.result, 7);
    }
    assert.equal(workspace.calls('post').length, 2);
  },

  async a_signal_ends_it_with_all_it_started(owned) {
    const workspace = owned(new Workspace());
    const http = await workspace.serve_http();
    const agent = owned(await connect(workspace, { http }));
    await agent.execute('return await mcp.ledger.post({ n: 1 })');
    const family = descendants(http.pid);
    assert(family.length > 1);
    http.kill('SIGTERM');
    assert.equal((await http.ended).code, 0);
    await eventually(() => !family.some((one) => is_alive(one.pid)), 'nobody is left');
  },
});
