import type { Invocation } from '../../../command.ts';
import { type JsonObject, setOwn } from '../../../../meta/json-value.ts';
import { resourceVersionOf } from '../../../../meta/object-meta.ts';
import { makeObjectAt, objectAt, objectsAt, sameValue, stringAt } from '../../../../meta/read-field.ts';
import { CliError } from '../../../cli-error.ts';
import { changeObjects } from '../../../objects/change-objects.ts';
import { containersOf, nameMatcher, podTemplateOf } from '../../../objects/pod-template-of.ts';
import { readPairs } from '../../../objects/read-pairs.ts';
import type { setPlainFlags, setResourcesFlags, setSelectorFlags, setSubjectFlags } from './flags.ts';

/** `cl set image TYPE/NAME CONTAINER=IMAGE...`. */
export async function setImage({ words, options, io }: Invocation<typeof setPlainFlags>): Promise<void> {
  const images = words.filter((word) => word.includes('='));
  if (images.length === 0) throw new CliError('at least one image update is required', { hint: 'CONTAINER=IMAGE' });
  const changes = readPairs(images);
  const change = (object: JsonObject): void => {
    const containers = containersOf(object);
    for (const [name, image] of changes) {
      const named = containers.filter((container) => name === '*' || container.name === name);
      if (named.length === 0)
        throw new CliError(`unable to find container named "${name}"`, { hint: namesHint(containers) });
      for (const container of named) container.image = image;
    }
  };
  const selection = { ...options, words: words.filter((word) => !word.includes('=')) };
  await changeObjects({ options, io }, { selection, options, change, done: 'image updated' });
}

function namesHint(containers: readonly JsonObject[]): string {
  return `the containers are ${containers.map((container) => stringAt(container, 'name')).join(', ')}`;
}

/** `cl set serviceaccount TYPE/NAME ACCOUNT`. */
export async function setServiceAccount({ words, options, io }: Invocation<typeof setPlainFlags>): Promise<void> {
  const account = words.at(-1);
  if (account === undefined) throw new CliError('serviceaccount is required');
  const change = (object: JsonObject): void => {
    const spec = objectAt(podTemplateOf(object), 'spec');
    spec.serviceAccountName = account;
    // The field of the same meaning that came before it.
    if (Object.hasOwn(spec, 'serviceAccount')) spec.serviceAccount = account;
  };
  const selection = { ...options, words: words.slice(0, -1) };
  await changeObjects({ options, io }, { selection, options, change, done: 'serviceaccount updated' });
}

/** `cl set resources TYPE/NAME --limits --requests`. */
export async function setResources({ words, options, io }: Invocation<typeof setResourcesFlags>): Promise<void> {
  if (!options.limits && !options.requests) {
    throw new CliError('you must specify an update to requests or limits', { hint: '--limits=cpu=1,memory=1Gi' });
  }
  const matches = nameMatcher(options.containers);
  const change = (object: JsonObject): void => {
    const named = containersOf(object).filter((container) => matches(stringAt(container, 'name')));
    if (named.length === 0) throw new CliError(`no container is named ${options.containers}`);
    for (const container of named) {
      const resources = makeObjectAt(container, 'resources');
      for (const field of ['limits', 'requests'] as const) {
        for (const [name, amount] of readPairs(options[field].split(',').filter(Boolean))) {
          setOwn(makeObjectAt(resources, field), name, amount);
        }
      }
    }
  };
  const selection = { ...options, words };
  await changeObjects({ options, io }, { selection, options, change, done: 'resource requirements updated' });
}

/** `cl set selector TYPE NAME EXPRESSION`: of a Service. */
export async function setSelector({ words, options, io }: Invocation<typeof setSelectorFlags>): Promise<void> {
  const expression = words.at(-1);
  if (expression === undefined || !expression.includes('='))
    throw new CliError('one selector is required', { hint: 'KEY=VALUE,...' });
  const pairs = readPairs(expression.split(','));
  const change = (object: JsonObject): void => {
    if (object.kind !== 'Service') throw new CliError(`setting a selector is only supported for Services`);
    const found = resourceVersionOf(object);
    if (options.resourceVersion !== undefined && options.resourceVersion !== found) {
      throw new CliError(`the object is at version ${found}, not ${options.resourceVersion}`);
    }
    objectAt(object, 'spec').selector = Object.fromEntries(pairs);
  };
  const selection = { ...options, words: words.slice(0, -1) };
  await changeObjects({ options, io }, { selection, options, change, done: 'selector updated' });
}

/** `cl set subject TYPE/NAME --user --group --serviceaccount`: adds subjects to a binding. */
export async function setSubject({ words, options, io }: Invocation<typeof setSubjectFlags>): Promise<void> {
  const { users, group, serviceaccount } = options;
  if (users.length + group.length + serviceaccount.length === 0) {
    throw new CliError('you must specify at least one value of user, group or serviceaccount');
  }
  const change = (object: JsonObject): void => {
    const apiGroup = stringAt(objectAt(object, 'roleRef'), 'apiGroup');
    if (!/^(?:Cluster)?RoleBinding$/.test(stringAt(object, 'kind'))) {
      throw new CliError('setting subjects is only supported for RoleBindings and ClusterRoleBindings');
    }
    const added = [
      ...users.map((name) => ({ apiGroup, kind: 'User', name })),
      ...group.map((name) => ({ apiGroup, kind: 'Group', name })),
      ...serviceaccount.map(readAccount),
    ];
    const subjects = [...objectsAt(object, 'subjects')];
    for (const subject of added) if (!subjects.some((each) => sameValue(each, subject))) subjects.push(subject);
    object.subjects = subjects;
  };
  await changeObjects({ options, io }, { selection: { ...options, words }, options, change, done: 'subjects updated' });
}

function readAccount(text: string): JsonObject {
  const [namespace = '', name = '', ...rest] = text.split(':');
  if (!namespace || !name || rest.length > 0) throw new CliError('serviceaccount must be <namespace>:<name>');
  return { kind: 'ServiceAccount', name, namespace };
}
