import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { identifierSets } from '../../identifiers/identifiers.ts';
import { addAuth } from './auth/auth-commands.ts';
import { addCertificate } from './certificate/certificate-commands.ts';
import type { CliIo } from '../cli-io.ts';
import type { ApplyCommandOptions } from './apply.ts';
import type { ConvertCommandOptions } from './convert.ts';
import type { CreateCommandOptions } from './create.ts';
import type { DeleteCommandOptions } from './delete.ts';
import type { GetCommandOptions } from './get.ts';
import type { UpCommandOptions } from './up.ts';
import type { VersionCommandOptions } from './version.ts';
import { packageVersion } from '../../package/package-root.ts';

/**
 * Runs the command line `args` (without node and script). Returns the exit code: 0 success, 1
 * failure, 2 wrong usage, 130 interrupted.
 */
export async function runCli(args: readonly string[], io: CliIo): Promise<number> {
  try {
    await program(io).parseAsync([...args], { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (io.signal.aborted) return 130;
    const { CliError, errorLine } = await import('../cli-error.ts');
    if (!(error instanceof CliError && error.silent)) io.stderr.write(`${errorLine(error)}\n`);
    return error instanceof CliError ? error.exitCode : 1;
  }
}

/** Commands are imported when they run, so that help only loads this file. */
function program(io: CliIo): Command {
  const cl = new Command('cl')
    .description('Starts a control plane on this machine, and reads and writes objects of a control plane.')
    .version(packageVersion(), '--version', 'print the version of this program')
    .option('--clientconfig <file>', 'client config file; default: $CLIENTCONFIG, .cl/admin.clientconfig, ~/.cl/config')
    .option('--context <name>', 'context of the client config; default: the current one')
    .option('-n, --namespace <namespace>', 'namespace of namespaced objects; default: that of the context')
    .option('--as <user>', 'user to impersonate')
    .option(
      '--as-group <group>',
      'group to impersonate; can be repeated',
      (group, others: string[]) => [...others, group],
      [],
    )
    .option('--as-uid <uid>', 'UID to impersonate')
    .option('--trace', 'show time and decision of each step of the requests, for administrators')
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({ writeOut: (text) => io.stdout.write(text), writeErr: (text) => io.stderr.write(text) })
    .addHelpText(
      'after',
      '\nExamples:\n  cl up\n  cl get namespaces\n  cl create -f secret.yaml\n  cl get secrets -A -o yaml',
    );
  const parts = [addUp, addGet, addCreate, addApply, addDelete, addConvert, addCertificate, addAuth, addVersion];
  for (const add of parts) add(cl, io);
  return cl;
}

function addUp(cl: Command, io: CliIo): void {
  cl.command('up')
    .description('start etcd, the API server and the controllers on this machine; Ctrl-C stops all of it')
    .option('--data-dir <directory>', 'directory for data, certificates and logs', '.cl')
    .addOption(
      new Option('--identifiers <set>', 'names of API groups, well-known labels and system objects')
        .choices([...identifierSets])
        .default('cluster'),
    )
    .option('--etcd <binary>', 'etcd binary; default: from the PATH, else a cached or downloaded one')
    .addOption(
      new Option('--store <kind>', 'where objects are stored; memory is lost at the end')
        .choices(['etcd', 'memory'])
        .default('etcd'),
    )
    .option('--secure-port <port>', 'port of the API server; if in use, the next free one', parsePort, 6443)
    .option('--nodes <count>', 'stand-in nodes, which are ready and run every pod by saying so', parseNodes, 0)
    .addHelpText(
      'after',
      '\nExamples:\n  cl up\n  cl up --nodes=2\n  cl up --store=memory\n  cl up --data-dir=/tmp/plane --secure-port=7443',
    )
    .action(async (_: unknown, command: Command) => {
      const { up } = await import('./up.ts');
      await up(command.optsWithGlobals<UpCommandOptions>(), io);
    });
}

function parsePort(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 1 && port <= 65_535) return port;
  throw new InvalidArgumentError('use 1 to 65535.');
}

function parseNodes(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= 0 && count <= nodeLimit) return count;
  throw new InvalidArgumentError(`use 0 to ${nodeLimit}.`);
}

/** More nodes are of no use on one machine. */
const nodeLimit = 1000;

function addGet(cl: Command, io: CliIo): void {
  cl.command('get')
    .description('show objects')
    .argument('<type...>', 'a type and names, types with commas, or type/name words')
    .addOption(new Option('-o, --output <format>', 'format').choices(['json', 'yaml', 'name']))
    .option('-w, --watch', 'after the list, show changes until interrupted')
    .option('-A, --all-namespaces', 'objects of all namespaces')
    .option('-l, --selector <selector>', 'only objects with these labels')
    .addHelpText(
      'after',
      '\nExamples:\n  cl get pods\n  cl get secret/a service/b -o yaml\n  cl get deployments -A -l app=web -w',
    )
    .action(async (words: string[], _: unknown, command: Command) => {
      const { get } = await import('./get.ts');
      await get(words, command.optsWithGlobals<GetCommandOptions>(), io);
    });
}

function addCreate(cl: Command, io: CliIo): void {
  cl.command('create')
    .description('create objects from files')
    .requiredOption('-f, --filename <file...>', 'YAML or JSON file; - is standard input')
    .addOption(
      new Option('-o, --output <format>', 'how to print each created object').choices(['json', 'yaml', 'name']),
    )
    .addHelpText('after', '\nExamples:\n  cl create -f app.yaml\n  cat app.yaml | cl create -f - -n work')
    .action(async (_: unknown, command: Command) => {
      const { create } = await import('./create.ts');
      await create(command.optsWithGlobals<CreateCommandOptions>(), io);
    });
}

function addApply(cl: Command, io: CliIo): void {
  cl.command('apply')
    .description('create or change objects so that they have the fields of files')
    .requiredOption('-f, --filename <file...>', 'YAML or JSON file; - is standard input')
    .option('--field-manager <name>', 'the owner of the applied fields', 'cl')
    .option('--force-conflicts', 'take fields over from other managers')
    .option('--dry-run', 'show what would be written')
    .addOption(
      new Option('-o, --output <format>', 'how to print each applied object').choices(['json', 'yaml', 'name']),
    )
    .addHelpText('after', '\nExamples:\n  cl apply -f app.yaml\n  cl apply -f app.yaml --dry-run -o yaml')
    .action(async (_: unknown, command: Command) => {
      const { apply } = await import('./apply.ts');
      await apply(command.optsWithGlobals<ApplyCommandOptions>(), io);
    });
}

function addDelete(cl: Command, io: CliIo): void {
  cl.command('delete')
    .description('delete objects by name, by label or from files')
    .argument('[type...]', 'a type and names, or type/name words')
    .option('-f, --filename <file...>', 'YAML or JSON file; - is standard input')
    .option('-l, --selector <selector>', 'objects with these labels')
    .addHelpText('after', '\nExamples:\n  cl delete secret a b\n  cl delete pods -l app=web\n  cl delete -f app.yaml')
    .action(async (words: string[], _: unknown, command: Command) => {
      const { deleteObjects } = await import('./delete.ts');
      await deleteObjects(words, command.optsWithGlobals<DeleteCommandOptions>(), io);
    });
}

function addConvert(cl: Command, io: CliIo): void {
  cl.command('convert')
    .description('print the objects of files in another API version; needs no server')
    .requiredOption('-f, --filename <file...>', 'YAML or JSON file; - is standard input')
    .option('--output-version <version>', '<group>/<version>; default: the preferred one of each kind')
    .addOption(new Option('-o, --output <format>', 'format').choices(['yaml', 'json']).default('yaml'))
    .addOption(
      new Option('--identifiers <set>', 'names of API groups and well-known labels')
        .choices([...identifierSets])
        .default('cluster'),
    )
    // The only mode, accepted because other clients have it.
    .option('--local', 'convert without a server', true)
    .addHelpText(
      'after',
      '\nExamples:\n  cl convert -f budget.yaml --output-version=policy/v1\n' +
        '  cat old.yaml | cl convert -f - -o json',
    )
    .action(async (_: unknown, command: Command) => {
      const { convert } = await import('./convert.ts');
      await convert(command.optsWithGlobals<ConvertCommandOptions>(), io);
    });
}

function addVersion(cl: Command, io: CliIo): void {
  cl.command('version')
    .description('print the versions of this program and of the server')
    .addOption(new Option('-o, --output <format>', 'format').choices(['json', 'yaml']))
    .option('--client', 'only the version of this program')
    .action(async (_: unknown, command: Command) => {
      const { version } = await import('./version.ts');
      await version(command.optsWithGlobals<VersionCommandOptions>(), io);
    });
}
