import assert from 'node:assert/strict';
import { JsonDecodeError } from '../../../src/codec/decode-error.ts';
import { YamlWorker } from '../../../src/codec/yaml-worker.ts';
import { moduleFile } from '../../../src/package/module-file.ts';
import { StatusError } from '../../../src/status/status-error.ts';
import { until } from '../../http/until.ts';

const list = (count: number): Buffer => Buffer.from('- {name: item, value: 1}\n'.repeat(count));
/** For stories that are not about the time of a document: it is not over on a slow machine. */
const patient = { deadlineMs: 120_000 };

const small = Buffer.from('a: 1\na: 2\n__proto__: {b: 12345678901234567890}\n');

describe('the thread that reads large YAML', () => {
  let worker: YamlWorker;
  afterEach(() => worker.close());

  it('reads what decodeYaml reads, beyond its limit of size', async () => {
    worker = new YamlWorker(patient);
    const { value, duplicateFields } = await worker.decode(small);
    assert.deepEqual(Object.entries(value ?? {}), [
      ['a', 2],
      ['__proto__', { b: 12345678901234567890n }],
    ]);
    assert.deepEqual(duplicateFields, ['a']);
    const items = (await worker.decode(list(10_000))).value;
    assert.equal(Array.isArray(items) && items.length, 10_000);
  });

  it('refuses what decodeYaml refuses, in its words', async () => {
    worker = new YamlWorker(patient);
    await assert.rejects(worker.decode(Buffer.from('a: [')), (error: unknown) => {
      return (
        error instanceof JsonDecodeError && error.message.startsWith('error converting YAML to JSON: yaml: line 1')
      );
    });
  });

  it('fails documents while the program of the thread is missing, and reads the next one when it is there', async () => {
    const program = moduleFile('codec/yaml-thread');
    let isThere = false;
    worker = new YamlWorker(patient, () => {
      if (!isThere) throw new Error('the installation is incomplete');
      return { file: program };
    });
    const failed = await Promise.allSettled([worker.decode(small), worker.decode(small)]);
    assert.deepEqual(
      failed.map((each) => each.status === 'rejected' && String(each.reason)),
      ['Error: the installation is incomplete', 'Error: the installation is incomplete'],
    );
    isThere = true;
    assert.deepEqual((await worker.decode(small)).duplicateFields, ['a']);
  });

  it('ends a document that takes too long with 504 and a time to wait, and reads the next one', async () => {
    worker = new YamlWorker({ deadlineMs: 1_000 });
    const [long, next] = [worker.decode(list(300_000)), worker.decode(small)];
    await assert.rejects(long, (error: unknown) => {
      assert.ok(error instanceof StatusError);
      assert.equal(error.code, 504);
      assert.ok((error.details?.retryAfterSeconds ?? 0) > 0);
      return true;
    });
    const isRead = (document: typeof next): Promise<boolean> =>
      document.then(
        ({ duplicateFields }) => duplicateFields.includes('a'),
        (error: unknown) => {
          assert.ok(error instanceof StatusError && error.code === 504);
          return false;
        },
      );
    // On a slow machine its time may be over before its thread has started.
    if (!(await isRead(next))) await until('the next one', () => isRead(worker.decode(small)));
  });

  it('waits for a document that the machine gives no CPU time', async () => {
    const deadlineMs = 1_000;
    const script = `
      const { parentPort } = require('node:worker_threads');
      parentPort.on('message', () => {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${2 * deadlineMs});
        parentPort.postMessage({ parsed: { value: 'read', duplicateFields: [] } });
      });`;
    worker = new YamlWorker({ deadlineMs }, () => ({ script }));
    assert.equal((await worker.decode(small)).value, 'read');
  });

  it('ends a document that takes too much memory, and reads the next one', async () => {
    worker = new YamlWorker({ ...patient, memoryMb: 32 });
    const [large, next] = [worker.decode(list(60_000)), worker.decode(small)];
    await assert.rejects(large, /takes too much memory to read/);
    assert.deepEqual((await next).duplicateFields, ['a']);
  });

  it('refuses documents with 429 where many wait', async () => {
    worker = new YamlWorker({ ...patient, waiting: 2 });
    const taken = [1, 2, 3].map(() => worker.decode(small));
    await assert.rejects(worker.decode(small), (error: unknown) => error instanceof StatusError && error.code === 429);
    await Promise.all(taken);
  });
});
