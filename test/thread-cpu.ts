import { readFileSync } from 'node:fs';

/**
 * CPU time of the calling thread in milliseconds. Unlike wall time it does not grow while the machine runs other
 * processes, unlike that of the process not with the work of the garbage collector's and the compiler's threads. That of
 * the whole process where the system does not account for threads.
 */
export function threadCpuMs(): number {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'latin1').split(' ', 1)[0]) / 1e6;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  }
}
