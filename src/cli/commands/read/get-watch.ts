import { readLines } from '../../../client/read-lines.ts';
import { readEvent } from '../../../client/read-object.ts';
import { resourcePath } from '../../../client/resource-path.ts';
import { StatusError } from '../../../client/error-of-response.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import { resourceVersionOf } from '../../../meta/object-meta.ts';
import { CliError } from '../../cli-error.ts';
import { readOutput } from '../../printers/print-object.ts';
import type { Target } from '../../targets.ts';
import { getPrinter, listItems } from './get-objects.ts';
import { fetchValue, type GetRun, namespaceOf } from './get-run.ts';
import { acceptOf } from './get-table.ts';
import { eventRows } from './watch-rows.ts';

/** A change of a watch, with an object or a Table with its row. */
interface WatchedEvent {
  readonly type: string;
  readonly object: JsonObject;
}

/** Shows the objects of one type, and then their changes until the server or the user ends it. */
export async function watchTarget(run: GetRun, targets: readonly Target[]): Promise<void> {
  const [target] = targets;
  if (!target || targets.length > 1 || target.names.length > 1) {
    throw new CliError('you may only specify a single resource type', {
      hint: '-w takes one type, and at most one name',
    });
  }
  const { options, io } = run;
  const isTable = ['', 'wide'].includes(readOutput(options).format);
  const accept = isTable ? acceptOf(run) : 'application/json';
  const show = isTable ? eventRows(run, target) : await eventPrinter(run);
  const list = await listOf(run, target, accept);
  if (!options.watchOnly) {
    const objects = isTable || target.names.length > 0 ? [list] : listItems(list, target.resource);
    for (const object of objects) show({ type: 'ADDED', object });
  }
  const { requestTimeout } = options;
  // It ends a watch, which has no other end, without an error.
  const enough = requestTimeout > 0 ? [AbortSignal.timeout(requestTimeout)] : [];
  const from: WatchStart = {
    accept,
    resourceVersion: resourceVersionOf(list),
    signal: AbortSignal.any([io.signal, ...enough]),
  };
  try {
    for await (const event of changes(run, target, from)) {
      if (event.type === 'ERROR') throw new StatusError(event.object);
      if (event.type !== 'BOOKMARK') show(event);
    }
  } catch (error) {
    if (io.signal.aborted || !enough.some(({ aborted }) => aborted)) throw error;
  }
  // An interrupted watch prints no error; the exit code differs from the code of a watch ended by
  // the server.
  io.signal.throwIfAborted();
}

/** The state from which the watch goes on: the object of a name, which must exist, or the list. */
async function listOf(run: GetRun, target: Target, accept: string): Promise<JsonObject> {
  const [name] = target.names;
  const path = resourcePath(target.resource, {
    namespace: namespaceOf(run, target),
    ...(name === undefined ? {} : { name }),
  });
  const { selector: labelSelector, fieldSelector } = run.options;
  return fetchValue(run, { path, accept, query: name === undefined ? { labelSelector, fieldSelector } : {} });
}

interface WatchStart {
  readonly accept: string;
  readonly resourceVersion: string;
  readonly signal: AbortSignal;
}

async function* changes(
  run: GetRun,
  target: Target,
  { accept, resourceVersion, signal }: WatchStart,
): AsyncIterable<WatchedEvent> {
  const { client, options } = run;
  const [name] = target.names;
  const request = {
    method: 'GET',
    path: resourcePath(target.resource, { namespace: namespaceOf(run, target) }),
    query: {
      watch: true,
      resourceVersion,
      labelSelector: options.selector,
      fieldSelector: name === undefined ? options.fieldSelector : `metadata.name=${name}`,
    },
    accept,
    signal,
  };
  // The server sends one event object per line.
  for await (const line of readLines(await client.transport.stream(request))) {
    yield readEvent(client.codec, line, request) as WatchedEvent;
  }
}

/** Prints objects in the format of `-o`, or their events. */
async function eventPrinter(run: GetRun): Promise<(event: WatchedEvent) => void> {
  const print = await getPrinter(run);
  return ({ type, object }) => {
    const value: JsonObject = run.options.outputWatchEvents ? { object, type } : object;
    run.io.stdout.write(print(value));
  };
}
