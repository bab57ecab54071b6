import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { programFile } from '../program-file.ts';
import type { TestServer } from '../../src/testing/index.ts';
import { startServer } from './start-server.ts';
import { request } from '../http/http-client.ts';

const run = promisify(execFile);

/** Objects that are made from flags and only shown. */
const generators = [
  'ns work',
  'cm c --from-literal=a=1 --append-hash',
  'secret generic s --from-literal=a=1 --type=x --append-hash',
  'secret docker-registry r --docker-username=u --docker-password=p --docker-email=e',
  'sa bot',
  'role r --verb=get,list --resource=pods,deployments.apps --resource-name=x',
  'clusterrole r --verb=get --non-resource-url=/x',
  'clusterrole r --aggregation-rule=a=b',
  'rolebinding b --clusterrole=view --user=u --group=g --serviceaccount=default:x',
  'clusterrolebinding b --clusterrole=view --user=u',
  'deployment web --image=nginx --port=80 --replicas=2',
  'job j --image=busybox -- date -u',
  'service clusterip s --tcp=80:8080,90',
  'service nodeport s --tcp=80 --node-port=30001',
  'service loadbalancer s --tcp=80:http',
  'service externalname s --external-name=e.com',
  'ingress i --rule=foo.com/bar*=svc:80,tls=sec --class=c --default-backend=d:http --annotation=a=b',
  'quota q --hard=cpu=1000m,pods=2 --scopes=BestEffort',
  'priorityclass p --value=10 --description=x',
  'pdb b --max-unavailable=50% --selector=a=b',
];

/** Lines that write, in order: codes and objects are compared. */
const writes = [
  'create deployment web --image=nginx --replicas=2',
  'create deployment web --image=nginx',
  'create configmap settings --from-literal=colour=blue',
  'create quota small --hard=pods=10',
  'create foo',
  'label deployment web tier=front',
  'label deployment web tier=back',
  'label deployment web tier=back --overwrite',
  'label deployment,configmap --all team=data',
  'annotate configmap settings a=b c=d',
  'annotate configmap settings c-',
  'scale deployment web --replicas=3',
  'scale deployment web --replicas=1 --current-replicas=7',
  'set image deployment/web nginx=nginx:2',
  'set image deployment/web nosuch=nginx:2',
  'set env deployment/web A=b C=d',
  'set env deployment/web A-',
  'set resources deployment/web --limits=cpu=1,memory=1Gi --requests=cpu=100m',
  'set serviceaccount deployment web default',
  'patch deployment web -p {"spec":{"paused":true}}',
  'patch deployment web --type=json -p [{"op":"remove","path":"/spec/paused"}]',
  'patch deployment nosuch -p {}',
  'expose deployment web --port=80 --name=front',
  'autoscale deployment web --min=1 --max=5',
  'autoscale deployment web --min=3 --max=2',
  'rollout restart deployment/web',
  'rollout pause deployment/web',
  'rollout pause deployment/web',
  'rollout resume deployment/web',
  'run alone --image=nginx --port=80 --labels=x=y',
  'create -f file.yaml',
  'create -f file.yaml',
  'replace -f file.yaml',
  'delete configmap settings --dry-run=server',
  'delete -f file.yaml',
  'delete -f file.yaml',
  'delete -f file.yaml --ignore-not-found',
  'delete configmap',
];

/** Fields that differ between two servers or two moments. */
const changing: ReadonlySet<string> = new Set([
  // Older releases write older versions.
  'apiVersion',
  'uid',
  'resourceVersion',
  'creationTimestamp',
  'managedFields',
  'namespace',
  'clusterIP',
  'clusterIPs',
  'status',
]);

describe('cl and kubectl, writing', () => {
  let server: TestServer;
  let directory: string;
  let kubectl: string;
  before(async () => {
    kubectl = (await run('hack/kubectl.sh')).stdout.trim();
    directory = await mkdtemp(path.join(tmpdir(), 'cl-writes-'));
    server = await startServer({ store: 'memory', identifiers: 'kubernetes' });
    await writeFile(path.join(directory, 'config'), server.clientConfig, { mode: 0o600 });
    await writeFile(path.join(directory, 'file.yaml'), 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: file}\n');
  });
  after(async () => {
    await server.stop();
    await rm(directory, { recursive: true, force: true });
  });

  async function execute(program: readonly string[], line: string): Promise<{ code: number; out: string }> {
    const [file = '', ...args] = [...program, '--kubeconfig=config', ...line.split(' ')];
    const env = { ...process.env, HOME: directory };
    try {
      return { code: 0, out: (await run(file, args, { cwd: directory, env })).stdout };
    } catch (error) {
      return { code: (error as { code: number }).code, out: '' };
    }
  }

  const both = (line: (namespace: string) => string) =>
    Promise.all([
      execute([kubectl], line('of-kubectl')),
      execute([process.execPath, programFile('cl')], line('of-cl')),
    ]);

  it('make the same objects from flags', async () => {
    for (const generator of generators) {
      const [head, ...command] = generator.split(' -- ');
      const words = [`create ${head} --dry-run=client -o yaml`, ...command].join(' -- ');
      const [theirs, ours] = await both(() => words);
      assert.equal(ours.code, theirs.code, words);
      assert.deepEqual(plain(parse(ours.out)), plain(parse(theirs.out)), words);
    }
  });

  it('end lines with the same codes, and leave the same objects', async () => {
    for (const namespace of ['of-kubectl', 'of-cl']) {
      await request(server, 'POST', '/api/v1/namespaces', { metadata: { name: namespace } });
    }
    for (const line of writes) {
      const [theirs, ours] = await both((namespace) => `-n ${namespace} ${line}`);
      assert.equal(ours.code, theirs.code, line);
    }
    const types = 'deployments,services,configmaps,pods,resourcequotas,horizontalpodautoscalers';
    const read = (namespace: string) =>
      execute([process.execPath, programFile('cl')], `-n ${namespace} get ${types} -o yaml`);
    const [theirs, ours] = [await read('of-kubectl'), await read('of-cl')];
    assert.deepEqual(plain(parse(ours.out)), plain(parse(theirs.out)));
  });
});

/** A value without what changes, and without nulls, which older releases print. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return typeof value === 'string' ? withoutTime(value) : value;
  const kept = Object.entries(value).filter(([key, item]) => !changing.has(key) && item !== null);
  return Object.fromEntries(kept.map(([key, item]) => [key.replace('kubectl.', 'cl.'), plain(item)]));
}

function withoutTime(text: string): string {
  return text.replace(/^\d{4}-\d\d-\d\dT.*$/, 'a time').replace(/kube-api-access-\w+/, 'kube-api-access');
}
