import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { JsonObject } from '../../src/meta/json-value.ts';
import { objectAt, objectsAt, stringAt } from '../../src/meta/read-field.ts';
import type { TestServer } from '../../src/testing/index.ts';
import { readObject, readText } from './read-object.ts';
import { startServer } from './start-server.ts';

const run = promisify(execFile);

const deployment = (image: string, more = ''): string => `
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  labels: {team: shop}
spec:
  replicas: 2
  selector:
    matchLabels: {app: web}
  template:
    metadata:
      labels: {app: web}
    spec:
      containers:
      - name: web
        image: ${image}
        ports:
        - containerPort: 80
${more}`;

const sidecar = `
      - name: logs
        image: logs:1
`;

const settings = (data: string): string => `
apiVersion: v1
kind: ConfigMap
metadata:
  name: settings
data: ${data}
`;

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

describe('kubectl changes objects', () => {
  let server: TestServer;
  let directory: string;
  let kubectl: string;

  before(async () => {
    kubectl = (await run('hack/kubectl.sh')).stdout.trim();
    directory = await mkdtemp(path.join(tmpdir(), 'cl-kubectl-apply-'));
    server = await startServer({ store: 'memory', identifiers: 'kubernetes' });
    await writeFile(path.join(directory, 'config'), server.clientConfig);
  });

  after(async () => {
    await server.stop();
    await rm(directory, { recursive: true, force: true });
  });

  async function attempt(args: readonly string[], more: NodeJS.ProcessEnv = {}): Promise<Outcome> {
    const env = { ...process.env, KUBECONFIG: path.join(directory, 'config'), HOME: directory, ...more };
    try {
      return { code: 0, ...(await run(kubectl, args, { env, cwd: directory })) };
    } catch (error) {
      // What execFile throws for a program that ends with a code.
      return error as Outcome;
    }
  }

  async function kube(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await attempt(args);
    assert.equal(code, 0, `kubectl ${args.join(' ')}: ${stderr}`);
    return stdout;
  }

  async function file(name: string, text: string): Promise<string> {
    await writeFile(path.join(directory, name), text);
    return name;
  }

  const read = (what: string): Promise<JsonObject> => readObject(server, what);
  const valueOf = (what: string, at: string): Promise<string> => readText(server, what, at);

  async function managers(what: string): Promise<string[]> {
    const entries = objectsAt(objectAt(await read(what), 'metadata'), 'managedFields');
    return entries.map((entry) => `${stringAt(entry, 'manager')} ${stringAt(entry, 'operation')}`);
  }

  describe('by client-side apply', () => {
    it('creates, changes nothing twice, and merges what has changed', async () => {
      const name = await file('web.yaml', deployment('web:1', sidecar));
      assert.equal(await kube('apply', '-f', name), 'deployment.apps/web created\n');
      assert.equal(await kube('apply', '-f', name), 'deployment.apps/web unchanged\n');
      await file('web.yaml', deployment('web:2', sidecar));
      assert.equal(await kube('apply', '-f', name), 'deployment.apps/web configured\n');
      assert.equal(await valueOf('deployment/web', '.spec.template.spec.containers[*].image'), 'web:2 logs:1');
    });

    it('takes out an item that the file no longer has', async () => {
      await kube('apply', '-f', await file('web.yaml', deployment('web:2')));
      assert.equal(await valueOf('deployment/web', '.spec.template.spec.containers[*].name'), 'web');
      assert.deepEqual(await managers('deployment/web'), ['kubectl-client-side-apply Update']);
    });

    it('sets an image, and applies it back', async () => {
      await kube('set', 'image', 'deployment/web', 'web=web:3');
      assert.equal(await valueOf('deployment/web', '.spec.template.spec.containers[0].image'), 'web:3');
      await kube('apply', '-f', 'web.yaml');
      assert.equal(await valueOf('deployment/web', '.spec.template.spec.containers[0].image'), 'web:2');
    });
  });

  describe('by patches of each type', () => {
    it('strategic', async () => {
      const patch = '{"spec":{"template":{"spec":{"containers":[{"name":"web","env":[{"name":"A","value":"1"}]}]}}}}';
      await kube('patch', 'deployment/web', '-p', patch);
      const { spec } = (await read('deployment/web')) as { spec: { template: { spec: { containers: JsonObject[] } } } };
      const [container] = spec.template.spec.containers;
      assert.equal(container?.['image'], 'web:2');
      assert.deepEqual(container?.['env'], [{ name: 'A', value: '1' }]);
    });

    it('merge', async () => {
      await kube('patch', 'deployment/web', '--type=merge', '-p', '{"spec":{"replicas":5}}');
      assert.equal(await valueOf('deployment/web', '.spec.replicas'), '5');
    });

    it('json', async () => {
      const patch = '[{"op":"replace","path":"/spec/replicas","value":3}]';
      await kube('patch', 'deployment/web', '--type=json', '-p', patch);
      assert.equal(await valueOf('deployment/web', '.spec.replicas'), '3');
    });

    it('labels and annotates', async () => {
      await kube('label', 'deployment/web', 'tier=front');
      await kube('label', 'deployment/web', 'team-');
      await kube('annotate', 'deployment/web', 'note=hello');
      const { metadata } = (await read('deployment/web')) as {
        metadata: { labels: JsonObject; annotations: JsonObject };
      };
      assert.deepEqual(metadata.labels, { tier: 'front' });
      assert.equal(metadata.annotations['note'], 'hello');
    });

    it('edits by a script', async () => {
      const editor = path.join(
        directory,
        await file('editor.sh', '#!/bin/sh\nsed -i "s/replicas: 3/replicas: 4/" "$1"\n'),
      );
      await chmod(editor, 0o755);
      const { code, stderr } = await attempt(['edit', 'deployment/web'], { EDITOR: editor, KUBE_EDITOR: editor });
      assert.equal(code, 0, stderr);
      assert.equal(await valueOf('deployment/web', '.spec.replicas'), '4');
    });
  });

  describe('by server-side apply', () => {
    it('creates, and keeps the version of what does not change', async () => {
      const name = await file('settings.yaml', settings('{a: "1", b: "2"}'));
      assert.equal(await kube('apply', '--server-side', '-f', name), 'configmap/settings serverside-applied\n');
      const before = await valueOf('configmap/settings', '.metadata.resourceVersion');
      await kube('apply', '--server-side', '-f', name);
      assert.equal(await valueOf('configmap/settings', '.metadata.resourceVersion'), before);
      assert.deepEqual(await managers('configmap/settings'), ['kubectl Apply']);
    });

    it('removes what the file no longer has', async () => {
      await kube('apply', '--server-side', '-f', await file('settings.yaml', settings('{a: "1"}')));
      assert.deepEqual((await read('configmap/settings'))['data'], { a: '1' });
    });

    it('shows the conflicts, and takes the fields by force', async () => {
      const name = await file('other.yaml', settings('{a: "9"}'));
      const other = ['apply', '--server-side', '--field-manager=other', '-f', name];
      const { code, stderr } = await attempt(other);
      assert.equal(code, 1);
      assert.match(stderr, /Apply failed with 1 conflict: conflict with "kubectl": \.data\.a/);
      assert.match(stderr, /--force-conflicts/);
      await kube(...other, '--force-conflicts');
      assert.deepEqual(await managers('configmap/settings'), ['other Apply']);
      assert.deepEqual((await read('configmap/settings'))['data'], { a: '9' });
    });

    it('takes over what client-side apply had, without conflicts', async () => {
      await kube('apply', '-f', await file('web.yaml', deployment('web:5')));
      await kube('apply', '--server-side', '-f', await file('web.yaml', deployment('web:6')));
      assert.equal(await valueOf('deployment/web', '.spec.template.spec.containers[0].image'), 'web:6');
      const applied = await kube('apply', 'view-last-applied', 'deployment/web');
      assert.match(applied, /image: web:6/);
    });

    it('prints what kubectl cannot apply', async () => {
      const { code, stderr } = await attempt([
        'apply',
        '--server-side',
        '-f',
        await file('bad.yaml', settings('{a: 1}')),
      ]);
      assert.equal(code, 1);
      assert.match(stderr, /failed to create typed patch object: \.data\.a: expected string/);
    });
  });

  describe('without changing anything', () => {
    it('says what a dry run on the server would do', async () => {
      const version = await valueOf('deployment/web', '.metadata.resourceVersion');
      const name = await file('web.yaml', deployment('web:7'));
      assert.equal(
        await kube('apply', '--dry-run=server', '-f', name),
        'deployment.apps/web configured (server dry run)\n',
      );
      assert.match(
        await kube('apply', '--server-side', '--dry-run=server', '-f', name),
        /serverside-applied \(server dry run\)/,
      );
      assert.equal(await valueOf('deployment/web', '.metadata.resourceVersion'), version);
    });

    it('shows the difference', async () => {
      const name = await file('web.yaml', deployment('web:8'));
      const { code, stdout } = await attempt(['diff', '-f', name]);
      assert.equal(code, 1, stdout);
      assert.match(stdout, /^\+ +image: web:8$/m);
      const serverSide = await attempt(['diff', '--server-side', '-f', name]);
      assert.match(serverSide.stdout, /^\+ +image: web:8$/m, serverSide.stderr);
    });
  });
});
