import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { startControllers } from '../../../../src/controllers/manager/start-controllers.ts';
import { identifiersOf } from '../../../../src/identifiers/identifiers.ts';
import { until } from '../../../http/until.ts';
import { answer, startTlsServer } from '../../outbound/start-tls-server.ts';

const identifiers = identifiersOf('cluster');

describe('the controllers of a manager', () => {
  it('are those of the flags, without the garbage collector if that is off', () => {
    const settings = { server: 'https://127.0.0.1:1', namespace: 'default' };
    const namesOf = (options: object): readonly string[] =>
      startControllers({ settings, identifiers, options }, AbortSignal.abort()).names;
    const all = namesOf({});
    assert.ok(all.includes('garbage-collector-controller'));
    assert.deepEqual(
      namesOf({ 'enable-garbage-collector': false }),
      all.filter((name) => name !== 'garbage-collector-controller'),
    );
  });

  it('work on as many objects at a time as their flag says', async () => {
    const server = await startTlsServer();
    const writes: (() => void)[] = [];
    const services = ['a', 'b', 'c', 'd'].map((name) => ({
      metadata: { name, namespace: 'default', resourceVersion: '1', uid: name },
      spec: { selector: { app: name }, ports: [{ port: 80 }] },
    }));
    server.handle = (asked, response) => {
      if (asked.url.includes('watch=')) return;
      if (asked.method === 'POST') {
        writes.push(() => answer(response, 201, { ...JSON.parse(asked.body), apiVersion: 'v1', kind: 'Endpoints' }));
        return;
      }
      const items = asked.url.includes('/services?') ? services : [];
      answer(response, 200, { kind: 'List', apiVersion: 'v1', metadata: { resourceVersion: '1' }, items });
    };
    const stop = new AbortController();
    const options = { controllers: ['endpoint'], 'concurrent-endpoint-syncs': 2 };
    const running = startControllers({ settings: server.settings, identifiers, options }, stop.signal);
    await until('the first writes', () => writes.length === 2);
    await sleep(50);
    assert.equal(writes.length, 2);
    stop.abort();
    for (const end of writes) end();
    await running.ended;
    await server.stop();
  });

  it('start one after the other, at the interval of the flag', async () => {
    const server = await startTlsServer();
    server.handle = (asked, response) => {
      if (asked.url.includes('watch=')) return;
      answer(response, 200, { kind: 'List', apiVersion: 'v1', metadata: { resourceVersion: '1' }, items: [] });
    };
    const listed = (resource: string): boolean => server.seen.some(({ url }) => url.includes(`/${resource}?`));
    const stop = new AbortController();
    const options = { controllers: ['ttl-after-finished', 'endpoint'], 'controller-start-interval': 400 };
    const running = startControllers({ settings: server.settings, identifiers, options }, stop.signal);
    const [first, second] = running.names[0] === 'endpoint' ? ['services', 'jobs'] : ['jobs', 'services'];
    await until('the first', () => listed(first));
    await sleep(0);
    assert.ok(!listed(second));
    await until('the second', () => listed(second));
    stop.abort();
    await running.ended;
    await server.stop();
  });
});
