import { noErrors } from '../../../status/all-errors.ts';
import { type FieldError, invalid } from '../../../status/field-error.ts';

const lowestPort = 1;
const highestPort = 65_535;

/** Checks that a number is a port number. */
export function checkPortNumber(field: string, port: number): readonly FieldError[] {
  return Number.isInteger(port) && port >= lowestPort && port <= highestPort
    ? noErrors
    : [invalid(field, port, `must be between ${lowestPort} and ${highestPort}, inclusive`)];
}
