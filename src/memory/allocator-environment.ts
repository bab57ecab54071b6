/**
 * Settings of glibc's malloc for processes of this package. They fix the length from which a buffer
 * has pages of its own, which malloc otherwise raises up to 32 MiB with each longer one that is
 * freed, and return the end of the heap early. Other C libraries ignore them. They take effect at
 * the start of a process, so that a program cannot set its own.
 */
const settings = { MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_TRIM_THRESHOLD_: '131072' } as const;

/** Returns the environment for a process of this package. Settings of the user remain. */
export function allocatorEnvironment(environment: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  return { ...settings, ...environment };
}
