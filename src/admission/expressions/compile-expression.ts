import type { Declarations } from '../../cel/check/check.ts';
import { type Environment, storedEnvironment } from '../../cel/functions/environment.ts';
import { compileProgram, type Program } from '../../cel/program.ts';
import { type CelType, formatType, type ObjectType, types } from '../../cel/types/cel-type.ts';
import { ExpressionError } from '../../cel/values/expression.ts';
import { authorizationTypes } from '../../identifiers/expression-types.ts';
import { namespaceType, requestType } from './request-type.ts';
import { once } from '../../meta/memoize.ts';

/** An expression of a policy or webhook: compiled, or with its compilation error. */
export type CompiledExpression =
  | { readonly text: string; readonly program: ReadyProgram; readonly error?: undefined }
  | { readonly text: string; readonly program?: undefined; readonly error: string };

/** The parts of a program that evaluation needs. The syntax tree is dropped to save memory. */
interface ReadyProgram extends Pick<Program, 'run' | 'type'> {
  readonly readsAuthorizer: boolean;
}

/**
 * Chooses the environment of an expression by its text: new expressions may use fewer functions.
 */
export type EnvironmentOf = (text: string, options: { readonly hasPatches: boolean }) => Environment;

/** Chooses the environment of stored expressions, for all texts. */
export const environmentOfStored: EnvironmentOf = (_, options) => storedEnvironment(options);

/** The variables that an expression may read, besides those that every expression may read. */
export interface ExpressionScope {
  readonly environmentOf: EnvironmentOf;
  /** The type of `variables`; absent: there is no such variable. */
  readonly variables?: ObjectType;
  readonly hasParams: boolean;
  readonly hasAuthorizer: boolean;
  /** True if the expression may make objects and patches. */
  readonly makesPatches?: true;
  /** The types of `object` (also of `oldObject`) and `params`, where they are known. */
  readonly known?: { readonly object?: CelType | undefined; readonly params?: CelType | undefined };
}

/** The accepted result types of an expression, with their names in messages. */
type ResultTypes = readonly (readonly [name: string, accepts: (type: CelType) => boolean])[];

/** The accepted result types by the use of an expression. */
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
    // A stack overflow: the types of thousands of variables may build on each other.
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
 * The declarations of a scope. The order of the variables is that in which `Activation` passes
 * values; optional variables come last.
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
 * The types of the messages that mutations make: `JSONPatch`, `Object`, and the types of its fields
 * such as `Object.spec.template`. Their fields may have any names and values.
 */
function messageType(name: string): ObjectType | undefined {
  if (name === 'JSONPatch') return jsonPatchType();
  if (name !== 'Object' && !name.startsWith('Object.')) return undefined;
  return { kind: 'object', name, fields: new Map(), otherFields: types.dyn };
}
