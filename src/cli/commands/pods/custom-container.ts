import type * as corev1 from '../../../gen/types/core-v1.ts';
import { isJsonObject, type JsonObject, type JsonValue, setOwn } from '../../../meta/json-value.ts';
import { sameValue } from '../../../meta/read-field.ts';
import { CliError } from '../../cli-error.ts';
import type { CliIo } from '../../cli-io.ts';
import { readManifestFiles } from '../../manifests/manifest-files.ts';

/** Fields that other flags set, or that such a container cannot have. */
const fixed = ['name', 'command', 'image', 'lifecycle', 'volumeDevices'];

/** Reads the file of `--custom`: fields of a container, as JSON or YAML. */
export async function readCustomContainer(file: string, io: CliIo): Promise<JsonObject> {
  const [found] = await readManifestFiles({ filename: [file] }, io);
  const { decodeYaml } = await import('../../../codec/decode-yaml.ts');
  let value: JsonValue;
  try {
    ({ value } = decodeYaml(found?.bytes ?? Buffer.alloc(0)));
  } catch (cause) {
    throw new CliError(`${file} is neither JSON nor YAML: ${cause instanceof Error ? cause.message : ''}`, { cause });
  }
  if (!isJsonObject(value)) throw new CliError(`${file}: the fields of a container were expected`);
  const wrong = fixed.find((field) => Object.hasOwn(value, field));
  if (wrong === undefined) return value;
  throw new CliError(`${file}: ${fixed.join(', ')} cannot be set by --custom`, { hint: `leave out "${wrong}"` });
}

/** The field by which the items of a list are the same. */
const itemKeys: Readonly<Record<string, string>> = {
  env: 'name',
  ports: 'containerPort',
  resizePolicy: 'resourceName',
  volumeMounts: 'mountPath',
};

/** A container with the fields of a file, which win; items of lists are merged by their keys. */
export function withCustomFields(container: corev1.Container, fields: JsonObject): corev1.Container {
  // A container consists of JSON values, and the server checks the result.
  const before: object = container;
  const after: object = merged(before as JsonObject, fields);
  return after as corev1.Container;
}

function merged(object: JsonObject, fields: JsonObject): JsonObject {
  const result = { ...object };
  for (const [name, value] of Object.entries(fields)) {
    const before = Object.hasOwn(result, name) ? result[name] : undefined;
    if (value === null) delete result[name];
    else setOwn(result, name, mergedValue(before, value, itemKeys[name]));
  }
  return result;
}

function mergedValue(before: JsonValue | undefined, value: JsonValue, key: string | undefined): JsonValue {
  if (isJsonObject(before) && isJsonObject(value)) return merged(before, value);
  if (key === undefined || !Array.isArray(before) || !Array.isArray(value)) return value;
  const items = [...before];
  for (const item of value) {
    const at = items.findIndex((each) => isJsonObject(each) && isJsonObject(item) && sameValue(each[key], item[key]));
    const same = items[at];
    if (isJsonObject(same) && isJsonObject(item)) items[at] = merged(same, item);
    else items.push(item);
  }
  return items;
}
