import type { JsonValue } from '../meta/json-value.ts';
import { decodeJson } from './decode-json.ts';
import { writeYaml } from './write-yaml.ts';
import { yamlLibrary } from './yaml-library.ts';

/**
 * Encodes a value as one YAML document that means the same in YAML 1.1 and 1.2. Strings such as
 * `yes`, `1e3` and `2020-01-01` are quoted. Ends with a newline.
 */
export function encodeYaml(value: JsonValue): string {
  return writeYaml(value, yamlLibrary());
}

/** Encodes JSON that this server has written as YAML. */
export function yamlOfJson(json: Buffer): Buffer {
  return Buffer.from(encodeYaml(decodeJson(json, { duplicates: false }).value));
}
