/** An evaluation that costs too much. */
export class CostExceeded extends Error {
  override readonly name = 'CostExceeded';

  constructor() {
    super('operation cancelled: actual cost limit exceeded');
  }
}

/**
 * The work that is left for an evaluation, in units of one character or some 10 ns. The prices of
 * calls, as in kube-apiserver, leave out much: the results of a call, the depth of values that it
 * compares, texts that it reads for the price of 1. All of that is taken from here.
 */
export interface WorkMeter {
  left: number;
}

/** As cost, a unit is the price of a character. */
const unitsOfCost = 10;

/** The work for a limit of cost, which is reading as many characters as the limit allows. */
export function meterFor(costLimit: number): WorkMeter {
  return { left: costLimit * unitsOfCost };
}

/** Units of work as a cost. */
export function costOfWork(units: number): number {
  return units / unitsOfCost;
}

/** The units for visiting a value inside another one. */
export const visitWork = 6;

/** The units for a key of a map, which are read from an object of any size. */
export const keyWork = 16;

/** The units for an item that is kept in a list: it may be an object of 200 bytes. */
export const keptWork = 32;

/** Takes units before the work is done. Throws CostExceeded if too few are left. */
export function spend(meter: WorkMeter, units: number): void {
  meter.left -= units;
  if (meter.left < 0) throw new CostExceeded();
}
