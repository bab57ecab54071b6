import { hasReason } from '../../../../client/error-of-response.ts';
import type { JsonObject } from '../../../../meta/json-value.ts';
import { compareQuantities, parseQuantity } from '../../../../meta/quantity.ts';
import { builtIn, listAll } from '../describe/parts/related.ts';
import { itemsAt, pairs, partAt, plain, selectorQuery, textAt, valueAt } from '../describe/parts/values.ts';
import { hasCondition } from './conditions.ts';
import { type Finding, inNamespace, type Subject } from './subject.ts';

/** A controller that has not seen the last change, or that has nothing to do. */
export function controller(subject: Subject): Finding[] {
  const { object, resource, name } = subject;
  const [generation, observed] = ['metadata.generation', 'status.observedGeneration'].map((path) =>
    valueAt(object, path),
  );
  const line = `${resource.resource} ${name}${inNamespace(subject)}`;
  const findings: Finding[] = [];
  if (typeof generation === 'number' && typeof observed === 'number' && observed < generation) {
    findings.push({
      says: `Its controller has seen change ${observed} of ${generation}.`,
      next: 'see whether the controller of this kind runs, if this lasts',
    });
  }
  if (valueAt(object, 'spec.paused') === true) {
    findings.push({ says: 'Its rollout is paused.', next: `cl rollout resume ${line}` });
  }
  if (valueAt(object, 'spec.suspend') === true) {
    findings.push({ says: 'It is suspended.', next: `cl patch ${line} --type=merge -p '{"spec":{"suspend":false}}'` });
  }
  if (valueAt(object, 'spec.replicas') === 0) {
    findings.push({ says: 'It is scaled to 0 replicas.', next: `cl scale ${line} --replicas=1` });
  }
  return findings;
}

/** Owners that are gone or being deleted take the object with them. */
export async function owners({ source, object, namespace }: Subject): Promise<Finding[]> {
  const references = itemsAt(object, 'metadata.ownerReferences');
  const findings = await Promise.all(
    references.map(async (reference) => {
      const [kind, name] = [textAt(reference, 'kind'), textAt(reference, 'name')];
      const resource = source.resources.find(
        (each) => each.kind === kind && `${each.group ? `${each.group}/` : ''}${each.version}` === reference.apiVersion,
      );
      if (!resource) {
        const says = `The kind of its owner ${kind}/${name} is not served.`;
        return [{ says, next: 'install the kind again, or remove metadata.ownerReferences' }];
      }
      const options = { ...(resource.namespaced ? { namespace } : {}), signal: source.signal };
      const owner = await source.client
        .resource(resource)
        .get(name, options)
        .catch((error: unknown) => (hasReason(error, 'NotFound') ? 'none' : undefined));
      // One that may not be read may be there.
      if (owner === undefined) return [];
      if (owner === 'none' || owner.metadata?.uid !== reference.uid) {
        const says = `Its owner ${kind}/${name} is gone, so that the garbage collector deletes it.`;
        return [{ says, next: 'remove metadata.ownerReferences to keep it' }];
      }
      if (owner?.metadata?.deletionTimestamp === undefined) return [];
      const next = `cl why ${resource.resource} ${name}${inNamespace({ namespace: resource.namespaced ? namespace : '' })}`;
      return [{ says: `Its owner ${kind}/${name} is being deleted.`, next }];
    }),
  );
  return findings.flat();
}

/** The pods that a workload or a Service selects. */
export async function selectedPods({ source, object, namespace }: Subject): Promise<JsonObject[]> {
  const selector = partAt(object, 'spec.selector');
  const isMap = Object.values(selector).every((value) => typeof value === 'string');
  const labelSelector = isMap ? pairs(selector) : selectorQuery(selector);
  const pods = builtIn(source.resources, '', 'pods');
  if (!pods || labelSelector === '' || Object.keys(selector).length === 0) return [];
  return listAll(source, pods, { namespace, labelSelector });
}

/** Reports a pod that neither runs nor has ended well. */
export function isUnready(pod: JsonObject): boolean {
  return !hasCondition(pod, 'Ready') && textAt(pod, 'status.phase') !== 'Succeeded';
}

/** A Service without addresses. */
export async function service(subject: Subject): Promise<Finding[]> {
  const { object } = subject;
  const selector = partAt(object, 'spec.selector');
  if (textAt(object, 'spec.type') === 'LoadBalancer' && itemsAt(object, 'status.loadBalancer.ingress').length === 0) {
    const says = 'No load balancer has given it an address.';
    return [{ says, next: 'see whether a controller of load balancers runs, or use the type NodePort' }];
  }
  if (Object.keys(selector).length === 0 || textAt(object, 'spec.type') === 'ExternalName') return [];
  const pods = await selectedPods(subject);
  const text = pairs(selector);
  if (pods.length === 0) {
    return [
      {
        says: `No pod has the labels ${text} of its selector.`,
        next: `cl get pods${inNamespace(subject)} --show-labels`,
      },
    ];
  }
  if (pods.some((pod) => !isUnready(pod))) return [];
  const first = textAt(pods[0] ?? {}, 'metadata.name');
  const says = `None of the ${pods.length} pods with ${text} is ready.`;
  return [{ says, next: `cl why pod ${first}${inNamespace(subject)}` }];
}

/** Amounts may be written in several ways: 1 and 1000m. */
function isUsedUp(hard: string, used: string): boolean {
  const [most, found] = [parseQuantity(hard), parseQuantity(used)];
  return 'nanos' in most && 'nanos' in found && compareQuantities(found, most) >= 0;
}

/** Quotas of the namespace of which nothing is left. */
export async function quotas({ source, namespace }: Subject): Promise<Finding[]> {
  const resource = builtIn(source.resources, '', 'resourcequotas');
  const all = resource ? await listAll(source, resource, { namespace }).catch(() => []) : [];
  return all.flatMap((quota) => {
    const [hard, used] = [partAt(quota, 'status.hard'), partAt(quota, 'status.used')];
    const full = Object.keys(hard).filter((key) => isUsedUp(plain(hard[key]), plain(used[key])));
    const name = textAt(quota, 'metadata.name');
    return full.map((key) => ({
      says: `Quota ${name} is used up: ${key} ${plain(used[key])} of ${plain(hard[key])}.`,
      next: `delete something, ask for less, or raise it: cl describe quota ${name} -n ${namespace}`,
    }));
  });
}
