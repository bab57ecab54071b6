import assert from 'node:assert/strict';
import http from 'node:http';
import type { MaybePromise } from '../../../src/async/maybe-promise.ts';
import { newDeferred } from '../../../src/async/deferred.ts';
import type { AuditEvent } from '../../../src/audit/audit-event.ts';
import { createAuditMetrics } from '../../../src/audit/audit-metrics.ts';
import { createAuditor } from '../../../src/audit/auditor.ts';
import { readPolicy } from '../../../src/audit/read-policy.ts';
import type { Authorizer } from '../../../src/authz/authorizer.ts';
import { MetricsRegistry } from '../../../src/metrics/metrics-registry.ts';
import type { Registries } from '../../../src/registry/definition/registry.ts';
import { until } from '../../http/until.ts';
import { type Fixture, startFixture } from './fixture.ts';

const path = '/api/v1/namespaces/ns/configmaps';

/** A server whose events are kept here. `take` answers for the backend. */
async function start(
  overrides: Parameters<typeof startFixture>[0] = {},
  take: (event: AuditEvent) => MaybePromise<boolean> = () => true,
): Promise<{ readonly server: Fixture; readonly events: AuditEvent[] }> {
  const events: AuditEvent[] = [];
  const send = (event: AuditEvent): MaybePromise<boolean> => {
    events.push(event);
    return take(event);
  };
  const backend = { isStrict: false, send, flush: () => {}, close: () => Promise.resolve() };
  const policy = readPolicy({ rules: [{ level: 'Metadata' }] });
  const auditor = createAuditor(policy, [backend], createAuditMetrics(new MetricsRegistry()));
  return { server: await startFixture({ auditor, ...overrides }), events };
}

/** Registries whose reads end as `get` does. */
function failingReads(get: () => Promise<never>): Pick<Registries, 'of'> {
  // Only what a GET of an object calls is here.
  const registry = { peek: () => undefined, get } as unknown as ReturnType<Registries['of']>;
  return { of: () => registry };
}

const stagesOf = (events: readonly AuditEvent[]): string[] => events.map(({ stage }) => stage);

describe('the audit of requests', () => {
  it('has the stage Panic in place of the end if the handler fails unexpectedly', async () => {
    const registries = failingReads(() => Promise.reject(new TypeError('canary')));
    const { server, events } = await start({ registries });
    await using _ = server;
    assert.equal((await server.send({ path: `${path}/one` })).status, 500);
    assert.deepEqual(stagesOf(events), ['RequestReceived', 'Panic']);
    const { responseStatus } = events[1] ?? {};
    assert.deepEqual([responseStatus?.code, responseStatus?.reason], [500, 'InternalError']);
    assert.match(responseStatus?.message ?? '', /^APIServer panic'd: /);
    assert.doesNotMatch(JSON.stringify(events), /canary/);
  });

  it('ends if the client disconnects before its response', async () => {
    const { promise, reject } = newDeferred<never>();
    const { server, events } = await start({ registries: failingReads(() => promise) });
    await using _ = server;
    const request = http.get({ host: '127.0.0.1', port: server.port, path: `${path}/one`, agent: false });
    request.on('error', () => undefined);
    await until('the arrival', () => events.length === 1);
    request.destroy();
    setTimeout(() => reject(new Error('late')), 50);
    await until('the end', () => events.length === 2);
    assert.equal(events[1]?.stage, 'ResponseComplete');
    assert.deepEqual(events[1].responseStatus, { status: 'Success', message: 'Connection closed early', code: 200 });
  });

  it('ends with 504 if the request exceeds its deadline', async () => {
    const { promise } = newDeferred<never>();
    const { server, events } = await start({
      registries: failingReads(() => promise),
      options: { requestTimeoutMs: 30 },
    });
    await using _ = server;
    assert.equal((await server.send({ path: `${path}/one` })).status, 504);
    assert.deepEqual(
      events.map(({ stage, responseStatus }) => [stage, responseStatus?.code]),
      [
        ['RequestReceived', undefined],
        ['ResponseComplete', 504],
      ],
    );
  });

  it('delays the request and its response until a blocking backend has taken their events', async () => {
    const gates = new Map(['RequestReceived', 'ResponseComplete'].map((stage) => [stage, newDeferred<boolean>()]));
    const { server, events } = await start({}, ({ stage }) => gates.get(stage)?.promise ?? true);
    await using _ = server;
    let answered = false;
    const answer = server.send({ path }).finally(() => (answered = true));
    await until('the arrival', () => events.length === 1);
    gates.get('RequestReceived')?.resolve(true);
    await until('the end', () => events.length === 2);
    assert.equal(answered, false);
    gates.get('ResponseComplete')?.resolve(true);
    assert.equal((await answer).status, 200);
  });

  it('refuses a request whose arrival is not taken, without further events', async () => {
    for (const taken of [false, Promise.resolve(false)]) {
      const { server, events } = await start({}, () => taken);
      await using _ = server;
      const answer = await server.send({ path });
      assert.equal(answer.status, 500);
      assert.match(answer.text, /failed to store audit event/);
      assert.deepEqual(stagesOf(events), ['RequestReceived']);
    }
  });

  it('has the decision of the authorizers and its reason, or that they failed', async () => {
    const decisions = [
      { decision: 'allow', reason: 'a role' },
      { decision: 'no-opinion', reason: 'no role' },
      { decision: 'no-opinion', reason: '', evaluationError: 'canary' },
    ] as const;
    const wanted = [
      ['authorization.k8s.io/decision', 'allow', 'authorization.k8s.io/reason', 'a role'],
      ['authorization.k8s.io/decision', 'forbid', 'authorization.k8s.io/reason', 'no role'],
      ['authorization.k8s.io/reason', 'internal error'],
    ];
    for (const [index, decision] of decisions.entries()) {
      const authorizer: Authorizer = { name: 'a', authorize: () => decision };
      const { server, events } = await start({ authorizers: [authorizer] });
      await using _ = server;
      await server.send({ path });
      assert.deepEqual(events[1]?.annotations, wanted[index]);
    }
  });

  it('counts a connection as long-running', async () => {
    const { server, events } = await start();
    await using _ = server;
    await server.send({ method: 'POST', path: '/api/v1/namespaces/ns/pods/none/exec' });
    assert.deepEqual(stagesOf(events), ['RequestReceived', 'ResponseStarted', 'ResponseComplete']);
  });
});
