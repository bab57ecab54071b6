import assert from 'node:assert/strict';
import { Agent } from 'undici';
import { agentOf, request } from '../http-client.ts';
import { createNode, type NodeWorld, podsPath, startNodeWorld } from '../../node-agent/node-world.ts';
import { until } from '../until.ts';

/** A stop that waits for the end of the drain exceeds the time of its test. */
const longerThanTests = 3_600_000;

const several = { containers: ['c', 'd'], initContainers: ['first'] };

function containersOf(lists: Readonly<Record<string, readonly string[]>>): object {
  const container = (name: string): object => ({ name, image: 'i' });
  return Object.fromEntries(Object.entries(lists).map(([list, names]) => [list, names.map(container)]));
}

describe('pods/log', () => {
  let world: NodeWorld;

  before(async () => {
    world = await startNodeWorld();
    await world.createPod('several', { nodeName: 'n', ...containersOf(several) });
    await world.createPod('unscheduled', containersOf({ containers: ['c'] }));
    await world.createPod('lost', { nodeName: 'nowhere', ...containersOf({ containers: ['c'] }) });
    const created = await request(world.server, 'POST', '/api/v1/nodes', { metadata: { name: 'unreachable' } });
    assert.equal(created.status, 201);
    await world.createPod('unreachable', { nodeName: 'unreachable', ...containersOf({ containers: ['c'] }) });
    await createNode(world, 'down', 1);
    await world.createPod('down', { nodeName: 'down', ...containersOf({ containers: ['c'] }) });
    world.agent.log('first line');
    world.agent.log('second line');
  });
  after(() => world[Symbol.asyncDispose]());

  it('is the log of the only container, as text, read with the certificate of the server', async () => {
    const { status, headers, text } = await request(world.server, 'GET', `${podsPath}/p/log`);
    assert.deepEqual([status, headers['content-type'], text], [200, 'text/plain', 'first line\nsecond line\n']);
    const seen = world.agent.seen.at(-1);
    assert.equal(seen?.url, '/containerLogs/default/p/c');
    assert.equal(seen.clientAuthorized, true);
    assert.equal(seen.headers.authorization, undefined);
  });

  const forwarded: Readonly<Record<string, string>> = {
    'p/log?previous=1&timestamps=TRUE&sinceSeconds=5&tailLines=3&limitBytes=10&container=c':
      'p/c?limitBytes=10&previous=true&sinceSeconds=5&tailLines=3&timestamps=true',
    'p/log?timestamps=FALSE&previous=0&pretty=true&unknown=1': 'p/c',
    'p/log?previous=&timestamps': 'p/c?previous=true&timestamps=true',
    'p/log?sinceTime=2020-01-01T00:00:00.5%2B02:00': 'p/c?sinceTime=2019-12-31T22%3A00%3A00Z',
    'p/log?insecureSkipTLSVerifyBackend=true': 'p/c',
    'p/log?tailLines=1&tailLines=2': 'p/c?tailLines=1',
    'several/log?container=first': 'several/first',
  };
  for (const [sent, expected] of Object.entries(forwarded)) {
    it(`passes the options of ${sent} on`, async () => {
      assert.equal((await request(world.server, 'GET', `${podsPath}/${sent}`)).status, 200);
      assert.equal(world.agent.seen.at(-1)?.url, `/containerLogs/default/${expected}`);
    });
  }

  const least = 'must be greater than 0';
  const refused: readonly (readonly [path: string, status: number, message: string])[] = [
    ['p/log?sinceTime=bad', 400, 'parsing time "bad" as "2006-01-02T15:04:05Z07:00": cannot parse "bad" as "2006"'],
    ['p/log?sinceTime=2020-13-01T00:00:00Z', 400, 'parsing time "2020-13-01T00:00:00Z": month out of range'],
    ['p/log?sinceTime=2020-01-01T00:00:00Zx', 400, 'parsing time "2020-01-01T00:00:00Zx": extra text: "x"'],
    ['p/log?sinceSeconds=abc', 400, 'strconv.ParseInt: parsing "abc": invalid syntax'],
    ['none/log?tailLines=', 400, 'strconv.ParseInt: parsing "": invalid syntax'],
    [
      'p/log?tailLines=99999999999999999999',
      400,
      'strconv.ParseInt: parsing "99999999999999999999": value out of range',
    ],
    ['none/log?sinceSeconds=0', 422, `PodLogOptions "none" is invalid: sinceSeconds: Invalid value: 0: ${least}`],
    [
      'p/log?tailLines=-1&limitBytes=0&sinceSeconds=0&sinceTime=2020-01-01T00:00:00Z',
      422,
      'PodLogOptions "p" is invalid: [tailLines: Invalid value: -1: must be greater than or equal to 0, ' +
        `limitBytes: Invalid value: 0: ${least}, []: Forbidden: at most one of \`sinceTime\` or \`sinceSeconds\` may be specified]`,
    ],
    ['p/log?container=x', 400, 'container x is not valid for pod p'],
    ['several/log', 400, 'a container name must be specified for pod several, choose one of: [first c d]'],
    ['unscheduled/log?container=x', 400, 'container x is not valid for pod unscheduled'],
    ['lost/log', 404, 'pods "nowhere" not found'],
    ['none/log', 404, 'pods "none" not found'],
    ['unreachable/log', 500, 'no preferred addresses found; known addresses: []'],
    [
      'down/log?tailLines=3',
      500,
      'Get "https://127.0.0.1:1/containerLogs/default/down/c?tailLines=3": dial tcp 127.0.0.1:1: connect: connection refused',
    ],
  ];
  for (const [path, status, message] of refused) {
    it(`answers ${status} to ${path}`, async () => {
      const response = await request(world.server, 'GET', `${podsPath}/${path}`);
      assert.deepEqual([response.status, (response.body as { message: string }).message], [status, message]);
    });
  }

  it('is nothing for a pod that is not scheduled', async () => {
    const { status, text } = await request(world.server, 'GET', `${podsPath}/unscheduled/log`);
    assert.deepEqual([status, text], [204, '']);
  });

  it('goes on with a log that is followed, over HTTP/2 too, until its reader leaves', async () => {
    const { url, ca, token } = world.server;
    const http2 = new Agent({ connect: { ca }, allowH2: true, bodyTimeout: 0 });
    for (const dispatcher of [agentOf(world.server), http2]) {
      const stop = new AbortController();
      const { body } = await dispatcher.request({
        origin: url,
        path: `${podsPath}/p/log?follow=true&tailLines=0`,
        method: 'GET',
        headers: { authorization: `Bearer ${token}` },
        signal: stop.signal,
      });
      let text = '';
      const reading = (async () => {
        for await (const chunk of body) text += String(chunk);
      })().catch(() => {});
      world.agent.log('followed');
      await until('the line arrives', () => text === 'followed\n');
      stop.abort();
      await reading;
    }
    await http2.destroy();
  });
});

describe('the connections for logs', () => {
  it('are kept, and replaced when the node agent has closed them', async () => {
    await using world = await startNodeWorld();
    const read = async (): Promise<void> => {
      assert.equal((await request(world.server, 'GET', `${podsPath}/p/log`)).status, 200);
    };
    for (let count = 0; count < 5; count++) await read();
    assert.equal(world.agent.connections, 1);
    for (let count = 0; count < 5; count++) {
      world.agent.closeIdle();
      await read();
    }
    assert.equal(world.agent.connections, 6);
    await Promise.all(Array.from({ length: 20 }, read));
    await read();
  });
});

describe('a log that is followed', () => {
  it('waits for a reader that pauses, longer than others may', async () => {
    await using world = await startNodeWorld({ stuckReaderMs: 100 });
    const { url, token } = world.server;
    const { body } = await agentOf(world.server).request({
      origin: url,
      path: `${podsPath}/p/log?follow=true`,
      method: 'GET',
      headers: { authorization: `Bearer ${token}` },
    });
    const line = 'x'.repeat(1024 * 1024);
    for (let count = 0; count < 30; count++) world.agent.log(line);
    // Longer than the server lets the readers of other responses pause.
    await new Promise((resolve) => setTimeout(resolve, 600));
    let length = 0;
    for await (const chunk of body) {
      length += (chunk as Buffer).length;
      if (length === 30 * (line.length + 1)) break;
    }
    assert.equal(length, 30 * (line.length + 1));
  });

  it('ends when the server stops', async () => {
    const world = await startNodeWorld({ drainTimeoutMs: longerThanTests });
    const { url, token } = world.server;
    const { body } = await agentOf(world.server).request({
      origin: url,
      path: `${podsPath}/p/log?follow=true`,
      method: 'GET',
      headers: { authorization: `Bearer ${token}` },
    });
    const [text] = await Promise.all([body.text(), world.server.stop()]);
    assert.equal(text, '');
    await world.agent[Symbol.asyncDispose]();
  });
});
