import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { JsonObject } from '../../src/meta/json-value.ts';
import { objectAt, objectsAt, stringAt } from '../../src/meta/read-field.ts';
import type { TestServer } from '../../src/testing/index.ts';
import { readObject } from './read-object.ts';
import { startServer } from './start-server.ts';
import { request } from '../http/http-client.ts';

const run = promisify(execFile);
const apps = '/apis/apps/v1/namespaces/default';
const mergePatch = { 'content-type': 'application/merge-patch+json' };
const revision = 'deployment.kubernetes.io/revision';

const template = (image: string, hash: string): JsonObject => ({
  metadata: { labels: { app: 'web', ...(hash === '' ? {} : { 'pod-template-hash': hash }) } },
  spec: { containers: [{ name: 'web', image }] },
});

describe('kubectl of the distribution, rolling out', () => {
  let server: TestServer;
  let directory: string;
  let kubectl: string;

  before(async () => {
    kubectl = (await run('hack/kubectl.sh')).stdout.trim();
    directory = await mkdtemp(path.join(tmpdir(), 'cl-kubectl-rollouts-'));
    server = await startServer({ store: 'memory', identifiers: 'kubernetes' });
    await writeFile(path.join(directory, 'config'), server.clientConfig);
    await send('POST', `${apps}/deployments`, {
      metadata: { name: 'web', annotations: { [revision]: '1' } },
      spec: { selector: { matchLabels: { app: 'web' } }, template: template('web:1', '') },
    });
  });

  after(async () => {
    await server.stop();
    await rm(directory, { recursive: true, force: true });
  });

  async function kube(line: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
    const environment = { ...process.env, KUBECONFIG: path.join(directory, 'config'), HOME: directory, ...env };
    return (await run(kubectl, line.split(' '), { env: environment, cwd: directory })).stdout.trim();
  }

  const get = (what: string): Promise<JsonObject> => readObject(server, what);

  async function send(method: string, url: string, body: JsonObject, headers?: Record<string, string>): Promise<void> {
    const { status, text } = await request(server, method, url, body, headers);
    assert.ok(status < 300, text);
  }

  const container = async (): Promise<JsonObject> => {
    const spec = objectAt(await get('deployment web'), 'spec', 'template', 'spec');
    return objectsAt(spec, 'containers')[0] ?? {};
  };

  /** What the controller of deployments would do: a ReplicaSet for the state that the Deployment has now. */
  async function roll(number: string, image: string): Promise<void> {
    const hash = `hash${number}`;
    const { uid = null } = objectAt(await get('deployment web'), 'metadata');
    await send('POST', `${apps}/replicasets`, {
      metadata: {
        name: `web-${hash}`,
        labels: { app: 'web', 'pod-template-hash': hash },
        annotations: { [revision]: number },
        ownerReferences: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid, controller: true }],
      },
      spec: {
        replicas: 1,
        selector: { matchLabels: { app: 'web', 'pod-template-hash': hash } },
        template: template(image, hash),
      },
    });
    const annotated = { metadata: { annotations: { [revision]: number } } };
    await send('PATCH', `${apps}/deployments/web`, annotated, mergePatch);
  }

  it('lists revisions, shows one, and goes back to it', async () => {
    await roll('1', 'web:1');
    await kube('set image deployment web web=web:2 --record');
    await roll('2', 'web:2');
    assert.match(await kube('rollout history deployment web'), /^1 +<none>\n2 +/m);
    assert.match(await kube('rollout history deployment web --revision=1'), /Image:\s+web:1/);
    assert.equal(await kube('rollout undo deployment web'), 'deployment.apps/web rolled back');
    assert.equal((await container())['image'], 'web:1');
    assert.match(await kube('rollout undo deployment web --to-revision=1'), /skipped rollback/);
    await assert.rejects(kube('rollout undo deployment web --to-revision=9'), /unable to find specified revision 9/);
  });

  it('does not go back while it is paused', async () => {
    await kube('rollout pause deployment web');
    await assert.rejects(
      kube('rollout undo deployment web --to-revision=2'),
      /you cannot rollback a paused deployment/,
    );
    await assert.rejects(kube('rollout pause deployment web'), /deployments.apps "web" is already paused/);
    await kube('rollout resume deployment web');
    assert.equal(await kube('rollout undo deployment web --to-revision=2'), 'deployment.apps/web rolled back');
    assert.equal((await container())['image'], 'web:2');
  });

  it('restarts by an annotation of the template', async () => {
    await kube('rollout restart deployment web');
    const annotations = objectAt(await get('deployment web'), 'spec', 'template', 'metadata', 'annotations');
    assert.match(stringAt(annotations, 'kubectl.kubernetes.io/restartedAt'), /^20/);
  });

  it('sets variables, resources and the account of the pods', async () => {
    assert.equal(await kube('set env deployment/web COLOUR=green'), 'deployment.apps/web env updated');
    assert.equal(
      await kube('set resources deployment web --limits=cpu=1'),
      'deployment.apps/web resource requirements updated',
    );
    assert.equal(await kube('set serviceaccount deployment web robot'), 'deployment.apps/web serviceaccount updated');
    const { env, resources } = await container();
    assert.deepEqual([env, resources], [[{ name: 'COLOUR', value: 'green' }], { limits: { cpu: '1' } }]);
    assert.equal(objectAt(await get('deployment web'), 'spec', 'template', 'spec')['serviceAccountName'], 'robot');
    await kube('set env deployment/web COLOUR-');
    assert.equal((await container())['env'], undefined);
  });

  it('sets subjects of a binding, and the selector of a service', async () => {
    await kube('create rolebinding readers --clusterrole=view --user=jane');
    await kube('set subject rolebinding readers --group=staff');
    const names = objectsAt(await get('rolebinding readers'), 'subjects').map((subject) => subject['name']);
    assert.deepEqual(names, ['jane', 'staff']);
    await kube('create service clusterip front --tcp=80');
    await kube('set selector service front app=web');
    assert.deepEqual(objectAt(await get('service front'), 'spec')['selector'], { app: 'web' });
  });

  it('taints a node, once with each effect, and takes the taint off', async () => {
    await send('POST', '/api/v1/nodes', { metadata: { name: 'node-1' } });
    assert.equal(await kube('taint node node-1 disk=slow:NoSchedule'), 'node/node-1 tainted');
    await assert.rejects(
      kube('taint node node-1 disk=slow:NoSchedule'),
      /already has disk taint\(s\) with same effect/,
    );
    assert.equal(await kube('taint node node-1 disk=fast:NoSchedule --overwrite'), 'node/node-1 modified');
    assert.equal(await kube('taint node node-1 disk:NoSchedule-'), 'node/node-1 untainted');
    const taints = objectsAt(objectAt(await get('node node-1'), 'spec'), 'taints').map(({ key }) => key);
    assert.ok(!taints.includes('disk'));
  });

  it('says what it would create, and creates nothing', async () => {
    assert.equal(await kube('create configmap ghost --dry-run=server'), 'configmap/ghost created (server dry run)');
    assert.equal(await kube('run ghost --image=nginx --dry-run=server'), 'pod/ghost created (server dry run)');
    await assert.rejects(kube('get configmap ghost'), /NotFound/);
    assert.equal(
      await kube('delete deployment web --dry-run=server'),
      'deployment.apps "web" deleted (server dry run)',
    );
    assert.equal((await get('deployment web'))['kind'], 'Deployment');
  });

  it('replaces a label only with --overwrite', async () => {
    await kube('label deployment web tier=front');
    await assert.rejects(kube('label deployment web tier=back'), /already has a value \(front\)/);
    assert.equal(await kube('label deployment web tier=back --overwrite'), 'deployment.apps/web labeled');
    await assert.rejects(kube('label deployment web tier=a/b --overwrite'), /invalid label value/);
  });

  it('shows an edit that was refused again, with the reason', async () => {
    const editor = path.join(directory, 'editor.sh');
    const script =
      '#!/bin/sh\ncp "$1" last\nif [ -e once ]; then exit 1; fi\ntouch once\nsed -i "s/replicas: 1/replicas: -1/" "$1"\n';
    await writeFile(editor, script);
    await chmod(editor, 0o755);
    await assert.rejects(kube('edit deployment web', { KUBE_EDITOR: editor }));
    const { stdout } = await run('cat', ['last'], { cwd: directory });
    assert.match(stdout, /^# \* spec\.replicas: Invalid value: -1: must be greater than or equal to 0$/m);
    assert.equal(objectAt(await get('deployment web'), 'spec')['replicas'], 1);
  });
});
