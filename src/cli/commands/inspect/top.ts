import type { Invocation } from '../../command.ts';
import type { topNodeFlags, topPodFlags } from './flags.ts';
import type { Client } from '../../../client/client.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import { addQuantities, parseQuantity, type Quantity } from '../../../meta/quantity.ts';
import { CliError } from '../../cli-error.ts';
import type { CliIo } from '../../cli-io.ts';
import { withClient } from '../../connect.ts';
import { resourcesOf, type Session } from '../../find-type.ts';
import { columnWidths, formatRows, visibleText } from '../../format-rows.ts';
import { builtIn, listAll, type Source } from './describe/parts/related.ts';
import { itemsAt, partAt, textAt } from './describe/parts/values.ts';

/** Processor time and memory in use. */
interface Usage {
  readonly cpu: Quantity;
  readonly memory: Quantity;
}

const zero: Quantity = { nanos: 0n, format: 'decimal' };
const nothing: Usage = { cpu: zero, memory: zero };

/** A line of the table: what is before the amounts, and the object's part for sorting. */
interface UsageRow {
  readonly names: readonly string[];
  readonly usage: Usage;
  readonly more?: readonly string[];
}

/** `cl top node`: shows what nodes use, by the metrics API. */
export async function topNode({ words, options, io }: Invocation<typeof topNodeFlags>): Promise<void> {
  await withMetrics({ options, io }, 'nodes', async (source, metrics) => {
    const nodes = builtIn(source.resources, '', 'nodes');
    const read = (resource: typeof metrics) => readSelected(source, resource, { words, options });
    const [used, known] = await Promise.all([read(metrics), nodes ? read(nodes) : []]);
    const byName = new Map(used.map((each) => [textAt(each, 'metadata.name'), usageOf(partAt(each, 'usage'))]));
    const rows = known.flatMap((node) => {
      const name = textAt(node, 'metadata.name');
      const usage = byName.get(name);
      const whole = usageOf(partAt(node, `status.${options.showCapacity ? 'capacity' : 'allocatable'}`));
      return usage ? [{ names: [name], usage, more: [share(usage, whole, 'cpu'), share(usage, whole, 'memory')] }] : [];
    });
    const missing = known.map((node) => textAt(node, 'metadata.name')).filter((name) => !byName.has(name));
    if (known.length === 0) throw new CliError('metrics not available yet');
    const lines = sorted(rows, options.sortBy).map(({ names, usage, more = [] }) => {
      const [cpu = '', memory = ''] = more;
      return [...names, milli(usage.cpu), cpu, mebi(usage.memory), memory];
    });
    const unknown = missing.map((name) => [name, ...Array.from({ length: 4 }, () => '<unknown>')]);
    print(io, options, ['NAME', 'CPU(cores)', 'CPU(%)', 'MEMORY(bytes)', 'MEMORY(%)'], [...lines, ...unknown]);
  });
}

/** `cl top pod`: shows what pods or their containers use, by the metrics API. */
export async function topPod({ words, options, io }: Invocation<typeof topPodFlags>): Promise<void> {
  await withMetrics({ options, io }, 'pods', async (source, metrics) => {
    const namespace = options.allNamespaces ? undefined : source.client.settings.namespace;
    const pods = await readSelected(source, metrics, { words, options, namespace });
    if (pods.length === 0) {
      io.stderr.write(`No resources found${namespace === undefined ? '' : ` in ${namespace} namespace.`}\n`);
      return;
    }
    const rows = pods.flatMap((pod) => podRows(pod, options));
    const lines = sorted(rows, options.sortBy).map(({ names, usage }) => [
      ...names,
      milli(usage.cpu),
      mebi(usage.memory),
    ]);
    const total = rows.map(({ usage }) => usage).reduce(addUsage, nothing);
    const headings = [
      ...(options.allNamespaces ? ['NAMESPACE'] : []),
      ...(options.containers ? ['POD', 'NAME'] : ['NAME']),
      'CPU(cores)',
      'MEMORY(bytes)',
    ];
    const blank = Array.from({ length: headings.length - 2 }, () => '');
    const sums = [
      [...blank, '________', '________'],
      [...blank, milli(total.cpu), mebi(total.memory)],
    ];
    print(io, options, headings, [...lines, ...(options.sum ? sums : [])]);
  });
}

/** Calls with the resource of the metrics; throws if the server has none. */
async function withMetrics(
  caller: Pick<Session, 'options' | 'io'>,
  plural: string,
  use: (source: Source, metrics: Parameters<typeof listAll>[1]) => Promise<void>,
): Promise<void> {
  await withClient(caller, async (client: Client) => {
    const resources = await resourcesOf({ client, ...caller });
    const metrics = builtIn(resources, 'metrics', plural);
    if (!metrics) {
      throw new CliError('Metrics API not available', { hint: 'a metrics server has to be installed in the cluster' });
    }
    await use({ client, resources, signal: caller.io.signal, chunkSize: 500 }, metrics);
  });
}

interface MetricsSelection {
  readonly words: readonly string[];
  readonly options: { readonly selector: string | undefined; readonly fieldSelector?: string | undefined };
  readonly namespace?: string | undefined;
}

/** The object that is named, or those that are selected. */
async function readSelected(
  source: Source,
  resource: Parameters<typeof listAll>[1],
  { words: [name], options, namespace }: MetricsSelection,
): Promise<JsonObject[]> {
  const place = namespace === undefined ? {} : { namespace };
  if (name !== undefined) {
    if (options.selector) throw new CliError('only one of NAME or --selector can be provided');
    // The codec of the client returns JSON values.
    return [(await source.client.resource(resource).get(name, { ...place, signal: source.signal })) as JsonObject];
  }
  const { selector: labelSelector, fieldSelector } = options;
  return listAll(source, resource, {
    ...place,
    ...(labelSelector ? { labelSelector } : {}),
    ...(fieldSelector ? { fieldSelector } : {}),
  });
}

function podRows(pod: JsonObject, options: Invocation<typeof topPodFlags>['options']): UsageRow[] {
  const name = textAt(pod, 'metadata.name');
  const before = options.allNamespaces ? [textAt(pod, 'metadata.namespace')] : [];
  const containers = itemsAt(pod, 'containers').map((each) => ({
    names: [...before, name, textAt(each, 'name')],
    usage: usageOf(partAt(each, 'usage')),
  }));
  if (options.containers) return containers;
  return [{ names: [...before, name], usage: containers.map(({ usage }) => usage).reduce(addUsage, nothing) }];
}

function usageOf(amounts: JsonObject): Usage {
  const amount = (name: string): Quantity => {
    const found = parseQuantity(textAt(amounts, name) || '0');
    return 'error' in found ? zero : found;
  };
  return { cpu: amount('cpu'), memory: amount('memory') };
}

function addUsage(one: Usage, other: Usage): Usage {
  return { cpu: addQuantities(one.cpu, other.cpu), memory: addQuantities(one.memory, other.memory) };
}

const nanosPerMilli = 1_000_000n;
const nanosPerMebi = 1024n * 1024n * 1_000_000_000n;

function milli({ nanos }: Quantity): string {
  return `${(nanos + nanosPerMilli - 1n) / nanosPerMilli}m`;
}

function mebi({ nanos }: Quantity): string {
  return `${nanos / nanosPerMebi}Mi`;
}

function share(usage: Usage, whole: Usage, resource: 'cpu' | 'memory'): string {
  return whole[resource].nanos === 0n ? '<unknown>' : `${(usage[resource].nanos * 100n) / whole[resource].nanos}%`;
}

/** By the greatest use, or by name. */
function sorted(rows: readonly UsageRow[], by: 'cpu' | 'memory' | undefined): UsageRow[] {
  const byName = (one: UsageRow, other: UsageRow) => (one.names.join('\0') < other.names.join('\0') ? -1 : 1);
  if (by === undefined) return rows.toSorted(byName);
  return rows.toSorted((one, other) => Number(other.usage[by].nanos - one.usage[by].nanos) || byName(one, other));
}

function print(
  io: CliIo,
  { noHeaders }: { readonly noHeaders: boolean },
  headings: readonly string[],
  lines: readonly (readonly string[])[],
): void {
  const rows = [...(noHeaders ? [] : [headings]), ...lines].map((row) => row.map(visibleText));
  io.stdout.write(formatRows(rows, columnWidths(rows)));
}
