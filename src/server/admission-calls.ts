import type { CreateNamespace } from '../admission/plugins/namespace-auto-provision.ts';
import type { FindResource } from '../admission/plugins/owner-references-permission-enforcement.ts';
import type { ListPods } from '../admission/plugins/pod-security/existing-pods.ts';
import type { WriteQuotaStatus } from '../admission/plugins/resource-quota/quota-ledger.ts';
import type { DecideRight } from '../admission/resource-right.ts';
import type { Authorizer } from '../authz/authorizer.ts';
import { decideAccess } from '../authz/decide-access.ts';
import { valueOf } from '../codec/document.ts';
import type { Pod, ResourceQuota } from '../gen/stored/core-v1.ts';
import type { Identifiers } from '../identifiers/identifiers.ts';
import { nameOf, namespaceOf } from '../meta/object-meta.ts';
import type { LiveCatalogue } from '../registry/definition/live-catalogue.ts';
import type { Registries } from '../registry/definition/registry.ts';
import { ensureObject, systemScope, systemWrite } from '../registry/internal/ensure-object.ts';
import { notServed } from '../status/status-error.ts';

/** Returns the call of plugins that asks whether a user has a right to resources. */
export function rightDecider(authorizers: readonly Authorizer[]): DecideRight {
  return async (right) => {
    const attributes = { ...right, resourceRequest: true, path: '' };
    const { decision, reason, evaluationError } = await decideAccess(authorizers, attributes);
    return { isAllowed: decision === 'allow', reason, error: evaluationError };
  };
}

/** Returns the call of plugins that finds the resource of a kind. */
export function resourceFinder(catalogue: LiveCatalogue): FindResource {
  return (group, version, kind) => {
    const { current } = catalogue;
    // Kinds in lower case are known too, as to the discovery client of kube-apiserver.
    const ofLowerCase = () =>
      current.group(group)?.resources.find((one) => one.kind.toLowerCase() === kind)?.kind ?? '';
    const info = (current.findKind(group, version, kind) ?? current.findKind(group, version, ofLowerCase()))?.info;
    return info && { group, version, resource: info.resource, namespaced: info.namespaced };
  };
}

/** Returns the call of plugins that creates a namespace, unless it exists. */
export function namespaceCreator(identifiers: Identifiers, registries: () => Registries): CreateNamespace {
  return async (name, signal) => {
    const namespaces = registries().forResource('', 'namespaces');
    if (!namespaces) return;
    await ensureObject(namespaces, systemScope(identifiers, namespaces, signal), { metadata: { name } });
  };
}

/** Returns the call of the quota plugin that writes the status of a quota. */
export function quotaStatusWriter(identifiers: Identifiers, registries: () => Registries): WriteQuotaStatus {
  return async ({ old, quota, changed }, signal) => {
    const quotas = registries().forResource('', 'resourcequotas');
    if (!quotas) throw notServed();
    const place = { namespace: namespaceOf(quota), name: nameOf(quota), subresource: 'status' };
    const scope = { ...systemScope(identifiers, quotas, signal), ...place };
    const paths = changed.map((name) => ['f:status', 'f:used', `f:${name}`]);
    const write = systemWrite(identifiers);
    const written = await quotas.changeOwnValues(scope, { old, object: quota, paths }, write);
    if (written) return written as ResourceQuota;
    const { object } = await quotas.update(scope, quota, write);
    // The registry returns an object of its resource.
    return JSON.parse(object.json.toString('utf8')) as ResourceQuota;
  };
}

/**
 * Returns a function that lists Pods without decoding them. It is for rare requests: a lister would
 * decode every Pod of the cluster, and again on each change.
 */
export function podLister(identifiers: Identifiers, registries: () => Registries): ListPods {
  return async (namespace, signal) => {
    const registry = registries().forResource('', 'pods');
    if (!registry) return [];
    const scope = { ...systemScope(identifiers, registry, signal), namespace };
    const { items } = await registry.list(scope, { at: { kind: 'latest' }, limit: 0 });
    return items.map((item) => () => valueOf(item) as Pod);
  };
}
