import assert from 'node:assert/strict';
import type { AdmissionAttributes, AdmissionPlugin } from '../../../src/admission/admission.ts';
import type { LookupOf } from '../../../src/admission/object-lookup.ts';
import { identifiersOf } from '../../../src/identifiers/identifiers.ts';
import type { JsonObject } from '../../../src/meta/json-value.ts';
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
    subresource: '',
    namespace: 'ns',
    name: nameOf(object),
    object,
    oldObject: undefined,
    dryRun: false,
    user: { username: 'tester', uid: '', groups: [], extra: {} },
    signal: new AbortController().signal,
    warn: () => {},
    ...rest,
  };
  return attributes;
}

/** A lookup that knows these objects of one resource, and nothing of others. */
export function lookupOf(resource: string, ...objects: readonly JsonObject[]): LookupOf {
  return (group, plural) => {
    const known = resource === `${plural}.${group}` ? objects : [];
    const list = () => Promise.resolve(known);
    return { list, listKnown: list, find: async (name) => known.find((object) => nameOf(object) === name) };
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
