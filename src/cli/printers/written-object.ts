import type { GenericObject } from '../../client/api-object.ts';
import type { DiscoveredResource } from '../../client/discovery.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { printJson, printYaml, objectName } from './json.ts';

/** The formats of an object that was written. */
type WrittenOutput = 'json' | 'yaml' | 'name';

interface WrittenObject {
  readonly resource: DiscoveredResource;
  /** The output; the name and `done` if absent. */
  readonly output: WrittenOutput | undefined;
  /** For example `created`. */
  readonly done: string;
}

/** Formats an object that the server has written. */
export function printObject(object: GenericObject, { resource, output, done }: WrittenObject): string {
  // The codec of the client returns JSON values.
  const value = object as JsonObject;
  const name = objectName(resource, object.metadata?.name ?? '');
  const printers = {
    json: () => printJson(value),
    yaml: () => printYaml(value, true),
    name: () => `${name}\n`,
    done: () => `${name} ${done}\n`,
  };
  return printers[output ?? 'done']();
}
