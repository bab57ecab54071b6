import { askMember } from '../ask-member.ts';
import { bulkPath, writeBulk } from '../bulk-objects.ts';
import { ApiClient } from '../api-client.ts';
import { measureRecovery } from '../recovery.ts';
import { pause, rounds, type Scenario } from '../scenario.ts';
import { becomesTrue } from '../until.ts';

/** The alarm of etcd, as at its quota: writes are refused, reads and deletions are not. */
export const spaceRunsOut: Scenario = {
  name: 'when three members have the alarm NOSPACE, and are disarmed',
  given: { members: 3, servers: 2, workers: 2 },
  errorsExpected: true,
  fault: async (context) => {
    const { members, servers, report } = context;
    const recovery = await measureRecovery(context);
    const endpoint = members[0]?.endpoint ?? '';
    const { header } = await askMember(endpoint, 'maintenance/status');
    const alarm = { memberID: (header as { member_id: string }).member_id, alarm: 'NOSPACE' };
    for (let round = 0; round < rounds(2, context); round++) {
      await askMember(endpoint, 'maintenance/alarm', { action: 'ACTIVATE', ...alarm });
      for (const [index, server] of servers.entries()) {
        const client = new ApiClient(server);
        const refused = await becomesTrue(async () => (await client.send('GET', '/readyz')).status === 500, 90_000);
        if (!refused) report({ promise: 'P28', message: `server ${index} is ready without space in etcd` });
        const list = await client.send('GET', '/api/v1/configmaps');
        if (list.status !== 200)
          report({ promise: 'P16', message: `a list without space was answered ${list.status}` });
        await client.close();
      }
      await pause(4_000 * context.scale);
      await askMember(endpoint, 'maintenance/alarm', { action: 'DEACTIVATE', ...alarm });
      await recovery.after('the alarm');
    }
  },
};

/** A member whose disk is full ends; the others go on without it, and it comes back when there is space. */
export const diskIsFull: Scenario = {
  name: 'when the disk of one of three members is full',
  given: { members: 3, servers: 2, workers: 2, smallDisk: true },
  errorsExpected: true,
  fault: async (context) => {
    const { members, disk, etcd, report } = context;
    const [member] = members;
    if (!member) return;
    const recovery = await measureRecovery(context);
    let isOver = false;
    void member.ended().then(() => (isOver = true));
    if (disk) await disk.fill();
    else await member.kill();
    // Its database has to grow.
    await writeBulk(etcd, 3_000, 4_000).catch(() => undefined);
    if (!(await becomesTrue(() => isOver, 60_000))) report({ promise: 'void', message: 'the disk was never needed' });
    await recovery.after('a member had no space');
    const list = await context.client.send('GET', `${bulkPath}?limit=1`);
    if (list.status !== 200) report({ promise: 'P16', message: `a list was answered ${list.status}` });
    await disk?.free();
    if (isOver) await member.start();
    await recovery.after('a member has space again');
  },
};

const minuteMs = 60_000;

/** Nothing but times in objects may depend on wall clocks: of two servers one is late, then early, then right. */
export const clocksAreStepped: Scenario = {
  name: 'when the wall clocks of servers are set by minutes in either direction',
  given: { members: 3, servers: 2, workers: 2, ownClocks: true },
  races: true,
  fault: async (context) => {
    const recovery = await measureRecovery(context);
    for (const [server, offsetMs] of [
      [0, 7 * minuteMs],
      [1, -7 * minuteMs],
      [0, -3 * minuteMs],
      [1, 0],
      [0, 0],
    ] as const) {
      await context.stepClock(server, offsetMs);
      await pause(5_000 * Math.max(0.2, context.scale));
      await recovery.after('a clock was set');
    }
  },
};
