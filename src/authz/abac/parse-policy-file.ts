import { getOwn, isJsonObject, type JsonObject, type JsonValue } from '../../meta/json-value.ts';
import type { Policy } from './abac.ts';

/** The rules of a policy file. */
interface PolicyFile {
  readonly policies: readonly Policy[];
  /** True if a line has the form of the releases before `v1beta1`. */
  readonly hasUnversioned: boolean;
}

/** The group of all users with a credential. Wildcards do not reach beyond it (spec 5.6). */
const allAuthenticated = 'system:authenticated';

/**
 * Parses a policy file: one JSON object a line, either a versioned `Policy` or one without version
 * and kind. Empty lines and lines that start with `#` are skipped. Throws an Error that names the
 * line. `groups` are the accepted API groups of the kind; errors name the first.
 */
export function parsePolicyFile(text: string, groups: readonly [string, ...string[]]): PolicyFile {
  const versions = groups.map((group) => `${group}/v1beta1`);
  const policies: Policy[] = [];
  let hasUnversioned = false;
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const trimmed = line.trim();
    if (trimmed === '' || trimmed.startsWith('#')) continue;
    try {
      const object = parseObject(trimmed);
      const isVersioned = getOwn(object, 'apiVersion') !== undefined || getOwn(object, 'kind') !== undefined;
      policies.push(isVersioned ? versionedPolicy(object, versions) : unversionedPolicy(object));
      hasUnversioned ||= !isVersioned;
    } catch (cause) {
      const problem = cause instanceof Error ? cause.message : String(cause);
      throw new Error(`line ${index + 1}: ${line}: ${problem}`, { cause });
    }
  }
  return { policies, hasUnversioned };
}

/** A `Policy` of version v1beta1. */
function versionedPolicy(object: JsonObject, versions: readonly string[]): Policy {
  const found = { apiVersion: textAt(object, 'apiVersion'), kind: textAt(object, 'kind') };
  if (!versions.includes(found.apiVersion) || found.kind !== 'Policy') {
    const kind = `kind ${JSON.stringify(found.kind)} of version ${JSON.stringify(found.apiVersion)}`;
    throw new Error(`${kind} is not known; use kind "Policy" of version ${JSON.stringify(versions[0])}`);
  }
  const spec = getOwn(object, 'spec') ?? {};
  if (!isJsonObject(spec)) throw new Error('spec is not an object');
  const user = textAt(spec, 'user');
  const group = textAt(spec, 'group');
  return {
    user,
    group: user === '*' || group === '*' ? allAuthenticated : group,
    readonly: flagAt(spec, 'readonly'),
    apiGroup: textAt(spec, 'apiGroup'),
    resource: textAt(spec, 'resource'),
    namespace: textAt(spec, 'namespace'),
    nonResourcePath: textAt(spec, 'nonResourcePath'),
  };
}

/** The form before versions: a field that is missing means all. */
function unversionedPolicy(object: JsonObject): Policy {
  const user = textAt(object, 'user');
  const group = textAt(object, 'group');
  const namespace = textAt(object, 'namespace');
  const resource = textAt(object, 'resource');
  const isEveryone = user === '*' || group === '*' || (user === '' && group === '');
  return {
    user,
    group: isEveryone ? allAuthenticated : group,
    readonly: flagAt(object, 'readonly'),
    apiGroup: '*',
    resource: resource || '*',
    namespace: namespace || '*',
    nonResourcePath: namespace === '' && resource === '' ? '*' : '',
  };
}

function parseObject(text: string): JsonObject {
  // JSON.parse returns values of this type.
  const value = JSON.parse(text) as JsonValue;
  if (!isJsonObject(value)) throw new Error('a JSON object was expected');
  return value;
}

function textAt(object: JsonObject, name: string): string {
  const value = getOwn(object, name) ?? '';
  if (typeof value !== 'string') throw new Error(`${name} is not a string`);
  return value;
}

function flagAt(object: JsonObject, name: string): boolean {
  const value = getOwn(object, name) ?? false;
  if (typeof value !== 'boolean') throw new Error(`${name} is not true or false`);
  return value;
}
