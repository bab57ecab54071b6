import { isJsonObject, type JsonObject, type JsonValue } from '../../../meta/json-value.ts';
import { objectAt } from '../../../meta/read-field.ts';
import type { Conversion } from '../../../registry/definition/resource-definition.ts';
import { keepingParts } from '../../rules/versions/kept-parts.ts';

/** The conversion of v1beta1, in which properties of devices are in `basic`. */
export const newestOlderSlices: Conversion = {
  toStorage: (slice) => withDevices(slice, (device) => unwrapped(device, (capacity) => capacity)),
  fromStorage: (slice) => withDevices(slice, (device) => wrapped(device, (capacity) => capacity)),
};

/** The conversion of v1alpha3, in which also capacities are plain amounts. */
export const oldestSlices: Conversion = keepingParts(
  {
    toStorage: (slice) => withDevices(slice, (device) => unwrapped(device, (value) => ({ value }))),
    fromStorage: (slice) => withDevices(slice, (device) => wrapped(ofOldest(device), amountOf)),
  },
  'resource',
  'api.resource.v1.ResourceSlice',
);

/** The device fields that v1alpha3 never had. */
const later = new Set([
  'bindsToNode',
  'bindingConditions',
  'bindingFailureConditions',
  'allowMultipleAllocations',
  'nodeAllocatableResourceMappings',
]);

function ofOldest(device: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(device).filter(([name]) => !later.has(name)));
}

function amountOf(capacity: JsonValue): JsonValue {
  return isJsonObject(capacity) ? (capacity['value'] ?? '0') : capacity;
}

function withDevices(slice: JsonObject, convert: (device: JsonObject) => JsonObject): JsonObject {
  const spec = objectAt(slice, 'spec');
  const { devices } = spec;
  if (!Array.isArray(devices)) return slice;
  return { ...slice, spec: { ...spec, devices: devices.map((one) => (isJsonObject(one) ? convert(one) : one)) } };
}

type ConvertCapacity = (capacity: JsonValue) => JsonValue;

function unwrapped({ basic, ...device }: JsonObject, convert: ConvertCapacity): JsonObject {
  return isJsonObject(basic) ? { ...device, ...withCapacity(basic, convert) } : device;
}

function wrapped({ name, ...properties }: JsonObject, convert: ConvertCapacity): JsonObject {
  return { ...(name === undefined ? {} : { name }), basic: withCapacity(properties, convert) };
}

function withCapacity(properties: JsonObject, convert: ConvertCapacity): JsonObject {
  const { capacity } = properties;
  if (!isJsonObject(capacity)) return properties;
  const entries = Object.entries(capacity).map(([name, value]) => [name, convert(value)] as const);
  return { ...properties, capacity: Object.fromEntries(entries) };
}
