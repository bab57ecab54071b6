import { LRUCache } from 'lru-cache';
import type { MaybePromise } from '../../async/maybe-promise.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import type { ListerOf } from '../../meta/lister.ts';
import { memoize } from '../../meta/memoize.ts';
import { serverUser } from '../../meta/user-info.ts';
import type { AdmissionAttributes } from '../admission.ts';
import type { StaticObjects } from '../static-objects.ts';
import { decidingPolicies } from './exempt-resources.ts';
import { type RequestKind, requestKey, requestKindOf } from '../matching/admission-rule.ts';
import type { MatchCriteria, MatchedVersions } from './match-criteria.ts';

/** A policy in the form that requests need. */
export interface ReadPolicy {
  readonly name: string;
  readonly criteria: MatchCriteria;
  /**
   * The compiled expressions, dropped when the policy is replaced: caches may hold this object
   * longer.
   */
  readonly expressions: { readonly forget: () => void };
  /** The total length of the texts of its expressions. */
  readonly textLength: number;
}

/** A binding in the form that requests need. */
export interface ReadBinding {
  readonly name: string;
  readonly policyName: string;
  /** The criteria of the binding; undefined: all requests of its policy match. */
  readonly criteria: MatchCriteria | undefined;
}

/**
 * A policy whose rules match a request, with such bindings. Names and selectors are not matched
 * yet.
 */
export interface PolicyCandidate<Policy, Binding> {
  readonly policy: Policy;
  readonly versions: MatchedVersions;
  readonly bindings: readonly BindingCandidate<Binding>[];
}

/** A binding whose rules match a request. Names and selectors are not matched yet. */
interface BindingCandidate<Binding> {
  readonly binding: Binding;
  /** The matched versions; undefined if the binding has no criteria. */
  readonly versions: MatchedVersions | undefined;
}

/** The policies that are in effect. */
interface PolicySource<Policy, Binding> {
  /**
   * Returns the policies whose rules match a request, by name; a promise while policies are being
   * loaded.
   */
  candidates(attributes: AdmissionAttributes): MaybePromise<readonly PolicyCandidate<Policy, Binding>[]>;
  /**
   * Records a use of a policy's expressions. Expressions that were not used for longest are
   * dropped.
   */
  readonly used: (policy: Policy) => void;
}

/**
 * The total length of expression texts that stay compiled. Compiled they take some 30 times that.
 */
const mostText = 4 * 1024 * 1024;

/** The resources of policies and bindings, and the functions that read their objects. */
interface PolicyKinds<Policy, Binding, PolicyObject extends JsonObject, BindingObject extends JsonObject> {
  readonly apiDomain: string;
  readonly policies: string;
  readonly bindings: string;
  readonly readPolicy: (object: PolicyObject) => Policy;
  readonly readBinding: (object: BindingObject) => Binding;
  /** The policies and bindings from files, which run before the stored ones. */
  readonly fromFiles: StaticObjects | undefined;
}

/**
 * Follows policies and their bindings. Rules are matched once for each resource, version,
 * sub-resource and operation. After that a request costs two look-ups, however many policies there
 * are.
 */
export function policySource<
  Policy extends ReadPolicy,
  Binding extends ReadBinding,
  PolicyObject extends JsonObject,
  BindingObject extends JsonObject,
>(listerOf: ListerOf, kinds: PolicyKinds<Policy, Binding, PolicyObject, BindingObject>): PolicySource<Policy, Binding> {
  const group = `admissionregistration.${kinds.apiDomain}`;
  const deciding = decidingPolicies(kinds);
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
  const policyFeed = listerOf({ group, resource: kinds.policies, read: kinds.readPolicy, warm: true }).follow(
    changed(policies, (policy) => {
      compiled.delete(policy);
      policy.expressions.forget();
    }),
  );
  const bindingFeed = listerOf({ group, resource: kinds.bindings, read: kinds.readBinding, warm: true }).follow(
    changed(bindings),
  );
  const compiled = new LRUCache<Policy, true>({
    maxSize: mostText,
    sizeCalculation: (_, { textLength }) => Math.max(1, textLength),
    dispose: (_, { expressions }) => expressions.forget(),
  });
  const fromFiles = kinds.fromFiles && filePolicies(kinds.fromFiles, kinds);
  const find = (attributes: AdmissionAttributes): readonly PolicyCandidate<Policy, Binding>[] => {
    const first = fromFiles?.(attributes) ?? none;
    if (bindings.size === 0 || policies.size === 0) return first;
    matched ??= new MatchedPolicies([...policies.values()], [...bindings.values()]);
    const others = matched.find(attributes);
    return first.length === 0 ? others : [...first, ...others];
  };
  return {
    used: (policy) => void (compiled.get(policy) ?? compiled.set(policy, true)),
    candidates(attributes) {
      const who = deciding(attributes);
      if (who === 'none') return none;
      if (who === 'static') return attributes.user === serverUser ? none : (fromFiles?.(attributes) ?? none);
      const [one, other] = [policyFeed.catchUp(attributes.signal), bindingFeed.catchUp(attributes.signal)];
      return one || other ? Promise.all([one, other]).then(() => find(attributes)) : find(attributes);
    },
  };
}

const none: readonly never[] = Object.freeze([]);

/** Returns a function that finds the policies from files whose rules match a request. */
function filePolicies<
  Policy extends ReadPolicy,
  Binding extends ReadBinding,
  PolicyObject extends JsonObject,
  BindingObject extends JsonObject,
>(
  files: StaticObjects,
  { policies, bindings, readPolicy, readBinding }: PolicyKinds<Policy, Binding, PolicyObject, BindingObject>,
): (attributes: AdmissionAttributes) => readonly PolicyCandidate<Policy, Binding>[] {
  const read = memoize((current: StaticObjects['current']) => {
    // The loader has validated the objects of these resources.
    const [owners = [], bound = []] = [policies, bindings].map((resource) => current.get(resource));
    return new MatchedPolicies(
      owners.map((object) => readPolicy(object as PolicyObject)),
      bound.map((object) => readBinding(object as BindingObject)),
    );
  });
  return (attributes) => read(files.current).find(attributes);
}

/** The policies with bindings, and the cached matches by kind of request. */
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
