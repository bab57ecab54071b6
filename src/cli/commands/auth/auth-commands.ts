import { type Command, Option } from 'commander';
import type { CliIo } from '../../cli-io.ts';
import type { CanICommandOptions } from './can-i.ts';
import type { ReconcileCommandOptions } from './reconcile.ts';
import type { WhoamiCommandOptions } from './whoami.ts';
import type { WhoCanCommandOptions } from './who-can.ts';

/** Adds `cl auth` with its commands. */
export function addAuth(cl: Command, io: CliIo): void {
  const auth = cl.command('auth').description('show who may do what, and bring roles up to date');
  for (const add of [addCanI, addWhoami, addWhoCan, addReconcile]) add(auth, io);
}

function addCanI(auth: Command, io: CliIo): void {
  auth
    .command('can-i')
    .description('print whether you may do something; the exit code is 1 if not')
    .argument('[words...]', 'a verb, a type or /path, and perhaps a name')
    .option('--subresource <name>', 'sub-resource, such as log')
    .option('-A, --all-namespaces', 'in all namespaces')
    .option('--list', 'print all that you may do in the namespace')
    .option('--why', 'print which rule allows it, or which one is missing; needs the right to read roles')
    .option('-q, --quiet', 'only the exit code')
    .addHelpText(
      'after',
      '\nExamples:\n  cl auth can-i create pods\n  cl auth can-i get pods/web --subresource=log --why --as=ann\n' +
        '  cl auth can-i get /metrics\n  cl auth can-i --list -n work',
    )
    .action(async (words: string[], _: unknown, command: Command) => {
      const { canI } = await import('./can-i.ts');
      await canI(words, command.optsWithGlobals<CanICommandOptions>(), io);
    });
}

function addWhoami(auth: Command, io: CliIo): void {
  auth
    .command('whoami')
    .description('print the user that the server takes you for')
    .addOption(new Option('-o, --output <format>', 'format').choices(['json', 'yaml']))
    .action(async (_: unknown, command: Command) => {
      const { whoami } = await import('./whoami.ts');
      await whoami(command.optsWithGlobals<WhoamiCommandOptions>(), io);
    });
}

function addWhoCan(auth: Command, io: CliIo): void {
  auth
    .command('who-can')
    .description('print the users, groups and service accounts whose roles allow something')
    .argument('<verb>')
    .argument('<type>', 'a type, type/name, or /path')
    .option('--subresource <name>', 'sub-resource, such as log')
    .option('-A, --all-namespaces', 'only those who may do it in all namespaces')
    .addHelpText('after', '\nExamples:\n  cl auth who-can get secrets -n work\n  cl auth who-can delete nodes')
    .action(async (verb: string, type: string, _: unknown, command: Command) => {
      const { whoCan } = await import('./who-can.ts');
      await whoCan([verb, type], command.optsWithGlobals<WhoCanCommandOptions>(), io);
    });
}

function addReconcile(auth: Command, io: CliIo): void {
  auth
    .command('reconcile')
    .description('create the roles and bindings of files, and add what existing ones miss')
    .requiredOption('-f, --filename <file...>', 'YAML or JSON file; - is standard input')
    .option('--remove-extra-permissions', 'remove rules that the files do not have')
    .option('--remove-extra-subjects', 'remove subjects that the files do not have')
    .action(async (_: unknown, command: Command) => {
      const { reconcile } = await import('./reconcile.ts');
      await reconcile(command.optsWithGlobals<ReconcileCommandOptions>(), io);
    });
}
