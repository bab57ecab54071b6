import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { until } from '../http/until.ts';
import { programFile } from '../program-file.ts';
import { freePort } from '../free-ports.ts';
import { UpProcess } from './up-process.ts';

const run = promisify(execFile);

/** What a command printed, and its exit code. */
interface Result {
  readonly code: number;
  readonly text: string;
}

/** A stage of the file of `--node-stages`, and one of the server. */
const stages = stage('crash', "object.metadata.labels.?app.orValue('') == 'flaky' && stage == ''", 'CrashLoopBackOff');

function stage(name: string, expression: string, outcome: string): string {
  const spec = { resource: 'pods', selector: { expression }, next: { outcome } };
  return JSON.stringify({ apiVersion: 'stand-in.kubernetes.io/v1', kind: 'Stage', metadata: { name }, spec });
}

describe('cl up with stand-in nodes', () => {
  let directory: string;
  let plane: UpProcess;
  let program: string;

  before(async () => {
    program = (await run('hack/kubectl.sh')).stdout.trim();
    directory = await mkdtemp(path.join(tmpdir(), 'cl-up-nodes-'));
    const port = `--secure-port=${await freePort()}`;
    const resource = { group: '', version: 'v1', resource: 'configmaps', namespaced: true };
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'first', namespace: 'shop', uid: 'u' } };
    const lines = [{ format: 'cluster-recording/1' }, { type: 'ADDED', atMs: 0, resource, object }];
    await writeFile(
      path.join(directory, 'some.jsonl'),
      `${lines.map((each) => `${JSON.stringify(each)}\n`).join('')}{"cut`,
    );
    await writeFile(path.join(directory, 'stages.yaml'), stages);
    const flags = [
      '--store=memory',
      '--identifiers=kubernetes',
      '--nodes=2',
      '--from=some.jsonl',
      '--node-stages=stages.yaml',
    ];
    plane = new UpProcess(directory, [port, ...flags]);
    await plane.ready();
  });
  after(async () => {
    await plane.end('SIGTERM');
    await rm(directory, { recursive: true, force: true });
  });

  async function execute(command: string, args: readonly string[], env = process.env): Promise<Result> {
    return run(command, args, { cwd: directory, env }).then(
      ({ stdout, stderr }) => ({ code: 0, text: stdout + stderr }),
      ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, text: stdout + stderr }),
    );
  }
  const kubectl = (line: string): Promise<Result> => {
    const env = { ...process.env, KUBECONFIG: path.join(directory, '.cl', 'admin.kubeconfig'), HOME: directory };
    return execute(program, line.split(' '), env);
  };
  async function succeeds(line: string): Promise<string> {
    const { code, text } = await kubectl(line);
    assert.equal(code, 0, `${line}: ${text}`);
    return text;
  }
  const rolledOut = async () =>
    assert.match(await succeeds('rollout status deployment web --timeout=60s'), /successfully rolled out/);
  const nodesOfPods = async () =>
    (await succeeds('get pods -l app=web -o jsonpath={.items[*].spec.nodeName}')).split(' ').toSorted();

  it('begins with the objects of a recording, of which the refused and damaged ones are listed', async () => {
    assert.match(plane.out, /objects +0 of some\.jsonl; 1 refused; 1 damaged line left out$/m);
    assert.match(plane.err, /line 3 is damaged or cut off/);
    assert.match(plane.err, /create configmaps shop\/first: namespaces "shop" not found/);
  });

  it('makes the pods of a Deployment run on them, scales it, and rolls it out and back', async () => {
    assert.match(plane.out, /^nodes +2, which run pods by saying so$/m);
    assert.match(await succeeds('get nodes'), /^node-1 +Ready .*\nnode-2 +Ready /m);
    await succeeds('create deployment web --image=nginx:1 --replicas=3');
    await rolledOut();
    await succeeds('scale deployment web --replicas=4');
    await rolledOut();
    assert.deepEqual([...new Set(await nodesOfPods())], ['node-1', 'node-2']);
    await succeeds('set image deployment web nginx=nginx:2');
    await rolledOut();
    await succeeds('rollout undo deployment web');
    await rolledOut();
    const images = await succeeds('get pods -l app=web -o jsonpath={.items[*].spec.containers[0].image}');
    assert.equal(images, 'nginx:1 nginx:1 nginx:1 nginx:1');
    assert.match(await succeeds('rollout history deployment web'), /^2 .*\n3 /m);
  });

  it('follows stages of a file and of the server, as kubectl shows', async () => {
    const after = "stage == 'crash' && object.status.containerStatuses.exists(c, c.restartCount > 0)";
    await writeFile(path.join(directory, 'oom.yaml'), stage('oom', after, 'OOMKilled'));
    await succeeds('apply -f oom.yaml');
    assert.match(await succeeds('get stages'), /^oom +pods +1 /m);
    await succeeds('run flaky --image=nginx -l app=flaky --annotations=stand-in.kubernetes.io/back-off-seconds=0.1');
    // The annotation has the word at once, the state and the Event later.
    const described = [/Reason: +OOMKilled/, /BackOff .* kubelet +Back-off restarting failed container flaky/];
    await until('the back-off', async () => {
      const text = await succeeds('describe pod flaky');
      return described.every((each) => each.test(text));
    });
    assert.match(await succeeds('get pods flaky'), /^flaky +[01]\/1 +(Running|OOMKilled|CrashLoopBackOff) +[1-9]/m);
    await succeeds('delete pod flaky --now');
    await succeeds('delete stage oom');
  });

  it('has logs, commands, files, terminals and ports of the pods for kubectl and cl', async () => {
    const pod = (await succeeds('get pods -l app=web -o jsonpath={.items[0].metadata.name}')).trim();
    const cl = (...args: readonly string[]): Promise<Result> =>
      execute(process.execPath, [programFile('cl'), '--clientconfig=.cl/admin.kubeconfig', ...args]);
    assert.match(await succeeds(`logs ${pod}`), /^container nginx of pod web-\S+ started on node-\d/);
    assert.match((await cl('logs', pod, '--tail=1')).text, /^container nginx of pod web-/);
    assert.equal(await succeeds(`exec ${pod} -- hostname`), `${pod}\n`);
    const failed = await kubectl(`exec ${pod} -- java`);
    assert.equal(failed.code, 127);
    assert.match(failed.text, /java: command not found/);
    await writeFile(path.join(directory, 'sent.txt'), 'x'.repeat(100_000));
    await succeeds(`cp sent.txt ${pod}:/tmp/there.txt`);
    await succeeds(`cp ${pod}:/tmp/there.txt back.txt`);
    assert.equal((await readFile(path.join(directory, 'back.txt'), 'utf8')).length, 100_000);
    assert.equal((await cl('cp', `${pod}:/tmp/there.txt`, 'again.txt')).code, 0);
    assert.equal((await readFile(path.join(directory, 'again.txt'), 'utf8')).length, 100_000);
    assert.equal((await cl('exec', pod, '--', 'ls', '/tmp')).text, 'there.txt\n');
    assert.equal(await echoed(`port-forward ${pod} :80`), 'ping');
  });

  /** Forwards a port with kubectl, sends `ping` to it and returns what arrives. */
  async function echoed(line: string): Promise<string> {
    const env = { ...process.env, KUBECONFIG: path.join(directory, '.cl', 'admin.kubeconfig'), HOME: directory };
    const child = spawn(program, line.split(' '), { env });
    let printed = '';
    child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    const port = (): string | undefined => /127\.0\.0\.1:(\d+)/.exec(printed)?.[1];
    await until('the port', () => port() !== undefined);
    const socket = connect(Number(port()), '127.0.0.1');
    socket.write('ping');
    const [data] = await once(socket, 'data');
    socket.destroy();
    child.kill();
    await once(child, 'close');
    return String(data);
  }

  it('moves the pods of a node that is drained, and lets it have some again', async () => {
    assert.match(await succeeds('cordon node-1'), /node\/node-1 cordoned/);
    assert.match(await succeeds('drain node-1 --timeout=60s'), /node\/node-1 (evicted|drained)/);
    await rolledOut();
    await until(
      'the pods on the other node',
      async () => (await nodesOfPods()).join() === 'node-2,node-2,node-2,node-2',
    );
    assert.match(await succeeds('get nodes'), /^node-1 +Ready,SchedulingDisabled /m);
    await succeeds('uncordon node-1');
    await succeeds('run once --image=tool --restart=Never');
    await until('the pod to end', async () =>
      /Succeeded/.test(await succeeds('get pod once -o jsonpath={.status.phase}')),
    );
  });

  it('deletes what a Deployment owns with it', async () => {
    await succeeds('delete deployment web');
    await until('the pods to go', async () => (await succeeds('get pods,replicasets -l app=web -o name')) === '');
  });

  it('signs a request from openssl that `cl certificate approve` approves, for a client that works', async () => {
    const file = (name: string): string => path.join(directory, name);
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', 'ann.key'];
    await execute('openssl', ['req', '-new', ...key, '-subj', '/O=readers/CN=ann', '-out', 'ann.csr']);
    const request = (await readFile(file('ann.csr'))).toString('base64');
    const manifest = {
      apiVersion: 'certificates.k8s.io/v1',
      kind: 'CertificateSigningRequest',
      metadata: { name: 'ann' },
      spec: { request, signerName: 'kubernetes.io/kube-apiserver-client', usages: ['client auth'] },
    };
    await writeFile(file('ann.json'), JSON.stringify(manifest));
    const cl = (...args: readonly string[]): Promise<Result> =>
      execute(process.execPath, [programFile('cl'), '--clientconfig=.cl/admin.kubeconfig', ...args]);
    assert.equal((await cl('create', '-f', 'ann.json')).code, 0);
    assert.deepEqual(await cl('certificate', 'approve', 'ann'), {
      code: 0,
      text: 'certificatesigningrequest.certificates.k8s.io/ann approved\n',
    });
    const certificate = () => succeeds('get csr ann -o jsonpath={.status.certificate}');
    await until('the certificate', async () => (await certificate()) !== '');
    const pem = Buffer.from(await certificate(), 'base64').toString();
    assert.equal(new X509Certificate(pem).subject, 'O=readers\nCN=ann');
    await writeFile(file('ann.crt'), pem);
    await succeeds('create clusterrolebinding readers --clusterrole=view --group=readers');
    await writeFile(file('ann.config'), JSON.stringify(annsConfig()));
    assert.equal(await succeeds('--kubeconfig=ann.config get pods -o name'), 'pod/once\n');
    const refused = await kubectl('--kubeconfig=ann.config get secrets');
    assert.match(refused.text, /User "ann" cannot list resource "secrets"/);
  });

  function annsConfig(): object {
    const server = /^apiserver +(https:[^,\s]+)/m.exec(plane.out)?.[1];
    const name = 'ann';
    return {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name, cluster: { server, 'certificate-authority': '.cl/pki/ca.crt' } }],
      users: [{ name, user: { 'client-certificate': 'ann.crt', 'client-key': 'ann.key' } }],
      contexts: [{ name, context: { cluster: name, user: name } }],
      'current-context': name,
    };
  }
});
