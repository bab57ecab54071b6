import { badRequest } from '../status/status-error.ts';

/** One condition of a field selector. */
export interface FieldRequirement {
  readonly field: string;
  readonly operator: '=' | '!=';
  readonly value: string;
}

/** A field selector that has been read. */
export interface FieldSelector {
  readonly requirements: readonly FieldRequirement[];
  /** The one name that an object must have, where the selector demands one. */
  readonly name: string | undefined;
  /** Whether an object with these fields matches; a field that is absent counts as ''. */
  matches(fields: Readonly<Record<string, string>>): boolean;
}

/** Fields that every object has, by the names in a selector; those of cluster scope have an empty namespace. */
export const commonFields: ReadonlyMap<string, string> = new Map([
  ['metadata.name', 'metadata.name'],
  ['metadata.namespace', 'metadata.namespace'],
]);

/** The longest selector that is read. */
const textLimit = 64 * 1024;

/** Terms stand between commas; a backslash takes away the meaning of what follows. */
const termPattern = /(?:[^,\\]|\\[\s\S]|\\$)+/g;

/** Field, the first operator, value. */
const partsPattern = /^([\s\S]*?)(==|!=|=)([\s\S]*)$/;

function unescapeValue(value: string): string {
  const unescaped = value.replaceAll(/\\([\s\S]?)|[,=]/g, (found, escaped: string | undefined) => {
    if (escaped === undefined)
      throw badRequest(`invalid field selector: unescaped character in value: ${found.charCodeAt(0)}`);
    if (!['\\', ',', '='].includes(escaped)) {
      throw badRequest(`invalid field selector: invalid escape sequence: ${found}`);
    }
    return escaped;
  });
  return unescaped;
}

function parseTerm(selector: string, term: string): FieldRequirement {
  const [, field, operator, value] = partsPattern.exec(term) ?? [];
  if (field === undefined || value === undefined) {
    throw badRequest(`invalid selector: '${selector}'; can't understand '${term}'`);
  }
  return { field, operator: operator === '!=' ? '!=' : '=', value: unescapeValue(value) };
}

/** A term without field and value demands nothing, whatever its operator. */
function asksForSomething({ field, value }: FieldRequirement): boolean {
  return field !== '' || value !== '';
}

function fieldOf(fields: Readonly<Record<string, string>>, field: string): string {
  return Object.hasOwn(fields, field) ? (fields[field] ?? '') : '';
}

/**
 * Reads a field selector (`metadata.name=a,spec.x!=b`), in time linear in its length. An empty selector matches
 * everything. Throws the 400 that the client is to see; whether a resource has the fields is for the caller to check.
 */
export function parseFieldSelector(text: string): FieldSelector {
  if (Buffer.byteLength(text) > textLimit) {
    throw badRequest(`invalid selector: a field selector must have at most ${textLimit} bytes`);
  }
  // In the order of their texts, which decides on the one that is reported.
  const terms = (text.match(termPattern) ?? []).toSorted();
  const requirements = terms.map((term) => parseTerm(text, term)).filter(asksForSomething);
  return {
    requirements,
    name: requirements.find(({ field, operator }) => field === 'metadata.name' && operator === '=')?.value,
    matches: (fields) =>
      requirements.every(({ field, operator, value }) => (fieldOf(fields, field) === value) === (operator === '=')),
  };
}

/** Writes requirements in the grammar of field selectors. */
export function formatFieldSelector(requirements: readonly FieldRequirement[]): string {
  return requirements
    .map(({ field, operator, value }) => `${field}${operator}${value.replaceAll(/[\\,=]/g, '\\$&')}`)
    .join(',');
}
