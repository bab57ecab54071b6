import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Identifiers } from '../../identifiers/identifiers.ts';

/** The audit log of an API server, and the flags that it needs besides those that were given. */
interface AuditLog {
  /** The path of the audit log; undefined if there is no file. */
  readonly path: string | undefined;
  readonly flags: readonly string[];
}

/**
 * Finds the audit log in the flags for an API server. Without a policy nothing would be logged, so
 * one is written that logs who does what, without the objects.
 */
export async function auditLogOf(
  given: readonly string[],
  { dataDir, directory, identifiers }: AuditPlace,
): Promise<AuditLog> {
  const valueOf = (flag: string): string | undefined =>
    given.findLast((each) => each.startsWith(`--${flag}=`))?.slice(flag.length + 3);
  const path = valueOf('audit-log-path');
  if (!path) return { path: undefined, flags: [] };
  const file = path === '-' ? undefined : resolve(directory, path);
  if (valueOf('audit-policy-file') !== undefined) return { path: file, flags: [] };
  const policy = join(dataDir, 'audit-policy.yaml');
  await writeFile(policy, policyText(identifiers), { mode: 0o600 });
  return { path: file, flags: [`--audit-policy-file=${policy}`] };
}

interface AuditPlace {
  readonly dataDir: string;
  /** The folder of relative paths. */
  readonly directory: string;
  readonly identifiers: Identifiers;
}

function policyText({ apiDomain }: Identifiers): string {
  return `apiVersion: audit.${apiDomain}/v1
kind: Policy
omitStages: [RequestReceived]
rules:
- level: Metadata
`;
}
