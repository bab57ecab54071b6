import type { ResourceDefinition, VersionDefinition } from '../registry/definition/resource-definition.ts';

/** A part of the API that `--runtime-config` names: all of it, a level, a version or a resource. */
interface RuntimeSetting {
  /**
   * `api/all`, `api/beta`, `<group>/<version>` or `<group>/<version>/<resource>`, with group '' for
   * the core group.
   */
  readonly key: string;
  readonly enabled: boolean;
  /** The entry as given, for messages. */
  readonly entry: string;
}

/** Settings by key. */
export type RuntimeConfig = ReadonlyMap<string, RuntimeSetting>;

/** The levels of versions that a setting can name. `api/all` means all of them. */
const levels: ReadonlySet<string> = new Set(['api/all', 'api/ga', 'api/beta', 'api/alpha']);

/** The result of parsing: `config` is incomplete if there are errors. */
interface ParsedRuntimeConfig {
  readonly config: RuntimeConfig;
  readonly errors: readonly string[];
}

/**
 * Parses entries `<key>[=true|false]` (spec 9.1). Reports entries that are malformed, that
 * contradict each other, or that name no group, version or resource of `known`.
 */
export function parseRuntimeConfig(
  entries: readonly string[],
  known: readonly ResourceDefinition[],
): ParsedRuntimeConfig {
  const config = new Map<string, RuntimeSetting>();
  const errors: string[] = [];
  for (const entry of entries) {
    const setting = readEntry(entry);
    const problem = typeof setting === 'string' ? setting : problemOf(setting, config, known);
    if (problem !== undefined) errors.push(`${JSON.stringify(entry)}: ${problem}`);
    else if (typeof setting !== 'string') config.set(setting.key, setting);
  }
  const settings = [...config.values()];
  if (config.get('api/all')?.enabled === false && !settings.some(({ enabled }) => enabled)) {
    errors.push('api/all=false without an enabled version leaves nothing to serve');
  } else if (!isEnabled(config, { group: '', resource: '' }, { version: 'v1' })) {
    errors.push('the server needs the core version v1 for its own namespaces; enable it by v1=true');
  }
  return { config, errors };
}

const values: Readonly<Record<string, boolean>> = { true: true, '1': true, false: false, '0': false };

/** Returns the setting, or the problem of the entry. */
function readEntry(entry: string): RuntimeSetting | string {
  const [name = '', value = 'true', ...more] = entry.split('=');
  const enabled = Object.hasOwn(values, value) ? values[value] : undefined;
  if (enabled === undefined || more.length > 0) return 'use <key>=true or <key>=false';
  if (levels.has(name)) return { key: name, enabled, entry };
  const key = name.replace(/^(?:api\/)?(?=v[0-9][^/]*(?:\/|$))/, '/');
  const segments = key.split('/');
  if (segments.length < 2 || segments.length > 3 || segments.slice(1).includes('')) {
    return 'use api/all, api/ga, api/beta, api/alpha, <group>/<version> or <group>/<version>/<resource>';
  }
  return { key, enabled, entry };
}

function problemOf(
  { key, enabled }: RuntimeSetting,
  config: RuntimeConfig,
  known: readonly ResourceDefinition[],
): string | undefined {
  const other = config.get(key);
  if (other && other.enabled !== enabled) return `contradicts ${JSON.stringify(other.entry)}`;
  if (levels.has(key)) return undefined;
  const [group = '', version = '', resource] = key.split('/');
  const members = known.filter((definition) => definition.group === group);
  if (members.length === 0) return `unknown API group ${JSON.stringify(group)}`;
  const inVersion = members.filter(({ versions }) => versions.some((row) => row.version === version));
  if (inVersion.length === 0) {
    return `the API group ${JSON.stringify(group)} has no version ${JSON.stringify(version)}`;
  }
  if (resource === undefined || inVersion.some((definition) => definition.resource === resource)) return undefined;
  return `${key.slice(0, key.lastIndexOf('/')).replace(/^\//, '')} has no resource ${JSON.stringify(resource)}`;
}

/** The level of a version: GA, beta or alpha. */
function levelOf(version: string): 'ga' | 'beta' | 'alpha' {
  if (version.includes('alpha')) return 'alpha';
  return version.includes('beta') ? 'beta' : 'ga';
}

/**
 * True if a resource is enabled in a version. The most specific setting counts. Without a setting
 * only alpha and opt-in versions are disabled.
 */
export function isEnabled(
  config: RuntimeConfig,
  { group, resource }: Pick<ResourceDefinition, 'group' | 'resource'>,
  { version, lifecycle }: Pick<VersionDefinition, 'version' | 'lifecycle'>,
): boolean {
  const level = levelOf(version);
  const keys = [`${group}/${version}/${resource}`, `${group}/${version}`, `api/${level}`, 'api/all'];
  for (const key of keys) {
    const setting = config.get(key);
    if (setting) return setting.enabled;
  }
  return level !== 'alpha' && !lifecycle?.optIn;
}

/** True if a setting names a version of a group, or a resource in it. */
export function isNamed(
  config: RuntimeConfig,
  { group, resource }: Pick<ResourceDefinition, 'group' | 'resource'>,
  { version }: Pick<VersionDefinition, 'version'>,
): boolean {
  return config.has(`${group}/${version}`) || config.has(`${group}/${version}/${resource}`);
}
