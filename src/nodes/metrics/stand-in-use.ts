import type { Identifiers } from '../../identifiers/identifiers.ts';
import { normaliseQuantity } from '../../meta/quantity.ts';

/** Used resources, as in the API of metrics. */
export interface ResourceUse {
  readonly cpu: string;
  readonly memory: string;
}

/**
 * The use of resources that annotations ask for, `stand-in.<domain>/cpu` and `/memory`; one that is
 * missing is 0. Undefined without any, or if one is not a quantity.
 */
export function standInUse(
  annotations: Readonly<Record<string, string>> | undefined,
  { labelDomain }: Identifiers,
): ResourceUse | undefined {
  const { [`stand-in.${labelDomain}/cpu`]: cpu, [`stand-in.${labelDomain}/memory`]: memory } = annotations ?? {};
  if (cpu === undefined && memory === undefined) return undefined;
  const use = { cpu: normaliseQuantity(cpu ?? '0'), memory: normaliseQuantity(memory ?? '0') };
  return use.cpu === undefined || use.memory === undefined ? undefined : { cpu: use.cpu, memory: use.memory };
}
