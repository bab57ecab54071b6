import { text as readText } from 'node:stream/consumers';
import type { Invocation } from '../../../command.ts';
import type { JsonObject } from '../../../../meta/json-value.ts';
import { nameOf } from '../../../../meta/object-meta.ts';
import { isSet, objectAt, objectsAt, stringAt } from '../../../../meta/read-field.ts';
import { validateVariableName } from '../../../../meta/validate-name.ts';
import { CliError } from '../../../cli-error.ts';
import { withClient } from '../../../connect.ts';
import { findType, type Session } from '../../../find-type.ts';
import { forEachObject } from '../../../for-each-object.ts';
import { changeObjects } from '../../../objects/change-objects.ts';
import { readKeyChanges } from '../../../objects/key-changes.ts';
import { containersOf, nameMatcher } from '../../../objects/pod-template-of.ts';
import { type SelectedObject, selectObjects } from '../../../objects/select-objects.ts';
import type { setEnvFlags } from './flags.ts';
import { visibleText } from '../../../format-rows.ts';

type EnvOptions = Invocation<typeof setEnvFlags>['options'];

interface EnvChanges {
  readonly set: readonly JsonObject[];
  readonly remove: readonly string[];
}

/** `cl set env TYPE/NAME NAME=VALUE NAME-`: sets, removes or shows variables of containers. */
export async function setEnv({ words, options, io }: Invocation<typeof setEnvFlags>): Promise<void> {
  const fromInput = words.includes('-')
    ? (await readText(io.stdin)).split('\n').filter((line) => line.includes('='))
    : [];
  const named = words.filter((word) => word !== '-');
  const read = readKeyChanges(named);
  const more = readKeyChanges([...options.env, ...fromInput]);
  const selection = { ...options, words: read.words };
  const literal = [...read.set, ...more.set].map(([name, value]) => ({ name, value }));
  for (const { name } of literal) requireVariableName(name);
  const remove = [...read.remove, ...more.remove];
  const from = options.from === undefined ? [] : await readSource({ options, io }, options);
  const changes = { set: [...literal, ...from], remove };
  if (options.list) {
    await withClient({ options, io }, (client) => listEnv({ client, options, io }, { selection, changes, options }));
    return;
  }
  if (changes.set.length + changes.remove.length === 0) {
    throw new CliError('at least one environment variable must be provided', {
      hint: 'NAME=VALUE sets, NAME- removes',
    });
  }
  const change = (object: JsonObject): void => {
    if (changeEnv(object, changes, options) > 0) return;
    const name = `${stringAt(object, 'kind')}/${visibleText(nameOf(object))}`;
    io.stderr.write(`Warning: ${name} does not have any containers matching "${options.containers}"\n`);
  };
  await changeObjects({ options, io }, { selection, options, change, done: 'env updated' });
}

/** Refuses a name before the server does, because later releases accept more names. */
function requireVariableName(name: string): void {
  const messages = validateVariableName(name);
  if (messages.length > 0) throw new CliError(`${JSON.stringify(name)} is not a valid key name: ${messages.join(';')}`);
}

/** Returns the number of containers that it found. */
function changeEnv(object: JsonObject, { set, remove }: EnvChanges, { containers, overwrite }: EnvOptions): number {
  const matches = nameMatcher(containers);
  const found = containersOf(object).filter((each) => matches(stringAt(each, 'name')));
  for (const container of found) {
    const before = [...objectsAt(container, 'env')];
    const known = new Set(before.map(({ name }) => name));
    const taken = set.find(({ name }) => known.has(name ?? null));
    if (taken && !overwrite)
      throw new CliError(`'${stringAt(taken, 'name')}' already has a value, and --overwrite is false`);
    const changed = before.map((each) => set.findLast(({ name }) => name === each.name) ?? each);
    const env = [...changed, ...set.filter(({ name }) => !known.has(name ?? null))].filter(
      ({ name }) => !remove.includes(stringAt({ name: name ?? '' }, 'name')),
    );
    if (env.length > 0 || before.length > 0) container.env = env;
  }
  return found.length;
}

/** Variables that refer to the keys of a ConfigMap or Secret. */
async function readSource(caller: Pick<Invocation, 'options' | 'io'>, options: EnvOptions): Promise<JsonObject[]> {
  const [type = '', name = ''] = (options.from ?? '').split('/');
  return withClient(caller, async (client) => {
    const session = { client, ...caller };
    const resource = await findType(session, type);
    const field = { ConfigMap: 'configMapKeyRef', Secret: 'secretKeyRef' }[resource.kind];
    if (!field || !name) throw new CliError('--from must be configmap/NAME or secret/NAME');
    // The codec of the client returns JSON values.
    const object = (await client.resource(resource).get(name, { signal: caller.io.signal })) as JsonObject;
    const keys = Object.keys(objectAt(object, 'data')).filter(
      (key) => options.keys.length === 0 || options.keys.includes(key),
    );
    return keys.toSorted().map((key) => {
      const variable = key.replaceAll(/[^A-Za-z0-9_]/g, '_').toUpperCase();
      if (variable !== key) caller.io.stderr.write(`Warning: key ${visibleText(key)} transferred to ${variable}\n`);
      return { name: options.prefix + variable, valueFrom: { [field]: { key, name } } };
    });
  });
}

interface ListedEnv {
  readonly selection: Parameters<typeof selectObjects>[1];
  readonly changes: EnvChanges;
  readonly options: EnvOptions;
}

/** Shows the variables as they would be after the changes. */
async function listEnv(session: Session, { selection, changes, options }: ListedEnv): Promise<void> {
  const matches = nameMatcher(options.containers);
  const show = async (selected: SelectedObject): Promise<string> => {
    const object = await selected.load();
    changeEnv(object, changes, options);
    const containers = containersOf(object).filter((each) => matches(stringAt(each, 'name')));
    const texts = containers.map(async (container) => {
      const heading = `# ${stringAt(object, 'kind')} ${nameOf(object)}, container ${stringAt(container, 'name')}\n`;
      const lines = await Promise.all(
        objectsAt(container, 'env').map((variable) => lineOf(session, selected, variable, options.resolve)),
      );
      return printableLines(heading + lines.join(''));
    });
    return (await Promise.all(texts)).join('');
  };
  await forEachObject(await selectObjects(session, selection), show, { io: session.io, done: 'shown' });
}

function printableLines(text: string): string {
  return text.split('\n').map(visibleText).join('\n');
}

async function lineOf(
  session: Session,
  { namespace }: SelectedObject,
  variable: JsonObject,
  resolve: boolean,
): Promise<string> {
  const name = stringAt(variable, 'name');
  if (!isSet(variable, 'valueFrom')) return `${name}=${stringAt(variable, 'value')}\n`;
  const from = objectAt(variable, 'valueFrom');
  const [kind, type] = isSet(from, 'configMapKeyRef') ? ['configMapKeyRef', 'configmap'] : ['secretKeyRef', 'secret'];
  if (!isSet(from, kind)) {
    const field = objectAt(from, 'fieldRef');
    return `# ${name} from ${isSet(from, 'fieldRef') ? `field path ${stringAt(field, 'fieldPath')}` : 'a resource'}\n`;
  }
  const ref = objectAt(from, kind);
  if (!resolve) return `# ${name} from ${type} ${stringAt(ref, 'name')}, key ${stringAt(ref, 'key')}\n`;
  const resource = await findType(session, type);
  const place = { signal: session.io.signal, ...(namespace === undefined ? {} : { namespace }) };
  // The codec of the client returns JSON values.
  const object = (await session.client.resource(resource).get(stringAt(ref, 'name'), place)) as JsonObject;
  const value = stringAt(objectAt(object, 'data'), stringAt(ref, 'key'));
  return `${name}=${type === 'secret' ? Buffer.from(value, 'base64').toString() : value}\n`;
}
