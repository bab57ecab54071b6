import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { TestServer } from '../../src/testing/index.ts';
import { startServer } from './start-server.ts';

const run = promisify(execFile);

const manifest = `
apiVersion: v1
kind: Namespace
metadata:
  name: shop
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: settings
  namespace: shop
data:
  colour: green
---
apiVersion: v1
kind: Secret
metadata:
  name: login
  namespace: shop
stringData:
  password: hunter2
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  namespace: shop
spec:
  selector:
    matchLabels: {app: web}
  template:
    metadata:
      labels: {app: web}
    spec:
      containers:
      - name: web
        image: nginx:1.25
        ports:
        - containerPort: 80
---
apiVersion: v1
kind: Service
metadata:
  name: web
  namespace: shop
spec:
  selector: {app: web}
  ports:
  - port: 80
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: web
  namespace: shop
spec:
  rules:
  - host: shop.example.com
    http:
      paths:
      - path: /
        pathType: Prefix
        backend:
          service:
            name: web
            port: {number: 80}
`;

describe('kubectl of the distribution, unmodified', () => {
  let server: TestServer;
  let directory: string;
  let kubectl: string;
  let environment: NodeJS.ProcessEnv;

  before(async () => {
    kubectl = (await run('hack/kubectl.sh')).stdout.trim();
    directory = await mkdtemp(path.join(tmpdir(), 'cl-kubectl-'));
    server = await startServer({ store: 'etcd', identifiers: 'kubernetes' });
    await writeFile(path.join(directory, 'config'), server.clientConfig);
    await writeFile(path.join(directory, 'all.yaml'), manifest);
    environment = { ...process.env, KUBECONFIG: path.join(directory, 'config'), HOME: directory };
  });

  after(async () => {
    await server.stop();
    await rm(directory, { recursive: true, force: true });
  });

  async function kube(...args: string[]): Promise<string> {
    const { stdout } = await run(kubectl, args, { env: environment, cwd: directory });
    return stdout;
  }

  it('lists resources and versions from discovery', async () => {
    const resources = await kube('api-resources');
    for (const line of [/^pods +po +v1 +true +Pod$/m, /^ingresses +ing +networking.k8s.io\/v1 +true +Ingress$/m])
      assert.match(resources, line);
    const versions = (await kube('api-versions')).trim().split('\n');
    for (const version of ['v1', 'apps/v1', 'batch/v1', 'networking.k8s.io/v1', 'rbac.authorization.k8s.io/v1'])
      assert.ok(versions.includes(version), version);
  });

  it('creates a file of six kinds', async () => {
    const created = await kube('create', '-f', 'all.yaml');
    assert.deepEqual(created.trim().split('\n'), [
      'namespace/shop created',
      'configmap/settings created',
      'secret/login created',
      'deployment.apps/web created',
      'service/web created',
      'ingress.networking.k8s.io/web created',
    ]);
  });

  it('checks a file against the published schema before it sends it, and explains fields', async () => {
    await writeFile(
      path.join(directory, 'typo.yaml'),
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\ndatta: {a: b}\n',
    );
    await assert.rejects(kube('create', '-f', 'typo.yaml'), /unknown field "datta" in .*ConfigMap/);
    assert.match(await kube('explain', 'deployment.spec.replicas'), /replicas.*integer/s);
    const ingress = await kube('explain', 'ingress', '--recursive');
    assert.match(ingress, /DESCRIPTION:\s+Rules that lead outside traffic to services/);
    assert.match(ingress, /^ +pathType\s+<string>/m);
    await kube('create', '-f', 'typo.yaml', '--validate=false', '--dry-run=server');
  });

  it('reads them back as YAML, with what the server added', async () => {
    const yaml = await kube('get', 'deployment', 'web', '-n', 'shop', '-o', 'yaml');
    assert.match(yaml, /^kind: Deployment$/m);
    assert.match(yaml, /^ {2}replicas: 1$/m);
    assert.match(yaml, /^ {2}uid: [0-9a-f-]{36}$/m);
    assert.equal(await kube('get', 'secret', 'login', '-n', 'shop', '-o', 'jsonpath={.data.password}'), 'aHVudGVyMg==');
    const table = await kube('get', 'configmap', '-n', 'shop');
    assert.match(table, /^settings\b/m);
  });

  it('sees its own changes with get -w', async () => {
    const child = spawn(
      kubectl,
      ['get', 'configmap', 'settings', '-n', 'shop', '-w', '-o', 'jsonpath={.data.colour}{"\\n"}'],
      {
        env: environment,
      },
    );
    let seen = '';
    child.stdout.on('data', (chunk: Buffer) => (seen += chunk.toString()));
    const until = async (text: string): Promise<void> => {
      for (let turn = 0; turn < 600 && !seen.includes(text); turn++) await new Promise((next) => setTimeout(next, 50));
      assert.ok(seen.includes(text), `waiting for ${text}, seen ${JSON.stringify(seen)}`);
    };
    try {
      await until('green\n');
      await kube('patch', 'configmap', 'settings', '-n', 'shop', '--type=merge', '-p', '{"data":{"colour":"blue"}}');
      await until('blue\n');
    } finally {
      child.kill();
    }
  });

  it('labels, annotates and replaces', async () => {
    assert.match(await kube('label', 'configmap', 'settings', '-n', 'shop', 'tier=front'), /labeled/);
    assert.match(await kube('annotate', 'configmap', 'settings', '-n', 'shop', 'note=first'), /annotated/);
    assert.match(
      await kube('get', 'configmap', '-n', 'shop', '-l', 'tier=front', '-o', 'name'),
      /^configmap\/settings$/m,
    );
    const live = JSON.parse(await kube('get', 'configmap', 'settings', '-n', 'shop', '-o', 'json')) as {
      data: Record<string, string>;
      metadata: { annotations: Record<string, string> };
    };
    assert.equal(live.metadata.annotations['note'], 'first');
    live.data['colour'] = 'red';
    await writeFile(path.join(directory, 'settings.json'), JSON.stringify(live));
    assert.match(await kube('replace', '-f', 'settings.json'), /replaced/);
    await assert.rejects(kube('replace', '-f', 'settings.json'), /the object has been modified/);
  });

  it('deletes, and sees that it is gone', async () => {
    assert.match(await kube('get', 'all', '-n', 'shop'), /deployment.apps\/web/);
    assert.match(await kube('delete', 'ingress', 'web', '-n', 'shop'), /deleted/);
    await assert.rejects(kube('get', 'ingress', 'web', '-n', 'shop'), /NotFound/);
  });
});
