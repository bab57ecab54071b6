import { type FieldError, invalid } from '../../../status/field-error.ts';
import {
  isStricter,
  latestVersion,
  type Level,
  type LevelVersion,
  levelRule,
  parseLevel,
  parseVersion,
  versionRule,
} from './level-version.ts';

/** The modes of a level, in the order of their labels. */
export const modes = ['enforce', 'audit', 'warn'] as const;

/** The effect of a violated level: the Pod is refused, or the violation is reported. */
export type Mode = (typeof modes)[number];

/** The levels that apply to the Pods of a namespace. */
export type Policy = Readonly<Record<Mode, LevelVersion>>;

/** The policy in the labels of a namespace. */
export interface NamespacePolicy {
  readonly policy: Policy;
  /** Errors of labels. The policy is usable in any case. */
  readonly errors: readonly FieldError[];
  /** The modes that have labels. */
  readonly labelled: readonly Mode[];
}

/** How labels become a policy. */
export interface PolicyRules {
  /** The levels of modes without labels. */
  readonly defaults: Policy;
  /** The domain of labels and audit annotations: `pod-security.cluster.io`. */
  readonly domain: string;
  /** True if warnings are at least as strict as enforcement, unless a label says otherwise. */
  readonly warnsOfEnforced: boolean;
}

/** The levels in place of invalid ones: only the enforced level is strict after a mistake. */
const levelOfMistake: Readonly<Record<Mode, Level>> = {
  enforce: 'restricted',
  audit: 'privileged',
  warn: 'privileged',
};

/** Reads the policy from the labels of a namespace. */
export function policyOf(labels: Readonly<Record<string, string>>, rules: PolicyRules): NamespacePolicy {
  const errors: FieldError[] = [];
  const read = <Value>(name: string, parse: (text: string) => Value | undefined, rule: string, onMistake: Value) => {
    const label = `${rules.domain}/${name}`;
    const text = labels[label];
    if (text === undefined) return undefined;
    const value = parse(text);
    if (value === undefined) errors.push(invalid(`metadata.labels[${label}]`, text, rule));
    return value ?? onMistake;
  };
  const policy = { ...rules.defaults };
  const labelled = modes.filter((mode) => {
    const level = read(mode, parseLevel, levelRule, levelOfMistake[mode]);
    const version = read(`${mode}-version`, parseVersion, versionRule, latestVersion);
    const { defaults } = rules;
    policy[mode] = { level: level ?? defaults[mode].level, version: version ?? defaults[mode].version };
    return level !== undefined || version !== undefined;
  });
  if (rules.warnsOfEnforced) policy.warn = warningsOf(policy, labels, rules);
  return { policy, errors, labelled };
}

/** The level of warnings: the enforced level if it is stricter and labels choose no other. */
function warningsOf(
  { enforce, warn }: Policy,
  labels: Readonly<Record<string, string>>,
  { domain }: PolicyRules,
): LevelVersion {
  const isEnforced = parseLevel(labels[`${domain}/enforce`] ?? '') !== undefined;
  const hasWarnings = labels[`${domain}/warn`] !== undefined;
  if (!isEnforced || hasWarnings || !isStricter(enforce.level, warn.level)) return warn;
  const hasVersion = labels[`${domain}/warn-version`] !== undefined;
  return { level: enforce.level, version: hasVersion ? warn.version : enforce.version };
}
