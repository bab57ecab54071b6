import { type Identifiers, identifierSets, identifiersOf } from '../../identifiers/identifiers.ts';
import { normaliseQuantity } from '../../meta/quantity.ts';
import { parsePorts } from '../agent-server/ports/parse-ports.ts';
import { readAnnotation } from '../agent-server/runs/read-annotation.ts';
import { readDeviceLists } from '../devices/publish-devices.ts';
import { nodeOutcomes } from './node-outcome.ts';
import { podOutcomes } from './pod-behaviour.ts';
import { stageGroup } from '../stages/stage.ts';

/** Checks the value of an annotation. Returns the expected form; undefined if it is valid. */
type ValueCheck = (value: string) => string | undefined;

const quantity: ValueCheck = (value) => (normaliseQuantity(value) === undefined ? 'a quantity like 250m' : undefined);

const seconds: ValueCheck = (value) => (/^\d+(\.\d+)?$/.test(value) ? undefined : 'a number of seconds');

const count: ValueCheck = (value) => (/^\d{1,9}$/.test(value) ? undefined : 'a whole number');

const exitCode: ValueCheck = (value) =>
  /^(?:[1-9]|[1-9]\d|1\d\d|2[0-4]\d|25[0-5])$/.test(value) ? undefined : 'a number, 1 to 255';

function oneOf(values: ReadonlySet<string>): ValueCheck {
  return (value) => (values.has(value) ? undefined : `one of ${[...values].join(', ')}`);
}

/** The annotations that stand-in nodes follow, by kinds that have them, without their domain. */
const followed: Readonly<Record<'Pod' | 'Node', ReadonlyMap<string, ValueCheck>>> = {
  Pod: new Map([
    ['outcome', oneOf(podOutcomes)],
    ['message', () => undefined],
    ['stage', () => undefined],
    ['start-seconds', seconds],
    ['ready-seconds', seconds],
    ['run-seconds', seconds],
    ['restarts', count],
    ['back-off-seconds', seconds],
    ['exit-code', exitCode],
    ['termination-seconds', seconds],
    ['logs', () => undefined],
    ['logs-interval', seconds],
    ['exec', () => undefined],
    ['attach-reply', () => undefined],
    ['ports', (value) => (parsePorts(value) ? undefined : 'ports with targets like 80=127.0.0.1:3000')],
    ['cpu', quantity],
    ['memory', quantity],
  ]),
  Node: new Map([
    ['outcome', oneOf(nodeOutcomes)],
    ['pod-outcome', oneOf(podOutcomes)],
    ['stage', () => undefined],
    ['cpu', quantity],
    ['memory', quantity],
    [
      'devices',
      (value) => (readDeviceLists(value) ? undefined : 'a list like [{"driver":"gpu.example.com","count":2}]'),
    ],
  ]),
};

/** The annotations that may name the container that they are for: `logs.sidecar`. */
const ofContainer = /^(logs|logs-interval)\..+$/;

const domains: ReadonlySet<string> = new Set(identifierSets.map((set) => stageGroup(identifiersOf(set))));

/**
 * The sentences about annotations that were meant for a stand-in node and have no effect: unknown
 * names and values, and names in both spellings with different values.
 */
export function annotationProblems(
  kind: 'Pod' | 'Node',
  annotations: Readonly<Record<string, string>> = {},
  identifiers: Identifiers,
): readonly string[] {
  return Object.keys(annotations).flatMap((name) => problemOf(kind, name, annotations, identifiers) ?? []);
}

function problemOf(
  kind: 'Pod' | 'Node',
  name: string,
  annotations: Readonly<Record<string, string>>,
  identifiers: Identifiers,
): string | undefined {
  const at = name.indexOf('/');
  const domain = name.slice(0, at);
  if (!domains.has(domain)) return undefined;
  const short = name.slice(at + 1);
  const [, plain = short] = ofContainer.exec(short) ?? [];
  const check = followed[kind].get(plain);
  const value = annotations[name] ?? '';
  const wanted = stageGroup(identifiers);
  if (!check) return `annotation ${name} has no effect: those of a ${kind} are ${namesOf(kind, wanted)}`;
  if (readAnnotation(annotations, short, identifiers) !== value) {
    return `annotation ${name} has no effect: ${wanted}/${short} counts on this server`;
  }
  const expected = check(value);
  return expected === undefined
    ? undefined
    : `annotation ${name}: ${JSON.stringify(value.slice(0, 100))} is not ${expected}`;
}

function namesOf(kind: 'Pod' | 'Node', domain: string): string {
  return [...followed[kind].keys()].map((name) => `${domain}/${name}`).join(', ');
}
