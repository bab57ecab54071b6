import type { Invocation } from '../../command.ts';
import type { optionsFlags } from './flags.ts';
import { globalHelp, helpWidth } from '../../command-help.ts';

/** `cl options`: prints the flags of all commands. */
export async function options({ io }: Invocation<typeof optionsFlags>): Promise<void> {
  io.stdout.write(globalHelp(helpWidth(io.stdout)));
}
