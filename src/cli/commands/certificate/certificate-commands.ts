import type { Command } from 'commander';
import type { CliIo } from '../../cli-io.ts';
import type { DecideCommandOptions } from './decide.ts';

/** Adds `cl certificate` with its commands. */
export function addCertificate(cl: Command, io: CliIo): void {
  const certificate = cl.command('certificate').description('decide certificate signing requests');
  for (const verb of ['approve', 'deny'] as const) {
    certificate
      .command(verb)
      .description(`${verb} certificate signing requests`)
      .argument('<name...>')
      .option('--force', 'decide again, with the present time')
      .addHelpText('after', `\nExample:\n  cl certificate ${verb} ann`)
      .action(async (names: string[], _: unknown, command: Command) => {
        const { decide } = await import('./decide.ts');
        await decide(verb, names, command.optsWithGlobals<DecideCommandOptions>(), io);
      });
  }
}
