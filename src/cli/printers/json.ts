import { prettyJson } from '../../codec/pretty-json.ts';
import type { JsonValue } from '../../meta/json-value.ts';

/** `-o json`. */
export function printJson(value: JsonValue): string {
  return `${prettyJson(value)}\n`;
}
