import { isInternalKey, resourceSegment, storePrefix, type StorageLocation } from '../port/object-key.ts';

/** Maps keys between kube-apiserver's layout and this server's. */
export interface UpstreamKeys {
  /** Returns the stored key, or the stored prefix of a prefix. */
  toStored(key: string): string;
  /** Returns this server's key. Keys that are not of a resource are unchanged. */
  fromStored(key: string): string;
  /** Returns the segment of this server's key for a stored key; '' if it has none. */
  segmentOf(stored: string): string;
  /** True if values of a key are JSON in every store of kube-apiserver. */
  isJson(key: string): boolean;
}

interface UpstreamKeysOptions {
  readonly prefix: string;
  /** The locations of the built-in resources. */
  readonly builtIns: Iterable<StorageLocation>;
  /** The domain of the API groups. */
  readonly apiDomain: string;
}

/**
 * The built-in resources whose stored keys have another name, by their segment without the domain.
 */
const renamed: Readonly<Record<string, string>> = {
  replicationcontrollers: 'controllers',
  endpoints: 'services/endpoints',
  nodes: 'minions',
  services: 'services/specs',
  'ingresses.networking': 'ingress',
  'podsecuritypolicies.policy': 'podsecuritypolicy',
};

/** The built-in groups that are stored like custom groups, without their domain. */
const apartGroups: readonly string[] = ['apiextensions', 'apiregistration'];

/**
 * Creates the mapping to kube-apiserver's keys. Built-in resources are under
 * `<prefix>/<resource>/`, some with another name. Custom resources, definitions and APIServices are
 * under `<prefix>/<group>/<resource>/`. Internal keys of this server are unchanged; kube-apiserver
 * ignores them.
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

/** The stored path of a custom resource: `widgets.example.com` becomes `example.com/widgets`. */
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
