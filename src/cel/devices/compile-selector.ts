import { LRUCache } from 'lru-cache';
import { deviceTypeName } from '../../identifiers/device-type.ts';
import { libraryTypes } from '../../identifiers/expression-types.ts';
import { estimateCost } from '../cost/estimate.ts';
import { fullEnvironment } from '../functions/environment.ts';
import { compileProgram } from '../program.ts';
import { type CelType, formatType, types } from '../types/cel-type.ts';
import { ExpressionError } from '../values/expression.ts';
import { Failure } from '../values/cel-value.ts';
import { meterFor } from '../values/work-meter.ts';
import { type DescribedDevice, deviceValue } from './device-value.ts';

/** The limits of the values of a device, for the cost estimate. */
const limits = { entries: 32, domain: 63, name: 32, text: 64 };

/** The cost limit of an expression, for the estimate and for each evaluation. */
export const selectorCostLimit = 1_000_000;

/** A compiled expression that selects devices. */
interface DeviceSelectorProgram {
  /** The estimated cost for the largest possible device. */
  readonly maxCost: number;
  /**
   * True if a device matches. Throws ExpressionError if the evaluation fails, for instance because
   * the device lacks an attribute, and CostExceeded.
   */
  readonly matches: (device: DescribedDevice) => boolean;
}

/**
 * The most cached programs, and the total length of their texts; a program takes much more memory.
 */
const remembered = { max: 200, maxSize: 65_536 };
const known = new LRUCache<string, DeviceSelectorProgram>({
  ...remembered,
  sizeCalculation: (_program, text) => text.length + 1,
});

/**
 * Compiles an expression over `device`. Equal texts return the same object. Throws ExpressionError.
 */
export function compileSelector(text: string): DeviceSelectorProgram {
  const found = known.get(text) ?? compile(text);
  known.set(text, found);
  return found;
}

function grouped(value: CelType): CelType {
  const names = { kind: 'map', key: { kind: 'string', max: limits.name }, value, max: limits.entries } as const;
  return { kind: 'map', key: { kind: 'string', max: limits.domain }, value: names, max: limits.entries };
}

const deviceType: CelType = {
  kind: 'object',
  name: deviceTypeName,
  fields: new Map([
    ['driver', { name: 'driver', type: { kind: 'string', max: limits.domain } }],
    ['attributes', { name: 'attributes', type: grouped({ kind: 'dyn', max: limits.text }) }],
    ['capacity', { name: 'capacity', type: grouped({ kind: 'opaque', name: `${libraryTypes}Quantity` }) }],
    ['allowMultipleAllocations', { name: 'allowMultipleAllocations', type: types.bool }],
  ]),
};

const variables = new Map([['device', deviceType]]);

function compile(text: string): DeviceSelectorProgram {
  const program = compileProgram(text, { environment: fullEnvironment(), variables });
  const { kind } = program.type;
  if (kind !== 'bool' && kind !== 'dyn') {
    throw new ExpressionError(`must evaluate to bool or the unknown type, not ${formatType(program.type)}`);
  }
  return {
    maxCost: estimateCost(program.checked, deviceType).max,
    matches(device) {
      const { value } = program.run([deviceValue(deviceType, device)], selectorCostLimit, meterFor(selectorCostLimit));
      if (value instanceof Failure) throw new ExpressionError(value.message);
      if (typeof value !== 'boolean') throw new ExpressionError('the value of the expression is not true or false');
      return value;
    },
  };
}
