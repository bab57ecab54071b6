/** Runs work and answers the CPU time, in milliseconds, that this process spent meanwhile: other programs do not add to it. */
export async function cpuMsOf(work: () => Promise<unknown> | void): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
