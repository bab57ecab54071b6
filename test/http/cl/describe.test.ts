import assert from 'node:assert/strict';
import { type ClServer, startClServer } from './cl-runner.ts';

const objects = `
apiVersion: v1
kind: Namespace
metadata: {name: shop}
---
apiVersion: v1
kind: ResourceQuota
metadata: {name: pods, namespace: shop}
spec: {hard: {pods: "5"}, scopes: [BestEffort]}
---
apiVersion: v1
kind: Secret
metadata: {name: keys, namespace: shop}
stringData: {password: hunter2}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: settings, namespace: shop, annotations: {sign: "\\e[31mred"}}
data: {greeting: "hello\\nworld"}
---
apiVersion: v1
kind: Service
metadata: {name: web, namespace: shop}
spec: {selector: {app: web}, ports: [{name: http, port: 80, targetPort: 8080}]}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - name: web
        image: web:1
        ports: [{containerPort: 8080}]
        resources: {requests: {cpu: 100m}}
        env: [{name: PASSWORD, valueFrom: {secretKeyRef: {name: keys, key: password}}}]
        readinessProbe: {httpGet: {path: /ready, port: 8080}}
---
apiVersion: rbac.authorization.cl.io/v1
kind: Role
metadata: {name: reader, namespace: shop}
rules: [{apiGroups: [apps], resources: [deployments/scale], verbs: [get]}]
---
apiVersion: apiextensions.cl.io/v1
kind: CustomResourceDefinition
metadata: {name: things.example.com}
spec:
  group: example.com
  names: {plural: things, singular: thing, kind: Thing}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, x-cluster-preserve-unknown-fields: true}}
`;

/** The text without runs of blanks, which only align. */
function plain(text: string): string {
  return text.replaceAll(/[ \t]+/g, ' ');
}

describe('cl describe', () => {
  let plane: ClServer;
  const describeIn = async (...args: string[]): Promise<string> => {
    const { code, out, err } = await plane.run('describe', '-n', 'shop', ...args);
    assert.equal(code, 0, err);
    return plain(out);
  };
  before(async () => {
    plane = await startClServer({ controllers: true, nodes: 1 });
    const { code, err } = await plane.pipe(objects, 'apply', '-f', '-');
    assert.equal(code, 0, err);
    for (let out = ''; !/2 available/.test(out); ) out = await describeIn('deployment', 'web');
  });
  after(() => plane[Symbol.asyncDispose]());

  it('shows a deployment with its template, conditions, replica sets and Events', async () => {
    const text = await describeIn('deploy/web');
    assert.match(text, /^Name: web\nNamespace: shop\nCreationTimestamp: \w{3}, \d\d \w{3} \d{4} /);
    assert.match(text, /\nReplicas: 2 desired \| 2 updated \| 2 total \| 2 available \| 0 unavailable\n/);
    assert.match(
      text,
      /\nRollingUpdateStrategy: 25% max unavailable, 25% max surge\nPod Template:\n Labels: app=web\n/,
    );
    assert.match(
      text,
      /\n Readiness: http-get http:\/\/:8080\/ready delay=0s timeout=1s period=10s #success=1 #failure=3\n/,
    );
    assert.match(text, /\n PASSWORD: <set to the key 'password' in secret 'keys'> Optional: false\n/);
    assert.match(text, /\nConditions:\n Type Status Reason\n -+ -+ -+\n/);
    assert.match(text, /\nOldReplicaSets: <none>\nNewReplicaSet: web-\S+ \(2\/2 replicas created\)\n/);
    assert.match(
      text,
      /\nEvents:\n Type Reason Age From Message\n(.*\n)* Normal ScalingReplicaSet \S+ deployment-controller /,
    );
  });

  it('shows pods whose names begin so, with the state of their containers', async () => {
    const text = await describeIn('pod', 'web-');
    assert.equal(text.match(/^Name: web-/gm)?.length, 2);
    assert.match(text, /\nControlled By: ReplicaSet\/web-\S+\n/);
    assert.match(text, /\n State: Running\n Started: /);
    assert.match(text, /\nQoS Class: Burstable\n/);
    assert.doesNotMatch(text, /\nEvents:/);
    assert.match(await describeIn('pod', 'web-', '--show-events'), /\nEvents:/);
  });

  it('shows a node with what its pods ask for', async () => {
    const { out } = await plane.run('describe', 'node', 'node-1');
    const text = plain(out);
    assert.match(text, /\nLease:\n HolderIdentity: node-1\n AcquireTime: /);
    assert.match(text, /\nNon-terminated Pods: \(2 in total\)\n/);
    assert.match(text, /\n shop web-\S+ 100m \(\d+%\) 0 \(0%\) 0 \(0%\) 0 \(0%\) \d+s\n/);
    assert.match(text, /\n cpu 200m \(\d+%\) 0 \(0%\)\n/);
  });

  it('shows the sizes of the values of a Secret, never the values', async () => {
    const text = await describeIn('secret', 'keys');
    assert.match(text, /\nType: Opaque\n\nData\n====\npassword: 7 bytes\n$/);
    assert.doesNotMatch(text, /hunter2|aHVudGVyMg/);
  });

  it('shows values with several lines, but no control characters', async () => {
    const text = await describeIn('configmap', 'settings');
    assert.match(text, /\nAnnotations: sign: \ufffd\[31mred\n\nData\n====\ngreeting:\n----\nhello\nworld\n/);
  });

  it('shows a Service with the addresses of its pods, a role, and a namespace with its quota', async () => {
    assert.match(await describeIn('svc', 'web'), /\nTargetPort: 8080\/TCP\nEndpoints: [\d.]+:8080,[\d.]+:8080\n/);
    assert.match(await describeIn('role', 'reader'), /\n deployments\.apps\/scale \[\] \[\] \[get\]\n/);
    assert.match(
      await describeIn('ns', 'shop'),
      /\nResource Quotas\n Name: pods\n Scopes: BestEffort\n \* .*\n(.*\n){2} pods 0 5\n/,
    );
  });

  it('shows the fields of other kinds, custom ones too, and what a file has', async () => {
    const thing =
      'apiVersion: example.com/v1\nkind: Thing\nmetadata: {name: a}\nspec: {hostCIDR: x, sizes: [{at: 1}, {at: 2}]}';
    const { code, err } = await plane.pipe(thing, 'create', '-n', 'shop', '-f', '-');
    assert.equal(code, 0, err);
    const { out } = await plane.pipe(thing, 'describe', '-n', 'shop', '-f', '-');
    assert.match(plain(out), /\nAPI Version: example\.com\/v1\nKind: Thing\nMetadata:\n Creation Timestamp: /);
    assert.match(plain(out), /\nSpec:\n Host CIDR: x\n Sizes:\n At: 1\n At: 2\nEvents: <none>\n$/);
  });

  it('describes several objects, and says what it does not find', async () => {
    const two = await describeIn('secret/keys', 'configmap/settings');
    assert.match(two, /7 bytes\n\n\nName: settings\n/);
    const missing = await plane.run('describe', '-n', 'shop', 'secret/nothing', 'configmap/settings');
    assert.equal(missing.code, 1);
    assert.match(missing.err, /secrets "nothing" not found/);
    assert.match(missing.out, /^Name: +settings\n/);
    const none = await plane.run('describe', 'jobs', '-n', 'shop', '-l', 'a=b');
    assert.deepEqual(none, { code: 0, out: '', err: 'No resources found in shop namespace.\n' });
  });
});
