import type { DeviceAttribute, DeviceConstraint } from '../../../gen/types/resource-v1.ts';
import type { ChosenDevice, OfferedDevice } from './device-pools.ts';

/** True if the devices that have been chosen so far meet the constraints of their claim. */
export function meetsConstraints(chosen: readonly ChosenDevice[], constraints: readonly DeviceConstraint[]): boolean {
  return constraints.every(({ requests = [], matchAttribute, distinctAttribute }) => {
    const concerned = chosen.filter(({ request }) => requests.length === 0 || isNamed(request, requests));
    const name = matchAttribute ?? distinctAttribute;
    if (name === undefined) return true;
    const values = concerned.map(({ device }) => valueOf(device, name));
    if (values.includes(undefined)) return false;
    const different = new Set(values).size;
    return matchAttribute === undefined ? different === values.length : different <= 1;
  });
}

/** The name of a request stands for all of its alternatives. */
function isNamed(request: string, names: readonly string[]): boolean {
  const [parent = ''] = request.split('/');
  return names.includes(request) || names.includes(parent);
}

/** The type and the value of an attribute as text. A name without a domain is in the driver's. */
function valueOf({ driver, attributes }: OfferedDevice, name: string): string | undefined {
  const own = name.startsWith(`${driver}/`) ? name.slice(driver.length + 1) : name;
  const attribute: DeviceAttribute | undefined = attributes[name] ?? attributes[own];
  return attribute && JSON.stringify(attribute);
}
