import { CliError } from '../../cli-error.ts';
import type { Invocation } from '../../command.ts';
import { visibleText } from '../../format-rows.ts';
import { findPlugins } from '../../plugins/find-plugins.ts';
import type { pluginListFlags } from './flags.ts';

/** `cl plugin list`: lists plugins, and which of them do not run. */
export async function pluginList({ options, io, commands }: Invocation<typeof pluginListFlags>): Promise<void> {
  const plugins = await findPlugins(io);
  if (plugins.length === 0) {
    throw new CliError('unable to find any plugins in your PATH', {
      hint: 'a plugin is a program whose name begins with cl-',
    });
  }
  io.stdout.write('The following compatible plugins are available:\n\n');
  const seen = new Set<string>();
  const first = new Set(commands.map(({ name }) => name.split(' ')[0]));
  let warnings = 0;
  const warn = (text: string): void => {
    io.stderr.write(`  - warning: ${text}\n`);
    warnings += 1;
  };
  for (const { path, name, isExecutable } of plugins) {
    io.stdout.write(`${visibleText(options.nameOnly ? name : path)}\n`);
    const words = name.slice(name.indexOf('-') + 1);
    if (!isExecutable) warn(`${visibleText(path)} identified as a plugin, but it is not executable`);
    if (seen.has(words)) warn(`${visibleText(path)} is overshadowed by a plugin with the same name`);
    if (first.has(words.split('-')[0])) warn(`${visibleText(name)} overwrites existing command: "cl ${words}"`);
    seen.add(words);
  }
  if (warnings > 0) throw new CliError(`${warnings} plugin warning${warnings === 1 ? '' : 's'} were found`);
}
