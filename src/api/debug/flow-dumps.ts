import type { PriorityLevel, Ticket } from '../../flowcontrol/priority-level.ts';
import { methodNotAllowed } from '../../status/status-error.ts';
import { isQueuedExchange, type RequestFlows } from '../filters/fair-queuing.ts';
import type { Exchange } from '../request/exchange.ts';
import { sendAsItIs } from '../../http-protocol/responses/send-bytes.ts';

type TableRow = readonly string[];

/** The tables of flow control for administrators, by path, as kube-apiserver prints them. */
export function flowDumps(flows: RequestFlows): ReadonlyMap<string, (exchange: Exchange) => void> {
  const tables: Readonly<
    Record<string, (levels: readonly PriorityLevel[], exchange: Exchange) => readonly TableRow[]>
  > = {
    dump_priority_levels: levelRows,
    dump_queues: queueRows,
    dump_requests: requestRows,
  };
  return new Map(
    Object.entries(tables).map(([name, rowsOf]) => [
      `/debug/api_priority_and_fairness/${name}`,
      (exchange) => {
        if (exchange.request.method !== 'GET') throw methodNotAllowed();
        const body = Buffer.from(aligned(rowsOf(flows.current().levels, exchange)));
        sendAsItIs(exchange, { status: 200, contentType: 'text/plain; charset=utf-8', body });
      },
    ]),
  );
}

const none = '<none>';

function levelRows(levels: readonly PriorityLevel[]): readonly TableRow[] {
  return [
    ['PriorityLevelName', 'ActiveQueues', 'IsIdle', 'IsQuiescing', 'WaitingRequests', 'ExecutingRequests'],
    ...levels.map((level) => {
      const { name, exempt } = level.settings;
      if (exempt) return [name, none, none, none, none, none];
      const isIdle = level.executing + level.waiting === 0;
      return [
        name,
        String(level.activeQueues),
        String(isIdle),
        'false',
        String(level.waiting),
        String(level.executing),
      ];
    }),
  ];
}

/** A level with one of its queues. */
function queuesOf(levels: readonly PriorityLevel[]) {
  return levels.flatMap((level) => level.queues.map((queue) => ({ name: level.settings.name, queue })));
}

function queueRows(levels: readonly PriorityLevel[]): readonly TableRow[] {
  return [
    ['PriorityLevelName', 'Index', 'PendingRequests', 'ExecutingRequests', 'SeatsInUse', 'VirtualStart'],
    ...queuesOf(levels).map(({ name, queue }) => [
      name,
      String(queue.index),
      String(queue.waiting.length),
      String(queue.executing),
      String(queue.seatsInUse),
      (queue.virtualStartMs / 1_000).toFixed(4),
    ]),
  ];
}

function requestRows(levels: readonly PriorityLevel[], { query }: Exchange): readonly TableRow[] {
  const isDetailed = query.get('includeRequestDetails') === '1';
  const details = ['UserName', 'Verb', 'APIPath', 'Namespace', 'Name', 'APIVersion', 'Resource', 'SubResource'];
  return [
    [
      'PriorityLevelName',
      'FlowSchemaName',
      'QueueIndex',
      'RequestIndexInQueue',
      'FlowDistingsher',
      'ArriveTime',
      ...(isDetailed ? details : []),
    ],
    ...queuesOf(levels).flatMap(({ name, queue }) =>
      queue.waiting.map((ticket, index) => [
        name,
        ticket.request.schema,
        String(queue.index),
        String(index),
        ticket.request.distinguisher,
        new Date(performance.timeOrigin + ticket.arrivedMs).toISOString(),
        ...(isDetailed ? detailsOf(ticket) : []),
      ]),
    ),
  ];
}

function detailsOf({ request }: Ticket): TableRow {
  if (!isQueuedExchange(request.details)) return [];
  const { user, verb, path } = request.details;
  const { target } = path;
  if (!target) return [user.username, verb, path.decoded];
  const { namespace, name, version, resource, subresource } = target;
  return [user.username, verb, path.decoded, namespace, name, version, resource, subresource];
}

/** Rows with columns of equal width, separated by commas. */
function aligned(rows: readonly TableRow[]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length))) ?? [];
  const cell = (text: string, column: number): string => `${text}, `.padEnd((widths[column] ?? 0) + 2);
  return rows.map((row) => `${row.map(cell).join('').trimEnd()}\n`).join('');
}
