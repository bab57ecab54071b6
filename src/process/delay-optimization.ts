import { setFlagsFromString } from 'node:v8';

/**
 * The bytes of bytecode that V8 inlines into one optimized function: each callee, and all together.
 * V8's own values are 460 and 920.
 */
const limits: Readonly<Record<string, number>> = {
  'max-inlined-bytecode-size': 100,
  'max-inlined-bytecode-size-cumulative': 200,
};

/**
 * Lets V8 inline less into the functions that it optimizes. A write passes through a thousand
 * functions, and none of them is hot enough for more: their compilation takes half the CPU time,
 * their code is as fast, and a young server has it sooner. For use in a process that only runs this
 * program.
 */
export function limitInlining(): void {
  for (const [flag, bytes] of Object.entries(limits)) setFlagsFromString(`--${flag}=${bytes}`);
}

/** A threshold of V8: its flag, V8's own value, and the value during the start. */
interface Threshold {
  readonly flag: string;
  readonly usual: number;
  readonly delayed: number;
}

/**
 * How much a function must run before it is optimized: V8 counts bytes of executed bytecode up to
 * Node 20, and calls since Node 22.
 */
const thresholds: readonly Threshold[] = process.versions.v8.startsWith('11.')
  ? [{ flag: 'interrupt-budget', usual: 67_584, delayed: 16 * 67_584 }]
  : [
      { flag: 'invocation-count-for-maglev', usual: 400, delayed: 16 * 400 },
      { flag: 'invocation-count-for-turbofan', usual: 3_000, delayed: 16 * 3_000 },
    ];

/**
 * Lets V8 optimize only those functions that run sixteen times as long as usual, until the returned
 * function is called. Most functions of a start run a few thousand times and never again: compiling
 * them costs a fifth of the start's CPU time, and memory that the compiler's threads keep. For use
 * in a process that only runs this program. V8 reads these flags at run time, unlike most.
 */
export function delayOptimization(): () => void {
  set('delayed');
  return () => {
    set('usual');
  };
}

function set(value: 'usual' | 'delayed'): void {
  for (const threshold of thresholds) setFlagsFromString(`--${threshold.flag}=${threshold[value]}`);
}
