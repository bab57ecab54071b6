import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import type { ReadObject } from './read-all.ts';

/** Objects that come and go with servers and controllers. */
const passing =
  / (?:events|pods|replicasets|leases|ipaddresses|endpointslices|endpoints|controllerrevisions|flowschemas|prioritylevelconfigurations|storageversions|servicecidrs|apiservices) /;
/** The name of an endpoint of the API is another one: its object may be made again. */
const ofServers = / (?:kubernetes|default\/kubernetes)$/;

/**
 * Fails unless all objects are there, of the same identity, and those that nobody has written since are the same in
 * every field.
 */
export function compareObjects(before: ReadonlyMap<string, ReadObject>, after: ReadonlyMap<string, ReadObject>): void {
  const typeOf = (key: string): string => key.split(' ', 2).join(' ');
  const served = new Set([...after.keys()].map(typeOf));
  const missing = [...before.keys()].filter((key) => !after.has(key) && !passing.test(key));
  const lost = missing.filter((key) => served.has(typeOf(key)));
  const types = new Set(missing.filter((key) => !lost.includes(key)).map(typeOf));
  if (types.size > 0) process.stdout.write(`  not served: ${[...types].join(', ')}\n`);
  const counts = { same: 0, written: 0 };
  const differences: string[] = [];
  for (const [key, object] of before) {
    const other = after.get(key);
    if (!other) continue;
    if (object.metadata.uid !== other.metadata.uid && !ofServers.test(key) && !passing.test(key)) {
      differences.push(`${key}: another object`);
    } else if (object.metadata.resourceVersion !== other.metadata.resourceVersion) {
      counts.written++;
    } else if (isDeepStrictEqual(normal(object), normal(other))) {
      counts.same++;
    } else {
      differences.push(`${key}: ${differenceOf(normal(object), normal(other))}`);
    }
  }
  process.stdout.write(`  ${counts.same} objects are the same in every field, ${counts.written} were written since\n`);
  for (const difference of differences) process.stdout.write(`  ${difference}\n`);
  assert.deepEqual(lost, []);
  assert.equal(differences.length, 0);
}

/** The first place where two values differ. */
function differenceOf(one: unknown, other: unknown, at = ''): string {
  if (!isRecord(one) || !isRecord(other)) return `${at}: ${shown(one)} became ${shown(other)}`;
  const keys = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  const differing = keys.filter((key) => !isDeepStrictEqual(one[key], other[key]));
  return differing.map((key) => differenceOf(one[key], other[key], `${at}.${key}`)).join('; ');
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, 200);
}

/**
 * An object without what servers of one release may show in two ways: a link to itself, and the sub-resource of managers,
 * which this server records in all releases and Protobuf of releases before 1.22 has no place for.
 */
function normal(object: ReadObject): unknown {
  const { selfLink: _, managedFields, ...metadata } = object.metadata;
  const managers = managedFields?.map(({ subresource: __, ...manager }) => manager);
  return { ...object, metadata: { ...metadata, ...(managers ? { managedFields: managers } : {}) } };
}
