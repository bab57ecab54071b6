import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type LoggedEvent, readEvents } from '../http/audit/audited-server.ts';

const policy = { apiVersion: 'audit.cl.io/v1', kind: 'Policy', rules: [{ level: 'Metadata' }] };

/** Writes a policy for all requests to a directory. Returns the flags of a server process that keeps its audit log there. */
export async function auditFlags(directory: string): Promise<readonly string[]> {
  const file = path.join(directory, 'checked-policy.json');
  await writeFile(file, JSON.stringify(policy));
  return [`--audit-policy-file=${file}`, `--audit-log-path=${path.join(directory, 'checked-audit.log')}`];
}

/**
 * Checks the logs of a server process that has ended, and of its workers, as `checkEvents` does. `wasKilled`: requests that ran then,
 * and the last line, may be incomplete.
 */
export async function checkAuditLogs(directory: string, secrets: readonly string[], wasKilled = false): Promise<void> {
  const files = (await readdir(directory)).filter((name) => /^checked-audit.*\.log$/.test(name));
  assert.notEqual(files.length, 0, 'there is no audit log');
  for (const name of files) {
    const file = path.join(directory, name);
    const text = await readFile(file, 'utf8');
    if (wasKilled) await writeFile(file, text.slice(0, text.lastIndexOf('\n') + 1));
    // Whole words: the paths of a resource may contain a short secret.
    for (const secret of secrets) assert.doesNotMatch(text, new RegExp(`\\b${secret}\\b`), `${name} has a credential`);
    const events = await readEvents(file);
    assert.notEqual(events.length, 0, `${name} is empty`);
    checkEvents(events, { mayLackEnds: wasKilled });
  }
}

/**
 * Checks that each request has one end after its arrival, and that none is missing. Returns the number of requests that have ended.
 */
export function checkEvents(events: readonly LoggedEvent[], { mayLackEnds = false } = {}): number {
  const open = new Map<string, number>();
  let ended = 0;
  for (const { auditID, stage, requestURI } of events) {
    assert.notEqual(stage, 'Panic', requestURI);
    const before = open.get(auditID);
    if (stage === 'RequestReceived') open.set(auditID, (before ?? 0) + 1);
    // A request that is refused before its user is known has this event alone.
    else if (stage === 'ResponseStarted') ended += before === undefined ? 1 : 0;
    else {
      assert.ok(before, `${requestURI} has ended, but has not arrived`);
      open.set(auditID, before - 1);
      ended++;
    }
  }
  const missing = events.filter(({ auditID, stage }) => stage === 'RequestReceived' && open.get(auditID));
  if (!mayLackEnds) {
    assert.deepEqual(
      missing.map(({ verb, requestURI }) => `${verb} ${requestURI}`),
      [],
      'requests without an end',
    );
  }
  return ended;
}
