/** What the bench is asked to do; every part can be set by an environment variable of the name that stands behind it. */
export interface BenchSettings {
  /** BENCH_QUICK=1: a short run with few objects, to see that all works. */
  readonly quick: boolean;
  /** BENCH_SECONDS: how long one measurement presses. */
  readonly seconds: number;
  /** BENCH_ROUNDS: measurements of each contender; they take turns, and the median counts. */
  readonly rounds: number;
  /** BENCH_ONLY, or the arguments: scenarios whose names begin with one of these words; none means all. */
  readonly only: readonly string[];
  /** BENCH_OBJECTS: ConfigMaps in the collection that is read. */
  readonly objects: number;
  /** BENCH_COLD_OBJECTS: objects of the cold start and of the larger memory scenario. */
  readonly coldObjects: number;
  /** BENCH_IDLE_WATCHERS: as far as the limit of open files allows. */
  readonly idleWatchers: number;
  /** BENCH_OUTPUT: where the figures go as JSON. */
  readonly output: string;
  readonly peer: PeerSettings | undefined;
}

/** BENCH_PEER, BENCH_PEER_TOKEN, BENCH_PEER_PID: a kube-apiserver that is measured beside this server. */
export interface PeerSettings {
  readonly url: string;
  readonly token: string;
  readonly pid: number;
}

/** Reads the settings from an environment and arguments. Throws for a number that is none. */
export function benchSettings(environment: NodeJS.ProcessEnv, words: readonly string[]): BenchSettings {
  const quick = environment['BENCH_QUICK'] === '1';
  const number = (name: string, usual: number, inQuick: number): number => {
    const text = environment[name];
    const value = text === undefined ? (quick ? inQuick : usual) : Number(text);
    if (!(value > 0)) throw new RangeError(`${name}: must be a number above zero, not ${text}`);
    return value;
  };
  const only = [...words, ...(environment['BENCH_ONLY'] ?? '').split(',')];
  return {
    quick,
    seconds: number('BENCH_SECONDS', 3, 0.7),
    rounds: number('BENCH_ROUNDS', 3, 1),
    only: only.map((word) => word.trim()).filter((word) => word !== ''),
    objects: number('BENCH_OBJECTS', 10_000, 2_000),
    coldObjects: number('BENCH_COLD_OBJECTS', 100_000, 10_000),
    idleWatchers: number('BENCH_IDLE_WATCHERS', 10_000, 500),
    output: environment['BENCH_OUTPUT'] ?? 'bench.json',
    peer: peerOf(environment),
  };
}

function peerOf(environment: NodeJS.ProcessEnv): PeerSettings | undefined {
  const url = environment['BENCH_PEER'];
  if (!url) return undefined;
  const pid = Number(environment['BENCH_PEER_PID']);
  if (!Number.isInteger(pid)) throw new RangeError('BENCH_PEER_PID: must be the process id of the peer');
  return { url: url.replace(/\/$/, ''), token: environment['BENCH_PEER_TOKEN'] ?? '', pid };
}
