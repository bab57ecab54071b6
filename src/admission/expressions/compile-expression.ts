import type { Declarations } from '../../cel/check/check.ts';
import { type Environment, storedEnvironment } from '../../cel/functions/environment.ts';
import { compileProgram, type Program } from '../../cel/program.ts';
import { type CelType, formatType, type ObjectType, types } from '../../cel/types/cel-type.ts';
import { ExpressionError } from '../../cel/values/expression.ts';
import { authorizationTypes } from '../../identifiers/expression-types.ts';
import { namespaceType, requestType } from './request-type.ts';
import { once } from '../../meta/memoize.ts';

/** An expression of a policy or webhook, or the reason for which it does not compile. */
export type CompiledExpression =
  | { readonly text: string; readonly program: ReadyProgram; readonly error?: undefined }
  | { readonly text: string; readonly program?: undefined; readonly error: string };

/** The parts of a program that evaluations need. Its syntax tree takes more memory. */
interface ReadyProgram extends Pick<Program, 'run' | 'type'> {
  readonly readsAuthorizer: boolean;
}

/** Chooses the functions that an expression may use by its text. */
export type EnvironmentOf = (text: string, options: { readonly hasPatches: boolean }) => Environment;

/** The environment of expressions that are not new. */
export const environmentOfStored: EnvironmentOf = (_, options) => storedEnvironment(options);

/** The variables that an expression may read besides those that all may read. */
export interface ExpressionScope {
  readonly environmentOf: EnvironmentOf;
  /** The type of `variables`; absent: there is no such variable. */
  readonly variables?: ObjectType;
  readonly hasParams: boolean;
  readonly hasAuthorizer: boolean;
  /** True if it makes objects and patches. */
  readonly makesPatches?: true;
  /** The types of `object`, `oldObject` and `params` if they are known. */
  readonly known?: { readonly object?: CelType | undefined; readonly params?: CelType | undefined };
}

/** The types of which the value of an expression must be one, as messages name them. */
type ResultTypes = readonly (readonly [name: string, accepts: (type: CelType) => boolean])[];

/** Results of expressions. */
export const results = {
  condition: [['bool', ({ kind }) => kind === 'bool']],
  text: [['string', ({ kind }) => kind === 'string']],
  optionalText: [
    ['string', ({ kind }) => kind === 'string'],
    ['null_type', ({ kind }) => kind === 'null'],
  ],
  object: [['Object', isObject]],
  patch: [
    [
      'list(JSONPatch)',
      (type) => type.kind === 'list' && type.element.kind === 'object' && type.element.name === 'JSONPatch',
    ],
  ],
  anything: [['any', () => true]],
} satisfies Readonly<Record<string, ResultTypes>>;

function isObject(type: CelType): boolean {
  return type.kind === 'object' && type.name === 'Object';
}

/** Compiles an expression. */
export function compileExpression(text: string, scope: ExpressionScope, wanted: ResultTypes): CompiledExpression {
  try {
    const program = compileProgram(text, declarationsOf(text, scope));
    if (wanted.some(([, accepts]) => accepts(program.type))) return { text, program: ready(program) };
    const names = wanted.map(([name]) => name);
    const must = names.length === 1 ? names[0] : `one of [${names.join(' ')}]`;
    return { text, error: `must evaluate to ${must} but got ${shownType(program.type)}` };
  } catch (error) {
    if (error instanceof ExpressionError) return { text, error: error.message };
    // The stack cannot grow any more: the types of thousands of variables may build on each other.
    if (error instanceof RangeError) return { text, error: 'compilation failed: the types are nested too deeply' };
    throw error;
  }
}

function ready({ run, type, reads }: Program): ReadyProgram {
  return { run, type, readsAuthorizer: reads.has('authorizer') };
}

function shownType(type: CelType): string {
  return type.kind === 'null' ? 'null_type' : formatType(type);
}

function opaque(name: string): CelType {
  return { kind: 'opaque', name: `${authorizationTypes}${name}` };
}

/**
 * The declarations of a scope. Their variables are in the order of `inputsOf`: those that a scope
 * lacks are the last ones.
 */
function declarationsOf(text: string, scope: ExpressionScope): Declarations {
  const { environmentOf, variables, hasParams, hasAuthorizer, makesPatches, known } = scope;
  const object = known?.object ?? types.dyn;
  const declared = new Map<string, CelType>([
    ['object', object],
    ['oldObject', object],
    ['namespaceObject', namespaceType],
    ['request', requestType],
  ]);
  if (variables) declared.set('variables', variables);
  if (hasParams) declared.set('params', known?.params ?? types.dyn);
  if (hasAuthorizer) {
    declared.set('authorizer', opaque('Authorizer'));
    declared.set('authorizer.requestResource', opaque('ResourceCheck'));
  }
  return {
    environment: environmentOf(text, { hasPatches: makesPatches === true }),
    variables: declared,
    ...(makesPatches ? { messages: messageType } : {}),
  };
}

const jsonPatchType = once((): ObjectType => {
  const fields = [
    ['op', types.string],
    ['from', types.string],
    ['path', types.string],
    ['value', types.dyn],
  ] satisfies readonly (readonly [name: string, type: CelType])[];
  return { kind: 'object', name: 'JSONPatch', fields: new Map(fields.map(([name, type]) => [name, { name, type }])) };
});

/**
 * The messages that mutations make: `JSONPatch`, and `Object` with the types of its fields, such as
 * `Object.spec.template`, whose fields may have any names and values.
 */
function messageType(name: string): ObjectType | undefined {
  if (name === 'JSONPatch') return jsonPatchType();
  if (name !== 'Object' && !name.startsWith('Object.')) return undefined;
  return { kind: 'object', name, fields: new Map(), otherFields: types.dyn };
}
