import type { Random } from '../../robustness/random.ts';
import { chance, times } from '../choices.ts';

/** Values that objects of a list have under their labels. */
export const labelValues: readonly string[] = ['x', 'y', 'z', ''];
/** Keys of these labels. */
export const listLabels: readonly string[] = ['app', 'tier', 'example.com/k', 'in'];

const strangeKeys: readonly string[] = [
  'none',
  'a.b',
  'App',
  '-a',
  'a_',
  'x'.repeat(64),
  'a/b/c',
  '',
  'notin',
  '1',
  'é',
  'a b',
  'example.com/',
];
const strangeValues: readonly string[] = ['1', 'in', 'y'.repeat(64), '-', 'a b', 'a=b', '"x"', "'x'", 'x.y', '!'];
const spaces: readonly string[] = ['', '', '', ' ', '  ', '\t'];
const broken: readonly string[] = ['', ',', '(', ')', '!', '=', ' ', '\\', '"', ';', '>'];

/** A label selector: usually valid, often oddly spaced, sometimes broken. */
export function randomLabelSelector(random: Random): string {
  const requirements = times(random.between(1, 3), () => requirement(random));
  return maybeBroken(random, requirements.join(random.pick([',', ', ', ' ,', ',,', ','])), broken);
}

const fields: readonly string[] = ['metadata.name', 'metadata.namespace', 'metadata.name'];
const strangeFields: readonly string[] = ['spec.unknown', 'metadata.labels', '', 'metadata.uid', 'metadata.Name'];
const fieldValues: readonly string[] = [
  'o1',
  'o2',
  '{{ns}}',
  'Running',
  'Pending',
  'n1',
  '',
  'Always',
  'Opaque',
  'true',
  'false',
  '0',
  'a\\,b',
  'a\\=b',
  'a\\b',
  'a b',
  'default',
];

/** A field selector; `own` are the fields that the kind has besides name and namespace. */
export function randomFieldSelector(random: Random, own: readonly string[]): string {
  const known = [...fields, ...own, ...own];
  const requirements = times(random.between(1, 3), () => {
    const field = random.pick(chance(random, 0.85) ? known : strangeFields);
    const operator = random.pick(['=', '==', '!=', '=', ' = ', '', '!', '>']);
    return field + operator + random.pick(fieldValues);
  });
  return maybeBroken(random, requirements.join(random.pick([',', ',', ',,', ', '])), ['\\', ',', '=', '!', ' ']);
}

function requirement(random: Random): string {
  const key = chance(random, 0.85) ? random.pick(listLabels) : random.pick(strangeKeys);
  const value = (): string => (chance(random, 0.75) ? random.pick(labelValues) : random.pick(strangeValues));
  const space = (): string => random.pick(spaces);
  const set = (): string => times(random.between(0, 3), () => space() + value() + space()).join(',');
  const forms: readonly (() => string)[] = [
    () => `${key}${space()}${random.pick(['=', '==', '!='])}${space()}${value()}`,
    () => `${key}${random.pick([' ', '  ', ''])}in${space()}(${set()})`,
    () => `${key} notin${space()}(${set()})`,
    () => `!${space()}${key}`,
    () => space() + key + space(),
    () => `${key}${random.pick(['>', '<', ' gt ', ' lt '])}${random.pick(['1', '5', '-3', 'x', ''])}`,
  ];
  return random.pick(forms)();
}

function maybeBroken(random: Random, selector: string, pieces: readonly string[]): string {
  if (!chance(random, 0.12)) return selector;
  const at = random.between(0, selector.length);
  return selector.slice(0, at) + random.pick(pieces) + selector.slice(at + random.between(0, 1));
}
