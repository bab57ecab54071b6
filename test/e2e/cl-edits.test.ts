import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { JsonObject } from '../../src/meta/json-value.ts';
import type { TestServer } from '../../src/testing/index.ts';
import { request } from '../http/http-client.ts';
import { programFile } from '../program-file.ts';
import { startServer } from './start-server.ts';
import { everyCase } from '../every-case.ts';

const run = promisify(execFile);

/** Lines with their editors, in order: codes, output and the objects that result are compared. */
const edits: readonly (readonly [editor: string, line: string])[] = [
  ['true', 'edit configmap one'],
  ['sed -i s/blue/red/', 'edit configmap one'],
  ['sed -i s/blue/red/', 'edit configmap one'],
  ['sed -i s/red/green/', 'edit configmap/one configmap/two'],
  ['sed -i s/blue/pink/', 'edit configmap'],
  ['sed -i s/\\"pink\\"/\\"grey\\"/', 'edit configmap two -o json'],
  ['sed -i s/colour:/bad*key:/', 'edit configmap one'],
  ['sed -i s/^data:$/data:[/', 'edit configmap one'],
  ['false', 'edit configmap one'],
  ['true', 'edit configmap nosuch'],
  ['true', 'edit limitranges'],
  ['sed -i s/green/black/', 'edit -f one.yaml'],
  ['sed -i s/red/white/', 'edit configmap one -o name'],
  ['true', 'create --edit -f new.yaml'],
  ['sed -i s/blue/red/', 'create --edit -f new.yaml'],
  ['sed -i s/blue/pink/', 'create --edit -f new.yaml'],
  ['true', 'apply set-last-applied -f one.yaml --create-annotation'],
  ['sed -i s/dark/light/', 'apply edit-last-applied configmap/one'],
  ['true', 'apply edit-last-applied configmap/one'],
  ['true', 'apply edit-last-applied configmap/two'],
];

describe('cl and kubectl, with an editor', () => {
  // Each line starts two programs and their editors; `http/cl/edit` has the stories of ours.
  if (!everyCase) return;

  let server: TestServer;
  let directory: string;
  let kubectl: string;
  before(async () => {
    kubectl = (await run('hack/kubectl.sh')).stdout.trim();
    directory = await mkdtemp(path.join(tmpdir(), 'cl-edits-'));
    server = await startServer({ store: 'memory', identifiers: 'kubernetes' });
    await writeFile(path.join(directory, 'config'), server.clientConfig, { mode: 0o600 });
    for (const [name, colour] of Object.entries({ one: 'dark', new: 'blue' })) {
      const text = `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata:\n  colour: ${colour}\n`;
      await writeFile(path.join(directory, `${name}.yaml`), text);
    }
  });
  after(async () => {
    await server.stop();
    await rm(directory, { recursive: true, force: true });
  });

  const mapsOf = (namespace: string) => `/api/v1/namespaces/${namespace}/configmaps`;

  async function execute(program: readonly string[], namespace: string, [editor, line]: readonly [string, string]) {
    const [file = '', ...args] = [...program, '--kubeconfig=config', '-n', namespace, ...line.split(' ')];
    const env = { ...process.env, HOME: directory, TMPDIR: directory, KUBE_EDITOR: editor, CL_EDITOR: '' };
    try {
      const { stdout } = await run(file, args, { cwd: directory, env });
      return { code: 0, out: outputOf(line, stdout) };
    } catch (error) {
      const { code, stdout } = error as { code: number; stdout: string };
      return { code, out: outputOf(line, stdout) };
    }
  }

  /** Objects that are printed differ between two servers or two moments. */
  const outputOf = (line: string, stdout: string): string => (line.includes('-o json') ? '' : stdout);

  it('end lines with the same codes and words, and leave the same objects', async () => {
    const namespaces = ['of-kubectl', 'of-cl'] as const;
    for (const name of namespaces) {
      await request(server, 'POST', '/api/v1/namespaces', { metadata: { name } });
      for (const each of ['one', 'two']) {
        await request(server, 'POST', mapsOf(name), { metadata: { name: each }, data: { colour: 'blue' } });
      }
    }
    for (const edit of edits) {
      const [theirs, ours] = await Promise.all([
        execute([kubectl], 'of-kubectl', edit),
        execute([process.execPath, programFile('cl')], 'of-cl', edit),
      ]);
      assert.deepEqual(ours, theirs, edit.join(': '));
    }
    const [theirs, ours] = await Promise.all(namespaces.map((name) => contentsIn(name)));
    assert.deepEqual(ours, theirs);
    assert.equal(theirs?.length, 3);
  });

  /** The names and the data of the objects, and what is recorded as applied. */
  async function contentsIn(namespace: string): Promise<readonly unknown[]> {
    const { body } = await request(server, 'GET', mapsOf(namespace));
    const { items } = body as {
      items: { metadata: { name: string; annotations?: Record<string, string> }; data: JsonObject }[];
    };
    return items.map(({ metadata: { name, annotations = {} }, data }) => {
      const applied = Object.values(annotations).filter((text) => text.startsWith('{'));
      return {
        name,
        data,
        applied: applied.map((text) => (JSON.parse(text) as JsonObject).data),
      };
    });
  }
});
