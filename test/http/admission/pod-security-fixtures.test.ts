import assert from 'node:assert/strict';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/meta/json-value.ts';
import { makeObjectAt, objectsAt } from '../../../src/meta/read-field.ts';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { request } from '../http-client.ts';

/** Values of a Pod by their paths. `c` and `i` are the container and the init container; null removes a field. */
type PodChange = Readonly<Record<string, JsonValue>>;

/** The Pods of one rule in the public fixtures of the Pod Security Standards, as changes of the least Pod of a level. */
interface RuleFixtures {
  readonly pass: readonly PodChange[];
  readonly fail: readonly PodChange[];
  /** A part of the refusal. */
  readonly refusal: string;
}

const security = 'securityContext';
const inBoth = (field: string, value: JsonValue): PodChange => ({ [`c.${field}`]: value, [`i.${field}`]: value });
const each = (field: string, value: JsonValue): readonly PodChange[] => [
  { [`c.${field}`]: value },
  { [`i.${field}`]: value },
];
const everywhere = (field: string, value: JsonValue): readonly PodChange[] => [
  { [`spec.${field}`]: value },
  ...each(field, value),
];
const volume = (type: string, source: JsonObject): PodChange => ({ 'spec.volumes': [{ name: 'v', [type]: source }] });
const annotation = (name: string, value: string): PodChange => ({ 'metadata.annotations': { [name]: value } });
const armor = 'container.apparmor.security.beta.kubernetes.io';
const sysctls = (...names: readonly string[]): PodChange => ({
  [`spec.${security}.sysctls`]: names.map((name) => ({ name, value: '0' })),
});

const defaultCapabilities =
  'AUDIT_WRITE CHOWN DAC_OVERRIDE FOWNER FSETID KILL MKNOD NET_BIND_SERVICE SETFCAP SETGID SETPCAP SETUID SYS_CHROOT'.split(
    ' ',
  );

/** Rules of both levels. Those that pass are for both, unless they say otherwise. */
const baseline: Readonly<Record<string, RuleFixtures>> = {
  appArmorProfile: {
    pass: [annotation(`${armor}/c`, 'runtime/default'), annotation(`${armor}/c`, 'localhost/foo')],
    fail: [annotation(`${armor}/c`, 'unconfined'), annotation(`${armor}/i`, 'unconfined')],
    refusal: 'forbidden AppArmor profile',
  },
  hostNamespaces: {
    pass: [{ 'spec.hostNetwork': false, 'spec.hostPID': false, 'spec.hostIPC': false }],
    fail: [{ 'spec.hostNetwork': true }, { 'spec.hostPID': true }, { 'spec.hostIPC': true }],
    refusal: 'host namespaces',
  },
  hostPathVolumes: {
    pass: [volume('emptyDir', {})],
    fail: [
      volume('hostPath', { path: '/a' }),
      {
        'spec.volumes': [
          { name: 'a', hostPath: { path: '/a' } },
          { name: 'b', emptyDir: {} },
        ],
      },
    ],
    refusal: 'hostPath',
  },
  hostPorts: {
    pass: [{ 'c.ports': [{ containerPort: 12_345 }], 'i.ports': [{ containerPort: 12_346 }] }],
    fail: [
      ...each('ports', [{ containerPort: 12_345, hostPort: 12_345 }]),
      {
        'c.ports': [{ containerPort: 12_345, hostPort: 12_345 }, { containerPort: 12_347 }],
        'i.ports': [{ containerPort: 12_346, hostPort: 12_346 }, { containerPort: 12_348 }],
      },
    ],
    refusal: 'hostPort',
  },
  privileged: {
    pass: [inBoth(`${security}.privileged`, false)],
    fail: each(`${security}.privileged`, true).map((change) => ({
      ...change,
      ...inBoth(`${security}.allowPrivilegeEscalation`, null),
    })),
    refusal: 'privileged',
  },
  procMount: { pass: [inBoth(`${security}.procMount`, 'Default')], fail: [], refusal: 'procMount' },
  seLinuxOptions: {
    pass: [
      { [`i.${security}.seLinuxOptions`]: {} },
      {
        [`spec.${security}.seLinuxOptions`]: { type: 'container_t' },
        [`c.${security}.seLinuxOptions`]: { type: 'container_init_t', level: 'somevalue' },
        [`i.${security}.seLinuxOptions`]: { type: 'container_kvm_t' },
      },
    ],
    fail: [
      ...everywhere(`${security}.seLinuxOptions`, { type: 'somevalue' }),
      { [`spec.${security}.seLinuxOptions`]: { user: 'somevalue' } },
      { [`spec.${security}.seLinuxOptions`]: { role: 'somevalue' } },
    ],
    refusal: 'seLinuxOptions',
  },
  seccompProfile: {
    pass: [
      {
        [`spec.${security}.seccompProfile`]: { type: 'RuntimeDefault' },
        [`c.${security}.seccompProfile`]: { type: 'RuntimeDefault' },
      },
    ],
    fail: everywhere(`${security}.seccompProfile`, { type: 'Unconfined' }),
    refusal: 'seccompProfile',
  },
  sysctls: {
    pass: [
      sysctls(
        'kernel.shm_rmid_forced',
        'net.ipv4.ip_local_port_range',
        'net.ipv4.tcp_syncookies',
        'net.ipv4.ping_group_range',
        'net.ipv4.ip_unprivileged_port_start',
      ),
    ],
    fail: [sysctls('othersysctl')],
    refusal: 'forbidden sysctl',
  },
  windowsHostProcess: {
    pass: [],
    fail: [
      { [`spec.${security}.windowsOptions`]: { hostProcess: true }, 'spec.hostNetwork': true },
      { ...inBoth(`${security}.windowsOptions`, { hostProcess: true }), 'spec.hostNetwork': true },
    ],
    refusal: 'hostProcess',
  },
};

const baselineCapabilities: RuleFixtures = {
  pass: [inBoth(`${security}.capabilities.add`, defaultCapabilities)],
  fail: [
    ...each(`${security}.capabilities.add`, ['NET_RAW']),
    { [`c.${security}.capabilities.add`]: ['chown'] },
    { [`c.${security}.capabilities.add`]: ['CAP_CHOWN'] },
  ],
  refusal: 'capabilities',
};

const restricted: Readonly<Record<string, RuleFixtures>> = {
  allowPrivilegeEscalation: {
    pass: [],
    fail: [
      ...each(`${security}.allowPrivilegeEscalation`, true),
      { [`c.${security}.allowPrivilegeEscalation`]: null },
      { [`c.${security}`]: null },
    ],
    refusal: 'allowPrivilegeEscalation',
  },
  capabilities: {
    pass: [inBoth(`${security}.capabilities`, { drop: ['ALL'], add: ['NET_BIND_SERVICE'] })],
    fail: [
      ...each(`${security}.capabilities.drop`, []),
      inBoth(`${security}.capabilities.drop`, [
        ...defaultCapabilities,
        'SYS_ADMIN',
        'SYS_TIME',
        'NET_ADMIN',
        'NET_RAW',
      ]),
      inBoth(`${security}.capabilities`, { drop: ['ALL'], add: defaultCapabilities }),
      ...baselineCapabilities.fail,
    ],
    refusal: 'unrestricted capabilities',
  },
  restrictedVolumes: {
    pass: [
      {
        'spec.volumes': [
          { name: 'a' },
          { name: 'b', emptyDir: {} },
          { name: 'c', secret: { secretName: 'test' } },
          { name: 'd', persistentVolumeClaim: { claimName: 'test' } },
          { name: 'e', downwardAPI: { items: [{ path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } }] } },
          { name: 'f', configMap: { name: 'test' } },
          { name: 'g', projected: { sources: [] } },
          { name: 'h', csi: { driver: 'inline.example.com' } },
        ],
      },
    ],
    fail: [
      volume('gcePersistentDisk', { pdName: 'test' }),
      volume('awsElasticBlockStore', { volumeID: 'test' }),
      volume('gitRepo', { repository: 'test' }),
      volume('nfs', { server: 'test', path: '/test' }),
      volume('iscsi', { targetPortal: 'test', iqn: 'iqn.2001-04.com.example:storage.kube.sys1.xyz', lun: 0 }),
      volume('glusterfs', { path: 'test', endpoints: 'test' }),
      volume('rbd', { monitors: ['test'], image: 'test' }),
      volume('flexVolume', { driver: 'test' }),
      volume('cinder', { volumeID: 'test' }),
      volume('cephfs', { monitors: ['test'] }),
      volume('flocker', { datasetName: 'test' }),
      volume('fc', { wwids: ['test'] }),
      volume('azureFile', { secretName: 'test', shareName: 'test' }),
      volume('vsphereVolume', { volumePath: 'test' }),
      volume('quobyte', { registry: 'localhost:1234', volume: 'test' }),
      volume('azureDisk', { diskName: 'test', diskURI: 'https://test.blob.core.windows.net/test/test.vhd' }),
      volume('portworxVolume', { volumeID: 'test', fsType: 'ext4' }),
      volume('scaleIO', { volumeName: 'test', gateway: 'localhost', system: 'test', secretRef: { name: 'test' } }),
      volume('storageos', { volumeName: 'test' }),
      volume('hostPath', { path: '/dev/null' }),
    ],
    refusal: 'restricted volume types',
  },
  runAsNonRoot: {
    pass: [
      { [`spec.${security}.runAsNonRoot`]: true },
      { [`spec.${security}.runAsNonRoot`]: null, ...inBoth(`${security}.runAsNonRoot`, true) },
    ],
    fail: [{ [`spec.${security}.runAsNonRoot`]: null }, ...everywhere(`${security}.runAsNonRoot`, false)],
    refusal: 'runAsNonRoot',
  },
  runAsUser: {
    pass: [{ [`spec.${security}.runAsUser`]: 1000, ...inBoth(`${security}.runAsUser`, 1000) }],
    fail: everywhere(`${security}.runAsUser`, 0),
    refusal: 'runAsUser=0',
  },
  'seccompProfile, which is required': {
    pass: [
      { [`spec.${security}.seccompProfile`]: { type: 'Localhost', localhostProfile: 'testing' } },
      {
        [`spec.${security}.seccompProfile`]: null,
        [`c.${security}.seccompProfile`]: { type: 'RuntimeDefault' },
        [`i.${security}.seccompProfile`]: { type: 'Localhost', localhostProfile: 'testing' },
      },
    ],
    fail: [
      { [`spec.${security}.seccompProfile`]: null },
      ...each(`${security}.seccompProfile`, { type: 'RuntimeDefault' }).map((change) => ({
        ...change,
        [`spec.${security}.seccompProfile`]: null,
      })),
      {
        [`spec.${security}.seccompProfile`]: null,
        [`c.${security}.seccompProfile`]: { type: 'RuntimeDefault' },
        [`i.${security}.seccompProfile`]: { type: 'Unconfined' },
      },
    ],
    refusal: 'seccompProfile',
  },
};

const minimal: JsonObject = {
  metadata: { name: 'p' },
  spec: { containers: [{ name: 'c', image: 'x' }], initContainers: [{ name: 'i', image: 'x' }] },
};
const hardened: PodChange = {
  [`spec.${security}`]: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
  ...inBoth(security, { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } }),
};

/** The least Pod of a level after some changes. */
function podOf(...changes: readonly PodChange[]): JsonObject {
  const pod = structuredClone(minimal);
  for (const [path, value] of changes.flatMap((change) => Object.entries(change))) {
    const [first = '', ...rest] = path.split('.');
    setValue(ownerOf(pod, first), rest, value);
  }
  return pod;
}

/** The part of a Pod that the first name of a path stands for. */
function ownerOf(pod: JsonObject, name: string): JsonObject {
  const list = { c: 'containers', i: 'initContainers' }[name];
  return list ? (objectsAt(makeObjectAt(pod, 'spec'), list)[0] ?? {}) : makeObjectAt(pod, name);
}

function setValue(owner: JsonObject, [name = '', ...rest]: readonly string[], value: JsonValue): void {
  if (rest.length > 0) return setValue(makeObjectAt(owner, name), rest, value);
  const known = owner[name];
  const isMerged = name === security && isJsonObject(known) && isJsonObject(value);
  if (value === null) delete owner[name];
  else owner[name] = structuredClone(isMerged ? { ...known, ...value } : value);
}

describe('the public fixtures of the Pod Security Standards', () => {
  const version = 'v1.23';
  let server: TestServer;

  before(async () => {
    server = await startServer({
      store: 'memory',
      identifiers: 'kubernetes',
      admissionPlugins: { enabled: [], disabled: ['ServiceAccount'] },
    });
    for (const level of ['baseline', 'restricted']) {
      const prefix = 'pod-security.kubernetes.io/enforce';
      const labels = { [prefix]: level, [`${prefix}-version`]: version };
      const created = await request(server, 'POST', '/api/v1/namespaces', { metadata: { name: level, labels } });
      assert.equal(created.status, 201, created.text);
    }
  });
  after(() => server.stop());

  async function check(level: string, start: PodChange, { pass, fail, refusal }: RuleFixtures): Promise<void> {
    const send = (change: PodChange) =>
      request(server, 'POST', `/api/v1/namespaces/${level}/pods?dryRun=All`, podOf(start, change));
    for (const change of [{}, ...pass]) {
      const { status, text } = await send(change);
      assert.equal(status, 201, `${JSON.stringify(change)}: ${text}`);
    }
    for (const change of fail) {
      const { status, body, text } = await send(change);
      assert.equal(status, 403, `${JSON.stringify(change)}: ${text}`);
      const { message } = body as { readonly message: string };
      assert.ok(message.startsWith(`pods "p" is forbidden: violates PodSecurity "${level}:${version}": `), message);
      assert.ok(message.includes(refusal), message);
    }
  }

  for (const [rule, fixtures] of Object.entries({ ...baseline, capabilities: baselineCapabilities })) {
    it(`behave at the level baseline: ${rule}`, () => check('baseline', {}, fixtures));
  }
  for (const [rule, fixtures] of Object.entries(baseline)) {
    // The restricted rule of volumes reports these too.
    const refusal = rule === 'hostPathVolumes' ? 'restricted volume types' : fixtures.refusal;
    it(`behave at the level restricted: ${rule}`, () => check('restricted', hardened, { ...fixtures, refusal }));
  }
  for (const [rule, fixtures] of Object.entries(restricted)) {
    it(`behave at the level restricted: ${rule}`, () => check('restricted', hardened, fixtures));
  }
  it('of the level restricted alone pass at the level baseline', async () => {
    for (const [rule, { fail }] of Object.entries(restricted)) {
      if (rule === 'capabilities' || rule.startsWith('seccompProfile')) continue;
      const allowed = fail.filter((change) => !JSON.stringify(change).includes('hostPath'));
      await check('baseline', hardened, { pass: allowed, fail: [], refusal: '' });
    }
  });
});
