import { setTimeout as sleep } from 'node:timers/promises';
import type { EtcdMember } from './etcd-members.ts';

const attempts = 100;

/** The member that leads; waits for an election. Undefined where there is none for ten seconds. */
export async function leaderOf(members: readonly EtcdMember[]): Promise<EtcdMember | undefined> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    for (const member of members) if (await member.leads()) return member;
    await sleep(100);
  }
  return undefined;
}
