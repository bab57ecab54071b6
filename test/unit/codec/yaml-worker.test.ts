import assert from 'node:assert/strict';
import { JsonDecodeError } from '../../../src/codec/decode-error.ts';
import { yamlOfJson } from '../../../src/codec/encode-yaml.ts';
import { YamlWorker } from '../../../src/codec/yaml-worker.ts';
import { moduleFile } from '../../../src/package/module-file.ts';
import { StatusError } from '../../../src/status/status-error.ts';
import { until } from '../../http/until.ts';

const list = (count: number): Buffer => Buffer.from('- {name: item, value: 1}\n'.repeat(count));
/** For stories that are not about the time of a document: it is not over on a slow machine. */
const patient = { deadlineMs: 120_000 };

const small = Buffer.from('a: 1\na: 2\n__proto__: {b: 12345678901234567890}\n');

const json = Buffer.from(JSON.stringify({ kind: 'Thing', items: Array.from({ length: 2_000 }, (_, i) => `${i}\n`) }));
const receiver = (client = ''): { client: string; signal: AbortSignal } => ({
  client,
  signal: new AbortController().signal,
});

describe('the thread that reads and writes large YAML', () => {
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
        parentPort.postMessage({ result: { value: 'read', duplicateFields: [] } });
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

  it('writes what yamlOfJson writes, of a view of a larger buffer too', async () => {
    worker = new YamlWorker(patient);
    const larger = Buffer.concat([Buffer.from('before'), json, Buffer.from('after')]);
    const view = larger.subarray(6, 6 + json.length);
    assert.equal((await worker.encode(view, receiver())).toString(), yamlOfJson(json).toString());
    assert.equal(view.toString(), json.toString());
  });

  it('ends a response that takes too long with 504, and one that takes too much memory with 500', async () => {
    const endsWith = async (limits: object, code: number): Promise<void> => {
      worker = new YamlWorker(limits);
      const large = Buffer.from(JSON.stringify(Array.from({ length: 1_000_000 }, (_, i) => [i])));
      await assert.rejects(worker.encode(large, receiver()), (error: unknown) => {
        return error instanceof StatusError && error.code === code;
      });
      await worker.close();
    };
    await endsWith({ deadlineMs: 1 }, 504);
    await endsWith({ ...patient, memoryMb: 32 }, 500);
  });

  it('lets any number of responses wait, which take no place of a document that is sent', async () => {
    worker = new YamlWorker({ ...patient, waiting: 1 });
    const responses = Array.from({ length: 20 }, () => worker.encode(json, receiver('reader')));
    assert.deepEqual((await worker.decode(small, 'sender')).duplicateFields, ['a']);
    assert.equal(new Set((await Promise.all(responses)).map(String)).size, 1);
  });

  it('forgets a response whose client is gone, waiting or running', async () => {
    worker = new YamlWorker(patient);
    const clients = Array.from({ length: 3 }, () => new AbortController());
    const responses = clients.map(({ signal }) => worker.encode(json, { client: '', signal }));
    const [running, waiting, served] = responses.map((each) => each.then(String, (error: Error) => error.message));
    clients[0]?.abort(new Error('gone'));
    clients[1]?.abort(new Error('gone'));
    assert.deepEqual([await running, await waiting], ['gone', 'gone']);
    assert.equal(await served, yamlOfJson(json).toString());
    const gone = AbortSignal.abort(new Error('gone before'));
    await assert.rejects(worker.encode(json, { client: '', signal: gone }), /gone before/);
  });
});
