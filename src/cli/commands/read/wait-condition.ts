import type { JsonObject } from '../../../meta/json-value.ts';
import { numberAt, objectAt, objectsAt, stringAt } from '../../../meta/read-field.ts';
import { CliError } from '../../cli-error.ts';
import { goText } from '../../../meta/go-value.ts';
import { followPath } from '../../printers/json-path.ts';
import { parsePath } from '../../printers/parse-json-path.ts';

/** A state that an object is awaited to have; undefined is an object that does not exist. */
export interface AwaitedState {
  readonly isReached: (object: JsonObject | undefined) => boolean;
  /** `delete` and `create` are about objects that need not exist. */
  readonly kind: 'delete' | 'create' | 'state';
}

/** Parses `--for`. Throws CliError. */
export function parseAwaited(text = ''): AwaitedState {
  const [word = '', ...rest] = text.split('=');
  const value = rest.join('=');
  const name = word.toLowerCase();
  if (name === 'delete' && rest.length === 0) return { kind: 'delete', isReached: (object) => object === undefined };
  if (name === 'create' && rest.length === 0) return { kind: 'create', isReached: (object) => object !== undefined };
  if (name === 'condition' && value !== '') return { kind: 'state', isReached: conditionTest(value) };
  if (name === 'jsonpath' && value !== '') return { kind: 'state', isReached: pathTest(value) };
  throw new CliError(text ? `unrecognized condition: "${text}"` : 'what to wait for is missing', {
    hint: '--for is delete, create, condition=Ready, condition=Ready=False, or jsonpath={.status.phase}=Running',
  });
}

function conditionTest(text: string): AwaitedState['isReached'] {
  const [type = '', ...rest] = text.toLowerCase().split('=');
  const wanted = rest.length > 0 ? rest.join('=') : 'true';
  return (object) => {
    if (object === undefined) return false;
    const condition = objectsAt(objectAt(object, 'status'), 'conditions').find(
      (each) => stringAt(each, 'type').toLowerCase() === type,
    );
    if (!condition || stringAt(condition, 'status').toLowerCase() !== wanted) return false;
    // A condition of an earlier generation says nothing about this one.
    const observed =
      numberAt(condition, 'observedGeneration') ?? numberAt(objectAt(object, 'status'), 'observedGeneration');
    const generation = numberAt(objectAt(object, 'metadata'), 'generation');
    return observed === undefined || generation === undefined || observed >= generation;
  };
}

function pathTest(text: string): AwaitedState['isReached'] {
  const { path, wanted } = splitPath(text);
  const steps = parsePath(path);
  return (object) => {
    if (object === undefined) return false;
    const values = followPath(steps, object, { allowMissing: true });
    if (values.length > 1) throw new CliError('given jsonpath expression matches more than one value');
    const [value] = values;
    if (value === undefined) return false;
    if (wanted === undefined) return true;
    if (typeof value === 'object' && value !== null) {
      throw new CliError('jsonpath leads to a nested object or list which is not supported');
    }
    return goText(value).trim() === wanted;
  };
}

/** Splits `{.a}=b` after the brace, or `.a=b` at the first sign that is in no brackets. */
function splitPath(text: string): { readonly path: string; readonly wanted: string | undefined } {
  const found = /^(\{.*\}|[^={[]*(?:\[[^\]]*\][^=[]*)*)(?:==?(.*))?$/s.exec(text);
  if (!found?.[1])
    throw new CliError(`"${text}" is no jsonpath`, { hint: 'for example: jsonpath={.status.phase}=Running' });
  const wanted = found[2]?.trim().replace(/^(["'])(.*)\1$/s, '$2');
  if (wanted === '') throw new CliError('jsonpath wait condition must have a value after =');
  return { path: found[1], wanted };
}
