import { CliError, errorLine } from '../../cli-error.ts';
import type { Invocation } from '../../command.ts';
import { withClient } from '../../connect.ts';
import { resourcesOf } from '../../find-type.ts';
import { checkCredentials, checkReadiness, checkServerCertificate, checkVersion } from './connection-checks.ts';
import { type Check, type Examination, type Finding, warning } from './finding.ts';
import type { doctorFlags } from './flags.ts';
import { checkDefinitions, checkGroups, checkNamespaces, checkNodes, checkWebhooks } from './object-checks.ts';

const checks: readonly Check[] = [
  checkCredentials,
  checkServerCertificate,
  checkVersion,
  checkReadiness,
  checkGroups,
  checkDefinitions,
  checkWebhooks,
  checkNamespaces,
  checkNodes,
];

/** `cl doctor`: looks for faults of the connection, the server and its objects. */
export async function doctor({ options, io }: Invocation<typeof doctorFlags>): Promise<void> {
  await withClient({ options, io }, async (client) => {
    const session = { client, options, io };
    // A server that cannot be reached is the only finding there is.
    const resources = await resourcesOf(session);
    const parts = new Map<string, number>();
    const onPart = (type: string, read: number): void => void parts.set(type, read);
    const examination: Examination = { ...session, resources, nowMs: Date.now(), onPart };
    let errors = 0;
    const tell = (finding: Finding): void => {
      if (finding.level === 'error') errors++;
      if (!options.quiet || finding.level !== 'ok') io.stdout.write(lineOf(finding));
    };
    for (const check of checks) (await check(examination).catch(unknown)).forEach(tell);
    for (const [type, read] of parts) tell(partOf(type, read));
    if (errors > 0) throw new CliError(`${errors} errors were found`, { silent: true });
  });
}

/** A check that cannot find out, for lack of rights for instance. */
function unknown(cause: unknown): readonly Finding[] {
  return [warning(`a check failed: ${errorLine(cause).replace(/^error: /i, '')}`, 'run it as an administrator')];
}

function partOf(type: string, read: number): Finding {
  return warning(`only the first ${read} ${type} were looked at`, `cl get ${type} has all`);
}

function lineOf({ level, message, advice }: Finding): string {
  const text = `${level.padEnd(8)} ${message.replaceAll(/\p{Cc}/gu, '\ufffd')}\n`;
  return advice === undefined ? text : `${text}${' '.repeat(9)}-> ${advice}\n`;
}
