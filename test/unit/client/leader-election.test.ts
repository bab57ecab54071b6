import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, createClient } from '../../../src/client/client.ts';
import { type LeaderElectionOptions, type Lease, runLeaderElection } from '../../../src/client/leader-election.ts';
import { until } from '../../http/until.ts';
import { answer, startTlsServer, type TlsServer } from '../outbound/start-tls-server.ts';

const reference = { group: 'coordination.cl.io', version: 'v1', resource: 'leases', namespaced: true } as const;

async function ended(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}

describe('leader election', () => {
  let server: TlsServer;
  let client: Client;
  let lease: Lease | undefined;
  let version: number;
  let broken: boolean;

  /** A server of one Lease, with the compare-and-swap of the real one. */
  function serveLease(): void {
    server.handle = ({ method, body }, response) => {
      const fail = (code: number, reason: string) =>
        answer(response, code, { kind: 'Status', code, reason, message: reason });
      const store = () => {
        version += 1;
        const value: Lease = JSON.parse(body);
        lease = { ...value, metadata: { ...value.metadata, resourceVersion: String(version) } };
        answer(response, 200, lease);
      };
      if (broken) return void response.socket?.destroy();
      if (method === 'GET') return lease ? answer(response, 200, lease) : fail(404, 'NotFound');
      if (method === 'POST') return lease ? fail(409, 'AlreadyExists') : store();
      const sent: Lease = JSON.parse(body);
      return sent.metadata?.resourceVersion === lease?.metadata?.resourceVersion ? store() : fail(409, 'Conflict');
    };
  }

  before(async () => {
    server = await startTlsServer();
  });
  after(() => server.stop());
  beforeEach(() => {
    lease = undefined;
    version = 0;
    broken = false;
    serveLease();
    client = createClient(server.settings);
  });
  afterEach(() => client.close());

  /** No renewal takes so long that the lease is lost, however busy the machine is. */
  const patient = { leaseDurationMs: 120_000, renewDeadlineMs: 60_000 };
  /** A pause of the process ends them, a busy machine does not. */
  const pausable = { leaseDurationMs: 3000, renewDeadlineMs: 2000 };
  const pauseMs = 2100;
  const candidate = (identity: string, lead: LeaderElectionOptions['lead'], times = {}): LeaderElectionOptions => ({
    leases: client.resource<Lease>(reference),
    namespace: 'cl-system',
    name: 'manager',
    identity,
    lead,
    leaseDurationMs: 1000,
    renewDeadlineMs: 400,
    retryPeriodMs: 20,
    ...times,
  });

  it('creates the lease, leads, renews, and gives it back when stopped', async () => {
    const stop = new AbortController();
    let leaderSaw: Lease | undefined;
    const running = runLeaderElection(
      candidate(
        'one',
        async (signal) => {
          await until('the lease to be renewed', () => version > 1);
          leaderSaw = lease;
          stop.abort();
          await ended(signal);
        },
        patient,
      ),
      stop.signal,
    );
    assert.equal(await running, 'stopped');
    assert.equal(leaderSaw?.spec?.holderIdentity, 'one');
    assert.equal(leaderSaw?.apiVersion, 'coordination.cl.io/v1');
    assert.match(leaderSaw?.spec?.renewTime ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    assert.ok(Number(leaderSaw?.metadata?.resourceVersion) > 1, 'renewed');
    assert.equal(lease?.spec?.holderIdentity, '');
  });

  it('says that the lease is not held any more at once after a pause of the process', async () => {
    const seen: unknown[] = [];
    const outcome = await runLeaderElection(
      candidate(
        'one',
        async (signal, isHeld) => {
          seen.push(isHeld());
          // Longer than the deadline of renewal; no timer and no response of this process comes before.
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
          seen.push(isHeld(), signal.aborted);
          broken = true;
          await ended(signal);
          seen.push(isHeld());
        },
        pausable,
      ),
      new AbortController().signal,
    );
    assert.deepEqual([...seen, outcome], [true, false, false, false, 'lost']);
  });

  it('ends the lead after a pause of the process before it sends anything', async () => {
    const leases = client.resource<Lease>(reference);
    const sent: string[] = [];
    let paused = false;
    // Counted where they are sent: one that was on its way before the pause arrives after it.
    const counted: typeof leases = {
      ...leases,
      async get(...call) {
        if (paused) sent.push('get');
        return leases.get(...call);
      },
      async update(...call) {
        if (paused) sent.push('update');
        return leases.update(...call);
      },
    };
    const lead: LeaderElectionOptions['lead'] = async (signal) => {
      paused = true;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
      await ended(signal);
      // Timers that ended in the pause have run by now.
      await sleep(100);
    };
    const outcome = await runLeaderElection(
      { ...candidate('one', lead), leases: counted },
      new AbortController().signal,
    );
    assert.deepEqual([outcome, ...sent], ['lost']);
  });

  it('sends no update for a lease that it read before a pause of the process', async () => {
    const leases = client.resource<Lease>(reference);
    let versionAtPause = 0;
    let paused = false;
    const standing: typeof leases = {
      ...leases,
      async get(...call) {
        const response = await leases.get(...call);
        if (versionAtPause === 0 && paused) {
          versionAtPause = version;
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
        }
        return response;
      },
    };
    const lead: LeaderElectionOptions['lead'] = async (signal) => {
      paused = true;
      await ended(signal);
      // What was sent before the lead ended has arrived by now.
      await sleep(100);
    };
    const outcome = await runLeaderElection(
      { ...candidate('one', lead), leases: standing },
      new AbortController().signal,
    );
    assert.deepEqual([outcome, version], ['lost', versionAtPause]);
  });

  it('does not lead when the response that gives it the lease is read after the deadline', async () => {
    const leases = client.resource<Lease>(reference);
    let taken = 0;
    let takenAtLead = 0;
    const standing: typeof leases = {
      ...leases,
      async create(...call) {
        const response = await leases.create(...call);
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
        taken = version;
        return response;
      },
    };
    const lead: LeaderElectionOptions['lead'] = async () => {
      takenAtLead = version;
    };
    await runLeaderElection({ ...candidate('one', lead), leases: standing }, new AbortController().signal);
    assert.ok(taken > 0 && takenAtLead > taken, 'renewed before the lead');
  });

  it('counts the time of a lease from the request that takes it, not from a late response', async () => {
    const serve = server.handle;
    let takenAtMs = 0;
    server.handle = async (request, response) => {
      if (request.method === 'GET') return serve(request, response);
      takenAtMs = performance.now();
      await sleep(100);
      await serve(request, response);
    };
    let held: boolean | undefined;
    await runLeaderElection(
      candidate('one', async (_, isHeld) => {
        // Without a renewal, until just after the deadline.
        const leftMs = Math.max(1, takenAtMs + 401 - performance.now());
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, leftMs);
        held = isHeld();
      }),
      new AbortController().signal,
    );
    assert.equal(held, false);
  });

  it('lets one lead at a time, and the next take over at once from one that stops', async () => {
    const stops = [new AbortController(), new AbortController()];
    const order: string[] = [];
    const run = (name: string, stop: AbortController) =>
      runLeaderElection(
        candidate(
          name,
          async (signal) => {
            order.push(`${name} begins`);
            await ended(signal);
            order.push(`${name} ends`);
          },
          patient,
        ),
        stop.signal,
      );
    const first = run('one', stops[0] as AbortController);
    await until('the first to lead', () => order.length === 1);
    const second = run('two', stops[1] as AbortController);
    const seen = version;
    await until('the first to renew three times', () => version > seen + 2);
    assert.deepEqual(order, ['one begins']);
    stops[0]?.abort();
    await first;
    await until('the second to lead', () => order.length === 3);
    stops[1]?.abort();
    await second;
    assert.deepEqual(order, ['one begins', 'one ends', 'two begins', 'two ends']);
    assert.equal(lease?.spec?.leaseTransitions, 1);
  });

  it('takes a lease that its holder no longer renews, by the own clock', async () => {
    lease = {
      metadata: { name: 'manager', namespace: 'cl-system', resourceVersion: '1' },
      spec: { holderIdentity: 'dead', leaseDurationSeconds: 1, renewTime: '2099-01-01T00:00:00.000000Z' },
    };
    version = 1;
    const startedAt = performance.now();
    const outcome = await runLeaderElection(
      candidate('one', async () => {}),
      AbortSignal.timeout(60_000),
    );
    assert.equal(outcome, 'finished');
    assert.ok(performance.now() - startedAt > 1000);
  });

  it('stops leading when the lease cannot be renewed in time', async () => {
    let aborted = false;
    const errors: unknown[] = [];
    const outcome = await runLeaderElection(
      {
        ...candidate('one', async (signal) => {
          broken = true;
          await ended(signal);
          aborted = true;
        }),
        onError: (error) => errors.push(error),
      },
      AbortSignal.timeout(60_000),
    );
    assert.equal(outcome, 'lost');
    assert.ok(aborted);
    assert.ok(errors.length > 0);
  });

  it('gives the lease back when the work fails before its first promise', async () => {
    const failing = candidate('one', () => {
      throw new Error('no work');
    });
    await assert.rejects(runLeaderElection(failing, AbortSignal.timeout(60_000)), /no work/);
    assert.equal(lease?.spec?.holderIdentity, '');
  });

  it('gives back a lease whose metadata others changed meanwhile, and none of another candidate', async () => {
    const change = (changed: Lease) => {
      version += 1;
      lease = { ...lease, ...changed, metadata: { ...lease?.metadata, resourceVersion: String(version) } };
    };
    const errors: unknown[] = [];
    const run = (lead: LeaderElectionOptions['lead']) =>
      runLeaderElection(
        { ...candidate('one', lead, { ...patient, retryPeriodMs: 50_000 }), onError: (error) => errors.push(error) },
        AbortSignal.timeout(60_000),
      );
    await run(async () => change({ metadata: { labels: { changed: 'yes' } } }));
    assert.equal(lease?.spec?.holderIdentity, '');
    await run(async () => change({ spec: { holderIdentity: 'two', leaseDurationSeconds: 60 } }));
    assert.equal(lease?.spec?.holderIdentity, 'two');
    assert.deepEqual(errors, []);
  });

  it('holds a short lease no more when it is stale for others, with the times that follow from it', async () => {
    const serve = server.handle;
    let isCutOff = false;
    server.handle = (request, response) => {
      if (isCutOff && request.headers['user-agent'] === 'one') return void response.socket?.destroy();
      return serve(request, response);
    };
    const [one, two] = [createClient(server.settings, { userAgent: 'one' }), createClient(server.settings)];
    const run = (of: Client, identity: string, lead: LeaderElectionOptions['lead']) => {
      const { leaseDurationMs: _, renewDeadlineMs: __, retryPeriodMs: ___, ...rest } = candidate(identity, lead);
      const options = { ...rest, leases: of.resource<Lease>(reference), leaseDurationMs: 3000 };
      return runLeaderElection(options, AbortSignal.timeout(120_000));
    };
    let isHeldByFirst = (): boolean => true;
    const first = run(one, 'one', async (signal, isHeld) => {
      isHeldByFirst = isHeld;
      isCutOff = true;
      await ended(signal);
    });
    await until('the first to lead', () => isCutOff);
    const held: boolean[] = [];
    const second = run(two, 'two', async () => void held.push(isHeldByFirst()));
    assert.deepEqual(await Promise.all([first, second]), ['lost', 'finished']);
    await Promise.all([one.close(), two.close()]);
    assert.deepEqual(held, [false]);
  });

  for (const [name, times] of Object.entries({
    'a renewal deadline as long as the lease': { leaseDurationMs: 10_000, renewDeadlineMs: 10_000 },
    'a retry period as long as the renewal deadline': { renewDeadlineMs: 2000, retryPeriodMs: 2000 },
    'no time at all': { retryPeriodMs: 0 },
    'a time that is no number': { leaseDurationMs: Number.NaN },
  })) {
    it(`refuses ${name}`, async () => {
      const { leaseDurationMs: _, renewDeadlineMs: __, retryPeriodMs: ___, ...rest } = candidate('one', async () => {});
      await assert.rejects(runLeaderElection({ ...rest, ...times }, AbortSignal.timeout(60_000)), RangeError);
      assert.equal(lease, undefined);
    });
  }

  it('gives the lease back when the work fails, and passes the error on', async () => {
    const failing = candidate('one', () => Promise.reject(new Error('work failed')));
    await assert.rejects(runLeaderElection(failing, AbortSignal.timeout(60_000)), /work failed/);
    assert.equal(lease?.spec?.holderIdentity, '');
  });
});
