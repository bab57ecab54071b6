import { Failure } from '../values/cel-value.ts';

/** Errors that several functions have, with the messages of cel-go. */
export const failures = Object.freeze({
  noOverload: new Failure('no such overload'),
  intOverflow: new Failure('integer overflow'),
  uintOverflow: new Failure('unsigned integer overflow'),
  range: new Failure('range'),
  divisionByZero: new Failure('division by zero'),
  modulusByZero: new Failure('modulus by zero'),
  timestampOverflow: new Failure('timestamp overflow'),
  durationOverflow: new Failure('duration overflow'),
});
