import { encodeYaml } from '../../codec/encode-yaml.ts';
import type { JsonValue } from '../../meta/json-value.ts';

/** `-o yaml`. `separated` adds a document separator in front. */
export function printYaml(value: JsonValue, separated = false): string {
  const text = encodeYaml(value);
  return `${separated ? '---\n' : ''}${text.endsWith('\n') ? text : `${text}\n`}`;
}
