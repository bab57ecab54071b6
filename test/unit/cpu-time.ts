import { machineSlowness } from '../machine-speed.ts';
import { threadCpuMs } from '../thread-cpu.ts';

/**
 * Runs work and answers the CPU time, in milliseconds, that this thread spent meanwhile, as it would be on the machine for
 * which bounds are stated: neither other programs nor a slower processor add to it.
 */
export async function cpuMsOf(work: () => Promise<unknown> | void): Promise<number> {
  const before = threadCpuMs();
  await work();
  return (threadCpuMs() - before) / machineSlowness();
}
