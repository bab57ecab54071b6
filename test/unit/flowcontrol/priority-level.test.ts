import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { LevelSettings } from '../../../src/flowcontrol/level-settings.ts';
import { PriorityLevel, type Ticket } from '../../../src/flowcontrol/priority-level.ts';
import { dealHand } from '../../../src/flowcontrol/shuffle-shard.ts';

const settings: LevelSettings = {
  name: 'level',
  uid: '',
  exempt: false,
  shares: 10,
  queues: 16,
  handSize: 4,
  queueLengthLimit: 50,
};

function levelOf(limit: number, changes: Partial<LevelSettings> = {}): PriorityLevel {
  const level = new PriorityLevel({ ...settings, ...changes });
  level.configure({ ...settings, ...changes }, limit, 0);
  return level;
}

const requestOf = (distinguisher: string, seats = 1) => ({ schema: 's', distinguisher, seats, details: {} });

function arrive(level: PriorityLevel, flow: string, nowMs: number, seats = 1): Ticket {
  const ticket = level.arrive(requestOf(flow, seats), nowMs);
  assert.ok(typeof ticket === 'object', `${flow} was rejected`);
  return ticket;
}

/** Two flows that share no queue. */
function strangers(): readonly [string, string] {
  const hand = dealHand('s\0noisy', settings.queues, settings.handSize);
  for (let index = 0; ; index++) {
    const other = dealHand(`s\0quiet${index}`, settings.queues, settings.handSize);
    if (!other.some((queue) => hand.includes(queue))) return ['noisy', `quiet${index}`];
  }
}

describe('a priority level', () => {
  it('gives seats at once while it has some, and queues the rest', () => {
    const level = levelOf(2);
    const tickets = ['a', 'b', 'c'].map((flow) => arrive(level, flow, 0));
    assert.deepEqual(
      tickets.map(({ state }) => state),
      ['executing', 'executing', 'waiting'],
    );
    const [first, , third] = tickets;
    assert.ok(first && third);
    let started = 0;
    third.started = () => started++;
    level.leave(first, 10);
    assert.equal(third.state, 'executing');
    assert.equal(started, 1);
    assert.equal(level.seatsInUse, 2);
    assert.equal(level.waiting, 0);
  });

  it('serves a flow within one round of the queues of another, however long they are', () => {
    const [noisy, quiet] = strangers();
    const level = levelOf(2);
    const held = Array.from({ length: 40 }, () => arrive(level, noisy, 0));
    const guest = arrive(level, quiet, 1);
    let ended = 0;
    for (let nowMs = 100; guest.state === 'waiting'; nowMs += 100) {
      const running = held.find(({ state }) => state === 'executing');
      assert.ok(running);
      level.leave(running, nowMs);
      ended++;
    }
    assert.ok(ended <= settings.handSize, `${ended} requests of the other flow ended first`);
  });

  it('shares seats equally among busy flows, whatever each of them asks for', () => {
    const [noisy, quiet] = strangers();
    const level = levelOf(4);
    const served = new Map<string, number>();
    const running: { readonly ticket: Ticket; readonly endMs: number }[] = [];
    let nowMs = 0;
    const ask = (flow: string): void => {
      const ticket = level.arrive(requestOf(flow), nowMs);
      if (typeof ticket === 'string') return;
      const begin = (): void => {
        served.set(flow, (served.get(flow) ?? 0) + 1);
        running.push({ ticket, endMs: nowMs + 10 });
      };
      if (ticket.state === 'executing') begin();
      else ticket.started = begin;
    };
    for (; nowMs < 2_000; nowMs++) {
      for (const { ticket, endMs } of running.splice(0)) {
        if (endMs > nowMs) running.push({ ticket, endMs });
        else level.leave(ticket, nowMs);
      }
      for (let copies = 0; copies < 20; copies++) ask(noisy);
      ask(quiet);
    }
    const [most = 0, least = 0] = [served.get(noisy), served.get(quiet)];
    assert.ok(least > 0.8 * most, `${most} requests of the noisy flow, ${least} of the other`);
    assert.ok(most + least > 700, 'all seats are used');
  });

  it('counts wide requests by their seats, and lets one wider than all seats run alone', () => {
    const level = levelOf(5);
    const narrow = arrive(level, 'a', 0);
    const wide = arrive(level, 'b', 0, 10);
    assert.equal(wide.state, 'waiting');
    level.leave(narrow, 1);
    assert.equal(wide.state, 'executing');
    const next = arrive(level, 'c', 2);
    assert.equal(next.state, 'waiting');
    level.leave(wide, 3);
    assert.equal(next.state, 'executing');
  });

  it('rejects what does not fit into the shortest queue of its flow', () => {
    const level = levelOf(1, { queues: 1, handSize: 1, queueLengthLimit: 2 });
    for (let accepted = 0; accepted < 3; accepted++) arrive(level, 'a', 0);
    assert.equal(level.arrive(requestOf('b'), 0), 'queue-full');
  });

  it('rejects what gets no seat if it has no queues', () => {
    const level = levelOf(1, { queues: 0 });
    const first = arrive(level, 'a', 0);
    assert.equal(level.arrive(requestOf('b'), 0), 'concurrency-limit');
    level.leave(first, 1);
    assert.equal(arrive(level, 'b', 2).state, 'executing');
  });

  it('forgets a request that gives up, and a second end of the same', () => {
    const level = levelOf(1);
    const [first, second, third] = ['a', 'a', 'a'].map((flow) => arrive(level, flow, 0));
    assert.ok(first && second && third);
    level.leave(second, 1);
    level.leave(second, 1);
    assert.equal(level.waiting, 1);
    level.leave(first, 2);
    level.leave(first, 2);
    assert.equal(third.state, 'executing');
    level.leave(third, 3);
    assert.deepEqual([level.waiting, level.executing, level.seatsInUse, level.activeQueues], [0, 0, 0, 0]);
  });

  it('uses more seats when it is given more, at once', () => {
    const level = levelOf(1);
    const tickets = Array.from({ length: 6 }, () => arrive(level, 'a', 0));
    level.configure({ ...settings, queues: 2, handSize: 1 }, 4, 1);
    assert.equal(tickets.filter(({ state }) => state === 'executing').length, 4);
    for (const ticket of tickets) level.leave(ticket, 2);
    assert.equal(level.activeQueues, 0);
  });

  it('has millions of queues at the cost of those in use', () => {
    const level = levelOf(1, { queues: 10_000_000, handSize: 1 });
    const start = process.cpuUsage();
    const tickets = Array.from({ length: 5_000 }, (_, user) => arrive(level, `user-${user}`, user));
    assert.ok(level.queues.length > 4_900);
    for (const [index, ticket] of tickets.entries()) level.leave(ticket, 10_000 + index);
    assert.ok(level.queues.length <= 1_100, `${level.queues.length} queues are kept`);
    const { user, system } = process.cpuUsage(start);
    assert.ok(user + system < 3_000_000, `${user + system} us of CPU`);
  });

  it('never has more seats in use than it has, loses no request, and is idle in the end', () => {
    const step = fc.record({
      flow: fc.constantFrom('a', 'b', 'c', 'd'),
      seats: fc.integer({ min: 1, max: 3 }),
      ends: fc.nat(20),
      passMs: fc.nat(500),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), fc.integer({ min: 3, max: 8 }), (steps, limit) => {
        const level = levelOf(limit, { queueLengthLimit: 5 });
        const open: Ticket[] = [];
        let nowMs = 0;
        for (const { flow, seats, ends, passMs } of steps) {
          nowMs += passMs;
          const ticket = level.arrive(requestOf(flow, seats), nowMs);
          if (typeof ticket === 'object') open.push(ticket);
          const [ended] = ends < open.length ? open.splice(ends, 1) : [];
          if (ended) level.leave(ended, nowMs);
          assert.ok(level.seatsInUse <= limit);
          assert.equal(open.filter(({ state }) => state === 'executing').length, level.executing);
          assert.equal(open.filter(({ state }) => state === 'waiting').length, level.waiting);
        }
        while (level.executing > 0) {
          const next = open.findIndex(({ state }) => state === 'executing');
          const [ended] = open.splice(next, 1);
          if (ended) level.leave(ended, nowMs++);
        }
        assert.deepEqual([open.length, level.waiting, level.activeQueues], [0, 0, 0]);
      }),
    );
  });
});

describe('the hand of a flow', () => {
  it('has distinct queues, always the same ones', () => {
    const shapes = fc.tuple(fc.integer({ min: 1, max: 512 }), fc.integer({ min: 1, max: 10 }));
    fc.assert(
      fc.property(fc.string(), shapes, (flow, [queues, cards]) => {
        const size = Math.min(queues, cards);
        const hand = dealHand(flow, queues, size);
        assert.equal(new Set(hand).size, size);
        assert.ok(hand.every((queue) => queue >= 0 && queue < queues));
        assert.deepEqual(dealHand(flow, queues, size), hand);
      }),
    );
  });

  it('spreads flows evenly', () => {
    const counts = Array.from({ length: 128 }, () => 0);
    for (let flow = 0; flow < 20_000; flow++) {
      for (const queue of dealHand(`workload-low\0user-${flow}`, 128, 6)) counts[queue] = (counts[queue] ?? 0) + 1;
    }
    const mean = (20_000 * 6) / 128;
    for (const [queue, count] of counts.entries()) {
      assert.ok(Math.abs(count - mean) < 0.2 * mean, `queue ${queue} was dealt ${count} times instead of ${mean}`);
    }
  });
});
