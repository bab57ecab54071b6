import type { Invocation } from '../../../command.ts';
import type { JsonObject } from '../../../../meta/json-value.ts';
import { objectAt, objectsAt } from '../../../../meta/read-field.ts';
import { CliError } from '../../../cli-error.ts';
import { changeObjects } from '../../../objects/change-objects.ts';
import type { taintFlags } from './flags.ts';

interface Taint {
  readonly key: string;
  readonly value: string;
  /** Empty for a removal of all effects. */
  readonly effect: string;
}

const effects: ReadonlySet<string> = new Set(['NoSchedule', 'PreferNoSchedule', 'NoExecute']);

/** `cl taint nodes NAME KEY=VALUE:EFFECT KEY:EFFECT- KEY-`. */
export async function taint({ words, options, io }: Invocation<typeof taintFlags>): Promise<void> {
  const first = words.findIndex((word) => /[=:]|-$/.test(word));
  const texts = first < 0 ? [] : words.slice(first);
  if (texts.length === 0)
    throw new CliError('at least one taint update is required', { hint: 'KEY=VALUE:EFFECT, or KEY-' });
  const remove = texts.filter((text) => text.endsWith('-')).map((text) => readTaint(text.slice(0, -1), true));
  const set = texts.filter((text) => !text.endsWith('-')).map((text) => readTaint(text, false));
  const change = (node: JsonObject): void => changeTaints(node, set, remove, options.overwrite);
  const selection = { ...options, filename: [], words: first < 0 ? words : words.slice(0, first) };
  const changesBoth = remove.length > 0 || options.overwrite;
  const done = set.length === 0 ? 'untainted' : changesBoth ? 'modified' : 'tainted';
  await changeObjects({ options, io }, { selection, options, change, done });
}

function readTaint(text: string, isRemoval: boolean): Taint {
  const [left = '', effect = '', ...rest] = text.split(':');
  const [key = '', value = ''] = left.split('=');
  const isKnown = effects.has(effect) || (isRemoval && effect === '');
  if (!key || rest.length > 0 || !isKnown) {
    throw new CliError(`invalid taint spec: ${text}`, {
      hint: 'effects are NoSchedule, PreferNoSchedule and NoExecute',
    });
  }
  return { key, value, effect };
}

function changeTaints(node: JsonObject, set: readonly Taint[], remove: readonly Taint[], overwrite: boolean): void {
  const spec = objectAt(node, 'spec');
  const before = objectsAt(spec, 'taints');
  const same = (taintObject: JsonObject, { key, effect }: Taint): boolean =>
    taintObject.key === key && (effect === '' || taintObject.effect === effect);
  const taken = set.find((each) => before.some((known) => same(known, each)));
  if (taken && !overwrite) {
    throw new CliError(`the node already has the taint ${taken.key} with the effect ${taken.effect}`, {
      hint: 'add --overwrite',
    });
  }
  const missing = remove.find((each) => !before.some((known) => same(known, each)));
  if (missing) throw new CliError(`taint "${missing.key}${missing.effect && `:${missing.effect}`}" not found`);
  const kept = before.filter((known) => ![...set, ...remove].some((each) => same(known, each)));
  const added = set.map(({ key, value, effect }) => ({ effect, key, ...(value ? { value } : {}) }));
  const taints = [...added, ...kept];
  if (taints.length > 0) spec.taints = taints;
  else delete spec.taints;
}
