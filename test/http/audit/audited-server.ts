import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import { startServer, type TestServer, type TestServerOptions } from '../../../src/testing/index.ts';

/** An event as a reader of the log sees it. */
export interface LoggedEvent {
  readonly level: string;
  readonly auditID: string;
  readonly stage: string;
  readonly requestURI: string;
  readonly verb: string;
  readonly user: JsonObject;
  readonly impersonatedUser?: JsonObject;
  readonly sourceIPs: readonly string[];
  readonly userAgent?: string;
  readonly objectRef?: JsonObject;
  readonly responseStatus?: JsonObject;
  readonly requestObject?: JsonObject;
  readonly responseObject?: JsonObject;
  readonly requestReceivedTimestamp: string;
  readonly stageTimestamp: string;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** A server with an audit log. */
export interface AuditedServer extends AsyncDisposable {
  readonly server: TestServer;
  readonly logPath: string;
  readonly directory: string;
  /** Returns the events of a request by its audit ID, in their order. */
  events(auditId: string): Promise<readonly LoggedEvent[]>;
}

/** Options of a server, with its audit policy as a value and the audit log without its path. */
interface AuditedOptions extends Omit<TestServerOptions, 'auditLog' | 'auditPolicyFile'> {
  readonly policy: JsonObject;
  readonly auditLog?: Partial<NonNullable<TestServerOptions['auditLog']>>;
}

/** Starts a server whose requests are recorded by a policy, without its kind and version. */
export async function startAuditedServer({ policy, auditLog, ...options }: AuditedOptions): Promise<AuditedServer> {
  const directory = await mkdtemp(path.join(tmpdir(), 'cl-audit-'));
  const auditPolicyFile = path.join(directory, 'policy.json');
  const logPath = auditLog?.path ?? path.join(directory, 'audit.log');
  const domain = options.identifiers === 'kubernetes' ? 'k8s.io' : 'cl.io';
  await writeFile(auditPolicyFile, JSON.stringify({ apiVersion: `audit.${domain}/v1`, kind: 'Policy', ...policy }));
  const server = await startServer({ ...options, auditPolicyFile, auditLog: { ...auditLog, path: logPath } });
  return {
    server,
    logPath,
    directory,
    events: async (auditId) => (await readEvents(logPath)).filter((event) => event.auditID === auditId),
    async [Symbol.asyncDispose]() {
      await server.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Reads all events of a log in the format json. Throws for a line that is not an event. */
export async function readEvents(logPath: string): Promise<readonly LoggedEvent[]> {
  const lines = (await readFile(logPath, 'utf8')).split('\n').filter(Boolean);
  // The tests check the fields that they use.
  return lines.map((line) => JSON.parse(line) as LoggedEvent);
}
