import { noErrors } from '../../../status/all-errors.ts';
import { type FieldError, invalid } from '../../../status/field-error.ts';

const lowestPort = 1;
const highestPort = 65_535;
const rule = `must be between ${lowestPort} and ${highestPort}, inclusive`;

/** Checks that a number is a port number. */
export function checkPortNumber(field: string, port: number): readonly FieldError[] {
  return isPort(port) ? noErrors : [invalid(field, port, rule)];
}

/** Checks the port of a service that this server is a client of. */
export function checkServicePort(field: string, port: number): readonly FieldError[] {
  return isPort(port) ? noErrors : [invalid(field, port, `port is not valid: ${rule}`)];
}

function isPort(port: number): boolean {
  return Number.isInteger(port) && port >= lowestPort && port <= highestPort;
}
