import { readFileSync } from 'node:fs';
import { spellNodeAgentFlags } from '../../src/config/flags/node-agent-flags.ts';
import { serverFlags } from '../../src/config/server-options.ts';
import { defaultOf, type SectionedFlag } from '../../src/flags/flag-table.ts';
import { otherMeanings } from './kube-apiserver-reasons.ts';
import { codeText, markdownTable } from './markdown-table.ts';

/** The flags of kube-apiserver with their defaults in one release, and their names in others. */
interface KubeApiServerFlags {
  readonly release: string;
  readonly flags: Readonly<Record<string, string>>;
  readonly apiserver: Readonly<Record<'1.23' | '1.36', readonly string[]>>;
}

const { release, flags, apiserver } = JSON.parse(
  readFileSync('hack/kube-apiserver-flags.json', 'utf8'),
) as KubeApiServerFlags;
const own = new Map(Object.entries<SectionedFlag>(serverFlags));

/** The flag of this server that a flag of kube-apiserver sets. */
function counterpartOf(name: string): SectionedFlag | undefined {
  const [spelled = ''] = spellNodeAgentFlags([`--${name}`]);
  return own.get(spelled.slice(2)) ?? [...own.values()].find(({ aliases = [] }) => aliases.includes(name));
}

function formattedDefault(flag: SectionedFlag): string {
  const initial = defaultOf(flag);
  return initial === undefined ? '' : flag.type.format(initial);
}

/** kube-apiserver prints no default that is empty, zero or false. */
function isSameDefault(theirs: string, ours: string): boolean {
  return theirs === ours || (theirs === '' && ['0', '0s', 'false'].includes(ours));
}

/** The part of the page about moving from kube-apiserver that compares the flags. */
export function kubeApiServerFlags(): string {
  const known = Object.keys(flags).filter((name) => name !== 'help' && name !== 'version');
  const all = [...new Set([...known, ...Object.values(apiserver).flat()])];
  const common = known.filter((name) => isWorking(name));
  refuseFaults(all);
  return `[flags.md](flags.md) has every flag of kube-apiserver 1.23 and 1.36, and what this server does with it. Of the ${known.length} flags of
release ${release} these work.

### The same name, meaning and default

${sameTable(common)}

### Another default or meaning

${differentTable(common)}

### Flags that only this server has

${[...own.keys()]
  .filter((name) => !all.some((other) => counterpartOf(other) === own.get(name)))
  .map((name) => codeText(`--${name}`))
  .join(', ')}. [reference/flags.md](reference/flags.md) says what they do.`;
}

function isWorking(name: string): boolean {
  const flag = counterpartOf(name);
  return flag !== undefined && flag.noEffect === undefined && flag.refused === undefined;
}

function refuseFaults(all: readonly string[]): void {
  const faults = Object.keys(otherMeanings).filter((name) => !all.includes(name) || !isWorking(name));
  if (faults.length > 0)
    throw new Error(`hack/reference/kube-apiserver-reasons.ts is wrong about ${faults.join(', ')}`);
}

function isSame(name: string): boolean {
  const flag = counterpartOf(name);
  return flag !== undefined && !otherMeanings[name] && isSameDefault(flags[name] ?? '', formattedDefault(flag));
}

function sameTable(common: readonly string[]): string {
  const same = common.filter(isSame);
  const sections = [...new Set(same.map((name) => counterpartOf(name)?.section ?? ''))];
  const rows = sections.map((section) => {
    const names = same.filter((name) => counterpartOf(name)?.section === section);
    return [section.toLowerCase(), names.map((name) => codeText(`--${name}`)).join(', ')];
  });
  return markdownTable(['group', 'flags'], rows);
}

function differentTable(common: readonly string[]): string {
  const rows = common.flatMap((name) => {
    const flag = counterpartOf(name);
    if (!flag || isSame(name)) return [];
    const [theirs = '', ours] = [flags[name], formattedDefault(flag)];
    const defaults = isSameDefault(theirs, ours) ? ['', ''] : [codeText(theirs) || 'none', codeText(ours) || 'none'];
    return [[codeText(`--${name}`), ...defaults, otherMeanings[name] ?? '']];
  });
  return markdownTable(['flag', 'default there', 'default here', 'remark'], rows);
}
