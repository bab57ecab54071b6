import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { TestServer } from '../../src/testing/index.ts';
import { startServer } from './start-server.ts';

const run = promisify(execFile);

const manifests: Readonly<Record<string, string>> = {
  'pod.yaml': `
apiVersion: v1
kind: Pod
metadata: {name: web, namespace: shop}
spec:
  containers:
  - {name: web, image: nginx, securityContext: {privileged: true}}
`,
  'deployment.yaml': `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {hostNetwork: true, containers: [{name: web, image: nginx}]}
`,
  'typo.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x, namespace: shop}\ndatta: {a: b}\n',
};

describe('warnings of the server in kubectl', () => {
  let server: TestServer;
  let directory: string;
  let kubectl: string;

  before(async () => {
    kubectl = (await run('hack/kubectl.sh')).stdout.trim();
    directory = await mkdtemp(path.join(tmpdir(), 'cl-kubectl-warnings-'));
    server = await startServer({
      identifiers: 'kubernetes',
      admissionPlugins: { enabled: [], disabled: ['ServiceAccount'] },
    });
    await writeFile(path.join(directory, 'config'), server.clientConfig);
    for (const [name, text] of Object.entries(manifests)) await writeFile(path.join(directory, name), text);
    await run(kubectl, ['create', 'namespace', 'shop'], options());
    await run(kubectl, ['label', 'namespace', 'shop', 'pod-security.kubernetes.io/warn=baseline'], options());
  });
  after(async () => {
    await server.stop();
    await rm(directory, { recursive: true, force: true });
  });

  const options = () => ({
    env: { ...process.env, KUBECONFIG: path.join(directory, 'config'), HOME: directory },
    cwd: directory,
  });

  /** Runs a command that succeeds. Returns the warnings that it printed. */
  async function warningsOf(...args: string[]): Promise<readonly string[]> {
    const { stderr } = await run(kubectl, args, options());
    return stderr
      .split('\n')
      .filter((line) => line.startsWith('Warning: '))
      .map((line) => line.slice('Warning: '.length));
  }

  it('name what violates a level of Pod security, in Pods and in templates', async () => {
    const level = 'would violate PodSecurity "baseline:latest":';
    assert.deepEqual(await warningsOf('create', '-f', 'pod.yaml'), [
      `${level} privileged (container "web" must not set securityContext.privileged=true)`,
    ]);
    assert.deepEqual(await warningsOf('apply', '-f', 'deployment.yaml'), [
      `${level} host namespaces (hostNetwork=true)`,
    ]);
  });

  it('name the Pods that violate a level that is enforced now', async () => {
    const label = 'pod-security.kubernetes.io/enforce=baseline';
    assert.deepEqual(await warningsOf('label', '--dry-run=server', '--overwrite', 'namespace', 'shop', label), [
      'existing pods in namespace "shop" violate the new PodSecurity enforce level "baseline:latest"',
      'web: privileged',
    ]);
  });

  it('name a deprecated version and an unknown field', async () => {
    assert.deepEqual(await warningsOf('get', 'podsecuritypolicies'), [
      'policy/v1beta1 PodSecurityPolicy is deprecated in v1.21+, unavailable in v1.25+',
    ]);
    assert.deepEqual(await warningsOf('create', '-f', 'typo.yaml', '--validate=false'), ['unknown field "datta"']);
  });

  it('are errors with --warnings-as-errors', async () => {
    const args = ['get', 'podsecuritypolicies', '--warnings-as-errors'];
    await assert.rejects(run(kubectl, args, options()), /error: 1 warning received/i);
  });
});
