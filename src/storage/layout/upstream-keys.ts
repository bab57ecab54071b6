import { isInternalKey, resourceSegment, storePrefix, type StorageLocation } from '../port/object-key.ts';

/** The keys of kube-apiserver, beside the keys of this server. */
export interface UpstreamKeys {
  /** The key in the store; also of a prefix of keys. */
  toStored(key: string): string;
  /** The key of this server. Keys that name no resource stay as they are. */
  fromStored(key: string): string;
  /** The segment of this server's key for a key in the store; '' if it has none. */
  segmentOf(stored: string): string;
  /** True if the values of a key of this server are JSON in every store of kube-apiserver. */
  isJson(key: string): boolean;
}

interface UpstreamKeysOptions {
  readonly prefix: string;
  /** The locations of the built-in resources. */
  readonly builtIns: Iterable<StorageLocation>;
  /** The domain of the API groups. */
  readonly apiDomain: string;
}

/** Built-in resources whose keys are not named for them, by their segment without a domain. */
const renamed: Readonly<Record<string, string>> = {
  replicationcontrollers: 'controllers',
  endpoints: 'services/endpoints',
  nodes: 'minions',
  services: 'services/specs',
  'ingresses.networking': 'ingress',
  'podsecuritypolicies.policy': 'podsecuritypolicy',
};

/** Built-in groups that are stored as groups of definitions are, without their domain. */
const apartGroups: readonly string[] = ['apiextensions', 'apiregistration'];

/**
 * Maps keys to keys of kube-apiserver. A built-in resource has `<prefix>/<resource>/...`, a few of
 * them another name; a kind of a definition has `<prefix>/<group>/<resource>/...`, and so have the
 * definitions and the APIServices. This server's own values keep their keys, of which
 * kube-apiserver knows nothing.
 */
export function upstreamKeys({ prefix, builtIns, apiDomain }: UpstreamKeysOptions): UpstreamKeys {
  const start = storePrefix(prefix).length;
  const root = storePrefix(prefix);
  const apart = new Set(apartGroups.map((group) => `${group}.${apiDomain}`));
  const toPath = new Map<string, string>();
  const toSegment = new Map<string, string>();
  for (const location of builtIns) {
    const segment = resourceSegment(location);
    if (apart.has(location.group)) continue;
    const short = segment.endsWith(`.${apiDomain}`) ? segment.slice(0, -apiDomain.length - 1) : segment;
    const path = renamed[short] ?? location.resource;
    toPath.set(segment, path);
    toSegment.set(path, segment);
  }
  const place = (stored: string): { readonly segment: string; readonly end: number } | undefined => {
    if (!stored.startsWith(root)) return undefined;
    const first = stored.indexOf('/', start);
    if (first < 0) return undefined;
    const one = toSegment.get(stored.slice(start, first));
    if (one !== undefined) return { segment: one, end: first };
    const second = stored.indexOf('/', first + 1);
    if (second < 0) return undefined;
    const path = stored.slice(start, second);
    const found = toSegment.get(path) ?? customSegment(path, first - start);
    return found === undefined ? undefined : { segment: found, end: second };
  };
  return {
    toStored(key) {
      const end = key.indexOf('/', start);
      if (end < 0 || isInternalKey(key)) return key;
      const segment = key.slice(start, end);
      return `${root}${toPath.get(segment) ?? customPath(segment)}${key.slice(end)}`;
    },
    fromStored(key) {
      if (isInternalKey(key)) return key;
      const found = place(key);
      return found ? `${root}${found.segment}${key.slice(found.end)}` : key;
    },
    segmentOf: (stored) => place(stored)?.segment ?? '',
    isJson: (key) => !toPath.has(key.slice(start, key.indexOf('/', start))),
  };
}

/** `widgets.example.com` is stored in `example.com/widgets`. */
function customPath(segment: string): string {
  const dot = segment.indexOf('.');
  return dot < 0 ? segment : `${segment.slice(dot + 1)}/${segment.slice(0, dot)}`;
}

/** The segment of `example.com/widgets`; undefined for other paths. The group ends at `slash`. */
function customSegment(path: string, slash: number): string | undefined {
  const group = path.slice(0, slash);
  const resource = path.slice(slash + 1);
  return group.includes('.') && !resource.includes('.') ? `${resource}.${group}` : undefined;
}
