import type { ListPods } from '../admission/plugins/pod-security/existing-pods.ts';
import { valueOf } from '../codec/document.ts';
import type { Pod } from '../gen/stored/core-v1.ts';
import type { Identifiers } from '../identifiers/identifiers.ts';
import { systemScope } from '../registry/internal/ensure-object.ts';
import type { ResourceRegistry } from '../registry/definition/registry.ts';

/**
 * Returns a function that lists Pods without decoding them. It is for rare requests: a lister would
 * decode every Pod of the cluster, and again on each change.
 */
export function podLister(identifiers: Identifiers, pods: () => ResourceRegistry | undefined): ListPods {
  return async (namespace, signal) => {
    const registry = pods();
    if (!registry) return [];
    const scope = { ...systemScope(identifiers, registry, signal), namespace };
    const { items } = await registry.list(scope, { at: { kind: 'latest' }, limit: 0 });
    return items.map((item) => () => valueOf(item) as Pod);
  };
}
