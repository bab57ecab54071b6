import { prettyJson } from '../../codec/pretty-json.ts';
import type { JsonValue } from '../../meta/json-value.ts';
import { encodeYaml } from '../../codec/encode-yaml.ts';
import type { ResourceReference } from '../../client/resource-path.ts';

/** `-o json`. */
export function printJson(value: JsonValue): string {
  return `${prettyJson(value)}\n`;
}

/** `-o yaml`. `separated` adds a document separator in front. */
export function printYaml(value: JsonValue, separated = false): string {
  const text = encodeYaml(value);
  return `${separated ? '---\n' : ''}${text.endsWith('\n') ? text : `${text}\n`}`;
}

/** The name of an object as other commands accept it: `pod/a`, `deployment.apps/b`. */
export function objectName(resource: ResourceReference & { readonly singular: string }, name: string): string {
  const word = resource.singular || resource.resource;
  return `${resource.group ? `${word}.${resource.group}` : word}/${name}`;
}
