import type { JsonObject } from '../../../meta/json-value.ts';
import { numberAt, objectAt, stringAt } from '../../../meta/read-field.ts';
import { CliError } from '../../cli-error.ts';
import type { Invocation } from '../../command.ts';
import type { auditTailFlags } from './flags.ts';

type Options = Invocation<typeof auditTailFlags>['options'];

/** Selects the events that the flags ask for. Throws CliError for a code that is none. */
export function auditFilter(options: Options): (event: JsonObject) => boolean {
  const isStatus = options.statuses.map(statusTest);
  const namespace = options.namespace || undefined;
  const tests: readonly ((event: JsonObject) => boolean)[] = [
    // The other stages tell more about the same request.
    (event) => stringAt(event, 'stage') !== 'RequestReceived',
    (event) => isOneOf(options.users, [nameOf(event, 'user'), nameOf(event, 'impersonatedUser')]),
    (event) => isOneOf(options.verbs, [stringAt(event, 'verb')]),
    (event) => isOneOf(options.resources, typesOf(objectAt(event, 'objectRef'))),
    (event) => namespace === undefined || stringAt(objectAt(event, 'objectRef'), 'namespace') === namespace,
    (event) => isStatus.length === 0 || isStatus.some((test) => test(codeOf(event))),
  ];
  return (event) => tests.every((test) => test(event));
}

/** No wanted ones are all. */
function isOneOf(wanted: readonly string[], found: readonly string[]): boolean {
  return wanted.length === 0 || wanted.some((each) => found.includes(each));
}

function nameOf(event: JsonObject, user: string): string {
  return stringAt(objectAt(event, user), 'username');
}

/** The type with and without its group, both also with the sub-resource. */
function typesOf(reference: JsonObject): string[] {
  const [resource, group, subresource] = ['resource', 'apiGroup', 'subresource'].map((field) =>
    stringAt(reference, field),
  );
  if (!resource) return [];
  const names = [resource, ...(group ? [`${resource}.${group}`] : [])];
  return subresource ? [...names, ...names.map((name) => `${name}/${subresource}`)] : names;
}

/** The code of the response; 0 if there is none yet. */
export function codeOf(event: JsonObject): number {
  return numberAt(objectAt(event, 'responseStatus'), 'code') ?? 0;
}

/** Parses `403`, `4xx` or `400-499`. */
function statusTest(text: string): (code: number) => boolean {
  const [, first = '', last = first] = /^(\d{3})(?:-(\d{3}))?$/.exec(text.replace(/^(\d)xx$/i, '$100-$199')) ?? [];
  if (first === '') {
    throw new CliError(`--status: ${JSON.stringify(text)} is no code of a response`, {
      hint: 'use 403, 4xx or 400-499',
    });
  }
  return (code) => code >= Number(first) && code <= Number(last);
}
