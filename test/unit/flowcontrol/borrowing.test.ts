import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { divideSeats } from '../../../src/flowcontrol/divide-seats.ts';
import { FlowControl } from '../../../src/flowcontrol/flow-control.ts';
import { createFlowMetrics } from '../../../src/flowcontrol/flow-metrics.ts';
import { compileFlowSchema } from '../../../src/flowcontrol/flow-schema.ts';
import { readLevelSettings } from '../../../src/flowcontrol/level-settings.ts';
import { identifiersOf } from '../../../src/identifiers/identifiers.ts';
import { MetricsRegistry } from '../../../src/metrics/metrics-registry.ts';
import {
  defaultFlowSchemas,
  defaultPriorityLevels,
} from '../../../src/resources/flowcontrol/default-priority-levels.ts';

const identifiers = identifiersOf('kubernetes');

describe('the division of seats', () => {
  it('gives each level the same part of what it wants, within its bounds', () => {
    const claims = [
      { least: 0, most: 100, wanted: 10 },
      { least: 0, most: 100, wanted: 30 },
      { least: 5, most: 8, wanted: 60 },
    ];
    const seats = divideSeats(48, claims)?.map(Math.round);
    assert.deepEqual(seats, [10, 30, 8]);
    assert.equal(divideSeats(4, claims), undefined, 'less than the bounds allow');
    assert.equal(divideSeats(209, claims), undefined, 'more than the bounds allow');
  });

  it('adds up, whatever the claims', () => {
    const claim = fc
      .tuple(fc.nat(50), fc.nat(50), fc.nat(200))
      .map(([least, more, wanted]) => ({ least, most: least + more, wanted: Math.max(wanted, least) }));
    fc.assert(
      fc.property(fc.array(claim, { minLength: 1, maxLength: 8 }), fc.nat(100), (claims, part) => {
        const total = (seats: (one: (typeof claims)[number]) => number) =>
          claims.reduce((sum, one) => sum + seats(one), 0);
        const [low, high] = [total(({ least }) => least), total(({ most }) => most)];
        const sum = low + Math.floor(((high - low) * part) / 100);
        const seats = divideSeats(sum, claims);
        assert.ok(seats);
        assert.ok(Math.abs(seats.reduce((all, one) => all + one, 0) - sum) < 1e-6);
        for (const [index, { least, most }] of claims.entries()) {
          const own = seats[index] ?? -1;
          assert.ok(own >= least && own <= most);
        }
      }),
    );
  });
});

describe('flow control of 1.26', () => {
  it('lends the seats of idle levels to one that needs more, and takes them back', () => {
    let nowMs = 0;
    const control = new FlowControl({
      seats: 600,
      metrics: createFlowMetrics(new MetricsRegistry()),
      borrowing: true,
      now: () => nowMs,
    });
    control.configure(
      defaultFlowSchemas(identifiers, '1.26').map(({ object }) => compileFlowSchema(object)),
      defaultPriorityLevels(identifiers, '1.26').map(({ object }) => readLevelSettings(object)),
    );
    const levelOf = (name: string) => control.levels.find(({ settings }) => settings.name === name);
    const limitOf = (name: string) => levelOf(name)?.limit ?? 0;
    const idle = limitOf('global-default');
    const user = { username: 'ann', uid: '', groups: ['system:authenticated'], extra: {} };
    const digest = {
      user,
      verb: 'list',
      resourceRequest: true,
      apiGroup: '',
      resource: 'pods',
      namespace: 'ns',
      path: '',
    };
    const flow = control.classify(digest);
    assert.ok(flow);
    const admitted = Array.from({ length: 200 }, () => control.admit(flow, digest, 1, {}));
    assert.equal(limitOf('global-default'), idle);
    nowMs += 10_000;
    control.adjust();
    assert.ok(limitOf('global-default') > 1.5 * idle, `${limitOf('global-default')} and ${idle} before`);
    const system = Math.ceil((600 * 30) / 245);
    assert.ok(limitOf('system') >= system - Math.round(system * 0.33), 'a third of the share may be lent, no more');
    assert.ok(limitOf('leader-election') >= Math.ceil((600 * 10) / 245), 'nothing of this level may be lent');
    const ended = () => {
      for (const one of admitted) if (typeof one === 'object') control.release(one);
    };
    for (let round = 0; round < 20; round++) ended();
    assert.equal(levelOf('global-default')?.executing, 0);
    for (let period = 0; period < 400; period++) {
      nowMs += 10_000;
      control.adjust();
    }
    assert.equal(limitOf('global-default'), idle);
  });
});
