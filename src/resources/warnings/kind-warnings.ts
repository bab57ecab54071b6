import type { DaemonSet, Deployment, ReplicaSet, StatefulSet } from '../../gen/types/apps-v1.ts';
import type { CronJob, Job, JobSpec } from '../../gen/types/batch-v1.ts';
import type {
  Endpoints,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  PodTemplate,
  ReplicationController,
  ResourceQuota,
  Secret,
  Service,
} from '../../gen/types/core-v1.ts';
import type { EndpointSlice } from '../../gen/types/discovery-v1.ts';
import type { Ingress, NetworkPolicy } from '../../gen/types/networking-v1.ts';
import type { RuntimeClass } from '../../gen/types/node-v1.ts';
import type { ResourceSlice } from '../../gen/types/resource-v1.ts';
import type { CSIDriver, CSIStorageCapacity, StorageClass } from '../../gen/types/storage-v1.ts';
import { annotationsOf, generationOf, nameOf } from '../../meta/object-meta.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { validateDnsLabel } from '../../meta/validate-name.ts';
import type { ObjectWarnings, WarnedWrite } from '../../registry/definition/resource-definition.ts';
import {
  balancerWarnings,
  endpointSliceWarnings,
  endpointsWarnings,
  networkPolicyWarnings,
  nodeWarnings,
  podStatusWarnings,
} from './address-warnings.ts';
import { keyPairWarnings } from './key-pair-warnings.ts';
import { labelAdvice, labelKeyWarnings } from './node-label-warnings.ts';
import { podWarnings, templateWarnings } from './pod-warnings.ts';
import { claimWarnings } from './quantity-warnings.ts';
import { serviceWarnings } from './service-warnings.ts';
import { claimClassWarnings, volumeWarnings } from './volume-warnings.ts';
import { type WarningRelease, warnsSince, withDomains } from './warning-context.ts';
import { compareQuantities, normaliseQuantity, parseQuantity } from '../../meta/quantity.ts';

/** A write, with the release that decides about warnings. */
interface Write extends Omit<WarnedWrite, 'emulated' | 'identifiers'> {
  readonly emulated: WarningRelease;
}

/** Returns the warnings about an object in the storage version. Must not mutate. */
type Warn = (object: JsonObject, write: Write) => readonly string[];

/** Adapts a function over the generated type of a kind, which decoding guarantees. */
function typed(warn: (object: never, write: Write) => readonly string[]): Warn {
  return (object, write) => warn(object as never, write);
}

/** Warnings from a release on. */
const from =
  (since: string, warn: Warn): Warn =>
  (object, write) =>
    warnsSince(write.emulated, since) ? warn(object, write) : [];

/** Warnings about writes of the object, not of the status. */
const ofObject =
  (warn: Warn): Warn =>
  (object, write) =>
    write.subresource === '' ? warn(object, write) : [];

/** Warnings about writes of the object, also of its number of replicas through its Scale. */
const ofScaled =
  (warn: Warn): Warn =>
  (object, write) =>
    write.subresource === '' || write.subresource === 'scale' ? warn(object, write) : [];

const ofStatus =
  (warn: Warn): Warn =>
  (object, write) =>
    write.subresource === 'status' && warnsSince(write.emulated, '1.33') ? warn(object, write) : [];

const both =
  (...all: readonly Warn[]): Warn =>
  (object, write) =>
    all.flatMap((warn) => warn(object, write));

/** The errors of a name as a DNS label. If only its dots are invalid, only they are reported. */
function labelMessages(name: string): readonly string[] {
  const messages = validateDnsLabel(name);
  const isDotted =
    name.includes('.') && name.split('.').every((part) => /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/.test(part));
  if (!isDotted) return messages;
  return messages.map((message) =>
    message.startsWith('a lowercase RFC 1123 label') ? 'must not contain dots' : message,
  );
}

/** Warns of a new object's name if it is used in host names but is not a DNS label. */
const nameInHosts = (use: string): Warn =>
  from('1.27', (object, { old }) => {
    const messages = old === undefined ? labelMessages(nameOf(object)) : [];
    const advice = `this is used in ${use}, which can result in surprising behavior; a DNS label is recommended`;
    return messages.length === 0 ? [] : [`metadata.name: ${advice}: [${messages.join(' ')}]`];
  });

const podNames = nameInHosts('Pod names and hostnames');

/** Warnings about new objects and changed specs. */
const ofChangedSpec =
  (warn: Warn): Warn =>
  (object, write) =>
    write.old === undefined || generationOf(object) !== generationOf(write.old) ? warn(object, write) : [];

const specTemplate = ofChangedSpec(
  typed(({ spec }: Deployment | DaemonSet | ReplicaSet | StatefulSet | ReplicationController, { emulated }) =>
    spec?.template === undefined ? [] : templateWarnings('spec.template', spec.template, emulated),
  ),
);

const statefulSetWarnings = typed(({ spec }: StatefulSet, { emulated }) => [
  ...(warnsSince(emulated, '1.26')
    ? (spec?.volumeClaimTemplates ?? []).flatMap((claim, index) =>
        claimWarnings(`spec.volumeClaimTemplates[${index}]`, claim.spec ?? {}),
      )
    : []),
  ...(warnsSince(emulated, '1.33') && (spec?.revisionHistoryLimit ?? 0) < 0
    ? ['spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended']
    : []),
]);

function jobWarnings(path: string, spec: JobSpec | undefined, emulated: WarningRelease): readonly string[] {
  if (spec === undefined) return [];
  const isLarge =
    spec.completionMode === 'Indexed' && (spec.completions ?? 0) > 100_000 && (spec.parallelism ?? 0) > 10_000;
  return [
    ...(isLarge && warnsSince(emulated, '1.28')
      ? [
          `${path}: In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail`,
        ]
      : []),
    ...(spec.template === undefined ? [] : templateWarnings(`${path}.template`, spec.template, emulated)),
  ];
}

/** Warns of a name with the suffix that is reserved for objects from manifest files, since 1.36. */
const staticName: Warn = from('1.36', (object, { emulated, old }) => {
  const suffix = withDomains('.static.{api}', emulated);
  const isReserved =
    old === undefined &&
    nameOf(object).endsWith(suffix) &&
    !emulated.isFeatureEnabled('ManifestBasedAdmissionControlConfig');
  const advice = 'are reserved for static manifest-based configurations and cannot be managed via the API';
  return isReserved ? [`metadata.name: names ending with "${suffix}" ${advice}`] : [];
});

/** The warnings about objects of each kind since 1.24, by short group and resource. */
const kindWarnings: Readonly<Record<string, Warn>> = {
  '/pods': both(
    ofObject((object, write) =>
      write.old === undefined
        ? [
            ...nameInHosts("the Pod's hostname")(object, write),
            ...typed(({ spec }: Pod, { emulated }) =>
              spec === undefined ? [] : podWarnings({ path: '', spec, annotations: annotationsOf(object), emulated }),
            )(object, write),
          ]
        : [],
    ),
    ofStatus(typed((pod: Pod, { emulated }) => podStatusWarnings(pod, emulated))),
  ),
  '/podtemplates': ofObject(
    ofChangedSpec(
      typed(({ template }: PodTemplate, { emulated }) =>
        template === undefined ? [] : templateWarnings('template', template, emulated),
      ),
    ),
  ),
  '/replicationcontrollers': ofScaled(both(podNames, specTemplate)),
  'apps/deployments': ofScaled(both(podNames, specTemplate)),
  'apps/replicasets': ofScaled(both(podNames, specTemplate)),
  'apps/daemonsets': ofObject(specTemplate),
  'apps/statefulsets': ofScaled(both(specTemplate, statefulSetWarnings)),
  'batch/jobs': ofObject(
    both(podNames, ofChangedSpec(typed(({ spec }: Job, { emulated }) => jobWarnings('spec', spec, emulated)))),
  ),
  'batch/cronjobs': ofObject(
    both(
      podNames,
      ofChangedSpec(
        typed(({ spec }: CronJob, { emulated }) =>
          jobWarnings('spec.jobTemplate.spec', spec?.jobTemplate?.spec, emulated),
        ),
      ),
    ),
  ),
  '/services': both(
    ofObject(typed((service: Service, { emulated }) => serviceWarnings(service, emulated))),
    ofStatus(typed((service: Service, { emulated }) => balancerWarnings(service, emulated))),
  ),
  '/endpoints': ofObject(
    from(
      '1.33',
      typed((endpoints: Endpoints, { emulated }) => endpointsWarnings(endpoints, emulated)),
    ),
  ),
  '/nodes': ofObject(
    from(
      '1.33',
      typed((node: Node, { emulated }) => nodeWarnings(node, emulated)),
    ),
  ),
  '/secrets': ofObject(
    from(
      '1.27',
      typed((secret: Secret, { emulated }) => keyPairWarnings(secret, emulated)),
    ),
  ),
  '/serviceaccounts': ofObject(
    from('1.32', (object, { old, emulated }) => {
      const name = withDomains('{label}/enforce-mountable-secrets', emulated);
      const isNew = Object.hasOwn(annotationsOf(object), name) && !(old && Object.hasOwn(annotationsOf(old), name));
      const advice = 'deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets';
      return isNew ? [`metadata.annotations[${name}]: ${advice}`] : [];
    }),
  ),
  '/persistentvolumes': ofObject(typed((volume: PersistentVolume, { emulated }) => volumeWarnings(volume, emulated))),
  '/persistentvolumeclaims': ofObject(
    from(
      '1.26',
      typed((claim: PersistentVolumeClaim, { emulated }) => [
        ...claimClassWarnings(claim.metadata?.annotations ?? {}, emulated),
        ...claimWarnings('spec', claim.spec ?? {}),
      ]),
    ),
  ),
  '/resourcequotas': ofObject(
    from(
      '1.35',
      typed((quota: ResourceQuota, { old }) => (old === undefined ? quotaWarnings(quota) : [])),
    ),
  ),
  'discovery/endpointslices': ofObject(
    from(
      '1.27',
      typed((slice: EndpointSlice, { emulated, old }) => endpointSliceWarnings(slice, emulated, old === undefined)),
    ),
  ),
  'networking/networkpolicies': ofObject(
    from(
      '1.33',
      typed((policy: NetworkPolicy, { emulated }) => networkPolicyWarnings(policy, emulated)),
    ),
  ),
  'networking/ingresses': both(
    ofObject(
      from(
        '1.27',
        typed(({ metadata, spec }: Ingress, { old, emulated }) => {
          const name = withDomains('{label}/ingress.class', emulated);
          const isSet = old === undefined && metadata?.annotations?.[name] !== undefined;
          return isSet && spec?.ingressClassName === undefined
            ? [`annotation "${name}" is deprecated, please use 'spec.ingressClassName' instead`]
            : [];
        }),
      ),
    ),
    ofStatus(typed((ingress: Ingress, { emulated }) => balancerWarnings(ingress, emulated))),
  ),
  'node/runtimeclasses': ofObject(
    typed(({ scheduling }: RuntimeClass, { emulated }) =>
      Object.keys(scheduling?.nodeSelector ?? {}).flatMap((label) => {
        const advice = labelAdvice(label, emulated);
        return advice === undefined ? [] : [`scheduling.nodeSelector: ${advice}`];
      }),
    ),
  ),
  'resource/resourceslices': ofObject(
    from(
      '1.35',
      typed(({ spec }: ResourceSlice) => {
        const driver = spec?.driver ?? '';
        const text = `spec.driver: driver names should be lowercase; ${JSON.stringify(driver)} contains uppercase characters`;
        return driver === driver.toLowerCase() ? [] : [text];
      }),
    ),
  ),
  'storage/csidrivers': ofObject(
    from(
      '1.35',
      typed(({ spec }: CSIDriver, { emulated }) => {
        const { tokenRequests = [], serviceAccountTokenInSecrets } = spec ?? {};
        const isRisky = tokenRequests.length > 0 && serviceAccountTokenInSecrets === undefined;
        return isRisky && emulated.isFeatureEnabled('CSIServiceAccountTokenSecrets')
          ? [
              'spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent possible logging of tokens in volume attributes',
            ]
          : [];
      }),
    ),
  ),
  'storage/csistoragecapacities': ofObject(
    typed(({ nodeTopology = {} }: CSIStorageCapacity, { emulated }) => [
      ...(nodeTopology.matchExpressions ?? []).flatMap(({ key }, index) =>
        labelKeyWarnings(`nodeTopology.matchExpressions[${index}].key`, key, emulated),
      ),
      ...Object.keys(nodeTopology.matchLabels ?? {}).flatMap((label) => {
        const advice = labelAdvice(label, emulated);
        return advice === undefined ? [] : [`nodeTopology.matchLabels.${label}: ${advice}`];
      }),
    ]),
  ),
  'storage/storageclasses': ofObject(
    typed(({ allowedTopologies = [] }: StorageClass, { emulated }) =>
      allowedTopologies.flatMap(({ matchLabelExpressions = [] }, index) =>
        matchLabelExpressions.flatMap(({ key }, position) => {
          const advice = labelAdvice(key, emulated);
          const path = `allowedTopologies[${index}].matchLabelExpressions[${position}].key`;
          return advice === undefined ? [] : [`${path}: ${advice}`];
        }),
      ),
    ),
  ),
  'admissionregistration/mutatingadmissionpolicies': ofObject(staticName),
  'admissionregistration/mutatingadmissionpolicybindings': ofObject(staticName),
  'admissionregistration/validatingadmissionpolicies': ofObject(staticName),
  'admissionregistration/validatingadmissionpolicybindings': ofObject(staticName),
  'admissionregistration/mutatingwebhookconfigurations': ofObject(staticName),
  'admissionregistration/validatingwebhookconfigurations': ofObject(staticName),
};

/** Returns the warnings of a resource; undefined if there are none. */
export function warningsOf(shortGroup: string, resource: string): ObjectWarnings | undefined {
  const name = `${shortGroup}/${resource}`;
  const warn = Object.hasOwn(kindWarnings, name) ? kindWarnings[name] : undefined;
  return (
    warn &&
    ((object, write) => warn(object, { ...write, emulated: { ...write.emulated, identifiers: write.identifiers } }))
  );
}

/** The warnings about requests in a quota that exceed the limit of the same resource. */
function quotaWarnings({ spec = {} }: ResourceQuota): readonly string[] {
  const { hard = {} } = spec;
  return ['cpu', 'memory', 'storage', 'ephemeral-storage'].flatMap((resource) => {
    const isBare = resource === 'cpu' || resource === 'memory';
    const request = hard[`requests.${resource}`] === undefined && isBare ? resource : `requests.${resource}`;
    const limit = `limits.${resource}`;
    const [requested, limited] = [hard[request], hard[limit]];
    if (requested === undefined || limited === undefined) return [];
    const [left, right] = [parseQuantity(requested), parseQuantity(limited)];
    if ('error' in left || 'error' in right || compareQuantities(left, right) <= 0) return [];
    return [
      `ResourceQuota ${request} (${normaliseQuantity(requested)}) should be less than ${limit} (${normaliseQuantity(limited)})`,
    ];
  });
}
