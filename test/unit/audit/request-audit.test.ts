import assert from 'node:assert/strict';
import { mock } from 'node:test';
import type { Auditor } from '../../../src/audit/auditor.ts';
import { RequestAudit } from '../../../src/audit/request-audit.ts';

const user = { username: 'bob', uid: '', groups: [], extra: {} };

/** The audit of a request whose events are never written. */
function stuckAudit(isStrict: boolean): RequestAudit {
  const auditor: Auditor = {
    isStrict,
    decide: () => ({ level: 'Metadata', omitStages: new Set(), omitManagedFields: false }),
    send: () => new Promise<never>(() => {}),
    flush: () => {},
    rejected: () => {},
  };
  const request = {
    auditId: 'a',
    verb: 'get',
    user,
    impersonator: undefined,
    impersonationConstraint: '',
    path: { decoded: '/x' },
    openedMs: 0,
    annotations: new Map<string, string>(),
    requestAnnotations: new Map<string, string>(),
    annotate: () => {},
  };
  const sender = () => ({ requestUri: '/x', sourceIps: [], userAgent: '' });
  return new RequestAudit(request, { auditor, target: undefined, isLongRunning: false, sender, truncated: 't' });
}

describe('RequestAudit', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());

  for (const [mode, isStrict] of [
    ['lets a request pass', false],
    ['refuses a request', true],
  ] as const) {
    it(`${mode} whose arrival is not written for ten seconds, if ${isStrict ? 'strict' : 'not strict'}`, async () => {
      const audit = stuckAudit(isStrict);
      audit.decide();
      let served: boolean | undefined;
      const received = Promise.resolve(audit.received()).then((isServed) => (served = isServed));
      mock.timers.tick(9_999);
      await Promise.resolve();
      assert.equal(served, undefined);
      mock.timers.tick(1);
      assert.equal(await received, !isStrict);
    });
  }
});
