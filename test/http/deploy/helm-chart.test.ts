import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { programChecks } from '../../../hack/docs/program-flags.ts';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { request } from '../http-client.ts';
import { chart, type ChartValues, helm, type RenderedObject, renderChart } from './helm-chart.ts';

const image = { 'etcd.image': 'example.com/etcd:3.6.14' };

/** Secrets that somebody else makes: the chart makes none. */
const given: ChartValues = {
  'etcd.enabled': false,
  'etcd.servers[0]': 'https://etcd-0:2379',
  'etcd.servers[1]': 'https://etcd-1:2379',
  'etcd.tlsSecretName': 'etcd-client',
  'tls.secretName': 'serving',
  'serviceAccounts.secretName': 'accounts',
  'serviceAccounts.issuer': 'https://plane.example.com',
  'auth.tokensSecretName': 'tokens',
  'auth.clientCASecretName': 'clients',
  'controllers.clientConfigSecretName': 'controllers',
};

/** The sets of values that are tried, and the kinds that they add or leave out. */
const sets: Readonly<Record<string, { readonly values: ChartValues; readonly kinds: string }>> = {
  'with an etcd': {
    values: image,
    kinds: 'Deployment 2, Pod 1, Secret 6, Service 2, ServiceAccount 1, StatefulSet 1',
  },
  'with another etcd and given Secrets': {
    values: given,
    kinds: 'Deployment 2, Service 1, ServiceAccount 1',
  },
  'with several servers, policies and settings of pods': {
    values: {
      ...image,
      replicas: 3,
      workers: 'auto',
      identifiers: 'kubernetes',
      'networkPolicy.enabled': true,
      'networkPolicy.from[0].namespaceSelector.matchLabels.team': 'a',
      'service.type': 'LoadBalancer',
      'service.annotations.example\\.com/class': 'fast',
      'etcd.storageClass': 'fast',
      'etcd.quotaBytes': 8_589_934_592,
      'image.digest': `sha256:${'0'.repeat(64)}`,
      'imagePullSecrets[0].name': 'pull',
      'extraFlags[0]': '--audit-log-path=-',
      'env[0].name': 'TZ',
      'env[0].value': 'UTC',
      'extraVolumes[0].name': 'policy',
      'extraVolumes[0].configMap.name': 'policy',
      'extraVolumeMounts[0].name': 'policy',
      'extraVolumeMounts[0].mountPath': '/policy',
      'podAnnotations.a': 'b',
      'podLabels.c': 'd',
      'nodeSelector.e': 'f',
      'tolerations[0].operator': 'Exists',
      'affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].key':
        'g',
      'affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].operator':
        'Exists',
      priorityClassName: 'high',
      'serviceAccount.annotations.h': 'i',
    },
    kinds:
      'Deployment 2, NetworkPolicy 2, Pod 1, PodDisruptionBudget 1, Secret 6, Service 2, ServiceAccount 1, StatefulSet 1',
  },
  'without controllers, an administrator and an account of their own': {
    values: { ...image, 'controllers.enabled': false, 'auth.adminToken': false, 'serviceAccount.create': false },
    kinds: 'Deployment 1, Secret 3, Service 2, StatefulSet 1',
  },
};

/** A fault in the flags of a program of ours. */
async function faultOfFlags({ spec }: RenderedObject): Promise<string | undefined> {
  const [{ command, args }] = spec.template.spec.containers;
  const program = command === undefined ? 'cl-apiserver' : path.basename(command.at(-1) ?? '', '.js');
  return programChecks[program]?.(args) ?? `no program ${program}`;
}

/** Values that are refused, and the place in the message. */
const refusals: readonly (readonly [values: ChartValues, message: RegExp])[] = [
  [{}, /\/etcd\/image/],
  [{ 'etcd.enabled': false }, /\/etcd\/servers/],
  [{ ...image, 'etcd.servers[0]': 'http://a:2379' }, /\/etcd\/servers/],
  [{ ...image, replica: 2 }, /'replica' not allowed/],
  [{ ...image, replicas: '2' }, /\/replicas/],
  [{ ...image, identifiers: 'k8s' }, /\/identifiers/],
  [{ ...image, 'auth.authorizationMode': 'RBAC,Any' }, /\/auth\/authorizationMode/],
  [{ ...image, 'extraFlags[0]': 'audit-log-path=-' }, /\/extraFlags\/0/],
  [{ ...image, 'extraFlags[0]': '--secure-port=1' }, /extraFlags: the chart sets --secure-port/],
  [{ ...image, 'extraFlags[0]': '--anonymous-auth=false' }, /extraFlags: .*probes/],
  [{ ...image, 'image.repository': 'a\n  hostNetwork: true' }, /\/image\/repository/],
  // They would be in a pod twice, and its Service would not select it.
  [
    { ...image, 'podLabels.app\\.kubernetes\\.io/component': 'other' },
    /podLabels: the chart sets app\.kubernetes\.io\/component/,
  ],
  [{ ...image, 'auth.tokensSecretName': 'tokens' }, /controllers\.clientConfigSecretName/],
];

const resources: Readonly<Record<string, string>> = {
  Deployment: 'deployments',
  NetworkPolicy: 'networkpolicies',
  Pod: 'pods',
  PodDisruptionBudget: 'poddisruptionbudgets',
  Secret: 'secrets',
  Service: 'services',
  ServiceAccount: 'serviceaccounts',
  StatefulSet: 'statefulsets',
};

describe('the Helm chart', () => {
  let cluster: TestServer;
  let directory: string;

  before(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'helm-chart-'));
    cluster = await startServer({ identifiers: 'kubernetes' });
    await writeFile(path.join(directory, 'cluster'), cluster.clientConfig);
    // What a pod may not do under the strictest standard is a warning about its controller.
    const labels = { 'pod-security.kubernetes.io/warn': 'restricted' };
    await request(cluster, 'POST', '/api/v1/namespaces', { metadata: { name: 'work', labels } });
    await request(cluster, 'POST', '/apis/scheduling.k8s.io/v1/priorityclasses', {
      metadata: { name: 'high' },
      value: 1,
    });
  });
  after(async () => {
    await cluster?.stop();
    await rm(directory, { recursive: true, force: true });
  });

  for (const [name, { values, kinds }] of Object.entries(sets)) {
    it(`${name} has objects that a cluster accepts, whose pods keep to the restricted standard`, async () => {
      const objects = await renderChart(values);
      const found = [...new Set(objects.map(({ kind }) => kind))].toSorted();
      const line = found.map((kind) => `${kind} ${objects.filter((object) => object.kind === kind).length}`).join(', ');
      assert.equal(line, kinds);
      for (const object of objects) {
        const base = object.apiVersion === 'v1' ? '/api/v1' : `/apis/${object.apiVersion}`;
        const target = `${base}/namespaces/work/${resources[object.kind]}?dryRun=All&fieldValidation=Strict`;
        const { status, text, headers } = await request(cluster, 'POST', target, object);
        assert.equal(status, 201, `${object.kind} ${object.metadata.name}: ${text}`);
        assert.equal(headers['warning'], undefined, `${object.kind} ${object.metadata.name}`);
        if (object.kind === 'Deployment') assert.equal(await faultOfFlags(object), undefined);
      }
    });
  }

  it('refuses values that it does not know or that do not fit, and names them', async () => {
    for (const [values, message] of refusals) await assert.rejects(renderChart(values), message);
  });

  it('takes names and texts that YAML would read as something else', async () => {
    const odd = {
      ...image,
      fullnameOverride: 'true',
      priorityClassName: '123',
      'etcd.storageClass': '1e3',
      'etcd.prefix': '/a:{"b"}#',
    };
    const objects = await renderChart(odd, '123');
    assert.deepEqual(
      [...new Set(objects.map(({ metadata: { labels } }) => labels?.['app.kubernetes.io/instance']))],
      ['123'],
    );
    const { metadata, spec } = objects.find(({ kind }) => kind === 'Deployment') ?? assert.fail();
    assert.deepEqual([metadata.name, spec.template.spec.priorityClassName], ['true', '123']);
    assert.ok(spec.template.spec.containers[0].args.includes('--etcd-prefix=/a:{"b"}#'));
    const text = JSON.stringify(objects.find(({ kind }) => kind === 'StatefulSet'));
    assert.match(text, /"storageClassName":"1e3"/);
    await assert.rejects(renderChart(image, '123'), /123-cl-apiserver is no name of a Service.*fullnameOverride/);
  });

  it('passes the checks of Helm, and has the version of the package', async () => {
    await helm(['lint', '--strict', chart], image);
    const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { readonly version: string };
    assert.match(await helm(['show', 'chart', chart]), new RegExp(`^appVersion: ${version}$`, 'm'));
  });

  it('keeps its keys and tokens in an upgrade', async () => {
    const settings = ['--namespace=work', `--kubeconfig=${path.join(directory, 'cluster')}`];
    const secrets = async (): Promise<unknown> => {
      const { body } = await request(
        cluster,
        'GET',
        '/api/v1/namespaces/work/secrets?fieldSelector=type!=helm.sh/release.v1',
      );
      const { items } = body as { readonly items: readonly RenderedObject[] };
      return items.map(({ metadata: { name }, data }) => ({ name, data }));
    };
    const notes = await helm(['install', 'plane', chart, ...settings], image);
    assert.match(notes, /kubectl get secret plane-cl-apiserver-admin -n work/);
    const installed = await secrets();
    await helm(['upgrade', 'plane', chart, ...settings], { ...image, replicas: 2 });
    assert.deepEqual(await secrets(), installed);
    const { body } = await request(cluster, 'GET', '/apis/apps/v1/namespaces/work/deployments/plane-cl-apiserver');
    assert.equal((body as RenderedObject).spec.replicas, 2);

    // A given certificate with its CA: the client configs have that.
    const secret = { metadata: { name: 'given' }, data: { 'ca.crt': 'Z2l2ZW4=' } };
    await request(cluster, 'POST', '/api/v1/namespaces/work/secrets', secret);
    await helm(['upgrade', 'plane', chart, ...settings], { ...image, 'tls.secretName': 'given' });
    const admin = await request(cluster, 'GET', '/api/v1/namespaces/work/secrets/plane-cl-apiserver-admin');
    const { config = '' } = (admin.body as RenderedObject).data ?? {};
    assert.match(Buffer.from(config, 'base64').toString(), /certificate-authority-data: Z2l2ZW4=\n/);
  });

  it('names the controllers as the servers know them, and restarts servers whose tokens have other users', async () => {
    const usersOf = async (values: ChartValues): Promise<string> => {
      const objects = await renderChart({ ...image, ...values });
      const { data = {} } = objects.find(({ metadata }) => metadata.name === 'plane-cl-apiserver-tokens') ?? {};
      const server = objects.find(({ kind }) => kind === 'Deployment');
      const { annotations = {} } = server?.spec.template.metadata ?? {};
      const lines = Buffer.from(data['tokens.csv'] ?? '', 'base64').toString();
      return `${annotations['cl-apiserver/token-users']}: ${lines.replaceAll(/^\w{48},/gm, '')}`;
    };
    const controllers = 'system:kube-controller-manager,,\n';
    const identifiers = { identifiers: 'kubernetes' };
    assert.equal(await usersOf(identifiers), `admin,controllers: admin,,system:masters\n${controllers}`);
    assert.equal(await usersOf({ ...identifiers, 'auth.adminToken': false }), `controllers: ${controllers}`);
  });
});
