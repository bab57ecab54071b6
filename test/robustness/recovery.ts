import { ApiClient } from './api-client.ts';
import type { FaultContext } from './scenario.ts';
import { becomesTrue } from './until.ts';

/** How soon after the end of a fault each server must take writes again. */
const recoveryMs = 5_000;
/** On a slow machine a recovery may take as long as so many writes took before. */
const slowWrites = 30;

/** What the recovery of servers is compared with. */
export interface Recovery {
  /** Called at the end of a fault: reports each server that takes no write in time. */
  readonly after: (fault: string) => Promise<void>;
}

/** Measures writes before the fault. */
export async function measureRecovery(context: Pick<FaultContext, 'servers' | 'report'>): Promise<Recovery> {
  const usualMs = Math.max(...(await Promise.all(context.servers.map(async (server) => untilWritten(server)))));
  const limitMs = Math.max(recoveryMs, slowWrites * usualMs);
  return {
    async after(fault) {
      const times = await Promise.all(context.servers.map(async (server) => untilWritten(server)));
      for (const [server, tookMs] of times.entries()) {
        if (tookMs <= limitMs) continue;
        const message = `server ${server} took no write for ${Math.round(tookMs)} ms after ${fault}`;
        context.report({ promise: 'P28', message });
      }
    },
  };
}

/** How long a server takes until a write succeeds, on a connection of its own. */
async function untilWritten(server: FaultContext['servers'][number]): Promise<number> {
  const client = new ApiClient(server);
  const startMs = performance.now();
  try {
    await becomesTrue(async () => {
      const body = { apiVersion: 'v1', kind: 'Secret', metadata: { generateName: 'recovery-' } };
      const written = await client.send('POST', '/api/v1/namespaces/other/secrets', body).catch(() => undefined);
      return written?.status === 201;
    }, 60_000);
    return performance.now() - startMs;
  } finally {
    await client.close();
  }
}
