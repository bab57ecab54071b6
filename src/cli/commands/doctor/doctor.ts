import { certificateHint } from '../../certificate-hint.ts';
import { CliError, errorLine, isUnanswered } from '../../cli-error.ts';
import type { Invocation } from '../../command.ts';
import { withClient } from '../../connect.ts';
import { resourcesOf } from '../../find-type.ts';
import { checkCredentials, checkReadiness, checkServerCertificate, checkVersion } from './connection-checks.ts';
import { examinedPlane } from './examined-plane.ts';
import { type Check, error, type Examination, type Finding, warning } from './finding.ts';
import type { doctorFlags } from './flags.ts';
import { checkCounts } from './metric-checks.ts';
import { checkDefinitions, checkGroups, checkNamespaces, checkNodes, checkWebhooks } from './object-checks.ts';
import { checkPlane } from './plane-checks.ts';
import { checkState } from './state-checks.ts';
import { visibleText } from '../../format-rows.ts';

const checks: readonly Check[] = [
  checkServerCertificate,
  checkVersion,
  checkReadiness,
  checkCounts,
  checkState,
  checkGroups,
  checkDefinitions,
  checkWebhooks,
  checkNamespaces,
  checkNodes,
];

/** `cl doctor`: looks for problems of the connection, the server and its objects. */
export async function doctor({ options: given, given: isGiven, io }: Invocation<typeof doctorFlags>): Promise<void> {
  const plane = await examinedPlane({ options: given, given: isGiven, io });
  const clientconfig = given.clientconfig ?? given.kubeconfig ?? plane?.configFile;
  const options = plane ? { ...given, clientconfig } : given;
  let errors = 0;
  const tell = (finding: Finding): void => {
    if (finding.level === 'error') errors++;
    if (!options.quiet || finding.level !== 'ok') io.stdout.write(lineOf(finding));
  };
  if (plane) (await checkPlane(plane, Date.now())).forEach(tell);
  await withClient({ options, io }, (client) => examineServer({ client, options, io }, tell));
  if (errors > 0) throw new CliError(`${errors} errors were found`, { silent: true });
}

async function examineServer(
  session: Pick<Examination, 'client' | 'options' | 'io'>,
  tell: (finding: Finding) => void,
): Promise<void> {
  const parts = new Map<string, number>();
  const onPart = (type: string, read: number): void => void parts.set(type, read);
  const examination = { ...session, nowMs: Date.now(), onPart };
  const run = async (check: Check, resources: Examination['resources']): Promise<void> =>
    (await check({ ...examination, resources }).catch(unknown)).forEach(tell);
  await run(checkCredentials, []);
  const resources = await resourcesOf(session).catch((cause: unknown) => {
    if (!isUnanswered(cause)) throw cause;
    tell(unanswered(cause));
  });
  // All others would fail in the same way.
  if (!resources) return;
  for (const check of checks) await run(check, resources);
  for (const [type, read] of parts) tell(partOf(type, read));
}

function unanswered(cause: unknown): Finding {
  const message = cause instanceof Error ? cause.message : String(cause);
  return error(
    message,
    certificateHint(cause) ?? 'start the server, or see whether its address and the network are right',
  );
}

/** A check that cannot find out, for lack of rights for instance. */
function unknown(cause: unknown): readonly Finding[] {
  return [warning(`a check failed: ${errorLine(cause).replace(/^error: /i, '')}`, 'run it as an administrator')];
}

function partOf(type: string, read: number): Finding {
  return warning(`only the first ${read} ${type} were looked at`, `cl get ${type} has all`);
}

function lineOf({ level, message, advice }: Finding): string {
  const text = `${level.padEnd(8)} ${visibleText(message)}\n`;
  return advice === undefined ? text : `${text}${' '.repeat(9)}-> ${advice}\n`;
}
