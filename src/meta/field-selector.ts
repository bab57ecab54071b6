import { badRequest } from '../status/status-error.ts';

/** One condition of a field selector. */
export interface FieldRequirement {
  readonly field: string;
  readonly operator: '=' | '!=';
  readonly value: string;
}

/** A parsed field selector. */
export interface FieldSelector {
  readonly requirements: readonly FieldRequirement[];
  /** The object name that the selector requires, if any. */
  readonly name: string | undefined;
  /** Reports whether an object with these fields matches. An absent field counts as ''. */
  matches(fields: Readonly<Record<string, string>>): boolean;
}

/**
 * The selectable fields of every object, mapped to the names in the object's fields.
 * Cluster-scoped objects have an empty namespace.
 */
export const commonFields: ReadonlyMap<string, string> = new Map([
  ['metadata.name', 'metadata.name'],
  ['metadata.namespace', 'metadata.namespace'],
]);

/** Limit of a selector in bytes. */
const textLimit = 64 * 1024;

/** A term between commas; a backslash escapes the next character. */
const termPattern = /(?:[^,\\]|\\[\s\S]|\\$)+/g;

/** Field, first operator, value. */
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

/** Reports whether a term has a field or a value; without both it is ignored. */
function asksForSomething({ field, value }: FieldRequirement): boolean {
  return field !== '' || value !== '';
}

function fieldOf(fields: Readonly<Record<string, string>>, field: string): string {
  return Object.hasOwn(fields, field) ? (fields[field] ?? '') : '';
}

/**
 * Parses a field selector (`metadata.name=a,spec.x!=b`), in time linear in its length. An empty
 * selector matches everything. Throws 400 for a malformed one. The caller checks that the resource
 * has the fields.
 */
export function parseFieldSelector(text: string): FieldSelector {
  if (Buffer.byteLength(text) > textLimit) {
    throw badRequest(`invalid selector: a field selector must have at most ${textLimit} bytes`);
  }
  // Sorted, because kube-apiserver reports the first wrong term in this order.
  const terms = (text.match(termPattern) ?? []).toSorted();
  const requirements = terms.map((term) => parseTerm(text, term)).filter(asksForSomething);
  return {
    requirements,
    name: requirements.find(({ field, operator }) => field === 'metadata.name' && operator === '=')?.value,
    matches: (fields) =>
      requirements.every(({ field, operator, value }) => (fieldOf(fields, field) === value) === (operator === '=')),
  };
}
