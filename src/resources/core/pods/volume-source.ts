import type { PersistentVolumeClaimSpec } from '../../../gen/stored/core-v1.ts';
import { identifierSets, identifiersOf } from '../../../identifiers/identifiers.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import { parseQuantity } from '../../../meta/quantity.ts';
import { isSet, isTrue, numberAt, objectAt, objectsAt, stringAt, stringsAt } from '../../../meta/read-field.ts';
import { validateDnsLabel, validateDnsSubdomain } from '../../../meta/validate-name.ts';
import { allErrors, errorsOfEach, noErrors } from '../../../status/all-errors.ts';
import { type FieldError, forbidden, invalid, notSupported, required } from '../../../status/field-error.ts';
import { checkEach, checkRequiredString, checkString } from '../../rules/fields/check.ts';
import { checkCsiDriverName } from '../../rules/fields/csi-driver-name.ts';
import { checkClaimSpec } from '../persistentvolumeclaims/validate.ts';
import { checkProjection } from './projection.ts';
import { checkDownwardFile, checkKeyToPath, checkLocalPath, checkNoBacksteps } from './reference.ts';

/** Returns the errors of a volume source that its schema does not report. */
export type SourceRule = (source: JsonObject, path: string) => readonly FieldError[];

/** The rules of volume sources of pods. Persistent volumes use them too. */
export const volumeSourceRules: Readonly<Record<string, SourceRule>> = {
  emptyDir: emptyDirErrors,
  hostPath: hostPathErrors,
  gitRepo: (source, path) => checkLocalPath(`${path}.directory`, stringAt(source, 'directory')),
  gcePersistentDisk: partitionErrors('pdName'),
  awsElasticBlockStore: partitionErrors('volumeID'),
  nfs: nfsErrors,
  iscsi: iscsiErrors,
  flocker: flockerErrors,
  fc: fibreChannelErrors,
  cinder: namedSecretErrors('secretRef'),
  cephfs: (source, path) => (stringsAt(source, 'monitors').length === 0 ? [required(`${path}.monitors`)] : noErrors),
  quobyte: quobyteErrors,
  azureDisk: azureDiskErrors,
  flexVolume: flexErrors,
  storageos: storageOsErrors,
  secret: keyedErrors('secretName'),
  configMap: keyedErrors('name'),
  // Reported at the volume, not at the item.
  downwardAPI: (source, path) => errorsOfEach(objectsAt(source, 'items'), (item) => checkDownwardFile(item, path)),
  projected: checkProjection,
  csi: csiErrors,
  ephemeral: (source, path) => {
    const template = objectAt(source, 'volumeClaimTemplate');
    return isSet(source, 'volumeClaimTemplate')
      ? checkClaimSpec(objectAt(template, 'spec') as PersistentVolumeClaimSpec, `${path}.volumeClaimTemplate.spec`)
      : noErrors;
  },
};

function emptyDirErrors({ sizeLimit }: JsonObject, path: string): readonly FieldError[] {
  const limit = typeof sizeLimit === 'string' ? parseQuantity(sizeLimit) : undefined;
  return limit && 'nanos' in limit && limit.nanos < 0n
    ? [forbidden(`${path}.sizeLimit`, 'SizeLimit field must be a valid resource quantity')]
    : noErrors;
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

/** Checks the path and what is expected there. Without a path only the schema reports an error. */
function hostPathErrors(source: JsonObject, at: string): readonly FieldError[] {
  const [path, type] = [stringAt(source, 'path'), stringAt(source, 'type')];
  if (path === '') return noErrors;
  return allErrors(
    checkNoBacksteps(`${at}.path`, path),
    hostPathTypes.includes(type) ? noErrors : [notSupported(`${at}.type`, type, hostPathTypes)],
  );
}

/** Maximum number of a partition; 0 is the whole disk. */
const partitionLimit = 255;

/**
 * The name of a source in the field of an error. kube-apiserver has an older name for one of them.
 */
export function shownSource(source: string): string {
  return source === 'gcePersistentDisk' ? 'persistentDisk' : source;
}

function partitionErrors(disk: string): SourceRule {
  return (source, path) => {
    const partition = numberAt(source, 'partition') ?? 0;
    return allErrors(
      stringAt(source, disk) === '' ? [required(`${path}.${disk}`)] : noErrors,
      partition < 0 || partition > partitionLimit
        ? [invalid(`${path}.partition`, partition, `must be between 1 and ${partitionLimit}, inclusive`)]
        : noErrors,
    );
  };
}

function nfsErrors(source: JsonObject, path: string): readonly FieldError[] {
  const given = stringAt(source, 'path');
  return allErrors(
    given === '' ? [required(`${path}.path`)] : noErrors,
    given.startsWith('/') ? noErrors : [invalid(`${path}.path`, given, 'must be an absolute path')],
  );
}

/** The formats of an iSCSI name (RFC 3720, section 3.2.6.3), by prefix. */
const iscsiNames: ReadonlyMap<string, RegExp> = new Map([
  ['iqn', /^iqn\.\d{4}-\d{2}\.(?:[A-Za-z0-9-]+\.){1,16}[A-Za-z0-9-]*[^,;*&$|\s]+$/],
  ['eui', /^eui\.[0-9A-Fa-f]{16}$/],
  ['naa', /^naa\.[0-9A-Fa-f]{32}$/],
]);

function iscsiNameErrors(field: string, name: string): readonly FieldError[] {
  const form = iscsiNames.get(name.slice(0, 3));
  if (!form) return [invalid(field, name, 'must be valid format starting with iqn, eui, or naa')];
  return form.test(name) ? noErrors : [invalid(field, name, 'must be valid format')];
}

function iscsiErrors(source: JsonObject, path: string): readonly FieldError[] {
  const [name, initiator] = [stringAt(source, 'iqn'), stringAt(source, 'initiatorName')];
  const authenticates = isTrue(source, 'chapAuthDiscovery') || isTrue(source, 'chapAuthSession');
  return allErrors(
    name === '' ? noErrors : iscsiNameErrors(`${path}.iqn`, name),
    authenticates && !isSet(source, 'secretRef') ? [required(`${path}.secretRef`)] : noErrors,
    initiator === '' ? noErrors : iscsiNameErrors(`${path}.initiatorname`, initiator),
  );
}

const lunLimit = 255;

function lunErrors(field: string, lun: number): readonly FieldError[] {
  return lun < 0 || lun > lunLimit ? [invalid(field, lun, `must be between 0 and ${lunLimit}, inclusive`)] : noErrors;
}

function flockerErrors(source: JsonObject, path: string): readonly FieldError[] {
  const [name, uuid] = [stringAt(source, 'datasetName'), stringAt(source, 'datasetUUID')];
  return allErrors(
    name === '' && uuid === '' ? [required(path, 'one of datasetName and datasetUUID is required')] : noErrors,
    name !== '' && uuid !== ''
      ? [invalid(path, 'resource', 'datasetName and datasetUUID can not be specified simultaneously')]
      : noErrors,
    name.includes('/') ? [invalid(`${path}.datasetName`, name, "must not contain '/'")] : noErrors,
  );
}

function fibreChannelErrors(source: JsonObject, path: string): readonly FieldError[] {
  const [targets, ids] = [stringsAt(source, 'targetWWNs'), stringsAt(source, 'wwids')];
  const field = `${path}.targetWWNs`;
  if (targets.length === 0 && ids.length === 0) {
    return [required(field, 'must specify either targetWWNs or wwids, but not both')];
  }
  const lun = numberAt(source, 'lun');
  if (targets.length === 0) return noErrors;
  return allErrors(
    ids.length > 0
      ? [invalid(field, [...targets], 'targetWWNs and wwids can not be specified simultaneously')]
      : noErrors,
    lun === undefined
      ? [required(`${path}.lun`, 'lun is required if targetWWNs is specified')]
      : lunErrors(`${path}.lun`, lun),
  );
}

function namedSecretErrors(reference: string): SourceRule {
  return (source, path) =>
    isSet(source, reference) && stringAt(objectAt(source, reference), 'name') === ''
      ? [required(`${path}.${reference}.name`)]
      : noErrors;
}

function keyedErrors(nameField: string): SourceRule {
  return (source, path) =>
    allErrors(
      stringAt(source, nameField) === '' ? [required(`${path}.${nameField}`)] : noErrors,
      checkEach(`${path}.items`, objectsAt(source, 'items'), checkKeyToPath),
    );
}

function quobyteErrors(source: JsonObject, path: string): readonly FieldError[] {
  const registry = stringAt(source, 'registry');
  const detail = 'must be a host:port pair or multiple pairs separated by commas';
  if (registry === '') return [required(`${path}.registry`, detail)];
  return registry
    .split(',')
    .filter((pair) => !/^(?:[^:[\]]*|\[[^\]]*\]):[^:]*$/.test(pair))
    .map(() => invalid(`${path}.registry`, registry, detail));
}

/** The format of the URI of an Azure disk, by kind: its prefix, and the example in the message. */
const azureAddresses = {
  managed: [
    '/subscriptions/',
    '/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}',
  ],
  blob: ['https://', 'https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd'],
} as const;

function azureDiskErrors(source: JsonObject, path: string): readonly FieldError[] {
  const [prefix, form] = azureAddresses[stringAt(source, 'kind') === 'Managed' ? 'managed' : 'blob'];
  const address = stringAt(source, 'diskURI');
  return allErrors(
    // Both errors are reported for the same field.
    address === '' ? [required(`${path}.diskURI`)] : noErrors,
    address.startsWith(prefix) ? noErrors : [notSupported(`${path}.diskURI`, address, [form])],
  );
}

/** The reserved domains, of labels and of the API, for each set of identifiers. */
const ownDomains = identifierSets
  .map((set) => identifiersOf(set))
  .map(({ labelDomain, apiDomain }) => [labelDomain, apiDomain]);

/** Refuses options in reserved domains: Kubernetes itself passes those to the driver. */
function flexErrors(source: JsonObject, path: string): readonly FieldError[] {
  return errorsOfEach(Object.keys(objectAt(source, 'options')), (key) => {
    const owner = `.${(key.split('/', 1)[0] ?? '').toLowerCase()}`;
    const domains = ownDomains.find((own) => own.some((domain) => owner.endsWith(`.${domain}`)));
    return domains
      ? [invalid(`${path}.options[${key}]`, key, `${domains.join(' and ')} namespaces are reserved`)]
      : noErrors;
  });
}

function storageOsErrors(source: JsonObject, path: string): readonly FieldError[] {
  const [name, namespace] = [stringAt(source, 'volumeName'), stringAt(source, 'volumeNamespace')];
  return allErrors(
    checkRequiredString(`${path}.volumeName`, name, validateDnsLabel),
    namespace === '' ? noErrors : checkString(`${path}.volumeNamespace`, namespace, validateDnsLabel),
    namedSecretErrors('secretRef')(source, path),
  );
}

/**
 * Checks a CSI volume of a pod. It has at most one secret; persistent volumes have a handle and
 * several secrets.
 */
function csiErrors(source: JsonObject, path: string): readonly FieldError[] {
  const secret = objectAt(source, 'nodePublishSecretRef');
  // The space in the path is that of kube-apiserver.
  const name = `${path}.nodePublishSecretRef .name`;
  return allErrors(
    checkCsiDriverName(`${path}.driver`, stringAt(source, 'driver')),
    isSet(source, 'nodePublishSecretRef')
      ? checkRequiredString(name, stringAt(secret, 'name'), validateDnsSubdomain)
      : noErrors,
  );
}
