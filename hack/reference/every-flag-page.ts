import { readFileSync } from 'node:fs';
import { spellNodeAgentFlags } from '../../src/config/flags/node-agent-flags.ts';
import { serverFlags } from '../../src/config/server-options.ts';
import { spellSignerFlags } from '../../src/controllers/certificates/spell-signer-flags.ts';
import { controllerManagerFlags } from '../../src/controllers/manager/controller-manager-flags.ts';
import type { Flag, FlagTable } from '../../src/flags/flag-table.ts';
import { codeText, madeBy, markdownTable, plainText } from './markdown-table.ts';

/** The flags of a program in two releases, also those that its `--help` hides. */
type ReleasedFlags = Readonly<Record<'1.23' | '1.36', readonly string[]>>;

interface UpstreamFlags {
  readonly apiserver: ReleasedFlags;
  readonly controllerManager: ReleasedFlags;
}

const upstream = JSON.parse(readFileSync('hack/kube-apiserver-flags.json', 'utf8')) as UpstreamFlags;

/** What a program here does with a flag. */
interface Handling {
  readonly kind: 'works' | 'no effect' | 'refused';
  readonly text: string;
}

/** A flag of a program here by a name of upstream. */
type FindFlag = (name: string) => { readonly name: string; readonly flag: Flag } | undefined;

/** The page with every flag of kube-apiserver and kube-controller-manager. */
export function everyFlagPage(): string {
  const ofServer = finder(serverFlags, spellNodeAgentFlags);
  const ofManager = finder(controllerManagerFlags, spellSignerFlags);
  refuseUnknown(ofServer, upstream.apiserver);
  refuseUnknown(ofManager, upstream.controllerManager);
  const programs = [upstream.apiserver, upstream.controllerManager];
  const names = [...new Set(programs.flatMap((flags) => [...flags['1.23'], ...flags['1.36']]))].toSorted();
  const rows = names.map((name) => {
    const { apiserver, controllerManager } = upstream;
    const inManager = has(controllerManager, '1.23', name) || has(controllerManager, '1.36', name);
    const inServer = has(apiserver, '1.23', name) || has(apiserver, '1.36', name);
    return [
      codeText(`--${name}`),
      mark(has(apiserver, '1.23', name)),
      mark(has(apiserver, '1.36', name)),
      releasesOf(controllerManager, name),
      [
        ...(inServer ? [textOf(handlingOf(ofServer, name), inManager ? 'cl-apiserver' : '')] : []),
        ...(inManager ? [textOf(handlingOf(ofManager, name), inServer ? 'cl-controller-manager' : '')] : []),
      ].join('<br>'),
    ];
  });
  return `# Every flag

${madeBy} All flags of kube-apiserver and
kube-controller-manager 1.23 and 1.36, also those that their \`--help\` hides, and what \`cl-apiserver\` and \`cl-controller-manager\` do with
them. [reference/flags.md](reference/flags.md) has the flags of both programs with their defaults,
[from-kube-apiserver.md](from-kube-apiserver.md) the defaults that differ.

A flag that changes nothing is accepted, and one line on standard error says why. A flag that a release removed is accepted while an older
one is emulated (\`--emulated-release\`), and is an error from that release on; a flag that a later release added works with all. A deprecated
flag prints the warning that kube-apiserver prints. An unknown flag is an error, with the nearest known one.

${counts('kube-apiserver', ofServer, upstream.apiserver)}
${counts('kube-controller-manager', ofManager, upstream.controllerManager)}

${markdownTable(['flag', 'kube-apiserver 1.23', '1.36', 'kube-controller-manager', 'here'], rows)}
`;
}

function finder(table: FlagTable, spell: (args: readonly string[]) => readonly string[]): FindFlag {
  const rows = Object.entries(table).flatMap(([name, flag]) =>
    [name, ...(flag.aliases ?? [])].map((one) => [one, { name, flag }] as const),
  );
  const known = new Map(rows);
  return (name) => known.get(spell([`--${name}`])[0]?.slice(2) ?? '');
}

function handlingOf(find: FindFlag, given: string): Handling {
  const found = find(given);
  if (!found) return { kind: 'refused', text: 'unknown' };
  const { name, flag } = found;
  const until = flag.removed === undefined ? '' : ` (until ${flag.removed})`;
  if (flag.refused !== undefined) return { kind: 'refused', text: `refused: ${plainText(flag.refused)}` };
  if (flag.noEffect !== undefined) return { kind: 'no effect', text: `no effect${until}: ${plainText(flag.noEffect)}` };
  return { kind: 'works', text: name === given ? `works${until}` : `works${until}, as ${codeText(`--${name}`)}` };
}

function textOf({ text }: Handling, program: string): string {
  return program === '' ? text : `${codeText(program)}: ${text}`;
}

function has(flags: ReleasedFlags, release: '1.23' | '1.36', name: string): boolean {
  return flags[release].includes(name);
}

function mark(isPresent: boolean): string {
  return isPresent ? 'yes' : '';
}

function releasesOf(flags: ReleasedFlags, name: string): string {
  return (['1.23', '1.36'] as const).filter((release) => has(flags, release, name)).join(', ');
}

function counts(program: string, find: FindFlag, flags: ReleasedFlags): string {
  const all = [...new Set(Object.values(flags).flat())];
  const number = (kind: Handling['kind']) => all.filter((name) => handlingOf(find, name).kind === kind).length;
  const [works, none, refused] = [number('works'), number('no effect'), number('refused')];
  return `- ${program}: ${all.length} flags, of which ${works} work, ${none} have no effect, ${refused} are refused.`;
}

function refuseUnknown(find: FindFlag, flags: ReleasedFlags): void {
  const unknown = [...new Set(Object.values(flags).flat())].filter((name) => !find(name));
  if (unknown.length > 0) throw new Error(`flags of upstream without a row: ${unknown.join(', ')}`);
}
