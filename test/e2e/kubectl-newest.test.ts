import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { TestServer } from '../../src/testing/index.ts';
import { everyCase } from '../every-case.ts';
import { newestKubectl } from './cl-lines/programs.ts';
import { startServer } from './start-server.ts';

const run = promisify(execFile);

const deployment = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: app, labels: {set: a}}
spec:
  selector: {matchLabels: {app: app}}
  template:
    metadata: {labels: {app: app}}
    spec:
      initContainers: [{name: side, image: s, restartPolicy: Always}]
      containers: [{name: c, image: i}]
---
`;
const settings = (value: string): string => `
apiVersion: v1
kind: ConfigMap
metadata: {name: settings, labels: {set: a}}
data: {value: "${value}"}
`;

/** A line, and what it prints. Each depends on those before it. */
const lines: readonly (readonly [line: string, says: RegExp])[] = [
  ['create deployment web --image=nginx --replicas=2 --port=80', /^deployment\.apps\/web created$/],
  ['wait --for=condition=Available deployment/web --timeout=120s', /condition met$/],
  ['create token default --duration=1h --audience=x', /^ey[\w-]+\.[\w-]+\.[\w-]+$/],
  ['create clusterrole all --aggregation-rule=a=b', /created$/],
  ['create ingress web --rule=shop.example.com/*=web:80 --default-backend=web:80 --class=x', /created$/],
  ['create job once --image=busybox -- date', /created$/],
  ['wait --for=condition=Complete job/once --timeout=120s', /condition met$/],
  ['run one --image=nginx', /^pod\/one created$/],
  ['wait --for=jsonpath={.status.phase}=Running pod/one --timeout=120s', /condition met$/],
  ['wait --for=create pod/one --timeout=5s', /condition met$/],
  ['get pod one --subresource=status -o jsonpath={.status.phase}', /^Running$/],
  ['get pod one --subresource=resize -o name', /^pod\/one$/],
  ['get deploy web --subresource=scale', /^NAME +DESIRED +AVAILABLE +AGE\nweb +2 +2 /],
  ['get pod one --show-managed-fields -o yaml', /manager: kubectl-run\n/],
  ['get pod one -o custom-columns=N:.metadata.name,P:.status.phase', /^N +P\none +Running$/],
  ['get deploy,svc,ing,job -o wide', /deployment\.apps\/web +2\/2 +2 +2 +\S+ +nginx +nginx +app=web\n/],
  ['events --for pod/one', /Normal +Scheduled +Pod\/one +Successfully assigned default\/one to /],
  ['apply -f app.yaml', /^deployment\.apps\/app created\nconfigmap\/settings created$/],
  ['diff -f app.yaml', /^$/],
  ['apply -f app.yaml', /unchanged\n.*unchanged$/],
  ['apply -f app.yaml --server-side', /serverside-applied\n.*serverside-applied$/],
  ['apply -f settings.yaml --prune -l set=a', /configmap\/settings .*\n(?:.*\n)*deployment\.apps\/app pruned/],
  ['apply -f app.yaml --prune --applyset=mine -n default', /deployment\.apps\/app created/],
  ['apply -f settings.yaml --prune --applyset=mine -n default', /deployment\.apps\/app pruned/],
  ['explain pods.spec.containers.resizePolicy', /FIELD: resizePolicy <\[\]ContainerResizePolicy>/],
  [
    'explain deployment.spec.template.spec --recursive',
    /initContainers\t<\[\]Container>\n(?:.*\n)* +restartPolicy\t<string>/,
  ],
  ['debug one --image=busybox --target=one -c look -- date', /Targeting container "one"/],
  ['get pod one -o jsonpath={.spec.ephemeralContainers[0].name}', /^look$/],
  ['debug one --image=busybox --copy-to=two --share-processes -c look -- date', /^$/],
  ['delete pod two --now', /deleted/],
  ['wait --for=delete pod/two --timeout=120s', /condition met$|^$/],
  ['debug node/node-1 --image=busybox --profile=sysadmin -- date', /Creating debugging pod node-debugger-node-1-\S+/],
  ['set image deploy/web nginx=nginx:2', /image updated$/],
  ['rollout status deploy/web --timeout=120s', /successfully rolled out$/],
  ['rollout history deploy/web', /REVISION +CHANGE-CAUSE\n1 .*\n2 /],
  ['rollout undo deploy/web', /rolled back$/],
  ['patch deploy web --subresource=scale --type=merge -p {"spec":{"replicas":1}}', /^scale\.autoscaling\/web patched$/],
  ['patch deploy web --subresource=status --type=merge -p {"status":{"collisionCount":3}}', /patched$/],
  ['scale deploy/web --replicas=3 --current-replicas=1', /scaled$/],
  ['auth whoami -o jsonpath={.status.userInfo.username}', /^admin$/],
  ['auth whoami --as=bob --as-group=x --as-uid=7', /Username +bob\nUID +7\nGroups +\[x system:authenticated\]/],
  ['auth can-i --list', /^Resources +Non-Resource URLs +Resource Names +Verbs\n\*\.\* /],
  ['api-resources --api-group=resource.k8s.io', /resourceclaims +resource\.k8s\.io\/v1 +true +ResourceClaim/],
  ['cordon node-2', /cordoned$/],
  ['drain node-2 --ignore-daemonsets --force --timeout=120s', /drained$/],
  ['uncordon node-2', /uncordoned$/],
];

describe('kubectl of today', () => {
  let server: TestServer;
  let directory: string;
  let kubectl: string | undefined;

  before(async () => {
    kubectl = await newestKubectl();
    directory = await mkdtemp(path.join(tmpdir(), 'cl-kubectl-newest-'));
    const options = { emulatedRelease: '1.36', identifiers: 'kubernetes', store: 'memory' } as const;
    server = await startServer({ ...options, controllers: true, nodes: 2 });
    await writeFile(path.join(directory, 'config'), server.clientConfig);
    await writeFile(path.join(directory, 'app.yaml'), deployment + settings('1'));
    await writeFile(path.join(directory, 'settings.yaml'), settings('2'));
  });
  after(async () => {
    await server.stop();
    await rm(directory, { recursive: true, force: true });
  });

  /** Runs kubectl; what it printed, with its messages. */
  async function kube(file: string, ...words: string[]): Promise<string> {
    const own = { KUBECONFIG: path.join(directory, 'config'), HOME: directory, KUBECTL_APPLYSET: 'true' };
    const { stdout, stderr } = await run(file, words, { env: { ...process.env, ...own }, cwd: directory });
    return `${stdout}${stderr}`.trim();
  }

  it('makes, changes, shows, debugs and waits for objects of the newest release', async () => {
    if (kubectl === undefined) return;
    for (const [line, says] of lines) {
      assert.match(await kube(kubectl, ...line.split(' ')), says, line);
    }
    await assert.rejects(kube(kubectl, 'top', 'pods'), /error: Metrics API not available/);
    await assert.rejects(kube(kubectl, 'diff', '-f', 'app.yaml'), /Command failed/);
  });

  it('shows and explains each kind', async () => {
    if (kubectl === undefined) return;
    const names = (await kube(kubectl, 'api-resources', '--verbs=list', '-o', 'name')).split('\n');
    assert.ok(names.length > 50, names.join(' '));
    await kube(kubectl, 'get', names.join(','), '-A', '-o', 'wide');
    if (!everyCase) return;
    // kubectl takes its group for a field.
    for (const name of names.filter((one) => one !== 'events.events.k8s.io'))
      assert.match(await kube(kubectl, 'explain', name, '--recursive'), /FIELDS:\n/, name);
  });
});
