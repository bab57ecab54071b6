import type {
  AzureDiskVolumeSource,
  CinderVolumeSource,
  CSIVolumeSource,
  FCVolumeSource,
  FlexVolumeSource,
  FlockerVolumeSource,
  HostPathVolumeSource,
  ISCSIVolumeSource,
  NFSVolumeSource,
  QuobyteVolumeSource,
  StorageOSVolumeSource,
  Volume,
} from '../../../../gen/stored/core-v1.ts';
import { identifierSets, identifiersOf } from '../../../../identifiers/identifiers.ts';
import { parseQuantity } from '../../../../meta/quantity.ts';
import { nothingWrong, validateDnsLabel, validateDnsSubdomain } from '../../../../meta/validate-name.ts';
import type { EmulatedRelease } from '../../../../scheme/emulated-release.ts';
import { FieldCursor } from '../../../../status/field-cursor.ts';
import { invalid, notSupported } from '../../../../status/field-error.ts';
import { checkRequiredString } from '../../../rules/fields/field-checks.ts';
import { checkCsiDriverName } from '../../../rules/fields/csi-driver-name.ts';
import { checkClaimSpec } from '../../persistentvolumeclaims/validate.ts';
import { checkDownwardFiles, checkKeyPaths, checkLocalPath, checkNoBacksteps } from './reference.ts';
import { checkProjection } from './projection.ts';

/** The rules of the sources in an object of type T, beyond the rules of its schema. */
export type SourceRules<T> = {
  readonly [Name in keyof T]?: (source: FieldCursor<NonNullable<T[Name]>>, emulated: EmulatedRelease) => void;
};

/** The rules of volume sources of pods. Persistent volumes use them too. */
export const volumeSourceRules = {
  emptyDir: (source) => {
    const { sizeLimit = '' } = source.value;
    const limit = parseQuantity(sizeLimit);
    if ('nanos' in limit && limit.nanos < 0n) {
      source.at('sizeLimit').reportForbidden('SizeLimit field must be a valid resource quantity');
    }
  },
  hostPath: checkHostPath,
  gitRepo: (source) => {
    const { directory = '' } = source.value;
    source.report(...checkLocalPath(`${source.path}.directory`, directory));
  },
  gcePersistentDisk: (source) => {
    // The schema has the rule at another path.
    source.at('pdName').mustBeSet();
    checkPartition(source.at('partition'));
  },
  awsElasticBlockStore: (source) => checkPartition(source.at('partition')),
  nfs: checkNfs,
  iscsi: checkIscsi,
  flocker: checkFlocker,
  fc: checkFibreChannel,
  cinder: checkSecretName,
  cephfs: (source) => {
    if (!source.value.monitors?.length) source.at('monitors').reportRequired();
  },
  quobyte: checkQuobyte,
  azureDisk: checkAzureDisk,
  flexVolume: checkFlex,
  storageos: (source) => {
    checkStorageOs(source);
    checkSecretName(source);
  },
  secret: checkKeyPaths,
  configMap: (source) => {
    source.at('name').mustBeSet();
    checkKeyPaths(source);
  },
  downwardAPI: checkDownwardFiles,
  projected: checkProjection,
  csi: checkCsi,
  image: (source) => {
    const policy = source.at('pullPolicy');
    if (!policy.isSet) policy.reportRequired();
    else policy.mustBeOneOf(['Always', 'IfNotPresent', 'Never']);
  },
  ephemeral: (source, emulated) => {
    const template = source.at('volumeClaimTemplate').at('spec');
    if (template.isPresent()) source.report(...checkClaimSpec(template.value, template.path, emulated));
  },
} satisfies SourceRules<Volume>;

/** Checks one source of an object by the rule of its name. */
export function checkSource<T>(
  rules: SourceRules<T>,
  object: FieldCursor<T>,
  name: keyof T & string,
  emulated: EmulatedRelease,
): void {
  // kube-apiserver has an older name for one of them in errors.
  const shown = name === 'gcePersistentDisk' ? 'persistentDisk' : name;
  const value = object.value[name];
  if (value) rules[name]?.(new FieldCursor(value, shown, object), emulated);
}

const hostPathTypes = [
  '',
  'BlockDevice',
  'CharDevice',
  'Directory',
  'DirectoryOrCreate',
  'File',
  'FileOrCreate',
  'Socket',
];

/** Checks the path and the expected type. Without a path only the schema reports an error. */
function checkHostPath(source: FieldCursor<HostPathVolumeSource>): void {
  const { path } = source.value;
  if (path === '') return;
  source.report(...checkNoBacksteps(`${source.path}.path`, path));
  source.at('type').mustBeOneOf(hostPathTypes);
}

/** Maximum number of a partition; 0 is the whole disk. */
const partitionLimit = 255;

function checkPartition(partition: FieldCursor<number | undefined>): void {
  const { value = 0 } = partition;
  if (value < 0 || value > partitionLimit) {
    partition.reportInvalid(`must be between 1 and ${partitionLimit}, inclusive`);
  }
}

function checkNfs(source: FieldCursor<NFSVolumeSource>): void {
  const path = source.at('path');
  // Both errors are reported for an empty path.
  path.mustBeSet();
  if (!path.value.startsWith('/')) path.reportInvalid('must be an absolute path');
}

/** The formats of an iSCSI name (RFC 3720, section 3.2.6.3), by prefix. */
const iscsiNames: ReadonlyMap<string, RegExp> = new Map([
  ['iqn', /^iqn\.\d{4}-\d{2}\.(?:[A-Za-z0-9-]+\.){1,16}[A-Za-z0-9-]*[^,;*&$|\s]+$/],
  ['eui', /^eui\.[0-9A-Fa-f]{16}$/],
  ['naa', /^naa\.[0-9A-Fa-f]{32}$/],
]);

function iscsiNameMessages(name: string): readonly string[] {
  const form = iscsiNames.get(name.slice(0, 3));
  if (!form) return ['must be valid format starting with iqn, eui, or naa'];
  return form.test(name) ? nothingWrong : ['must be valid format'];
}

function checkIscsi(source: FieldCursor<ISCSIVolumeSource>): void {
  const { chapAuthDiscovery, chapAuthSession, secretRef, initiatorName } = source.value;
  source.at('iqn').mustBe(iscsiNameMessages);
  if ((chapAuthDiscovery || chapAuthSession) && !secretRef) source.at('secretRef').reportRequired();
  if (!initiatorName) return;
  // The field has no capital letter in errors.
  const field = `${source.path}.initiatorname`;
  for (const message of iscsiNameMessages(initiatorName)) source.report(invalid(field, initiatorName, message));
}

function checkFlocker(source: FieldCursor<FlockerVolumeSource>): void {
  const { datasetName: name, datasetUUID: uuid } = source.value;
  if (!name && !uuid) source.reportRequired('one of datasetName and datasetUUID is required');
  if (name && uuid) {
    source.reportInvalid('datasetName and datasetUUID can not be specified simultaneously', 'resource');
  }
  if (name?.includes('/')) source.at('datasetName').reportInvalid("must not contain '/'");
}

const lunLimit = 255;

function checkFibreChannel(source: FieldCursor<FCVolumeSource>): void {
  const { targetWWNs = [], wwids = [], lun } = source.value;
  const targets = source.at('targetWWNs');
  if (targetWWNs.length === 0) {
    if (wwids.length === 0) targets.reportRequired('must specify either targetWWNs or wwids, but not both');
    return;
  }
  if (wwids.length > 0) targets.reportInvalid('targetWWNs and wwids can not be specified simultaneously');
  if (lun === undefined) source.at('lun').reportRequired('lun is required if targetWWNs is specified');
  else if (lun < 0 || lun > lunLimit) {
    source.at('lun').reportInvalid(`must be between 0 and ${lunLimit}, inclusive`);
  }
}

/** Checks that a reference to a secret names it. */
function checkSecretName(source: FieldCursor<Pick<CinderVolumeSource, 'secretRef'>>): void {
  const secret = source.at('secretRef');
  if (secret.isPresent()) secret.at('name').mustBeSet();
}

function checkQuobyte(source: FieldCursor<QuobyteVolumeSource>): void {
  const registry = source.at('registry');
  const detail = 'must be a host:port pair or multiple pairs separated by commas';
  registry.mustBeSet(detail);
  if (!registry.isSet) return;
  for (const pair of registry.value.split(',')) {
    if (!/^(?:[^:[\]]*|\[[^\]]*\]):[^:]*$/.test(pair)) registry.reportInvalid(detail);
  }
}

/** The format of the URI of an Azure disk, by kind: its prefix, and the example in the message. */
const azureAddresses = {
  managed: [
    '/subscriptions/',
    '/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}',
  ],
  blob: ['https://', 'https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd'],
} as const;

function checkAzureDisk(source: FieldCursor<AzureDiskVolumeSource>): void {
  const [prefix, form] = azureAddresses[source.value.kind === 'Managed' ? 'managed' : 'blob'];
  const address = source.at('diskURI');
  // Both errors are reported for an empty address.
  address.mustBeSet();
  if (!address.value.startsWith(prefix)) address.report(notSupported(address.path, address.value, [form]));
}

/** The reserved domains, of labels and of the API, for each set of identifiers. */
const ownDomains = identifierSets
  .map((set) => identifiersOf(set))
  .map(({ labelDomain, apiDomain }) => [labelDomain, apiDomain]);

/** Refuses options in reserved domains: Kubernetes itself passes those to the driver. */
function checkFlex(source: FieldCursor<Pick<FlexVolumeSource, 'options'>>): void {
  for (const [key, option] of source.entries('options')) {
    const owner = `.${(key.split('/', 1)[0] ?? '').toLowerCase()}`;
    const domains = ownDomains.find((own) => own.some((domain) => owner.endsWith(`.${domain}`)));
    if (domains) option.reportInvalid(`${domains.join(' and ')} namespaces are reserved`, key);
  }
}

function checkStorageOs(source: FieldCursor<StorageOSVolumeSource>): void {
  const [name, namespace] = [source.at('volumeName'), source.at('volumeNamespace')];
  name.mustBeSet();
  name.mustBe(validateDnsLabel);
  namespace.mustBe(validateDnsLabel);
}

/**
 * Checks a CSI volume of a pod. It has at most one secret; persistent volumes have a handle and
 * several secrets.
 */
function checkCsi(source: FieldCursor<CSIVolumeSource>): void {
  const { driver, nodePublishSecretRef: secret } = source.value;
  source.report(...checkCsiDriverName(`${source.path}.driver`, driver));
  // kube-apiserver has the space in the path, too.
  const field = `${source.path}.nodePublishSecretRef .name`;
  if (secret) source.report(...checkRequiredString(field, secret.name ?? '', validateDnsSubdomain));
}
