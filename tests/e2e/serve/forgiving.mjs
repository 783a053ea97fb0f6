// Mistakes that agents make with tools end in a result or in an answer that says what to write: forgiven.case.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run_cases } from './cases.mjs';
import { connect } from './clients.mjs';
import { Workspace, is_checked, repeated } from './workspace.mjs';

const here = dirname(fileURLToPath(import.meta.url));

// [{ name, arguments?, code?, result?, tells? }]
function read_cases(file) {
  return readFileSync(file, 'utf8').split(/^=== /m).slice(1).map((text) => {
    const [head, ...sections] = text.split(/^--- /m);
    const parts = sections.map((section) => {
      const end = section.indexOf('\n');
      return [section.slice(0, end), section.slice(end + 1).replace(/\n+$/, '')];
    });
    return { name: head.trim(), ...Object.fromEntries(parts) };
  });
}

await run_cases({
  async every_mistake(owned) {
    const workspace = owned(new Workspace({ permissions: { allow: ['shop', 'everything'], deny: ['shop:send_email'] } }));
    workspace.config.mcpServers = { everything: workspace.npm_server('server-everything'),
      shop: { command: process.execPath, args: [join(here, 'shop.mjs')], env: { LEDGER: workspace.ledger_file } } };
    workspace.write_config();
    const agent = owned(await connect(workspace));
    // Lets the servers list their tools: on a busy machine the check does not wait for them forever.
    await agent.call('describe_tools', { tools: ['everything', 'shop'] });
    const failed = [];
    for (const one of read_cases(join(here, 'forgiven.case'))) {
      const args = { ...(one.code === undefined ? {} : { code: one.code }), ...JSON.parse(one.arguments ?? '{}') };
      const attempt = () => agent.call('execute_code', args).catch((error) => ({ isError: true, content: [{ text: error.message }] }));
      // A check that ran out of time on a busy machine is repeated.
      const said = await repeated(attempt, (answer) => is_checked(JSON.stringify(answer)));
      const { text } = said.content[0];
      try {
        if (one.result !== undefined) {
          const wanted = JSON.parse(one.result);
          assert(!said.isError, text);
          // Text may be there unquoted.
          if (text !== wanted) assert.deepEqual(JSON.parse(text), wanted);
        } else {
          assert(said.isError, text);
          for (const pattern of one.tells.split('\n')) assert.match(text, new RegExp(pattern));
        }
      } catch (error) {
        failed.push(`${one.name}: ${error.message}\n${text}`);
      }
    }
    assert.equal(failed.join('\n\n'), '');
  },
});
