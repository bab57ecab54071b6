import assert from 'node:assert/strict';
import type { Informer, InformerHandlers } from '../../../src/client/informers/informer.ts';
import type { Pod } from '../../../src/controllers/resources.ts';
import { readExecTable } from '../../../src/nodes/agent-server/programs/exec-table.ts';
import { PodChanges } from '../../../src/nodes/agent-server/source/pod-changes.ts';

describe('the tables of commands', () => {
  const client = 'test';

  it('are read once for all calls with one text, and a bounded number is kept', async () => {
    const text = '- command: a\n  stdout: b\n';
    const first = readExecTable(text, client);
    assert.equal(readExecTable(text, client), first);
    const table = await first;
    assert.ok('rows' in table && table.rows[0]?.matches('a'));
    for (let index = 0; index < 32; index++) await readExecTable(`- command: c${index}`, client);
    assert.notEqual(readExecTable(text, client), first);
  });

  it('are large ones too, in JSON or YAML', async () => {
    const list = Array.from({ length: 2_000 }, (_, index) => ({ command: `run ${index}`, stdout: 'x'.repeat(40) }));
    const flow = JSON.stringify(list).replace('"run 7"', "'run 7'");
    for (const text of [JSON.stringify(list), flow]) {
      const table = await readExecTable(text, client);
      assert.ok('rows' in table, 'problem' in table ? table.problem : '');
      assert.ok(table.rows[7]?.matches('run 7'));
    }
  });
});

describe('the changes of a pod', () => {
  it('are those of the pod alone, through one subscription, until the session ends', () => {
    const handlers: InformerHandlers<Pod>[] = [];
    const gone: string[] = [];
    // Only this method of an informer is called.
    const pods = { subscribe: (each: InformerHandlers<Pod>) => handlers.push(each) } as unknown as Informer<Pod>;
    const changes = new PodChanges(pods, (uid) => gone.push(uid), new AbortController().signal);
    const sessions = ['a', 'a', 'b'].map((uid) => {
      const stop = new AbortController();
      const seen: (Pod | undefined)[] = [];
      changes.follow(uid, (pod) => seen.push(pod), stop.signal);
      return { seen, stop };
    });
    const pod = (uid: string) => ({ metadata: { name: uid, uid }, spec: {} }) as unknown as Pod;
    const update = (uid: string): unknown => handlers[0]?.update?.(pod(uid), pod(uid));
    update('a');
    update('b');
    sessions[1]?.stop.abort();
    update('a');
    handlers[0]?.delete?.(pod('b'), true);
    assert.deepEqual(
      sessions.map(({ seen }) => seen.map((each) => each?.metadata.uid)),
      [['a', 'a'], ['a'], ['b', undefined]],
    );
    assert.deepEqual([handlers.length, gone], [1, ['b']]);
  });
});
