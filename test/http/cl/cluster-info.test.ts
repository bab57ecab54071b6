import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { type ClServer, startClServer } from './cl-runner.ts';

const definition = (plural: string, kind: string, scope: string): string => `
apiVersion: apiextensions.cl.io/v1
kind: CustomResourceDefinition
metadata: {name: ${plural}.metrics.cl.io, annotations: {api-approved.cluster.io: "unapproved, for a test"}}
spec:
  group: metrics.cl.io
  scope: ${scope}
  names: {plural: ${plural}, singular: ${kind.toLowerCase()}, kind: ${kind}, listKind: ${kind}List}
  versions:
  - name: v1beta1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, x-cluster-preserve-unknown-fields: true}}
---`;

const metrics = (name: string, cpu: string, memory: string): string => `
apiVersion: metrics.cl.io/v1beta1
kind: PodMetrics
metadata: {name: ${name}}
containers: [{name: main, usage: {cpu: ${cpu}, memory: ${memory}}}, {name: side, usage: {cpu: 1m, memory: 1Mi}}]
---`;

describe('cl cluster-info and cl top', () => {
  let plane: ClServer;
  before(async () => {
    plane = await startClServer();
  });
  after(() => plane[Symbol.asyncDispose]());

  it('shows the address of the control plane', async () => {
    const { code, out } = await plane.run('cluster-info');
    assert.equal(code, 0);
    assert.match(out, new RegExp(`^Cluster control plane is running at ${plane.server.url}\n\n`));
  });

  it('writes the state of the cluster, as one text or a file of each list', async () => {
    const pod = 'apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: {containers: [{name: c, image: web}]}\n';
    assert.equal((await plane.pipe(pod, 'create', '-f', '-')).code, 0);
    const { code, out } = await plane.run('cluster-info', 'dump');
    assert.equal(code, 0);
    assert.match(out, /^\{\n {4}"apiVersion": "v1",\n {4}"items": \[\],\n {4}"kind": "NodeList",/);
    assert.match(out, /\n==== START logs for container c of pod default\/web ====\n==== END logs /);
    const dump = await plane.run(
      'cluster-info',
      'dump',
      '--namespaces=default',
      '--output-directory=state',
      '-o',
      'yaml',
    );
    assert.deepEqual([dump.code, dump.out], [0, 'Cluster info dumped to state\n']);
    assert.deepEqual((await readdir(path.join(plane.directory, 'state'))).toSorted(), ['default', 'nodes.yaml']);
    const files = await readdir(path.join(plane.directory, 'state', 'default'));
    assert.equal(
      files.toSorted().join(' ').replaceAll('.yaml', ''),
      'daemonsets deployments events pods replicasets replication-controllers services web',
    );
    assert.match(await readFile(path.join(plane.directory, 'state', 'default', 'pods.yaml'), 'utf8'), /name: web\n/);
  });

  it('says that there are no metrics, and shows those that are served', async () => {
    for (const type of ['pod', 'nodes']) {
      const { code, err } = await plane.run('top', type);
      assert.equal(code, 1);
      assert.match(err, /^error: Metrics API not available/);
    }
    const types = `${definition('pods', 'PodMetrics', 'Namespaced')}${definition('nodes', 'NodeMetrics', 'Cluster')}`;
    assert.equal((await plane.pipe(types, 'create', '-f', '-')).code, 0);
    const objects = `${metrics('web', '250m', '100Mi')}${metrics('db', '1500u', '2Gi')}`;
    for (let code = 1; code !== 0; ) ({ code } = await plane.pipe(objects, 'apply', '-f', '-'));
    assert.deepEqual((await plane.run('top', 'pods', '--sum')).out.split(/ *\n/), [
      'NAME   CPU(cores)   MEMORY(bytes)',
      'db     3m           2049Mi',
      'web    251m         101Mi',
      '       ________     ________',
      '       254m         2150Mi',
      '',
    ]);
    assert.match(
      (await plane.run('top', 'pod', 'web', '--show-swap')).out,
      /SWAP\(bytes\) *\nweb +251m +101Mi +0Mi *\n$/,
    );
    const sorted = await plane.run('top', 'pod', '-A', '--containers', '--sort-by=cpu', '--no-headers');
    assert.match(sorted.out, /^default {3}web {3}main {3}250m/);
    const node =
      'apiVersion: v1\nkind: Node\nmetadata: {name: one}\n---\napiVersion: metrics.cl.io/v1beta1\nkind: NodeMetrics\nmetadata: {name: one}\nusage: {cpu: "1", memory: 1Gi}\n';
    assert.equal((await plane.pipe(node, 'create', '-f', '-')).code, 0);
    const { out } = await plane.run('top', 'node');
    assert.match(
      out,
      /^NAME +CPU\(cores\) +CPU\(%\) +MEMORY\(bytes\) +MEMORY\(%\) *\none +1000m +<unknown> +1024Mi +<unknown>/,
    );
  });
});
