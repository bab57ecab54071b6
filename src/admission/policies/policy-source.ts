import type { MaybePromise } from '../../async/maybe-promise.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import type { ListerOf } from '../../meta/lister.ts';
import { memoize } from '../../meta/memoize.ts';
import type { AdmissionAttributes } from '../admission.ts';
import { type RequestKind, requestKey, requestKindOf } from '../matching/admission-rule.ts';
import type { MatchCriteria, MatchedVersions } from './match-criteria.ts';

/** A policy as it is read from its object. */
export interface ReadPolicy {
  readonly name: string;
  readonly criteria: MatchCriteria;
  /** Called when another state replaces the policy: caches may keep this one for a while. */
  readonly expressions: { readonly forget: () => void };
}

/** A binding as it is read from its object. */
export interface ReadBinding {
  readonly name: string;
  readonly policyName: string;
  /** Undefined: all requests of the policy. */
  readonly criteria: MatchCriteria | undefined;
}

/** A policy that may match a request, with the bindings that may. */
export interface PolicyCandidate<Policy, Binding> {
  readonly policy: Policy;
  readonly versions: MatchedVersions;
  readonly bindings: readonly BindingCandidate<Binding>[];
}

/** A binding that may match a request. */
interface BindingCandidate<Binding> {
  readonly binding: Binding;
  /** Undefined: the rules of the binding match in any case. */
  readonly versions: MatchedVersions | undefined;
}

/** The policies that are in effect. */
interface PolicySource<Policy, Binding> {
  /**
   * The policies whose rules may match a request, by name. A promise while the policies are being
   * read.
   */
  candidates(attributes: AdmissionAttributes): MaybePromise<readonly PolicyCandidate<Policy, Binding>[]>;
}

/** The resources of policies and their bindings, and how their objects are read. */
interface PolicyKinds<Policy, Binding, PolicyObject extends JsonObject, BindingObject extends JsonObject> {
  readonly group: string;
  readonly policies: string;
  readonly bindings: string;
  readonly readPolicy: (object: PolicyObject) => Policy;
  readonly readBinding: (object: BindingObject) => Binding;
}

/**
 * Follows policies and their bindings. Rules are matched once for each resource, version,
 * sub-resource and operation; after that a request costs two look-ups, however many policies do not
 * match.
 */
export function policySource<
  Policy extends ReadPolicy,
  Binding extends ReadBinding,
  PolicyObject extends JsonObject,
  BindingObject extends JsonObject,
>(listerOf: ListerOf, kinds: PolicyKinds<Policy, Binding, PolicyObject, BindingObject>): PolicySource<Policy, Binding> {
  const { group } = kinds;
  const policies = new Map<string, Policy>();
  const bindings = new Map<string, Binding>();
  let matched: MatchedPolicies<Policy, Binding> | undefined;
  const changed =
    <Item>(known: Map<string, Item>, replaced: (item: Item) => void = () => {}) =>
    (key: string, item: Item | undefined) => {
      const before = known.get(key);
      if (before && before !== item) replaced(before);
      if (item) known.set(key, item);
      else known.delete(key);
      matched = undefined;
    };
  const feeds = [
    listerOf({ group, resource: kinds.policies, read: kinds.readPolicy, warm: true }).follow(
      changed(policies, ({ expressions }) => expressions.forget()),
    ),
    listerOf({ group, resource: kinds.bindings, read: kinds.readBinding, warm: true }).follow(changed(bindings)),
  ];
  const find = (attributes: AdmissionAttributes): readonly PolicyCandidate<Policy, Binding>[] => {
    if (bindings.size === 0 || policies.size === 0) return [];
    matched ??= new MatchedPolicies([...policies.values()], [...bindings.values()]);
    return matched.find(attributes);
  };
  return {
    candidates(attributes) {
      const pending = feeds.flatMap((feed) => feed.catchUp(attributes.signal) ?? []);
      return pending.length > 0 ? Promise.all(pending).then(() => find(attributes)) : find(attributes);
    },
  };
}

/** Policies with bindings, and those that match kinds of requests. */
class MatchedPolicies<Policy extends ReadPolicy, Binding extends ReadBinding> {
  readonly #policies: readonly { readonly policy: Policy; readonly bindings: readonly Binding[] }[];
  readonly #known = memoize(
    (_versions: RequestKind['versions']) => new Map<string, readonly PolicyCandidate<Policy, Binding>[]>(),
  );

  constructor(policies: readonly Policy[], bindings: readonly Binding[]) {
    const byPolicy = new Map<string, Binding[]>();
    for (const binding of sorted(bindings)) {
      const others = byPolicy.get(binding.policyName);
      if (others) others.push(binding);
      else byPolicy.set(binding.policyName, [binding]);
    }
    this.#policies = sorted(policies).flatMap((policy) => {
      const own = byPolicy.get(policy.name);
      return own ? [{ policy, bindings: own }] : [];
    });
  }

  find(attributes: AdmissionAttributes): readonly PolicyCandidate<Policy, Binding>[] {
    const request = requestKindOf(attributes);
    const known = this.#known(request.versions);
    const key = requestKey(request);
    let candidates = known.get(key);
    if (!candidates) known.set(key, (candidates = this.#match(request)));
    return candidates;
  }

  #match(request: RequestKind): readonly PolicyCandidate<Policy, Binding>[] {
    return this.#policies.flatMap(({ policy, bindings }) => {
      const versions = policy.criteria.find(request);
      if (!versions) return [];
      const matching = bindings.flatMap((binding) => {
        const ofBinding = binding.criteria?.find(request);
        return binding.criteria && !ofBinding ? [] : [{ binding, versions: ofBinding }];
      });
      return [{ policy, versions, bindings: matching }];
    });
  }
}

function sorted<Item extends { readonly name: string }>(items: readonly Item[]): readonly Item[] {
  return items.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
