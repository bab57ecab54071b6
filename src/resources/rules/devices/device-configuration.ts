import type { DeviceConfiguration } from '../../../gen/stored/resource-v1.ts';
import { isJsonObject, type JsonValue } from '../../../meta/json-value.ts';
import type { FieldCursor } from '../../../status/field-cursor.ts';
import { invalid, required, tooLong } from '../../../status/field-error.ts';
import { checkDriver } from './device-names.ts';

/** Maximum size of driver parameters, in bytes of JSON. */
const dataLimit = 10_240;

/**
 * Checks the configuration of a device. Stored parameters may be larger, because older releases had
 * no limit.
 */
export function checkConfiguration<T extends DeviceConfiguration>(
  configuration: FieldCursor<T>,
  isStored: boolean,
): void {
  const { opaque } = configuration.value;
  if (!opaque) {
    configuration.report(required(`${configuration.path}.opaque`));
    return;
  }
  const at = configuration.at('opaque') as FieldCursor<NonNullable<DeviceConfiguration['opaque']>>;
  checkDriver(at.at('driver'));
  checkDriverData(at, 'parameters', opaque.parameters, isStored);
}

/** Checks parameters for a driver, which are an object of limited size. */
export function checkDriverData(
  parent: FieldCursor<unknown>,
  name: string,
  data: JsonValue | undefined,
  isStored = false,
): void {
  const field = `${parent.path}.${name}`;
  if (data === undefined || data === null) parent.report(required(field));
  else if (!isStored && Buffer.byteLength(JSON.stringify(data)) > dataLimit) parent.report(tooLong(field, dataLimit));
  else if (!isJsonObject(data)) parent.report(invalid(field, '<value omitted>', 'must be a valid JSON object'));
}
