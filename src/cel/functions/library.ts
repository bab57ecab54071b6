import { authorizationTypes, libraryTypes } from '../../identifiers/expression-types.ts';
import { type CelType, listOf, mapOf, types } from '../types/cel-type.ts';
import type { CelValue } from '../values/cel-value.ts';
import type { WorkMeter } from '../values/work-meter.ts';

/** The body of a function. Its arguments have the types of its signature. */
type Implementation = (...args: never[]) => CelValue;

/**
 * The body of a function whose work or result can be larger than its arguments: it takes that from
 * the meter, which is its first argument.
 */
export class Metered {
  readonly run: (meter: WorkMeter, ...args: never[]) => CelValue;

  constructor(run: Metered['run']) {
    this.run = run;
  }
}

/** A signature such as `startsWith(string, string): bool`, and its implementation. */
type FunctionRow = readonly [signature: string, run: Implementation | Metered];

/** Functions as they are declared. The first parameter of a method is its receiver. */
export interface Library {
  readonly functions?: readonly FunctionRow[];
  readonly methods?: readonly FunctionRow[];
}

/** One signature of a function or method. */
export interface Overload {
  readonly name: string;
  readonly isMethod: boolean;
  readonly parameters: readonly CelType[];
  readonly result: CelType;
  readonly run: (meter: WorkMeter, ...args: readonly CelValue[]) => CelValue;
}

/** All functions, by the key of `functionKey`. */
export type FunctionTable = ReadonlyMap<string, readonly Overload[]>;

/** The key of a function, or of a method, in a table. */
export function functionKey(name: string, isMethod: boolean): string {
  return isMethod ? `.${name}` : name;
}

/** Joins libraries in one table. */
export function makeFunctionTable(libraries: readonly Library[]): FunctionTable {
  const table = new Map<string, Overload[]>();
  for (const { functions = [], methods = [] } of libraries) {
    const overloads = [
      ...functions.map((row) => overloadOf(row, false)),
      ...methods.map((row) => overloadOf(row, true)),
    ];
    for (const overload of overloads) {
      const key = functionKey(overload.name, overload.isMethod);
      table.set(key, [...(table.get(key) ?? []), overload]);
    }
  }
  return table;
}

const signature = /^(?<name>[^(]+)\((?<parameters>.*)\): (?<result>.+)$/;

function overloadOf([text, run]: FunctionRow, isMethod: boolean): Overload {
  const { name, parameters = '', result = 'dyn' } = signature.exec(text)?.groups ?? {};
  if (name === undefined) throw new TypeError(`not a signature: ${text}`);
  const given = splitTypes(parameters).map(typeOf);
  return {
    name,
    isMethod,
    parameters: given,
    result: typeOf(result),
    run: (run instanceof Metered ? run.run : withoutMeter(run, given.length)) as Overload['run'],
  };
}

/** A function that takes nothing from the meter. Few arguments need no list. */
function withoutMeter(run: Implementation, count: number): Overload['run'] {
  const call = run as (...args: readonly CelValue[]) => CelValue;
  if (count === 1) return (_, first = null) => call(first);
  if (count === 2) return (_, first = null, second = null) => call(first, second);
  return (_, ...args) => call(...args);
}

/** Splits at the commas that are not inside brackets. */
function splitTypes(text: string): readonly string[] {
  if (text === '') return [];
  const parts: string[] = [];
  let [depth, start] = [0, 0];
  for (let index = 0; index < text.length; index++) {
    if (text[index] === '<') depth++;
    if (text[index] === '>') depth--;
    if (text[index] !== ',' || depth > 0) continue;
    parts.push(text.slice(start, index).trim());
    start = index + 1;
  }
  return [...parts, text.slice(start).trim()];
}

/** The types of libraries, by their names in signatures. */
const opaqueNames: Readonly<Record<string, string>> = {
  Authorizer: `${authorizationTypes}Authorizer`,
  CIDR: 'net.CIDR',
  Decision: `${authorizationTypes}Decision`,
  Format: `${libraryTypes}NamedFormat`,
  GroupCheck: `${authorizationTypes}GroupCheck`,
  IP: 'net.IP',
  PathCheck: `${authorizationTypes}PathCheck`,
  Quantity: `${libraryTypes}Quantity`,
  ResourceCheck: `${authorizationTypes}ResourceCheck`,
  Semver: `${libraryTypes}Semver`,
  URL: `${libraryTypes}URL`,
};

const composite = /^(list|map|optional|type)<(.*)>$/;

function typeOf(text: string): CelType {
  const found = composite.exec(text);
  if (!found) return namedType(text);
  const [, kind, inner = ''] = found;
  const [first = types.dyn, second = types.dyn] = splitTypes(inner).map(typeOf);
  if (kind === 'list') return listOf(first);
  if (kind === 'map') return mapOf(first, second);
  return kind === 'type' ? { kind: 'type', of: first } : { kind: 'optional', value: first };
}

function namedType(text: string): CelType {
  const name = opaqueNames[text];
  if (name !== undefined) return { kind: 'opaque', name };
  if (/^[A-Z]$/.test(text)) return { kind: 'variable', name: text };
  const found = Object.entries(types).find(([kind]) => kind === text);
  if (!found) throw new TypeError(`not a type: ${text}`);
  return found[1];
}
