import { parseQuantity } from '../../meta/quantity.ts';
import { quantityValue } from '../functions/quantities.ts';
import { semverValue } from '../functions/semvers.ts';
import type { CelType } from '../types/cel-type.ts';
import { CelMap, CelObject, type CelValue, Failure, listFrom } from '../values/cel-value.ts';

/** The attribute of a device; exactly one of the fields is set. */
interface DescribedAttribute {
  readonly int?: number | bigint;
  readonly bool?: boolean;
  readonly string?: string;
  readonly version?: string;
  readonly ints?: readonly (number | bigint)[];
  readonly bools?: readonly boolean[];
  readonly strings?: readonly string[];
  readonly versions?: readonly string[];
}

/** A device as in its ResourceSlice, with its driver. */
export interface DescribedDevice {
  readonly driver: string;
  readonly attributes?: Readonly<Record<string, DescribedAttribute>> | undefined;
  readonly capacity?: Readonly<Record<string, { readonly value?: string | number | undefined }>> | undefined;
  readonly allowMultipleAllocations?: boolean | undefined;
}

/** The value of the variable `device`. */
export function deviceValue(type: CelType, device: DescribedDevice): CelObject {
  const { driver, attributes = {}, capacity = {}, allowMultipleAllocations = false } = device;
  const fields: Readonly<Record<string, () => CelValue>> = {
    driver: () => driver,
    attributes: () => byDomain(driver, attributes, attributeValue),
    capacity: () => byDomain(driver, capacity, ({ value }) => amountValue(value)),
    allowMultipleAllocations: () => allowMultipleAllocations,
  };
  return new CelObject(
    type,
    (field) => (Object.hasOwn(fields, field) ? fields[field]?.() : undefined),
    () => Object.keys(fields),
  );
}

/**
 * Groups entries by the domain of their name. A name without a domain is in the driver's domain. An
 * unknown domain is an empty map.
 */
function byDomain<T>(driver: string, entries: Readonly<Record<string, T>>, valueOf: (entry: T) => CelValue): CelMap {
  const domains = new Map<string, Map<string, T>>();
  for (const [qualified, entry] of Object.entries(entries)) {
    const slash = qualified.indexOf('/');
    const domain = slash < 0 ? driver : qualified.slice(0, slash);
    const names = domains.get(domain) ?? new Map<string, T>();
    names.set(qualified.slice(slash + 1), entry);
    domains.set(domain, names);
  }
  const namesOf = (names: ReadonlyMap<string, T>): CelMap =>
    mapOfNames([...names.keys()], (name) => {
      const entry = names.get(name);
      return entry === undefined ? undefined : valueOf(entry);
    });
  return mapOfNames([...domains.keys()], (domain) => namesOf(domains.get(domain) ?? new Map()));
}

function mapOfNames(names: readonly string[], get: (name: string) => CelValue | undefined): CelMap {
  return new CelMap({ get: (key) => (typeof key === 'string' ? get(key) : undefined), keys: () => names });
}

function attributeValue(attribute: DescribedAttribute): CelValue {
  const { int, bool, string, version, ints, bools, strings, versions } = attribute;
  if (int !== undefined) return BigInt(int);
  if (version !== undefined) return semverValue(version);
  if (ints) return listFrom(ints.map(BigInt));
  if (versions) return listFrom(versions.map((text) => semverValue(text)));
  const list = bools ?? strings;
  if (list) return listFrom(list);
  return bool ?? string ?? new Failure('unsupported attribute value');
}

function amountValue(text: string | number = '0'): CelValue {
  const parsed = parseQuantity(String(text));
  return 'error' in parsed ? new Failure(parsed.error) : quantityValue(parsed);
}
