import { createHash, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import type { Identifiers } from '../../src/identifiers/identifiers.ts';
import type { JsonObject } from '../../src/meta/json-value.ts';
import type { ResourceDefinition } from '../../src/registry/definition/resource-definition.ts';

const template = (restartPolicy: string): JsonObject => ({
  metadata: { labels: { app: 'a' } },
  spec: { restartPolicy, containers: [{ name: 'c', image: 'busybox' }] },
});
const workload = { selector: { matchLabels: { app: 'a' } }, template: template('Always') };
const podSecurityPolicy: JsonObject = {
  spec: {
    runAsUser: { rule: 'RunAsAny' },
    seLinux: { rule: 'RunAsAny' },
    supplementalGroups: { rule: 'RunAsAny' },
    fsGroup: { rule: 'RunAsAny' },
  },
};
const webhook: JsonObject = {
  name: 'a.example.com',
  clientConfig: { url: 'https://example.com/hook' },
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
};
const policyRules: JsonObject = {
  resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
};
const deviceClaim: JsonObject = { devices: { requests: [{ name: 'gpu', exactly: { deviceClassName: 'gpu' } }] } };
const olderDeviceClaim: JsonObject = { devices: { requests: [{ name: 'gpu', deviceClassName: 'gpu' }] } };
const resourceSlice = (device: JsonObject): JsonObject => ({
  spec: {
    driver: 'gpu.example.com',
    pool: { name: 'n', generation: 1, resourceSliceCount: 1 },
    nodeName: 'n',
    devices: [device],
  },
});
/** The certificate of an authority, valid for a hundred years; its key is not kept. */
const trustAnchor = `-----BEGIN CERTIFICATE-----
MIIBNDCB56ADAgECAhRbPGWJ//hEyX/cPQAzslB4BBq9ojAFBgMrZXAwDzENMAsG
A1UEAwwEcm9vdDAgFw0yNjExMjkxMjIyMTRaGA8yMTI2MTEwNTEyMjIxNFowDzEN
MAsGA1UEAwwEcm9vdDAqMAUGAytlcAMhAMu7hMh6+oEb9EB32pDteJMqTTM+7pr3
OC5YYF6ONsBso1MwUTAdBgNVHQ4EFgQUvp0woe9TJ00alygr46jekYlOGGgwHwYD
VR0jBBgwFoAUvp0woe9TJ00alygr46jekYlOGGgwDwYDVR0TAQH/BAUwAwEB/zAF
BgMrZXADQQDYjXZZ/v3uuW915ur37Qfeet7NVwbqj+DFTnD23ckCC6PhAAup4+3x
XlYLvybhAIDKo2eMJMV0wG4OX/L5/PAH
-----END CERTIFICATE-----
`;
const roleRef = (apiDomain: string): JsonObject => ({
  apiGroup: `rbac.authorization.${apiDomain}`,
  kind: 'ClusterRole',
  name: 'view',
});

/** What an object needs besides its name, by short group and resource; kinds that need nothing are not listed. */
const bodies: Readonly<Record<string, (identifiers: Identifiers, name: string) => JsonObject>> = {
  '/events': () => ({ involvedObject: { namespace: 'default' } }),
  '/persistentvolumeclaims': () => ({
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  }),
  '/persistentvolumes': () => ({
    spec: { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, hostPath: { path: '/tmp' } },
  }),
  '/pods': () => ({ spec: { containers: [{ name: 'c', image: 'busybox' }] } }),
  '/podtemplates': () => ({ template: template('Always') }),
  '/replicationcontrollers': () => ({ spec: { template: template('Always') } }),
  '/services': () => ({ spec: { ports: [{ port: 80 }] } }),
  'admissionregistration/mutatingadmissionpolicies': () => ({
    spec: {
      matchConstraints: policyRules,
      mutations: [{ patchType: 'JSONPatch', jsonPatch: { expression: '[JSONPatch{op: "test", path: "/kind"}]' } }],
      reinvocationPolicy: 'Never',
    },
  }),
  'admissionregistration/mutatingadmissionpolicybindings': () => ({ spec: { policyName: 'minimal' } }),
  'admissionregistration/validatingadmissionpolicies': () => ({
    spec: { matchConstraints: policyRules, validations: [{ expression: 'true' }] },
  }),
  'admissionregistration/validatingadmissionpolicybindings': () => ({
    spec: { policyName: 'minimal', validationActions: ['Deny'] },
  }),
  'admissionregistration/mutatingwebhookconfigurations': () => ({ webhooks: [webhook] }),
  'admissionregistration/validatingwebhookconfigurations': () => ({ webhooks: [webhook] }),
  'apiextensions/customresourcedefinitions': (_, name) => ({
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: name.split('.')[0] ?? '', singular: 'thing', kind: 'Thing', listKind: 'ThingList' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
    },
  }),
  'apiregistration/apiservices': () => ({
    spec: { group: 'example.com', version: 'v1', groupPriorityMinimum: 100, versionPriority: 10 },
  }),
  'apps/controllerrevisions': () => ({ revision: 1, data: { a: 1 } }),
  'apps/daemonsets': () => ({ spec: workload }),
  'apps/deployments': () => ({ spec: workload }),
  'apps/replicasets': () => ({ spec: workload }),
  'apps/statefulsets': () => ({ spec: { ...workload, serviceName: 's' } }),
  'autoscaling/horizontalpodautoscalers': () => ({
    spec: { maxReplicas: 3, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' } },
  }),
  'batch/cronjobs': () => ({
    spec: { schedule: '*/5 * * * *', jobTemplate: { spec: { template: template('Never') } } },
  }),
  'batch/jobs': () => ({ spec: { template: template('Never') } }),
  'certificates/certificatesigningrequests': () => ({
    spec: { request: certificateRequest(), signerName: 'example.com/signer', usages: ['client auth'] },
  }),
  'certificates/clustertrustbundles': () => ({ spec: { trustBundle: trustAnchor } }),
  'certificates/podcertificaterequests': () => ({ spec: podCertificateSpec() }),
  'coordination/leasecandidates': () => ({
    spec: {
      leaseName: 'l',
      binaryVersion: '1.33.0',
      emulationVersion: '1.33.0',
      strategy: 'OldestEmulationVersion',
    },
  }),
  'discovery/endpointslices': () => ({
    addressType: 'IPv4',
    endpoints: [{ addresses: ['10.0.0.1'] }],
    ports: [{ port: 80 }],
  }),
  'extensions/daemonsets': () => ({ spec: workload }),
  'extensions/deployments': () => ({ spec: workload }),
  'extensions/networkpolicies': () => ({ spec: { podSelector: {} } }),
  'extensions/podsecuritypolicies': () => podSecurityPolicy,
  'extensions/replicasets': () => ({ spec: workload }),
  'extensions/ingresses': () => ({ spec: { backend: { serviceName: 's', servicePort: 80 } } }),
  'flowcontrol/flowschemas': () => ({ spec: { priorityLevelConfiguration: { name: 'global-default' } } }),
  'flowcontrol/prioritylevelconfigurations': () => ({
    spec: { type: 'Limited', limited: { limitResponse: { type: 'Reject' } } },
  }),
  'networking/ingresses': () => ({ spec: { defaultBackend: { service: { name: 's', port: { number: 80 } } } } }),
  'networking/ingressclasses': () => ({ spec: { controller: 'example.com/controller' } }),
  'networking/ipaddresses': () => ({
    spec: { parentRef: { resource: 'services', namespace: 'default', name: 's' } },
  }),
  'networking/networkpolicies': () => ({ spec: { podSelector: {} } }),
  'networking/servicecidrs': () => ({ spec: { cidrs: ['10.99.0.0/24'] } }),
  'node/runtimeclasses': () => ({ handler: 'runc' }),
  'policy/podsecuritypolicies': () => podSecurityPolicy,
  'rbac.authorization/clusterrolebindings': ({ apiDomain }) => ({ roleRef: roleRef(apiDomain) }),
  'rbac.authorization/rolebindings': ({ apiDomain }) => ({ roleRef: roleRef(apiDomain) }),
  'resource/deviceclasses': () => ({ spec: {} }),
  'resource/devicetaintrules': () => ({ spec: { taint: { key: 'example.com/broken', effect: 'NoSchedule' } } }),
  'resource/resourceclaims': () => ({ spec: deviceClaim }),
  'resource/resourceclaimtemplates': () => ({ spec: { spec: deviceClaim } }),
  'resource/resourcepoolstatusrequests': () => ({ spec: { driver: 'gpu.example.com' } }),
  'resource/resourceslices': () => resourceSlice({ name: 'gpu-0' }),
  'scheduling/podgroups': () => ({ spec: { schedulingPolicy: { basic: {} } } }),
  'scheduling/priorityclasses': () => ({ value: 10 }),
  'scheduling/workloads': () => ({ spec: { podGroupTemplates: [{ name: 'a', schedulingPolicy: { basic: {} } }] } }),
  'storage/csinodes': () => ({ spec: { drivers: [] } }),
  'storage/csistoragecapacities': () => ({ storageClassName: 'fast' }),
  'storage/storageclasses': () => ({ provisioner: 'example.com/disks' }),
  'storage/volumeattachments': () => ({
    spec: { attacher: 'disks.example.com', nodeName: 'n', source: { persistentVolumeName: 'v' } },
  }),
  'storage/volumeattributesclasses': () => ({ driverName: 'disks.example.com', parameters: { speed: 'fast' } }),
  'storagemigration/storageversionmigrations': () => ({ spec: { resource: { resource: 'secrets' } } }),
};

/** Names that must follow from the object. */
const fixedNames: Readonly<Record<string, (name: string) => string>> = {
  'apiextensions/customresourcedefinitions': (name) => `${name}.example.com`,
  'apiregistration/apiservices': () => 'v1.example.com',
  'internal.apiserver/storageversions': (name) => `${name}.things`,
  'networking/ipaddresses': addressFor,
};

/** An address for each name: stories look for objects of several names. */
function addressFor(name: string): string {
  const [a = 0, b = 0, c = 0] = createHash('sha256').update(name).digest();
  return `10.${a}.${b}.${c}`;
}

/** The bodies of versions whose shape is not that of the preferred one. */
const versionBodies: Readonly<Record<string, (name: string) => JsonObject>> = {
  'coordination/v1alpha1/leasecandidates': () => ({
    spec: {
      leaseName: 'l',
      binaryVersion: '1.31.0',
      emulationVersion: '1.31.0',
      preferredStrategies: ['OldestEmulationVersion'],
    },
  }),
  'networking/v1beta1/ingresses': () => ({ spec: { backend: { serviceName: 's', servicePort: 'http' } } }),
  'events/v1/events': () => ({
    regarding: { namespace: 'default' },
    eventTime: '2026-01-01T00:00:00.000000Z',
    type: 'Normal',
    reason: 'Told',
    action: 'Tell',
    reportingController: 'example.com/story',
    reportingInstance: 'story-1',
  }),
  'resource/v1beta1/resourceclaims': () => ({ spec: olderDeviceClaim }),
  'resource/v1alpha3/resourceclaims': () => ({ spec: olderDeviceClaim }),
  'resource/v1beta1/resourceclaimtemplates': () => ({ spec: { spec: olderDeviceClaim } }),
  'resource/v1alpha3/resourceclaimtemplates': () => ({ spec: { spec: olderDeviceClaim } }),
  'resource/v1beta1/resourceslices': () => resourceSlice({ name: 'gpu-0', basic: {} }),
  'resource/v1alpha3/resourceslices': () => resourceSlice({ name: 'gpu-0', basic: {} }),
  'scheduling/v1alpha1/workloads': () => ({ spec: { podGroups: [{ name: 'a', policy: { basic: {} } }] } }),
  'storagemigration/v1alpha1/storageversionmigrations': () => ({
    spec: { resource: { version: 'v1', resource: 'secrets' } },
  }),
  'events/v1beta1/events': () => ({ regarding: { namespace: 'default' } }),
  'apiextensions/v1beta1/customresourcedefinitions': (name) => ({
    spec: {
      group: 'example.com',
      version: 'v1',
      scope: 'Namespaced',
      names: { plural: name.split('.')[0] ?? '', singular: 'thing', kind: 'Thing', listKind: 'ThingList' },
    },
  }),
};

/**
 * The smallest object of a stored resource that the server takes, in one of its versions (the preferred one when none
 * is given). Some resources decide on the name themselves: read it from the object.
 */
export function minimalObject(
  info: ResourceDefinition,
  identifiers: Identifiers,
  name: string,
  version: string = info.versions[0]?.version ?? '',
): JsonObject {
  const key = `${info.shortGroup}/${info.resource}`;
  const ownName = fixedNames[key]?.(name) ?? name;
  const own = versionBodies[`${info.shortGroup}/${version}/${info.resource}`]?.(ownName);
  return {
    apiVersion: info.group === '' ? version : `${info.group}/${version}`,
    kind: info.kind,
    metadata: { name: ownName },
    ...(own ?? bodies[key]?.(identifiers, ownName)),
  };
}

/** A request for a certificate of a pod, with a key and the proof of its possession. */
function podCertificateSpec(): JsonObject {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const podUID = 'b3a4c1d2-0000-4000-8000-000000000001';
  return {
    signerName: 'example.com/signer',
    podName: 'p',
    podUID,
    serviceAccountName: 'default',
    serviceAccountUID: 'b3a4c1d2-0000-4000-8000-000000000002',
    nodeName: 'n',
    nodeUID: 'b3a4c1d2-0000-4000-8000-000000000003',
    pkixPublicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
    proofOfPossession: sign(null, Buffer.from(podUID), privateKey).toString('base64'),
  };
}

/** A PKCS#10 request for the common name `jane`, in PEM and then in base64, as `spec.request` takes it. */
export function certificateRequest(): string {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const info = sequence(
    Buffer.from([0x02, 0x01, 0x00]),
    sequence(set(sequence(Buffer.from([0x06, 0x03, 0x55, 0x04, 0x03]), tagged(0x0c, Buffer.from('jane'))))),
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa0, Buffer.alloc(0)),
  );
  const der = sequence(
    info,
    ecdsaWithSha256,
    tagged(0x03, Buffer.concat([Buffer.from([0]), signed(info, privateKey)])),
  );
  const lines = der.toString('base64').replaceAll(/.{64}/g, '$&\n').trimEnd();
  return Buffer.from(`-----BEGIN CERTIFICATE REQUEST-----\n${lines}\n-----END CERTIFICATE REQUEST-----\n`).toString(
    'base64',
  );
}

const ecdsaWithSha256 = Buffer.from('300a06082a8648ce3d040302', 'hex');

function signed(bytes: Buffer, key: KeyObject): Buffer {
  return sign('sha256', bytes, key);
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return tagged(0x30, Buffer.concat(parts));
}

function set(...parts: readonly Buffer[]): Buffer {
  return tagged(0x31, Buffer.concat(parts));
}

/** One DER element; nothing here is longer than 65,535 bytes. */
function tagged(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const header =
    length < 0x80 ? [tag, length] : length < 0x100 ? [tag, 0x81, length] : [tag, 0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from(header), content]);
}
