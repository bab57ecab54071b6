import { setTimeout as sleep } from 'node:timers/promises';
import { type ConfigMapBody, versionOf } from '../object-history.ts';
import { checkWatch, type ReceivedEvent } from '../check-watch.ts';
import { openByteStream } from '../byte-stream.ts';
import { modelReaches, repeat, type SoakContext } from '../soak-context.ts';
import { type Selection, selections } from '../selections.ts';

interface WatchDocument {
  readonly type: string;
  readonly object: ConfigMapBody & { readonly code?: number };
}

/** What a watch delivered: its events, and the revision of its last document. */
interface Received {
  readonly events: ReceivedEvent[];
  last: number;
}

/** Watches a selection for some seconds from a recent revision and compares the events with the model. */
export async function runWatcher(context: SoakContext, protocol: 'http1' | 'http2', pauseMs: number): Promise<void> {
  await repeat(context, 'watch', pauseMs, async () => {
    const selection = context.random.pick(selections);
    const start = Math.max(1, context.history.revision - context.random.between(0, 200));
    const received = await watchFor(context, { selection, start, protocol, ms: context.random.between(500, 20_000) });
    context.count('watches');
    if (!received || !(await modelReaches(context, received.last))) return;
    const wrong = checkWatch({ selection, start, ...received }, context.history);
    if (wrong === undefined) return;
    context.fault(`watch ${selection.path} ${JSON.stringify(selection.query)} from ${start}: ${wrong}`);
  });
}

interface WatchPlan {
  readonly selection: Selection;
  readonly start: number;
  readonly protocol: 'http1' | 'http2';
  readonly ms: number;
}

/** The events of one watch; undefined where its start is too old. */
async function watchFor(context: SoakContext, plan: WatchPlan): Promise<Received | undefined> {
  const { selection, start, protocol, ms } = plan;
  const query = new URLSearchParams({
    ...selection.query,
    watch: '1',
    resourceVersion: String(start),
    allowWatchBookmarks: 'true',
  });
  const received: Received = { events: [], last: start };
  let rest = '';
  let tooOld = false;
  const stream = await openByteStream(context.target, protocol, `${selection.path}?${query.toString()}`);
  if (stream.status === 410) tooOld = true;
  else if (stream.status !== 200) throw new Error(`a watch was answered ${stream.status}`);
  stream.onData((chunk) => {
    const lines = (rest + chunk.toString('utf8')).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const { type, object } = JSON.parse(line) as WatchDocument;
      if (type === 'ERROR') {
        tooOld ||= object.code === 410;
        continue;
      }
      received.last = Number(object.metadata.resourceVersion);
      if (type !== 'BOOKMARK') received.events.push({ type, revision: received.last, version: versionOf(object) });
    }
  });
  await sleep(ms, undefined, { signal: context.signal }).catch(() => undefined);
  stream.close();
  return tooOld ? undefined : received;
}
