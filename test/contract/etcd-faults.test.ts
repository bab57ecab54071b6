import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { openEtcdStore } from '../../src/storage/etcd/etcd-store.ts';
import type { ObjectStore } from '../../src/storage/port/object-store.ts';
import { StorageError } from '../../src/storage/port/storage-error.ts';
import { until } from '../http/until.ts';
import { type BreakableWay, type EtcdHome, openEtcdHome, openWay } from './etcd-fixture.ts';
import {
  bytes,
  createAll,
  failsWith,
  resumedWatch,
  revisionOf,
  startWatch,
  textOf,
  withClockSetBack,
} from './fixture.ts';

describe('The etcd store, when etcd fails', () => {
  let etcd: EtcdHome;
  let way: BreakableWay;
  /** Straight to etcd. */
  let store: ObjectStore;
  /** Over the way that can be broken. */
  let shaky: ObjectStore;
  /** Over that way too, with little time for each call. */
  let hasty: ObjectStore;
  const timeoutMs = 1_000;

  beforeEach(async () => {
    etcd = await openEtcdHome();
    way = await openWay(etcd.endpoint);
    store = await openEtcdStore({ endpoints: [etcd.endpoint] });
    shaky = await openEtcdStore({ endpoints: [way.endpoint], timeoutMs: 60_000 });
    hasty = await openEtcdStore({ endpoints: [way.endpoint], timeoutMs });
  });
  afterEach(async () => {
    await Promise.all([store, shaky, hasty].map((each) => each.close()));
    way.close();
    await etcd.close();
  });

  /** Waits until a store has a connection, for which a slow machine takes longer than for a call. */
  const connected = (each: ObjectStore): Promise<void> => {
    const answers = async (): Promise<boolean> => {
      return await each.get('/a/0').then(
        () => true,
        () => false,
      );
    };
    return until('an answer', answers);
  };

  it('goes on with a watch after etcd was killed, and loses no write that was acknowledged', async () => {
    const { revision } = await store.status();
    const watch = startWatch(store, '/a/', revision, { resumed: true });
    const acknowledged: number[] = [];
    const rest = new AbortController();
    const writer = async (name: string): Promise<void> => {
      for (let i = 0; !rest.signal.aborted; i++) {
        try {
          acknowledged.push((await store.create(`/a/${name}-${i}`, bytes('x'))).revision);
        } catch (error) {
          assert.ok(error instanceof StorageError && ['Unavailable', 'UnknownOutcome'].includes(error.code));
          await sleep(20);
        }
      }
    };
    const writers = ['p', 'q', 'r', 's'].map(writer);
    const moreWrites = async (): Promise<void> => {
      const before = acknowledged.length;
      await until('twenty more writes', () => acknowledged.length > before + 20);
    };
    for (let round = 0; round < 2; round++) {
      await moreWrites();
      await etcd.kill();
      await sleep(100);
      await etcd.start();
    }
    await moreWrites();
    rest.abort();
    await Promise.all(writers);
    const last = (await store.status()).revision;
    await watch.reach(last - revision);
    await watch.stop();
    assert.ok(acknowledged.length > 50, `${acknowledged.length} writes`);
    const revisions = watch.events.map(revisionOf);
    assert.deepEqual(
      revisions,
      Array.from({ length: last - revision }, (_, i) => revision + 1 + i),
    );
    assert.ok(new Set(acknowledged).size === acknowledged.length && acknowledged.every((one) => one <= last));
  });

  it('catches up with what it missed while it was cut off', async () => {
    const { revision } = await store.status();
    const watch = startWatch(shaky, '/a/', revision, { resumed: true });
    await createAll(store, ['/a/1', '/a/2']);
    await watch.reach(2);
    way.cut();
    for (let i = 0; i < 1_500; i += 100) {
      await Promise.all(Array.from({ length: 100 }, (_, j) => store.create(`/a/many-${i + j}`, bytes('x'))));
    }
    way.mend();
    await watch.reach(1_502);
    await watch.stop();
    assert.deepEqual(
      watch.events.map(revisionOf),
      Array.from({ length: 1_502 }, (_, i) => revision + 1 + i),
    );
  });

  it('goes on where it was when it is cut off while it catches up', async () => {
    const { revision } = await store.status();
    const count = 3_000;
    for (let i = 0; i < count; i += 200) {
      await Promise.all(Array.from({ length: 200 }, (_, j) => store.create(`/a/${i + j}`, Buffer.alloc(2_000))));
    }
    const revisions: number[] = [];
    let cuts = 0;
    for await (const { events } of resumedWatch(shaky, '/a/', { afterRevision: revision })) {
      revisions.push(...events.map(revisionOf));
      if (revisions.length >= count) break;
      if (events.length === 0) continue;
      cuts++;
      way.cut();
      way.mend();
    }
    // etcd tells a thousand revisions at a time, each time with its newest revision in the header.
    assert.ok(cuts > 0);
    assert.deepEqual(
      revisions,
      Array.from({ length: count }, (_, i) => revision + 1 + i),
    );
  });

  it('ends a watch with Compacted when its history went away while it was cut off', async () => {
    const { revision } = await store.status();
    const watch = startWatch(shaky, '/a/', revision, { resumed: true });
    await createAll(store, ['/a/1']);
    await watch.reach(1);
    way.cut();
    const revisions = await createAll(store, ['/a/2', '/a/3']);
    await store.compact(revisions[1] ?? 0);
    way.mend();
    assert.ok(failsWith('Compacted', revisions[1])(await watch.ended));
    assert.equal(watch.events.length, 1);
  });

  it('goes on with a watch that has seen all up to the compaction', async () => {
    const { revision } = await store.status();
    const watch = startWatch(shaky, '/a/', revision, { resumed: true });
    await createAll(store, ['/a/1', '/a/2']);
    await watch.reach(2);
    way.cut();
    await store.compact(revision + 2);
    await store.delete('/a/1', revision + 1);
    way.mend();
    await watch.reach(3);
    await watch.stop();
  });

  it('says so once when etcd is no longer the one it was, and then goes on with what is there', async () => {
    await createAll(store, ['/a/1', '/a/2', '/a/3']);
    const watch = startWatch(store, '/a/', 4, { resumed: true });
    await createAll(store, ['/a/4']);
    await watch.reach(1);
    await etcd.kill();
    await etcd.start({ anew: true });
    assert.ok(failsWith('Corrupt')(await watch.ended));
    await store.status().catch(() => undefined);
    assert.equal((await store.get('/a/1')).current, undefined);
    assert.equal((await store.create('/a/1', bytes('new'))).revision, 2);
  });

  it('finds out that a creation took place although the answer was lost', async () => {
    // The connection that an earlier test cut is there again.
    await shaky.get('/a/0');
    way.mute();
    const creation = shaky.create('/a/1', bytes('mine'));
    await until('the creation', async () => (await store.get('/a/1')).current !== undefined);
    way.cut();
    way.mend();
    const { revision } = await creation;
    assert.equal((await store.get('/a/1')).current?.revision, revision);
  });

  /** Begins a creation whose request arrives and whose answer is lost. */
  const createUnheard = async (key: string, text: string): Promise<{ readonly revision: number }> => {
    way.mute();
    const { withheldBytes } = way;
    const creation = shaky.create(key, bytes(text));
    await until('the answer', () => way.withheldBytes > withheldBytes);
    // Before the answer come frames that say nothing of the creation.
    await sleep(200);
    way.cut();
    way.mend();
    return creation;
  };

  it('does not take a key that was there before for its creation, with the same value too', async () => {
    await store.create('/a/1', bytes('mine'));
    await shaky.get('/a/0');
    await assert.rejects(createUnheard('/a/1', 'mine'), failsWith('UnknownOutcome'));
  });

  it('does not take what another has created meanwhile for its creation, nor what another has changed since', async () => {
    await shaky.get('/a/0');
    const { revision } = await store.create('/a/1', bytes('theirs'));
    await assert.rejects(createUnheard('/a/1', 'mine'), failsWith('UnknownOutcome'));
    await shaky.get('/a/0');
    await store.update('/a/1', bytes('mine'), revision);
    await assert.rejects(createUnheard('/a/1', 'mine'), failsWith('UnknownOutcome'));
  });

  it('does not know whether an update took place of which the answer was lost, and does not repeat it', async () => {
    const { revision } = await store.create('/a/1', bytes('one'));
    await shaky.get('/a/0');
    way.mute();
    const update = shaky.update('/a/1', bytes('two'), revision);
    await until('the update', async () => textOf((await store.get('/a/1')).current) === 'two');
    way.cut();
    way.mend();
    await assert.rejects(update, failsWith('UnknownOutcome'));
    const { current } = await store.get('/a/1');
    assert.equal(textOf(current), 'two');
    assert.equal(current?.revision, revision + 1);
  });

  it('knows that nothing was written when it could not connect', async () => {
    await etcd.kill();
    await sleep(50);
    await assert.rejects(store.create('/a/1', bytes('x')), failsWith('Unavailable'));
    await etcd.start();
    await store.create('/a/1', bytes('x'));
  });

  it('waits with reads until etcd is back', async () => {
    way.cut();
    setTimeout(() => way.mend(), 500);
    assert.equal((await shaky.get('/a/none')).current, undefined);
  });

  it('tries reads until their deadline, however long the next back-off would be', async () => {
    const patient = await openEtcdStore({ endpoints: [way.endpoint], timeoutMs: 6_000 });
    way.cut();
    setTimeout(() => way.mend(), 4_600);
    // Back-offs are random: each of these reads has its own.
    const reads = await Promise.all(Array.from({ length: 10 }, () => patient.get('/a/none')));
    assert.ok(reads.every(({ current }) => current === undefined));
    await patient.close();
  });

  it('gives up at its deadline when etcd stands still', async () => {
    await store.create('/a/1', bytes('one'));
    await connected(hasty);
    await etcd.freeze();
    try {
      await Promise.all([
        assert.rejects(hasty.get('/a/1'), failsWith('Unavailable')),
        assert.rejects(hasty.update('/a/1', bytes('two'), 2), failsWith('UnknownOutcome')),
      ]);
    } finally {
      etcd.thaw();
    }
  });

  it('gives up at its deadline when the clock of the machine is set back meanwhile', async () => {
    await store.create('/a/1', bytes('one'));
    await connected(hasty);
    await etcd.freeze();
    try {
      await withClockSetBack(async (setBack) => {
        const calls = [hasty.get('/a/1'), hasty.update('/a/1', bytes('two'), 2), hasty.compact(2)];
        setBack();
        const outcomes = await Promise.allSettled(calls);
        assert.deepEqual(
          outcomes.map(({ status }) => status),
          ['rejected', 'rejected', 'rejected'],
        );
      });
    } finally {
      etcd.thaw();
    }
  });

  it('stops waiting for a read when its caller goes away', async () => {
    way.mute();
    const signal = AbortSignal.timeout(100);
    await assert.rejects(shaky.get('/a/1', { signal }), failsWith('Cancelled'));
  });

  it('keeps a watch that was accepted, beyond the time in which it had to be', async () => {
    await connected(hasty);
    const { revision } = await store.status();
    const watch = startWatch(hasty, '/a/', revision);
    for (let i = 0; i < 3; i++) {
      await sleep(timeoutMs / 2);
      await store.create(`/a/${i}`, bytes('x'));
      await watch.reach(i + 1);
    }
    await watch.stop();
    assert.equal(await watch.ended, undefined);
  });

  it('keeps its watches while other calls fail', async () => {
    const { revision } = await store.status();
    const watch = startWatch(store, '/a/', revision);
    await createAll(store, ['/a/1']);
    await watch.reach(1);
    await assert.rejects(store.get('/a/1', { revision: 1_000 }), failsWith('FutureRevision'));
    await etcd.freeze();
    await assert.rejects(hasty.get('/a/1'), failsWith('Unavailable'));
    etcd.thaw();
    await createAll(store, ['/a/2']);
    await watch.reach(2);
    await watch.stop();
  });

  it('uses the members that answer, for writes too', async () => {
    const dead = 'http://127.0.0.1:1';
    for (let i = 0; i < 4; i++) {
      const both = await openEtcdStore({ endpoints: [dead, etcd.endpoint] });
      const { revision } = await both.create(`/a/${i}`, bytes('x'));
      const watch = startWatch(both, '/a/', revision - 1);
      await watch.reach(1);
      await watch.stop();
      await both.close();
    }
  });

  it('ends everything when it is closed', async () => {
    const watch = startWatch(shaky, '/a/', 1);
    await store.create('/a/0', bytes('x'));
    await watch.reach(1);
    await shaky.close();
    assert.ok(failsWith('Unavailable')(await watch.ended));
    await assert.rejects(shaky.get('/a/1'), failsWith('Unavailable'));
    await assert.rejects(shaky.create('/a/1', bytes('x')), failsWith('Unavailable'));
  });
});

describe('The etcd store, without an etcd', () => {
  it('is Unavailable on first use, and says where it looked', async () => {
    const store = await openEtcdStore({ endpoints: ['http://127.0.0.1:1'], timeoutMs: 300 });
    await assert.rejects(store.status(), (error) => {
      failsWith('Unavailable')(error);
      return error instanceof Error && /127\.0\.0\.1:1/.test(error.message);
    });
    await store.close();
  });

  it('refuses addresses that are none', async () => {
    for (const endpoints of [[], ['ftp://x:1'], ['http://'], ['http://a:1', 'https://b:1']]) {
      await assert.rejects(openEtcdStore({ endpoints }), failsWith('InvalidArgument'));
    }
  });
});
