import assert from 'node:assert/strict';
import { parseManifests } from '../../../src/cli/manifests/read-manifests.ts';
import { threadCpuMs } from '../../thread-cpu.ts';

const parse = (text: string, signal?: AbortSignal) => parseManifests({ name: 'f', bytes: Buffer.from(text) }, signal);
const json = (name: string) => JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });
/** A document that the reader of plain YAML leaves to the complete one. */
const anchored = (name: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: &x ${name}}\n`;

describe('parseManifests', () => {
  const places = async (text: string) =>
    (await parse(text)).map(({ object, where }) => [(object.metadata as { readonly name: string }).name, where]);

  it('reads JSON objects one after the other', async () => {
    const odd = json('a').replace('"v1"', String.raw`"v1","x":"}\"{\\"`);
    assert.deepEqual(await places(`${odd}${json('b')}\n\n${json('c')}\n`), [
      ['a', 'f (line 1)'],
      ['b', 'f (line 1)'],
      ['c', 'f (line 3)'],
    ]);
    assert.deepEqual(await places(`---\n${json('a')}\n${json('b')}\n---\n${anchored('c')}`), [
      ['a', 'f (line 2)'],
      ['b', 'f (line 3)'],
      ['c', 'f (line 4)'],
    ]);
  });

  it('reads YAML that begins with a brace, and refuses what is neither', async () => {
    assert.deepEqual(await places("{apiVersion: v1, kind: 'A}', metadata: {name: a}}\n"), [['a', 'f (line 1)']]);
    for (const rest of ['{', '{"a": "', 'x', anchored('b'), '[]']) {
      await assert.rejects(parse(`${json('a')}\n${rest}`), /^CliError: f \(line 1\): error converting YAML/, rest);
    }
  });

  it('decodes base64 that is tagged as binary', async () => {
    const [manifest] = await parse(`${anchored('a')}data: {a: !!binary aGVsbG8=}\n`);
    assert.deepEqual(manifest?.object.data, { a: 'hello' });
  });

  it('tells the line of the file', async () => {
    await assert.rejects(parse(`${anchored('a')}---\n${anchored('b')}a: [}\n`), /error parsing f: .* line 8: /);
  });

  it('reads each of many documents in the same time, wherever they are', async () => {
    const cost = async (count: number): Promise<number> => {
      const text = `${anchored('a')}${'\n'.repeat(500)}---\n`.repeat(count);
      const startMs = threadCpuMs();
      assert.equal((await parse(text)).length, count);
      return threadCpuMs() - startMs;
    };
    await cost(50);
    const [few, many] = [await cost(50), await cost(500)];
    assert.ok(many < 30 * few, `${few} and ${many} ms`);
  });

  it('ends between two documents when it is interrupted', async () => {
    const interrupted = new AbortController();
    const reading = parse(`${anchored('a')}---\n`.repeat(5000), interrupted.signal);
    setImmediate(() => interrupted.abort(new Error('interrupted')));
    await assert.rejects(reading, /interrupted/);
  });
});
