import { isJsonObject, type JsonObject, type JsonValue } from '../../../../../meta/json-value.ts';
import type { Section } from './description.ts';
import { field, ifSet, indented, mapLines } from './fields.ts';
import { claimSections } from './claim-fields.ts';
import { flag, type Format, itemsAt, or, partAt, plain, textAt, unset, none } from './values.ts';

/** How a source of volumes is shown. */
interface VolumeSource {
  readonly type: string;
  /** Label and path of each field. */
  readonly fields?: readonly (readonly [label: string, path: string, format?: Format])[];
  readonly more?: Section;
}

const readOnly = ['ReadOnly', 'readOnly', flag] as const;
const isOptional = ['Optional', 'optional', flag] as const;
const fileSystem = ['FSType', 'fsType'] as const;
const secretReference = ['SecretRef', 'secretRef', (value: JsonValue | undefined) => secretName(value)] as const;

function secretName(value: JsonValue | undefined): string {
  if (!isJsonObject(value)) return '<nil>';
  return `&SecretReference{Name:${plain(value.name)},Namespace:${plain(value.namespace)},}`;
}

const zeroSize: Format = (value) => (plain(value) === '0' ? unset : or(unset)(value));

/** The sources of volumes by the field that has them. Others are shown by name and fields. */
const sources: Readonly<Record<string, VolumeSource>> = {
  hostPath: {
    type: 'HostPath (bare host directory volume)',
    fields: [
      ['Path', 'path'],
      ['HostPathType', 'type', (value) => (value === undefined || value === null ? none : plain(value))],
    ],
  },
  emptyDir: {
    type: "EmptyDir (a temporary directory that shares a pod's lifetime)",
    fields: [
      ['Medium', 'medium'],
      ['SizeLimit', 'sizeLimit', zeroSize],
    ],
  },
  secret: { type: 'Secret (a volume populated by a Secret)', fields: [['SecretName', 'secretName'], isOptional] },
  configMap: { type: 'ConfigMap (a volume populated by a ConfigMap)', fields: [['Name', 'name'], isOptional] },
  projected: {
    type: 'Projected (a volume that contains injected data from multiple sources)',
    more: (source) => itemsAt(source, 'sources').flatMap(projectedLines),
  },
  downwardAPI: {
    type: 'DownwardAPI (a volume populated by information about the pod)',
    more: (source) => ['Items:', ...indented(itemsAt(source, 'items').map(downwardLine))],
  },
  persistentVolumeClaim: {
    type: 'PersistentVolumeClaim (a reference to a PersistentVolumeClaim in the same namespace)',
    fields: [['ClaimName', 'claimName'], readOnly],
  },
  ephemeral: {
    type: 'EphemeralVolume (an inline specification for a volume that gets created and deleted with the pod)',
    more: ifSet('volumeClaimTemplate', (source, facts) =>
      claimSections.flatMap((section) => section(partAt(source, 'volumeClaimTemplate'), facts)),
    ),
  },
  nfs: {
    type: 'NFS (an NFS mount that lasts the lifetime of a pod)',
    fields: [['Server', 'server'], ['Path', 'path'], readOnly],
  },
  csi: {
    type: 'CSI (a Container Storage Interface (CSI) volume source)',
    fields: [['Driver', 'driver'], fileSystem],
    more: (source) => [
      ...('volumeHandle' in source ? [`VolumeHandle:\t${textAt(source, 'volumeHandle')}`] : []),
      `ReadOnly:\t${flag(source.readOnly)}`,
      ...mapLines('VolumeAttributes', partAt(source, 'volumeAttributes')),
    ],
  },
  image: {
    type: 'Image (a container image or OCI artifact)',
    fields: [
      ['Reference', 'reference'],
      ['PullPolicy', 'pullPolicy'],
    ],
  },
  local: { type: 'LocalVolume (a persistent volume backed by local storage on a node)', fields: [['Path', 'path']] },
  gitRepo: {
    type: 'GitRepo (a volume that is pulled from git when the pod is created)',
    fields: [
      ['Repository', 'repository'],
      ['Revision', 'revision'],
    ],
  },
  iscsi: {
    type: 'ISCSI (a disk of the network that is attached to the node and then exposed to the pod)',
    fields: [
      ['TargetPortal', 'targetPortal'],
      ['IQN', 'iqn'],
      ['Lun', 'lun'],
      ['ISCSIInterface', 'iscsiInterface'],
      fileSystem,
      readOnly,
      ['Portals', 'portals'],
      ['DiscoveryCHAPAuth', 'chapAuthDiscovery', flag],
      ['SessionCHAPAuth', 'chapAuthSession', flag],
      secretReference,
      ['InitiatorName', 'initiatorName', or('<none>')],
    ],
  },
  fc: {
    type: 'FC (a Fibre Channel disk)',
    fields: [['TargetWWNs', 'targetWWNs'], ['LUN', 'lun', or('<none>')], fileSystem, readOnly],
  },
  flexVolume: {
    type: 'FlexVolume (a generic volume resource that is provisioned/attached using an exec based plugin)',
    fields: [['Driver', 'driver'], fileSystem, secretReference, readOnly, ['Options', 'options', or('map[]')]],
  },
  awsElasticBlockStore: {
    type: 'AWSElasticBlockStore (a Persistent Disk resource in AWS)',
    fields: [['VolumeID', 'volumeID'], fileSystem, ['Partition', 'partition', or('0')], readOnly],
  },
  gcePersistentDisk: {
    type: 'GCEPersistentDisk (a Persistent Disk resource in Google Compute Engine)',
    fields: [['PDName', 'pdName'], fileSystem, ['Partition', 'partition', or('0')], readOnly],
  },
};

function projectedLines(source: JsonObject): string[] {
  const { secret, downwardAPI, configMap, serviceAccountToken } = source;
  if (isJsonObject(secret)) return [`SecretName:\t${plain(secret.name)}`, `Optional:\t${flag(secret.optional)}`];
  if (downwardAPI) return ['DownwardAPI:\ttrue'];
  if (isJsonObject(configMap)) {
    return [`ConfigMapName:\t${plain(configMap.name)}`, `Optional:\t${flag(configMap.optional)}`];
  }
  if (!isJsonObject(serviceAccountToken)) return [];
  return [`TokenExpirationSeconds:\t${plain(serviceAccountToken.expirationSeconds)}`];
}

function downwardLine(item: JsonObject): string {
  const from = textAt(item, 'fieldRef.fieldPath') || textAt(item, 'resourceFieldRef.resource');
  return `${from} -> ${textAt(item, 'path')}`;
}

/** The lines of the source of a volume: the only object that the volume has. */
export const volumeSource: Section = (volume, facts) => {
  const found = Object.entries(volume).find(([key, value]) => isJsonObject(value) && key in sources);
  const [key = '', source = {}] = found ?? Object.entries(volume).find(([, value]) => isJsonObject(value)) ?? [];
  if (!isJsonObject(source) || key === '') return ['<unknown>'];
  const known = sources[key];
  if (!known) {
    return [`Type:\t${key}`, ...Object.entries(source).map(([label, value]) => `${label}:\t${plain(value)}`)];
  }
  const sections = [...(known.fields ?? []).map((each) => field(...each)), ...(known.more ? [known.more] : [])];
  return [`Type:\t${known.type}`, ...sections.flatMap((section) => section(source, facts))];
};

/** The volumes of a pod or a template. `space` moves them to the right. */
export function volumes(spec: JsonObject, space: string, facts: Parameters<Section>[1]): string[] {
  const all = itemsAt(spec, 'volumes');
  if (all.length === 0) return [`${space}Volumes:\t<none>`];
  const nameIndent = space === '' ? '  ' : '   ';
  return [
    `${space}Volumes:`,
    ...all.flatMap((volume) => [
      `${nameIndent}${textAt(volume, 'name')}:`,
      ...indented(volumeSource(volume, facts), 2),
    ]),
  ];
}
