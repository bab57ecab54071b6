import type { DeviceAttribute } from '../../gen/types/resource-v1.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../meta/json-value.ts';
import { normaliseQuantity } from '../../meta/quantity.ts';
import { validateDnsLabel, validateDnsSubdomain } from '../../meta/validate-name.ts';

/** Equal devices of a stand-in node, and the driver that publishes them. */
export interface DeviceList {
  readonly driver: string;
  readonly count: number;
  /** The prefix of their names, before a number from 0 on; by default `device`. */
  readonly name?: string;
  /** The attributes by name: strings, integers and booleans, or `{ version: '1.2.3' }`. */
  readonly attributes?: Readonly<Record<string, string | number | boolean | { readonly version: string }>>;
  /** The capacities by name: quantities such as `80Gi`. */
  readonly capacity?: Readonly<Record<string, string>>;
}

/** The most devices in the slice of a driver. */
const mostDevices = 128;

const members: ReadonlySet<string> = new Set(['driver', 'count', 'name', 'attributes', 'capacity']);

/** The problem of a list of devices, with its place; undefined if the list is valid. */
export function deviceListsProblem(value: JsonValue | undefined): string | undefined {
  if (!Array.isArray(value)) return 'use a list of { driver, count }';
  for (const [index, list] of value.entries()) {
    const problem = isJsonObject(list) ? problemOf(list) : 'use an object with driver and count';
    if (problem !== undefined) return `[${index}]: ${problem}`;
  }
  const counts = new Map<string, number>();
  // All entries have been checked.
  for (const { driver, count } of value as unknown as readonly DeviceList[]) {
    counts.set(driver, (counts.get(driver) ?? 0) + count);
  }
  const crowded = [...counts].find(([, count]) => count > mostDevices);
  return crowded && `${crowded[0]}: use at most ${mostDevices} devices of a driver`;
}

function problemOf({ driver, count, name, attributes = {}, capacity = {}, ...others }: JsonObject): string | undefined {
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) return `${unknown}: use ${[...members].join(', ')}`;
  if (typeof driver !== 'string' || validateDnsSubdomain(driver).length > 0) return 'driver: use a DNS subdomain';
  if (!Number.isInteger(count) || Number(count) < 1) return 'count: use a number, 1 or more';
  if (name !== undefined && (typeof name !== 'string' || validateDnsLabel(`${name}-0`).length > 0)) {
    return 'name: use a DNS label';
  }
  if (!isJsonObject(attributes) || !Object.values(attributes).every(isAttribute)) {
    return "attributes: use texts, whole numbers, booleans and { version: '1.2.3' } by name";
  }
  if (!isJsonObject(capacity) || !Object.values(capacity).every(isAmount)) {
    return 'capacity: use quantities like 80Gi by name';
  }
  return undefined;
}

function isAmount(text: JsonValue | undefined): boolean {
  return typeof text === 'string' && normaliseQuantity(text) !== undefined;
}

function isAttribute(value: JsonValue | undefined): boolean {
  if (typeof value === 'number') return Number.isInteger(value);
  if (typeof value === 'string' || typeof value === 'boolean') return true;
  return isJsonObject(value) && typeof value['version'] === 'string' && Object.keys(value).length === 1;
}

/** An attribute in the form of a ResourceSlice. */
export function attributeOf(value: NonNullable<DeviceList['attributes']>[string]): DeviceAttribute {
  if (typeof value === 'object') return { version: value.version };
  if (typeof value === 'number') return { int: value };
  return typeof value === 'boolean' ? { bool: value } : { string: value };
}
