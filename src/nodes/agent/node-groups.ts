import type { Taint } from '../../gen/types/core-v1.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../meta/json-value.ts';
import { normaliseQuantity } from '../../meta/quantity.ts';
import { type DeviceList, deviceListsProblem } from '../devices/device-lists.ts';
import { compileStage, type KnownOutcomes } from '../stages/compile-stage.ts';
import type { Stage } from '../stages/stage.ts';
import { nodeOutcomes } from './node-outcome.ts';
import { podOutcomes } from './pod-behaviour.ts';
import { validateDnsLabel, validateLabelValue, validateQualifiedName } from '../../meta/validate-name.ts';

/** Stand-in nodes that are alike. */
export interface NodeGroup {
  readonly count: number;
  /** The beginning of their names, which end with a number from 1 on; `node` by default. */
  readonly name?: string;
  /** Resources by name, `{ cpu: '8' }`; those that are left out are more than tests ask for. */
  readonly capacity?: Readonly<Record<string, string>>;
  readonly labels?: Readonly<Record<string, string>>;
  readonly taints?: readonly Taint[];
  /** The devices that stand-in drivers publish for pods to claim. */
  readonly devices?: readonly DeviceList[];
  /** The stages of these nodes and their pods, in addition to the stages of the API. */
  readonly stages?: readonly Stage[];
}

/** A number of nodes, a group, or several groups with different names. */
export type NodesOption = number | NodeGroup | readonly NodeGroup[];

/** More nodes have no addresses. */
const countLimit = 50_000;

type MemberCheck = (value: unknown, path: string) => void;

const members: Readonly<Record<keyof NodeGroup, MemberCheck>> = {
  count: checkCount,
  name(value, path) {
    if (typeof value !== 'string' || validateDnsLabel(`${value}-1`).length > 0) refuse(path, 'use a DNS label', value);
  },
  capacity: (value, path) =>
    eachEntry(value, path, (name, text, at) => {
      if (validateQualifiedName(name).length > 0) refuse(at, 'use the name of a resource', name);
      const isQuantity = typeof text === 'string' && normaliseQuantity(text) !== undefined && !text.startsWith('-');
      if (!isQuantity) refuse(at, "use a quantity like '8' or '32Gi'", text);
    }),
  labels: (value, path) =>
    eachEntry(value, path, (name, text, at) => {
      if (validateQualifiedName(name).length > 0) refuse(at, 'use the key of a label', name);
      if (typeof text !== 'string' || validateLabelValue(text).length > 0) refuse(at, 'use the value of a label', text);
    }),
  taints(value, path) {
    if (!Array.isArray(value)) refuse(path, 'use a list of taints', value);
    value.forEach((taint: unknown, index) => checkTaint(taint, `${path}[${index}]`));
  },
  devices(value, path) {
    const problem = deviceListsProblem(value as JsonValue);
    if (problem !== undefined) refuse(path, problem, value);
  },
  stages(value, path) {
    if (!Array.isArray(value)) refuse(path, 'use a list of stages', value);
    const names = new Set<string>();
    value.forEach((stage: unknown, index) => {
      const reading = compileStage(stage, knownOutcomes, `${path}[${index}]`);
      if ('problems' in reading) throw new TypeError(reading.problems.join('; '));
      const { name } = reading.stage;
      if (names.has(name)) refuse(`${path}[${index}].metadata.name`, 'use a name of its own for each stage', name);
      names.add(name);
    });
  },
};

/** The states that stand-in nodes know. */
export const knownOutcomes: KnownOutcomes = Object.freeze({ pods: podOutcomes, nodes: nodeOutcomes });

const taintEffects: readonly unknown[] = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

/**
 * Checks groups of nodes from a caller or a file. Throws TypeError with the path of a member that
 * is unknown or wrong.
 */
export function readNodeGroups(option: unknown, path = 'nodes'): readonly NodeGroup[] {
  if (typeof option === 'number') checkCount(option, path);
  const groups: readonly unknown[] = Array.isArray(option)
    ? option
    : [typeof option === 'number' ? { count: option } : option];
  groups.forEach((group, index) => checkGroup(group, Array.isArray(option) ? `${path}[${index}]` : path));
  // Every member was checked above.
  const checked = (groups as readonly NodeGroup[]).filter(({ count }) => count > 0);
  const names = checked.map(({ name = 'node' }) => name);
  const twice = names.findIndex((name, index) => names.indexOf(name) !== index);
  if (twice >= 0) refuse(`${path}[${twice}].name`, 'use a name of its own for each group', names[twice]);
  const count = checked.reduce((sum, group) => sum + group.count, 0);
  if (count > countLimit) refuse(path, `use at most ${countLimit} nodes`, count);
  return checked;
}

function checkGroup(group: unknown, path: string): void {
  const object = objectOf(group, path, 'use a number, or an object with count');
  for (const name of Object.keys(object)) {
    if (!Object.hasOwn(members, name)) refuse(`${path}.${name}`, `use ${Object.keys(members).join(', ')}`, name);
  }
  if (object['count'] === undefined) refuse(`${path}.count`, 'it is missing', undefined);
  for (const [name, check] of Object.entries(members)) {
    if (object[name] !== undefined) check(object[name], `${path}.${name}`);
  }
}

function checkCount(value: unknown, path: string): void {
  const isCount = Number.isInteger(value) && Number(value) >= 0 && Number(value) <= countLimit;
  if (!isCount) refuse(path, `use a number, 0 to ${countLimit}`, value);
}

function checkTaint(value: unknown, path: string): void {
  const { key, value: text = '', effect, ...others } = objectOf(value, path, 'use { key, value, effect }');
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) refuse(`${path}.${unknown}`, 'use key, value, effect', unknown);
  if (typeof key !== 'string' || validateQualifiedName(key).length > 0)
    refuse(`${path}.key`, 'use a qualified name', key);
  if (typeof text !== 'string' || validateLabelValue(text).length > 0)
    refuse(`${path}.value`, 'use the value of a label', text);
  if (!taintEffects.includes(effect)) refuse(`${path}.effect`, `use ${taintEffects.join(', ')}`, effect);
}

function eachEntry(value: unknown, path: string, check: (name: string, value: unknown, at: string) => void): void {
  for (const [name, each] of Object.entries(objectOf(value, path, 'use an object')))
    check(name, each, `${path}.${name}`);
}

function objectOf(value: unknown, path: string, expected: string): JsonObject {
  // A value of a caller may be anything; its members are checked one by one.
  return isJsonObject(value as JsonValue) ? (value as JsonObject) : refuse(path, expected, value);
}

function refuse(path: string, expected: string, value: unknown): never {
  throw new TypeError(`${path}: ${JSON.stringify(value) ?? 'undefined'} is not valid: ${expected}`);
}
