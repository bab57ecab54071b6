import type { NodeSelectorTerm, PersistentVolumeSpec } from '../../gen/stored/core-v1.ts';
import { isSince } from '../../scheme/api-release.ts';
import type { AdmissionAttributes, AdmissionPlugin, PluginContext } from '../admission.ts';
import { forbidden } from '../forbidden.ts';
import { isWriteTo } from '../is-write-to.ts';

/** Volumes of clouds: the name of their source in messages, and their id, if they are such. */
const cloudSources: readonly (readonly [text: string, id: (spec: PersistentVolumeSpec) => string | undefined])[] = [
  ['AWS EBS volume', ({ awsElasticBlockStore }) => awsElasticBlockStore?.volumeID],
  ['GCE PD volume', ({ gcePersistentDisk }) => gcePersistentDisk?.pdName],
  ['AzureDisk volume', ({ azureDisk }) => azureDisk?.diskName],
  ['Cinder volume', ({ cinder }) => cinder?.volumeID],
  ['vSphere Volume', ({ vsphereVolume }) => vsphereVolume?.volumePath],
];

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
export function persistentVolumeLabel({ identifiers: { labelDomain }, emulated }: PluginContext): AdmissionPlugin {
  const beta = `failure-domain.beta.${labelDomain}`;
  // Older releases know the first labels only.
  const knowsTopology = emulated.forwardCompatible || isSince(emulated.release, '1.21');
  const prefixes = knowsTopology ? [`topology.${labelDomain}`, beta] : [beta];
  return {
    name: 'PersistentVolumeLabel',
    operations: ['CREATE'],
    mutate(attributes) {
      if (!isWriteTo(attributes, '', 'persistentvolumes', 'CREATE')) return;
      const { metadata, spec } = attributes.object;
      const isProvisioned = metadata.annotations?.[`pv.${labelDomain}/provisioned-by`] !== undefined;
      const labels = isProvisioned ? topologyLabels(attributes, metadata.labels ?? {}, prefixes) : [];
      if (labels.length > 0) addAffinity(spec, labels);
      else refuseCloud(attributes, spec);
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
function addAffinity(spec: PersistentVolumeSpec, labels: readonly TopologyLabel[]): void {
  const required = ((spec.nodeAffinity ??= {}).required ??= { nodeSelectorTerms: null });
  const given = required.nodeSelectorTerms ?? [];
  const terms: readonly NodeSelectorTerm[] = given.length > 0 ? given : [{}];
  const isKnown = terms.some(({ matchExpressions = [] }) =>
    matchExpressions.some((rule) => labels.some(({ key }) => key === rule.key)),
  );
  if (isKnown) return;
  required.nodeSelectorTerms = terms.map((term) => ({
    ...term,
    matchExpressions: [
      ...(term.matchExpressions ?? []),
      ...labels.map(({ key, values }) => ({ key, operator: 'In', values: [...values] })),
    ],
  }));
}

function refuseCloud(attributes: AdmissionAttributes, spec: PersistentVolumeSpec): void {
  for (const [text, idOf] of cloudSources) {
    const id = idOf(spec);
    if (id === undefined) continue;
    throw forbidden(attributes, `error querying ${text} ${id}: this server has no cloud provider`);
  }
}
