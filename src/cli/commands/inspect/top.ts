import type { Invocation } from '../../command.ts';
import type { topNodeFlags, topPodFlags } from './flags.ts';
import type { Client } from '../../../client/client.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import { addQuantities, parseQuantity, type Quantity } from '../../../meta/quantity.ts';
import { CliError } from '../../cli-error.ts';
import type { CliIo } from '../../cli-io.ts';
import { withClient } from '../../connect.ts';
import type { Session } from '../../find-type.ts';
import { columnWidths, formatRows, visibleText } from '../../format-rows.ts';
import { builtIn, listAll, openSource, type Source } from './describe/parts/related.ts';
import { itemsAt, partAt, textAt } from './describe/parts/values.ts';

/** Processor time, memory and swap in use. */
interface Usage {
  readonly cpu: Quantity;
  readonly memory: Quantity;
  readonly swap: Quantity;
}

const zero: Quantity = { nanos: 0n, format: 'decimal' };
const nothing: Usage = { cpu: zero, memory: zero, swap: zero };

/** A line of the table: the names before the amounts, and for nodes what they have. */
interface UsageRow {
  readonly names: readonly string[];
  readonly usage: Usage;
  readonly whole?: Usage;
}

/** The resources that are shown, with their headings. */
const columns = [
  { resource: 'cpu', amount: 'CPU(cores)', share: 'CPU(%)', format: milli },
  { resource: 'memory', amount: 'MEMORY(bytes)', share: 'MEMORY(%)', format: mebi },
  { resource: 'swap', amount: 'SWAP(bytes)', share: 'SWAP(%)', format: mebi },
] as const;

function columnsOf({ showSwap }: { readonly showSwap: boolean }): readonly (typeof columns)[number][] {
  return columns.filter(({ resource }) => showSwap || resource !== 'swap');
}

const unknown = '<unknown>';

/** `cl top node`: shows what nodes use, by the metrics API. */
export async function topNode({ words, options, io }: Invocation<typeof topNodeFlags>): Promise<void> {
  await withMetrics({ options, io }, 'nodes', async (source, metrics) => {
    const nodes = builtIn(source.resources, '', 'nodes');
    const read = (resource: typeof metrics) => readSelected(source, resource, { words, options });
    const [used, known] = await Promise.all([read(metrics), nodes ? read(nodes) : []]);
    if (known.length === 0) throw new CliError('metrics not available yet');
    const byName = new Map(used.map((each) => [textAt(each, 'metadata.name'), usageOf(partAt(each, 'usage'))]));
    const shown = columnsOf(options);
    const rows = known.flatMap((node): UsageRow[] => {
      const name = textAt(node, 'metadata.name');
      const usage = byName.get(name);
      return usage ? [{ names: [name], usage, whole: wholeOf(node, options.showCapacity) }] : [];
    });
    const lines = sorted(rows, options.sortBy).map(({ names, usage, whole = nothing }) => [
      ...names,
      ...shown.flatMap(({ resource, format }) => amountAndShare(usage[resource], whole[resource], resource, format)),
    ]);
    const missing = known.map((node) => textAt(node, 'metadata.name')).filter((name) => !byName.has(name));
    const others = missing.map((name) => [name, ...shown.flatMap(() => [unknown, unknown])]);
    const headings = ['NAME', ...shown.flatMap(({ amount, share }) => [amount, share])];
    print(io, options, headings, [...lines, ...others]);
  });
}

/** The amounts of a node; swap is no resource of pods, and in another field. */
function wholeOf(node: JsonObject, isCapacity: boolean): Usage {
  const amounts = partAt(node, `status.${isCapacity ? 'capacity' : 'allocatable'}`);
  return usageOf({ ...amounts, swap: textAt(node, 'status.nodeInfo.swap.capacity') });
}

function amountAndShare(
  amount: Quantity,
  whole: Quantity,
  resource: keyof Usage,
  format: (amount: Quantity) => string,
): readonly [string, string] {
  const isKnown = whole.nanos !== 0n;
  const share = isKnown ? `${(amount.nanos * 100n) / whole.nanos}%` : unknown;
  return [isKnown || resource !== 'swap' ? format(amount) : unknown, share];
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
    const rows = sorted(
      pods.map((pod) => podRow(pod, options.allNamespaces)),
      options.sortBy,
    );
    const shown = columnsOf(options);
    const amounts = (usage: Usage) => shown.map(({ resource, format }) => format(usage[resource]));
    const names = [
      ...(options.allNamespaces ? ['NAMESPACE'] : []),
      ...(options.containers ? ['POD', 'NAME'] : ['NAME']),
    ];
    const blank = names.map(() => '');
    const sums = [
      [...blank, ...shown.map(() => '________')],
      [...blank, ...amounts(rows.map(({ usage }) => usage).reduce(addUsage, nothing))],
    ];
    const shownRows = options.containers ? rows.flatMap(({ containers }) => sorted(containers, options.sortBy)) : rows;
    const lines = shownRows.map((row) => [...row.names, ...amounts(row.usage)]);
    const headings = [...names, ...shown.map(({ amount }) => amount)];
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
    const source = await openSource({ client, ...caller });
    const metrics = builtIn(source.resources, 'metrics', plural);
    if (!metrics) {
      throw new CliError('Metrics API not available', { hint: 'a metrics server has to be installed in the cluster' });
    }
    await use(source, metrics);
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

/** A pod, and its containers. */
interface PodRow extends UsageRow {
  readonly containers: readonly UsageRow[];
}

function podRow(pod: JsonObject, allNamespaces: boolean): PodRow {
  const names = [...(allNamespaces ? [textAt(pod, 'metadata.namespace')] : []), textAt(pod, 'metadata.name')];
  const containers = itemsAt(pod, 'containers').map((each) => ({
    names: [...names, textAt(each, 'name')],
    usage: usageOf(partAt(each, 'usage')),
  }));
  return { names, usage: containers.map(({ usage }) => usage).reduce(addUsage, nothing), containers };
}

function usageOf(amounts: JsonObject): Usage {
  const amount = (name: string): Quantity => {
    const found = parseQuantity(textAt(amounts, name) || '0');
    return 'error' in found ? zero : found;
  };
  return { cpu: amount('cpu'), memory: amount('memory'), swap: amount('swap') };
}

function addUsage(one: Usage, other: Usage): Usage {
  return {
    cpu: addQuantities(one.cpu, other.cpu),
    memory: addQuantities(one.memory, other.memory),
    swap: addQuantities(one.swap, other.swap),
  };
}

const nanosPerMilli = 1_000_000n;
const nanosPerMebi = 1024n * 1024n * 1_000_000_000n;

function milli({ nanos }: Quantity): string {
  return `${(nanos + nanosPerMilli - 1n) / nanosPerMilli}m`;
}

function mebi({ nanos }: Quantity): string {
  return `${nanos / nanosPerMebi}Mi`;
}

/** By the greatest use, or by name. */
function sorted<Shown extends UsageRow>(rows: readonly Shown[], by: 'cpu' | 'memory' | undefined): Shown[] {
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
