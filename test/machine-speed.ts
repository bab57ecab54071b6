import { threadCpuMs } from './thread-cpu.ts';

/** CPU time of the known work, in milliseconds, on the machine for which bounds of CPU time are stated. */
const knownWorkMs = 10;

/** The work of a server in small: objects with texts as keys and values are made, written, parsed and looked up. */
function knownWork(): number {
  let found = 0;
  for (let round = 0; round < 8; round++) {
    const items = Array.from({ length: 500 }, (_, index) => ({
      metadata: { name: `item-${index}`, labels: { app: `a${index % 7}`, round: String(round) } },
      spec: { replicas: index, ports: [index, index + 1], text: 'x'.repeat(index % 50) },
    }));
    const parsed = JSON.parse(JSON.stringify(items)) as typeof items;
    const byName = new Map(parsed.map((item) => [item.metadata.name, item]));
    for (const { metadata } of items) found += byName.get(metadata.name)?.spec.replicas ?? 0;
  }
  return found;
}

function timesSlower(): number {
  const before = threadCpuMs();
  knownWork();
  return (threadCpuMs() - before) / knownWorkMs;
}

// The first runs are those of the compiler.
for (let run = 0; run < 5; run++) knownWork();

/**
 * How many times as much CPU time this machine takes at present as the one for which bounds of CPU time are stated, at
 * least 1: other programs on the same core and in its caches slow it down, too. Call it right after the measured work.
 */
export function machineSlowness(): number {
  // The median, because a collection of garbage may fall into one of them.
  const [, median = 1] = [timesSlower(), timesSlower(), timesSlower()].toSorted((a, b) => a - b);
  return Math.max(1, median);
}
