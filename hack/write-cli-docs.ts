// Writes docs/cli.md: each command and flag of kubectl (`kubectl-commands.json`) beside that of `cl`, or the reason why `cl`
// has none (`cl-reasons.ts`). With --check it writes nothing, and fails if the page is not what it would write.
import { readFileSync, writeFileSync } from 'node:fs';
import type { Command } from '../src/cli/command.ts';
import { commands } from '../src/cli/commands/command-table.ts';
import { globalFlags } from '../src/cli/global-flags.ts';
import { flagName, type FlagTable } from '../src/flags/flag-table.ts';
import { commandReasons, flagReasons, outputReasons } from './cl-reasons.ts';

/** Flags by command, as names with their short forms: `filename,f output,o`. */
interface KubectlCommands {
  readonly release: string;
  readonly commands: Readonly<Record<string, string>>;
}

const page = 'docs/cli.md';
const kubectl = JSON.parse(readFileSync('hack/kubectl-commands.json', 'utf8')) as KubectlCommands;

function spellings(flags: FlagTable): ReadonlySet<string> {
  const rows = Object.entries(flags);
  return new Set(rows.map(([key, row]) => [flagName(key, row), row.short].filter(Boolean).join(',')));
}

function counterpartOf(name: string): Command | undefined {
  return commands.find((command) => command.name === name || command.aliases?.includes(name));
}

const globals = spellings(globalFlags);

/** The flags that are the same, and a line for each that is not. */
function compareFlags(name: string, wanted: readonly string[], own: ReadonlySet<string>): [string[], string[]] {
  const has = (flag: string): boolean => own.has(flag) || globals.has(flag);
  const missing = wanted.filter((flag) => !has(flag));
  const lines = missing.map((flag) => {
    const [long = ''] = flag.split(',');
    return `\`--${long}\`: ${flagReasons[`${name} ${long}`] ?? flagReasons[long] ?? 'not yet'}`;
  });
  return [wanted.filter(has).map((flag) => `\`--${flag.split(',')[0] ?? ''}\``), lines];
}

async function rowOf([name, flags]: [string, string]): Promise<string> {
  const command = name === 'options' ? undefined : counterpartOf(name);
  if (!command && name !== 'options') return `| \`${name}\` | ${commandReasons[name] ?? 'not yet'} | |`;
  const wanted = flags.split(' ').filter(Boolean);
  const [same, others] = compareFlags(name, wanted, command ? spellings(await command.flags()) : globals);
  const sameAll = others.length === 0 && same.length > 0;
  const lines = sameAll ? ['all'] : [...(same.length > 0 ? [`same: ${same.join(' ')}`] : []), ...others];
  return `| \`${name}\` | \`${command?.name ?? 'all commands'}\` | ${lines.join('<br>') || 'none'} |`;
}

function ownRows(): string[] {
  const own = commands.filter(({ name }) => !Object.hasOwn(kubectl.commands, name));
  return own.map(({ name, summary }) => `| \`cl ${name}\` | ${summary} |`);
}

const rows = await Promise.all(Object.entries(kubectl.commands).map(rowOf));
const text = `# The commands of \`cl\`

Made by \`node dist/hack/write-cli-docs.js\` from the table of commands. \`cl COMMAND --help\` has examples and all flags of a command.

## Commands that kubectl does not have

| command | purpose |
|---|---|
${ownRows().join('\n')}

## Commands of kubectl ${kubectl.release}

Each command and flag of kubectl, with its counterpart, or why there is none.

| kubectl | cl | flags |
|---|---|---|
${rows.join('\n')}

## What differs on purpose

Tests run lines with both and compare exit codes, objects and output (\`test/e2e/cl-lines\`). These differences are meant.

| command | difference |
|---|---|
${Object.entries(outputReasons)
  .map(([name, reason]) => `| \`${name}\` | ${reason} |`)
  .join('\n')}
`;

if (!process.argv.includes('--check')) writeFileSync(page, text);
else if (readFileSync(page, 'utf8') !== text) {
  console.log(`${page} is not up to date: run node dist/hack/write-cli-docs.js`);
  process.exitCode = 1;
}
