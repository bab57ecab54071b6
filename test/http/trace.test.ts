import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readServerTiming } from '../../src/client/server-timing.ts';
import { respond, startWebhookWorld, type WebhookWorld } from './admission/webhook-world.ts';
import { runCl, writeConfig } from './cl/cl-runner.ts';
import { request } from './http-client.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const tokens = [{ token: 'ann', username: 'ann', groups: [] }];

/** The filters of a request that passes all of them. */
const filters = [
  'filter.deadline',
  'filter.authenticate',
  'filter.limit-in-flight',
  'filter.impersonate',
  'filter.fair-queuing',
  'filter.allow-trace',
  'filter.authorize',
];

describe('?trace=true', () => {
  let world: WebhookWorld;
  before(async () => {
    world = await startWebhookWorld({ authorizationMode: ['RBAC'], tokens });
  });
  after(() => world[Symbol.asyncDispose]());

  async function traceOf(method: string, url: string, body?: unknown, headers: Record<string, string> = {}) {
    const answer = await request(world.server, method, url, body, headers);
    const steps = readServerTiming(answer.headers['server-timing']);
    return { answer, steps, decisions: new Map(steps.map(({ name, description }) => [name, description])) };
  }

  it('shows time and decision of each filter in the header Server-Timing', async () => {
    const { answer, steps, decisions } = await traceOf('GET', `${configMaps}?trace=true`);
    assert.equal(answer.status, 200);
    assert.deepEqual(
      steps.map(({ name }) => name),
      [...filters, 'handler', 'total'],
    );
    assert.equal(decisions.get('filter.authenticate'), 'passed: admin');
    const [total] = steps.slice(-1);
    const sum = steps.slice(0, -1).reduce((all, { durationMs }) => all + durationMs, 0);
    assert.ok(total && total.durationMs > 0 && sum <= total.durationMs + 0.1, JSON.stringify(steps));
    assert.equal((await traceOf('GET', configMaps)).answer.headers['server-timing'], undefined);
  });

  it('shows each admission plugin and webhook of a write, in the order in which they end', async () => {
    await world.configure('mutating', 'one', { name: 'change' });
    await world.configure('validating', 'two', { name: 'check' });
    const { answer, steps, decisions } = await traceOf('POST', `${configMaps}?trace=true`, { metadata: { name: 'a' } });
    assert.equal(answer.status, 201);
    const names = steps.map(({ name }) => name);
    const wanted = [
      'filter.authorize',
      'plugin.admit.NamespaceLifecycle',
      'webhook.admit.change.example.com',
      'plugin.admit.MutatingAdmissionWebhook',
      'webhook.validating.check.example.com',
      'plugin.validate.ValidatingAdmissionWebhook',
      'total',
    ];
    assert.deepEqual(
      names.filter((name) => wanted.includes(name)),
      wanted,
    );
    assert.equal(decisions.get('webhook.admit.change.example.com'), 'allowed (200)');
    assert.equal(decisions.get('plugin.admit.NamespaceLifecycle'), 'passed');
  });

  it('shows who refused a request, and why', async () => {
    world.at('/check', respond({ allowed: false, status: { code: 403, message: 'no "b"' } }));
    const { answer, decisions } = await traceOf('POST', `${configMaps}?trace=true`, { metadata: { name: 'b' } });
    assert.equal(answer.status, 403);
    assert.match(decisions.get('webhook.validating.check.example.com') ?? '', /^refused/);
    assert.match(
      decisions.get('plugin.validate.ValidatingAdmissionWebhook') ?? '',
      /^refused: .*denied the request: no "b"$/,
    );
  });

  it('shows the refusal of an impersonated user to the administrator who impersonates', async () => {
    const { answer, decisions } = await traceOf('GET', `${configMaps}?trace=true`, undefined, {
      'impersonate-user': 'ann',
    });
    assert.equal(answer.status, 403);
    assert.equal(decisions.get('filter.impersonate'), 'passed: ann');
    assert.match(decisions.get('filter.authorize') ?? '', /^refused: /);
  });

  it('is a warning for users who may not list roles and bindings, and nothing for refused credentials', async () => {
    const { answer } = await traceOf('GET', '/api?trace=true', undefined, { authorization: 'Bearer ann' });
    assert.equal(answer.headers['server-timing'], undefined);
    assert.match(String(answer.headers['warning']), /traces need the right to list roles and bindings/);
    const refused = await traceOf('GET', '/api?trace=true', undefined, { authorization: 'Bearer none' });
    assert.equal(refused.answer.status, 401);
    assert.equal(refused.answer.headers['server-timing'], undefined);
  });

  it('is a table of cl', async () => {
    const directory = await mkdtemp(path.join(tmpdir(), 'cl-trace-'));
    try {
      await writeConfig(directory, world.server.clientConfig);
      const { code, err } = await runCl(['--trace', 'get', 'configmaps'], { directory });
      assert.equal(code, 0, err);
      const lines = err.split('\n');
      assert.equal(lines[0], `GET ${configMaps}`);
      assert.match(lines[1] ?? '', /^STEP +NAME +MS +DECISION$/);
      assert.ok(
        lines.some((line) => /^filter +authenticate +\d+\.\d{3} +passed: admin$/.test(line)),
        lines.join('\n'),
      );
      assert.equal(lines.filter((line) => line.startsWith('GET ')).length, 1);
    } finally {
      await rm(directory, { recursive: true });
    }
  });
});
