import assert from 'node:assert/strict';
import type { Lease } from '../../../src/gen/stored/coordination-v1.ts';
import type { LeaseCandidate } from '../../../src/gen/stored/coordination-v1beta1.ts';
import { electedSpec, electionStep } from '../../../src/server/coordination/election-step.ts';

const nowMs = Date.parse('2026-01-01T12:00:00Z');
const ago = (seconds: number): string => new Date(nowMs - seconds * 1000).toISOString();

interface Times {
  readonly renewed?: number;
  readonly asked?: number;
  readonly strategy?: string;
}

function candidate(name: string, [binary, emulation]: readonly [string, string], times: Times = {}): LeaseCandidate {
  const { renewed = 1, asked, strategy = 'OldestEmulationVersion' } = times;
  const pingTime = asked === undefined ? {} : { pingTime: ago(asked) };
  const spec = {
    leaseName: 'l',
    binaryVersion: binary,
    emulationVersion: emulation,
    strategy,
    renewTime: ago(renewed),
  };
  return {
    metadata: { name, creationTimestamp: ago(100) },
    spec: { ...spec, ...pingTime },
  };
}

function lease(spec: object): Lease {
  const usual = { strategy: 'OldestEmulationVersion', leaseDurationSeconds: 15, renewTime: ago(2) };
  return { metadata: { name: 'l' }, spec: { ...usual, ...spec } } as unknown as Lease;
}

const old = candidate('old', ['1.36.0', '1.35.0']);
const fresh = candidate('fresh', ['1.36.0', '1.36.0']);

describe('a step of an election', () => {
  it('elects the candidate with the oldest emulation version, then the oldest binary version', () => {
    const elected = (...candidates: LeaseCandidate[]) => electionStep(undefined, candidates, nowMs);
    assert.deepEqual(elected(fresh, old), { kind: 'elect', strategy: 'OldestEmulationVersion', holder: 'old' });
    const older = candidate('older', ['1.35.0', '1.35.0']);
    assert.deepEqual(elected(old, older), { kind: 'elect', strategy: 'OldestEmulationVersion', holder: 'older' });
  });

  it('is none without candidates, or while the best one leads', () => {
    assert.deepEqual(electionStep(undefined, [], nowMs), { kind: 'wait' });
    const expired = candidate('gone', ['1.36.0', '1.36.0'], { renewed: 1801 });
    assert.deepEqual(electionStep(undefined, [expired], nowMs), { kind: 'wait' });
    assert.deepEqual(electionStep(lease({ holderIdentity: 'old' }), [old, fresh], nowMs), { kind: 'wait' });
  });

  it('pings candidates without a recent renewal, and waits five seconds for their answer', () => {
    const silent = candidate('silent', ['1.36.0', '1.34.0'], { renewed: 60 });
    assert.deepEqual(electionStep(undefined, [silent, fresh], nowMs), { kind: 'ask', candidates: [silent] });
    const asked = candidate('silent', ['1.36.0', '1.34.0'], { renewed: 60, asked: 2 });
    assert.deepEqual(electionStep(undefined, [asked, fresh], nowMs), { kind: 'wait' });
    const dead = candidate('silent', ['1.36.0', '1.34.0'], { renewed: 60, asked: 6 });
    const step = electionStep(undefined, [dead, fresh], nowMs);
    assert.equal(step.kind === 'elect' && step.holder, 'fresh');
  });

  it('leaves the choice to others under another strategy', () => {
    const other = candidate('other', ['1.37.0', '1.36.0'], { strategy: 'example.com/Best' });
    assert.deepEqual(electionStep(undefined, [other, old], nowMs), {
      kind: 'elect',
      strategy: 'example.com/Best',
      holder: undefined,
    });
    assert.equal(electionStep(lease({ holderIdentity: 'x' }), [other, old], nowMs).kind, 'wait');
    const same = candidate('same', ['1.36.0', '1.36.0'], { strategy: 'example.com/Best' });
    assert.throws(() => electionStep(undefined, [same, old], nowMs), /same binary version/);
  });
});

describe('the Lease after a choice', () => {
  const at = { nowMs, renewTime: ago(0) };
  const choice = { kind: 'elect', strategy: 'OldestEmulationVersion', holder: 'old' } as const;

  it('has the holder if it was free', () => {
    const expected = { strategy: choice.strategy, holderIdentity: 'old', renewTime: ago(0), leaseDurationSeconds: 5 };
    assert.deepEqual(electedSpec(undefined, choice, at), expected);
    const taken = lease({ holderIdentity: 'x', renewTime: ago(60), acquireTime: ago(90), preferredHolder: 'y' });
    assert.deepEqual(electedSpec(taken, choice, at), expected);
  });

  it('gets a preferred holder while another candidate leads', () => {
    const held = lease({ holderIdentity: 'x' });
    assert.deepEqual(electedSpec(held, choice, at), { ...held.spec, preferredHolder: 'old' });
    assert.equal(electedSpec(lease({ holderIdentity: 'x', preferredHolder: 'old' }), choice, at), undefined);
    assert.equal(electedSpec(lease({ holderIdentity: 'old' }), choice, at), undefined);
  });
});
