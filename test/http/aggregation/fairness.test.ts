import assert from 'node:assert/strict';
import { setMaxListeners } from 'node:events';
import type { ServerResponse } from 'node:http';
import { agentOf, request } from '../http-client.ts';
import { readMetrics } from '../read-metrics.ts';
import { until } from '../until.ts';
import { type AggregatedWorld, startAggregatedWorld } from './aggregated-world.ts';

const group = 'things.example.com';
const things = `/apis/${group}/v1/namespaces/default/things`;

describe('requests that are passed on, under fair queuing', () => {
  let world: AggregatedWorld;
  const held: ServerResponse[] = [];

  before(async () => {
    const tokens = [{ token: 'noisy-token', username: 'noisy', groups: [] }];
    // Two seats for all users but administrators.
    world = await startAggregatedWorld({ tokens, maxRequestsInFlight: 12, maxMutatingRequestsInFlight: 12 });
    await world.serve(group);
    world.at(`${things}/held`, (_, response) => void held.push(response));
    world.at(things, (_, response) => void response.writeHead(200).write('{}'));
  });
  after(() => world[Symbol.asyncDispose]());

  /** Sends a request as the user whose requests share the seats. */
  function begin(path: string, signal: AbortSignal) {
    const { server } = world;
    const headers = { authorization: 'Bearer noisy-token' };
    return agentOf(server).request({ origin: server.url, path, method: 'GET', headers, signal });
  }

  async function metric(name: string): Promise<number> {
    const labels = 'flow_schema="global-default",priority_level="global-default"';
    return (await readMetrics(world.server)).get(`apiserver_flowcontrol_${name}{${labels}}`) ?? 0;
  }

  it('hold seats until they are answered, and wait for them', async () => {
    const end = new AbortController();
    setMaxListeners(20, end.signal);
    const answers = Array.from({ length: 5 }, () => begin(`${things}/held`, end.signal));
    await until('three to wait', async () => (await metric('current_inqueue_requests')) === 3);
    await until('two at the backend', () => held.length === 2);
    assert.equal((await request(world.server, 'GET', `${things}/other`)).status, 200);
    for (let released = 0; released < 5; released++) {
      await until('the next at the backend', () => held.length > released);
      held[released]?.end('{}');
    }
    const statuses = (await Promise.all(answers)).map(({ statusCode }) => statusCode);
    assert.deepEqual(statuses, [200, 200, 200, 200, 200]);
    await until('free seats', async () => (await metric('current_executing_requests')) === 0);
  });

  it('have no seat as watches that have begun', async () => {
    const end = new AbortController();
    const watches = Array.from({ length: 6 }, () => begin(`${things}?watch=1`, end.signal));
    for (const watch of watches) assert.equal((await watch).statusCode, 200);
    assert.equal(await metric('current_executing_requests'), 0);
    end.abort();
  });
});
