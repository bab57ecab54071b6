import { isSince } from '../../scheme/api-release.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import type { ListerOf } from '../../meta/lister.ts';
import type { AdmissionChain, AdmissionPlugin, PluginContext } from '../admission.ts';
import type { EmulatedRelease } from '../../scheme/emulated-release.ts';
import { alwaysAdmit } from '../plugins/always-admit.ts';
import { alwaysDeny } from '../plugins/always-deny.ts';
import { alwaysPullImages } from '../plugins/always-pull-images.ts';
import { certificateApproval } from '../plugins/certificate-approval.ts';
import { certificateSigning } from '../plugins/certificate-signing.ts';
import { clusterTrustBundleAttest } from '../plugins/cluster-trust-bundle-attest.ts';
import { certificateSubjectRestriction } from '../plugins/certificate-subject-restriction.ts';
import { defaultIngressClass } from '../plugins/default-ingress-class.ts';
import { defaultStorageClass } from '../plugins/default-storage-class.ts';
import { defaultTolerationSeconds, type TolerationSeconds } from '../plugins/default-toleration-seconds.ts';
import { denyServiceExternalIPs } from '../plugins/deny-service-external-ips.ts';
import { denyEscalatingExec, denyExecOnPrivileged } from '../plugins/deny-escalating-exec.ts';
import { eventRateLimit } from '../plugins/event-rate-limit.ts';
import { extendedResourceToleration } from '../plugins/extended-resource-toleration.ts';
import { imagePolicyWebhook, type ReviewImages } from '../plugins/image-policy-webhook/image-policy-webhook.ts';
import { jobValidation } from '../plugins/pod-groups/job-validation.ts';
import { limitPodHardAntiAffinityTopology } from '../plugins/limit-pod-hard-anti-affinity-topology.ts';
import { limitRanger } from '../plugins/limit-ranger/limit-ranger.ts';
import { type CreateNamespace, namespaceAutoProvision } from '../plugins/namespace-auto-provision.ts';
import { namespaceExists } from '../plugins/namespace-exists.ts';
import { namespaceLifecycle } from '../plugins/namespace-lifecycle.ts';
import { nodeDeclaredFeatureValidator } from '../plugins/pod-updates/node-declared-feature-validator.ts';
import { nodeRestriction } from '../plugins/node-restriction/node-restriction.ts';
import {
  type FindResource,
  ownerReferencesPermissionEnforcement,
} from '../plugins/owner-references-permission-enforcement.ts';
import { persistentVolumeClaimResize } from '../plugins/persistent-volume-claim-resize.ts';
import { persistentVolumeLabel } from '../plugins/persistent-volume-label.ts';
import { podGroupProtection } from '../plugins/pod-groups/pod-group-protection.ts';
import { podGroupWorkloadExists } from '../plugins/pod-groups/pod-group-workload-exists.ts';
import { podNodeSelector } from '../plugins/pod-node-selector.ts';
import { podResizeValidator } from '../plugins/pod-updates/pod-resize-validator.ts';
import type { ListPods } from '../plugins/pod-security/existing-pods.ts';
import { podSecurity } from '../plugins/pod-security/pod-security.ts';
import { podSecurityPolicy } from '../plugins/pod-security-policy/pod-security-policy.ts';
import { mutatingAdmissionPolicy } from '../policies/mutating/mutating-admission-policy.ts';
import { validatingAdmissionPolicy } from '../policies/validating/validating-admission-policy.ts';
import type { PolicyDependencies } from '../policies/policy-dependencies.ts';
import { podTopologyLabels } from '../plugins/pod-topology-labels.ts';
import { podTolerationRestriction } from '../plugins/pod-toleration-restriction.ts';
import { priority } from '../plugins/priority.ts';
import { resourceQuota } from '../plugins/resource-quota/resource-quota.ts';
import type { WriteQuotaStatus } from '../plugins/resource-quota/quota-ledger.ts';
import { runtimeClass } from '../plugins/runtime-class.ts';
import { securityContextDeny } from '../plugins/security-context-deny.ts';
import { serviceAccount } from '../plugins/service-account/service-account.ts';
import { storageObjectInUseProtection } from '../plugins/storage-object-in-use-protection.ts';
import { taintNodesByCondition } from '../plugins/taint-nodes-by-condition.ts';
import {
  mutatingAdmissionWebhook,
  validatingAdmissionWebhook,
  type WebhookDependencies,
} from '../webhooks/webhook-plugins.ts';

/** The dependencies of the plugins. */
interface ChainDependencies extends PluginContext, WebhookDependencies, PolicyDependencies {
  readonly findResource: FindResource;
  readonly createNamespace: CreateNamespace;
  readonly writeQuotaStatus: WriteQuotaStatus;
  readonly tolerationSeconds: TolerationSeconds;
  readonly listPods: ListPods;
  /** Asks the image policy webhook; undefined if ImagePolicyWebhook is not enabled. */
  readonly reviewImages: ReviewImages | undefined;
}

/** Plugins enabled or disabled by the administrator, by name. */
export interface PluginChoice {
  readonly enabled: readonly string[];
  readonly disabled: readonly string[];
}

interface PluginRow {
  readonly name: string;
  /** True if it only runs when it is enabled. */
  readonly isOptional?: true;
  /** True if Kubernetes has deprecated it (spec 4.10). */
  readonly isDeprecated?: true;
  /** The release from which the plugin does not exist. */
  readonly removedIn?: string;
  /** The first release with the plugin; absent: all releases have it. */
  readonly since?: string;
  /** The feature gate without which it only runs when it is enabled. */
  readonly gate?: string;
  /**
   * Throws `RangeError` with the field for an invalid configuration. Plugins that take none ignore
   * it, as in kube-apiserver.
   */
  readonly create: (dependencies: ChainDependencies, configuration: JsonObject | undefined) => AdmissionPlugin;
}

/** All plugins in execution order (spec 4.10). */
export const admissionPlugins: readonly PluginRow[] = [
  { name: 'AlwaysAdmit', isOptional: true, isDeprecated: true, create: alwaysAdmit },
  {
    name: 'NamespaceAutoProvision',
    isOptional: true,
    create: ({ listerOf, createNamespace }) => namespaceAutoProvision(listerOf, createNamespace),
  },
  { name: 'NamespaceLifecycle', create: namespaceLifecycle },
  { name: 'NamespaceExists', isOptional: true, create: namespaceExists },
  { name: 'SecurityContextDeny', isOptional: true, removedIn: '1.30', create: securityContextDeny },
  { name: 'LimitPodHardAntiAffinityTopology', isOptional: true, create: limitPodHardAntiAffinityTopology },
  { name: 'LimitRanger', create: limitRanger },
  { name: 'ServiceAccount', create: serviceAccount },
  { name: 'NodeRestriction', isOptional: true, create: nodeRestriction },
  { name: 'TaintNodesByCondition', create: taintNodesByCondition },
  { name: 'AlwaysPullImages', isOptional: true, create: alwaysPullImages },
  {
    name: 'ImagePolicyWebhook',
    isOptional: true,
    create: ({ identifiers, reviewImages }, configuration) =>
      imagePolicyWebhook(identifiers, reviewImages, configuration),
  },
  { name: 'PodSecurity', gate: 'PodSecurity', create: podSecurity },
  { name: 'PodSecurityPolicy', isOptional: true, isDeprecated: true, removedIn: '1.25', create: podSecurityPolicy },
  { name: 'PodNodeSelector', isOptional: true, create: podNodeSelector },
  { name: 'Priority', create: priority },
  {
    name: 'DefaultTolerationSeconds',
    create: ({ identifiers, tolerationSeconds }) => defaultTolerationSeconds(identifiers, tolerationSeconds),
  },
  { name: 'PodTolerationRestriction', isOptional: true, create: podTolerationRestriction },
  { name: 'DenyEscalatingExec', isOptional: true, isDeprecated: true, create: denyEscalatingExec },
  { name: 'DenyExecOnPrivileged', isOptional: true, isDeprecated: true, create: denyExecOnPrivileged },
  { name: 'EventRateLimit', isOptional: true, create: eventRateLimit },
  { name: 'ExtendedResourceToleration', isOptional: true, create: extendedResourceToleration },
  { name: 'PersistentVolumeLabel', isOptional: true, removedIn: '1.31', create: persistentVolumeLabel },
  { name: 'DefaultStorageClass', create: defaultStorageClass },
  { name: 'StorageObjectInUseProtection', create: storageObjectInUseProtection },
  { name: 'PodGroupProtection', since: '1.36', gate: 'GenericWorkload', create: podGroupProtection },
  {
    name: 'OwnerReferencesPermissionEnforcement',
    isOptional: true,
    create: ({ decide, findResource }) => ownerReferencesPermissionEnforcement(decide, findResource),
  },
  { name: 'PersistentVolumeClaimResize', create: persistentVolumeClaimResize },
  { name: 'RuntimeClass', create: runtimeClass },
  { name: 'CertificateApproval', create: certificateApproval },
  { name: 'CertificateSigning', create: certificateSigning },
  { name: 'ClusterTrustBundleAttest', since: '1.27', gate: 'ClusterTrustBundle', create: clusterTrustBundleAttest },
  { name: 'CertificateSubjectRestriction', create: certificateSubjectRestriction },
  { name: 'DefaultIngressClass', create: defaultIngressClass },
  { name: 'DenyServiceExternalIPs', isOptional: true, create: denyServiceExternalIPs },
  { name: 'PodTopologyLabels', since: '1.33', gate: 'PodTopologyLabelsAdmission', create: podTopologyLabels },
  { name: 'PodGroupWorkloadExists', since: '1.36', gate: 'GenericWorkload', create: podGroupWorkloadExists },
  {
    name: 'NodeDeclaredFeatureValidator',
    since: '1.35',
    gate: 'NodeDeclaredFeatures',
    create: nodeDeclaredFeatureValidator,
  },
  { name: 'JobValidation', since: '1.36', gate: 'GenericWorkload', create: jobValidation },
  { name: 'PodResizeValidator', since: '1.36', gate: 'InPlacePodVerticalScaling', create: podResizeValidator },
  { name: 'MutatingAdmissionPolicy', since: '1.32', gate: 'MutatingAdmissionPolicy', create: mutatingAdmissionPolicy },
  { name: 'MutatingAdmissionWebhook', create: mutatingAdmissionWebhook },
  {
    name: 'ValidatingAdmissionPolicy',
    since: '1.26',
    gate: 'ValidatingAdmissionPolicy',
    create: validatingAdmissionPolicy,
  },
  { name: 'ValidatingAdmissionWebhook', create: validatingAdmissionWebhook },
  {
    name: 'ResourceQuota',
    create: ({ identifiers, listerOf, writeQuotaStatus }, configuration) =>
      resourceQuota(identifiers, listerOf, writeQuotaStatus, configuration),
  },
  { name: 'AlwaysDeny', isOptional: true, isDeprecated: true, create: alwaysDeny },
];

/** The names of all plugins, in execution order. */
export const pluginNames: readonly string[] = admissionPlugins.map(({ name }) => name);

/** The names of the plugins that run unless they are disabled, or the release lacks them. */
export const defaultPluginNames: readonly string[] = admissionPlugins
  .filter(({ isOptional }) => !isOptional)
  .map(({ name }) => name);

/** Validates a choice of plugins; returns the error message, '' if it is valid. */
export function choiceError({ enabled, disabled }: PluginChoice): string {
  const unknown = [...enabled, ...disabled].filter((name) => !pluginNames.includes(name));
  if (unknown.length > 0)
    return `unknown admission plugin ${unknown.join(', ')}; the known plugins are ${pluginNames.join(', ')}`;
  const both = enabled.filter((name) => disabled.includes(name));
  return both.length > 0 ? `admission plugin ${both.join(', ')} is both enabled and disabled` : '';
}

/** The deprecated plugins that a choice enables. */
export function deprecatedPlugins({ enabled }: PluginChoice): readonly string[] {
  return admissionPlugins
    .filter(({ name, isDeprecated }) => isDeprecated && enabled.includes(name))
    .map(({ name }) => name);
}

/**
 * Builds the chain of a server. Throws `RangeError` for an invalid choice or configuration.
 * Configurations are found by the names of their plugins. The caches of all objects that enabled
 * plugins read are warm, unless a plugin refuses it.
 */
export function createChain(
  dependencies: ChainDependencies,
  choice: PluginChoice,
  configurations: Readonly<Record<string, JsonObject>> = {},
): AdmissionChain {
  const problem = choiceError(choice);
  if (problem !== '') throw new RangeError(problem);
  refuseOthers(dependencies.emulated, choice);
  // The first request must not wait until the caches that plugins read are filled.
  const listerOf: ListerOf = (options) => dependencies.listerOf({ warm: true, ...options });
  return admissionPlugins
    .filter((row) => runs(row, dependencies.emulated, choice))
    .map((row) => createPlugin(row, { ...dependencies, listerOf }, configurations));
}

/** Throws `RangeError` for an enabled plugin that the release does not have. */
function refuseOthers(emulated: EmulatedRelease, { enabled }: PluginChoice): void {
  const refused = admissionPlugins.filter((row) => enabled.includes(row.name) && !isIn(row, emulated));
  if (refused.length === 0) return;
  const names = refused.map(({ name }) => name).join(', ');
  throw new RangeError(`unknown admission plugin ${names}: release ${emulated.release} does not have it`);
}

/** True if the release has a plugin. */
function isIn({ removedIn, since }: PluginRow, { release, forwardCompatible }: EmulatedRelease): boolean {
  const isGone = removedIn !== undefined && isSince(release, removedIn);
  return !isGone && (since === undefined || forwardCompatible || isSince(release, since));
}

function runs(row: PluginRow, emulated: EmulatedRelease, choice: PluginChoice): boolean {
  const { name, isOptional, gate } = row;
  const isDefault = !isOptional && isIn(row, emulated) && (gate === undefined || emulated.isFeatureEnabled(gate));
  return choice.enabled.includes(name) || (isDefault && !choice.disabled.includes(name));
}

function createPlugin(
  { name, create }: PluginRow,
  dependencies: ChainDependencies,
  configurations: Readonly<Record<string, JsonObject>>,
): AdmissionPlugin {
  try {
    return create(dependencies, Object.hasOwn(configurations, name) ? configurations[name] : undefined);
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new RangeError(`the configuration of the admission plugin ${name}: ${cause.message}`, { cause });
  }
}
