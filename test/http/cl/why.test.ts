import assert from 'node:assert/strict';
import { type ClServer, startClServer } from './cl-runner.ts';

const pod = (name: string, spec: string): string => `
apiVersion: v1
kind: Pod
metadata: {name: ${name}}
spec: ${spec}
---`;

const container = (more = ''): string => `containers: [{name: c, image: web:1${more}}]`;

const objects = `
${pod('placed', `{nodeSelector: {disk: ssd}, ${container()}}`)}
${pod('needy', `{${container(', envFrom: [{configMapRef: {name: gone}}]')}, volumes: [{name: v, persistentVolumeClaim: {claimName: data}}], nodeSelector: {disk: ssd}}`)}
${pod('fine', `{${container()}}`)}
${pod('large', `{${container(', resources: {requests: {cpu: 1k}}')}}`)}
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data}
spec: {accessModes: [ReadWriteOnce], storageClassName: absent, resources: {requests: {storage: 1Gi}}}
---
apiVersion: v1
kind: Service
metadata: {name: lonely}
spec: {selector: {app: nobody}, ports: [{port: 80}]}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {${container()}, nodeSelector: {disk: ssd}}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: held, finalizers: [example.com/clean-up]}
`;

describe('cl why and cl tree', () => {
  let plane: ClServer;
  const says = async (line: string, ...more: string[]): Promise<string> => {
    const { code, out, err } = await plane.run(line, ...more);
    assert.equal(code, 0, err);
    return out;
  };
  before(async () => {
    plane = await startClServer({ controllers: true, nodes: 1 });
    // Pods need the default service account, which a controller makes.
    for (let code = 1; code !== 0; ) ({ code } = await plane.pipe(objects, 'apply', '-f', '-'));
    await says('delete', 'configmap', 'held', '--wait=false');
    for (let out = ''; !/2\/|0\/2 ready/.test(out) || !/Pod\/web-/.test(out); )
      out = await says('tree', 'deploy', 'web');
  });
  after(() => plane[Symbol.asyncDispose]());

  it('says why a pod is not scheduled, and what would help', async () => {
    const text = await says('why', 'pod', 'placed');
    assert.match(text, /^Pod placed is not as it should be:\n/);
    assert.match(
      text,
      /- Node node-1 lacks the label disk=ssd of the pod's node selector\.\n {2}next: cl label node node-1 disk=ssd, or/,
    );
  });

  it('points to no other reasons if there are none', async () => {
    const text = await says('why', 'pod', 'large');
    assert.match(text, /Insufficient cpu[^\n]*\n {2}next: change the pod or the nodes\n/);
  });

  it('says which objects a pod lacks', async () => {
    const text = await says('why', 'pod', 'needy');
    assert.match(text, /- It names configmap\/gone, which does not exist\.\n {2}next: create it -n default\n/);
    assert.match(text, /- Its claim data has no volume\. Its storage class absent does not exist\.\n/);
    assert.match(await says('why', 'pvc', 'data'), /- Its storage class absent does not exist\.\n/);
  });

  it('says what keeps an object that was deleted', async () => {
    const text = await says('why', 'configmap', 'held');
    assert.match(
      text,
      /^ConfigMap held is being deleted:\n- It has been deleted for \d+s and waits for the finalizer example\.com\/clean-up\.\n/,
    );
    assert.match(text, /cl patch configmaps held -n default --type=merge/);
  });

  it('says what is wrong with the pods of a workload once for all of them, and with a Service', async () => {
    const text = await says('why', 'deploy/web');
    assert.match(text, /- Available is False \(MinimumReplicasUnavailable: /);
    assert.equal(text.match(/lacks the label disk=ssd/g)?.length, 1);
    assert.match(text, /- Pod web-\S+, web-\S+: Node node-1 lacks the label/);
    assert.match(await says('why', 'svc/lonely'), /- No pod has the labels app=nobody of its selector\.\n/);
  });

  it('finds nothing wrong with what is well, and says what the last Event about a missing object was', async () => {
    for (let out = ''; !/nothing was found/.test(out); ) out = await says('why', 'pod', 'fine');
    const missing = await plane.run('why', 'pod', 'absent');
    assert.equal(missing.code, 1);
    assert.match(missing.err, /pods "absent" not found \(no Event is about it\)/);
  });

  it('shows the owners of a pod and the dependents of a deployment with their states', async () => {
    const down = await says('tree', 'deployment', 'web');
    assert.match(
      down,
      /^NAMESPACE +NAME +STATE +AGE\ndefault +Deployment\/web +0\/2 ready, not available: \w+ +\d+s\n/,
    );
    assert.match(down, /\ndefault +└─ReplicaSet\/web-\w+ +0\/2 ready +\d+s\ndefault +├─Pod\/web-\S+ +Pending/);
    const [name = ''] = /(?<=Pod\/)web-\S+/.exec(down) ?? [];
    const up = await says('tree', `pod/${name}`);
    assert.deepEqual(
      up.split('\n').map((line) =>
        line
          .split(/ {2,}/)[1]
          ?.replaceAll(/[\w-]*\//g, '/')
          .trim(),
      ),
      ['NAME', '/web', `└─/${name.replace(/-\w+$/, '')}`, `└─/${name} *`, undefined],
    );
  });
});
