import { featureGateEffects } from '../../src/config/feature-gate-effects.ts';
import { featureGateChanges, featureGateNames, type FeatureGateState } from '../../src/config/feature-gate-state.ts';
import { once } from '../../src/meta/memoize.ts';
import { type MessageRow, messageRows } from '../../src/gen/schema.ts';
import { featureGateSubjects } from './feature-gate-subjects.ts';
import { codeText, madeBy, markdownTable } from './markdown-table.ts';

const effects = {
  switch: 'turns the feature on and off',
  always: 'none: the feature is always on',
} as const;

/** The page of the feature gates. */
export function featureGatesPage(): string {
  const known = Object.entries(featureGateEffects).map(([name, effect]) => {
    return [codeText(name), subjectOf(name), historyOf(name), effects[effect]];
  });
  const others = featureGateNames().filter((name) => !Object.hasOwn(featureGateEffects, name));
  return `# Feature gates

${madeBy} \`--feature-gates=Name=true,Other=false\` sets them;
\`AllAlpha\` and \`AllBeta\` stand for all of a stage.

The release that a server emulates (\`--emulated-release\`) decides about the stage of a gate, and so about its default: alpha and deprecated
features are off, beta and stable ones are on, if the history does not say otherwise. A locked gate cannot be set to the other value. A gate
that the release does not have yet, or not any more, is unknown, and the server does not start. From release 1.35 on a feature cannot be on
while one that it needs is off. A setting without effect is logged as a warning. \`kubernetes_feature_enabled\` in \`/metrics\` shows all of them.

## Features of this server

${markdownTable(['gate', 'feature', 'history', 'effect of a setting'], known)}

## Features that are elsewhere, or missing

The server accepts these gates as kube-apiserver does, and they change nothing: most of them concern kubelets, schedulers and other programs.

${markdownTable(
  ['gate', 'history'],
  others.map((name) => [codeText(name), historyOf(name)]),
)}
`;
}

/** The feature behind a gate: a text, or its fields. */
function subjectOf(name: string): string {
  const [, subject] = Object.entries(featureGateSubjects).find(([gate]) => gate === name) ?? [];
  const fields = fieldsByGate().get(name) ?? [];
  if (subject === undefined && fields.length === 0) throw new Error(`the feature gate ${name} has no subject`);
  const shown = fields.slice(0, mostFields).join(', ');
  return subject ?? (fields.length > mostFields ? `${shown} and ${fields.length - mostFields} other fields` : shown);
}

/** How many fields of a gate the page names. */
const mostFields = 3;

/** The fields of each gate, as `field` of Message. */
const fieldsByGate = once((): ReadonlyMap<string, readonly string[]> => {
  const fields = new Map<string, Set<string>>();
  for (const [message, text] of Object.entries(messageRows)) {
    const { fields: rows } = JSON.parse(text) as MessageRow;
    for (const { name, gate } of rows) {
      if (gate === undefined) continue;
      const known = fields.get(gate) ?? new Set();
      fields.set(gate, known.add(`${codeText(name)} of ${message.split('.').at(-1)}`));
    }
  }
  return new Map([...fields].map(([gate, names]) => [gate, [...names]]));
});

/** The stages of a gate: `alpha 1.24, beta 1.26 (off), stable 1.30 (locked), removed 1.33`. */
function historyOf(name: string): string {
  return featureGateChanges(name)
    .map((change) => `${stageOf(change)} ${change.since}${noteOf(change)}`)
    .join(', ');
}

function stageOf({ stage, isRemoved }: FeatureGateState): string {
  if (isRemoved) return 'removed';
  return stage === 'ga' ? 'stable' : stage;
}

function noteOf({ stage, isOn, isLocked, isRemoved }: FeatureGateState): string {
  if (isRemoved) return '';
  const isUsual = isOn === (stage === 'beta' || stage === 'ga');
  const notes = [...(isUsual ? [] : [isOn ? 'on' : 'off']), ...(isLocked ? ['locked'] : [])];
  return notes.length === 0 ? '' : ` (${notes.join(', ')})`;
}
