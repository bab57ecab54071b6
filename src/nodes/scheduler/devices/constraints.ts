import type { DeviceAttribute, DeviceConstraint } from '../../../gen/types/resource-v1.ts';
import { memoize, memoizeText } from '../../../meta/memoize.ts';
import type { ChosenDevice, OfferedDevice } from './offered-device.ts';

/** The most constraints of a claim, each with one attribute. */
const constraintLimit = 32;

/** True if the devices chosen so far meet the constraints of their claim. */
export function meetsConstraints(chosen: readonly ChosenDevice[], constraints: readonly DeviceConstraint[]): boolean {
  return constraints.every(({ requests = [], matchAttribute, distinctAttribute }) => {
    const concerned = chosen.filter(({ request }) => requests.length === 0 || isNamed(request, requests));
    const name = matchAttribute ?? distinctAttribute;
    if (name === undefined) return true;
    const values = concerned.flatMap(({ device }) => valuesIn(device)(name) ?? []);
    if (values.length < concerned.length) return false;
    return matchAttribute === undefined ? areDisjoint(values) : haveCommon(values);
  });
}

/** Reports whether names include a request; the name of a request includes its alternatives. */
function isNamed(request: string, names: readonly string[]): boolean {
  const [parent = ''] = request.split('/');
  return names.includes(request) || names.includes(parent);
}

type Values = ReadonlySet<string>;

function haveCommon([first, ...others]: readonly Values[]): boolean {
  return !first || [...first].some((value) => others.every((other) => other.has(value)));
}

function areDisjoint(values: readonly Values[]): boolean {
  const all = values.flatMap((each) => [...each]);
  return new Set(all).size === all.length;
}

/** The cached attribute values of a device, which a search compares many times. */
const valuesIn = memoize((device: OfferedDevice) =>
  memoizeText((name) => valuesOf(device, name), { most: constraintLimit }),
);

/**
 * The values of an attribute as strings with their type: one value, or the values of a list. A name
 * without a domain is in the driver's domain. Undefined if the device lacks the attribute.
 */
function valuesOf({ driver, attributes }: OfferedDevice, name: string): Values | undefined {
  const own = name.startsWith(`${driver}/`) ? name.slice(driver.length + 1) : name;
  const attribute: DeviceAttribute | undefined = attributes[name] ?? attributes[own];
  const [found] = Object.entries(attribute ?? {});
  if (!found) return undefined;
  const [type, value] = found;
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  // The type of a list is named as its item type with an `s`.
  return new Set(values.map((each) => `${type.replace(/s$/, '')} ${String(each)}`));
}
