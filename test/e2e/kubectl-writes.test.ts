import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { JsonObject } from '../../src/meta/json-value.ts';
import { objectAt, objectsAt, stringAt, stringsAt } from '../../src/meta/read-field.ts';
import type { TestServer } from '../../src/testing/index.ts';
import { readObject } from './read-object.ts';
import { startServer } from './start-server.ts';
import { request } from '../http/http-client.ts';

const run = promisify(execFile);

const statusPatch = { 'content-type': 'application/merge-patch+json' };

describe('kubectl of the distribution, writing', () => {
  let server: TestServer;
  let directory: string;
  let kubectl: string;
  let environment: NodeJS.ProcessEnv;

  before(async () => {
    kubectl = (await run('hack/kubectl.sh')).stdout.trim();
    directory = await mkdtemp(path.join(tmpdir(), 'cl-kubectl-'));
    server = await startServer({ store: 'memory', identifiers: 'kubernetes' });
    await writeFile(path.join(directory, 'config'), server.clientConfig);
    environment = { ...process.env, KUBECONFIG: path.join(directory, 'config'), HOME: directory };
  });

  after(async () => {
    await server.stop();
    await rm(directory, { recursive: true, force: true });
  });

  /** Runs kubectl with the words of a line; what must stay together is given apart. */
  async function kube(line: string, ...more: string[]): Promise<string> {
    const { stdout } = await run(kubectl, [...line.split(' '), ...more], { env: environment, cwd: directory });
    return stdout.trim();
  }

  const get = (what: string): Promise<JsonObject> => readObject(server, what);

  describe('create', () => {
    before(async () => {
      const line = 'req -x509 -newkey rsa:2048 -nodes -subj /CN=example -days 1 -keyout tls.key -out tls.crt';
      await run('openssl', line.split(' '), { cwd: directory });
    });

    const generators: readonly (readonly [line: string, says: string])[] = [
      ['configmap settings --from-literal=colour=green', 'configmap/settings created'],
      ['secret generic login --from-literal=password=hunter2', 'secret/login created'],
      ['secret tls serving --cert=tls.crt --key=tls.key', 'secret/serving created'],
      [
        'secret docker-registry pull --docker-server=registry.example --docker-username=u --docker-password=p',
        'secret/pull created',
      ],
      ['deployment web --image=nginx --replicas=2 --port=80', 'deployment.apps/web created'],
      ['service clusterip internal --tcp=80:8080', 'service/internal created'],
      ['service nodeport outside --tcp=80:8080', 'service/outside created'],
      ['service loadbalancer balanced --tcp=80:8080', 'service/balanced created'],
      ['service externalname elsewhere --external-name=example.com', 'service/elsewhere created'],
      ['namespace shop', 'namespace/shop created'],
      ['quota limited --hard=pods=1,cpu=2', 'resourcequota/limited created'],
      ['role reader --verb=get,list --resource=pods', 'role.rbac.authorization.k8s.io/reader created'],
      ['rolebinding readers --role=reader --user=jane', 'rolebinding.rbac.authorization.k8s.io/readers created'],
      ['clusterrole reader --verb=get --resource=nodes', 'clusterrole.rbac.authorization.k8s.io/reader created'],
      [
        'clusterrolebinding readers --clusterrole=reader --group=staff',
        'clusterrolebinding.rbac.authorization.k8s.io/readers created',
      ],
      ['serviceaccount robot', 'serviceaccount/robot created'],
      ['ingress web --rule=shop.example.com/*=web:80', 'ingress.networking.k8s.io/web created'],
      ['job once --image=busybox -- date', 'job.batch/once created'],
      ['cronjob often --image=busybox --schedule=@hourly -- date', 'cronjob.batch/often created'],
      ['job now --from=cronjob.v1beta1.batch/often', 'job.batch/now created'],
      ['poddisruptionbudget spare --selector=app=web --min-available=1', 'poddisruptionbudget.policy/spare created'],
      ['priorityclass first --value=10', 'priorityclass.scheduling.k8s.io/first created'],
    ];
    for (const [line, says] of generators) {
      it(`makes a ${line.split(' --')[0]}`, async () => {
        assert.equal(await kube(`create ${line}`), says);
      });
    }

    it('makes secrets of the types that were asked for', async () => {
      const types = await Promise.all(
        ['login', 'serving', 'pull'].map(async (name) => stringAt(await get(`secret ${name}`), 'type')),
      );
      assert.deepEqual(types, ['Opaque', 'kubernetes.io/tls', 'kubernetes.io/dockerconfigjson']);
    });

    it('says that a name is taken', async () => {
      await assert.rejects(
        kube('create configmap settings'),
        /\(AlreadyExists\).*configmaps "settings" already exists/,
      );
    });
  });

  describe('of a workload', () => {
    const replicas = async (): Promise<unknown> => objectAt(await get('deployment web'), 'spec')['replicas'];

    it('expose makes a service of its labels and ports', async () => {
      const response = await kube('expose deployment web --port=80 --target-port=8080 --name=front');
      assert.equal(response, 'service/front exposed');
      assert.deepEqual(objectAt(await get('service front'), 'spec', 'selector'), { app: 'web' });
    });

    it('scale changes the replicas, under a condition too', async () => {
      assert.equal(await kube('scale deployment web --replicas=5'), 'deployment.apps/web scaled');
      assert.equal(await replicas(), 5);
      assert.equal(await kube('scale deployment web --current-replicas=5 --replicas=3'), 'deployment.apps/web scaled');
      assert.equal(await replicas(), 3);
      await assert.rejects(
        kube('scale deployment web --current-replicas=9 --replicas=1'),
        /Expected replicas to be 9, was 3/,
      );
      await assert.rejects(kube('scale deployment nobody --replicas=1'), /"nobody" not found/);
      assert.equal(await kube('scale deployment web --replicas=8 --dry-run=server'), 'deployment.apps/web scaled');
      assert.equal(await replicas(), 3);
    });

    it('autoscale makes an autoscaler of it', async () => {
      assert.match(await kube('autoscale deployment web --min=1 --max=3'), /autoscaled$/);
      assert.equal(objectAt(await get('hpa web'), 'spec', 'scaleTargetRef')['name'], 'web');
    });

    it('rollout sees what the controller says of it', async () => {
      await assert.rejects(kube('rollout status deployment web --timeout=1s'), /timed out/);
      const deployment = await get('deployment web');
      const { generation } = objectAt(deployment, 'metadata');
      const counts = { replicas: 3, updatedReplicas: 3, readyReplicas: 3, availableReplicas: 3 };
      const status = { observedGeneration: generation, ...counts };
      const url = '/apis/apps/v1/namespaces/default/deployments/web/status';
      assert.equal((await request(server, 'PATCH', url, { status }, statusPatch)).status, 200);
      assert.match(await kube('rollout status deployment web --timeout=5s'), /successfully rolled out/);
      assert.match(await kube('rollout history deployment web'), /No rollout history found/);
      await assert.rejects(kube('rollout undo deployment web'), /no rollout history found/);
    });
  });

  describe('delete', () => {
    const finalizers = async (what: string) => stringsAt(objectAt(await get(what), 'metadata'), 'finalizers');

    it('leaves dependents to themselves, or waits for them, or does neither', async () => {
      await kube('create deployment cascading --image=nginx');
      await kube('delete deployment cascading --cascade=orphan --wait=false');
      assert.deepEqual(await finalizers('deployment cascading'), ['orphan']);
      await kube('delete deployment cascading --cascade=foreground --wait=false');
      assert.deepEqual(await finalizers('deployment cascading'), ['foregroundDeletion']);
      assert.match(await kube('delete deployment cascading --cascade=background'), /deleted/);
      await assert.rejects(kube('get deployment cascading'), /NotFound/);
    });

    it('takes all there is, or what a selector finds', async () => {
      await kube('create configmap one');
      await kube('create configmap two');
      await kube('label configmap one keep=no');
      assert.match(await kube('delete configmap -l keep=no'), /^configmap "one" deleted$/);
      assert.match(await kube('delete configmap --all'), /configmap "two" deleted/);
      assert.equal(objectsAt(await get('configmap'), 'items').length, 0);
      assert.equal(await kube('delete configmap one --ignore-not-found'), '');
    });

    it('ends a pod at once when forced to', async () => {
      assert.equal(await kube('run lonely --image=nginx'), 'pod/lonely created');
      const binding = { apiVersion: 'v1', kind: 'Binding', metadata: { name: 'lonely' }, target: { name: 'n' } };
      const bound = await request(server, 'POST', '/api/v1/namespaces/default/pods/lonely/binding', binding);
      assert.equal(bound.status, 201);
      await kube('delete pod lonely --wait=false');
      assert.equal(objectAt(await get('pod lonely'), 'metadata')['deletionGracePeriodSeconds'], 30);
      assert.match(await kube('delete pod lonely --force --grace-period=0'), /force deleted/);
      await assert.rejects(kube('get pod lonely'), /NotFound/);
    });

    it('and a new object replace one by force', async () => {
      const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'forced' }, data: { a: 'b' } };
      await writeFile(path.join(directory, 'forced.json'), JSON.stringify(object));
      await kube('create -f forced.json');
      const before = objectAt(await get('configmap forced'), 'metadata')['uid'];
      assert.equal(
        await kube('replace --force -f forced.json'),
        'configmap "forced" deleted\nconfigmap/forced replaced',
      );
      assert.notEqual(objectAt(await get('configmap forced'), 'metadata')['uid'], before);
    });
  });

  describe('with strategic merge patches', () => {
    it('cordons, drains and uncordons a node', async () => {
      await writeFile(
        path.join(directory, 'node.json'),
        JSON.stringify({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'node-1' } }),
      );
      await kube('create -f node.json');
      assert.equal(await kube('cordon node-1'), 'node/node-1 cordoned');
      assert.equal(objectAt(await get('node node-1'), 'spec')['unschedulable'], true);
      const pod = {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'drained', labels: { app: 'drained' } },
        spec: { nodeName: 'node-1', terminationGracePeriodSeconds: 0, containers: [{ name: 'main', image: 'nginx' }] },
      };
      assert.equal((await request(server, 'POST', '/api/v1/namespaces/default/pods', pod)).status, 201);
      assert.match(await kube('drain node-1 --force'), /pod\/drained evicted|evicting pod default\/drained/);
      await assert.rejects(kube('get pod drained'), /NotFound/);
      assert.equal(await kube('uncordon node-1'), 'node/node-1 uncordoned');
    });

    it('pauses, resumes and restarts a deployment, and sets its image', async () => {
      assert.equal(await kube('rollout pause deployment web'), 'deployment.apps/web paused');
      assert.equal(objectAt(await get('deployment web'), 'spec')['paused'], true);
      assert.equal(await kube('rollout resume deployment web'), 'deployment.apps/web resumed');
      assert.equal(await kube('rollout restart deployment web'), 'deployment.apps/web restarted');
      assert.equal(await kube('set image deployment web nginx=nginx:2'), 'deployment.apps/web image updated');
      const [container] = objectsAt(objectAt(await get('deployment web'), 'spec', 'template', 'spec'), 'containers');
      assert.equal(container?.['image'], 'nginx:2');
    });
  });
});
