import { connect, constants, type ClientHttp2Session } from 'node:http2';
import { ApiClient } from '../api-client.ts';
import { bulkPath, secret } from '../bulk-objects.ts';
import { openFiles, residentBytes } from '../process-state.ts';
import { openRawWatch, type RawWatch } from '../raw-watch.ts';
import { type FaultContext, pause, rounds, type Scenario } from '../scenario.ts';
import { becomesTrue } from '../until.ts';

const stuckCount = 100;
/** So many of them read on in the end. */
const resumedCount = 5;
const largeBytes = 100_000;
/** More than waits for one watch and fits into the buffers on the way. */
const largeObjects = 300;
/** What one stuck watcher may cost: what all of them wait for is there once. */
const bytesPerStuckWatcher = 2 << 20;

/** F25, P27: they are cut, not fed from endless buffers; each goes on where it was and misses nothing. */
export const watchersAreStuck: Scenario = {
  name: 'when watchers stop reading',
  given: {},
  fault: async (context) => {
    const { client, servers, report } = context;
    const pid = servers[0]?.pid ?? 0;
    const path = `${bulkPath}?watch=1&resourceVersion=`;
    const start = (await client.send('GET', bulkPath)).body as { metadata: { resourceVersion: string } };
    const open = (): Promise<RawWatch> => openRawWatch(client.address, path + start.metadata.resourceVersion);
    const stuck = await Promise.all(Array.from({ length: stuckCount }, open));
    for (const watch of stuck) watch.pause();
    const before = await residentBytes(pid);
    for (let i = 0; i < largeObjects; i++) await client.send('POST', bulkPath, secret(`large-${i}`, largeBytes));
    const after = await residentBytes(pid);
    const grown = after !== undefined && before !== undefined ? after - before : 0;
    // The objects themselves are in the cache and in its history; they are not the watchers' doing.
    const own = grown - 3 * largeObjects * largeBytes;
    if (own > stuckCount * bytesPerStuckWatcher) {
      report({ promise: 'P27', message: `${stuckCount} stuck watchers cost ${Math.round(own / (1 << 20))} MB` });
    }
    const resumed = stuck.slice(0, resumedCount);
    for (const watch of stuck.slice(resumedCount)) watch.close();
    for (const watch of resumed) watch.resume();
    const cut = await becomesTrue(() => resumed.every((watch) => watch.ended()), 20_000);
    if (!cut) report({ promise: 'P27', message: 'a watcher that did not read for long was not cut' });
    for (const watch of resumed) await goesOn(context, watch);
  },
};

/** Resumes a watch that was cut, and compares both parts with what was written. */
async function goesOn({ client, report }: FaultContext, watch: RawWatch): Promise<void> {
  watch.close();
  const rest =
    watch.revision() === ''
      ? undefined
      : await openRawWatch(client.address, `${bulkPath}?watch=1&resourceVersion=${watch.revision()}`);
  const events = (): string[] => [...watch.events, ...(rest?.events ?? [])];
  const expected = Array.from({ length: largeObjects }, (_, i) => `ADDED large-${i}`);
  await becomesTrue(() => events().length >= largeObjects, 15_000);
  rest?.close();
  if (events().join() !== expected.join()) {
    report({
      promise: 'P9',
      message: `a watcher that was cut and resumed was told ${events().length} of ${largeObjects}`,
    });
  }
}

const streamsPerSession = 100;

/** F26: everybody is told everything, late perhaps. */
export const watchersAreMany: Scenario = {
  name: 'when ten thousand watchers listen',
  given: {},
  rate: 60,
  errorsExpected: true,
  fault: async (context) => {
    const { client, report } = context;
    const sessions = Array.from({ length: rounds(100, context) }, () =>
      connect(client.address.url, { ca: client.address.ca }),
    );
    const counts = { open: 0, frames: 0 };
    for (const session of sessions) openStreams(session, client.address.token, counts);
    const watchers = sessions.length * streamsPerSession;
    const opened = await becomesTrue(() => counts.open === watchers, 60_000);
    if (!opened) report({ promise: 'P30', message: `${counts.open} of ${watchers} watches were opened` });
    const events = rounds(20, context);
    for (let i = 0; i < events; i++) await client.send('POST', bulkPath, secret(`told-${i}`, 1_000));
    const all = await becomesTrue(() => counts.frames === watchers * events, 60_000);
    if (!all) report({ promise: 'P8', message: `${counts.frames} of ${watchers * events} events arrived` });
    for (const session of sessions) session.destroy();
    await pause(1_000);
  },
};

function openStreams(session: ClientHttp2Session, token: string, counts: { open: number; frames: number }): void {
  session.on('error', () => undefined);
  for (let i = 0; i < streamsPerSession; i++) {
    const stream = session.request({
      [constants.HTTP2_HEADER_PATH]: `${bulkPath}?watch=1`,
      authorization: `Bearer ${token}`,
    });
    stream.on('error', () => undefined);
    stream.on('response', () => counts.open++);
    stream.on('data', (chunk: Buffer) => {
      for (const byte of chunk) if (byte === 10) counts.frames++;
    });
  }
}

/** How many more files may be open than before: connections of the traffic come and go. */
const spareFiles = 30;

/** F27, F49: nothing is left behind by those who go away. */
export const clientsGoAway: Scenario = {
  name: 'when clients open watches and lists and go away at once',
  given: {},
  errorsExpected: true,
  fault: async (context) => {
    const { servers, report } = context;
    const pid = servers[0]?.pid ?? 0;
    const before = (await openFiles(pid)) ?? 0;
    // With its own connections, which it closes: those that wait for another request are nobody's leavings.
    const going = new ApiClient(context.client.address);
    const end = performance.now() + 15_000 * context.scale;
    while (performance.now() < end) await Promise.all(Array.from({ length: 40 }, () => askAndGo(context, going)));
    await going.close();
    const quiet = await becomesTrue(async () => ((await openFiles(pid)) ?? 0) <= before + spareFiles, 20_000);
    if (!quiet) report({ promise: 'P27', message: `${await openFiles(pid)} files are open, ${before} were` });
  },
};

async function askAndGo({ random }: FaultContext, client: ApiClient): Promise<void> {
  const signal = AbortSignal.timeout(random.between(1, 40));
  const query = random.next() < 0.5 ? '?watch=1&resourceVersion=0' : '?limit=3';
  const name = `gone-${random.between(0, 1_000_000)}`;
  const asked =
    random.next() < 0.3
      ? client.send('POST', bulkPath, secret(name, 50_000), 'application/json', signal)
      : client.send('GET', `/api/v1/configmaps${query}`, undefined, '', signal);
  await asked.catch(() => undefined);
}
