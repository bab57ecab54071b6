import assert from 'node:assert/strict';
import { patchWith, respond, rule, startWebhookWorld, type WebhookWorld } from '../admission/webhook-world.ts';
import { request } from '../http-client.ts';
import { sendRaw } from '../raw-socket.ts';
import { type NodeWorld, podsPath, startNodeWorld } from '../../node-agent/node-world.ts';

describe('admission of a connection', () => {
  let world: NodeWorld;
  let hooks: WebhookWorld;

  before(async () => {
    world = await startNodeWorld();
    hooks = await startWebhookWorld({ server: world.server });
    const rules = [rule('', 'pods/exec', 'nodes/proxy')];
    await hooks.configure('mutating', 'm', { name: 'm', rules });
    await hooks.configure('validating', 'v', { name: 'v', rules });
  });
  after(async () => {
    await hooks.hooks.stop();
    await world[Symbol.asyncDispose]();
  });
  beforeEach(() => hooks.seen.splice(0));

  function exec(query: string) {
    const { server } = world;
    const head = [`POST ${podsPath}/p/exec?${query} HTTP/1.1`, `Host: ${new URL(server.url).host}`];
    const lines = [`Authorization: Bearer ${server.token}`, 'Connection: Upgrade', 'Upgrade: SPDY/3.1', '', ''];
    return sendRaw(server, [...head, ...lines].join('\r\n'));
  }

  it('sees the options once in each phase, and may change what is forwarded', async () => {
    hooks.at('/m', patchWith({ op: 'replace', path: '/command', value: ['changed'] }));
    assert.equal((await exec('command=sent&container=c')).status, 101);
    assert.equal(world.agent.seen.at(-1)?.url, '/exec/default/p/c?command=changed');
    assert.deepEqual(
      hooks.seen.map(({ path, request: { operation } }) => `${operation} ${path}`),
      ['CONNECT /m', 'CONNECT /v'],
    );
  });

  it('sees the decoded path of a proxy, and may change it', async () => {
    hooks.at('/m', respond({}));
    await request(world.server, 'GET', '/api/v1/nodes/n/proxy/a%2Fb/%C3%A9');
    assert.equal(world.agent.seen.at(-1)?.url, '/a/b/%C3%A9');
    const { object } = hooks.seen[0]?.request ?? {};
    assert.deepEqual(object, { kind: 'NodeProxyOptions', apiVersion: 'v1', path: '/a/b/é' });
    hooks.at('/m', patchWith({ op: 'replace', path: '/path', value: '/ü' }));
    await request(world.server, 'GET', '/api/v1/nodes/n/proxy/x');
    assert.equal(world.agent.seen.at(-1)?.url, '/%C3%BC');
  });

  it('refuses a connection before anything is reached', async () => {
    hooks.at('/v', respond({ allowed: false, status: { code: 403, message: 'no shells' } }));
    const before = world.agent.seen.length;
    const { status, text } = await exec('command=ls');
    assert.equal(status, 403);
    assert.match(text, /no shells/);
    assert.equal(world.agent.seen.length, before);
  });
});
