import assert from 'node:assert/strict';
import { request } from '../http-client.ts';
import { readMetrics } from '../read-metrics.ts';
import { until } from '../until.ts';
import { type ClServer, startClServer } from './cl-runner.ts';

const path = '/api/v1/namespaces/default';
const watchesOfPods = /^apiserver_longrunning_requests\{(?=.*resource="pods").*verb="WATCH"/;

describe('cl wait and cl events', () => {
  let cl: ClServer;
  before(async () => {
    cl = await startClServer();
    await create('a');
  });
  after(() => cl[Symbol.asyncDispose]());

  const create = (name: string) =>
    request(cl.server, 'POST', `${path}/pods`, {
      metadata: { name, labels: { app: 'web' } },
      spec: { containers: [{ name: 'c', image: 'i' }] },
    });
  const ready = (name: string, status: string) =>
    request(
      cl.server,
      'PATCH',
      `${path}/pods/${name}/status`,
      { status: { conditions: [{ type: 'Ready', status }] } },
      {
        'content-type': 'application/merge-patch+json',
      },
    );
  const watches = async () => {
    const series = [...(await readMetrics(cl.server))].filter(([name]) => watchesOfPods.test(name));
    return series.reduce((sum, [, count]) => sum + count, 0);
  };
  /** Waits while the change happens. */
  const during = async (change: () => Promise<unknown>, ...args: readonly string[]) => {
    await until('the end of the last watch', async () => (await watches()) === 0);
    const waiting = cl.run('wait', ...args, '--timeout=20s');
    await until('the watch of the command', async () => (await watches()) > 0);
    await change();
    return waiting;
  };

  it('waits for a condition, a field, and for what is created and deleted', async () => {
    const met = (name: string) => ({ code: 0, out: `pod/${name} condition met\n`, err: '' });
    assert.deepEqual(await during(() => ready('a', 'True'), 'pod/a', '--for=condition=Ready'), met('a'));
    assert.deepEqual(
      await during(() => ready('a', 'False'), 'pod', '-l', 'app=web', '--for=condition=ready=false'),
      met('a'),
    );
    assert.deepEqual(await during(() => create('b'), 'pod/b', '--for=create'), met('b'));
    assert.deepEqual(await cl.run('wait', 'pod', 'a', '--for=jsonpath={.status.phase}=Pending'), met('a'));
    assert.deepEqual(await cl.run('wait', 'pod', 'a', '--for=jsonpath=.metadata.labels.app', '-o', 'name'), {
      ...met('a'),
      out: 'pod/a\n',
    });
    const gone = await during(
      () => request(cl.server, 'DELETE', `${path}/pods/b?gracePeriodSeconds=0`),
      'pod/b',
      '--for=delete',
    );
    assert.deepEqual(gone, met('b'));
    assert.deepEqual(await cl.run('wait', 'pod/b', '--for=delete'), { code: 0, out: '', err: '' });
  });

  const failures: readonly (readonly [args: string, err: string])[] = [
    ['pod/a --for=condition=Nope --timeout=200ms', 'error: timed out waiting for the condition on pods/a\n'],
    ['pod/a --for=delete --timeout=0', 'error: condition not met for pods/a\n'],
    ['pod/nope --for=condition=Ready', 'Error from server (NotFound): pods "nope" not found\n'],
    ['pod -l app=nope --for=condition=Ready', 'error: no matching resources found\n'],
  ];
  for (const [args, err] of failures) {
    it(`fails for ${args}`, async () => {
      assert.deepEqual(await cl.run('wait', ...args.split(' ')), { code: 1, out: '', err });
    });
  }

  it('explains what it can wait for', async () => {
    assert.match(
      (await cl.run('wait', 'pod/a', '--for=foo')).err,
      /unrecognized condition: "foo" \(--for is delete, create,/,
    );
    assert.match(
      (await cl.run('wait', 'pod', '--for=delete')).err,
      /no name was specified \(or select with -l or --all\)/,
    );
  });

  it('shows the events about an object, the latest last', async () => {
    const event = (name: string, fields: object) =>
      request(cl.server, 'POST', `${path}/events`, {
        metadata: { name },
        involvedObject: { kind: 'Pod', name: 'a', namespace: 'default' },
        ...fields,
      });
    const agoMs = (ms: number) => new Date(Date.now() - ms).toISOString().replace(/\.\d+Z$/, 'Z');
    const times = { firstTimestamp: agoMs(7_200_000), lastTimestamp: agoMs(10_800_000) };
    await event('late', {
      type: 'Warning',
      reason: 'Failed',
      message: 'no\nimage',
      count: 1,
      ...times,
      lastTimestamp: agoMs(60_000),
    });
    await event('early', { type: 'Normal', reason: 'Pulling', message: 'pulling', count: 3, ...times });
    const { out } = await cl.run('events', '--for=pod/a');
    assert.equal(
      out,
      [
        'LAST SEEN           TYPE      REASON    OBJECT   MESSAGE',
        '3h (x3 over 120m)   Normal    Pulling   Pod/a    pulling',
        '120m                Warning   Failed    Pod/a    no image',
        '',
      ].join('\n'),
    );
    assert.match(
      (await cl.run('events', '-A', '--types=warning', '--no-headers')).out,
      /^default {3}120m {3}Warning .*\n$/,
    );
    assert.equal((await cl.run('events', '-n', 'nope')).err, 'No events found in nope namespace.\n');
    assert.match((await cl.run('events', '--types=x')).err, /valid --types are Normal or Warning/);
    assert.match((await cl.run('events', '-o', 'jsonpath={.items[*].reason}')).out, /^Pulling Failed$/);
  });
});
