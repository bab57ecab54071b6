import type { MaybePromise } from '../../async/maybe-promise.ts';
import type { ListerOf } from '../../meta/lister.ts';
import { memoize } from '../../meta/memoize.ts';
import { serverUser } from '../../meta/user-info.ts';
import type { AdmissionAttributes, AdmittedVersion } from '../admission.ts';
import type { StaticObjects } from '../static-objects.ts';
import { matchesRule, type RequestKind, requestKey, requestKindOf } from '../matching/admission-rule.ts';
import { isOwnRecord } from '../matching/own-records.ts';
import { type ConfiguredWebhook, readWebhooks, type WebhookConfiguration } from './configured-webhook.ts';

/** A webhook whose rules match a request. */
export interface Candidate {
  readonly webhook: ConfiguredWebhook;
  /** The version in which it is called. */
  readonly version: AdmittedVersion;
  /** The position of the webhook among all webhooks. */
  readonly index: number;
}

/** The webhooks of all configurations of a kind. */
export interface WebhookSource {
  /**
   * The webhooks whose rules match a request, in the order of their calls. A promise while the
   * configurations are being read.
   */
  candidates(attributes: AdmissionAttributes): MaybePromise<readonly Candidate[]>;
}

/** A configuration with its webhooks. */
interface Configuration {
  readonly name: string;
  readonly webhooks: readonly ConfiguredWebhook[];
}

/** The resources that configure webhooks. */
const configurationResources = ['mutatingwebhookconfigurations', 'validatingwebhookconfigurations'] as const;

/**
 * The resources that configure admission, which webhooks do not apply to: otherwise nobody could
 * fix a wrong configuration.
 */
const exemptResources: ReadonlySet<string> = new Set([
  ...configurationResources,
  'mutatingadmissionpolicies',
  'mutatingadmissionpolicybindings',
  'validatingadmissionpolicies',
  'validatingadmissionpolicybindings',
]);

const none: readonly Candidate[] = Object.freeze([]);

/** The origin of webhook configurations. */
interface SourceOptions {
  readonly listerOf: ListerOf;
  /** The group of the resource. */
  readonly group: string;
  readonly resource: (typeof configurationResources)[number];
  /** The configurations from files, whose webhooks are called first. */
  readonly fromFiles: StaticObjects | undefined;
}

/**
 * Follows the configurations of a kind. The rules are matched once for each resource, version,
 * sub-resource and operation; after that a request costs two look-ups, however many webhooks do not
 * match.
 */
export function webhookSource({ listerOf, group, resource, fromFiles }: SourceOptions): WebhookSource {
  const lister = listerOf({ group, resource, read: readConfiguration, warm: true });
  const configurations = new Map<string, Configuration>();
  let matched: MatchedRules | undefined;
  const feed = lister.follow((key, item) => {
    const before = configurations.get(key);
    // Caches may hold a replaced object for a while.
    if (before && before !== item) for (const { conditions } of before.webhooks) conditions?.forget();
    if (item) configurations.set(key, item);
    else configurations.delete(key);
    matched = undefined;
  });
  const files = memoize((current: StaticObjects['current']) => {
    // The loader has validated the objects of this resource.
    const objects = (current.get(resource) ?? []) as readonly WebhookConfiguration[];
    return new MatchedRules(objects.map(readConfiguration));
  });
  const ofFiles = (attributes: AdmissionAttributes): readonly Candidate[] =>
    fromFiles ? files(fromFiles.current).find(attributes) : none;
  const find = (attributes: AdmissionAttributes): readonly Candidate[] => {
    const first = ofFiles(attributes);
    if (configurations.size === 0) return first;
    matched ??= new MatchedRules([...configurations.values()]);
    const others = matched.find(attributes);
    return fromFiles ? [...first, ...behind(files(fromFiles.current).size, others)] : others;
  };
  return {
    candidates(attributes) {
      if (isOwnRecord(attributes)) return none;
      if (isConfiguration(attributes, group)) return attributes.user === serverUser ? none : ofFiles(attributes);
      const pending = feed.catchUp(attributes.signal);
      return pending ? pending.then(() => find(attributes)) : find(attributes);
    },
  };
}

/** Returns webhooks with their indexes increased, because other webhooks are called before them. */
function behind(places: number, webhooks: readonly Candidate[]): readonly Candidate[] {
  return webhooks.map((candidate) => ({ ...candidate, index: candidate.index + places }));
}

function readConfiguration(object: WebhookConfiguration): Configuration {
  return { name: object.metadata.name ?? '', webhooks: readWebhooks(object) };
}

function isConfiguration({ resource }: AdmissionAttributes, group: string): boolean {
  return resource.group === group && exemptResources.has(resource.resource);
}

/** The webhooks of some configurations, and the results of their rules. */
class MatchedRules {
  readonly #webhooks: readonly ConfiguredWebhook[];
  /** Candidates by the versions of the resource, then by operation, sub-resource and scope. */
  readonly #candidates = new WeakMap<readonly AdmittedVersion[], Map<string, readonly Candidate[]>>();

  constructor(configurations: readonly Configuration[]) {
    const sorted = configurations.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    this.#webhooks = sorted.flatMap(({ webhooks }) => webhooks);
  }

  /** The number of webhooks. */
  get size(): number {
    return this.#webhooks.length;
  }

  find(attributes: AdmissionAttributes): readonly Candidate[] {
    const request = requestKindOf(attributes);
    let known = this.#candidates.get(request.versions);
    if (!known) this.#candidates.set(request.versions, (known = new Map()));
    const key = requestKey(request);
    let candidates = known.get(key);
    if (!candidates) {
      candidates = this.#webhooks.flatMap((webhook, index) => {
        const version = matchRules(webhook, request);
        return version ? [{ webhook, version, index }] : [];
      });
      known.set(key, candidates);
    }
    return candidates;
  }
}

/**
 * The version of a resource in which a webhook is called; undefined if no rule matches. The version
 * of the request comes first, then the others in the order of the rules (matchPolicy Equivalent).
 */
function matchRules(
  { rules, matchesEquivalents }: ConfiguredWebhook,
  request: RequestKind,
): AdmittedVersion | undefined {
  const [requested, ...others] = request.versions;
  if (!requested) return undefined;
  if (rules.some((rule) => matchesRule(rule, request, requested))) return requested;
  if (!matchesEquivalents) return undefined;
  for (const rule of rules) {
    const found = others.find((version) => matchesRule(rule, request, version));
    if (found) return found;
  }
  return undefined;
}
