import { isJsonObject, type JsonObject } from '../../../../../meta/json-value.ts';
import { claimDetails, phaseOrTerminating, storageClass } from '../parts/claim-fields.ts';
import type { Description, Section } from '../parts/description.ts';
import {
  annotations,
  field,
  ifSet,
  indented,
  labels,
  line,
  name,
  namespacedName,
  optional,
  table,
  valueLines,
} from '../parts/fields.ts';
import {
  accessModes,
  capitalised,
  itemsAt,
  joined,
  longTime,
  or,
  pairs,
  partAt,
  plain,
  textAt,
  unset,
  valueAt,
} from '../parts/values.ts';
import { volumeSource } from '../parts/volumes.ts';

const finalizers = field('Finalizers', 'metadata.finalizers', (value) => plain(value ?? []));

const nodeAffinity: Section = (volume) => {
  const required = valueAt(volume, 'spec.nodeAffinity.required');
  if (!isJsonObject(required)) return ['Node Affinity:\t<none>'];
  const terms = itemsAt(required, 'nodeSelectorTerms');
  const lines = terms.flatMap((term, index) =>
    valueLines(`Term ${index}`, itemsAt(term, 'matchExpressions').map(demandText)),
  );
  return ['Node Affinity:\t', `  Required Terms:\t${terms.length === 0 ? '<none>' : ''}`, ...indented(lines, 2)];
};

function demandText(demand: JsonObject): string {
  const values = joined(', ')(demand.values);
  const operator = textAt(demand, 'operator').toLowerCase() || 'in';
  return `${textAt(demand, 'key')} ${operator}${values ? ` [${values}]` : ''}`;
}

/** The fields of a volume that are objects and no source. */
const otherParts: ReadonlySet<string> = new Set(['capacity', 'claimRef', 'nodeAffinity']);

const source: Section = (volume, facts) => {
  const sources = Object.entries(partAt(volume, 'spec')).filter(
    ([key, value]) => isJsonObject(value) && !otherParts.has(key),
  );
  return ['Source:', ...indented(volumeSource(Object.fromEntries(sources), facts), 2)];
};

/** Persistent volumes. */
export const persistentVolume: Description = {
  sections: [
    name,
    labels,
    annotations,
    finalizers,
    storageClass,
    phaseOrTerminating,
    line('Claim', (volume) => {
      const { namespace, name: claim } = partAt(volume, 'spec.claimRef');
      return claim === undefined ? '' : `${plain(namespace)}/${plain(claim)}`;
    }),
    field('Reclaim Policy', 'spec.persistentVolumeReclaimPolicy'),
    field('Access Modes', 'spec.accessModes', accessModes),
    optional('VolumeMode', 'spec.volumeMode'),
    field('Capacity', 'spec.capacity.storage', or('0')),
    nodeAffinity,
    field('Message', 'status.message'),
    source,
  ],
};

/** The pods that mount a claim, and those that own it. */
const usedBy: Section = (claim, { related }) => {
  const owners = new Set(itemsAt(claim, 'metadata.ownerReferences').map(({ uid }) => uid));
  const mounts = (pod: JsonObject) =>
    itemsAt(pod, 'spec.volumes').some(
      (volume) => textAt(volume, 'persistentVolumeClaim.claimName') === textAt(claim, 'metadata.name'),
    );
  const pods = related.pods ?? [];
  const owning = pods.filter((pod) => !mounts(pod) && owners.has(textAt(pod, 'metadata.uid')));
  return valueLines(
    'Used By',
    [...pods.filter(mounts), ...owning].map((pod) => textAt(pod, 'metadata.name')),
  );
};

/** Claims of volumes. */
export const persistentVolumeClaim: Description = {
  needs: {
    pods: { group: '', resource: 'pods', select: (claim) => ({ namespace: textAt(claim, 'metadata.namespace') }) },
  },
  sections: [
    ...namespacedName,
    storageClass,
    phaseOrTerminating,
    field('Volume', 'spec.volumeName'),
    labels,
    annotations,
    finalizers,
    ...claimDetails,
    usedBy,
    table('Conditions', 'status.conditions', [
      ['Type', 'type'],
      ['Status', 'status'],
      ['LastProbeTime', 'lastProbeTime', longTime],
      ['LastTransitionTime', 'lastTransitionTime', longTime],
      ['Reason', 'reason'],
      ['Message', 'message'],
    ]),
  ],
};

const isDefault = line('IsDefaultClass', (object) => {
  const found = Object.entries(partAt(object, 'metadata.annotations')).find(([key]) =>
    /^storageclass\.(beta\.)?[^/]+\/is-default-class$/.test(key),
  );
  return found?.[1] === 'true' ? 'Yes' : 'No';
});

const topologies: Section = ifSet('allowedTopologies', (object) => {
  const terms = itemsAt(object, 'allowedTopologies');
  const lines = terms.flatMap((term, index) =>
    valueLines(`Term ${index}`, itemsAt(term, 'matchLabelExpressions').map(demandText)),
  );
  return ['AllowedTopologies:\t', ...indented(lines)];
});

/** Classes of storage. */
export const storageClassDescription: Description = {
  sections: [
    name,
    isDefault,
    field('Annotations', 'metadata.annotations', pairs),
    field('Provisioner', 'provisioner'),
    field('Parameters', 'parameters', pairs),
    field('AllowVolumeExpansion', 'allowVolumeExpansion', or(unset, capitalised)),
    (object) => {
      const options = valueAt(object, 'mountOptions');
      if (!Array.isArray(options) || options.length === 0) return ['MountOptions:\t<none>'];
      return ['MountOptions:', ...indented(options.map(plain))];
    },
    optional('ReclaimPolicy', 'reclaimPolicy'),
    optional('VolumeBindingMode', 'volumeBindingMode'),
    topologies,
  ],
};

/** Classes of attributes of volumes. */
export const volumeAttributesClass: Description = {
  sections: [
    name,
    field('Annotations', 'metadata.annotations', pairs),
    field('DriverName', 'driverName'),
    field('Parameters', 'parameters', pairs),
  ],
};
