import { readFileSync } from 'node:fs';
import { spellNodeAgentFlags } from '../../src/config/flags/node-agent-flags.ts';
import { serverFlags } from '../../src/config/server-options.ts';
import { defaultOf, type SectionedFlag } from '../../src/flags/flag-table.ts';
import { logFlags, missingFlags, otherMeanings } from './kube-apiserver-reasons.ts';
import { codeText, markdownTable } from './markdown-table.ts';

/** The flags of kube-apiserver with their defaults, and the names of those that came later. */
interface KubeApiServerFlags {
  readonly release: string;
  readonly flags: Readonly<Record<string, string>>;
  readonly later: readonly string[];
}

const { release, flags, later } = JSON.parse(
  readFileSync('hack/kube-apiserver-flags.json', 'utf8'),
) as KubeApiServerFlags;
const own = new Map(Object.entries<SectionedFlag>(serverFlags));

/** The flag of this server that a flag of kube-apiserver sets. */
function counterpartOf(name: string): SectionedFlag | undefined {
  const [spelled = ''] = spellNodeAgentFlags([`--${name}`]);
  return own.get(spelled.slice(2));
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
  const all = [...known, ...later];
  const common = known.filter((name) => counterpartOf(name));
  refuseFaults(all);
  return `${known.length} flags of kube-apiserver ${release}, and ${later.length} that later releases added. Each is in one of these tables.

### The same name and meaning

${sameTable(common)}

### Another default or meaning

${differentTable(common)}

### Flags that do not exist here

The server does not start with them, so leave them out.

${missingTable(known)}

### Flags of later releases

${laterTable()}

### Flags that only this server has

${[...own.keys()]
  .filter((name) => !all.some((other) => counterpartOf(other) === own.get(name)))
  .map((name) => codeText(`--${name}`))
  .join(', ')}. [reference/flags.md](reference/flags.md) says what they do.`;
}

function refuseFaults(all: readonly string[]): void {
  const unexplained = all.filter((name) => !counterpartOf(name) && !missingFlags[name] && !logFlags.includes(name));
  const explained = [...Object.keys(missingFlags), ...logFlags].filter((name) => counterpartOf(name));
  const unknown = Object.keys(otherMeanings).filter((name) => !all.includes(name) || !counterpartOf(name));
  const faults = [...unexplained, ...explained, ...unknown];
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

function missingTable(known: readonly string[]): string {
  const rows = known.flatMap((name) => (missingFlags[name] ? [[codeText(name), missingFlags[name]]] : []));
  const names = logFlags.map(codeText).join(', ');
  return markdownTable(['kube-apiserver', 'here'], [...rows, [names, 'the log goes to standard error, as JSON']]);
}

function laterTable(): string {
  const rows = later.map((name) => [codeText(name), missingFlags[name] ?? `\`--${name}\`, the same`]);
  return markdownTable(['kube-apiserver', 'here'], rows);
}
