import { type Identifiers, identifierSets, identifiersOf } from '../../identifiers/identifiers.ts';
import { normaliseQuantity } from '../../meta/quantity.ts';
import { nodeOutcomes } from './node-outcome.ts';
import { podOutcomes } from './pod-behaviour.ts';

/** Checks the value of an annotation. Returns the expected form; undefined if it is valid. */
type ValueCheck = (value: string) => string | undefined;

const quantity: ValueCheck = (value) => (normaliseQuantity(value) === undefined ? 'a quantity like 250m' : undefined);

const seconds: ValueCheck = (value) => (/^\d+(\.\d+)?$/.test(value) ? undefined : 'a number of seconds');

function oneOf(values: ReadonlySet<string>): ValueCheck {
  return (value) => (values.has(value) ? undefined : `one of ${[...values].join(', ')}`);
}

/** The annotations that stand-in nodes follow, by kinds that have them, without their domain. */
const followed: Readonly<Record<'Pod' | 'Node', ReadonlyMap<string, ValueCheck>>> = {
  Pod: new Map([
    ['outcome', oneOf(podOutcomes)],
    ['message', () => undefined],
    ['termination-seconds', seconds],
    ['cpu', quantity],
    ['memory', quantity],
  ]),
  Node: new Map([
    ['outcome', oneOf(nodeOutcomes)],
    ['pod-outcome', oneOf(podOutcomes)],
    ['cpu', quantity],
    ['memory', quantity],
  ]),
};

const domains: ReadonlySet<string> = new Set(identifierSets.map((set) => domainOf(identifiersOf(set))));

/**
 * The sentences about annotations that were meant for a stand-in node and have no effect: unknown
 * names and values, and names of the other identifier set.
 */
export function annotationProblems(
  kind: 'Pod' | 'Node',
  annotations: Readonly<Record<string, string>> = {},
  identifiers: Identifiers,
): readonly string[] {
  return Object.entries(annotations).flatMap(([name, value]) => problemOf(kind, name, value, identifiers) ?? []);
}

function problemOf(kind: 'Pod' | 'Node', name: string, value: string, identifiers: Identifiers): string | undefined {
  const at = name.indexOf('/');
  const domain = name.slice(0, at);
  if (!domains.has(domain)) return undefined;
  const check = followed[kind].get(name.slice(at + 1));
  const wanted = domainOf(identifiers);
  if (!check) return `annotation ${name} has no effect: those of a ${kind} are ${namesOf(kind, wanted)}`;
  if (domain !== wanted)
    return `annotation ${name} has no effect: on this server it is ${wanted}/${name.slice(at + 1)}`;
  const expected = check(value);
  return expected === undefined
    ? undefined
    : `annotation ${name}: ${JSON.stringify(value.slice(0, 100))} is not ${expected}`;
}

function domainOf({ labelDomain }: Identifiers): string {
  return `stand-in.${labelDomain}`;
}

function namesOf(kind: 'Pod' | 'Node', domain: string): string {
  return [...followed[kind].keys()].map((name) => `${domain}/${name}`).join(', ');
}
