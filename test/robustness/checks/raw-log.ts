import type { Finding } from '../history.ts';

/** The revision and key of every change that a member of etcd told, of the traffic and of everything else. */
export type RawLog = readonly { readonly revision: number; readonly key: string; readonly what: string }[];

/**
 * Whether etcd itself keeps its promises: revisions rise by one, for every key of the system lies in what is watched and each
 * write is one revision (P5-P8). What is found here is etcd's, and so is all that follows from it.
 */
export function rawLogIsWhole(log: RawLog): Finding[] {
  return log.flatMap(({ revision, key }, i) => {
    const before = log[i - 1]?.revision;
    if (before === undefined || revision === before + 1) return [];
    return [{ promise: 'P8', message: `the raw stream goes from ${before} to ${revision} (${key})` }];
  });
}

/** Whether all members told the same, as far as both have come. */
export function membersAgree(logs: readonly RawLog[]): Finding[] {
  const [first = [], ...others] = logs;
  const known = new Map(first.map(({ revision, what }) => [revision, what]));
  return others.flatMap((log, member) =>
    log
      .filter(({ revision, what }) => known.has(revision) && known.get(revision) !== what)
      .map(({ revision }) => ({ promise: 'P8', message: `member ${member + 1} tells another change at ${revision}` })),
  );
}
