import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { annotationsOf, labelsOf } from '../../meta/object-meta.ts';
import { isSet, makeObjectAt, objectAt, objectsAt, stringAt } from '../../meta/read-field.ts';
import { isSince } from '../../scheme/api-release.ts';
import type { AdmissionAttributes, AdmissionPlugin } from '../admission.ts';
import type { EmulatedRelease } from '../emulated-release.ts';
import { forbidden } from '../forbidden.ts';
import { isWriteTo } from '../is-write-to.ts';

/** Volumes of clouds: the field of their source, its name in messages, the field of their id. */
const cloudSources = [
  ['awsElasticBlockStore', 'AWS EBS volume', 'volumeID'],
  ['gcePersistentDisk', 'GCE PD volume', 'pdName'],
  ['azureDisk', 'AzureDisk volume', 'diskName'],
  ['cinder', 'Cinder volume', 'volumeID'],
  ['vsphereVolume', 'vSphere Volume', 'volumePath'],
] as const;

/** A label of a volume, and the values of nodes that can reach it. */
interface TopologyLabel {
  readonly key: string;
  readonly values: readonly string[];
}

/**
 * Restricts a new volume to the nodes of its zone and region, by the labels that its provisioner
 * set. A volume of a cloud without such labels is refused, because only the cloud knows them, and
 * this server has no cloud provider.
 */
export function persistentVolumeLabel({ labelDomain }: Identifiers, emulated: EmulatedRelease): AdmissionPlugin {
  const beta = `failure-domain.beta.${labelDomain}`;
  // Older releases know the first labels only.
  const knowsTopology = emulated.forwardCompatible || isSince(emulated.release, '1.21');
  const prefixes = knowsTopology ? [`topology.${labelDomain}`, beta] : [beta];
  return {
    name: 'PersistentVolumeLabel',
    operations: ['CREATE'],
    mutate(attributes) {
      const { object } = attributes;
      if (!object || !isWriteTo(attributes, '', 'persistentvolumes', 'CREATE')) return;
      const isProvisioned = annotationsOf(object)[`pv.${labelDomain}/provisioned-by`] !== undefined;
      const labels = isProvisioned ? topologyLabels(attributes, labelsOf(object), prefixes) : [];
      if (labels.length > 0) addAffinity(makeObjectAt(object, 'spec'), labels);
      else refuseCloud(attributes, objectAt(object, 'spec'));
    },
  };
}

/** The labels of zone and region below the first prefix that has both; none if no prefix has. */
function topologyLabels(
  attributes: AdmissionAttributes,
  labels: Readonly<Record<string, string>>,
  prefixes: readonly string[],
): readonly TopologyLabel[] {
  for (const prefix of prefixes) {
    const zones = labels[`${prefix}/zone`];
    const region = labels[`${prefix}/region`];
    if (zones === undefined || region === undefined) continue;
    const values = [...new Set(zones.split('__'))].toSorted();
    if (values.includes('')) {
      throw forbidden(attributes, `failed to convert label string for Zone: ${zones} to a Set`);
    }
    return [
      { key: `${prefix}/zone`, values },
      { key: `${prefix}/region`, values: [region] },
    ];
  }
  return [];
}

/** Adds requirements to all terms of the affinity, unless it already has rules for these labels. */
function addAffinity(spec: JsonObject, labels: readonly TopologyLabel[]): void {
  const required = makeObjectAt(makeObjectAt(spec, 'nodeAffinity'), 'required');
  const given = objectsAt(required, 'nodeSelectorTerms');
  const terms = given.length > 0 ? given : [{}];
  const isKnown = terms.some((term) =>
    objectsAt(term, 'matchExpressions').some((rule) => labels.some(({ key }) => key === stringAt(rule, 'key'))),
  );
  if (isKnown) return;
  required['nodeSelectorTerms'] = terms.map((term) => ({
    ...term,
    matchExpressions: [
      ...objectsAt(term, 'matchExpressions'),
      ...labels.map(({ key, values }) => ({ key, operator: 'In', values: [...values] })),
    ],
  }));
}

function refuseCloud(attributes: AdmissionAttributes, spec: JsonObject): void {
  const source = cloudSources.find(([field]) => isSet(spec, field));
  if (!source) return;
  const [field, text, id] = source;
  const volume = stringAt(objectAt(spec, field), id);
  throw forbidden(attributes, `error querying ${text} ${volume}: this server has no cloud provider`);
}
