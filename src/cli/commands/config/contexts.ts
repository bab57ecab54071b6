import type { JsonObject } from '../../../meta/json-value.ts';
import { stringAt } from '../../../meta/read-field.ts';
import { CliError } from '../../cli-error.ts';
import {
  changeConfig,
  configFilePaths,
  currentContextWrite,
  entryWrite,
  findEntry,
} from '../../client-config-files/change-config.ts';
import {
  type ConfigList,
  currentContextOf,
  entriesOf,
  withRenamedEntry,
} from '../../client-config-files/config-entries.ts';
import { mergeConfigFiles, readConfigFiles } from '../../client-config-files/read-config-files.ts';
import type { Invocation } from '../../command.ts';
import { columnWidths, formatRows, visibleLine, visibleText } from '../../format-rows.ts';
import type { getContextsFlags, noFlags } from './flags.ts';

type Plain = Invocation<typeof noFlags>;

async function merged(caller: Pick<Plain, 'options' | 'io'>): Promise<JsonObject> {
  return mergeConfigFiles(await readConfigFiles(configFilePaths(caller)));
}

/** `cl config get-contexts`: lists the contexts, of which one is current. */
export async function getContexts({ words, options, io }: Invocation<typeof getContextsFlags>): Promise<void> {
  const root = await merged({ options, io });
  const entries = entriesOf(root, 'contexts');
  const missing = words.filter((name) => !entries.has(name));
  const shown = [...entries].filter(([name]) => words.length === 0 || words.includes(name));
  if (options.output === 'name') io.stdout.write(shown.map(([name]) => visibleLine(name)).join(''));
  else {
    const current = currentContextOf(root);
    const rows = [
      ...(options.noHeaders ? [] : [['CURRENT', 'NAME', 'CLUSTER', 'AUTHINFO', 'NAMESPACE']]),
      ...shown.map(([name, context]) => [
        name === current ? '*' : '',
        name,
        ...['cluster', 'user', 'namespace'].map((field) => stringAt(context, field)),
      ]),
    ];
    const visible = rows.map((row) => row.map(visibleText));
    io.stdout.write(formatRows(visible, columnWidths(visible)));
  }
  if (missing.length > 0) throw new CliError(`context ${missing[0] ?? ''} not found`);
}

/** `cl config get-clusters` and `get-users`: lists names. */
export function namesOf(list: ConfigList): (invocation: Plain) => Promise<void> {
  return async ({ options, io }) => {
    const names = [...entriesOf(await merged({ options, io }), list).keys()];
    io.stdout.write(['NAME', ...names].map((name) => visibleLine(name)).join(''));
  };
}

/** `cl config current-context`. */
export async function currentContext({ options, io }: Plain): Promise<void> {
  const current = currentContextOf(await merged({ options, io }));
  if (current === '') {
    throw new CliError('current-context is not set', { hint: 'choose one with "cl config use-context"' });
  }
  io.stdout.write(visibleLine(current));
}

/** `cl config use-context`: makes a context the current one. */
export async function useContext({ words: [name = ''], options, io }: Plain): Promise<void> {
  await changeConfig({ options, io }, (files) => {
    const known = [...entriesOf(mergeConfigFiles(files), 'contexts').keys()];
    if (!known.includes(name)) {
      throw new CliError(`no context exists with the name: "${name}"`, { hint: `there are: ${known.join(', ')}` });
    }
    return { writes: [currentContextWrite(files, name)], result: undefined };
  });
  io.stdout.write(visibleLine(`Switched to context "${name}".`));
}

/** `cl config rename-context`. */
export async function renameContext({ words: [from = '', to = ''], options, io }: Plain): Promise<void> {
  await changeConfig({ options, io }, (files) => {
    const { file, content } = findEntry(files, 'contexts', from);
    if (!content) throw new CliError(`cannot rename the context "${from}", it's not in ${file.path}`);
    if (findEntry(files, 'contexts', to).content) {
      throw new CliError(`cannot rename the context "${from}", the context "${to}" already exists in ${file.path}`);
    }
    const renamed = withRenamedEntry(file.root, 'contexts', from, to);
    const isCurrent = currentContextOf(mergeConfigFiles(files)) === from;
    const others = files.map((each) => (each === file ? { ...each, root: renamed } : each));
    const current = isCurrent ? currentContextWrite(others, to) : undefined;
    const writes = [{ file, root: renamed }, ...(current ? [current] : [])];
    return { writes, result: undefined };
  });
  io.stdout.write(visibleLine(`Context "${from}" renamed to "${to}".`));
}

/** `cl config delete-context`, `delete-cluster` and `delete-user`. */
export function deleteEntry(list: ConfigList, noun: string): (invocation: Plain) => Promise<void> {
  return async ({ words: [name = ''], options, io }) => {
    const { path, wasCurrent } = await changeConfig({ options, io }, (files) => {
      const { file, content } = findEntry(files, list, name);
      if (!content) throw new CliError(`cannot delete ${noun} ${name}, not in ${file.path}`);
      const current = currentContextOf(mergeConfigFiles(files));
      return {
        writes: [entryWrite(files, list, name, undefined)],
        result: { path: file.path, wasCurrent: list === 'contexts' && current === name },
      };
    });
    if (wasCurrent) {
      const line = 'warning: this removed your active context, use "cl config use-context" to select a different one';
      io.stderr.write(`${line}\n`);
    }
    io.stdout.write(visibleLine(`deleted ${noun} ${name} from ${path}`));
  };
}
