import assert from 'node:assert/strict';
import { appendFile, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runCl, startCl } from './cl-runner.ts';

/** A line of an audit log. */
function line(user: string, verb: string, code: number, more: object = {}): string {
  const event = {
    kind: 'Event',
    stage: 'ResponseComplete',
    requestURI: '/api/v1/namespaces/shop/pods/web',
    verb,
    user: { username: user },
    objectRef: { resource: 'pods', namespace: 'shop', name: 'web' },
    responseStatus: { code },
    requestReceivedTimestamp: '2026-11-29T10:00:00.000000Z',
    stageTimestamp: '2026-11-29T10:00:00.012000Z',
    ...more,
  };
  return `${JSON.stringify(event)}\n`;
}

describe('cl audit tail', () => {
  let directory: string;
  let log: string;
  before(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'cl-audit-'));
    log = path.join(directory, 'audit.log');
  });
  after(() => rm(directory, { recursive: true }));
  beforeEach(() =>
    writeFile(
      log,
      [
        line('ann', 'get', 200, { stage: 'RequestReceived' }),
        line('ann', 'get', 200),
        'no event\n',
        line('ann', 'delete', 403, { impersonatedUser: { username: 'bob' } }),
        line('eve\u001b[2J', 'create', 201, {
          objectRef: { resource: 'deployments', apiGroup: 'apps', subresource: 'scale', name: 'web' },
        }),
        line('ann', 'get', 500, { objectRef: undefined, requestURI: '/healthz' }),
      ].join(''),
    ),
  );

  const rows = async (...args: string[]): Promise<string[]> => {
    const { code, out, err } = await runCl(['audit', 'tail', 'audit.log', ...args], { directory });
    assert.deepEqual([code, err], [0, '']);
    return out.trimEnd().split('\n');
  };
  const shown = async (...args: string[]): Promise<string[][]> =>
    (await rows(...args)).slice(1).map((row) => row.split(/ {2,}/).slice(1));

  it('shows the last requests as a table, without control characters', async () => {
    assert.match((await rows())[0] ?? '', /^TIME +STATUS +MS +USER +VERB +NAMESPACE +RESOURCE$/);
    assert.deepEqual(await shown(), [
      ['200', '12', 'ann', 'get', 'shop', 'pods/web'],
      ['403', '12', 'ann as bob', 'delete', 'shop', 'pods/web'],
      ['201', '12', 'eve\ufffd[2J', 'create', '-', 'deployments.apps/web/scale'],
      ['500', '12', 'ann', 'get', '-', '/healthz'],
    ]);
    assert.deepEqual(await shown('--tail=1'), [['500', '12', 'ann', 'get', '-', '/healthz']]);
  });

  it('filters by user, verb, type, namespace and status', async () => {
    const verbs = async (...args: string[]): Promise<(string | undefined)[]> =>
      (await shown(...args)).map((cells) => cells[3]);
    assert.deepEqual(await verbs('--user=bob'), ['delete']);
    assert.deepEqual(await verbs('--verb=create,delete'), ['delete', 'create']);
    assert.deepEqual(await verbs('--resource=deployments.apps'), ['create']);
    assert.deepEqual(await verbs('--resource=deployments/scale,pods'), ['get', 'delete', 'create']);
    assert.deepEqual(await verbs('-n', 'shop', '--status=4xx'), ['delete']);
    assert.deepEqual(await verbs('--status=201,500-599'), ['create', 'get']);
    const wrong = await runCl(['audit', 'tail', 'audit.log', '--status=many'], { directory });
    assert.match(wrong.err, /^error: --status: "many" is no code of a response \(use 403, 4xx or 400-499\)\n$/);
  });

  it('prints the events as they are, with escapes for control characters', async () => {
    await appendFile(log, line('c1\u009b', 'list', 200));
    const [event = ''] = await rows('-o', 'json', '--verb=list');
    assert.ok(event.includes(String.raw`c1\u009b`));
    assert.equal((JSON.parse(event) as { user: { username: string } }).user.username, 'c1\u009b');
  });

  it('follows the log when it is replaced, and the log of another worker', async () => {
    await writeFile(path.join(directory, 'audit-2.log'), '');
    const following = startCl(['audit', 'tail', 'audit.log', '-f', '--tail=0', '--status=2xx'], { directory });
    // The first event shows that it reads.
    const pulse = setInterval(() => void appendFile(log, line('pulse', 'get', 200)), 20);
    await following.until(/pulse/);
    clearInterval(pulse);
    const half = line('halves', 'watch', 200);
    await appendFile(log, half.slice(0, 40));
    await appendFile(log, half.slice(40) + line('refused', 'get', 403));
    await following.until(/halves/);
    await rename(log, path.join(directory, 'audit-2026-11-29T10-00-00.000.log'));
    await writeFile(log, line('new-file', 'get', 200));
    await following.until(/new-file/);
    await appendFile(path.join(directory, 'audit-2.log'), line('worker', 'get', 200));
    await following.until(/worker/);
    assert.equal(await following.interrupt(), 130);
    assert.doesNotMatch(following.out(), /refused/);
  });

  it('finds the last requests of a file of several megabytes', async () => {
    const filler = line('filler', 'list', 200, { annotations: { text: 'x'.repeat(1000) } });
    await writeFile(log, line('early', 'get', 200) + filler.repeat(3000) + line('torn', 'get', 200).slice(0, 30));
    assert.deepEqual(
      (await shown('--user=early')).map((cells) => cells[2]),
      ['early'],
    );
    assert.equal((await shown('--tail=3')).length, 3);
  });

  it('says how to get a log where there is none', async () => {
    const plane = await runCl(['audit', 'tail'], { directory });
    assert.match(plane.err, /^error: no control plane runs on .*\.cl \(start it with "cl up --audit-log-path=FILE"/);
    const none = await runCl(['audit', 'tail', 'none.log'], { directory });
    assert.match(none.err, /^error: .*none\.log does not exist/);
    assert.equal(none.code, 1);
  });
});
