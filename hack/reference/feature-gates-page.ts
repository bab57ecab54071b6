import { featureGates } from '../../src/config/feature-gates.ts';
import { featureGateSubjects } from './feature-gate-subjects.ts';
import { codeText, madeBy, markdownTable } from './markdown-table.ts';

/** The stages of a gate and its effect, whichever of them it has. */
interface GateRow {
  readonly alpha?: string;
  readonly beta?: string;
  readonly ga?: string;
  readonly deprecated?: string;
  readonly effect: keyof typeof effects;
}

const effects = {
  switch: 'turns the feature on and off',
  always: 'none: the feature is always on',
  missing: 'none: this server does not have the feature',
} as const;

/** The page of the feature gates. */
export function featureGatesPage(): string {
  const rows = Object.entries<GateRow>(featureGates).map(([name, { alpha, beta, ga, deprecated, effect }]) => {
    const [, subject = ''] = Object.entries(featureGateSubjects).find(([gate]) => gate === name) ?? [];
    return [codeText(name), subject, alpha ?? '', beta ?? '', ga ?? '', deprecated ?? '', effects[effect]];
  });
  return `# Feature gates

${madeBy} \`--feature-gates=Name=true,Other=false\` sets them;
\`AllAlpha\` and \`AllBeta\` stand for all of a stage. The columns of stages have the Kubernetes release in which the gate entered the stage.

The release that a server emulates (\`--emulated-release\`) decides about the stage of a gate, and so about its default: alpha features are off,
beta and stable ones are on, and stable ones cannot be turned off. A gate that is later than the release is unknown, and the server
does not start. A setting without effect is logged as a warning.

${markdownTable(['gate', 'feature', 'alpha', 'beta', 'stable', 'deprecated', 'effect of a setting'], rows)}
`;
}
