import type { Invocation } from '../../command.ts';
import { helpWidth } from '../../command-help.ts';
import { helpOf } from '../../named-commands.ts';
import type { helpFlags } from './flags.ts';

/** `cl help`: prints what `--help` of the words prints. */
export async function help({ words, commands, io }: Invocation<typeof helpFlags>): Promise<void> {
  io.stdout.write(await helpOf(commands, words, helpWidth(io.stdout)));
}
