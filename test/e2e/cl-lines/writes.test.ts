import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'yaml';
import { everyCase } from '../../every-case.ts';
import { certificateRequest } from '../../http/minimal-objects.ts';
import { request } from '../../http/http-client.ts';
import { compareLines } from './compare-outcomes.ts';
import { longestMs, newestKubectl } from './programs.ts';
import { readLines } from './read-lines.ts';
import { createRevision } from './rollout-revisions.ts';
import { storedObjects } from './stored-objects.ts';
import { startWriteWorld, type WriteWorld } from './write-world.ts';

const requests = '/apis/certificates.k8s.io/v1/certificatesigningrequests';

/** A client config with two contexts, and comments that need not stay. */
const config = `apiVersion: v1
kind: Config
current-context: one
clusters:
- {name: c1, cluster: {server: "https://192.0.2.1:6443"}}
- {name: c2, cluster: {server: "https://192.0.2.2:6443", certificate-authority-data: YWJj}}
users:
- {name: u1, user: {token: abc}}
- {name: u2, user: {username: u, password: p}}
contexts:
- {name: one, context: {cluster: c1, user: u1}}
- {name: two, context: {cluster: c2, user: u2, namespace: n2}}
`;

describe('cl beside kubectl, writing', () => {
  let kubectl: string | undefined;
  before(async () => {
    kubectl = await newestKubectl();
  });

  /** Runs the lines of a file in order with both, and compares what is stored afterwards. */
  async function compare(name: string, { kubectl: theirs, cl: ours }: WriteWorld): Promise<void> {
    const lines = (await readLines(name)).filter(({ isExtra }) => everyCase || !isExtra);
    const differences = await compareLines(lines, [theirs.run, ours.run], 1);
    assert.ok(differences.length === 0, differences.join('\n'));
    assert.deepEqual(await storedObjects(ours.server), await storedObjects(theirs.server));
  }

  it('does the same to objects', async () => {
    if (kubectl === undefined) return;
    await using world = await startWriteWorld(kubectl);
    await compare('write', world);
  }).timeout(longestMs);

  // The lines about objects are enough for `make test`.
  if (!everyCase) return;

  it('does the same to nodes, rollouts, certificates and rights', async () => {
    if (kubectl === undefined) return;
    await using world = await startWriteWorld(kubectl, 'before-nodes.yaml');
    const text = certificateRequest();
    for (const { server } of [world.kubectl, world.cl]) {
      for (const name of ['a', 'b', 'c']) {
        const spec = { signerName: 'example.com/any', usages: ['client auth'], request: text };
        await request(server, 'POST', requests, { metadata: { name }, spec });
      }
      const controller = { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'agent', uid: 'u', controller: true };
      const owned = { name: 'agent-1', labels: { app: 'agent' }, ownerReferences: [controller] };
      await request(server, 'POST', '/api/v1/namespaces/default/pods', {
        metadata: owned,
        spec: { nodeName: 'n1', containers: [{ name: 'c', image: 'i' }] },
      });
      for (const number of [1, 2]) await createRevision(server, number);
    }
    await compare('nodes', world);
  }).timeout(longestMs);

  it('leaves the same client configs', async () => {
    if (kubectl === undefined) return;
    await using world = await startWriteWorld(kubectl);
    for (const { directory } of [world.kubectl, world.cl]) await writeFile(path.join(directory, 'config'), config);
    const lines = (await readLines('config')).filter(({ isExtra }) => everyCase || !isExtra);
    const differences = await compareLines(lines, [world.kubectl.run, world.cl.run], 1);
    assert.ok(differences.length === 0, differences.join('\n'));
    const read = async (directory: string): Promise<unknown> =>
      parse((await readFile(path.join(directory, 'config'), 'utf8')).replaceAll(directory, ''));
    assert.deepEqual(await read(world.cl.directory), await read(world.kubectl.directory));
  });
});
