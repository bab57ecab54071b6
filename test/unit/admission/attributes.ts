import assert from 'node:assert/strict';
import type { AdmissionAttributes, AdmissionPlugin } from '../../../src/admission/admission.ts';
import { identifiersOf } from '../../../src/identifiers/identifiers.ts';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import type { ListerOf } from '../../../src/meta/lister.ts';
import { nameOf } from '../../../src/meta/object-meta.ts';
import { StatusError } from '../../../src/status/status-error.ts';

/** The identifiers of the tests. */
export const identifiers = identifiersOf('kubernetes');

/** A write of an object, as admission sees it. */
export function writeOf(resource: string, object: JsonObject, rest: Partial<AdmissionAttributes> = {}) {
  const [plural = '', ...group] = resource.split('.');
  const attributes: AdmissionAttributes = {
    operation: rest.oldObject ? 'UPDATE' : 'CREATE',
    kind: { group: group.join('.'), version: 'v1', kind: '' },
    resource: { group: group.join('.'), version: 'v1', resource: plural },
    storedKind: { group: group.join('.'), version: 'v1', kind: '' },
    storedResource: { group: group.join('.'), version: 'v1', resource: plural },
    options: () => ({}),
    versions: () => [],
    fillDefaults: () => {},
    reinvocation: { round: 0, isWanted: false },
    subresource: '',
    namespace: 'ns',
    name: nameOf(object),
    object,
    oldObject: undefined,
    dryRun: false,
    user: { username: 'tester', uid: '', groups: [], extra: {} },
    signal: new AbortController().signal,
    warn: () => {},
    annotate: () => {},
    ...rest,
  };
  return attributes;
}

/** Listers that know these objects of one resource, and nothing of others. */
export function listerOf(resource: string, ...objects: readonly JsonObject[]): ListerOf {
  return ({ group, resource: plural, read, indexes }) => {
    const known = (resource === `${plural}.${group}` ? objects : []) as readonly Parameters<typeof read>[0][];
    return {
      peek: () => undefined,
      get: async (_, name) => known.filter((object) => nameOf(object) === name).map(read)[0],
      list: async ({ by }) => known.map(read).filter((item) => !by || indexes?.[by[0]](item).includes(by[1])),
      follow: () => ({ catchUp: () => undefined }),
    };
  };
}

/** Runs both phases of a plugin; the object that results. */
export async function admit(plugin: AdmissionPlugin, attributes: AdmissionAttributes): Promise<JsonObject> {
  if (plugin.operations.includes(attributes.operation)) {
    await plugin.mutate?.(attributes);
    await plugin.validate?.(attributes);
  }
  return attributes.object ?? {};
}

/** Asserts that a plugin refuses a write with 403, and how it says so. */
export async function assertForbidden(plugin: AdmissionPlugin, attributes: AdmissionAttributes, message: string) {
  await assert.rejects(admit(plugin, attributes), (error) => {
    assert(error instanceof StatusError);
    assert.equal(error.reason, 'Forbidden');
    assert.equal(error.message, message);
    return true;
  });
}
